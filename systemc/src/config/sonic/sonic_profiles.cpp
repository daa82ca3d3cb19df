// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "sonic_sections.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::sonic_sections {
namespace {

// XON threshold in SONiC's formula: the pipeline latency of Spectrum, 18 KiB [SONIC-SWSS].
constexpr std::int64_t made_xon = 18 * std::int64_t{1024};

Node number_node(const Node& value, std::int64_t low, std::int64_t high) {
  return integer_node(sonic_number(value, low, high), value);
}

std::optional<Node> take_number(Draft& draft, const Node& row, const char* name,
                                std::int64_t low = 0, std::int64_t high = max_bytes) {
  const Node* const value = draft.take(row, name);
  if (value == nullptr) return std::nullopt;
  return number_node(*value, low, high);
}

bool is_made_by_switch(Draft& draft, const Node& profile) {
  const Node* const type = draft.take(profile, "headroom_type");
  return type != nullptr && type->text == "dynamic";
}

BufferProfile read_profile(Draft& draft, const Node& row) {
  BufferProfile profile;
  profile.name = row.name;
  profile.place = text_node("", row);
  const Node* const pool = draft.take(row, "pool");
  if (pool == nullptr) row.fail_missing("pool", "a row of BUFFER_POOL");
  profile.pool = sonic_reference(*pool, "BUFFER_POOL");
  if (draft.tables.row("BUFFER_POOL", profile.pool) == nullptr)
    pool->fail("is not a row of BUFFER_POOL: there is no such pool");
  profile.size = take_number(draft, row, "size").value_or(integer_node(0, Node{}));
  profile.xon = take_number(draft, row, "xon");
  profile.xoff = take_number(draft, row, "xoff");
  profile.xon_offset = take_number(draft, row, "xon_offset");
  profile.dynamic_th = take_number(draft, row, "dynamic_th", min_dynamic_th, max_dynamic_th);
  profile.static_th = take_number(draft, row, "static_th");
  if (profile.dynamic_th && profile.static_th)
    row.find("static_th")->fail("must not be given with dynamic_th: a profile has one threshold");
  if (!profile.dynamic_th && !profile.static_th)
    row.fail_missing("dynamic_th", fmt::format("from \"{}\" to \"{}\", or static_th in bytes",
                                               min_dynamic_th, max_dynamic_th));
  profile.lossless = profile.xoff.has_value();
  return profile;
}

// Index of the profile that `reference` names, read once.
std::size_t named_profile(Draft& draft, const Node& reference) {
  const std::string name = sonic_reference(reference, "BUFFER_PROFILE");
  for (std::size_t i = 0; i < draft.profiles.size(); ++i) {
    if (draft.profiles[i].name == name) return i;
  }
  const Node* const row = draft.tables.row("BUFFER_PROFILE", name);
  if (row == nullptr) reference.fail("is not a row of BUFFER_PROFILE: there is no such profile");
  draft.profiles.push_back(read_profile(draft, *row));
  return draft.profiles.size() - 1;
}

const SonicLookupRow& lookup(const Draft& draft, const SonicPort& port, const Node& asking) {
  const std::string speed = speed_text(port);
  std::string rows;
  for (const SonicLookupRow& row : draft.tables.lookup) {
    if (row.speed == speed && row.cable == port.cable_text) return row;
    if (row.speed == speed) rows += (rows.empty() ? "" : ", ") + row.cable;
  }
  if (draft.tables.lookup_file.empty())
    asking.fail("needs a profile of its speed and cable, and there is no pg_profile_lookup.ini");
  throw FileError{
      Origin{draft.tables.lookup_file, 0}, "row",
      speed + " " + (port.cable_text.empty() ? "(no cable)" : port.cable_text),
      "is missing, and " + port.name + " needs it; " +
          (rows.empty() ? "there is no row of this speed" : "cables of this speed are " + rows)};
}

void set_from_row(Draft& draft, const SonicLookupRow& row, BufferProfile& profile) {
  profile.place = text_node("", row.size);
  profile.size = row.size;
  profile.xon = row.xon;
  profile.xoff = row.xoff;
  if (row.xon_offset.kind == Node::Kind::integer) profile.xon_offset = row.xon_offset;
  const Node* const mode = draft.take("BUFFER_POOL", lossless_pool, "mode");
  const bool is_static = mode != nullptr && mode->text == "static";
  const std::int64_t low = is_static ? 0 : min_dynamic_th;
  const std::int64_t high = is_static ? max_bytes : max_dynamic_th;
  if (row.threshold.integer < low || high < row.threshold.integer)
    row.threshold.fail(fmt::format("must be from {} to {} where the pool has mode {}", low, high,
                                   is_static ? "static, in bytes" : "dynamic"));
  (is_static ? profile.static_th : profile.dynamic_th) = row.threshold;
}

// The dynamic buffer model: SONiC's own formula from speed, cable and mtu.
void set_by_formula(Draft& draft, const SonicPort& port, const Node& asking,
                    BufferProfile& profile) {
  if (!port.cable)
    asking.fail("needs a headroom by formula, and CABLE_LENGTH has no length for " + port.name);
  HeadroomPort sized;
  sized.rate = port.rate;
  sized.cable = *port.cable;
  sized.cell = draft.asic.cell;
  sized.mtu = Bytes{port.mtu.count() - frame_overhead};
  if (const Node* const mtu = draft.take("LOSSLESS_TRAFFIC_PATTERN", "AZURE", "mtu"))
    sized.sonic.lossless_mtu = Bytes{
        static_cast<std::uint64_t>(sonic_number(*mtu, min_frame_bytes.count(), max_mtu.count()))};
  if (const Node* const share =
          draft.take("LOSSLESS_TRAFFIC_PATTERN", "AZURE", "small_packet_percentage"))
    sized.sonic.small_packets = static_cast<std::uint32_t>(sonic_number(*share, 0, 100));
  const auto xoff = static_cast<std::int64_t>(size_headroom("sonic", sized).bytes.count());
  profile.place = text_node("", asking);
  profile.xoff = integer_node(xoff, asking);
  profile.xon = integer_node(made_xon, asking);
  profile.size = integer_node(
      has_headroom_pool(draft, *draft.tables.row("BUFFER_POOL", lossless_pool)) ? made_xon
                                                                                : made_xon + xoff,
      asking);
  draft.assume(asking.origin, "BUFFER_PROFILE", profile.name,
               "xoff " + std::to_string(xoff) +
                   " B by SONiC's formula (dynamic buffer model), xon " + std::to_string(made_xon) +
                   " B, its pipeline latency");
  const Node* alpha = nullptr;
  if (asking.kind == Node::Kind::text && asking.text != "NULL")
    alpha = draft.take("BUFFER_PROFILE", sonic_reference(asking, "BUFFER_PROFILE"), "dynamic_th");
  if (alpha == nullptr)
    alpha = draft.take("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "default_dynamic_th");
  if (alpha == nullptr)
    draft.assume(asking.origin, "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "default_dynamic_th", "0");
  profile.dynamic_th = alpha == nullptr ? integer_node(0, asking)
                                        : number_node(*alpha, min_dynamic_th, max_dynamic_th);
}

bool is_dynamic_model(Draft& draft) {
  const Node* const model = draft.take("DEVICE_METADATA", "localhost", "buffer_model");
  if (model != nullptr && model->text != "dynamic" && model->text != "traditional")
    model->fail("must be \"dynamic\" or \"traditional\"");
  return model != nullptr && model->text == "dynamic";
}

std::size_t profile_of(Draft& draft, std::size_t port, const Node& reference) {
  if (reference.text == "NULL") return made_profile(draft, port, &reference);
  const Node* const row =
      draft.tables.row("BUFFER_PROFILE", sonic_reference(reference, "BUFFER_PROFILE"));
  if (row != nullptr && is_made_by_switch(draft, *row))
    return made_profile(draft, port, &reference);
  return named_profile(draft, reference);
}

// Rows of BUFFER_PG or BUFFER_QUEUE: "Ethernet0,Ethernet4|3-4" -> profile.
template <class I>
void assign(Draft& draft, const char* table, IndexedVector<I, std::optional<std::size_t>>& slots) {
  constexpr bool groups = std::is_same_v<I, PgIndex>;
  const Node* const rows = draft.tables.table(table);
  IndexedVector<I, const Node*> set_by(slots.size(), nullptr);
  for (std::size_t r = 0; rows != nullptr && r < rows->children.size(); ++r) {
    const Node& row = rows->children[r];
    const std::size_t bar = row.name.rfind('|');
    if (bar == std::string::npos) row.fail("must be named PORT|numbers, such as \"Ethernet0|3-4\"");
    const std::uint8_t mask = mask_of(row, std::string_view{row.name}.substr(bar + 1));
    const Node* const reference = draft.take(row, "profile");
    if (reference == nullptr) row.fail_missing("profile", "a row of BUFFER_PROFILE");
    for (const std::size_t port : ports_of(draft, row, row.name.substr(0, bar))) {
      const std::size_t profile =
          groups ? profile_of(draft, port, *reference) : named_profile(draft, *reference);
      for (std::size_t n = 0; n < priorities; ++n) {
        if ((mask >> n & 1U) == 0) continue;
        const I slot = index_in_port<I>(port_id(port), priority_id(n));
        if (slots[slot] && *slots[slot] != profile)
          reference->fail("gives number " + std::to_string(n) + " of " +
                          draft.out.ports[port].name + " a second profile: line " +
                          std::to_string(set_by[slot]->origin.line) + " gives it " +
                          draft.profiles[*slots[slot]].name);
        slots[slot] = profile;
        set_by[slot] = reference;
      }
    }
  }
}

// The traditional model: ports that are up get lossless groups by speed and cable.
void assign_by_lookup(Draft& draft) {
  if (draft.tables.lookup.empty()) return;
  for (std::size_t port = 0; port < draft.out.ports.size(); ++port) {
    const SonicPort& setting = draft.out.ports[port];
    if (!setting.up) continue;
    std::uint8_t lossless = 0;
    if (setting.pfc_enable) {
      lossless = *setting.pfc_enable;
    } else {
      lossless = mask_of(*setting.row, usual_pfc_enable);
      draft.assume(setting.row->origin, "PORT_QOS_MAP", "pfc_enable",
                   setting.name + ": " + usual_pfc_enable);
    }
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      if ((lossless >> priority & 1U) == 0) continue;
      const PgIndex slot = pg_index(port_id(port), Priority{draft.out.pg_of_priority[priority]});
      if (draft.profile_of_pg[slot]) continue;
      draft.profile_of_pg[slot] = made_profile(draft, port, nullptr);
    }
  }
}

// The pool of the profiles that the switch itself creates is by SONiC's name, which no row says.
void check_lossless_pool(Draft& draft, const SonicPort& port, const Node& asker) {
  if (draft.tables.row("BUFFER_POOL", lossless_pool) != nullptr) {
    static_cast<void>(pool_row(draft, lossless_pool, "ingress", asker));
    return;
  }
  const Node* const pools = draft.tables.table("BUFFER_POOL");
  std::vector<std::string> names;
  if (pools != nullptr)
    for (const Node& pool : pools->children) names.push_back(pool.name);
  const std::string source = is_dynamic_model(draft) ? "by the formula of the dynamic buffer model"
                                                     : "from pg_profile_lookup.ini";
  throw FileError{pools == nullptr ? asker.origin : pools->origin, "BUFFER_POOL", "",
                  "row " + std::string{lossless_pool} + " is missing; profiles made " + source +
                      " for " + port.name + " use it, as SONiC does; " +
                      (names.empty() ? "there are none" : "there are: " + joined(names))};
}

}  // namespace

std::size_t made_profile(Draft& draft, std::size_t port, const Node* asking) {
  const SonicPort& setting = draft.out.ports[port];
  const Node& asker = asking == nullptr ? *setting.row : *asking;
  std::string suffix;
  if (asking != nullptr && asking->text != "NULL")
    suffix = "_" + sonic_reference(*asking, "BUFFER_PROFILE");
  // SONiC's own names.
  const std::uint64_t mtu = setting.mtu.count() - frame_overhead;
  if (is_dynamic_model(draft) && mtu != sonic_mtu) suffix += "_mtu" + std::to_string(mtu);
  const std::string name =
      "pg_lossless_" + speed_text(setting) + "_" + setting.cable_text + suffix + "_profile";
  for (std::size_t i = 0; i < draft.profiles.size(); ++i) {
    if (draft.profiles[i].name == name) return i;
  }
  BufferProfile profile;
  profile.name = name;
  profile.pool = lossless_pool;
  profile.lossless = true;
  check_lossless_pool(draft, setting, asker);
  if (is_dynamic_model(draft))
    set_by_formula(draft, setting, asker, profile);
  else
    set_from_row(draft, lookup(draft, setting, asker), profile);
  draft.profiles.push_back(std::move(profile));
  return draft.profiles.size() - 1;
}

void assign_profiles(Draft& draft) {
  assign(draft, "BUFFER_PG", draft.profile_of_pg);
  if (!is_dynamic_model(draft)) assign_by_lookup(draft);
  assign(draft, "BUFFER_QUEUE", draft.profile_of_queue);
}

}  // namespace weir::sonic_sections
