// SPDX-License-Identifier: Apache-2.0
#include "weir/core/headroom/cell_packing.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace weir {
namespace {

constexpr std::uint64_t shortest_frame = 64;
constexpr std::uint64_t preamble_and_gap = 20;

/// The shortest frame of `cells` cells, and its length on the wire.
struct Item {
  std::uint64_t cells, slot;
};

bool denser(const Item& a, const Item& b) { return a.cells * b.slot > b.cells * a.slot; }

// For each number of cells the shortest frame with that number, without frames that two shorter
// ones can replace on the same wire.
std::vector<Item> useful_items(const FrameLimits& limits) {
  const std::uint64_t cell = limits.cell.count(), overhead = limits.cell_overhead.count();
  const std::uint64_t least =
      cells_for(Bytes{shortest_frame}, Bytes{overhead}, Bytes{cell}).count();
  const std::uint64_t most = cells_for(limits.mtu, Bytes{overhead}, Bytes{cell}).count();
  std::vector<Item> items{{least, shortest_frame + preamble_and_gap}};
  for (std::uint64_t cells = least + 1; cells <= most; ++cells) {
    const Item item{cells, (cells - 1) * cell + 1 - overhead + preamble_and_gap};
    const bool replaceable = std::any_of(items.begin(), items.end(), [&](const Item& a) {
      return std::any_of(items.begin(), items.end(), [&](const Item& b) {
        return a.cells + b.cells == item.cells && a.slot + b.slot <= item.slot;
      });
    });
    if (!replaceable) items.push_back(item);
  }
  return items;
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

/// `repeats` of the densest frame, and the best use of the rest of the wire.
struct Packing {
  std::vector<Item> items;
  Item densest;
  std::uint64_t repeats;
  std::vector<std::uint64_t> best;  // of the rest, by its length
};

Packing pack(Bytes wire, const FrameLimits& limits) {
  Packing packing{useful_items(limits), {}, 0, {}};
  const std::vector<Item>& items = packing.items;
  packing.densest = *std::min_element(items.begin(), items.end(), denser);
  const Item longest = *std::max_element(
      items.begin(), items.end(), [](const Item& a, const Item& b) { return a.slot < b.slot; });
  // Among `densest.slot` other frames some have slots whose sum is a multiple of it, and the same
  // number of bytes of the densest frame holds no fewer cells. So fewer others are enough.
  const std::uint64_t slot = packing.densest.slot, rest = slot * longest.slot;
  packing.repeats = wire.count() > rest ? (wire.count() - rest) / slot : 0;
  packing.best = fill(wire.count() - packing.repeats * slot, items);
  return packing;
}

Bytes length_of(const Item& item) { return Bytes{item.slot - preamble_and_gap}; }

}  // namespace

Cells max_cells(Bytes wire, const FrameLimits& limits) {
  const Packing packing = pack(wire, limits);
  const std::uint64_t cells = packing.repeats * packing.densest.cells + packing.best.back();
  return Cells{static_cast<std::uint32_t>(
      std::min<std::uint64_t>(cells, std::numeric_limits<std::uint32_t>::max()))};
}

std::vector<FrameRun> densest_frames(Bytes wire, const FrameLimits& limits) {
  const Packing packing = pack(wire, limits);
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
