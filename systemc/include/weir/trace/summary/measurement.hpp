// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/core/accounting/stats_counters.hpp"
#include "weir/core/latency.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/observer.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

/// The results of a run, counted from Scenario::warm_up on.
///
/// Counts are what they are at the end less what they were at warm_up, watermarks begin again
/// from what is held then, delays are those of packets whose last bit comes in then or later. The
/// counters themselves stay whole: registers, monitors and the check of conservation see the run
/// from its start.
///
/// Cost:   none without a warm-up; with one, two calls a packet.
/// Source: docs/design/decisions/0011-warm-up.md.
class Measurement final : public Observer, private Actor {
 public:
  /// Before the run.
  /// Errors: ConfigError where a scenario has a warm-up and RTL decides.
  explicit Measurement(Network& network);

  /// After Network::finish(). A run that ended before its warm-up was over has counted nothing.
  [[nodiscard]] Summary summary() const;

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void verdict(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void copy_queued(const std::string& switch_name, const Frame& copy, Picoseconds visible) override;
  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override;

 private:
  /// What a host received in one class.
  struct Received {
    std::uint64_t packets{0};
    Bytes bytes;
    Latency latency;
  };
  using ByClass = std::array<Received, priorities>;
  /// Numbers of switches or hosts, by the names that observers get, which stay where they are.
  class Places {
   public:
    /// The next number.
    void add(const std::string& name) { by_name_.emplace(name, by_name_.size()); }
    [[nodiscard]] std::size_t of(const std::string& name) {
      const auto [place, first] = seen_.try_emplace(&name, 0);
      if (first) place->second = by_name_.at(name);
      return place->second;
    }

   private:
    std::unordered_map<std::string, std::size_t> by_name_;
    std::unordered_map<const std::string*, std::size_t> seen_;  // without a comparison of names
  };

  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void begin_marks(std::size_t node, Picoseconds now);
  void fill_queue(std::size_t node, const Frame& frame);
  void count_deliveries(Summary& summary) const;
  void show_marks(Summary& summary) const;

  Network& network_;
  const Picoseconds warm_up_;
  std::optional<Summary> before_;     // at warm_up
  std::vector<StatsCounters> marks_;  // by switch: of them, only the watermarks count
  std::vector<ByClass> received_;     // by host
  Places nodes_, hosts_;
};

}  // namespace weir
