// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/pfc_generator_unit.hpp"

namespace weir {
namespace {

constexpr std::uint8_t all_classes = 0xff;

// What a task is about, in one number.
constexpr std::uint64_t pack(PortId port, Priority pg, bool xoff) {
  return std::uint64_t{port.count()} << 4 | std::uint64_t{pg.count()} << 1 | (xoff ? 1U : 0U);
}
constexpr PortId port_in(std::uint64_t packed) {
  return PortId{static_cast<std::uint16_t>(packed >> 4)};
}
constexpr Priority pg_in(std::uint64_t packed) {
  return Priority{static_cast<std::uint8_t>(packed >> 1 & 7U)};
}

}  // namespace

PfcGeneratorUnit::PfcGeneratorUnit(const sc_core::sc_module_name& name, const SwitchContext& parent)
    : PfcGeneratorBlock{name},
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      observers_{parent.model.observers},
      switch_name_{parent.name},
      edges_{parent.chip.clock},
      latency_{parent.chip.pfc_latency},
      pg_of_priority_{parent.chip.pg_of_priority} {
  for (std::size_t port = 0; port < parent.chip.ports.size(); ++port)
    ports_.push_back({PfcGenerator{parent.chip.quanta,
                                   CycleTimeBase{parent.chip.ports[port].rate, parent.chip.clock},
                                   PfcGenerator::address_of(port)}});
}

void PfcGeneratorUnit::level(PortId port, Priority pg, bool xoff, Picoseconds visible) {
  agenda_.post(visible, Rank::input, actor_, level_task, pack(port, pg, xoff));
  agenda_.post(edges_.later(visible, latency_), Rank::input, actor_, request_task,
               pack(port, Priority{}, false));
}

void PfcGeneratorUnit::port_level(PortId port, bool off, Picoseconds visible) {
  agenda_.post(visible, Rank::input, actor_, port_level_task, pack(port, Priority{}, off));
  agenda_.post(edges_.later(visible, latency_), Rank::input, actor_, request_task,
               pack(port, Priority{}, false));
}

void PfcGeneratorUnit::act(Picoseconds now, std::uint32_t what, std::uint64_t argument) {
  if (what == level_task)
    set_level(port_in(argument), pg_in(argument), (argument & 1U) != 0, now);
  else if (what == port_level_task)
    set_port_level(port_in(argument), (argument & 1U) != 0);
  else if (what == request_task)
    request(port_in(argument), now);
  else
    refresh(port_in(argument), now);
}

void PfcGeneratorUnit::set_level(PortId port, Priority pg, bool xoff, Picoseconds now) {
  Port& state = ports_[port.count()];
  const unsigned bit = 1U << pg.count();
  state.xoff_pgs = static_cast<std::uint8_t>(xoff ? state.xoff_pgs | bit : state.xoff_pgs & ~bit);
  state.xoff_classes = state.off ? all_classes : classes_of(state.xoff_pgs);
  observers_.notify([&](Observer& o) { o.level(switch_name_, port, pg, xoff, now); });
}

void PfcGeneratorUnit::set_port_level(PortId port, bool off) {
  Port& state = ports_[port.count()];
  state.off = off;
  state.xoff_classes = off ? all_classes : classes_of(state.xoff_pgs);
}

void PfcGeneratorUnit::request(PortId port, Picoseconds now) {
  Port& state = ports_[port.count()];
  if (state.requested || !state.generator.request_needed(state.xoff_classes)) return;
  state.requested = true;
  mac[port.count()]->pfc_requested(now);
}

// A frame sent since the task was posted moves the refresh: then the task is posted again.
void PfcGeneratorUnit::refresh(PortId port, Picoseconds now) {
  Port& state = ports_[port.count()];
  state.refresh_armed = false;
  const std::optional<Picoseconds> due = state.generator.refresh_at();
  if (!due) return;
  if (now < *due) {
    state.refresh_armed = true;
    agenda_.post(*due, Rank::input, actor_, refresh_task, pack(port, Priority{}, false));
    return;
  }
  if (state.requested) return;
  state.requested = true;
  mac[port.count()]->pfc_requested(now);
}

std::optional<PfcFrame> PfcGeneratorUnit::start_frame(PortId port, Picoseconds now) {
  Port& state = ports_[port.count()];
  state.requested = false;
  std::optional<PfcFrame> frame = state.generator.build(now, state.xoff_classes);
  const std::optional<Picoseconds> due = state.generator.refresh_at();
  if (due && !state.refresh_armed) {
    state.refresh_armed = true;
    agenda_.post(*due, Rank::input, actor_, refresh_task, pack(port, Priority{}, false));
  }
  return frame;
}

std::uint8_t PfcGeneratorUnit::classes_of(std::uint8_t pgs) const noexcept {
  unsigned classes = 0;
  for (std::size_t priority = 0; priority < priorities; ++priority)
    if ((pgs >> pg_of_priority_[priority] & 1U) != 0) classes |= 1U << priority;
  return static_cast<std::uint8_t>(classes);
}

}  // namespace weir
