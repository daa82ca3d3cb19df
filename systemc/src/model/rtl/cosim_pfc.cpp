// SPDX-License-Identifier: Apache-2.0
#include "cosim_pfc.hpp"

#include <algorithm>

#include "weir/model/mmu/pfc_generator_unit.hpp"

namespace weir {
namespace {

constexpr std::size_t fcs_octets = 4;

std::uint8_t octet(std::uint64_t value) { return static_cast<std::uint8_t>(value & 0xffU); }

bool bad_fcs(const std::vector<std::uint8_t>& frame) {
  const DecodeResult result = decode(frame);
  const auto* error = std::get_if<DecodeError>(&result);
  return error != nullptr && *error == DecodeError::bad_fcs;
}

}  // namespace

CosimPfc::CosimPfc(const Chip& chip, const weir_rtl_shape& shape, std::uint64_t seed)
    : chip_{chip},
      latency_{shape.pfc_latency},
      beat_{shape.axis_width / 8},
      random_{seed, "cosim_pfc"} {
  reset();
}

void CosimPfc::reset() {
  ports_.clear();
  for (std::size_t p = 0; p < chip_.ports.size(); ++p) {
    const CycleTimeBase base{chip_.ports[p].rate, chip_.clock};
    ports_.push_back({PfcGenerator{chip_.quanta, base, PfcGeneratorUnit::address_of(p)},
                      SwitchPauseTimer{base, chip_.ports[p].response},
                      std::deque<bool>(latency_, false)});
  }
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
  if (kind == 3) body.resize(61 + random_.uniform(100));
  if (kind == 4) body[16] = octet(random_.next());  // reserved
  if (kind == 5) body[34 + random_.uniform(26)] = octet(random_.next());
  const std::uint32_t fcs = frame_check_sequence(body.data(), body.size());
  for (std::size_t k = 0; k < fcs_octets; ++k) body.push_back(octet(fcs >> (8 * k)));
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
  for (std::size_t p = 0; p < ports_.size(); ++p) drive_port(rtl, p);
}

void CosimPfc::drive_port(RtlMmu& rtl, std::size_t index) {
  Port& port = ports_[index];
  port.takes = !port.sending || random_.uniform(4) != 0;
  rtl.take_beats(index, port.takes);
  if (port.coming.empty() || random_.uniform(8) == 0) return;  // gaps within a frame, too
  RtlBeat beat;
  beat.count = std::min(beat_, port.coming.size() - port.come);
  std::copy_n(port.coming.begin() + static_cast<std::ptrdiff_t>(port.come), beat.count,
              beat.octets.begin());
  port.come += beat.count;
  beat.last = port.come == port.coming.size();
  beat.bad_fcs = beat.last && bad_fcs(port.coming);
  rtl.receive(index, beat);
}

// A request is raised `pfc` cycles after a change, if a class then differs from what was sent.
CosimPfc::Expected CosimPfc::expect(Port& port, std::uint8_t levels, bool changed,
                                    Picoseconds edge) {
  Expected expected;
  for (std::size_t n = 0; n < priorities; ++n)
    if ((levels >> chip_.pg_of_priority[n] & 1U) != 0)
      expected.classes = static_cast<std::uint8_t>(expected.classes | class_bit(n));
  port.changes.push_back(changed);
  const bool look = port.changes.front();
  port.changes.pop_front();
  port.requested = port.requested || (look && port.generator.request_needed(expected.classes));
  const std::optional<Picoseconds> refresh = port.generator.refresh_at();
  expected.request = port.requested || (refresh && *refresh <= edge);
  const bool last_beat = (port.beats_sent + 1) * beat_ == pfc_frame_bytes.count();
  expected.ready = !port.sending || (port.takes && last_beat);
  return expected;
}

bool CosimPfc::same(std::size_t index, const char* pin, std::uint64_t expected,
                    std::uint64_t actual) {
  ++compared_;
  if (expected == actual) return true;
  if (!difference_) difference_ = PinDifference{index, pin, expected, actual};
  return false;
}

void CosimPfc::compare(RtlMmu& rtl, std::size_t index, const Expected& expected, Picoseconds edge) {
  Port& port = ports_[index];
  const bool sends = expected.request && (expected.classes != 0 || port.generator.last_sent() != 0);
  static_cast<void>(same(index, "pfc_request_o", expected.request, rtl.pfc_request(index)));
  static_cast<void>(same(index, "pfc_ready_o", expected.ready, rtl.pfc_ready(index)));
  static_cast<void>(same(index, "pfc_sends_o", sends, rtl.pfc_sends(index)));
  static_cast<void>(same(index, "pause_o", port.timer.blocked_mask(edge), rtl.paused(index)));
  compare_beat(rtl, index);
}

void CosimPfc::compare_beat(RtlMmu& rtl, std::size_t index) {
  const Port& port = ports_[index];
  const std::optional<RtlBeat> beat = rtl.pfc_beat(index);
  if (!same(index, "m_axis_pfc_tvalid_o", port.sending.has_value(), beat.has_value())) return;
  if (!beat) return;
  const std::size_t first = port.beats_sent * beat_;
  const bool last = first + beat_ == pfc_frame_bytes.count();
  for (std::size_t k = 0; k < beat_; ++k)
    if (!same(index, "m_axis_pfc_tdata_o", (*port.sending)[first + k], beat->octets[k])) return;
  static_cast<void>(same(index, "m_axis_pfc_tkeep_o", beat_, beat->count));
  static_cast<void>(same(index, "m_axis_pfc_tlast_o", last, beat->last));
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

void CosimPfc::end_cycle(Port& port, const std::optional<PfcFrame>& started,
                         Picoseconds next_edge) {
  if (port.sending && port.takes && ++port.beats_sent * beat_ == pfc_frame_bytes.count())
    port.sending.reset();
  if (started) {
    port.sending = encode(*started);
    port.beats_sent = 0;
  }
  if (port.coming.empty() || port.come < port.coming.size()) return;
  const DecodeResult result = decode(port.coming);
  port.coming.clear();
  port.come = 0;
  const auto* frame = std::get_if<PfcFrame>(&result);
  if (frame == nullptr) return;
  port.received = *frame;
  for (std::size_t n = 0; n < priorities; ++n)
    if ((frame->class_enable >> n & 1U) != 0)
      port.timer.load(Priority{static_cast<std::uint8_t>(n)}, frame->time[n], next_edge);
}

void CosimPfc::count_received(std::vector<PortCounters>& counters) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    if (!ports_[p].received) continue;
    counters[p].count_received(*ports_[p].received);
    ports_[p].received.reset();
    ++received_;
  }
}

std::optional<PinDifference> CosimPfc::step(RtlMmu& rtl, const std::vector<std::uint8_t>& levels,
                                            const std::vector<std::uint64_t>& changed,
                                            Quanta quanta, std::vector<PortCounters>& counters) {
  const Picoseconds edge = chip_.clock * rtl.cycle();
  difference_.reset();
  count_received(counters);
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    Port& port = ports_[p];
    port.generator.set_quanta(quanta);
    const Expected expected = expect(port, levels[p], (changed[p / 64] >> p % 64 & 1U) != 0, edge);
    compare(rtl, p, expected, edge);
    std::optional<PfcFrame> started;
    if (draw_start(port, expected.request)) {
      rtl.start_pfc(p);
      if (expected.request && expected.ready) {
        port.requested = false;
        started = port.generator.build(edge, expected.classes);
      }
    }
    if (started) {
      counters[p].count_sent(*started);
      ++sent_;
    }
    end_cycle(port, started, edge + chip_.clock);
  }
  return difference_;
}

}  // namespace weir
