// SPDX-License-Identifier: Apache-2.0
#include "rtl_port.hpp"

#include <fmt/format.h>

#include "weir/core/errors.hpp"
#include "weir/core/pfc/pfc_frame.hpp"

namespace weir {
namespace {

constexpr std::uint64_t block_cycles_after = 20;  // that a waveform shows after a difference
// A waveform receives what a look finds, and the cycle that is not over.
constexpr std::uint64_t cycles_of_lag = RtlPorts::cycles_between_looks + 8;

}  // namespace

RtlPort::RtlPort(const RtlBlockContext& context, std::size_t port)
    : port_{port},
      edges_{context.parent.chip.clock},
      rtl_{context.library, context.parent.name,
           fmt::format("mmu.{}.port[{}]", context.block, port),
           [this](Picoseconds now) {
             const std::uint64_t cycle = edges_.cycle_at_or_before(now).count();
             if (used_ && 2 < cycle) run_to(cycle - 2);
           },
           edges_.time(Cycle{cycles_of_lag})},
      clock_pin_{rtl_.input("clk_i", 1)},
      reset_pin_{rtl_.input("rst_ni", 1)} {}

void RtlPort::reset() {
  rtl_.require_no_other_pins();
  rtl_.reset(clock_pin_, reset_pin_);
}

void RtlPort::rise() {
  const Picoseconds next = edges_.time(Cycle{cycle_ + 1});
  rtl_.rise(clock_pin_, next - Picoseconds{(next - edge()).count() / 2}, next);
  ++cycle_;
}

void RtlPort::run_on() {
  for (std::uint64_t i = 0; i < block_cycles_after; ++i) rise();
}

void RtlPort::same(const char* pin, std::uint64_t expected, std::uint64_t actual,
                   const char* part) {
  ++compared_;
  if (expected == actual || difference_) return;
  difference_.emplace(cycle_, LockstepDifference{fmt::format("port {}{}", port_, part), pin,
                                                 std::to_string(expected), std::to_string(actual)});
}

RtlPorts::RtlPorts(const RtlBlockContext& context)
    : agenda_{context.parent.model.agenda},
      actor_{context.parent.model.agenda.enroll(*this)},
      library_{context.library.path()},
      node_{context.parent.name},
      edges_{context.parent.chip.clock} {
  agenda_.post(edges_.time(Cycle{cycles_between_looks}), Rank::look, actor_, 0);
}

void RtlPorts::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  run_to(now);
  agenda_.post(edges_.later(now, Cycle{cycles_between_looks}), Rank::look, actor_, 0);
}

void RtlPorts::run_to(Picoseconds now) {
  for (RtlPort* const port : ports_)
    if (port->used()) port->run_to(now);
  check();
}

void RtlPorts::finish(Picoseconds end) { run_to(end); }

const RtlPort* RtlPorts::earliest() const {
  const RtlPort* first = nullptr;
  for (const RtlPort* const port : ports_)
    if (port->difference() &&
        (first == nullptr || port->difference()->first < first->difference()->first))
      first = port;
  return first;
}

void RtlPorts::check() {
  const RtlPort* first = earliest();
  if (first == nullptr) return;
  // A port that nothing happened at since may have differed before.
  for (RtlPort* const port : ports_)
    if (port->used()) port->run_to(first->difference()->first);
  first = earliest();
  const auto& [cycle, difference] = *first->difference();
  for (RtlPort* const port : ports_)
    if (port->used()) port->run_on();
  difference_.emplace(difference_of(library_, node_, cycle, difference, edges_.time(Cycle{cycle})));
  throw *difference_;
}

std::vector<RtlWave*> RtlPorts::waves() const {
  std::vector<RtlWave*> waves;
  for (RtlPort* const port : ports_) waves.push_back(&port->wave());
  return waves;
}

std::uint64_t RtlPorts::compared() const {
  std::uint64_t sum = 0;
  for (const RtlPort* const port : ports_) sum += port->compared();
  return sum;
}

std::string node_of_block(const std::string& name) { return name.substr(0, name.rfind(".mmu.")); }

RtlDifference difference_of(const std::string& library, const std::string& node,
                            std::uint64_t cycle, const LockstepDifference& difference,
                            Picoseconds time) {
  return {fmt::format("block: first difference of {} at {} {}", library, node,
                      difference.in_cycle(cycle)),
          time};
}

void require_one_frame_a_cycle(const RtlBlockContext& context) {
  const Chip& chip = context.parent.chip;
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    const Picoseconds slot = slot_time(pfc_frame_bytes.count(), byte_time(chip.ports[port].rate));
    if (slot < chip.clock.max_time(Cycle{1}))
      throw ConfigError(fmt::format("{}: chip.clock", context.parent.name),
                        format_period(chip.clock),
                        fmt::format("must be at most {} ps with --block {}: frames of 64 B follow "
                                    "at port {} within that time",
                                    slot.count(), context.block, port));
  }
}

}  // namespace weir
