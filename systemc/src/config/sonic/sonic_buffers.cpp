// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "sonic_sections.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/config/format/toml_text.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::sonic_sections {
namespace {

// PGs or queues of some ports with one profile.
struct Group {
  std::size_t profile{0};
  std::uint8_t mask{0};
  std::vector<std::uint32_t> ports;
};

template <class I>
std::vector<Group> grouped(const IndexedVector<I, std::optional<std::size_t>>& slots) {
  std::vector<Group> groups;
  for (std::size_t port = 0; port < slots.size() / priorities; ++port) {
    std::map<std::size_t, std::uint8_t> masks;
    for (std::size_t n = 0; n < priorities; ++n) {
      const auto& profile = slots[index_in_port<I>(port_id(port), priority_id(n))];
      if (profile) masks[*profile] = static_cast<std::uint8_t>(masks[*profile] | 1U << n);
    }
    for (const auto& [profile, mask] : masks) {
      const std::size_t wanted = profile;
      const std::uint8_t bits = mask;
      auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return group.profile == wanted && group.mask == bits;
      });
      if (found == groups.end()) found = groups.insert(groups.end(), Group{wanted, bits, {}});
      found->ports.push_back(static_cast<std::uint32_t>(port));
    }
  }
  return groups;
}

// Size of a pool; if it has none, from the options.
Node pool_bytes(Draft& draft, const Node& row) {
  if (const Node* const size = draft.take(row, "size"))
    return integer_node(sonic_number(*size, 0, max_bytes), *size);
  std::int64_t percent = 100;
  const Node* const share = draft.take(row, "percentage");
  if (share != nullptr) percent = sonic_number(*share, 1, 100);
  if (!draft.options.memory)
    row.fail_missing("size",
                     "a number of bytes; where the switch works it out (dynamic buffer "
                     "model), say --memory");
  const auto bytes = static_cast<std::int64_t>(draft.options.memory->count()) / 100 * percent;
  draft.assume(row.origin, "BUFFER_POOL", row.name + ".size",
               std::to_string(bytes) + " B, " + std::to_string(percent) + " % of --memory");
  return integer_node(bytes, row);
}

bool has_own_size(Draft& draft, const Node& pool) {
  const Node* const xoff = draft.take(pool, "xoff");
  return xoff != nullptr && sonic_number(*xoff, 0, max_bytes) != 0;
}

// SAI's reserved size includes the headroom, unless that is a pool of its own.
Node private_bytes(Draft& draft, const BufferProfile& profile) {
  const Node& pool = *draft.tables.row("BUFFER_POOL", profile.pool);
  if (!profile.lossless || has_headroom_pool(draft, pool)) return profile.size;
  if (profile.size.integer < profile.xoff->integer)
    profile.size.fail("must not be smaller than xoff, " + profile.xoff->text +
                      ": without a headroom pool it holds the headroom");
  return integer_node(profile.size.integer - profile.xoff->integer, profile.size);
}

Node bytes_node(const Node& number) { return text_node(bytes_text(number.integer), number); }

