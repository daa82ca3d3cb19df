// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/cell_packing.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::uint64_t shortest_frame = min_frame_bytes.count();
constexpr std::uint64_t preamble_and_gap = slot_overhead_bytes.count();

/// The shortest frame of `cells` cells, and its length on the wire.
struct Item {
  std::uint64_t cells, slot;
};

bool denser(const Item& a, const Item& b) { return a.cells * b.slot > b.cells * a.slot; }

std::uint64_t min_cells(const FrameLimits& limits) {
  return cells_for(min_frame_bytes, limits.cell_overhead, limits.cell).count();
}
std::uint64_t max_cells(const FrameLimits& limits) {
  return cells_for(limits.mtu, limits.cell_overhead, limits.cell).count();
}

Item item_of(std::uint64_t cells, const FrameLimits& limits) {
  if (cells == min_cells(limits)) return {cells, shortest_frame + preamble_and_gap};
  return {cells,
          (cells - 1) * limits.cell.count() + 1 - limits.cell_overhead.count() + preamble_and_gap};
}

// For each number of cells the shortest frame with that number, without frames that two shorter
// ones can replace on the same wire. From twice the least number of cells plus 2 on, two frames
// above the least can always do so: a frame more costs 21 B less the overhead, a cell more at
// least smallest_packed_cell.
std::vector<Item> useful_items(const FrameLimits& limits) {
  const std::uint64_t least = min_cells(limits);
  const std::uint64_t most = std::min(max_cells(limits), 2 * least + 1);
  std::vector<Item> items{item_of(least, limits)};
  for (std::uint64_t cells = least + 1; cells <= most; ++cells) {
    const Item item = item_of(cells, limits);
    const bool replaceable = std::any_of(items.begin(), items.end(), [&](const Item& a) {
      return std::any_of(items.begin(), items.end(), [&](const Item& b) {
        return a.cells + b.cells == item.cells && a.slot + b.slot <= item.slot;
      });
    });
    if (!replaceable) items.push_back(item);
  }
  return items;
}

// Without items that hold no more cells than the densest frame does, repeated on the same wire:
// the cells are the same, and no item is longer than a few of the densest frame.
void drop_dominated(std::vector<Item>& items, const Item& densest) {
  items.erase(std::remove_if(items.begin(), items.end(),
                             [&](const Item& item) {
                               return item.cells != densest.cells &&
                                      item.cells <= item.slot / densest.slot * densest.cells;
                             }),
              items.end());
}

// Classic unbounded knapsack: the most cells for every length up to `wire`.
std::vector<std::uint64_t> fill(std::uint64_t wire, const std::vector<Item>& items) {
  std::vector<std::uint64_t> best(wire + 1, 0);
  for (std::uint64_t length = 1; length <= wire; ++length) {
    best[length] = best[length - 1];
    for (const Item& item : items) {
      if (item.slot <= length)
        best[length] = std::max(best[length], best[length - item.slot] + item.cells);
    }
  }
  return best;
}

// The longest frame that two shorter ones cannot replace, where only frames that cannot be replaced
// themselves may replace it. It says how much of a sequence of frames is not repeats: any longer
// rest holds the same cells, but the sequences that are published have this one.
std::uint64_t longest_slot(const FrameLimits& limits) {
  const std::uint64_t least = min_cells(limits), most = max_cells(limits);
  std::vector<Item> items{item_of(least, limits)};
  std::vector<bool> is_item(most + 1);
  is_item[least] = true;
  for (std::uint64_t cells = least + 1; cells <= most; ++cells) {
    const Item item = item_of(cells, limits);
    const bool replaceable = std::any_of(items.begin(), items.end(), [&](const Item& a) {
      const std::uint64_t other = cells - a.cells;
      return is_item[other] && a.slot + item_of(other, limits).slot <= item.slot;
    });
    if (replaceable) continue;
    items.push_back(item);
    is_item[cells] = true;
  }
  return std::max_element(items.begin(), items.end(),
                          [](const Item& a, const Item& b) { return a.slot < b.slot; })
      ->slot;
}

/// `repeats` of the densest frame, and the best use of the rest of the wire.
struct Packing {
  std::vector<Item> items;
  Item densest;
  std::uint64_t repeats;
  std::vector<std::uint64_t> best;  // of the rest, by its length
};

// Range: `longest` is at least the longest slot of `items`.
Packing pack(Bytes wire, const std::vector<Item>& items, const Item& densest,
             std::uint64_t longest) {
  // Among `densest.slot` other frames some have slots whose sum is a multiple of it, and the same
  // number of bytes of the densest frame holds no fewer cells. So fewer others are enough.
  const std::uint64_t slot = densest.slot, rest = slot * longest;
  const std::uint64_t repeats = wire.count() > rest ? (wire.count() - rest) / slot : 0;
  return {items, densest, repeats, fill(wire.count() - repeats * slot, items)};
}

Item densest_of(const std::vector<Item>& items) {
  return *std::min_element(items.begin(), items.end(), denser);
}

Bytes length_of(const Item& item) { return Bytes{item.slot - preamble_and_gap}; }

}  // namespace

Cells max_cells(Bytes wire, const FrameLimits& limits) {
  std::vector<Item> items = useful_items(limits);
  const Item densest = densest_of(items);
  drop_dominated(items, densest);
  std::uint64_t longest = 0;
  for (const Item& item : items) longest = std::max(longest, item.slot);
  const Packing packing = pack(wire, items, densest, longest);
  const std::uint64_t cells = packing.repeats * packing.densest.cells + packing.best.back();
  return Cells{static_cast<std::uint32_t>(
      std::min<std::uint64_t>(cells, std::numeric_limits<std::uint32_t>::max()))};
}

std::vector<FrameRun> densest_frames(Bytes wire, const FrameLimits& limits) {
  const std::vector<Item> items = useful_items(limits);
  const Packing packing = pack(wire, items, densest_of(items), longest_slot(limits));
  std::vector<FrameRun> runs;
  if (packing.repeats != 0) runs.push_back({length_of(packing.densest), packing.repeats});
  const std::vector<std::uint64_t>& best = packing.best;
  for (std::uint64_t left = best.size() - 1; best[left] != 0;) {
    const auto used =
        std::find_if(packing.items.begin(), packing.items.end(), [&](const Item& item) {
          return item.slot <= left && best[left - item.slot] + item.cells == best[left];
        });
    if (used == packing.items.end()) {  // a byte that is left over
      --left;
      continue;
    }
    left -= used->slot;
    if (!runs.empty() && runs.back().length == length_of(*used))
      ++runs.back().count;
    else
      runs.push_back({length_of(*used), 1});
  }
  return runs;
}

}  // namespace weir
