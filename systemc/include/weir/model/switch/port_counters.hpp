// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Counters of a MAC, by priority where the frame has one. Host and switch ports have the same.
struct PortCounters {
  /// Aligned so that what each packet counts shares a cache line.
  struct alignas(32) ByPriority {
    std::uint64_t tx_packets{0}, rx_packets{0};
    Bytes tx_bytes, rx_bytes;
    std::uint64_t pauses_sent{0}, pauses_received{0};    ///< Class enabled with time > 0.
    std::uint64_t resumes_sent{0}, resumes_received{0};  ///< Class enabled with time 0.
    std::uint64_t mac_drops{0};      ///< Dropped before the MMU or by a NIC, for whatever reason.
    std::uint64_t stray_copies{0};   ///< Flooded copies dropped at the head of the egress queue.
    std::uint64_t ingress_drops{0};  ///< Came in here; the ingress side of the MMU refused it.
    std::uint64_t egress_drops{0};   ///< Was to leave here; its egress queue refused it.
    std::uint64_t queue_drops{0};    ///< Dropped after the MMU, in an egress queue, by a watchdog.
  };
  std::array<ByPriority, priorities> priority{};
  std::uint64_t pfc_frames_sent{0}, pfc_frames_received{0};
  std::uint64_t fcs_errors{0};      ///< Data frames with a wrong FCS, ignored.
  std::uint64_t pfc_fcs_errors{0};  ///< PFC frames with a wrong FCS, not obeyed.
  std::uint64_t oversize{0};        ///< Longer than the chip's MTU: dropped at the MAC.
  std::uint64_t no_route{0};        ///< No egress port: dropped before the MMU.
  std::uint64_t ttl_expired{0};     ///< TTL reached 0: dropped before the MMU.
  std::uint64_t watchdog_drops{0};  ///< By the port's PFC watchdog, at ingress or egress.
  std::uint64_t fifo_overrun{0};    ///< The port FIFO was full: dropped before the MMU.

  std::uint64_t incomplete_arp{0};  ///< Lossless, to a host without MAC entry: dropped.
  std::uint64_t no_neighbour{0};    ///< To a host that does not answer ARP requests: dropped.
  std::uint64_t cpu_queue{0};       ///< The processor's queue was full: dropped.
  std::uint64_t dead_host{0};       ///< A host's own: came in while it was dead.

  void count_fcs_error(bool pfc) noexcept { ++(pfc ? pfc_fcs_errors : fcs_errors); }
  void count_sent(const PfcFrame& frame) noexcept {
    ++pfc_frames_sent;
    for_each_class(frame,
                   [&](ByPriority& p, bool pause) { ++(pause ? p.pauses_sent : p.resumes_sent); });
  }
  void count_received(const PfcFrame& frame) noexcept {
    ++pfc_frames_received;
    for_each_class(frame, [&](ByPriority& p, bool pause) {
      ++(pause ? p.pauses_received : p.resumes_received);
    });
  }

 private:
  template <class F>
  void for_each_class(const PfcFrame& frame, F&& f) noexcept {
    for (std::size_t n = 0; n < priorities; ++n)
      if ((frame.class_enable >> n & 1U) != 0) f(priority[n], frame.time[n] != Quanta{0});
  }
};

}  // namespace weir
