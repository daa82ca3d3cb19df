// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "weir/core/accounting/ingress_accounting.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/index.hpp"
#include "weir/core/policies/dynamic_threshold.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// Why a packet was admitted or refused: exactly one per verdict.
enum class Reason : std::uint8_t {
  admitted,          ///< It has its cells.
  shared_threshold,  ///< w >= T, and the PG has no headroom.
  shared_pool,       ///< S + rest > B, and the PG has no headroom.
  headroom_limit,    ///< Would exceed the PG's eta.
  headroom_pool,     ///< Would exceed the shared headroom pool H.
  egress_queue,      ///< Every queue of its mask refused (lossy).
  wred,              ///< The WRED profile of its queue dropped it before the step.
};
constexpr std::size_t reasons = 7;
/// Number of reasons that a step of the MMU gives: all but `wred`.
constexpr std::size_t step_reasons = 6;

/// Name of a reason in summaries, events and documents.
[[nodiscard]] std::string_view to_string(Reason reason) noexcept;

/// Settings of one PG, resolved for its memory domain.
struct PgSettings {
  Threshold threshold;   ///< T(S)
  Cells private_limit;   ///< phi
  Cells shared_pool;     ///< B
  Cells headroom_limit;  ///< eta
  Cells headroom_pool;   ///< H; 2^32 - 1 with dedicated headroom.
  Cells xon, xon_offset;
  Packed<PoolIndex> pool_domain;
  bool lossless{false};
  XoffTrigger xoff_trigger{XoffTrigger::on_crossing};
  XonRule xon_rule{XonRule::sai};
};

/// Outcome of the ingress rules for one packet; nothing is charged yet.
struct Decision {
  Reason reason{Reason::admitted};
  Placement placement;  ///< Zero when refused.
};

/// The ingress admission rules for `n` cells at a PG that holds `held` while its pool holds `use`
/// and T = `threshold`: private first, the rest to shared if w < T and S + rest <= B, else the rest
/// to headroom if it fits eta and the pool, else the whole packet is refused.
///
/// Units:  whole cells. Errors: none; total for every input.
/// Source: docs/design/contract.md, 2, steps 1 to 4.
[[nodiscard]] inline Decision decide(const PgSettings& pg, const Placement& held,
                                     const PoolUse& use, Cells threshold, Cells n) noexcept {
  const Cells room = pg.private_limit - held.private_cells;
  const Cells to_private = n < room ? n : room;
  const Cells rest = n - to_private;
  const bool below_threshold = held.shared < threshold;
  const bool fits_shared = use.shared + rest <= pg.shared_pool;
  if (rest == Cells{0} || (below_threshold && fits_shared))
    return {Reason::admitted, {to_private, rest, Cells{0}}};
  if (pg.headroom_limit == Cells{0})
    return {below_threshold ? Reason::shared_pool : Reason::shared_threshold, {}};
  if (pg.headroom_limit < held.headroom + rest) return {Reason::headroom_limit, {}};
  if (pg.headroom_pool < use.headroom + rest) return {Reason::headroom_pool, {}};
  return {Reason::admitted, {to_private, Cells{0}, rest}};
}

/// decide() as a block of MmuStep; it has no state.
struct AdmissionRules {
  [[nodiscard]] static Decision decide(PgIndex, const PgSettings& pg, const Placement& held,
                                       const PoolUse& use, Cells threshold, Cells n,
                                       Cycle) noexcept {
    return weir::decide(pg, held, use, threshold, n);
  }
  const AdmissionRules* operator->() const noexcept { return this; }
};

}  // namespace weir
