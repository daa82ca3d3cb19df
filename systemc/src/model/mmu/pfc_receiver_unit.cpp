// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/pfc_receiver_unit.hpp"

namespace weir {

PfcReceiverUnit::PfcReceiverUnit(const sc_core::sc_module_name& name, const SwitchContext& parent)
    : PfcReceiverBlock{name},
      agenda_{parent.model.agenda},
      actor_{parent.model.agenda.enroll(*this)},
      counters_{parent.counters},
      observers_{parent.model.observers},
      switch_name_{parent.name} {
  for (const PortSetting& port : parent.chip.ports)
    timers_.emplace_back(CycleTimeBase{port.rate, parent.chip.clock}, port.response);
}

void PfcReceiverUnit::receive(Frame& frame, PortId port, Picoseconds last_bit) {
  agenda_.post(last_bit, Rank::input, actor_, port.count(),
               reinterpret_cast<std::uintptr_t>(&frame));
}

void PfcReceiverUnit::act(Picoseconds now, std::uint32_t port, std::uint64_t argument) {
  if (timers_.size() <= port)
    return watchdog_->watch(now, port - static_cast<std::uint32_t>(timers_.size()), argument);
  Frame& frame = *reinterpret_cast<Frame*>(static_cast<std::uintptr_t>(argument));
  for (std::size_t n = 0; n < priorities; ++n)
    if ((frame.pfc.class_enable >> n & 1U) != 0)
      timers_[port].load(Priority{static_cast<std::uint8_t>(n)}, frame.pfc.time[n], now);
  counters_[port].count_received(frame.pfc, now);
  observers_.notify([&](Observer& o) {
    o.pfc_received(switch_name_, PortId{static_cast<std::uint16_t>(port)}, frame.pfc, now);
  });
  if (watchdog_ != nullptr)
    watchdog_->pfc_obeyed(PortId{static_cast<std::uint16_t>(port)}, frame.pfc, now);
  frame.release();
  mac[static_cast<int>(port)]->pause_changed(now);
}

}  // namespace weir
