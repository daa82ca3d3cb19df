// SPDX-License-Identifier: Apache-2.0
#include "weir/config/scenario/host_dscp.hpp"

#include <algorithm>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t dscps_of_a_class = 8;

}  // namespace

HostDscp::HostDscp(const Scenario& scenario) : tables_(scenario.hosts.size(), nullptr) {
  for (const LinkSpec& link : scenario.links)
    for (const auto& [end, peer] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
      if (!end.is_host || peer.is_host) continue;
      const Chip& chip = scenario.switches[peer.node].chip;
      if (chip.classifier.trust == ClassTrust::dscp)
        tables_[end.node] = &chip.dscp_table(peer.port);
    }
}

bool HostDscp::can_mean(std::size_t host, Priority priority) const {
  if (tables_[host] == nullptr) return true;
  const DscpTable& map = *tables_[host];
  return std::find(map.begin(), map.end(), priority) != map.end();
}

std::optional<std::uint8_t> HostDscp::instead(std::size_t host, Priority priority) const {
  if (tables_[host] == nullptr) return {};
  const DscpTable& map = *tables_[host];
  if (map[priority.count() * dscps_of_a_class] == priority) return {};
  const auto* const found = std::find(map.begin(), map.end(), priority);
  if (found == map.end()) return {};
  return static_cast<std::uint8_t>(found - map.begin());
}

std::uint8_t HostDscp::of(std::size_t host, Priority priority) const {
  return instead(host, priority)
      .value_or(static_cast<std::uint8_t>(priority.count() * dscps_of_a_class));
}

}  // namespace weir
