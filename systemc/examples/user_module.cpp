// SPDX-License-Identifier: Apache-2.0
// A module of your own on a port of a weir::Switch: it sends frames, obeys PAUSE, and stops.
// Explained in docs/guide/custom-module.md.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <systemc>

#include "weir/model/host/nic.hpp"
#include "weir/model/switch/switch.hpp"

namespace mine {

const weir::BitRate rate{100'000'000'000};

sc_core::sc_time as_time(weir::Picoseconds time) {
  return sc_core::sc_time::from_value(time.count());
}

/// Sends 1000 B frames of priority 3 to host 0 as fast as 100G carries them, unless it is paused.
class Tester : public sc_core::sc_module, public weir::FrameReceiver, public weir::FrameSender {
 public:
  weir::FrameInitiator tx{"tx"};
  weir::FrameTarget rx{"rx"};

  Tester(const sc_core::sc_module_name& name, weir::FramePool& frames)
      : sc_core::sc_module{name}, frames_{frames} {
    tx.bind(static_cast<weir::FrameBackwardIf&>(*this));
    rx.bind(static_cast<weir::FrameForwardIf&>(*this));
    SC_HAS_PROCESS(Tester);
    SC_METHOD(send);
    sensitive << wake_;
  }

  std::uint64_t sent{0}, pauses{0}, resumes{0};

 private:
  void send() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    const sc_core::sc_time next = std::max(wire_free_, paused_until_);
    if (now < next) return wake_.notify(next - now);
    weir::Frame* frame = frames_.take();  // one reference, which the call hands over
    frame->priority = weir::Priority{3};
    frame->length = 1000;
    frame->source = 1;
    frame->destination = 0;
    frame->created = weir::Picoseconds{now.value()};
    weir::FramePhase phase = weir::FramePhase::start;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;  // the first preamble bit leaves now
    tx->nb_transport_fw(*frame, phase, delay);
    ++sent;
    wire_free_ = now + as_time(weir::slot_time(1000, weir::byte_time(rate)));
    wake_.notify(wire_free_ - now);
  }

  // The first bit of `frame` is here `delay` from now; a PAUSE counts from its last bit.
  void receive(weir::Frame& frame, const sc_core::sc_time& delay) override {
    const bool for_us = frame.kind == weir::FrameKind::pfc && (frame.pfc.class_enable & 8U) != 0;
    const weir::Quanta quanta = frame.pfc.time[3];
    const weir::Picoseconds length = weir::frame_time(frame.length, weir::byte_time(rate));
    frame.release();
    if (!for_us) return;
    const sc_core::sc_time last_bit = sc_core::sc_time_stamp() + delay + as_time(length);
    paused_until_ = last_bit + as_time(weir::quanta_time(quanta, rate));
    if (quanta != weir::Quanta{0}) {
      ++pauses;
    } else {
      ++resumes;
      wake_.notify(last_bit - sc_core::sc_time_stamp());
    }
  }

  weir::FramePool& frames_;
  sc_core::sc_event wake_;
  sc_core::sc_time wire_free_, paused_until_;
};

/// Two ports of 100G with 5000 cells of buffer between them; every priority is lossless.
weir::Chip chip() {
  weir::Chip chip;
  const weir::Picoseconds response = weir::quanta_time(weir::response_limit(rate), rate);
  chip.ports.resize(2, {rate, weir::DomainId{0}, response});
  chip.ingress_pools = {{"pool", weir::Cells{5000}, weir::Cells{0}, true}};
  weir::Profile lossless;
  lossless.name = "lossless";
  lossless.lossless = true;
  lossless.headroom = weir::Cells{500};
  lossless.threshold.alpha = weir::Alpha{1, 3};
  lossless.xon_offset = weir::Cells{10};
  chip.profiles = {lossless};
  chip.profile_of_pg.assign(2 * weir::priorities, weir::ProfileIndex{0});
  chip.profile_of_queue.resize(2 * weir::priorities);
  return chip;
}

}  // namespace mine

int sc_main(int, char*[]) {
  weir::FramePool frames;
  weir::Observers observers;
  weir::Agenda agenda{"agenda"};
  const weir::ModelContext context{agenda, frames, observers, 1};
  weir::Switch sw{"switch", context, mine::chip()};
  weir::HostSpec spec;
  spec.rate = mine::rate;
  weir::Nic host{"host", context, spec, 0};
  mine::Tester tester{"tester", frames};

  weir::SwitchPort& to_host = sw.port(weir::PortId{0});
  weir::SwitchPort& to_tester = sw.port(weir::PortId{1});
  host.tx.bind(to_host.rx.wire);
  to_host.tx.wire.bind(host.rx);
  tester.tx.bind(to_tester.rx.wire);
  to_tester.tx.wire.bind(tester.rx);
  sw.add_route(0, weir::PortId{0});

  // The way out is closed for 100 us: the buffer fills, and the tester receives XOFF.
  to_host.tx.enable(false, agenda.now());
  sc_core::sc_start(100, sc_core::SC_US);
  const std::uint64_t before = tester.sent;
  std::cout << "closed: " << before << " sent, " << tester.pauses << " PAUSE\n";

  to_host.tx.enable(true, agenda.now());
  sc_core::sc_start(100, sc_core::SC_US);
  const std::uint64_t received = host.counters().priority[3].rx_packets;
  const std::uint64_t dropped =
      sw.mmu.core().stats().pg(weir::pg_index(weir::PortId{1}, weir::Priority{3})).dropped();
  std::cout << "opened: " << tester.sent << " sent, " << received << " received, " << tester.resumes
            << " RESUME, " << dropped << " dropped\n";
  const bool paused = before < 200 && tester.pauses != 0;
  const bool resumed = tester.resumes != 0 && tester.sent > 1000 && received > 1000;
  return paused && resumed && dropped == 0 ? 0 : 1;
}
