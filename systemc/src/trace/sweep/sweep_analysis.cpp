// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace weir {
namespace {

using Row = std::vector<std::uint64_t>;
using Levels = std::vector<std::size_t>;

/// Which rows are dominated, by halves: n rows cost n log n for each number of a row but one, where
/// comparing every two costs n^2 (H. T. Kung et al., J. ACM 22 (1975) 469).
class Dominance {
 public:
  explicit Dominance(const std::vector<Row>& rows) : rows_{rows}, beaten_(rows.size()) {}
  [[nodiscard]] bool beaten(std::size_t row) const { return beaten_[row]; }

  // Range: different rows in ascending order: one is dominated only by rows before it.
  void settle(const Levels& order) {
    if (order.size() < 2) return;
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    const Levels first{order.begin(), middle}, second{middle, order.end()};
    settle(first);
    settle(second);
    compare(left_of(first), left_of(second), rows_[order[0]].size() - 1);
  }

 private:
  // Marks in `b` what a row of `a` dominates, as far as numbers 1 to `last` say: in all others no
  // row of `a` is larger.
  void compare(const Levels& a, const Levels& b, std::size_t last) {
    constexpr std::size_t few = 64;
    if (a.empty() || b.empty()) return;
    if (last == 0 || a.size() * b.size() <= few) return compare_each(a, b, last);
    const auto [min_a, max_a] = range_of(a, last);
    const auto [min_b, max_b] = range_of(b, last);
    if (max_a <= min_b) return compare(a, b, last - 1);
    if (max_b < min_a) return;
    const std::uint64_t pivot = pivot_of(a, b, last);
    const auto side = [&](const Levels& list, bool low) {
      Levels part;
      for (const std::size_t row : list)
        if ((rows_[row][last] < pivot) == low) part.push_back(row);
      return part;
    };
    const Levels low_a = side(a, true);
    compare(low_a, side(b, true), last);
    compare(side(a, false), side(b, false), last);
    compare(low_a, left_of(side(b, false)), last - 1);
  }
  void compare_each(const Levels& a, const Levels& b, std::size_t last) {
    const auto beats = [&](std::size_t better, std::size_t row) {
      for (std::size_t i = 1; i <= last; ++i)
        if (rows_[row][i] < rows_[better][i]) return false;
      return true;
    };
    for (const std::size_t row : b)
      if (!beaten_[row])
        beaten_[row] =
            std::any_of(a.begin(), a.end(), [&](std::size_t r) { return beats(r, row); });
  }
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> range_of(const Levels& list,
                                                                 std::size_t number) const {
    std::pair<std::uint64_t, std::uint64_t> range{~std::uint64_t{0}, 0};
    for (const std::size_t row : list) {
      range.first = std::min(range.first, rows_[row][number]);
      range.second = std::max(range.second, rows_[row][number]);
    }
    return range;
  }
  // The median, or where nothing is below it the next value. Range: not all are equal.
  [[nodiscard]] std::uint64_t pivot_of(const Levels& a, const Levels& b, std::size_t number) const {
    Row values;
    for (const Levels* const list : {&a, &b})
      for (const std::size_t row : *list) values.push_back(rows_[row][number]);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const std::uint64_t median = *middle;
    std::uint64_t next = ~std::uint64_t{0};
    for (const std::uint64_t value : values) {
      if (value < median) return median;
      if (median < value) next = std::min(next, value);
    }
    return next;
  }
  [[nodiscard]] Levels left_of(const Levels& list) const {
    Levels left;
    for (const std::size_t row : list)
      if (!beaten_[row]) left.push_back(row);
    return left;
  }

