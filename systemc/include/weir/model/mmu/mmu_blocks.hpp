// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <systemc>

#include "weir/core/headroom/headroom_sizer.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"

namespace weir {

// The state blocks of the MMU in the module hierarchy. Each is the shell of a core class that Mmu
// composes: no process, no time, no arithmetic. What others may read goes through its export.

/// What every PG holds, and the sums per (pool, domain).
struct IngressAccountingIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual const Placement& pg(std::size_t pg) const = 0;
  [[nodiscard]] virtual const PoolUse& pool(std::size_t pool_domain) const = 0;
};

/// The limit T of a PG now.
struct DynamicThresholdIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual Cells at(std::size_t pg) const = 0;
};

/// What lossy egress queues hold, per (queue, domain).
struct EgressAccountingIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual bool limited(std::size_t queue) const = 0;
  [[nodiscard]] virtual const QueueUse& queue(std::size_t queue, DomainId domain) const = 0;
  [[nodiscard]] virtual Cells pool_shared(std::size_t pool_domain) const = 0;
};

/// The XOFF level of every PG.
struct PfcStateIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual bool xoff(std::size_t pg) const = 0;
};

/// Counters and high-water marks.
struct StatsCountersIf : virtual sc_core::sc_interface {
  [[nodiscard]] virtual const PgCounters& pg(std::size_t pg) const = 0;
  [[nodiscard]] virtual const QueueCounters& queue(std::size_t queue) const = 0;
  [[nodiscard]] virtual const PoolWatermark& pool(std::size_t pool_domain) const = 0;
};

/// The headroom that a port needs on a cable, by any method of the table.
struct HeadroomSizerIf : virtual sc_core::sc_interface {
  /// Errors: ConfigError when no method has that name.
  [[nodiscard]] virtual HeadroomResult need(std::string_view method, PortId port,
                                            Millimetres cable) const = 0;
};

/// A shell that exports `Interface` of the core's Mmu, borrowed from the MMU module.
template <class Interface>
class MmuBlock : public sc_core::sc_module, public Interface {
 public:
  sc_core::sc_export<Interface> state{"state"};

  MmuBlock(const sc_core::sc_module_name& name, const Mmu& mmu)
      : sc_core::sc_module{name}, mmu_{mmu} {
    state.bind(*this);
  }

 protected:
  [[nodiscard]] const Mmu& mmu() const noexcept { return mmu_; }

 private:
  const Mmu& mmu_;
};

class IngressAccountingUnit final : public MmuBlock<IngressAccountingIf> {
 public:
  using MmuBlock::MmuBlock;
  [[nodiscard]] const Placement& pg(std::size_t pg) const override {
    return mmu().ingress().pg(pg);
  }
  [[nodiscard]] const PoolUse& pool(std::size_t pool_domain) const override {
    return mmu().ingress().pool(pool_domain);
  }
};

class DynamicThresholdUnit final : public MmuBlock<DynamicThresholdIf> {
 public:
  DynamicThresholdUnit(const sc_core::sc_module_name& name, const Mmu& mmu, const Agenda& agenda)
      : MmuBlock{name, mmu}, agenda_{agenda} {}
  [[nodiscard]] Cells at(std::size_t pg) const override {
    const ClockEdges edges{mmu().chip().clock};
    return mmu().threshold(pg, edges.cycle_at_or_after(agenda_.now()));
  }

 private:
  const Agenda& agenda_;  // T of some policies depends on time
};

class EgressAccountingUnit final : public MmuBlock<EgressAccountingIf> {
 public:
  using MmuBlock::MmuBlock;
  [[nodiscard]] bool limited(std::size_t queue) const override {
    return mmu().egress().limited(queue);
  }
  [[nodiscard]] const QueueUse& queue(std::size_t queue, DomainId domain) const override {
    return mmu().egress().queue(queue, domain);
  }
  [[nodiscard]] Cells pool_shared(std::size_t pool_domain) const override {
    return mmu().egress().pool_shared(pool_domain);
  }
};

class PfcStateUnit final : public MmuBlock<PfcStateIf> {
 public:
  using MmuBlock::MmuBlock;
  [[nodiscard]] bool xoff(std::size_t pg) const override { return mmu().pfc().xoff(pg); }
};

class StatsCountersUnit final : public MmuBlock<StatsCountersIf> {
 public:
  using MmuBlock::MmuBlock;
  [[nodiscard]] const PgCounters& pg(std::size_t pg) const override { return mmu().stats().pg(pg); }
  [[nodiscard]] const QueueCounters& queue(std::size_t queue) const override {
    return mmu().stats().queue(queue);
  }
  [[nodiscard]] const PoolWatermark& pool(std::size_t pool_domain) const override {
    return mmu().stats().pool(pool_domain);
  }
};

class HeadroomSizerUnit final : public MmuBlock<HeadroomSizerIf> {
 public:
  using MmuBlock::MmuBlock;
  [[nodiscard]] HeadroomResult need(std::string_view method, PortId port,
                                    Millimetres cable) const override {
    return size_headroom(method, headroom_port(mmu().chip(), port, cable));
  }
};

}  // namespace weir
