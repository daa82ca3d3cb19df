// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weir/core/pfc/deadlock_detector.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/observer.hpp"

namespace weir {

class Network;

/// Shell of the deadlock detector: every 100 us it takes the queues between switches that have been
/// paused for as long, and the priority groups that hold their frames, as one graph.
///
/// A report does not depend on the period, apart from the time at which the deadlock is found and
/// the frames that came to the queues until then.
///
/// Timing:  after all else of its moment; frames of a queue are looked at again only when it has
///          changed. A last look at the end of the run takes young pauses too.
/// Source:  rules in core/pfc/deadlock_detector.hpp.
class DeadlockDetectorUnit final : private Actor {
 public:
  static constexpr Picoseconds period{100'000'000};

  /// `network` is complete but for its observers, and outlives this. `stop`: the run ends when
  /// there is a deadlock.
  DeadlockDetectorUnit(const ModelContext& context, Network& network, bool stop);

  /// Whether `scenario` has a link between two switches: else there is nothing to look at.
  [[nodiscard]] static bool has_work(const Scenario& scenario);
  /// The run has ended at `now`.
  void finish(Picoseconds now) { look(now, now); }
  [[nodiscard]] const std::vector<DeadlockReport>& reports() const noexcept { return reports_; }

 private:
  /// An egress queue towards another switch; its number in the list is its id.
  struct Place {
    std::size_t node{0}, peer{0};  // switches
    PortId port, peer_port;
    std::uint8_t queue{0};
    Picoseconds on_the_way;  // until a frame that has started takes its step at the peer
  };
  /// A copy of a packet that the MMU holds once.
  struct Copy {
    std::uint32_t replica{0};
    PgIndex pg;
    Cells cells;
  };
  /// What waits in a queue, as it was looked at last.
  struct Held {
    std::size_t depth{0};
    std::uint64_t entered{0};
    std::optional<Picoseconds> since;  // none: never looked at
    Priority priority;                 // of its first paused frame
    std::uint64_t frames{0};
    Bytes bytes;
    std::map<PgIndex, Cells> content;
    std::vector<Copy> copies;
  };
  /// What is to be known of a priority group.
  struct GroupState {
    Placement held;
    bool xoff{false};
  };
  class Graph;

  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void add_places();
  /// Looks for deadlocks among the queues whose pause began at `youngest` or earlier.
  void look(Picoseconds now, Picoseconds youngest);
  /// Whether a frame of this queue has been paused since `youngest` or longer; then held_ has the
  /// first paused frame and those after it.
  [[nodiscard]] bool is_paused(std::size_t place, Picoseconds now, Picoseconds youngest);
  /// The places whose queues are paused so, ascending; over ranks: those of all ranks.
  [[nodiscard]] std::vector<std::size_t> paused_places(Picoseconds now, Picoseconds youngest);
  [[nodiscard]] bool pauses_it(const Place& place, const Held& held) const;
  [[nodiscard]] GroupState group_at(std::size_t node, PgIndex pg) const;
  void share_places(std::vector<std::size_t>& places);
  void share_groups();
  void walk(std::size_t place, std::uint8_t paused);
  [[nodiscard]] DeadlockReport report(const Graph& graph, const Deadlock& deadlock,
                                      Picoseconds now) const;

  Network& network_;
  Agenda& agenda_;
  const Observers& observers_;
  const bool stop_;
  Agenda::ActorId actor_;
  std::vector<Place> places_;  // by name of the switch, port, queue
  std::vector<Held> held_;     // by place
  std::map<std::pair<std::size_t, PgIndex>, GroupState> elsewhere_;  // of switches of other ranks
  DeadlockDetector detector_;
  std::vector<DeadlockReport> reports_;
};

}  // namespace weir
