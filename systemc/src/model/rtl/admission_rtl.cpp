// SPDX-License-Identifier: Apache-2.0
// The RTL of admission in the place of the built-in rules.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

#include "rtl_block_makers.hpp"
#include "rtl_combinational.hpp"
#include "weir/core/accounting/admission.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

/// The verdicts of all groups, by one instance. A packet has one queue without a limit: what
/// queues refuse is decided before.
class AdmissionRtl final : public MmuBlock<AdmissionIf>, public CombinationalRtlUnit {
 public:
  AdmissionRtl(const char* name, const MmuSettings& settings, const RtlBlockLibrary& library)
      : MmuBlock{name},
        CombinationalRtlUnit{library, this->name(), "mmu.admission_rules", settings.chip()},
        cell_width_{library.parameter("CellW")},
        length_width_{library.parameter("LenW")} {
    require_no_other_pins();
    valid_.set(0, 1, 1);
    queue_mask_.set(0, 1, 1);
  }

  [[nodiscard]] Decision decide(PgIndex pg, const PgSettings& settings, const Placement& held,
                                const PoolUse& use, Cells threshold, Cells n, Cycle now) override {
    const Cells to_private = std::min(n, settings.private_limit - held.private_cells);
    const Cells rest = n - to_private;
    drive(settings, held, use, threshold, rest);
    settle(now);
    compare(pg, weir::decide(settings, held, use, threshold, n), now);
    switch (to_.get(0, 2)) {
      case weir_pkg::ToShared:
        return {Reason::admitted, {to_private, rest, Cells{0}}};
      case weir_pkg::ToHeadroom:
        return {Reason::admitted, {to_private, Cells{0}, rest}};
      default:
        return {static_cast<Reason>(reason_.get(0, reason_width)), {}};
    }
  }

 private:
  static constexpr unsigned reason_width = weir_pkg::ReasonW;

  void drive(const PgSettings& settings, const Placement& held, const PoolUse& use, Cells threshold,
             Cells rest) {
    const bool dedicated = settings.headroom_pool == Cells{std::numeric_limits<Cells::rep>::max()};
    rest_.set(0, length_width_, rest.count());
    below_.set(0, 1, held.shared < threshold ? 1 : 0);
    free_.set(0, limit_width, saturating_subtract(settings.shared_pool, use.shared).count());
    headroom_.set(0, cell_width_, held.headroom.count());
    headroom_sum_.set(0, cell_width_, use.headroom.count());
    headroom_limit_.set(0, limit_width, settings.headroom_limit.count());
    headroom_pool_.set(0, limit_width, dedicated ? 0 : settings.headroom_pool.count());
    dedicated_.set(0, 1, dedicated ? 1 : 0);
  }
  void compare(PgIndex pg, const Decision& expected, Cycle now) const {
    const bool admitted = expected.reason == Reason::admitted;
    const std::uint64_t to = !admitted                                ? weir_pkg::ToNone
                             : Cells{0} < expected.placement.headroom ? weir_pkg::ToHeadroom
                                                                      : weir_pkg::ToShared;
    same(pg, "reason_o", static_cast<std::uint64_t>(expected.reason), reason_.get(0, reason_width),
         now);
    same(pg, "to_o", to, to_.get(0, 2), now);
    same(pg, "admitted_o", admitted ? 1 : 0, admitted_.get(0, 1), now);
    same(pg, "queue_accepts_o", 1, queue_accepts_.get(0, 1), now);
    same(pg, "queue_refused_o", 0, queue_refused_.get(0, 1), now);
  }

  const unsigned cell_width_, length_width_;
  RtlPin valid_{input("valid_i", 1)}, rest_{input("rest_i", length_width_)},
      below_{input("below_i", 1)}, free_{input("free_i", limit_width)},
      headroom_{input("headroom_i", cell_width_)},
      headroom_sum_{input("headroom_sum_i", cell_width_)},
      headroom_limit_{input("headroom_limit_i", limit_width)},
      headroom_pool_{input("headroom_pool_i", limit_width)}, dedicated_{input("dedicated_i", 1)},
      queue_mask_{input("queue_mask_i", 1)}, queue_limited_{input("queue_limited_i", 1)},
      queue_fits_{input("queue_fits_i", 1)}, queue_below_{input("queue_below_i", 1)};
  RtlPin reason_{output("reason_o", reason_width)}, to_{output("to_o", 2)},
      admitted_{output("admitted_o", 1)}, queue_accepts_{output("queue_accepts_o", 1)},
      queue_refused_{output("queue_refused_o", 1)};
};

}  // namespace

std::unique_ptr<MmuBlock<AdmissionIf>> make_admission_rtl(const char* name,
                                                          const MmuSettings& settings,
                                                          const RtlBlockLibrary& library) {
  return std::make_unique<AdmissionRtl>(name, settings, library);
}

}  // namespace weir
