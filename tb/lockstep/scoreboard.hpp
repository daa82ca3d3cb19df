// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weir::test {

/// RTL and core disagree: cycle, inputs, output, both values.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The first difference that `compare` throws; empty: none.
template <class Compare>
[[nodiscard]] std::string difference_in(Compare&& compare) {
  try {
    compare();
  } catch (const Difference& difference) {
    return difference.what();
  }
  return "";
}

/// Compares outputs of the RTL with those of the core, and counts the functional points reached.
///
///   Scoreboard board{"admission", [&] { return text_of(inputs); }};
///   const auto reason = board.output("reason");
///   const auto edge = board.point("w = T - 1");
///   ... each cycle: board.cycle(n); board.compare(reason, expected, actual); board.hit(edge);
///   EXPECT_EQ(board.complaints(), "");     // at the end
///
/// Errors:  compare() throws Difference at the first difference. complaints() names reasons why the
///          comparison is worthless: nothing compared, an output that never changed, a coverage
///          point that was never hit.
class Scoreboard {
 public:
  using Output = std::size_t;
  using Point = std::size_t;

  /// `inputs` formats the inputs of the current cycle; called at a difference only.
  explicit Scoreboard(std::string name, std::function<std::string()> inputs = {})
      : name_{std::move(name)}, inputs_{std::move(inputs)} {}

  [[nodiscard]] Output output(std::string name) {
    outputs_.push_back({std::move(name), 0, false, false, false});
    return outputs_.size() - 1;
  }
  /// An output that is constant in this configuration, for a `reason` that the report shows.
  [[nodiscard]] Output still_output(std::string name, std::string reason) {
    still_.push_back(name + ": " + std::move(reason));
    const Output id = output(std::move(name));
    outputs_[id].may_be_constant = true;
    return id;
  }
  [[nodiscard]] Point point(std::string name) {
    points_.push_back({std::move(name), 0});
    return points_.size() - 1;
  }

  void cycle(std::uint64_t number) noexcept { cycle_ = number; }
  [[nodiscard]] std::uint64_t cycle() const noexcept { return cycle_; }
  void hit(Point point) noexcept { ++points_[point].hits; }
  void hit_if(bool happened, Point point) noexcept { points_[point].hits += happened ? 1 : 0; }

  /// `index`: which lane, port or PG of the output.
  void compare(Output output, std::uint64_t expected, std::uint64_t actual, std::size_t index = 0) {
    Seen& seen = outputs_[output];
    seen.moved = seen.moved || (seen.compared && seen.last != actual);
    seen.compared = true;
    seen.last = actual;
    ++compared_;
    if (expected != actual) throw_difference(seen, index, expected, actual);
  }

  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  [[nodiscard]] std::uint64_t hits(Point point) const noexcept { return points_[point].hits; }

  /// Empty when the comparison is valid; prints "compared N" and the points either way.
  [[nodiscard]] std::string complaints(std::ostream& log = std::cout) const {
    std::ostringstream text;
    for (const Seen& seen : outputs_)
      if (!seen.moved && !seen.may_be_constant)
        text << name_ << ": output " << seen.name << " never moved\n";
    for (const Counted& point : points_) {
      log << name_ << ": " << point.hits << " x " << point.name << "\n";
      if (point.hits == 0) text << name_ << ": never happened: " << point.name << "\n";
    }
    for (const std::string& still : still_) log << name_ << ": never changed: " << still << "\n";
    return text.str() + short_run_complaints(log);
  }
  /// The same for a run too short to reach every point.
  [[nodiscard]] std::string short_run_complaints(std::ostream& log = std::cout) const {
    log << name_ << ": compared " << compared_ << "\n";
    return compared_ == 0 ? name_ + ": nothing was compared\n" : "";
  }

 private:
  struct Seen {
    std::string name;
    std::uint64_t last;
    bool compared, moved, may_be_constant;
  };
  struct Counted {
    std::string name;
    std::uint64_t hits;
  };

  [[noreturn]] void throw_difference(const Seen& seen, std::size_t index, std::uint64_t expected,
                                     std::uint64_t actual) const {
    std::ostringstream text;
    text << name_ << ": cycle " << cycle_ << ", " << seen.name << "[" << index << "]: expected "
         << expected << " (0x" << std::hex << expected << "), actual " << std::dec << actual
         << " (0x" << std::hex << actual << std::dec << ")";
    if (inputs_) text << "\n  inputs: " << inputs_();
    text << "\n  compared " << compared_;
    throw Difference{text.str()};
  }

  std::string name_;
  std::function<std::string()> inputs_;
  std::vector<Seen> outputs_;
  std::vector<Counted> points_;
  std::vector<std::string> still_;
  std::uint64_t cycle_{0}, compared_{0};
};

}  // namespace weir::test
