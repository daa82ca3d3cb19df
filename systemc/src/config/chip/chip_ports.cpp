// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "chip_keys.hpp"
#include "chip_sections.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir::chip_sections {
namespace {

// What a port says for itself; the default is the chip's.
struct PortWishes {
  const Node* rate_node{nullptr};
  BitRate rate;
  std::optional<ResponseTime> response;
  std::optional<DomainId> domain;
};

// Without one, the limit of the port's speed, where there is one.
Picoseconds response_of(const PortWishes& wish) {
  if (wish.response) return response_at(*wish.response, wish.rate);
  const PortSpeed* const speed = find_port_speed(wish.rate);
  if (speed == nullptr)
    wish.rate_node->fail("needs the key response with it, which " + unknown_response(wish.rate));
  return quanta_time(speed->response, wish.rate);
}

void read_port_block(TableReader reader, std::uint32_t domains, std::vector<PortWishes>& wishes) {
  const auto ports = reader.get("ports", numbers_below(static_cast<std::uint32_t>(wishes.size())),
                                "the ports, such as \"0-3\"");
  const Node* const rate = reader.find("rate");
  std::optional<ResponseTime> response;
  reader.set("response", to_response, response);
  const Node* const domain = reader.find("domain");
  reader.finish();
  for (const std::uint32_t port : ports) {
    if (rate != nullptr) {
      wishes[port].rate = to_port_rate(*rate);
      wishes[port].rate_node = rate;
    }
    if (response) wishes[port].response = response;
    if (domain != nullptr) {
      wishes[port].domain =
          DomainId{static_cast<std::uint8_t>(to_integer(*domain, 0, domains - 1))};
    }
  }
}

void read_domains(const Node& list, std::uint32_t domains, std::vector<PortWishes>& wishes) {
  if (!list.is_array() || list.children.size() != wishes.size()) {
    list.fail("must be a list of one domain for each of the " + std::to_string(wishes.size()) +
              " ports");
  }
  for (std::size_t p = 0; p < wishes.size(); ++p) {
    wishes[p].domain =
        DomainId{static_cast<std::uint8_t>(to_integer(list.children[p], 0, domains - 1))};
  }
}

// All ports or none: who connects hosts and links to ports relies on their number.
void make_ports(const std::vector<PortWishes>& wishes, Chip& chip) {
  std::vector<PortSetting> ports;
  for (std::size_t p = 0; p < wishes.size(); ++p) {
    const PortWishes& wish = wishes[p];
    PortSetting port;
    port.rate = wish.rate;
    const std::size_t equal_split = p * chip.domains / wishes.size();
    port.domain = wish.domain.value_or(DomainId{static_cast<std::uint8_t>(equal_split)});
    port.response = response_of(wish);
    ports.push_back(port);
  }
  chip.ports = std::move(ports);
}

void read_ports(TableReader& document, TableReader& table, Chip& chip) {
  const auto count =
      table.get("ports", integer_from(1, ArrivalArbiter::max_ports), "the number of ports");
  PortWishes common;
  common.rate = table.get("rate", to_port_rate, "the rate of a port, such as \"40 Gbps\"");
  common.rate_node = table.find("rate");
  table.set("response", to_response, common.response);
  const std::int64_t domains_end =
      count == 0 ? std::int64_t{max_domains} : std::min(count, std::int64_t{max_domains});
  chip.domains = table.get_or("domains", integer_from(1, domains_end), std::uint32_t{1});
  const Node* const list = table.find("domain_of_port");
  const bool has_blocks = document.find("port") != nullptr;
  if (count == 0) return;  // and was refused: which ports there are is not known
  std::vector<PortWishes> wishes(static_cast<std::size_t>(count), common);
  if (list != nullptr) table.attempt([&] { read_domains(*list, chip.domains, wishes); });
  if (has_blocks)
    for (const Node& block : document.tables("port"))
      table.attempt([&] { read_port_block(table.table(block), chip.domains, wishes); });
  if (table.good()) make_ports(wishes, chip);
}

void read_constants(TableReader& table, Chip& chip) {
  for_each_chip_key(reads_into(chip, table));
  const auto memory = [&](const Node& value) {
    const Cells cells{to_cells_down(value, chip.cell).count() / chip.domains};
    if (cells == Cells{}) value.fail("must hold at least one cell in each domain");
    return cells;
  };
  chip.memory = table.get_or("memory", memory, chip.memory);
}

}  // namespace

Bytes to_cell(const Node& value) {
  const Bytes cell = to_bytes(value);
  if (cell == Bytes{}) value.fail("must be at least \"1 B\"");
  return cell;
}

std::array<std::uint8_t, priorities> to_map(const Node& value) {
  std::array<std::uint8_t, priorities> map{};
  if (!value.is_array() || value.children.size() != priorities) {
    value.fail("must be a list of 8 numbers, one for each priority");
  }
  for (std::size_t n = 0; n < priorities; ++n) {
    map[n] = static_cast<std::uint8_t>(to_integer(value.children[n], 0, priorities - 1));
  }
  return map;
}

std::array<std::uint32_t, priorities> to_weights(const Node& weights) {
  std::array<std::uint32_t, priorities> list{};
  if (!weights.is_array() || weights.children.size() != priorities) {
    weights.fail("must be a list of 8 weights, one for each queue");
  }
  for (std::size_t q = 0; q < priorities; ++q) {
    list[q] = static_cast<std::uint32_t>(to_integer(weights.children[q], 1, max_dwrr_weight));
  }
  return list;
}

std::uint8_t to_queues(const Node& value) {
  unsigned queues = 0;
  for (const std::uint32_t queue : to_numbers(value, priorities)) queues |= 1U << queue;
  return static_cast<std::uint8_t>(queues);
}

void read_chip(TableReader& document, Chip& chip) {
  const Node* const node = document.find("chip");
  if (node == nullptr) document.node().fail_missing("chip", "the table [chip]");
  TableReader table = document.table(*node);
  table.attempt([&] { read_ports(document, table, chip); });
  read_constants(table, chip);
  const std::uint32_t lanes = table.good() ? default_lanes(chip) : chip.lanes;
  chip.lanes = table.get_or("lanes", integer_from(1, max_lanes), lanes);
  table.finish();
}

void read_maps(TableReader& document, Chip& chip) {
  if (const Node* const map = document.find("map")) {
    TableReader reader = document.table(*map);
    for_each_map_key(reads_into(chip, reader));
    reader.finish();
  }
  if (const Node* const scheduler = document.find("scheduler")) {
    TableReader reader = document.table(*scheduler);
    for_each_scheduler_key(reads_into(chip, reader));
    reader.finish();
  }
}

}  // namespace weir::chip_sections
