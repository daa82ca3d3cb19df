// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "chip_sections.hpp"
#include "weir/config/format/names.hpp"
#include "weir/core/chip_memory.hpp"

namespace weir::chip_sections {
namespace {

// A pool as written: cells of the whole chip, before they are split over its domains.
struct PoolDraft {
  const Node* size{nullptr};     // null: as large as another pool
  const Node* same_as{nullptr};  // egress only
  std::uint64_t cells{0};
  std::uint64_t headroom_pool{0};
  std::uint64_t reserved{0};  // by the list of the file
  bool reserved_listed{false};
  bool net{false};  // reservations and headroom are already out of `cells`
};

// Cells of a list of reservations { count, size, what }.
std::uint64_t to_reserved(const Node& list, Bytes cell) {
  if (!list.is_array()) list.fail("must be a list of tables { count, size, what }");
  std::uint64_t sum = 0;
  ErrorList errors;
  for (const Node& entry : list.children)
    errors.attempt([&] {
      TableReader reader{entry, errors};
      const auto count = reader.get("count", integer_from(0, 1LL << 20), "how many there are");
      const Cells each = reader.get("size", cells_up(cell), legal::buffer_size);
      static_cast<void>(reader.get("what", to_text, "what is reserved"));
      reader.finish();
      sum += static_cast<std::uint64_t>(count) * each.count();
    });
  errors.check();
  return sum;
}

void read_reserved(TableReader& reader, Bytes cell, PoolDraft& draft) {
  const Node* const list = reader.find("reserved");
  if (list == nullptr) return;
  draft.reserved_listed = true;
  reader.attempt([&] { draft.reserved = to_reserved(*list, cell); });
  if (draft.net)
    reader.attempt([&] {
      list->fail(
          "must not be given with net = true: such a size is without the reservations already");
    });
}

void read_size(TableReader& reader, Bytes cell, PoolDraft& draft) {
  draft.size = reader.find("size");
  draft.cells = reader.get_or("size", cells_down(cell), Cells{}).count();
}

// Whether a table of `group` names the pool in its key.
bool is_named(const Node& document, const char* group, const char* key, const std::string& pool) {
  const Node* const tables = document.find(group);
  if (tables == nullptr) return false;
  return std::any_of(tables->children.begin(), tables->children.end(), [&](const Node& table) {
    const Node* const name = table.find(key);
    return name != nullptr && name->text == pool;
  });
}

// A pool that --set alone has made, and that nothing uses, is a wrong name. Errors: FileError.
void check_is_no_wrong_name(const Node& pool, const Node& group, bool used) {
  if (used || pool.origin.file != "--set") return;
  std::vector<std::string> names;
  for (const Node& node : group.children)
    if (node.origin.file != "--set") names.push_back(node.name);
  pool.fail(there_is_no("pool ", pool.name, names) + " (a new one needs a " +
            (group.name == "pool" ? "profile" : "queue") + " that names it)");
}

IndexedVector<PoolNumber, PoolDraft> read_pools(TableReader& document, Chip& chip) {
  IndexedVector<PoolNumber, PoolDraft> drafts;
  const Node* const group = document.find("pool");
  if (group == nullptr) document.node().fail_missing("pool", "at least one table [pool.NAME]");
  for (const Node& node : tables_in(*group)) {
    check_is_no_wrong_name(node, *group,
                           is_named(document.node(), "profile", "pool", node.name) ||
                               is_named(document.node(), "egress_pool", "same_as", node.name));
    TableReader reader = document.table(node);
    PoolDraft draft;
    read_size(reader, chip.cell, draft);
    if (draft.size == nullptr)
      reader.attempt([&] { node.fail_missing("size", std::string{legal::buffer_size}); });
    const Cells headroom = reader.get_or("headroom_pool", cells_down(chip.cell), Cells{});
    draft.headroom_pool = headroom.count();
    draft.net = reader.get_or("net", to_boolean, false);
    read_reserved(reader, chip.cell, draft);
    reader.finish();

    Pool pool;
    pool.name = node.name;
    pool.dedicated_headroom = headroom == Cells{};
    pool.headroom = Cells{headroom.count() / chip.domains};
    chip.ingress_pools.push_back(pool);
    drafts.push_back(draft);
  }
  return drafts;
}

IndexedVector<EgressPoolNumber, PoolDraft> read_egress_pools(TableReader& document, Chip& chip) {
  IndexedVector<EgressPoolNumber, PoolDraft> drafts;
  const Node* const group = document.find("egress_pool");
  if (group == nullptr) return drafts;
  for (const Node& node : tables_in(*group)) {
    check_is_no_wrong_name(node, *group, is_named(document.node(), "queue", "pool", node.name));
    TableReader reader = document.table(node);
    PoolDraft draft;
    read_size(reader, chip.cell, draft);
    draft.same_as = reader.find("same_as");
    read_reserved(reader, chip.cell, draft);
    reader.finish();
    if ((draft.same_as == nullptr) == (draft.size == nullptr))
      reader.attempt(
          [&] { node.fail("must have either size, or same_as with the name of an ingress pool"); });
    Pool pool;
    pool.name = node.name;
    chip.egress_pools.push_back(pool);
    drafts.push_back(draft);
  }
  return drafts;
}

// B of one domain: what is left of the pool, split equally.
Cells shared_cells(const PoolDraft& draft, std::uint64_t reserved, std::uint32_t domains) {
  const std::uint64_t taken = draft.net ? 0 : draft.headroom_pool + reserved;
  if (taken > draft.cells) {
    draft.size->fail("is " + std::to_string(draft.cells) + " cells, fewer than the " +
                     std::to_string(taken) +
                     " that are taken out of it: " + std::to_string(reserved) + " reserved and " +
                     std::to_string(draft.headroom_pool) + " of the headroom pool");
  }
  return Cells{static_cast<std::uint32_t>((draft.cells - taken) / domains)};
}

}  // namespace

template <class I>
I to_pool(const Node& value, const IndexedVector<I, Pool>& pools) {
  const std::string name = to_text(value);
  std::vector<std::string> names;
  for (I i; i < pools.end_index(); ++i) {
    if (pools[i].name == name) return i;
    names.push_back(pools[i].name);
  }
  value.fail(names.empty() ? "there is no such pool, and no other"
                           : "must be one of the pools: " + joined(names));
}
template PoolNumber to_pool(const Node&, const IndexedVector<PoolNumber, Pool>&);
template EgressPoolNumber to_pool(const Node&, const IndexedVector<EgressPoolNumber, Pool>&);

const std::vector<Node>& tables_in(const Node& group) {
  for (const Node& node : tables_by_name(group)) check_name(node, group.name, node.name);
  return group.children;
}

void read_buffers(TableReader& document, Chip& chip) {
  const IndexedVector<PoolNumber, PoolDraft> ingress = read_pools(document, chip);
  const IndexedVector<EgressPoolNumber, PoolDraft> egress = read_egress_pools(document, chip);
  read_profiles(document, chip);
  const IndexedVector<PoolNumber, std::uint64_t> queue_minimums = read_queues(document, chip);
  if (!document.good()) return;  // what is left of a pool follows from all of them
  for (PoolNumber i; i < ingress.end_index(); ++i) {
    const std::uint64_t reserved =
        ingress[i].reserved_listed ? ingress[i].reserved : cells_apart(chip, i) + queue_minimums[i];
    chip.ingress_pools[i].shared = shared_cells(ingress[i], reserved, chip.domains);
  }
  for (EgressPoolNumber i; i < egress.end_index(); ++i) {
    const PoolDraft& draft = egress[i];
    chip.egress_pools[i].shared =
        draft.same_as != nullptr
            ? chip.ingress_pools[to_pool(*draft.same_as, chip.ingress_pools)].shared
            : shared_cells(draft, draft.reserved, chip.domains);
  }
}

}  // namespace weir::chip_sections
