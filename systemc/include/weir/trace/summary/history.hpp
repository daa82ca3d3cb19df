// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weir/config/chip/configured_values.hpp"
#include "weir/config/scenario/scenario.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/ranks/rank_message.hpp"
#include "weir/trace/summary/report_text.hpp"
#include "weir/trace/summary/summary.hpp"

namespace weir {

class HistoryRecord;

/// T of priority groups when they first went to XOFF, by name of the switch.
using FirstThresholds = std::map<std::string, std::map<PgIndex, Cells>>;

/// Records what the report of a run shows over time: content of priority groups, pools and
/// egress queues, when ports are paused and by whom, rates of connections, use of headroom, bursts,
/// drops, actions of watchdogs.
///
/// The same run gives the same bytes. Memory does not grow with the length of the run: values over
/// time get coarser, minimum and maximum of each bucket are kept.
///
/// Range:   occupancy is what the model's MMU holds (with an RTL in its place it stays empty).
/// Timing:  some hundred instructions a step of an MMU; with egress queues, some 400 more a packet.
class History final : public Observer {
 public:
  /// Egress queues are followed where a switch has WRED profiles, or everywhere.
  enum class Queues { with_profiles, all };

  History(const Scenario& scenario, Queues queues);
  ~History() override;

  /// Observes a run that has not begun.
  void watch(Network& network);

  // Of a network over ranks: the first one watch()es, the others record their own switches, and
  // after the run the first reads what they write.
  void watch_part(Network& network);
  void write_part(const Network& network, RankMessage& message);
  void read_part(const Network& network, RankReader& message);

  /// After the run, whose result is `summary`; call it once.
  [[nodiscard]] ReportText finish(const Summary& summary,
                                  const std::vector<ConfiguredValue>& configuration);

  /// Of all groups so far; as `threshold_cells` of `first_xoffs` in report.json.
  [[nodiscard]] FirstThresholds first_thresholds() const;

  void refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override;
  void watchdog(const std::string& node, PortId port, std::uint8_t classes, WatchdogEvent event,
                Picoseconds time) override;
  void pfc_sent(const std::string& node, PortId port, const PfcFrame& frame,
                Picoseconds time) override;
  void pfc_received(const std::string& node, PortId port, const PfcFrame& frame,
                    Picoseconds time) override;
  void port_sample(const PortSample& sample, Picoseconds time) override;
  void rate_sample(const RateSample& sample, Picoseconds time) override;

 private:
  class StepObserver;
  class QueueObserver;
  std::unique_ptr<HistoryRecord> record_;
  std::unique_ptr<StepObserver> steps_;
  std::unique_ptr<QueueObserver> queues_;  // null: no egress queue is followed
};

}  // namespace weir
