// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/deadlock_detector_unit.hpp"
#include "weir/model/network/link.hpp"
#include "weir/model/network/message_meter.hpp"
#include "weir/model/network/monitor.hpp"
#include "weir/model/network/pingmesh.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/switch.hpp"

namespace weir {

class NetworkRank;

/// A scenario as SystemC modules: switches, hosts, links, and the agenda that drives them.
///
/// Module names are those of the scenario: `<switch>.mmu.admission`, `<host>`. Modules that are not
/// nodes have brackets in their names (`agenda[0]`, `link[3]`), which no name of a node has.
/// SystemC elaborates it once: there can be only one in a process (see run_in_child).
///
/// Errors:  ConfigError when a chip or a link is impossible.
class Network {
 public:
  /// `permutation` other than 0 runs things of one moment in another order; results must not
  /// change.
  explicit Network(const Scenario& scenario, std::uint64_t permutation = 0,
                   const MmuBackend& backend = {});
  /// Defined in the .cpp, so that users need not include every module.
  ~Network();

  /// Before run(): `observer` sees everything that happens.
  void watch(Observer& observer) { (diverted_ == nullptr ? observers_ : *diverted_).add(observer); }

  // A network of which this process runs a part.
  /// The meter, the account of the pingmesh, and who will watch() see what `all` is notified of,
  /// instead of what happens here. Before anyone watches.
  void divert(Observers& all);
  /// These receive messages and probes in the place of the meter and the account.
  void report_to(MessageLog& messages, PingLog& probes) noexcept;
  /// After finish(), when the account has received everything: `observers` get its probes.
  void finish_account(const Observers& observers);
  /// Sees what happens here.
  void watch_here(Observer& observer) { observers_.add(observer); }
  /// `rank` runs this part. Before elaborate().
  void share_with(NetworkRank& rank) noexcept { rank_ = &rank; }
  /// nullptr: this process runs all.
  [[nodiscard]] NetworkRank* rank() const noexcept { return rank_; }
  [[nodiscard]] bool runs_switch(std::size_t i) const;
  [[nodiscard]] bool runs_host(std::size_t i) const;
  /// The node does nothing. Before elaborate().
  void silence_switch(std::size_t i) { silence(i); }
  void silence_host(std::size_t i) { silence(switches_.size() + i); }

  /// Binds all ports, which takes as long as nothing can interrupt it; nothing happens yet.
  /// Else the first run_until() does it.
  void elaborate();
  /// Runs to `end` (of the scenario at most); may be called again with a later end.
  void run_until(Picoseconds end);
  /// After the last run_until(), before anything is read: what the MMUs were asked is decided, and
  /// those who watch take a last look. Call it once.
  void finish();
  [[nodiscard]] Picoseconds now() const;
  /// After elaborate(): the run ends within milliseconds once `wanted` returns true.
  /// Errors: ModelError before it.
  void interrupt_when(std::function<bool()> wanted);
  /// Whether the run has not come to its end yet.
  [[nodiscard]] bool unfinished() const {
    return !stopped() && (agenda_.interrupted_at() || now() < scenario_.until);
  }
  /// How far the run came: the end, when it was stopped or interrupted, or the last thing that
  /// happened.
  [[nodiscard]] Picoseconds reached() const;

  /// From within the run: nothing happens any more after `now`.
  void stop(Picoseconds now);
  [[nodiscard]] bool stopped() const noexcept { return stopped_.has_value(); }

  /// In the order in which they were found.
  [[nodiscard]] std::vector<DeadlockReport> deadlocks() const;
  [[nodiscard]] std::vector<DriftReport> drifts() const;
  /// After finish(). None: there is no [pingmesh].
  [[nodiscard]] Pingmesh* pingmesh() noexcept { return pingmesh_.get(); }
  [[nodiscard]] const Pingmesh* pingmesh() const noexcept { return pingmesh_.get(); }

  [[nodiscard]] const Scenario& scenario() const noexcept { return scenario_; }
  [[nodiscard]] std::size_t switch_count() const noexcept { return switches_.size(); }
  [[nodiscard]] Switch& switch_at(std::size_t i) { return *switches_[i]; }
  [[nodiscard]] const Switch& switch_at(std::size_t i) const { return *switches_[i]; }
  [[nodiscard]] std::size_t host_count() const noexcept { return hosts_.size(); }
  [[nodiscard]] Nic& host(std::size_t i) { return *hosts_[i]; }
  [[nodiscard]] const Nic& host(std::size_t i) const { return *hosts_[i]; }
  [[nodiscard]] std::size_t link_count() const noexcept { return links_.size(); }
  [[nodiscard]] Link& link(std::size_t i) { return *links_[i]; }
  [[nodiscard]] const Link& link(std::size_t i) const { return *links_[i]; }
  [[nodiscard]] Agenda& agenda() noexcept { return agenda_; }
  [[nodiscard]] const Agenda& agenda() const noexcept { return agenda_; }
  /// nullptr: no traffic entry has messages.
  [[nodiscard]] MessageMeter* message_meter() noexcept { return messages_.get(); }
  [[nodiscard]] const MessageMeter* message_meter() const noexcept { return messages_.get(); }
  /// What a module of the user's that sits on a port takes its frames from.
  [[nodiscard]] FramePool& frames() noexcept { return frames_; }
  /// Frames on their way: in a switch or on a wire.
  [[nodiscard]] std::size_t frames_in_flight() const noexcept { return frames_.in_use(); }

 private:
  void add_switches(const MmuBackend& backend);
  void add_hosts();
  void add_message_meter();
  void add_watchers(const MmuBackend& backend);
  void start(const sc_core::sc_time& duration);
  void silence(std::size_t node);

  const Scenario scenario_;
  FramePool frames_;
  Observers observers_;
  Agenda agenda_;
  const ModelContext context_;
  std::vector<std::unique_ptr<Switch>> switches_;
  std::vector<std::unique_ptr<Nic>> hosts_;
  std::vector<std::unique_ptr<Link>> links_;
  std::optional<Picoseconds> stopped_;
  std::vector<Agenda::ActorId> first_actor_;  // by switch, then by host; then the end
  NetworkRank* rank_{nullptr};
  Observers* diverted_{nullptr};
  MessageRelay relay_;  // what sources and receivers know
  std::unique_ptr<MessageMeter> messages_;
  std::unique_ptr<Pingmesh> pingmesh_;
  std::unique_ptr<DeadlockDetectorUnit> deadlock_detector_;
  std::unique_ptr<Monitor> monitor_;
};

}  // namespace weir
