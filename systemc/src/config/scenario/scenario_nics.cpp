// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "chip/lossless_classes.hpp"
#include "scenario_sections.hpp"

namespace weir::scenario_sections {
namespace {

constexpr std::uint32_t max_entries = 1U << 24;
constexpr Bytes max_memory{1ULL << 50};

Bytes to_some_bytes(const Node& value) {
  const Bytes size = to_bytes(value);
  if (size == Bytes{} || max_memory < size) value.fail("must be from \"1 B\" to \"1024 TiB\"");
  return size;
}

BitRate to_pipeline_rate(const Node& value) {
  const BitRate rate = to_rate(value);
  constexpr BitRate most = max_port_rate * 10;
  if (rate < BitRate{1'000'000} || most < rate)
    value.fail("must be from \"1 Mbps\" to \"" + std::to_string(most.count() / 1'000'000'000'000) +
               " Tbps\"");
  return rate;
}

// The translation cache; without `memory` there is no translation.
void read_translation(TableReader& reader, NicSpec& nic) {
  std::vector<std::pair<std::string, MttReplacement>> replacements;
  replacements.reserve(std::size(mtt_replacements));
  for (const MttReplacementRow& row : mtt_replacements)
    replacements.emplace_back(row.name, row.replacement);
  nic.memory = reader.get_or("memory", to_some_bytes, nic.memory);
  for (const char* const key : {"mtt_entries", "page", "replacement", "miss_time"})
    if (const Node* const value = reader.find(key);
        value != nullptr && reader.find("memory") == nullptr)
      reader.attempt(
          [&] { value->fail("needs memory, the size of the memory that messages go to"); });
  nic.mtt_entries = static_cast<std::uint32_t>(
      reader.get_or("mtt_entries", integer_from(1, max_entries), std::int64_t{nic.mtt_entries}));
  nic.page = reader.get_or("page", to_some_bytes, nic.page);
  nic.replacement = reader.get_or(
      "replacement", [&](const Node& value) { return to_choice(value, replacements); },
      nic.replacement);
  nic.miss_time = reader.get_or("miss_time", to_short_time, nic.miss_time);
}

// Thresholds that are not written stay the same share of the buffer.
void read_buffer(TableReader& reader, Bytes mtu, NicSpec& nic) {
  nic.buffer = reader.get_or("buffer", to_some_bytes, nic.buffer);
  nic.xoff = reader.get_or("xoff", to_some_bytes, Bytes{nic.buffer.count() / 2});
  nic.xon = reader.get_or("xon", to_bytes, Bytes{nic.xoff.count() / 2});
  if (!reader.good()) return;
  reader.attempt([&] {
    if (nic.buffer < mtu)
      reader.find("buffer")->fail("must hold a frame of the mtu, " + std::to_string(mtu.count()) +
                                  " B");
    if (nic.buffer < nic.xoff) reader.find("xoff")->fail("must not be more than buffer");
    if (nic.xon < nic.xoff) return;
    const Node* const written = reader.find("xon");
    (written != nullptr ? *written : reader.node()).fail("xon must be less than xoff");
  });
}

NicSpec read_nic(TableReader& reader, Bytes mtu) {
  NicSpec nic;
  nic.pipeline = reader.get_or("pipeline", to_pipeline_rate, nic.pipeline);
  read_buffer(reader, mtu, nic);
  nic.quanta = reader.get_or("quanta", to_quanta, nic.quanta);
  read_translation(reader, nic);
  reader.set("watchdog", to_watchdog_time, nic.watchdog);
  return nic;
}

// [nic.NAME]
void read_nic(const TableReader& document, const Node& node, const HostIndex& index,
              Scenario& scenario) {
  TableReader reader = document.table(node);
  const Node* const hosts = reader.find("hosts");
  const std::vector<std::size_t> list = reader.get(
      "hosts", [&](const Node& value) { return index.hosts_in(value); },
      "the hosts that have it, such as \"h[0-15]\"");
  NicSpec nic = read_nic(reader, min_mtu(scenario));
  const Node* const classes = reader.find("priorities");
  const std::uint8_t written = reader.get_or("priorities", to_classes, std::uint8_t{0});
  reader.finish();
  if (!reader.good()) return;
  for (const std::size_t host : list) {
    if (scenario.hosts[host].nic)
      hosts->fail("host " + scenario.hosts[host].name + " has a NIC already");
    nic.classes = classes != nullptr ? written : lossless_classes_of_host(host, scenario);
    scenario.hosts[host].nic = nic;
  }
}

}  // namespace

std::uint8_t to_classes(const Node& value) {
  unsigned classes = 0;
  for (const std::uint32_t n : to_some_numbers(value, priorities)) classes |= 1U << n;
  return static_cast<std::uint8_t>(classes);
}

std::uint8_t lossless_classes_of_host(std::size_t host, const Scenario& scenario) {
  const LinkEnd& end = port_of_host(host, scenario);
  return lossless_classes(scenario.switches[end.node].chip, end.port);
}

void read_nics(TableReader& document, Scenario& scenario) {
  const HostIndex index{scenario};
  for (const Node& node : document.named_tables("nic"))
    document.attempt([&] { read_nic(document, node, index, scenario); });
}

}  // namespace weir::scenario_sections
