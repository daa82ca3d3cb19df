// SPDX-License-Identifier: Apache-2.0
#include "scenario_sections.hpp"
#include "weir/config/scenario/fault_names.hpp"

namespace weir::scenario_sections {
namespace {

Picoseconds read_interval(TableReader& reader, HostFaultKind kind) {
  const Node* const interval = reader.find("interval");
  if (interval == nullptr) return Picoseconds{};
  if (kind != HostFaultKind::storm) interval->fail("needs kind = \"storm\"");
  return to_short_time(*interval);
}

// A host whose receive pipeline can break gets one.
void give_receiver(const Node& place, std::size_t host, Scenario& scenario) {
  HostSpec& spec = scenario.hosts[host];
  if (spec.nic) return;
  spec.nic.emplace();
  spec.nic->classes = lossless_classes_of_host(host, scenario);
  if (spec.nic->classes == 0)
    place.fail("host " + spec.name + " has no lossless class to pause; give it a [nic.NAME]");
}

}  // namespace

void read_host_fault(const TableReader& document, const Node& node, const HostIndex& index,
                     Scenario& scenario) {
  TableReader reader = document.table(node);
  HostFaultSpec fault;
  fault.kind = reader.get(
      "kind", [&](const Node& v) { return to_choice(v, host_fault_kinds); },
      one_of(host_fault_kinds));
  const std::vector<std::size_t> hosts = reader.get(
      "host", [&](const Node& v) { return index.hosts_in(v); }, "the host that has the fault");
  fault.at = reader.get("at", to_time, "when, such as \"1 ms\"");
  reader.attempt([&] { fault.interval = read_interval(reader, fault.kind); });
  reader.finish();
  if (!reader.good()) return;
  for (const std::size_t host : hosts) {
    fault.host = host;
    if (fault.kind != HostFaultKind::reboot) give_receiver(node, host, scenario);
    scenario.host_faults.push_back(fault);
  }
}

}  // namespace weir::scenario_sections