// xoff of the pool, or the share of all headroom given by over_subscribe_ratio.
void write_headroom_pool(Draft& draft, const Node& row, Node& pool) {
  if (has_own_size(draft, row)) {
    const Node& xoff = *row.find("xoff");
    put(pool, "headroom_pool", text_node(bytes_text(sonic_number(xoff, 0, max_bytes)), xoff));
    return;
  }
  if (!has_headroom_pool(draft, row)) return;
  const Node& ratio =
      *draft.take("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "over_subscribe_ratio");
  std::int64_t sum = 0;
  for (const auto& index : draft.profile_of_pg) {
    if (!index || draft.profiles[*index].pool != row.name) continue;
    if (draft.profiles[*index].xoff) sum += draft.profiles[*index].xoff->integer;
  }
  put(pool, "headroom_pool", text_node(bytes_text(sum / sonic_number(ratio, 1, 1000)), ratio));
}

Node reservation(std::size_t count, const std::string& size, const std::string& what) {
  Node entry;
  put(entry, "count", integer_node(static_cast<std::int64_t>(count), Node{}));
  put(entry, "size", text_node(size, Node{}));
  put(entry, "what", text_node(what, Node{}));
  return entry;
}

// Some chips take more out of the pool than the profiles state; then the whole list must be
// written.
void write_reserved(Draft& draft, const Node& row, Node& pool) {
  if (draft.asic.reserved_cells_per_port == 0 || row.name != lossless_pool) return;
  Node list;
  list.kind = Node::Kind::array;
  for (std::size_t i = 0; i < draft.profiles.size(); ++i) {
    const BufferProfile& profile = draft.profiles[i];
    const auto count = static_cast<std::size_t>(
        std::count(draft.profile_of_pg.begin(), draft.profile_of_pg.end(), std::optional{i}));
    if (profile.pool != row.name || count == 0 || profile.size.integer == 0) continue;
    list.children.push_back(
        reservation(count, bytes_text(profile.size.integer), "priority groups of " + profile.name));
  }
  list.children.push_back(reservation(draft.out.ports.size(),
                                      std::to_string(draft.asic.reserved_cells_per_port) + " cells",
                                      "queue minimums of a port"));
  put(pool, "reserved", std::move(list));
}

// Minimums of lossy queues, where the chip takes them out of the egress pool as well.
void write_queue_minimums(const Draft& draft, const Node& row, Node& pool) {
  Node list;
  list.kind = Node::Kind::array;
  for (std::size_t i = 0; i < draft.profiles.size(); ++i) {
    const BufferProfile& profile = draft.profiles[i];
    const auto count = static_cast<std::size_t>(
        std::count(draft.profile_of_queue.begin(), draft.profile_of_queue.end(), std::optional{i}));
    if (profile.pool != row.name || count == 0 || profile.size.integer == 0) continue;
    list.children.push_back(
        reservation(count, bytes_text(profile.size.integer), "queues of " + profile.name));
  }
  if (!list.children.empty()) put(pool, "reserved", std::move(list));
}

void write_pools(Draft& draft) {
  const Node* const rows = draft.tables.table("BUFFER_POOL");
  if (rows == nullptr || rows->children.empty())
    throw FileError{Origin{draft.tables.folder, 0}, "BUFFER_POOL", "", "is missing: the pools"};
  for (const Node& row : rows->children) {
    const Node* const type = draft.take(row, "type");
    if (type == nullptr) row.fail_missing("type", "\"ingress\" or \"egress\"");
    if (type->text != "ingress" && type->text != "egress")
      type->fail("must be \"ingress\" or \"egress\"");
    const Node* const mode = draft.take(row, "mode");
    if (mode != nullptr && mode->text != "dynamic" && mode->text != "static")
      mode->fail("must be \"dynamic\" or \"static\"");
    const bool ingress = type->text == "ingress";
    const Node size = pool_bytes(draft, row);
    Node& pool =
        table_in(table_in(draft.out.chip, ingress ? "pool" : "egress_pool", Node{}), row.name, row);
    put(pool, "size", bytes_node(size));
    if (!ingress && draft.asic.queue_minimums_reserved) write_queue_minimums(draft, row, pool);
    if (!ingress) continue;
    write_headroom_pool(draft, row, pool);
    if (draft.asic.net) put(pool, "net", boolean_node(true, Node{}));
    if (!draft.asic.net) write_reserved(draft, row, pool);
  }
}

std::size_t add_filler(Draft& draft) {
  BufferProfile profile;
  profile.name = "unassigned";
  if (const Node* const pools = draft.tables.table("BUFFER_POOL")) {
    for (const Node& pool : pools->children) {
      const Node* const type = pool.find("type");
      if (type == nullptr || type->text != "ingress") continue;
      if (profile.pool.empty() || pool.name == "ingress_lossy_pool") profile.pool = pool.name;
    }
  }
  const Node* const pool = draft.tables.row("BUFFER_POOL", profile.pool);
  if (pool == nullptr)
    throw FileError{Origin{draft.tables.folder, 0}, "BUFFER_POOL", "", "has no ingress pool"};
  profile.place = text_node("", *pool);
  profile.size = integer_node(0, Node{});
  profile.static_th = pool_bytes(draft, *pool);
  draft.profiles.push_back(std::move(profile));
  return draft.profiles.size() - 1;
}

// Every priority needs a profile. SONiC leaves groups without one to the chip's default.
void fill_gaps(Draft& draft) {
  std::optional<std::size_t> filler;
  for (PgIndex slot; slot < draft.profile_of_pg.end_index(); ++slot) {
    const auto& map = draft.out.pg_of_priority;
    const Priority pg = number_in_port(slot);
    const bool reached = std::find(map.begin(), map.end(), pg.count()) != map.end();
    if (draft.profile_of_pg[slot] || !reached) continue;
    if (!filler) filler = add_filler(draft);
    draft.profile_of_pg[slot] = filler;
    const SonicPort& port = draft.out.ports[port_of(slot).count()];
    draft.assume(port.row->origin, "BUFFER_PG", port.name + "|" + std::to_string(pg.count()),
                 "no profile: lossy, may take the whole pool");
  }
}

std::vector<std::uint32_t> priorities_of(const std::array<std::uint8_t, priorities>& map,
                                         std::uint8_t mask) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t n = 0; n < priorities; ++n) {
    if ((mask >> map[n] & 1U) != 0) list.push_back(n);
  }
  return list;
}

