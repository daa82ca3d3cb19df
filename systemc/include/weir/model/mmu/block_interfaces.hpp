// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <systemc>
#include <typeinfo>
#include <vector>

#include "weir/core/accounting/thresholds.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/core/mmu_step.hpp"

namespace weir {

// The interfaces of the blocks of an MMU. Each has the names and meanings of the core class that
// the built-in block owns; cells are whole; `now` is the cycle of the step and never goes back.
//
// core() saves the interface calls of every step: a block whose core class does all the work
// returns that class when the MMU is elaborated, and the steps of the run call it directly. A
// user's block returns nullptr, and every call goes through its interface; so does a class that
// inherits a built-in block, unless its own core() returns core_class().

/// `core`, where `block` is a built-in block itself; nullptr where a user's class inherits it,
/// whose functions are to be called.
template <class BuiltIn, class Core>
[[nodiscard]] Core* core_to_call(BuiltIn& block, Core& core) noexcept {
  return typeid(block) == typeid(BuiltIn) ? &core : nullptr;
}

/// What every PG holds, and the sums per (pool, domain).
struct IngressAccountingIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual Placement pg(PgIndex pg) const = 0;
  [[nodiscard]] virtual PoolUse pool(PoolIndex pool_domain) const = 0;
  /// S as a threshold sees it in cycle `now`.
  [[nodiscard]] virtual Cells shared_seen(PoolIndex pool_domain, Cycle now) const = 0;
  /// Adds the cells of an admitted packet.
  virtual void charge(PgIndex pg, PoolIndex pool_domain, const Placement& cells, Cycle now) = 0;
  /// Takes `n` cells from a PG; returns what each segment gave.
  /// Errors: ModelError when it does not hold them.
  virtual Placement release(PgIndex pg, PoolIndex pool_domain, Cells n, Cycle now) = 0;
  [[nodiscard]] virtual IngressAccounting* core() { return nullptr; }
};

/// The limit T of every PG, and T_q of every limited queue. `used` is S, or S_e, as the limit sees
/// it. A rule without a state does not override pg_moved() and queue_moved().
struct DynamicThresholdIf : virtual sc_core::sc_interface {
  /// T of a PG: full, and XOFF, at w >= T.
  [[nodiscard]] virtual Cells limit(PgIndex pg, Cells used, Cycle now) const = 0;
  /// T_q of a limited queue, of the cells of one memory domain.
  [[nodiscard]] virtual Cells queue_limit(QueueIndex queue, DomainId domain, Cells used,
                                          Cycle now) const = 0;
  /// The limits that admission uses in place of T and the headroom pool; none: it uses those two.
  [[nodiscard]] virtual std::optional<Insurance> insurance(PgIndex /*pg*/, Cells /*used*/,
                                                           Cycle /*now*/) const {
    return std::nullopt;
  }
  /// After cells were added to a PG, or `left` cells have left it: it now holds `held`.
  virtual void pg_moved(PgIndex /*pg*/, const Placement& /*held*/, Cells /*left*/, Cells /*used*/,
                        Cycle /*now*/) {}
  /// The same of a limited queue.
  virtual void queue_moved(QueueIndex /*queue*/, DomainId, const QueueUse& /*held*/, Cells /*left*/,
                           Cells /*used*/, Cycle /*now*/) {}
  /// After a step of a lossless PG: whether port_off() of its port has changed. `pressed`: a cell
  /// went to headroom, or the ingress refused the packet.
  virtual bool judge_port(PgIndex /*pg*/, bool /*arrival*/, bool /*pressed*/, bool /*private_full*/,
                          Cells /*used*/) {
    return false;
  }
  /// Whether all classes of a port are paused.
  [[nodiscard]] virtual bool port_off(PortId) const { return false; }
  /// A register write has changed the threshold, xon or xon_offset of a profile.
  virtual void settings_changed() {}
  [[nodiscard]] virtual Thresholds* core() { return nullptr; }
};

