// SPDX-License-Identifier: Apache-2.0
#include "weir/config/silicon/silicon_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"

namespace weir {
namespace {

// Larger values are mistakes. Pools: enough for 2^24 cells in each of 256 domains.
constexpr std::int64_t max_bytes = 1LL << 40;
constexpr std::int64_t max_cells = 1LL << 32;
constexpr std::int64_t max_packets = 1LL << 40;
constexpr std::size_t max_list = 4096;

const Node* value_of(const Node& table, std::string_view key) {
  const Node* const value = table.find(key);
  const bool null = value != nullptr && value->kind == Node::Kind::other && value->text == "null";
  return null ? nullptr : value;
}

const Node& required(const Node& table, std::string_view key, const char* legal) {
  const Node* const value = value_of(table, key);
  if (value == nullptr) table.fail_missing(key, legal);
  return *value;
}

std::int64_t number(const Node& table, std::string_view key, std::int64_t low, std::int64_t high) {
  return to_integer(required(table, key, "a whole number"), low, high);
}

std::int64_t number_or(const Node& table, std::string_view key, std::int64_t low, std::int64_t high,
                       std::int64_t otherwise) {
  const Node* const value = value_of(table, key);
  return value == nullptr ? otherwise : to_integer(*value, low, high);
}

Bytes bytes(const Node& table, std::string_view key) {
  return Bytes{static_cast<std::uint64_t>(number(table, key, 0, max_bytes))};
}

Bytes bytes_or_none(const Node& table, std::string_view key) {
  return Bytes{static_cast<std::uint64_t>(number_or(table, key, 0, max_bytes, 0))};
}

const Node& list_in(const Node& node, const char* of_what) {
  if (!node.is_array()) node.fail(std::string{"must be a list of "} + of_what);
  return node;
}

const Node& table_in(const Node& node, const char* of_what) {
  if (!node.is_table()) node.fail(std::string{"must be "} + of_what);
  return node;
}

int dynamic_th(const Node& table) {
  return static_cast<int>(number(table, "dynamic_th", min_dynamic_th, max_dynamic_th));
}

std::vector<SiliconReservation> read_reservations(const Node& table) {
  std::vector<SiliconReservation> reserved;
  const Node* const list = value_of(table, "reserved");
  if (list == nullptr) return reserved;
  for (const Node& node : list_in(*list, "reservations { count, cells_each }").children) {
    table_in(node, "a reservation { count, cells_each }");
    reserved.push_back({static_cast<std::uint64_t>(number(node, "count", 0, 1LL << 20)),
                        static_cast<std::uint64_t>(number(node, "cells_each", 0, 1LL << 24))});
  }
  return reserved;
}

std::optional<SiliconEgressQueue> read_egress_queue(const Node& table) {
  const Node* const node = value_of(table, "egress_lossy");
  if (node == nullptr) return std::nullopt;
  table_in(*node, "an object with the lossy egress queue, or null");
  const Node* const pool = value_of(*node, "pool");
  const bool has_size = value_of(*node, "pool_bytes") != nullptr;
  // An object with neither a size nor a threshold describes no limit.
  if (!has_size && value_of(*node, "dynamic_th") == nullptr) return std::nullopt;
  SiliconEgressQueue queue;
  queue.same_as_ingress = !has_size && pool != nullptr && to_text(*pool) == "same B as ingress";
  if (!queue.same_as_ingress) queue.pool = bytes(*node, "pool_bytes");
  queue.reserved_cells =
      static_cast<std::uint64_t>(number_or(*node, "pool_cells_reserved", 0, max_cells, 0));
  queue.dynamic_th = dynamic_th(*node);
  queue.minimum = bytes_or_none(*node, "queue_min_bytes");
  return queue;
}

std::vector<std::uint32_t> read_domain_of_port(const Node& table, std::uint32_t domains) {
  std::vector<std::uint32_t> domain_of_port;
  const Node* const list = value_of(table, "domain_of_port");
  if (list == nullptr) return domain_of_port;
  for (const Node& node : list_in(*list, "one domain a port").children)
    domain_of_port.push_back(static_cast<std::uint32_t>(to_integer(node, 0, domains - 1)));
  if (domain_of_port.empty() || domain_of_port.size() > ArrivalArbiter::max_ports)
    list->fail("must have from 1 to " + std::to_string(ArrivalArbiter::max_ports) + " entries");
  return domain_of_port;
}

BitRate read_speed(const Node& table) {
  const Node& speed = required(table, "speed_mbps", "a whole number");
  const std::int64_t mbps = to_integer(speed, min_port_mbps, max_port_mbps);
  const BitRate rate{static_cast<std::uint64_t>(mbps) * bps_per_mbps};
  if (!is_port_rate(rate)) speed.fail(legal_port_rates() + "; it is written in Mb/s");
  return rate;
}

// The chip that is built of a case has the default MTU.
Bytes read_packet(const Node& table) {
  constexpr auto shortest = static_cast<std::int64_t>(min_frame_bytes.count());
  const auto longest = static_cast<std::int64_t>(Chip{}.mtu.count());
  return Bytes{
      static_cast<std::uint64_t>(number_or(table, "packet_bytes", shortest, longest, shortest))};
}

SiliconConfig read_config(const Node& table) {
  SiliconConfig config;
  config.rate = read_speed(table);
  config.cell = Bytes{static_cast<std::uint64_t>(number(table, "cell_bytes", 1, max_cell.count()))};
  config.domains = static_cast<std::uint32_t>(number(table, "domains", 1, max_domains));
  config.domain_of_port = read_domain_of_port(table, config.domains);
  config.pool = bytes(table, "pool_bytes");
  config.pool_is_net = to_boolean(required(table, "pool_is_net", "true or false"));
  config.shared_headroom_pool = bytes_or_none(table, "shared_headroom_pool_bytes");
  config.reserved = read_reservations(table);
  config.pg_minimum = bytes_or_none(table, "pg_min_bytes");
  config.headroom = bytes(table, "xoff_headroom_bytes");
  config.xon = bytes_or_none(table, "xon_bytes");
  config.xon_offset = bytes_or_none(table, "xon_offset_bytes");
  config.dynamic_th = dynamic_th(table);
  config.packet = read_packet(table);
  config.egress_lossy = read_egress_queue(table);
  return config;
}

std::vector<PublishedCount> read_expected(const Node& table) {
  std::vector<PublishedCount> expected;
  const Node& list = required(table, "expected", "a list of published counts");
  for (const Node& node : list_in(list, "objects { quantity, measured }").children) {
    table_in(node, "an object { quantity, measured }");
    PublishedCount count;
    count.quantity = to_text(required(node, "quantity", "the name of what was counted"));
    const Node& measured = required(node, "measured", "a count, or a list of counts");
    count.is_list = measured.is_array();
    if (!count.is_list) count.measured.push_back(to_integer(measured, 0, max_packets));
    for (const Node& entry : measured.children)
      count.measured.push_back(to_integer(entry, 0, max_packets));
    if (count.measured.empty() || count.measured.size() > max_list)
      measured.fail("must have from 1 to " + std::to_string(max_list) + " counts");
    expected.push_back(std::move(count));
  }
  return expected;
}

SiliconCase read_case(const Node& node) {
  table_in(node, "an object that describes a switch");
  SiliconCase silicon;
  silicon.origin = node.origin;
  silicon.path = node.path;
  silicon.id = to_text(required(node, "id", "the name of the case"));
  try {
    const Node* const asic = value_of(node, "asic");
    if (asic != nullptr) silicon.asic = to_text(*asic);
    silicon.config = read_config(node);
    silicon.expected = read_expected(node);
  } catch (const FileError& error) {
    throw FileError{error.origin(), error.key(), error.value(),
                    error.legal() + " (case " + silicon.id + ")"};
  }
  return silicon;
}

std::vector<SiliconCase> read_document_cases(const Node& document) {
  std::vector<SiliconCase> cases;
  const Node& list = required(document, "cases", "a list of cases");
  for (const Node& node : list_in(list, "cases").children) {
    SiliconCase silicon = read_case(node);
    const auto same = [&](const SiliconCase& other) { return other.id == silicon.id; };
    if (std::any_of(cases.begin(), cases.end(), same)) node.find("id")->fail("names two cases");
    cases.push_back(std::move(silicon));
  }
  return cases;
}

std::uint64_t reserved_cells(const SiliconConfig& config) {
  std::uint64_t sum = 0;
  for (const SiliconReservation& each : config.reserved) sum += each.count * each.cells_each;
  return sum;
}

// [chip]: the bench has the ports that the test needs.
std::string chip_table(const SiliconConfig& config, std::size_t lossless_pgs) {
  const std::size_t a_port = std::size(silicon_lossless_priorities);
  const std::size_t in_a_domain = std::max<std::size_t>(1, (lossless_pgs + a_port - 1) / a_port);
  std::vector<std::uint32_t> domains = config.domain_of_port;
  if (domains.empty()) {
    for (std::uint32_t d = 0; d < config.domains; ++d)
      domains.insert(domains.end(), in_a_domain, d);
    domains.push_back(config.domains - 1);
  }
  return fmt::format(
      "[chip]\nname = \"silicon case\"\nports = {}\nrate = \"{} bps\"\ncell = \"{} B\"\n"
      "domains = {}\ndomain_of_port = [{}]\n",
      domains.size(), config.rate.count(), config.cell.count(), config.domains,
      fmt::join(domains, ", "));
}

// [pool.lossless]: sizes as published, and the reservations to be subtracted.
std::string pool_table(const SiliconConfig& config) {
  std::string text = fmt::format("[pool.lossless]\nheadroom_pool = \"{} B\"\n",
                                 config.shared_headroom_pool.count());
  const std::uint64_t reserved = reserved_cells(config);
  if (config.pool_is_net) {
    // The headroom pool is already subtracted, so reservations that are still listed are subtracted
    // here.
    const std::uint64_t cells = config.pool.count() / config.cell.count();
    return text + fmt::format("size = \"{} cells\"\nnet = true\n",
                              cells < reserved ? 0 : cells - reserved);
  }
  text += fmt::format("size = \"{} B\"\nreserved = [", config.pool.count());
  for (const SiliconReservation& each : config.reserved)
    text += fmt::format("{{ count = {}, size = \"{} cells\", what = \"as published\" }}, ",
                        each.count, each.cells_each);
  return text + "]\n";
}

// [profile.*]: lossy PGs are limited only by the pool, so that the egress queue decides.
std::string profile_tables(const SiliconConfig& config) {
  return fmt::format(
      "[profile.lossless]\npool = \"lossless\"\npriorities = [3, 4]\nlossless = true\n"
      "private = \"{} B\"\nheadroom = \"{} B\"\nxon = \"{} B\"\nxon_offset = \"{} B\"\n"
      "dynamic_th = {}\n"
      "[profile.lossy]\npool = \"lossless\"\npriorities = [0, 1, 2, 5, 6, 7]\nlossless = false\n"
      "policy = \"static\"\nlimit = \"{} B\"\n",
      config.pg_minimum.count(), config.headroom.count(), config.xon.count(),
      config.xon_offset.count(), config.dynamic_th, config.pool.count());
}

std::string egress_tables(const SiliconEgressQueue& queue) {
  const std::string pool =
      queue.same_as_ingress
          ? std::string{"same_as = \"lossless\"\n"}
          : fmt::format(
                "size = \"{} B\"\n"
                "reserved = [{{ count = 1, size = \"{} cells\", what = \"as published\" }}]\n",
                queue.pool.count(), queue.reserved_cells);
  return "[egress_pool.lossy]\n" + pool +
         fmt::format(
             "[queue.lossy]\npool = \"lossy\"\npriorities = [0, 1, 2, 5, 6, 7]\n"
             "minimum = \"{} B\"\ndynamic_th = {}\n",
             queue.minimum.count(), queue.dynamic_th);
}

}  // namespace

std::vector<SiliconCase> read_silicon_cases(const std::filesystem::path& file) {
  return parse_silicon_cases(read_text(file, {}, "--cases"), file.string());
}

std::vector<SiliconCase> parse_silicon_cases(std::string_view json, const std::string& name) {
  return read_document_cases(parse_json(json, name));
}

std::string silicon_chip_file(const SiliconConfig& config, std::size_t lossless_pgs) {
  std::string text = chip_table(config, lossless_pgs) + pool_table(config) + profile_tables(config);
  if (config.egress_lossy) text += egress_tables(*config.egress_lossy);
  return text;
}

Chip silicon_chip(const SiliconCase& silicon, std::size_t lossless_pgs) {
  try {
    return parse_chip(silicon_chip_file(silicon.config, lossless_pgs), "chip of the case");
  } catch (const ConfigError& error) {
    throw FileError{silicon.origin, silicon.path, "",
                    "is not a possible chip (case " + silicon.id + "): " + error.what()};
  }
}

}  // namespace weir