void put_where(Node& table, const Draft& draft, const std::vector<std::uint32_t>& classes,
               const Group& group) {
  put(table, "priorities", text_node(ranges_of(classes), Node{}));
  if (group.ports.size() != draft.out.ports.size())
    put(table, "ports", text_node(ranges_of(group.ports), Node{}));
}

void put_threshold(Node& table, const BufferProfile& profile) {
  if (profile.dynamic_th) {
    put(table, "dynamic_th", *profile.dynamic_th);
  } else {
    put(table, "policy", text_node(std::string{to_string(Policy::fixed)}, *profile.static_th));
    put(table, "limit", bytes_node(*profile.static_th));
  }
}

// A new name for each table: one profile may be used for groups that no single table covers.
std::string free_name(const Node& tables, const std::string& wanted) {
  std::string name = wanted;
  for (int n = 2; tables.find(name) != nullptr; ++n) name = wanted + "_" + std::to_string(n);
  return name;
}

void write_profile(Draft& draft, const Group& group) {
  const BufferProfile& profile = draft.profiles[group.profile];
  const auto classes = priorities_of(draft.out.pg_of_priority, group.mask);
  if (classes.empty()) {
    draft.leave_out(profile.place, "BUFFER_PG", draft.out.ports[group.ports.front()].name,
                    profile.name, "its priority groups receive no traffic class");
    return;
  }
  static_cast<void>(pool_row(draft, profile.pool, "ingress", profile.place));
  Node& tables = table_in(draft.out.chip, "profile", Node{});
  Node& table = table_in(tables, free_name(tables, profile.name), profile.place);
  put_where(table, draft, classes, group);
  put(table, "pool", text_node(profile.pool, profile.place));
  if (profile.lossless) put(table, "lossless", boolean_node(true, profile.place));
  put(table, "private", bytes_node(private_bytes(draft, profile)));
  if (profile.xoff) put(table, "headroom", bytes_node(*profile.xoff));
  put_threshold(table, profile);
  if (profile.xon) put(table, "xon", bytes_node(*profile.xon));
  if (profile.xon_offset) put(table, "xon_offset", bytes_node(*profile.xon_offset));
  if (profile.lossless && !profile.xon_offset)
    draft.assume(profile.place.origin, "BUFFER_PROFILE", profile.name,
                 "no xon_offset: 0 B, the group resumes as soon as it is not above its threshold");
}

void write_queue(Draft& draft, const Group& group) {
  const BufferProfile& profile = draft.profiles[group.profile];
  const Node& pool = pool_row(draft, profile.pool, "egress", profile.place);
  const auto classes = priorities_of(draft.out.queue_of_priority, group.mask);
  if (classes.empty()) {
    draft.leave_out(profile.place, "BUFFER_QUEUE", draft.out.ports[group.ports.front()].name,
                    profile.name, "its queues receive no traffic class");
    return;
  }
  if (profile.static_th && pool_bytes(draft, pool).integer <= profile.static_th->integer) {
    draft.assume(profile.static_th->origin, "BUFFER_PROFILE", profile.name,
                 "static_th is not below its pool: its queues have no limit of their own");
    return;
  }
  Node& tables = table_in(draft.out.chip, "queue", Node{});
  Node& table = table_in(tables, free_name(tables, profile.name), profile.place);
  put_where(table, draft, classes, group);
  put(table, "pool", text_node(profile.pool, profile.place));
  put(table, "minimum", bytes_node(profile.size));
  put_threshold(table, profile);
  if (draft.asic.queue_minimums_reserved)
    put(table, "reserved_from", text_node(lossless_pool, Node{}));
}

