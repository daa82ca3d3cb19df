// SPDX-License-Identifier: Apache-2.0
#include "size_search.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sweep/sweep_engine.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

// Whether every seed of the combination meets the goal with that value. Each run is a child again.
bool meets(const Sweep& sweep, const Sweep& search, std::uint64_t combination, std::size_t value,
           SizeAnswer& answer) {
  for (std::uint64_t seed = 0; seed < seeds_of(sweep); ++seed) {
    const std::uint64_t point =
        size_search_point(sweep, combination * seeds_of(sweep) + seed, value);
    SweepOutcome outcome = run_isolated(search, point);
    if (outcome.exit_code != 0 && outcome.exit_code != 2) throw ModelError(outcome.error);
    answer.error = outcome.error;
    const bool met = outcome.ran() && outcome.goal_met;
    answer.runs.push_back(std::move(outcome));
    if (!met) return false;
  }
  return true;
}

// Smallest value that meets the goal, given that a larger one is never worse.
SizeAnswer bisect(const Sweep& sweep, const Sweep& search, std::uint64_t combination) {
  const std::size_t last = sweep.size->values.size() - 1;
  SizeAnswer answer;
  if (!meets(sweep, search, combination, last, answer)) return answer;
  std::size_t bad = 0, good = last;  // [0, bad) misses it, good meets it
  while (bad < good) {
    const std::size_t middle = bad + (good - bad) / 2;
    if (meets(sweep, search, combination, middle, answer))
      good = middle;
    else
      bad = middle + 1;
  }
  answer.value = good;
  answer.error.clear();
  return answer;
}

std::string format_answer(const SizeAnswer& answer) {
  Json runs = Json::array();
  for (const SweepOutcome& outcome : answer.runs) runs.push_back(to_line(outcome));
  return Json{{"found", answer.value.has_value()},
              {"value", answer.value.value_or(0)},
              {"runs", runs},
              {"error", answer.error}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

SizeAnswer parse_answer(const std::string& words) {
  const Json json = Json::parse(words);
  SizeAnswer answer;
  if (json.at("found").get<bool>()) answer.value = json.at("value").get<std::size_t>();
  for (const Json& line : json.at("runs"))
    answer.runs.push_back(parse_outcome(line.get<std::string>()).value());
  answer.error = json.at("error").get<std::string>();
  return answer;
}

}  // namespace

std::uint64_t seeds_of(const Sweep& sweep) noexcept {
  return std::max<std::uint64_t>(sweep.seeds.size(), 1);
}

std::vector<SizeAnswer> find_sizes(const Sweep& sweep, const Sweep& search, unsigned jobs,
                                   const std::function<void(const SizeAnswer&)>& ended,
                                   const std::function<bool()>& stop) {
  std::vector<SizeAnswer> answers(static_cast<std::size_t>(sweep.points / seeds_of(sweep)));
  std::size_t next = 0;
  ChildQueue queue;
  queue.next = [&]() -> std::optional<ChildJob> {
    if (next == answers.size()) return std::nullopt;
    return [&sweep, &search, combination = next++] {
      return format_answer(bisect(sweep, search, combination));
    };
  };
  queue.ended = [&](std::size_t index, const ChildResult& result) {
    if (!result.ok) throw ModelError(result.error);
    answers[index] = parse_answer(result.output);
    ended(answers[index]);
  };
  queue.stop = stop;
  run_child_queue(queue, jobs);
  return answers;
}

}  // namespace weir
