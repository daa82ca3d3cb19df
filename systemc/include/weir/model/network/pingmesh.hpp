// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/model_context.hpp"
#include "weir/model/network/network_events.hpp"
#include "weir/model/observer.hpp"

namespace weir {

/// The element of rank ceil(n x per_mille / 1000) of `ascending`: so many in a thousand are no
/// larger. 0 when there are none. Range: per_mille 1 to 1000.
[[nodiscard]] Picoseconds nearest_rank(const std::vector<Picoseconds>& ascending,
                                       unsigned per_mille) noexcept;

/// Round-trip times, from the moment that a probe is due to the last bit of its answer.
struct RttStatistics {
  std::uint64_t answers{0};
  Picoseconds least, p50, p90, p99, p999, most;
};

/// Probes of one level and class.
struct PingStatistics {
  PingLevel level{PingLevel::tor};
  Priority priority;
  std::array<std::uint64_t, ping_codes> by_code{};
  RttStatistics rtt;  ///< Of all that were answered, late or not.

  [[nodiscard]] std::uint64_t count(PingCode code) const noexcept {
    return by_code[static_cast<std::size_t>(code)];
  }
  [[nodiscard]] std::uint64_t probes() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t n : by_code) sum += n;
    return sum;
  }
  /// Probes that were not answered in time.
  [[nodiscard]] std::uint64_t errors() const noexcept {
    return probes() - count(PingCode::ok) - count(PingCode::pending);
  }
};

/// Probes between servers of a network, as [pingmesh] asks for: each pair sends one every interval,
/// from a moment of its own, and the other end answers. Round-trip times and error codes.
///
/// Probe and answer are frames like all others: they wait in queues, are paused, dropped and
/// counted. Their flow numbers follow those of [[traffic]].
///
/// Timing:  the answer is due `turnaround` after the last bit of the probe.
/// Source:  [RDMA16] section 5.
class Pingmesh final : public Observer, private Actor {
 public:
  /// `hosts` get the sources. The first moment of a pair is drawn from the stream named by its
  /// hosts, so it does not depend on other pairs. `header` is that of the first class.
  Pingmesh(const ModelContext& context, const Scenario& scenario,
           std::vector<std::unique_ptr<Nic>>& hosts, FlowHeader header);
  ~Pingmesh() override;

  /// The run has ended at `now`: observers get every probe, in the order in which they were
  /// due. Call it once.
  void finish(Picoseconds now);
  /// After finish(): by level and class, those with probes only. What was due before
  /// Scenario::warm_up does not count, here and in the total.
  [[nodiscard]] std::vector<PingStatistics> statistics() const;
  /// After finish(): of all probes together.
  [[nodiscard]] PingStatistics total() const;

  void delivered(const std::string& host, const Frame& frame, Picoseconds last_bit) override;
  void refused(const std::string& switch_name, const Frame& frame, const Verdict& verdict,
               Picoseconds time) override;
  void mac_drop(const std::string& switch_name, const Frame& frame, PortId port, MacDrop reason,
                Picoseconds time) override;

 private:
  class Requests;
  class Answers;
  /// Who probes whom in which class.
  struct Way {
    HostId source{0}, destination{0};
    Priority priority;
    PingLevel level{PingLevel::tor};
  };
  struct Probe {
    std::uint32_t way{0};
    PingCode code{PingCode::pending};
    Picoseconds sent;
    std::optional<Picoseconds> rtt;
    std::string where;
  };
  /// The ends of a host in one class; none where it neither probes nor answers.
  struct End {
    Requests* requests{nullptr};
    Answers* answers{nullptr};
  };

  void add_ways(const Scenario& scenario);
  void add_sources(const Scenario& scenario, FlowHeader header);
  void add_source(HostId host, std::size_t number, bool answers, std::uint8_t dscp,
                  const FlowHeader& header);
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  [[nodiscard]] bool is_answer(std::uint32_t flow) const noexcept;
  [[nodiscard]] Probe* probe_of(const Frame& frame);
  void drop(const Frame& frame, const std::string& where);
  [[nodiscard]] PingStatistics summed(const std::vector<const Probe*>& probes) const;

  const PingmeshSpec spec_;
  const Picoseconds counted_from_;
  std::vector<std::string> names_;  // of hosts
  Agenda& agenda_;
  const Observers& observers_;
  Agenda::ActorId actor_;
  std::vector<std::unique_ptr<Nic>>& hosts_;
  const std::uint32_t first_flow_;  // two for each class: probes, answers
  std::vector<Way> ways_;
  std::vector<std::vector<End>> ends_;  // [class][host]
  std::vector<Probe> probes_;
};

}  // namespace weir
