// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>
#include <utility>

#include "weir/config/scenario/nic_spec.hpp"
#include "weir/core/pfc/pfc_watchdog.hpp"

// The words of files and results for what goes wrong with hosts, and what watchdogs do about it.
namespace weir {

inline constexpr std::array<std::pair<std::string_view, HostFaultKind>, 3> host_fault_kinds{
    {{"storm", HostFaultKind::storm},
     {"stuck", HostFaultKind::stuck},
     {"reboot", HostFaultKind::reboot}}};

inline constexpr std::array<std::pair<std::string_view, WatchdogAction>, 3> watchdog_actions{
    {{"drop", WatchdogAction::drop},
     {"forward", WatchdogAction::forward},
     {"alert", WatchdogAction::alert}}};

[[nodiscard]] constexpr std::string_view to_string(HostFaultKind kind) noexcept {
  for (const auto& [name, named] : host_fault_kinds)
    if (named == kind) return name;
  return {};
}

}  // namespace weir