/// The ingress rules: whether a packet gets its cells, and in which segment.
struct AdmissionIf : virtual sc_core::sc_interface {
  /// Of `n` cells at a PG that holds `held` while its pool holds `use` and T = `threshold`. An
  /// admitted packet has all its cells in the placement, at most phi of the PG in private and the
  /// rest in one segment; a refused one has none. The reasons are those of the ingress. H, Hp and T
  /// are those of insurance(), where that gives any.
  [[nodiscard]] virtual Decision decide(PgIndex pg, const PgSettings& settings,
                                        const Placement& held, const PoolUse& use, Cells threshold,
                                        Cells n, Cycle now) = 0;
  [[nodiscard]] virtual const AdmissionRules* core() { return nullptr; }
};

/// What lossy egress queues hold, per (queue, domain), and the sums S_e.
struct EgressAccountingIf : virtual sc_core::sc_interface {
  /// Whether a queue has a limit. The calls below are for such queues only.
  [[nodiscard]] virtual bool limited(QueueIndex queue) const = 0;
  /// Whether `n` cells may enter while T_q = `threshold`.
  [[nodiscard]] virtual bool accepts(QueueIndex queue, DomainId domain, Cells n,
                                     Cells threshold) const = 0;
  virtual void charge(QueueIndex queue, DomainId domain, Cells n) = 0;
  /// Errors: ModelError when the queue does not hold them.
  virtual void release(QueueIndex queue, DomainId domain, Cells n) = 0;
  [[nodiscard]] virtual QueueUse queue(QueueIndex queue, DomainId domain) const = 0;
  /// S_e that the T_q of a queue follows.
  [[nodiscard]] virtual Cells pool_of(QueueIndex queue, DomainId domain) const = 0;
  [[nodiscard]] virtual EgressAccounting* core() { return nullptr; }
};

/// The XOFF level of every lossless PG.
struct PfcStateIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual bool xoff(PgIndex pg) const = 0;
  /// After an arrival at a PG that now holds `held`: `pressed` when a cell went to headroom or the
  /// packet was refused.
  virtual PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                                 Cells threshold, bool pressed) = 0;
  virtual PfcLevel after_release(PgIndex pg, const PgSettings& settings, const Placement& held,
                                 Cells threshold) = 0;
  [[nodiscard]] virtual PfcState* core() { return nullptr; }
};

/// Counters and watermarks.
struct StatsCountersIf : virtual sc_core::sc_interface {
  virtual void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex pool_domain,
                        const PoolUse& use, Cells threshold) = 0;
  virtual void refused(PgIndex pg, Reason reason, bool lossless, bool empty) = 0;
  /// After an arrival at a lossless PG: its verdict, and the XOFF level after the step.
  virtual void xoff_judged(PgIndex pg, Reason reason, const PfcLevel& level) = 0;
  virtual void queued(QueueIndex queue, Bytes length) = 0;
  virtual void queue_filled(QueueIndex queue, const QueueUse& use) = 0;
  virtual void queue_refused(QueueIndex queue) = 0;
  /// Clears every counter and mark.
  virtual void clear() = 0;
  [[nodiscard]] virtual PgCounters pg(PgIndex pg) const = 0;
  [[nodiscard]] virtual QueueCounters queue(QueueIndex queue) const = 0;
  [[nodiscard]] virtual PoolWatermark pool(PoolIndex pool_domain) const = 0;
  [[nodiscard]] virtual StatsCounters* core() { return nullptr; }
};

/// The headroom that ports need on their cables.
struct HeadroomSizerIf : virtual sc_core::sc_interface {
  /// By any method of the table. Errors: ConfigError when no method has that name.
  [[nodiscard]] virtual HeadroomResult need(std::string_view method, PortId port,
                                            Millimetres cable) const = 0;
  /// eta of each profile of the chip: what the MMU is built with.
  [[nodiscard]] virtual IndexedVector<ProfileIndex, Cells> profiles() const = 0;
};

/// A block of an MMU: a module that gives `Interface` to the others through its export.
template <class Interface>
class MmuBlock : public sc_core::sc_module, public Interface {
 public:
  sc_core::sc_export<Interface> state{"state"};

  explicit MmuBlock(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {
    state.bind(*this);
  }
};

}  // namespace weir
