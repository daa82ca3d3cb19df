// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/rtl_pins.hpp"

namespace weir {

/// The lockstep of core and weir_mmu at the answers of the marker: those that are due in each
/// cycle. All other answers must be 0.
///
/// Range: a weir_mmu with WRED profiles; `pins` is borrowed.
class MarkEngine {
 public:
  static constexpr std::array answer_pins{MmuPin::arr_mark_o, MmuPin::dep_mark_o,
                                          MmuPin::dep_error_o};

  /// Answers come `latency` cycles after their verdict or departure.
  MarkEngine(const RtlPins& pins, std::uint64_t latency) : pins_{pins}, latency_{latency} {}

  void reset() { due_.clear(); }
  /// A queue has taken a packet with the verdict of `cycle`. `part`: index in arr_mark_o.
  void expect_entry(std::uint64_t cycle, std::size_t part, bool marked) {
    due_[cycle + latency_].push_back({MmuPin::arr_mark_o, part, marked});
  }
  /// A packet left `port` in `cycle`.
  void expect_departure(std::uint64_t cycle, std::size_t port, bool marked, bool error) {
    due_[cycle + latency_].push_back({MmuPin::dep_mark_o, port, marked});
    due_[cycle + latency_].push_back({MmuPin::dep_error_o, port, error});
  }
  [[nodiscard]] bool nothing_expected() const noexcept { return due_.empty(); }

  /// Compares the answers of cycle `now`, as LockstepEngine does.
  template <class Same>
  void compare(std::uint64_t now, Same&& same) {
    std::vector<Answer> answers;
    if (!due_.empty() && due_.begin()->first == now) {
      answers = std::move(due_.begin()->second);
      due_.erase(due_.begin());
    }
    for (const MmuPin pin : answer_pins) {
      if (pins_[pin].any())
        compare_all(pin, answers, same);
      else
        for (const Answer& answer : answers)
          if (answer.pin == pin) same(LockstepValue{pin, answer.part, answer.is ? 1U : 0U, 0});
    }
  }

  /// A difference as text. Range: a value that differs.
  [[nodiscard]] LockstepDifference describe(const LockstepValue& value) const;

 private:
  struct Answer {
    MmuPin pin;
    std::size_t part;
    bool is;
  };

  template <class Same>
  void compare_all(MmuPin pin, const std::vector<Answer>& answers, Same&& same) {
    for (std::size_t part = 0; part < pins_.parts(pin); ++part) {
      const bool expected = std::any_of(answers.begin(), answers.end(), [&](const Answer& answer) {
        return answer.pin == pin && answer.part == part && answer.is;
      });
      same(LockstepValue{pin, part, expected ? 1U : 0U, pins_.get(pin, part)});
    }
  }

  const RtlPins& pins_;
  const std::uint64_t latency_;
  std::map<std::uint64_t, std::vector<Answer>> due_;  // by cycle
};

}  // namespace weir
