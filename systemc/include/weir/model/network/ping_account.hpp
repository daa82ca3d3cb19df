// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/network/frame.hpp"
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
  RttStatistics rtt;  ///< Times of all probes that were answered, late or not.

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

/// Who probes whom in which class.
struct PingWay {
  HostId source{0}, destination{0};
  Priority priority;
  PingLevel level{PingLevel::tor};
};

/// A probe: which of its source in a class, from 0.
struct PingRequest {
  std::uint32_t class_number{0};
  HostId source{0};
  std::uint64_t sequence{0};
};

/// Receives the packets of the mesh that hosts take.
class PingLog {
 public:
  virtual ~PingLog() = default;
  /// The source of this way takes the probe that was due at `due`.
  virtual void requested(std::uint32_t way, Picoseconds due) = 0;
  /// `host` takes its answer to `request`.
  virtual void answered(HostId host, const PingRequest& request) = 0;
};

/// What became of the probes of a pingmesh.
class PingAccount final : public Observer, public PingLog {
 public:
  /// `ways`: class by class. `first_flow`: of the mesh, two for each class: probes, answers.
  PingAccount(const Scenario& scenario, std::vector<PingWay> ways, std::uint32_t first_flow);

  void requested(std::uint32_t way, Picoseconds due) override;
  void answered(HostId host, const PingRequest& request) override;

  /// The run has ended at `now`: `report` gets every probe, in the order in which they were due.
  /// Call it once.
  void finish(Picoseconds now, const std::function<void(const PingResult&)>& report);
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
  struct Probe {
    std::uint32_t way{0};
    PingCode code{PingCode::pending};
    Picoseconds sent;
    std::optional<Picoseconds> last_bit;  // of its answer
    std::optional<Picoseconds> rtt;
    std::string where;
  };
  /// The probes of a host in one class, and those that it has answered, by sequence number.
  struct End {
    std::vector<std::uint32_t> requests, answers;
  };

  [[nodiscard]] bool is_answer(std::uint32_t flow) const noexcept {
    return (flow - first_flow_) % 2 != 0;
  }
  [[nodiscard]] Probe* probe_of(const Frame& frame);
  void drop(const Frame& frame, const std::string& where);
  void judge(Probe& probe, Picoseconds now) const;
  [[nodiscard]] bool is_due_before(const Probe& a, const Probe& b) const;
  [[nodiscard]] static PingStatistics summed(const std::vector<const Probe*>& probes);

  const PingmeshSpec spec_;
  const Picoseconds counted_from_, until_;
  const std::vector<PingWay> ways_;
  const std::uint32_t first_flow_;
  std::vector<std::string> names_;      // of hosts
  std::vector<std::vector<End>> ends_;  // [class][host]
  std::vector<Probe> probes_;
};

}  // namespace weir