// Whether green packets are marked: the words of SONiC's WRED_PROFILE.
bool marks_green(const Node& ecn) {
  constexpr std::pair<std::string_view, bool> words[] = {
      {"ecn_none", false},       {"ecn_green", true},        {"ecn_yellow", false},
      {"ecn_red", false},        {"ecn_green_yellow", true}, {"ecn_green_red", true},
      {"ecn_yellow_red", false}, {"ecn_all", true}};
  std::string legal;
  for (const auto& [word, green] : words) {
    if (ecn.text == word) return green;
    legal += (legal.empty() ? "" : ", ") + std::string{word};
  }
  ecn.fail("must be one of " + legal);
}

bool is_true(const Node& value) {
  if (value.text != "true" && value.text != "false") value.fail("must be \"true\" or \"false\"");
  return value.text == "true";
}

// wred_green_enable drops what is not marked.
void write_wred(Draft& draft, const Group& group) {
  const Node& row = *draft.wred_rows[group.profile];
  const auto classes = priorities_of(draft.out.queue_of_priority, group.mask);
  const Node* const ecn = draft.take(row, "ecn");
  const Node* const enable = draft.take(row, "wred_green_enable");
  const Node* const chance = draft.take(row, "green_drop_probability");
  const bool mark = ecn != nullptr && marks_green(*ecn);
  const bool drop = enable != nullptr && is_true(*enable);
  const std::int64_t percent = chance == nullptr ? 100 : sonic_number(*chance, 0, 100);
  if (classes.empty() || percent == 0 || (!mark && !drop)) {
    draft.leave_out(row, "WRED_PROFILE", row.name, "",
                    classes.empty() ? "its queues receive no traffic class"
                    : percent == 0  ? "a green_drop_probability of 0 marks nothing below the max"
                                    : "it neither marks nor drops green packets");
    return;
  }
  const auto threshold = [&](const char* name) {
    const Node* const value = draft.take(row, name);
    if (value == nullptr) row.fail_missing(name, "a number of bytes");
    return bytes_node(integer_node(sonic_number(*value, 0, max_bytes), *value));
  };
  Node& tables = table_in(draft.out.chip, "wred", Node{});
  Node& table = table_in(tables, free_name(tables, row.name), row);
  put_where(table, draft, classes, group);
  put(table, "min", threshold("green_min_threshold"));
  put(table, "max", threshold("green_max_threshold"));
  put(table, "probability",
      text_node(std::to_string(percent) + " %", chance == nullptr ? row : *chance));
  put(table, "mark", boolean_node(mark, ecn == nullptr ? row : *ecn));
  if (drop) put(table, "drop", boolean_node(true, *enable));
  if (chance == nullptr)
    draft.assume(row.origin, "WRED_PROFILE", row.name, "green_drop_probability 100, as in SAI");
}

}  // namespace

bool has_headroom_pool(Draft& draft, const Node& pool) {
  if (has_own_size(draft, pool)) return true;
  const Node* const ratio =
      draft.take("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "over_subscribe_ratio");
  return ratio != nullptr && sonic_number(*ratio, 0, 1000) != 0;
}

const Node& pool_row(const Draft& draft, const std::string& name, std::string_view type,
                     const Node& value) {
  const Node* const row = draft.tables.row("BUFFER_POOL", name);
  if (row == nullptr)
    throw FileError{value.origin, value.path, "\"" + name + "\"", "is not a row of BUFFER_POOL"};
  const Node* const said = row->find("type");
  if (said != nullptr && said->text != "ingress" && said->text != "egress")
    said->fail("must be \"ingress\" or \"egress\"");
  if (said == nullptr || said->text != type)
    throw FileError{value.origin, value.path, "pool \"" + name + "\"",
                    "must be an " + std::string{type} + " pool"};
  return *row;
}

void write_buffers(Draft& draft) {
  fill_gaps(draft);
  write_pools(draft);
  for (const Group& group : grouped(draft.profile_of_pg)) write_profile(draft, group);
  for (const Group& group : grouped(draft.profile_of_queue)) write_queue(draft, group);
  for (const Group& group : grouped(draft.wred_of_queue)) write_wred(draft, group);
}

std::string bytes_text(std::int64_t bytes) { return std::to_string(bytes) + " B"; }

}  // namespace weir::sonic_sections
