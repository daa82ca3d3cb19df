// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "scenario_sections.hpp"
#include "weir/config/format/names.hpp"

namespace weir::scenario_sections {
namespace {

std::string host_names(const std::vector<HostSpec>& hosts) {
  return hosts.size() == 1 ? hosts.front().name
                           : hosts.front().name + " ... " + hosts.back().name + " (" +
                                 std::to_string(hosts.size()) + " hosts)";
}

}  // namespace

HostIndex::HostIndex(const Scenario& scenario) : hosts_{scenario.hosts} {
  for (std::size_t i = 0; i < hosts_.size(); ++i) index_.emplace(hosts_[i].name, i);
}

std::size_t HostIndex::at(const Node& value, const std::string& name) const {
  const auto host = index_.find(name);
  if (host == index_.end())
    value.fail("there is no host " + name + "; there are: " + host_names(hosts_));
  return host->second;
}

// Element by element, so that a message points to the wrong one.
void HostIndex::add(const Node& value, std::vector<std::size_t>& list) const {
  if (value.is_array()) {
    for (const Node& element : value.children) add(element, list);
    if (value.children.empty()) value.fail("must name at least one host");
    return;
  }
  for (const std::string& name : to_names(value)) {
    if (list.size() == max_names)
      value.fail("makes too many names: at most " + std::to_string(max_names));
    list.push_back(at(value, name));
  }
}

std::vector<std::size_t> HostIndex::hosts_in(const Node& value) const {
  std::vector<std::size_t> list;
  add(value, list);
  return list;
}

}  // namespace weir::scenario_sections
