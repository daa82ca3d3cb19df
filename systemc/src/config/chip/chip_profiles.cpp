// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <numeric>
#include <type_traits>
#include <utility>

#include "chip_keys.hpp"
#include "chip_sections.hpp"
#include "weir/core/policies/sharing_policy.hpp"

namespace weir::chip_sections {
namespace {

Policy to_policy(const Node& value) {
  std::vector<std::pair<std::string_view, Policy>> names;
  for (const PolicyRow& row : policy_table()) names.emplace_back(row.name, row.policy);
  return to_choice(value, names);
}

constexpr std::int64_t max_draw_seed = 0xffff'ffff;

Cycle to_whole_cycles(const Node& value, const ClockPeriod& clock) {
  return edge_at_or_after(to_time(value), clock);
}

// The value of a key of a policy; nullptr: not given. `ask` reads a key of the table.
class PolicyKeyReader {
 public:
  PolicyKeyReader(TableReader& reader, const Chip& chip, const PolicyKey& key)
      : reader_{reader}, chip_{chip}, key_{key}, node_{reader.find(key.name)} {}

  /// Whether the key is given.
  [[nodiscard]] bool read(Alpha& into) {
    const Node* const exponent = key_.exponent.empty() ? nullptr : reader_.find(key_.exponent);
    if (node_ != nullptr && exponent != nullptr)
      exponent->fail("must not be given with " + std::string{key_.name} +
                     ", which says the same: " + std::string{key_.name} + " = 2^" +
                     std::string{key_.exponent});
    if (node_ != nullptr) into = to_alpha(*node_);
    if (exponent != nullptr)
      into = Alpha::power_of_two(
          static_cast<int>(to_integer(*exponent, min_dynamic_th, max_dynamic_th)));
    return node_ != nullptr || exponent != nullptr;
  }
  [[nodiscard]] bool read(Cells& into) {
    if (node_ != nullptr) into = to_cells_down(*node_, chip_.cell);
    return node_ != nullptr;
  }
  [[nodiscard]] bool read(Cycle& into) {
    into = node_ != nullptr ? to_whole_cycles(*node_, chip_.clock)
                            : edge_at_or_after(key_.otherwise, chip_.clock);
    return node_ != nullptr;
  }

  static std::string_view legal(const Alpha&) { return legal::alpha; }
  static std::string_view legal(const Cells&) { return legal::buffer_size; }
  static std::string_view legal(const Cycle&) { return legal::time; }

