// SPDX-License-Identifier: Apache-2.0
#include "sweep_outcomes.hpp"

#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "weir/config/files/regular_file.hpp"

namespace weir {
namespace fs = std::filesystem;
namespace {

// A damaged line may be one of fewer figures.
std::optional<SweepOutcome> outcome_in(const std::string& line, std::size_t figures) {
  std::optional<SweepOutcome> outcome = parse_outcome(line);
  if (outcome && outcome->figures.size() != (outcome->ran() ? figures : 0)) outcome.reset();
  return outcome;
}

}  // namespace

std::string text_or_nothing(const fs::path& file) {
  try {
    return read_regular_file(file, max_outcome_bytes);
  } catch (const std::exception&) {
    return "";
  }
}

std::set<std::uint64_t> points_in(const Sweep& sweep, const fs::path& file) {
  const std::size_t figures = sweep_figures(sweep).size();
  std::set<std::uint64_t> points;
  std::istringstream text{text_or_nothing(file)};
  for (std::string line; std::getline(text, line);)
    if (const auto outcome = outcome_in(line, figures)) points.insert(outcome->point);
  return points;
}

std::set<std::uint64_t> all_of(PendingPoints& pending) {
  std::set<std::uint64_t> points;
  while (const std::optional<std::uint64_t> point = pending.next()) points.insert(*point);
  return points;
}

OutcomeCollector::OutcomeCollector(std::set<std::uint64_t>& wanted, const SweepWork& work)
    : wanted_{wanted}, work_{work}, figures_{sweep_figures(work.sweep).size()} {}

void OutcomeCollector::collect(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".jsonl" && entry.is_regular_file(error)) read_on(entry.path());
}

void OutcomeCollector::read_on(const fs::path& file) {
  std::error_code error;
  if (max_outcome_bytes < fs::file_size(file, error)) return;
  std::ifstream in{file, std::ios::binary};
  std::uint64_t& offset = read_[file];
  in.seekg(static_cast<std::streamoff>(offset));
  const std::string added{std::istreambuf_iterator<char>{in}, {}};
  std::size_t at = 0;
  for (std::size_t end = added.find('\n'); end != std::string::npos; end = added.find('\n', at)) {
    const auto outcome = outcome_in(added.substr(at, end - at), figures_);
    if (outcome && wanted_.erase(outcome->point) != 0) work_.ended(*outcome);
    at = end + 1;
  }
  offset += at;
}

}  // namespace weir
