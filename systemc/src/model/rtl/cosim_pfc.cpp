// SPDX-License-Identifier: Apache-2.0
#include "cosim_pfc.hpp"

#include <algorithm>

#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr Picoseconds no_time{};  // random draws have cycles, not picoseconds

std::uint8_t octet(std::uint64_t value) { return static_cast<std::uint8_t>(value & 0xffU); }

bool bad_fcs(const std::vector<std::uint8_t>& frame) {
  const DecodeResult result = decode(frame);
  const auto* error = std::get_if<DecodeError>(&result);
  return error != nullptr && *error == DecodeError::bad_fcs;
}

}  // namespace

CosimPfc::CosimPfc(const Chip& chip, const RtlMmu& rtl, std::uint64_t seed)
    : chip_{chip},
      beat_{rtl.beat_octets()},
      fcs_in_stream_{rtl.shape().fcs_in_stream != 0},
      reference_{rtl.shape(), chip.ports.size(), rtl.pins()},
      takes_(reference_.all().size()),
      random_{seed, "cosim_pfc"} {
  reset();
}

void CosimPfc::reset() {
  ports_.assign(chip_.ports.size(), Port{});
  reference_.reset(chip_);
}

// Mostly PFC; each of its errors now and then.
CosimPfc::Octets CosimPfc::draw_frame() {
  std::array<Quanta, priorities> time{};
  for (Quanta& t : time)
    t = Quanta{
        static_cast<std::uint16_t>(random_.uniform(std::uint64_t{1} << random_.uniform(17)))};
  const PfcFrameBytes whole = encode({{2, 0, 0, 0, 0, 9}, octet(random_.next()), time});
  Octets body{whole.begin(), whole.end() - fcs_octets};
  const std::uint64_t kind = random_.uniform(16);
  if (kind == 0) body[random_.uniform(6)] ^= octet(1U << random_.uniform(8));       // address
  if (kind == 1) body[12 + random_.uniform(4)] ^= octet(1U << random_.uniform(8));  // type, opcode
  if (kind == 2) body.resize(random_.uniform(60));
  if (!fcs_in_stream_ && body.empty()) body.resize(1);  // a frame has a beat
  if (kind == 3) body.resize(61 + random_.uniform(100));
  if (kind == 4) body[16] = octet(random_.next());  // reserved
  if (kind == 5) body[34 + random_.uniform(26)] = octet(random_.next());
  body.resize(body.size() + fcs_octets);
  put_fcs(body.data(), body.size());
  if (kind == 6) body[random_.uniform(body.size())] ^= octet(1U << random_.uniform(8));
  return body;
}

void CosimPfc::drive(RtlMmu& rtl) {
  if (cycles_left_-- == 0) {
    constexpr std::uint64_t shares[]{0, 2, 20, 60, 100};
    cycles_left_ = 1 + random_.uniform(400);
    share_ = shares[random_.uniform(5)];
  }
  Port& drawn = ports_[random_.uniform(ports_.size())];
  if (drawn.coming.empty() && random_.uniform(100) < share_) drawn.coming = draw_frame();
  std::fill(takes_.begin(), takes_.end(), std::uint64_t{0});
  for (std::size_t p = 0; p < ports_.size(); ++p) drive_port(rtl, p);
}

void CosimPfc::drive_port(RtlMmu& rtl, std::size_t index) {
  Port& port = ports_[index];
  port.takes = !reference_.generator(index).valid() || random_.uniform(4) != 0;
  rtl.take_beats(index, port.takes);
  if (port.takes) takes_[index / 64] |= std::uint64_t{1} << index % 64;
  if (port.coming.empty() || random_.uniform(8) == 0) return;  // gaps within a frame, too
  RtlBeat beat;
  const std::size_t octets = port.coming.size() - (fcs_in_stream_ ? 0 : fcs_octets);
  beat.count = std::min(beat_, octets - port.come);
  std::copy_n(port.coming.begin() + static_cast<std::ptrdiff_t>(port.come), beat.count,
              beat.octets.begin());
  port.come += beat.count;
  beat.last = port.come == octets;
  port.ended = beat.last;
  beat.bad_fcs = beat.last && bad_fcs(port.coming);
  rtl.receive(index, beat);
}

// Each port has five pins of one value; a beat that both have is counted by octets.
void CosimPfc::compare(const RtlMmu& rtl, const LockstepEngine& lockstep) {
  difference_.reset();
  compared_ += 5 * ports_.size();
  reference_.compare(rtl.cycle(), lockstep, takes_, [this](const LockstepValue& value) {
    if (value.pin == MmuPin::m_axis_pfc_tlast_o) compared_ += beat_ + 2;
    if (value.expected != value.actual && !difference_) difference_ = reference_.describe(value);
  });
}

bool CosimPfc::draw_start(Port& port, bool request) {
  if (port.busy != 0) {
    --port.busy;
    return random_.uniform(32) == 0;  // a start without a frame: it must be ignored
  }
  if (!request) return random_.uniform(32) == 0;
  port.busy = random_.uniform(2) * random_.uniform(12);
  return true;
}

void CosimPfc::end_port(RtlMmu& rtl, std::size_t index, std::vector<PortCounters>& counters) {
  const bool starts = draw_start(ports_[index], reference_.generator(index).request());
  if (starts) rtl.start_pfc(index);
  const auto frame = reference_.end(index, starts, ports_[index].takes);
  if (!frame) return;
  counters[index].count_sent(*frame, no_time);
  ++sent_;
}

void CosimPfc::take_frame(Port& port, std::size_t index, std::uint64_t edge) {
  if (!port.ended) return;
  const DecodeResult result = reference_.receive(index, port.coming, edge);
  port.coming.clear();
  port.come = 0;
  port.ended = false;
  if (const auto* frame = std::get_if<PfcFrame>(&result)) port.received = *frame;
}

void CosimPfc::count_received(std::vector<PortCounters>& counters) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (!ports_[p].received) continue;
    counters[p].count_received(*ports_[p].received, no_time);
    ports_[p].received.reset();
    ++received_;
  }
}

std::optional<LockstepDifference> CosimPfc::step(RtlMmu& rtl, const LockstepEngine& lockstep,
                                                 Quanta quanta,
                                                 std::vector<PortCounters>& counters) {
  count_received(counters);
  reference_.set_quanta(quanta);
  compare(rtl, lockstep);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    end_port(rtl, p, counters);
    take_frame(ports_[p], p, rtl.cycle() + 1);
  }
  return difference_;
}

}  // namespace weir