  const std::vector<Row>& rows_;
  std::vector<bool> beaten_;
};

// Values for which less is better. ~v falls as v rises.
Row costs_of(const SweepTable& table, const Row& values) {
  Row costs = values;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (table.objectives[i].most) costs[i] = ~costs[i];
  return costs;
}

Row values_of(const SweepTable& table, const SweepCase& entry) {
  Row values;
  for (const SweepObjective& objective : table.objectives) values.push_back(entry.worst(objective));
  return values;
}

void find_members(const SweepTable& table, SweepFront& front) {
  std::vector<Row> costs;
  for (const Row& values : front.values) costs.push_back(costs_of(table, values));
  front.members = pareto_front(costs);
}

SweepFront front_of(const SweepTable& table, std::size_t scenario,
                    std::optional<std::size_t> workload) {
  SweepFront front;
  front.scenario = table.inputs[0].levels[scenario];
  if (workload) front.workload = table.inputs[1].levels[*workload];
  for (std::size_t i = 0; i < table.cases.size(); ++i) {
    const SweepCase& entry = table.cases[i];
    if (!entry.ran() || entry.levels[0] != scenario) continue;
    if (workload && entry.levels[1] != *workload) continue;
    front.cases.push_back(i);
    front.values.push_back(values_of(table, entry));
  }
  find_members(table, front);
  return front;
}

// Each setting of the axes, with its worst result over all workloads.
SweepFront front_of_all_workloads(const SweepTable& table, std::size_t scenario) {
  struct Setting {
    std::size_t first{0}, workloads{0};
    Row worst;
  };
  const auto first_axis = static_cast<std::ptrdiff_t>(table.first_axis());
  std::map<Levels, Setting> settings;
  for (std::size_t i = 0; i < table.cases.size(); ++i) {
    const SweepCase& entry = table.cases[i];
    if (!entry.ran() || entry.levels[0] != scenario) continue;
    Setting& setting = settings[Levels(entry.levels.begin() + first_axis, entry.levels.end())];
    const Row values = values_of(table, entry);
    if (setting.workloads++ == 0) {
      setting.first = i;
      setting.worst = values;
      continue;
    }
    for (std::size_t k = 0; k < values.size(); ++k)
      setting.worst[k] = table.objectives[k].most ? std::min(setting.worst[k], values[k])
                                                  : std::max(setting.worst[k], values[k]);
  }
  SweepFront front;
  front.scenario = table.inputs[0].levels[scenario];
  for (auto& [levels, setting] : settings) {
    if (setting.workloads != table.inputs[1].levels.size()) continue;
    front.cases.push_back(setting.first);
    front.values.push_back(std::move(setting.worst));
  }
  find_members(table, front);
  return front;
}

// Ranks from 0, equal values sharing the mean of theirs.
std::vector<double> ranks_of(const std::vector<std::uint64_t>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i)
      ranks[order[i]] = static_cast<double>(begin + end - 1) / 2;
    begin = end;
  }
  return ranks;
}

// Spearman's: Pearson's of the ranks, as some may be equal.
double rank_correlation(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double mean = static_cast<double>(a.size() - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xx == 0 || yy == 0 ? 0 : xy / std::sqrt(xx * yy);
}

// Levels with the least and the greatest average result.
void find_extremes(const std::vector<Levels>& levels, const ResultOf& result, std::size_t count,
                   SweepEffect& effect) {
  std::vector<double> sums(count), cases(count);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto value = result(i);
    if (!value) continue;
    sums[levels[i][effect.input]] += static_cast<double>(*value);
    cases[levels[i][effect.input]] += 1;
  }
  std::optional<double> least, greatest;
  for (std::size_t level = 0; level < count; ++level) {
    if (cases[level] == 0) continue;
    const double average = sums[level] / cases[level];
    if (!least || average < *least) {
      least = average;
      effect.lowest = level;
    }
    if (!greatest || *greatest < average) {
      greatest = average;
      effect.highest = level;
    }
  }
}

void find_correlation(const std::vector<Levels>& levels, const ResultOf& result,
                      SweepEffect& effect) {
  std::vector<std::uint64_t> inputs, results;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto value = result(i);
    if (!value) continue;
    inputs.push_back(levels[i][effect.input]);
    results.push_back(*value);
  }
  effect.settings = results.size();
  effect.rank_correlation = results.empty() ? 0 : rank_correlation(inputs, results);
}

