// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "weir/config/silicon/silicon_cases.hpp"

namespace weir {

/// The meaning of a published count.
enum class SiliconQuantity : std::uint8_t {
  xoff,            ///< trig_pfc: the packet that makes a PG XOFF.
  first_drop,      ///< trig_ingr_drp: the first packet dropped at ingress.
  equal_fill,      ///< trig_pfc_equal_fill_NNpgs: at the first XOFF of NN PGs filled in turn.
  headroom,        ///< hdrm_full: packets in the headroom of one PG.
  headroom_last,   ///< hdrm_partial: packets in the rest of the headroom pool, of the last PG.
  headroom_total,  ///< hdrm_pool_total: packets in the whole shared headroom pool.
  lossy_drop,      ///< lossy_trig_egr_drp: the first packet dropped at a lossy egress queue.
  xon,             ///< xon_dismiss: packets released from XOFF to XON.
};

/// A quantity and the number of PGs in its name (1 if there is none).
struct SiliconQuantityName {
  SiliconQuantity quantity{SiliconQuantity::xoff};
  std::size_t pgs{1};
};

/// Reads the name of a quantity: one of the above, followed by `_multi` for a list; a definition
/// after `=` is a remark. Nothing when it is not a quantity of the silicon test.
[[nodiscard]] std::optional<SiliconQuantityName> silicon_quantity(const PublishedCount& count);

/// Accepted difference between a prediction and a published count.
struct SiliconBound {
  bool upper_only{false};      ///< The published count is only an upper bound.
  std::int64_t difference{0};  ///< Otherwise: largest difference either way.

  [[nodiscard]] bool accepts(std::int64_t predicted, std::int64_t measured) const noexcept;
};

/// The bound of a quantity, apart from what is known of single cases.
[[nodiscard]] SiliconBound usual_bound(SiliconQuantity quantity) noexcept;

/// The bound of entry `entry` of `count`, a count of `silicon` (docs/measurements/silicon.md, "What
/// is accepted").
[[nodiscard]] SiliconBound silicon_bound(const SiliconCase& silicon, const PublishedCount& count,
                                         SiliconQuantity quantity, std::size_t entry);

/// Packets that the headroom of one PG holds.
[[nodiscard]] std::int64_t headroom_packets(const SiliconConfig& config);

}  // namespace weir
