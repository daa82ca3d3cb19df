// SPDX-License-Identifier: Apache-2.0
#include "forensics/data_frames.hpp"

#include <algorithm>
#include <utility>

namespace weir {

DataFrames::DataFrames(std::vector<Source> sources, Picoseconds ahead, Clock clock, Choice choice)
    : ahead_{ahead}, clock_{std::move(clock)}, choice_{std::move(choice)} {
  for (const Source& source : sources)
    open_.push_back({CaptureFile{source.file}, source.disorder, Picoseconds{}, false});
}

std::optional<DataFrame> DataFrames::next() {
  while (held_.empty() || !is_settled(held_.top())) {
    const auto file = least_advanced();
    if (!file) break;
    read(*file);
  }
  if (held_.empty()) return std::nullopt;
  const DataFrame first = held_.top();
  held_.pop();
  return first;
}

std::optional<std::size_t> DataFrames::least_advanced() const {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < open_.size(); ++i)
    if (!open_[i].ended && (!least || open_[i].reached < open_[*least].reached)) least = i;
  return least;
}

// Nothing that starts as early as this is to come.
bool DataFrames::is_settled(const DataFrame& frame) const {
  return std::all_of(open_.begin(), open_.end(), [&](const Open& open) {
    return open.ended || frame.start + ahead_ + open.disorder < open.reached;
  });
}

void DataFrames::read(std::size_t file) {
  Open& open = open_[file];
  CapturedFrame frame;
  open.ended = !open.capture.next(frame);
  if (open.ended) return;
  open.reached = std::max(open.reached, clock_(frame.stamp));
  std::optional<DataFrame> chosen = choice_(file, frame);
  if (!chosen) return;
  chosen->file = file;
  chosen->number = frame.number;
  held_.push(*chosen);
  max_held_ = std::max(max_held_, held_.size());
}

}  // namespace weir
