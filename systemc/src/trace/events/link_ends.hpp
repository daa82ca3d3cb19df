// SPDX-License-Identifier: Apache-2.0
// The ends of all links of a scenario, and their pause timers, for sinks that record PFC.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "weir/config/format/port_name.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/core/pfc/pause_timer.hpp"

namespace weir {

/// One end of a link: a port of a switch, or a host.
struct LinkEndInfo {
  std::string node;
  std::size_t number{0};  ///< Of the node: switches first, then hosts.
  PortId port;
  bool is_host{false}, obeys{true};
  BitRate rate;
  Picoseconds delay;
  std::size_t peer{0};  ///< Into LinkEnds.
  [[nodiscard]] std::string label() const { return is_host ? node : port_name(node, port); }
};

/// The pause timers of a link end, of a host or a switch.
class EndPauseTimer {
 public:
  EndPauseTimer(const Scenario& scenario, const LinkEnd& end);
  /// `clock`: of a switch. None: a host, or a port of which nothing more is known.
  EndPauseTimer(BitRate rate, Picoseconds response, const std::optional<ClockPeriod>& clock);

  void load(Priority priority, Quanta quanta, Picoseconds last_bit) {
    std::visit([&](auto& timer) { timer.load(priority, quanta, last_bit); }, timer_);
  }
  [[nodiscard]] std::uint8_t paused_mask(Picoseconds now) {
    return std::visit([&](auto& timer) { return timer.paused_mask(now); }, timer_);
  }
  [[nodiscard]] std::optional<Picoseconds> next_change(Picoseconds now) {
    return std::visit([&](auto& timer) { return timer.next_change(now); }, timer_);
  }
  /// The end of a pause whose value loads now; 0 quanta end it there.
  [[nodiscard]] Picoseconds end_of(Quanta quanta, Picoseconds last_bit) const {
    return std::visit(
        [&](const auto& timer) {
          return timer.time_base().expiry(timer.time_base().load_time(last_bit), quanta);
        },
        timer_);
  }
  [[nodiscard]] std::optional<Picoseconds> paused_since(Priority priority, Picoseconds now) const {
    return std::visit([&](const auto& timer) { return timer.paused_since(priority, now); }, timer_);
  }
  [[nodiscard]] PauseTimes pause_times(Priority priority, Picoseconds now) const {
    return std::visit([&](const auto& timer) { return timer.pause_times(priority, now); }, timer_);
  }
  [[nodiscard]] Picoseconds paused_time(Priority priority, Picoseconds now) const {
    return std::visit([&](const auto& timer) { return timer.paused_time(priority, now); }, timer_);
  }

 private:
  std::variant<HostPauseTimer, SwitchPauseTimer> timer_;
};

/// Both ends of every link, found by node and port.
class LinkEnds {
 public:
  explicit LinkEnds(const Scenario& scenario);

  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] const LinkEndInfo& operator[](std::size_t i) const noexcept { return ends_[i]; }
  [[nodiscard]] EndPauseTimer& timer(std::size_t i) noexcept { return timers_[i]; }
  [[nodiscard]] const EndPauseTimer& timer(std::size_t i) const noexcept { return timers_[i]; }
  /// Number of the end. Names of modules live as long as this object, so their address identifies
  /// them.
  [[nodiscard]] std::size_t at(const std::string& node, PortId port);

 private:
  std::size_t add(const Scenario& scenario, const LinkEnd& end, Picoseconds delay);

  std::vector<LinkEndInfo> ends_;
  std::vector<EndPauseTimer> timers_;
  std::map<std::string, std::size_t> numbers_;  // of nodes
  std::unordered_map<const std::string*, std::size_t> by_address_;
  std::vector<std::vector<std::size_t>> ends_of_node_;  // by port; of others any number
};

}  // namespace weir
