// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include "weir/model/agenda.hpp"

namespace weir {

/// Where a call of an observer belongs among those of all ranks: its task, which call of the task
/// it is, and which of those that a frame on a cut cable brings.
struct CallPlace {
  std::uint64_t time{0}, order{0};
  std::uint32_t position{0}, step{0};

  friend bool operator<(const CallPlace& a, const CallPlace& b) noexcept {
    return std::tie(a.time, a.order, a.position, a.step) <
           std::tie(b.time, b.order, b.position, b.step);
  }
};

/// Numbers the calls of one rank. Sorted by it, the calls of all ranks come in the order in which
/// one process makes them: actors have the same numbers in every rank.
class CallOrder {
 public:
  explicit CallOrder(const Agenda& agenda) noexcept : agenda_{agenda} {}

  /// Of the call that is made now.
  [[nodiscard]] CallPlace next() noexcept {
    if (inside_) {
      ++inside_->step;
      return *inside_;
    }
    follow();
    return {task_.time, task_.order, position_++, 0};
  }
  /// The same of a call whose position in its task is known: each rank makes some of its calls.
  [[nodiscard]] CallPlace at(std::uint32_t position) noexcept {
    follow();
    return {task_.time, task_.order, position, ++position_};
  }

  /// The following calls are made for a frame that another rank has sent at `sent`.
  void enter(const CallPlace& sent) noexcept { inside_ = sent; }
  void leave() noexcept { inside_.reset(); }
  /// The run is over: what is called now comes after all tasks, step by step.
  void begin_end_step(std::uint64_t step) noexcept { end_step_ = step; }

 private:
  // A task that another one of the same moment has posted, with a place before its own, runs right
  // after it: its calls are as those of the first.
  void follow() noexcept {
    Agenda::Place place = agenda_.place();
    if (end_step_) place = {~std::uint64_t{0}, *end_step_};
    if (std::tie(place.time, place.order) <= std::tie(task_.time, task_.order)) return;
    task_ = place;
    position_ = 0;
  }

  const Agenda& agenda_;
  Agenda::Place task_;
  std::uint32_t position_{0};
  std::optional<CallPlace> inside_;
  std::optional<std::uint64_t> end_step_;
};

}  // namespace weir
