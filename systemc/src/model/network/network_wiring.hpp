// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/model/host/nic.hpp"
#include "weir/model/network/link.hpp"
#include "weir/model/network/message_meter.hpp"
#include "weir/model/switch/switch.hpp"

namespace weir {

/// The modules of a network that are wired as `scenario` says.
struct NetworkModules {
  const Scenario& scenario;
  std::vector<std::unique_ptr<Switch>>& switches;
  std::vector<std::unique_ptr<Nic>>& hosts;
  std::vector<std::unique_ptr<Link>>& links;
};

/// Cables with their faults, bound at both ends.
void add_links(const NetworkModules& network);
/// Errors: ConfigError when there is no such hash.
void add_routes(const NetworkModules& network);
/// Switches with neighbour tables learn what is on their ports.
void introduce_neighbours(const NetworkModules& network);
/// The sources of all traffic entries. Returns the header of the first flow after them.
/// Messages are reported to `messages`, unless that is nullptr.
[[nodiscard]] FlowHeader add_sources(const NetworkModules& network, MessageLog* messages);

}  // namespace weir