void find_swing(const std::vector<Levels>& levels, const ResultOf& result, SweepEffect& effect) {
  struct Range {
    std::uint64_t least{0}, most{0};
    std::size_t cases{0};
  };
  std::map<Levels, Range> settings;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto value = result(i);
    if (!value) continue;
    Levels others = levels[i];
    others[effect.input] = 0;
    Range& range = settings[others];
    range.least = range.cases == 0 ? *value : std::min(range.least, *value);
    range.most = std::max(range.most, *value);
    ++range.cases;
  }
  double sum = 0;
  for (const auto& [others, range] : settings) {
    if (range.cases < 2) continue;
    ++effect.settings;
    sum += static_cast<double>(range.most - range.least);
    effect.largest_swing = std::max(effect.largest_swing, range.most - range.least);
  }
  if (effect.settings != 0) effect.average_swing = sum / static_cast<double>(effect.settings);
}

// Levels merged with their neighbours to at most `most`: "8 MB .. 12 MB".
std::vector<std::string> put_together(const std::vector<std::string>& levels, std::size_t width) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < levels.size(); begin += width) {
    const std::size_t end = std::min(begin + width, levels.size());
    texts.push_back(begin + 1 == end ? levels[begin] : levels[begin] + " .. " + levels[end - 1]);
  }
  return texts;
}

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<Row>& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  const auto equal = [&](std::size_t a, std::size_t b) { return rows[a] == rows[b]; };
  Levels different;
  std::unique_copy(order.begin(), order.end(), std::back_inserter(different), equal);
  Dominance dominance{rows};
  dominance.settle(different);
  std::vector<std::size_t> front;
  std::size_t group = 0;  // of equal rows: its first is in `different`
  for (const std::size_t row : order) {
    if (!equal(row, different[group])) ++group;
    if (!dominance.beaten(different[group])) front.push_back(row);
  }
  std::sort(front.begin(), front.end());
  return front;
}

std::vector<SweepFront> fronts_of(const SweepTable& table) {
  std::vector<SweepFront> fronts;
  if (table.inputs.empty()) return fronts;
  for (std::size_t scenario = 0; scenario < table.inputs[0].levels.size(); ++scenario) {
    if (!table.has_workloads()) {
      fronts.push_back(front_of(table, scenario, std::nullopt));
      continue;
    }
    const std::size_t workloads = table.inputs[1].levels.size();
    if (workloads != 1) fronts.push_back(front_of_all_workloads(table, scenario));
    for (std::size_t workload = 0; workload < workloads; ++workload)
      fronts.push_back(front_of(table, scenario, workload));
  }
  return fronts;
}

std::vector<SweepEffect> effects_of(const std::vector<SweepInput>& inputs,
                                    const std::vector<Levels>& levels, const ResultOf& result) {
  std::vector<SweepEffect> effects;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].levels.size() < 2) continue;
    SweepEffect effect;
    effect.input = i;
    find_extremes(levels, result, inputs[i].levels.size(), effect);
    if (inputs[i].sampled)
      find_correlation(levels, result, effect);
    else
      find_swing(levels, result, effect);
    effects.push_back(effect);
  }
  return effects;
}

HeatMap heat_map(const SweepTable& table, std::size_t x, std::size_t y, const ResultOf& result,
                 std::size_t most) {
  const auto width_of = [&](std::size_t input) {
    return (table.inputs[input].levels.size() + most - 1) / most;
  };
  const std::size_t x_width = width_of(x), y_width = width_of(y);
  HeatMap map;
  map.x = x;
  map.y = y;
  map.columns = put_together(table.inputs[x].levels, x_width);
  map.rows = put_together(table.inputs[y].levels, y_width);
  map.fields.resize(map.columns.size() * map.rows.size());
  for (std::size_t i = 0; i < table.cases.size(); ++i) {
    const auto value = result(i);
    if (!value) continue;
    const Levels& levels = table.cases[i].levels;
    HeatMap::Field& field =
        map.fields[levels[y] / y_width * map.columns.size() + levels[x] / x_width];
    ++field.cases;
    field.average += static_cast<double>(*value);
  }
  for (HeatMap::Field& field : map.fields)
    if (field.cases != 0) field.average /= static_cast<double>(field.cases);
  return map;
}

}  // namespace weir
