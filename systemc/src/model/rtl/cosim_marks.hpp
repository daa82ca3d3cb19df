// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/random.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/rtl/mark_engine.hpp"
#include "weir/model/rtl/mark_traffic.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"
#include "weir/model/rtl/rtl_request.hpp"

namespace weir {

/// The marker next to that of the RTL in a Cosim: random ECN bits, packets that leave their ports
/// or are discarded, and what the core says of them in the order of the RTL: in each cycle the
/// packets whose verdict comes, the one that leaves a port, the packets that come.
class CosimMarks {
 public:
  /// `mmu` shows the marker from now on. All of them are borrowed.
  CosimMarks(const Chip& chip, Mmu& mmu, RtlMmu& rtl, std::uint64_t seed);

  /// Begins a cycle, before its requests.
  void cycle(bool drawing);
  /// A packet comes: fills in what the request says to the marker. Whether WRED drops it.
  [[nodiscard]] bool drops(const ArrivalStep& step, RtlArrival& request);
  /// It was admitted: verdict `admit` cycles from now on `slot`, of queues as `mask` says.
  void admitted(const ArrivalStep& step, const RtlArrival& request, std::uint8_t mask,
                std::size_t slot);

  /// More waits at a port than a packet a cycle makes up for soon: nothing more is to come.
  [[nodiscard]] bool full() const noexcept { return traffic_.full(); }
  [[nodiscard]] MarkEngine& engine() noexcept { return engine_; }
  [[nodiscard]] bool idle() const noexcept {
    return traffic_.nothing_enters() && engine_.nothing_expected();
  }

 private:
  void leave(std::size_t port, const MarkTraffic::Departure& departure);

  const Chip& chip_;
  Mmu& mmu_;
  RtlMmu& rtl_;
  EcnMarker marker_;
  PlainMarkerOwner owner_{marker_};
  MarkEngine engine_;
  RandomStream random_;
  MarkTraffic traffic_;
};

}  // namespace weir