 private:
  TableReader& reader_;
  const Chip& chip_;
  const PolicyKey& key_;
  const Node* node_;
};

// `policy`, and the keys of all policies. A policy ignores the keys of another, so that an
// override can switch the policy without taking keys away.
ThresholdSetting read_threshold(TableReader& reader, const Chip& chip) {
  ThresholdSetting setting;
  setting.policy = reader.get_or("policy", to_policy, setting.policy);
  const PolicyRow& policy = row_of(setting.policy);
  const PolicyKey* missing = nullptr;
  for (const PolicyKey* key : policy_keys()) {
    const auto read = [&](auto member) {
      return PolicyKeyReader{reader, chip, *key}.read(setting.*member);
    };
    bool given = true;
    reader.attempt([&] { given = std::visit(read, key->member); });
    if (!given && key->required && missing == nullptr && policy.reads(key->name)) missing = key;
  }
  if (missing != nullptr) {
    const auto legal = [&](auto member) { return PolicyKeyReader::legal(setting.*member); };
    reader.attempt([&] {
      reader.node().fail_missing(missing->name, std::string{std::visit(legal, missing->member)});
    });
  }
  return setting;
}

// A table that --set alone has made is a wrong name more often than a new profile.
[[noreturn]] void fail_without_priorities(const Node& table,
                                          const std::vector<std::string>& paths) {
  if (table.origin.file == "--set") {
    std::vector<std::string> names;
    for (const std::string& path : paths)
      if (path != table.path) names.push_back(path.substr(path.rfind('.') + 1));
    table.fail(there_is_no("", table.name, names) + " (a new one needs priorities)");
  }
  table.fail_missing("priorities", "a list such as [3, 4]");
}

// Gives the priorities and ports of this table to profile `index`; `names` are those of all so far.
// Errors: FileError when another profile has one of them.
template <class I, class P>
void assign(TableReader& reader, const std::array<std::uint8_t, priorities>& map, P index,
            const std::vector<std::string>& names, IndexedVector<I, std::optional<P>>& into) {
  const Node* const listed = reader.find("ports");
  const Node* const node = reader.find("priorities");
  const std::size_t ports = into.size() / priorities;
  if (ports == 0) {  // they were refused
    if (node != nullptr) static_cast<void>(to_numbers(*node, priorities));
    return;
  }
  if (node == nullptr) fail_without_priorities(reader.node(), names);
  std::vector<std::uint32_t> chosen(ports), given;
  std::iota(chosen.begin(), chosen.end(), 0U);
  if (listed != nullptr) {
    chosen.clear();
    reader.attempt([&] { chosen = to_some_numbers(*listed, static_cast<std::uint32_t>(ports)); });
  }
  reader.attempt([&] { given = to_some_numbers(*node, priorities); });
  const auto give = [&](std::uint32_t priority) {
    for (const std::uint32_t port : chosen) {
      auto& slot =
          into[index_in_port<I>(PortId{static_cast<std::uint16_t>(port)}, Priority{map[priority]})];
      if (slot && *slot != index) {
        const std::string place = std::is_same_v<I, PgIndex> ? "priority group " : "queue ";
        const std::string has = map[priority] == priority
                                    ? names[slot->value()] + " has it already"
                                    : "it goes to " + place + std::to_string(map[priority]) +
                                          ", which " + names[slot->value()] + " has already";
        node->fail("priority " + std::to_string(priority) + " of port " + std::to_string(port) +
                   " is mapped twice: " + has);
      }
      slot = index;
    }
  };
  for (const std::uint32_t priority : given) reader.attempt([&] { give(priority); });
}

Profile read_profile(TableReader& reader, const Chip& chip, const Node& chip_table) {
  const auto pool = [&](const Node& value) { return to_pool(value, chip.ingress_pools); };
  const auto headroom = [&](const Node& value) { return to_headroom(value, chip, chip_table); };

  Profile profile;
  profile.name = reader.node().name;
  profile.pool = reader.get("pool", pool, "the name of a [pool.NAME]");
  profile.lossless = reader.get_or("lossless", to_boolean, reader.find("headroom") != nullptr);
  profile.private_cells = reader.get_or("private", cells_up(chip.cell), Cells{});
  const Headroom reserved = reader.get_or("headroom", headroom, Headroom{});
  profile.headroom = reserved.cells;
  profile.headroom_request = reserved.request;
  profile.threshold = read_threshold(reader, chip);
  for_each_profile_key(chip.cell, reads_into(profile, reader));
  return profile;
}

void check_complete(const Node& group, const Chip& chip) {
  for (PgIndex slot; slot < chip.profile_of_pg.end_index(); ++slot) {
    if (chip.profile_of_pg[slot]) continue;
    for (std::size_t priority = 0; priority < priorities; ++priority) {
      if (chip.pg_of_priority[priority] != number_in_port(slot).count()) continue;
      group.fail("priority " + std::to_string(priority) + " of port " +
                 std::to_string(port_of(slot).count()) +
                 " has no profile; every priority needs one");
    }
  }
}

void assign_wred(TableReader& reader, WredProfileIndex index, const std::vector<std::string>& names,
                 Chip& chip) {
  const auto give = [&] {
    assign(reader, chip.queue_of_priority, index, names, chip.wred_of_queue);
  };
  // Where --set has made the table by a wrong name, one error says so: those of its keys would hide
  // it.
  if (reader.find("priorities") == nullptr)
    give();
  else
    reader.attempt(give);
}

}  // namespace

std::uint32_t to_probability(const Node& value) {
  const auto share = value.kind == Node::Kind::text ? parse_fraction(value.text) : std::nullopt;
  if (!share) value.fail(std::string{legal_probability});
  const std::uint64_t probability =
      (std::uint64_t{share->part} * 65536 + share->whole / 2) / share->whole;
  if (probability == 0) value.fail("must be at least 1/65536, the least that a draw decides");
  return static_cast<std::uint32_t>(probability);
}

void read_profiles(TableReader& document, Chip& chip) {
  const Node* const group = document.find("profile");
  if (group == nullptr) document.node().fail_missing("profile", "tables [profile.NAME]");
  const Node* const written = document.find("chip");
  const Node& chip_table = written == nullptr ? document.node() : *written;
  chip.profile_of_pg.assign(chip.ports.size() * priorities, std::nullopt);
  std::vector<std::string> names;
  for (const Node& node : tables_in(*group)) {
    TableReader reader = document.table(node);
    names.push_back(node.path);
    reader.attempt([&] {
      assign(reader, chip.pg_of_priority, chip.profiles.end_index(), names, chip.profile_of_pg);
    });
    chip.profiles.push_back(read_profile(reader, chip, chip_table));
    reader.finish();
  }
  if (document.good()) check_complete(*group, chip);
}

IndexedVector<PoolNumber, std::uint64_t> read_queues(TableReader& document, Chip& chip) {
  IndexedVector<PoolNumber, std::uint64_t> taken(chip.ingress_pools.size(), 0);
  chip.profile_of_queue.assign(chip.ports.size() * priorities, std::nullopt);
  const Node* const group = document.find("queue");
  if (group == nullptr) return taken;
  const auto pool = [&](const Node& value) { return to_pool(value, chip.egress_pools); };
  std::vector<std::string> names;
  for (const Node& node : tables_in(*group)) {
    TableReader reader = document.table(node);
    names.push_back(node.path);
    const QueueProfileIndex index = chip.queue_profiles.end_index();
    reader.attempt(
        [&] { assign(reader, chip.queue_of_priority, index, names, chip.profile_of_queue); });
    QueueProfile profile;
    profile.name = node.name;
    profile.pool = reader.get("pool", pool, "the name of an [egress_pool.NAME]");
    for_each_queue_key(chip.cell, reads_into(profile, reader));
    profile.threshold = read_threshold(reader, chip);
    if (const Node* const source = reader.find("reserved_from")) {
      std::uint64_t queues = 0;
      for (const auto& assigned : chip.profile_of_queue) queues += assigned == index ? 1 : 0;
      reader.attempt(
          [&] { taken[to_pool(*source, chip.ingress_pools)] += queues * profile.minimum.count(); });
    }
    reader.finish();
    chip.queue_profiles.push_back(profile);
  }
  return taken;
}

void read_wred(TableReader& document, Chip& chip) {
  if (const Node* const draws = document.find("draw")) {
    TableReader reader = document.table(*draws);
    for_each_draw_key(reads_into(chip, reader));
    reader.set("seed", integer_from(0, max_draw_seed), chip.draw_seed);
    reader.finish();
  }
  const Node* const group = document.find("wred");
  if (group == nullptr) return;
  chip.wred_of_queue.assign(chip.ports.size() * priorities, std::nullopt);
  std::vector<std::string> names;
  for (const Node& node : tables_in(*group)) {
    names.push_back(node.path);
    const WredProfileIndex index = chip.wred_profiles.end_index();
    chip.wred_profiles.push_back({});
    document.attempt([&] {
      TableReader reader = document.table(node);
      assign_wred(reader, index, names, chip);
      WredProfile& profile = chip.wred_profiles.back();
      profile.name = node.name;
      for_each_wred_key(chip.cell, reads_into(profile, reader));
      reader.finish();
    });
  }
}

}  // namespace weir::chip_sections
