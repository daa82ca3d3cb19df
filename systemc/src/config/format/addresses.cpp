// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/addresses.hpp"

#include <algorithm>
#include <string>

#include "weir/config/format/names.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr std::uint32_t ten = 10U << 24;
constexpr unsigned host_and_subnet_bits = 24;

struct Place {
  std::size_t host, node;
  PortId port;
};

std::vector<Place> places_of(const Scenario& scenario) {
  std::vector<Place> places;
  for (const LinkSpec& link : scenario.links) {
    if (link.a.is_host && !link.b.is_host)
      places.push_back({link.a.node, link.b.node, link.b.port});
    else if (link.b.is_host && !link.a.is_host)
      places.push_back({link.b.node, link.a.node, link.a.port});
  }
  return places;
}

// Bits that number the hosts of a subnet: 8, or as many as the largest switch needs.
unsigned host_bits(const Scenario& scenario, const std::vector<std::size_t>& nodes) {
  unsigned bits = 8;
  for (const std::size_t node : nodes)
    while ((1U << bits) - 2 < scenario.switches[node].chip.ports.size()) ++bits;
  return bits;
}

}  // namespace

AddressPlan plan_addresses(const Scenario& scenario) {
  AddressPlan plan;
  plan.subnets.resize(scenario.switches.size());
  for (const HostSpec& host : scenario.hosts) plan.hosts.push_back(host.address);
  const std::vector<Place> places = places_of(scenario);
  std::vector<std::size_t> nodes;
  nodes.reserve(places.size());
  for (const Place& place : places) nodes.push_back(place.node);
  std::sort(nodes.begin(), nodes.end(), [&](std::size_t a, std::size_t b) {
    return a != b && natural_less(scenario.switches[a].name, scenario.switches[b].name);
  });
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  const unsigned bits = host_bits(scenario, nodes);
  if (nodes.size() > std::size_t{1} << (host_and_subnet_bits - bits))
    throw ConfigError{
        "switch", std::to_string(nodes.size()) + " with hosts",
        "their subnets of " + std::to_string(1U << bits) + " addresses do not fit into 10.0.0.0/8"};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    plan.subnets[nodes[i]] = Ipv4Prefix{Ipv4{ten | static_cast<std::uint32_t>(i) << bits},
                                        static_cast<std::uint8_t>(32 - bits)};
  for (const Place& place : places)
    if (plan.hosts[place.host] == Ipv4{})
      plan.hosts[place.host] =
          Ipv4{plan.subnets[place.node]->address.count() + place.port.count() + 1U};
  return plan;
}

std::optional<Ipv4> parse_ipv4(std::string_view text) {
  std::uint32_t address = 0;
  for (int octet = 0; octet < 4; ++octet) {
    const std::size_t end = octet == 3 ? text.size() : text.find('.');
    if (end == std::string_view::npos || end == 0 || end > 3) return std::nullopt;
    const auto number = parse_count(text.substr(0, end));
    if (!number || *number > 255) return std::nullopt;
    address = address << 8 | static_cast<std::uint32_t>(*number);
    text.remove_prefix(octet == 3 ? end : end + 1);
  }
  return Ipv4{address};
}

std::optional<Ipv4Prefix> parse_ipv4_prefix(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = parse_ipv4(text.substr(0, slash));
  const auto length = parse_count(text.substr(slash + 1));
  if (!address || !length || *length > 32) return std::nullopt;
  const Ipv4Prefix prefix{*address, static_cast<std::uint8_t>(*length)};
  if ((address->count() & ~prefix.mask()) != 0) return std::nullopt;
  return prefix;
}

}  // namespace weir
