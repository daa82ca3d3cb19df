// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "html.hpp"
#include "sweep_charts.hpp"
#include "sweep_page_parts.hpp"
#include "text/format.hpp"

namespace weir {
namespace {

// One setting of all but the key that is looked for.
struct Setting {
  std::vector<std::size_t> levels;  // of the other inputs
  std::optional<std::size_t> smallest;
  const SweepCase* at{nullptr};  // the run that it was found with
  std::uint64_t runs{0};
  std::string error;  // why the largest value did not run, if it did not
};

// The answers of a search, taken from its runs.
class Sizes {
 public:
  explicit Sizes(const SweepTable& table) : table_{table}, size_{*table.size_input} {
    for (std::size_t i = 0; i < table.inputs.size(); ++i)
      if (i != size_) inputs_.push_back(table.inputs[i]);
    std::map<std::vector<std::size_t>, std::size_t> places;
    for (const SweepCase& entry : table.cases) {
      std::vector<std::size_t> levels = entry.levels;
      levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(size_));
      const auto [place, is_new] = places.emplace(levels, settings_.size());
      if (is_new) settings_.push_back({std::move(levels), std::nullopt, nullptr, 0, ""});
      take(settings_[place->second], entry);
    }
  }

  [[nodiscard]] const std::vector<SweepInput>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<Setting>& settings() const { return settings_; }
  [[nodiscard]] const std::string& key() const { return table_.inputs[size_].name; }
  [[nodiscard]] std::string format_size(std::optional<std::size_t> smallest,
                                        bool runs = true) const {
    const std::vector<std::string>& levels = table_.inputs[size_].levels;
    return format_found(levels[smallest.value_or(levels.size() - 1)], smallest, runs);
  }
  /// With which all of the settings meet the goal; none: some never do.
  [[nodiscard]] std::optional<std::size_t> for_all() const {
    std::optional<std::size_t> most{0};
    for (const Setting& setting : settings_)
      most = !most || !setting.smallest ? std::nullopt
                                        : std::optional{std::max(*most, *setting.smallest)};
    return most;
  }

 private:
  void take(Setting& setting, const SweepCase& entry) const {
    const std::size_t level = entry.levels[size_];
    setting.runs += entry.runs;
    if (!entry.error.empty() && level + 1 == table_.inputs[size_].levels.size())
      setting.error = entry.error;
    if (!entry.ran() || !entry.goal_met) return;
    if (setting.smallest && *setting.smallest <= level) return;
    setting.smallest = level;
    setting.at = &entry;
  }

  const SweepTable& table_;
  const std::size_t size_;
  std::vector<SweepInput> inputs_;
  std::vector<Setting> settings_;
};

void add_answers(PageDraft& draft, const Sizes& sizes) {
  TableText rows;
  rows.caption = "Smallest " + sizes.key();
  for (const SweepInput& input : sizes.inputs()) rows.head.push_back(input.name);
  rows.head.insert(rows.head.end(), {"smallest", "runs", "remark"});
  for (const Setting& setting : sizes.settings()) {
    rows.begin_row("", setting.at == nullptr ? "" : "#" + draft.row_id(*setting.at));
    for (std::size_t i = 0; i < sizes.inputs().size(); ++i)
      rows.add(sizes.inputs()[i].levels[setting.levels[i]], static_cast<double>(setting.levels[i]));
    const double order = setting.smallest ? static_cast<double>(*setting.smallest) : 1e9;
    rows.add(sizes.format_size(setting.smallest, setting.error.empty()), order, true);
    rows.add(format_quantity(setting.runs), static_cast<double>(setting.runs), true);
    rows.add(setting.smallest ? "" : setting.error, 0);
  }
  draft.add(rows.html());
}

// For each pair of levels the value with which every setting that has both meets the goal.
HeatChart map_of(const Sizes& sizes, std::size_t x, std::size_t y) {
  const SweepInput &across = sizes.inputs()[x], &down = sizes.inputs()[y];
  HeatChart chart{
      "smallest " + sizes.key(), across.name, down.name, across.levels, down.levels, {}, "", {}};
  const std::size_t fields = across.levels.size() * down.levels.size();
  std::vector<bool> any(fields), none(fields);
  std::vector<std::size_t> most(fields);
  for (const Setting& setting : sizes.settings()) {
    const std::size_t field = setting.levels[y] * across.levels.size() + setting.levels[x];
    any[field] = true;
    if (!setting.smallest) none[field] = true;
    most[field] = std::max(most[field], setting.smallest.value_or(0));
  }
  for (std::size_t i = 0; i < fields; ++i) {
    const bool found = any[i] && !none[i];
    chart.fields.push_back(found ? std::optional{static_cast<double>(most[i])} : std::nullopt);
    chart.texts.push_back(found ? sizes.format_size(most[i]) : none[i] ? "none" : "-");
  }
  return chart;
}

void add_maps(PageDraft& draft, const Sizes& sizes) {
  constexpr std::size_t max_levels = 24;
  const auto has_choice = [&](std::size_t i) {
    const std::size_t levels = sizes.inputs()[i].levels.size();
    return 1 < levels && levels <= max_levels;
  };
  bool first = true;
  for (std::size_t y = 0; y < sizes.inputs().size(); ++y)
    for (std::size_t x = y + 1; x < sizes.inputs().size(); ++x) {
      if (!has_choice(x) || !has_choice(y)) continue;
      if (std::exchange(first, false))
        draft.add(
            "<p>Below, of all settings that share both values the largest: with it each of them "
            "meets the goal.</p>\n");
      draft.add_picture("sizes_" + sizes.inputs()[y].name + "_" + sizes.inputs()[x].name,
                        to_svg(map_of(sizes, x, y)));
    }
}

void add_moves(PageDraft& draft, const Sizes& sizes) {
  std::vector<std::vector<std::size_t>> levels;
  for (const Setting& setting : sizes.settings()) levels.push_back(setting.levels);
  const std::vector<SweepEffect> effects = effects_of(sizes.inputs(), levels, [&](std::size_t i) {
    // Where the first value suffices, the smallest is not known.
    const std::size_t smallest = sizes.settings()[i].smallest.value_or(0);
    return smallest != 0 ? std::optional<std::uint64_t>{smallest} : std::nullopt;
  });
  if (!effects.empty()) draft.add("<h3>How much each key alone changes it</h3>\n");
  add_effects(draft, "the smallest " + sizes.key(), sizes.inputs(), effects, [&](double steps) {
    return draft.table.size_distances[static_cast<std::size_t>(std::llround(steps))];
  });
}

}  // namespace

void add_sizes(PageDraft& draft) {
  const Sizes sizes{draft.table};
  draft.add("<h2 id=\"" + draft.chapter + "answer\">Answer</h2>\n");
  draft.add(fmt::format(
      "<p>The smallest {} that meets the goal under every seed, by bisection over the model: the "
      "value named here ran and met it, the one a step below missed it, or could not be run. \"Or "
      "less\": the first value of the search met it, and smaller ones were not run. For all "
      "settings together: <b>{}</b>.</p>\n",
      escaped(sizes.key()), escaped(sizes.format_size(sizes.for_all()))));
  add_answers(draft, sizes);
  add_maps(draft, sizes);
  add_moves(draft, sizes);
}

}  // namespace weir
