// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "chip/lossless_classes.hpp"
#include "scenario_sections.hpp"
#include "weir/config/scenario/fault_names.hpp"

namespace weir::scenario_sections {
namespace {

// Ports with a host.
std::vector<PortId> server_ports(std::size_t node, const Scenario& scenario) {
  std::vector<PortId> ports;
  for (const LinkSpec& link : scenario.links)
    for (const auto& [end, peer] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}})
      if (!end.is_host && end.node == node && peer.is_host) ports.push_back(end.port);
  std::sort(ports.begin(), ports.end());
  return ports;
}

void check_once(const Node& node, const PfcWatchdogSpec& added, const Scenario& scenario) {
  for (const PfcWatchdogSpec& known : scenario.watchdogs) {
    if (known.node != added.node || (known.classes & added.classes) == 0) continue;
    for (const PortId port : added.ports)
      if (std::find(known.ports.begin(), known.ports.end(), port) != known.ports.end())
        node.fail("port " + std::to_string(port.count()) + " of switch " +
                  scenario.switches[added.node].name + " has a watchdog of such a class already");
  }
}

// The watched classes of a switch; by default the lossless ones of each port.
void add(const Node& node, std::optional<std::uint8_t> classes, PfcWatchdogSpec watchdog,
         Scenario& scenario) {
  const std::vector<PortId> ports = watchdog.ports;
  for (const PortId port : ports) {
    watchdog.ports = {port};
    watchdog.classes =
        classes.value_or(lossless_classes(scenario.switches[watchdog.node].chip, port));
    if (watchdog.classes == 0) continue;
    check_once(node, watchdog, scenario);
    scenario.watchdogs.push_back(watchdog);
  }
}

// [watchdog.NAME]
void read_watchdog(const TableReader& document, const Node& node, Scenario& scenario) {
  TableReader reader = document.table(node);
  std::vector<std::size_t> nodes;
  reader.attempt([&] { nodes = switches_in(reader.find("switches"), scenario); });
  const Node* const ports = reader.find("ports");
  PfcWatchdogSpec watchdog;
  reader.set("detect", to_watchdog_time, watchdog.setting.detect);
  reader.set("restore", to_watchdog_time, watchdog.setting.restore);
  watchdog.action = reader.get_or(
      "action", [&](const Node& value) { return to_choice(value, watchdog_actions); },
      watchdog.action);
  std::optional<std::uint8_t> classes;
  reader.set("priorities", to_classes, classes);
  reader.finish();
  if (!reader.good()) return;
  const std::size_t before = scenario.watchdogs.size();
  for (const std::size_t index : nodes) {
    watchdog.node = index;
    watchdog.ports =
        ports == nullptr ? server_ports(index, scenario) : to_ports(*ports, index, scenario);
    add(node, classes, watchdog, scenario);
  }
  if (scenario.watchdogs.size() == before)
    node.fail("watches nothing: no port with a host and a lossless class");
}

}  // namespace

void read_watchdogs(TableReader& document, Scenario& scenario) {
  for (const Node& node : document.named_tables("watchdog"))
    document.attempt([&] { read_watchdog(document, node, scenario); });
}

}  // namespace weir::scenario_sections
