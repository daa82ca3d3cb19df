// SPDX-License-Identifier: Apache-2.0
#include "step_trace.hpp"

#include "weir/core/errors.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/switch/fifo.hpp"

namespace weir::bench {
namespace {

class Recorder {
 public:
  explicit Recorder(const Traffic& traffic)
      : traffic_{traffic},
        mmu_{chip_for(traffic)},
        cells_{mmu_.chip().cells(traffic.packet)},
        egress_(traffic.ports),
        seen_(traffic.ports) {
    const Picoseconds late = cable_delay + cable_delay + mmu_.chip().ports[0].response;
    const std::size_t slots = late.count() / packet_slot(traffic).count() + 1;
    for (auto& levels : seen_)
      for (std::size_t i = 0; i < slots; ++i) levels.push(0);
  }

  StepTrace record(std::uint64_t packets) {
    while (trace_.packets < packets) slot(true);
    while (held_ != 0) slot(false);
    return trace_;
  }

 private:
  static PgIndex pg_of(std::size_t port) {
    return pg_index(PortId{static_cast<std::uint16_t>(port)}, lossless_class);
  }
  static QueueIndex queue_of(std::size_t port) {
    return queue_index(PortId{static_cast<std::uint16_t>(port)}, lossless_class);
  }

  void slot(bool sending) {
    for (std::size_t port = 0; port < traffic_.ports; ++port) {
      if (!egress_[port].empty()) release(egress_[port].pop(), queue_of(port));
      const bool paused = seen_[port].pop() != 0;
      seen_[port].push(mmu_.pfc().xoff(pg_of(port)) ? 1 : 0);
      if (sending && !paused && !(traffic_.incast && port == 0))
        arrive(pg_of(port), destination(traffic_, port));
    }
  }

  void arrive(PgIndex pg, std::uint16_t egress) {
    const Verdict verdict = mmu_.arrive(pg, cells_, traffic_.packet, queue_of(egress), any_cycle);
    if (!verdict.admitted()) throw ModelError("bench: a lossless packet was refused");
    add({pg, queue_of(egress), static_cast<std::uint16_t>(cells_.count()), false}, verdict.pfc);
    egress_[egress].push(pg);
    ++held_;
    ++trace_.packets;
  }

  void release(PgIndex pg, QueueIndex queue) {
    const PfcLevel level = mmu_.release(pg, cells_, queue, true, any_cycle);
    add({pg, queue, static_cast<std::uint16_t>(cells_.count()), true}, level);
    --held_;
  }

  void add(const Step& step, PfcLevel level) {
    trace_.steps.push_back(step);
    if (level.changed) ++trace_.level_changes;
  }

  const Traffic traffic_;
  Mmu mmu_;
  const Cells cells_;
  std::vector<Fifo<PgIndex>> egress_;     // PGs of the queued packets
  std::vector<Fifo<std::uint8_t>> seen_;  // XOFF levels in flight to the sender
  std::uint64_t held_{0};
  StepTrace trace_;
};

}  // namespace

StepTrace record_trace(const Traffic& traffic, std::uint64_t packets) {
  return Recorder{traffic}.record(packets);
}

}  // namespace weir::bench
