// SPDX-License-Identifier: Apache-2.0
#include "weir/config/silicon/silicon_bounds.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "weir/config/format/units.hpp"

namespace weir {
namespace {

constexpr std::size_t max_pgs = 4096;

constexpr std::array<std::pair<std::string_view, SiliconQuantity>, 7> quantity_names{{
    {"trig_pfc", SiliconQuantity::xoff},
    {"trig_ingr_drp", SiliconQuantity::first_drop},
    {"hdrm_full", SiliconQuantity::headroom},
    {"hdrm_partial", SiliconQuantity::headroom_last},
    {"hdrm_pool_total", SiliconQuantity::headroom_total},
    {"lossy_trig_egr_drp", SiliconQuantity::lossy_drop},
    {"xon_dismiss", SiliconQuantity::xon},
}};

// Quantities that can be counted for each of several PGs.
bool has_list(SiliconQuantity quantity) {
  return quantity == SiliconQuantity::xoff || quantity == SiliconQuantity::first_drop ||
         quantity == SiliconQuantity::headroom;
}

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool take_end(std::string_view& text, std::string_view end) {
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
  text.remove_suffix(end.size());
  return true;
}

// NN of trig_pfc_equal_fill_NNpgs.
std::optional<std::size_t> equal_fill_pgs(std::string_view name) {
  constexpr std::string_view start = "trig_pfc_equal_fill_";
  if (!starts_with(name, start) || !take_end(name, "pgs")) return std::nullopt;
  const auto pgs = parse_count(name.substr(start.size()));
  if (!pgs || *pgs == 0 || *pgs > max_pgs) return std::nullopt;
  return static_cast<std::size_t>(*pgs);
}

// The published count of another quantity of the case, in the same form.
std::optional<std::int64_t> published(const SiliconCase& silicon, SiliconQuantity quantity,
                                      bool is_list, std::size_t entry) {
  for (const PublishedCount& count : silicon.expected) {
    const auto name = silicon_quantity(count);
    if (name && name->quantity == quantity && count.is_list == is_list &&
        entry < count.measured.size())
      return count.measured[entry];
  }
  return std::nullopt;
}

// By the rules a drop comes h + 1 packets after the XOFF. Where a source has h or h - 1, one of its
// two counts is off by that much.
bool counts_disagree(const SiliconCase& silicon, bool is_list, std::size_t entry) {
  const auto xoff = published(silicon, SiliconQuantity::xoff, is_list, entry);
  const auto drop = published(silicon, SiliconQuantity::first_drop, is_list, entry);
  if (!xoff || !drop) return false;
  const std::int64_t missing = headroom_packets(silicon.config) - (*drop - *xoff);
  return missing == 0 || missing == 1;
}

std::int64_t edge_bound(const SiliconCase& silicon, bool is_list, std::size_t entry) {
  // The source marks this entry as not updated since alpha and headroom were changed.
  const bool stale = silicon.id == "th2_any_50g_300m_alpha1";
  return stale || counts_disagree(silicon, is_list, entry)
             ? 2
             : usual_bound(SiliconQuantity::xoff).difference;
}

}  // namespace

std::optional<SiliconQuantityName> silicon_quantity(const PublishedCount& count) {
  std::string_view name = count.quantity;
  name = name.substr(0, name.find('='));
  if (const auto pgs = equal_fill_pgs(name); pgs && !count.is_list)
    return SiliconQuantityName{SiliconQuantity::equal_fill, *pgs};
  const bool multi = take_end(name, "_multi");
  for (const auto& [known, quantity] : quantity_names) {
    if (name != known) continue;
    if ((multi || count.is_list) && !(count.is_list && has_list(quantity))) return std::nullopt;
    return SiliconQuantityName{quantity, count.measured.size()};
  }
  return std::nullopt;
}

bool SiliconBound::accepts(std::int64_t predicted, std::int64_t measured) const noexcept {
  if (upper_only) return predicted <= measured;
  return predicted - measured <= difference && measured - predicted <= difference;
}

SiliconBound usual_bound(SiliconQuantity quantity) noexcept {
  switch (quantity) {
    case SiliconQuantity::xoff:
    case SiliconQuantity::first_drop:
      return {false, 1};
    case SiliconQuantity::equal_fill:
      return {false, 2};
    case SiliconQuantity::lossy_drop:
      return {false, 3};
    case SiliconQuantity::xon:
      return {true, 0};
    case SiliconQuantity::headroom:
    case SiliconQuantity::headroom_last:
    case SiliconQuantity::headroom_total:
      break;
  }
  return {false, 0};
}

SiliconBound silicon_bound(const SiliconCase& silicon, const PublishedCount& count,
                           SiliconQuantity quantity, std::size_t entry) {
  switch (quantity) {
    case SiliconQuantity::xoff:
    case SiliconQuantity::first_drop:
      return {false, edge_bound(silicon, count.is_list, entry)};
    case SiliconQuantity::equal_fill:
    case SiliconQuantity::lossy_drop:
    case SiliconQuantity::xon:
      return usual_bound(quantity);
    case SiliconQuantity::headroom_total: {
      // One Tomahawk2 total is one short of what its own configuration gives.
      const bool one_short = starts_with(silicon.asic, "TH2") && count.measured[entry] == 9407;
      return {false, one_short ? 1 : 0};
    }
    case SiliconQuantity::headroom:
    case SiliconQuantity::headroom_last:
      break;
  }
  return {false, count.is_list ? 1 : 0};
}

std::int64_t headroom_packets(const SiliconConfig& config) {
  const std::uint64_t cell = config.cell.count();
  const std::uint64_t headroom = (config.headroom.count() + cell - 1) / cell;
  return static_cast<std::int64_t>(headroom /
                                   cells_for(config.packet, Bytes{0}, config.cell).count());
}

}  // namespace weir
