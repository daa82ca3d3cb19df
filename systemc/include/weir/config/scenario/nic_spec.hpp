// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/chip_limits.hpp"
#include "weir/core/host/mtt_cache.hpp"
#include "weir/core/pfc/pfc_watchdog.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The receiving half of a NIC: buffer, pipeline, translation cache, and the pauses it sends.
struct NicSpec {
  BitRate pipeline{64'000'000'000};  ///< Rate of the pipeline to memory; PCIe Gen3 x8.
  Bytes buffer{512'000};             ///< Receive buffer; packets that do not fit are dropped.
  Bytes xoff{256'000};               ///< Pauses when it holds at least this ...
  Bytes xon{128'000};                ///< ... until it holds at most this.
  std::uint8_t classes{0};           ///< Bit n: class n is paused.
  Quanta quanta{max_quanta};         ///< Value of the PAUSE frames.
  std::uint32_t mtt_entries{2048};
  Bytes page{4096};
  MttReplacement replacement{MttReplacement::lru};
  Picoseconds miss_time{1'000'000};  ///< Time that the pipeline waits for a missing entry.
  Bytes memory;  ///< Size of what messages write to, at random; 0: no translation.
  std::optional<Picoseconds> watchdog;  ///< Limit of NicWatchdog; none: no watchdog.
};

enum class HostFaultKind : std::uint8_t {
  stuck,   ///< The receive pipeline stops for good.
  storm,   ///< Like stuck, and the NIC sends PAUSE frames without end.
  reboot,  ///< The server restarts, which clears faults of its NIC.
};

/// A fault of a host at a given time.
struct HostFaultSpec {
  std::size_t host{0};
  HostFaultKind kind{HostFaultKind::storm};
  Picoseconds at;
  Picoseconds interval;  ///< storm: from PAUSE to PAUSE; 0: half of their quanta.
};

/// Default of `detect` and of `restore`.
inline constexpr Picoseconds usual_switch_watchdog_time{200'000'000'000};

/// A watchdog at some ports of a switch, one for each class.
struct PfcWatchdogSpec {
  std::size_t node{0};        ///< Index into Scenario::switches.
  std::vector<PortId> ports;  ///< Ascending.
  std::uint8_t classes{0};    ///< Bit n: class n is watched.
  PfcWatchdog::Setting setting{usual_switch_watchdog_time, usual_switch_watchdog_time};
  WatchdogAction action{WatchdogAction::drop};
};

}  // namespace weir
