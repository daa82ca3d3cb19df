// SPDX-License-Identifier: Apache-2.0
// rtl: marker_2 = ecn_marker Domains=2 Lanes=1 Profiles=3 CellW=8 LenW=7 ByteW=6 StatW=6
// rtl: marker_1 = ecn_marker Domains=1 Lanes=1 Profiles=1 CellW=17 LenW=8 ByteW=14 StatW=48
// rtl: marker_8 = ecn_marker Domains=2 Lanes=4 Profiles=4 CellW=12 LenW=4 ByteW=14 StatW=32
// rtl: marker_12 = ecn_marker Domains=12 Lanes=1 Profiles=3 CellW=18 LenW=8 ByteW=14 StatW=48
// rtl: marker_24 = ecn_marker Domains=1 Lanes=2 Profiles=2 CellW=24 LenW=24 ByteW=32 StatW=64
#include "weir/core/congestion/ecn_marker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>

#include "Vmarker_1.h"
#include "Vmarker_12.h"
#include "Vmarker_2.h"
#include "Vmarker_24.h"
#include "Vmarker_8.h"
#include "lockstep/bench.hpp"
#include "lockstep/lockstep_cycles.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/index.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"

namespace weir::test {
namespace {

constexpr unsigned ports = 3;  // of the core; a round has one of them in RTL
constexpr unsigned answer_latency = 2, read_latency = 2;
constexpr std::uint32_t greatest_limit = std::uint32_t{1} << 24;  // of a chip, whatever the shape
constexpr unsigned fields = 4;  // of a queue: three counters, and what waits

// The word of a profile, as wred_pkg lays it out.
constexpr unsigned limit_bits = 25, slope_bits = 42, profile_bits = 2 * limit_bits + slope_bits + 3;

constexpr unsigned width_of(std::size_t values) {
  unsigned width = 0;
  while ((std::size_t{1} << width) < values) ++width;
  return width;
}

template <class Pin>
void set_profile(Pin& pin, std::size_t index, const WredProfile& profile) {
  const std::size_t at = index * profile_bits;
  set_bits(pin, at, limit_bits, profile.min.count());
  set_bits(pin, at + limit_bits, limit_bits, profile.max.count());
  set_bits(pin, at + std::size_t{2} * limit_bits, slope_bits, WredLine{profile}.slope());
  const std::size_t control = at + profile_bits - 3;
  set_bits(pin, control, 1, profile.mark);
  set_bits(pin, control + 1, 1, profile.drop);
  set_bits(pin, control + 2, 1, profile.at == WredPoint::enqueue);
}

/// What a packet does at its queue.
enum class Act : std::uint8_t { nothing, comes, enters, leaves, discarded };

struct Packet {
  Act act{Act::nothing};
  std::uint8_t queue{0};
  std::uint32_t cells{0}, bytes{0};
  Ecn ecn{Ecn::not_ect};
  bool lossless{false};
};

/// What the core says of a packet, and how it counts it.
struct Answer {
  bool hit{false}, error{false};
  std::uint8_t queue{0};
  std::array<std::uint64_t, 3> counts{};
};

std::uint32_t some_primitive_polynomial(RandomStream& random) {
  for (;;) {
    const auto taps = static_cast<std::uint32_t>(random.next()) | 0x8000'0000U;
    if (is_primitive_polynomial(taps)) return taps;
  }
}

/// Verilated ports next to one EcnMarker.
template <class Model, unsigned slots, unsigned profiles, unsigned cell_bits, unsigned len_bits,
          unsigned byte_bits, unsigned stat_bits>
class MarkerLockstep {
 public:
  static constexpr unsigned map_bits = width_of(profiles + 1);
  static constexpr unsigned steps = slots + 1;
  static constexpr std::uint32_t max_cells = (std::uint32_t{1} << cell_bits) - 1;
  static constexpr std::uint32_t longest = (std::uint32_t{1} << len_bits) - 1;

  explicit MarkerLockstep(std::uint64_t seed)
      : random_{lockstep_first_round() + seed, "ecn_marker"} {}

  /// Starts with a reset in the middle of the round before, and another chip. `busy`: all packets
  /// are at one queue, whose q is between its thresholds, and nearly all draw.
  void round(std::uint64_t cycles, bool busy) {
    busy_ = busy;
    chip_ = draw_chip();
    marker_.emplace(chip_, random_.next());
    port_ = static_cast<unsigned>(random_.uniform(ports));
    start();
    for (now_ = 0; now_ < cycles; ++now_) {
      if (now_ % 64 == 0) filling_ = random_.uniform(2) != 0;
      others();
      cycle();
    }
  }
  /// What all packets of a round do, where, and by which threshold they are judged.
  struct Same {
    Act act;
    WredPoint point;
    std::uint8_t queue;
    std::uint32_t max;  // 1: each packet is hit; more: it draws up to there
  };
  /// The same, where each packet does the same at one queue, and is as long as it can be.
  void round_of_one_kind(std::uint64_t cycles, const Same& same) {
    same_ = same;
    filling_ = true;
    chip_ = draw_chip();
    for (WredProfile& profile : chip_.wred_profiles) {
      profile.min = Cells{0};
      profile.max = Cells{same.max};
      profile.mark = same.act == Act::enters;
      profile.drop = !profile.mark;
      profile.at = same.point;
    }
    for (QueueIndex queue; queue < chip_.wred_of_queue.end_index(); ++queue)
      chip_.wred_of_queue[queue] = WredProfileIndex{0};
    marker_.emplace(chip_, random_.next());
    start();
    for (now_ = 0; now_ < cycles; ++now_) cycle();
    same_.reset();
  }
  [[nodiscard]] Scoreboard& board() noexcept { return board_; }

 private:
  struct Read {
    bool valid{false};
    std::uint64_t value{0};
  };

  // ---- A chip: ranges of a few cells, so that each q is met, and of all that there are
  Chip draw_chip() {
    Chip chip;
    chip.ports.resize(ports);
    chip.draw_polynomial =
        random_.uniform(2) == 0 ? default_draw_polynomial : some_primitive_polynomial(random_);
    for (unsigned n = 0; n < profiles; ++n) chip.wred_profiles.push_back(draw_profile());
    chip.wred_of_queue.resize(ports * priorities);
    for (QueueIndex queue; queue < chip.wred_of_queue.end_index(); ++queue)
      if (const auto drawn = random_.uniform(profiles + 1); drawn != 0)
        chip.wred_of_queue[queue] = WredProfileIndex{drawn - 1};
    // Of the two queues with most packets the first mostly has a profile, the last has none.
    for (unsigned p = 0; p < ports; ++p) {
      if (busy_ || random_.uniform(8) != 0)
        chip.wred_of_queue[index(p, 0)] = WredProfileIndex{random_.uniform(profiles)};
      if (random_.uniform(4) != 0) chip.wred_of_queue[index(p, 7)].reset();
    }
    return chip;
  }

  WredProfile draw_profile() {
    static constexpr std::array<std::uint32_t, 6> chances{1, 2, 255, 32768, 65535, 65536};
    const std::uint64_t few = std::min<std::uint64_t>(max_cells, std::uint64_t{4} * longest);
    const std::uint64_t range = std::array<std::uint64_t, 6>{
        8, few, few, few, max_cells, greatest_limit}[random_.uniform(6)];
    const auto min = random_.uniform(16) == 0
                         ? greatest_limit
                         : static_cast<std::uint32_t>(random_.uniform(range + 1));
    const std::uint64_t width =
        std::array<std::uint64_t, 4>{0, 1, random_.uniform(range), few}[random_.uniform(4)];
    WredProfile profile;
    profile.min = Cells{min};
    profile.max = Cells{
        static_cast<std::uint32_t>(min + std::min<std::uint64_t>(width, greatest_limit - min))};
    profile.probability = random_.uniform(2) == 0
                              ? chances[random_.uniform(chances.size())]
                              : static_cast<std::uint32_t>(1 + random_.uniform(65536));
    profile.mark = random_.uniform(4) != 0;
    profile.drop = random_.uniform(4) != 0;
    profile.at = random_.uniform(3) == 0 ? WredPoint::enqueue : WredPoint::dequeue;
    if (busy_) {
      profile.min = Cells{2};
      profile.max = Cells{max_cells};
      profile.mark = profile.drop = true;
      profile.at = random_.uniform(3) == 0 ? WredPoint::enqueue : WredPoint::dequeue;
    }
    return profile;
  }

  // ---- Reset and settings
  void start() {
    clear_pin(bench_->arr_valid_i);
    bench_->dep_valid_i = 0;
    clear_pin(bench_->clear_i);
    bench_->rd_valid_i = 0;
    bench_.reset(1 + static_cast<int>(random_.uniform(3)));
    board_.compare(state_, 1, bench_->state_o);
    bench_.clock();
    for (unsigned n = 0; n < profiles; ++n)
      set_profile(bench_->cfg_profile_i, n, chip_.wred_profiles[WredProfileIndex{n}]);
    for (std::uint8_t n = 0; n < priorities; ++n) {
      const auto& profile = chip_.wred_of_queue[index(port_, n)];
      set_bits(bench_->map_i, n * map_bits, map_bits, profile ? profile->value() + 1 : 0);
    }
    bench_->polynomial_i = chip_.draw_polynomial;
    bench_->seed_i = marker_->first_draw_state_of(port_id(port_));
    bench_->load_i = 1;
    bench_.settle();
    bench_.clock();
    bench_->load_i = 0;
    bench_->seed_i = static_cast<std::uint32_t>(random_.next());  // it counts with load_i alone
    packets_ = {};
    answers_ = {};
    reads_ = {};
    tally_ = {};
  }

  static QueueIndex index(unsigned port, std::uint8_t queue) {
    return queue_index(port_id(port), Priority{queue});
  }

  // ---- A cycle
  void cycle() {
    board_.cycle(now_);
    const std::uint32_t state = draw_state();
    std::array<std::uint32_t, priorities> waited{};
    for (std::uint8_t n = 0; n < priorities; ++n)
      waited[n] = marker_->waiting(index(port_, n)).count();
    const std::array<Answer, steps> answers = ask_all();
    const Read read = draw_read(waited);
    const bool clear = !same_ && random_.uniform(1'000) == 0;
    for (unsigned x = 0; x < steps; ++x) set_bits(bench_->clear_i, x, 1, clear);
    bench_.settle();
    board_.compare(state_, state, bench_->state_o);
    compare();
    if (clear) tally_ = {};
    count();
    answers_[now_ % answer_latency] = answers;
    reads_[now_ % read_latency] = read;
    bench_.clock();
  }

  // All packets of the cycle, at the pins and at the core.
  std::array<Answer, steps> ask_all() {
    std::array<Answer, steps> answers{};
    unsigned drew = 0;
    for (unsigned x = 0; x < steps; ++x) {
      const std::uint32_t before = draw_state();
      packets_[x] = x < slots ? draw_arrival(port_) : draw_departure(port_);
      set_packet(x, packets_[x]);
      answers[x] = ask(packets_[x]);
      drew += draw_state() != before ? 1 : 0;
    }
    board_.hit_if(drew >= 2, two_draws_);
    board_.hit_if(drew == steps, all_draw_);
    return answers;
  }

  // A packet at another port of the core, which this one must not notice.
  void others() {
    const unsigned other = (port_ + 1 + static_cast<unsigned>(random_.uniform(ports - 1))) % ports;
    const Packet packet = random_.uniform(2) == 0 ? draw_arrival(other) : draw_departure(other);
    const QueueIndex queue = index(other, packet.queue);
    const bool fits = packet.act == Act::enters || packet.act == Act::comes ||
                      Cells{packet.cells} <= marker_->waiting(queue);
    if (packet.act != Act::nothing && marker_->has_profile(queue) && fits)
      static_cast<void>(act(queue, packet, Cells{packet.cells}));
  }

  [[nodiscard]] std::uint32_t draw_state() const { return marker_->draw_state(port_id(port_)); }

  void compare() {
    const auto& answers = answers_[now_ % answer_latency];
    for (unsigned k = 0; k < slots; ++k)
      board_.compare(hit_, answers[k].hit, bits(bench_->arr_hit_o, k, 1), k);
    board_.compare(mark_, answers[slots].hit, bench_->dep_mark_o);
    board_.compare(error_, answers[slots].error, bench_->dep_error_o);
    const Read& read = reads_[now_ % read_latency];
    board_.compare(read_valid_, read.valid, bench_->rd_valid_o);
    if (read.valid) board_.compare(data_, read.value, bench_->rd_data_o);
  }

  // The answers of this cycle count from the next one on.
  void count() {
    for (const Answer& answer : answers_[now_ % answer_latency])
      for (unsigned f = 0; f < 3; ++f)
        tally_[answer.queue][f] =
            (tally_[answer.queue][f] + answer.counts[f]) & low_bits(stat_bits);
  }

  Read draw_read(const std::array<std::uint32_t, priorities>& waited) {
    const auto queue = static_cast<std::uint8_t>(random_.uniform(priorities));
    const auto field = static_cast<unsigned>(random_.uniform(fields));
    const bool valid = random_.uniform(4) != 0;
    bench_->rd_valid_i = valid;
    bench_->rd_queue_i = queue;
    bench_->rd_field_i = static_cast<std::uint8_t>(field);
    return {valid, field < 3 ? tally_[queue][field] : waited[queue]};
  }

  // ---- Packets
  std::uint8_t draw_queue() {
    static constexpr std::array<std::uint8_t, 8> often{0, 0, 0, 1, 1, 2, 3, 7};
    return random_.uniform(8) == 0 ? static_cast<std::uint8_t>(random_.uniform(priorities))
                                   : often[random_.uniform(often.size())];
  }

  [[nodiscard]] const WredProfile& profile_of(QueueIndex queue) const {
    return chip_.wred_profiles[marker_->profile_of(queue)];
  }

  // A count of cells next to an edge of the queue's profile.
  std::uint32_t near_an_edge(QueueIndex queue) {
    const WredProfile& profile = profile_of(queue);
    const std::uint32_t edge = random_.uniform(2) == 0 ? profile.min.count() : profile.max.count();
    return edge - (edge > 0 && random_.uniform(2) == 0 ? 1 : 0);
  }

  // Where the profile marks at enqueue, those that enter draw; else those that come and that leave.
  Packet draw_busy(unsigned p, bool arrival) {
    Packet packet = draw_packet();
    const QueueIndex queue = index(p, 0);
    const std::uint32_t q = marker_->waiting(queue).count();
    const bool at_enqueue = profile_of(queue).at == WredPoint::enqueue;
    const bool grows = q < max_cells / 2
                           ? at_enqueue || random_.uniform(2) == 0
                           : at_enqueue && q + 2 < max_cells && random_.uniform(4) == 0;
    packet.queue = 0;
    packet.cells = 1 + q % 2;
    packet.lossless = false;
    packet.ecn = arrival && !at_enqueue ? Ecn::not_ect : Ecn::ect0;
    if (arrival)
      packet.act = grows ? Act::enters : Act::comes;
    else
      packet.act = q < 10 || random_.uniform(2) == 0 ? Act::nothing : Act::leaves;
    return packet;
  }

  // The queue fills with the longest packets up to all its cells; then those that leave take more
  // than come.
  Packet draw_same(bool arrival) {
    Packet packet = draw_packet();
    const std::uint32_t q = marker_->waiting(index(port_, same_->queue)).count();
    if (q + (slots + 1) * longest > max_cells) filling_ = false;
    if (q < longest) filling_ = true;
    packet.queue = same_->queue;
    packet.bytes = static_cast<std::uint32_t>(low_bits(byte_bits));
    packet.lossless = false;
    packet.ecn = same_->act == Act::comes ? Ecn::not_ect : Ecn::ect0;
    packet.cells = filling_ == arrival ? longest : 1;
    if (arrival)
      packet.act = q == 0 ? Act::enters : same_->act;
    else
      packet.act = same_->act == Act::enters && q > longest ? Act::leaves : Act::nothing;
    return packet;
  }

  Packet draw_arrival(unsigned p) {
    if (same_) return draw_same(true);
    if (busy_) return draw_busy(p, true);
    Packet packet = draw_packet();
    const QueueIndex queue = index(p, packet.queue);
    if (random_.uniform(filling_ ? 4 : 2) == 0) return packet;
    packet.act = random_.uniform(3) == 0 ? Act::comes : Act::enters;
    packet.cells = static_cast<std::uint32_t>(1 + random_.uniform(longest));
    if (packet.act == Act::comes || !marker_->has_profile(queue)) return packet;
    const std::uint32_t q = marker_->waiting(queue).count();
    const std::uint32_t room = max_cells - q;
    const bool over = profile_of(queue).max <= Cells{q};  // mostly it is to shrink then
    if (room == 0 || (over && random_.uniform(4) != 0)) packet.act = Act::comes;
    packet.cells = std::min(packet.cells, std::max(room, 1U));
    if (const std::uint32_t to = near_an_edge(queue);
        random_.uniform(2) == 0 && to > q && to - q <= std::min(longest, room))
      packet.cells = to - q;
    return packet;
  }

  Packet draw_departure(unsigned p) {
    if (same_) return draw_same(false);
    if (busy_) return draw_busy(p, false);
    Packet packet = draw_packet();
    const QueueIndex queue = index(p, packet.queue);
    if (random_.uniform(filling_ ? 3 : 8) == 0) return packet;
    packet.act = random_.uniform(8) == 0 ? Act::discarded : Act::leaves;
    packet.cells = static_cast<std::uint32_t>(1 + random_.uniform(longest));
    if (!marker_->has_profile(queue)) return packet;
    const std::uint32_t q = marker_->waiting(queue).count();
    if (q < longest && random_.uniform(16) == 0) {  // more than waits, by one or by more
      packet.cells =
          q + 1 + static_cast<std::uint32_t>(random_.uniform(2) * random_.uniform(longest - q));
      return packet;
    }
    const bool below = Cells{q} < profile_of(queue).min;  // mostly it is to grow then
    if (q == 0 || (below && random_.uniform(4) != 0)) packet.act = Act::nothing;
    packet.cells = std::max(1U, std::min(packet.cells, q));
    if (const std::uint32_t to = near_an_edge(queue);
        random_.uniform(2) == 0 && to < q && q - to <= longest)
      packet.cells = q - to;
    return packet;
  }

  Packet draw_packet() {
    Packet packet;
    packet.queue = draw_queue();
    packet.bytes = static_cast<std::uint32_t>(1 + random_.uniform(low_bits(byte_bits)));
    packet.ecn = static_cast<Ecn>(random_.uniform(2) * random_.uniform(4));
    packet.lossless = random_.uniform(8) == 0;
    return packet;
  }

  // ---- The core
  Answer ask(const Packet& packet) {
    Answer answer;
    answer.queue = packet.queue;
    const QueueIndex queue = index(port_, packet.queue);
    if (packet.act == Act::nothing) return answer;
    board_.hit_if(!marker_->has_profile(queue), no_profile_);
    if (!marker_->has_profile(queue)) return answer;
    const WredCounters before = marker_->counters(queue);
    const Cells q = marker_->waiting(queue), n{packet.cells};
    const std::uint32_t state = draw_state();
    try {
      answer.hit = act(queue, packet, n);
    } catch (const ModelError&) {
      answer.error = true;
      board_.hit(overdrawn_);
      return answer;
    }
    const WredCounters& now = marker_->counters(queue);
    answer.counts = {now.marked_packets - before.marked_packets,
                     (now.marked_bytes - before.marked_bytes).count(),
                     now.dropped - before.dropped};
    cover(packet, queue, packet.act == Act::leaves ? q - n : q, answer.hit, state != draw_state());
    return answer;
  }

  bool act(QueueIndex queue, const Packet& packet, Cells n) {
    const Bytes length{packet.bytes};
    switch (packet.act) {
      case Act::comes:
        return marker_->drops(queue, packet.ecn, packet.lossless);
      case Act::enters:
        return marker_->enters(queue, n, length, packet.ecn);
      case Act::leaves:
        return marker_->leaves(queue, n, length, packet.ecn);
      default:
        marker_->discards(queue, n);
        return false;
    }
  }

  // ---- Pins
  // Of a packet that does nothing the other pins carry what was drawn.
  void set_packet(unsigned x, const Packet& packet) {
    const bool valid = packet.act != Act::nothing;
    if (x < slots) {
      set_bits(bench_->arr_valid_i, x, 1, valid);
      set_bits(bench_->arr_enters_i, x, 1, packet.act == Act::enters);
      set_bits(bench_->arr_queue_i, x * 3, 3, packet.queue);
      set_bits(bench_->arr_cells_i, x * len_bits, len_bits, packet.cells);
      set_bits(bench_->arr_bytes_i, x * byte_bits, byte_bits, packet.bytes);
      set_bits(bench_->arr_ect_i, x, 1, is_ect(packet.ecn));
      set_bits(bench_->arr_lossless_i, x, 1, packet.lossless);
      return;
    }
    bench_->dep_valid_i = valid;
    bench_->dep_sent_i = packet.act == Act::leaves;
    bench_->dep_queue_i = packet.queue;
    assign(bench_->dep_cells_i, packet.cells);
    assign(bench_->dep_bytes_i, packet.bytes);
    bench_->dep_ect_i = is_ect(packet.ecn);
  }

  // ---- What has happened
  void cover(const Packet& packet, QueueIndex queue, Cells q, bool hit, bool drew) {
    const WredProfile& profile = profile_of(queue);
    board_.hit_if(drew && hit, drawn_hit_);
    board_.hit_if(drew && !hit, drawn_pass_);
    board_.hit_if(packet.act == Act::discarded, discarded_);
    if (profile.min == profile.max || !(hit || drew || q < profile.min)) return;
    const std::size_t kind = packet.act == Act::comes ? 0 : packet.act == Act::enters ? 1 : 2;
    board_.hit_if(q + Cells{1} == profile.min, edges_[kind][0]);
    board_.hit_if(q == profile.min, edges_[kind][1]);
    board_.hit_if(q + Cells{1} == profile.max, edges_[kind][2]);
    board_.hit_if(q == profile.max, edges_[kind][3]);
  }

  std::array<std::array<Scoreboard::Point, 4>, 3> make_edges() {
    std::array<std::array<Scoreboard::Point, 4>, 3> points{};
    static constexpr std::array<const char*, 3> kinds{"comes", "enters", "leaves"};
    static constexpr std::array<const char*, 4> edges{"min - 1", "min", "max - 1", "max"};
    for (std::size_t k = 0; k < kinds.size(); ++k)
      for (std::size_t e = 0; e < edges.size(); ++e)
        points[k][e] = board_.point(std::string{"one that "} + kinds[k] + " at q = " + edges[e]);
    return points;
  }

  [[nodiscard]] std::string format_inputs() const {
    static constexpr std::array<const char*, 5> acts{"-", "comes", "enters", "leaves",
                                                     "is discarded"};
    std::ostringstream text;
    text << "port " << port_ << ": ";
    for (const Packet& packet : packets_)
      text << "queue " << unsigned{packet.queue} << " "
           << acts[static_cast<std::size_t>(packet.act)] << " " << packet.cells << " cells "
           << packet.bytes << " bytes ecn " << static_cast<unsigned>(packet.ecn)
           << (packet.lossless ? " lossless" : "") << "; ";
    return text.str();
  }

  RandomStream random_;
  Chip chip_;
  std::optional<EcnMarker> marker_;
  Bench<Model> bench_;
  std::array<Packet, steps> packets_{};
  std::array<std::array<Answer, steps>, answer_latency> answers_{};  // by cycle
  std::array<Read, read_latency> reads_{};
  std::array<std::array<std::uint64_t, 3>, priorities> tally_{};  // of the answers so far
  bool filling_{true}, busy_{false};
  std::optional<Same> same_;  // of a round of one kind
  unsigned port_{0};
  std::uint64_t now_{0};
  Scoreboard board_{"ecn_marker", [this] { return format_inputs(); }};
  const Scoreboard::Output hit_{board_.output("arr_hit_o")}, mark_{board_.output("dep_mark_o")},
      error_{board_.output("dep_error_o")}, state_{board_.output("state_o")},
      read_valid_{board_.output("rd_valid_o")}, data_{board_.output("rd_data_o")};
  const Scoreboard::Point two_draws_{board_.point("two draws of a cycle")},
      all_draw_{board_.point("all packets of a cycle draw")},
      drawn_hit_{board_.point("a draw below P")}, drawn_pass_{board_.point("a draw from P on")},
      no_profile_{board_.point("a queue without a profile")},
      discarded_{board_.point("a packet discarded")},
      overdrawn_{board_.point("more cells leave than wait")};
  const std::array<std::array<Scoreboard::Point, 4>, 3> edges_{make_edges()};
};

template <class Lockstep>
void expect_equal(std::uint64_t seed, std::uint64_t rounds, std::uint64_t cycles) {
  Lockstep lockstep{seed};
  try {
    for (std::uint64_t n = 0; n < lockstep_cycles(rounds); ++n) lockstep.round(cycles, n % 8 == 7);
  } catch (const Difference& difference) {
    FAIL() << difference.what();
  }
  EXPECT_EQ(lockstep.board().complaints(), "");
}

TEST(EcnMarker, TwoDomainsAnswerAsTheCore) {
  expect_equal<MarkerLockstep<Vmarker_2, 2, 3, 8, 7, 6, 6>>(1, 600, 1'000);
}
TEST(EcnMarker, OneLaneAnswersAsTheCore) {
  expect_equal<MarkerLockstep<Vmarker_1, 1, 1, 17, 8, 14, 48>>(2, 1'500, 1'000);
}
TEST(EcnMarker, EightPacketsOfACycleAnswerAsTheCore) {
  expect_equal<MarkerLockstep<Vmarker_8, 8, 4, 12, 4, 14, 32>>(3, 200, 1'000);
}
TEST(EcnMarker, TheWidestCountsAnswerAsTheCore) {
  expect_equal<MarkerLockstep<Vmarker_24, 2, 2, 24, 24, 32, 64>>(4, 600, 1'000);
}

// The shape that a port of weir_mmu has where twelve packets may come: random rounds, then counts
// of 2^16 packets and more of each of them.
TEST(EcnMarker, TwelvePacketsOfACycleAnswerAndCountAsTheCore) {
  MarkerLockstep<Vmarker_12, 12, 3, 18, 8, 14, 48> lockstep{6};
  EXPECT_EQ(
      difference_in([&] {
        for (std::uint64_t n = 0; n < lockstep_cycles(100); ++n) lockstep.round(1'000, n % 8 == 7);
        constexpr std::uint64_t most = 70'000;
        lockstep.round_of_one_kind(most, {Act::comes, WredPoint::enqueue, 0, 1});
        lockstep.round_of_one_kind(most, {Act::enters, WredPoint::enqueue, 0, 1});
        lockstep.round_of_one_kind(most, {Act::enters, WredPoint::dequeue, 0, 1});
        for (std::uint8_t queue = 0; queue < priorities; ++queue)
          lockstep.round_of_one_kind(2'000, {Act::enters, WredPoint::enqueue, queue, 1U << 18});
      }),
      "");
  EXPECT_EQ(lockstep.board().short_run_complaints(), "");
}

/// The state that makes sixteen shifts to `state`. Range: a polynomial with its highest bit.
std::uint32_t state_before(std::uint32_t state, std::uint32_t polynomial) {
  for (int n = 0; n < 16; ++n)
    state = (state >> 31) != 0 ? ((state ^ polynomial) << 1) | 1U : state << 1;
  return state;
}

/// One queue of the widest shape, asked with any q and any draw.
class ChosenDraw {
 public:
  ChosenDraw() {
    bench_.reset();
    bench_->polynomial_i = default_draw_polynomial;
    set_bits(bench_->map_i, 0, 2, 1);
  }

  /// Whether a packet that comes is dropped while `q` cells wait and the port draws `draw`.
  [[nodiscard]] bool drops(const WredProfile& profile, std::uint32_t q, std::uint32_t draw) {
    set_profile(bench_->cfg_profile_i, 0, profile);
    const std::uint32_t state = 0x5a5a'0000U | draw;
    bench_->seed_i = state_before(state, default_draw_polynomial);
    bench_->load_i = 1;
    arrive(true, q);
    bench_->load_i = 0;
    arrive(false, 1);
    EXPECT_EQ(bench_->state_o, state) << "this q draws";
    bench_->arr_valid_i = 0;
    bench_->dep_valid_i = 1;
    bench_->dep_cells_i = q;
    bench_.clock();
    bench_->dep_valid_i = 0;
    return bits(bench_->arr_hit_o, 0, 1) != 0;
  }

 private:
  void arrive(bool enters, std::uint32_t cells) {
    bench_->arr_valid_i = 1;
    bench_->arr_enters_i = enters;
    set_bits(bench_->arr_cells_i, 0, 24, cells);
    bench_.clock();
  }
  Bench<Vmarker_24> bench_;
};

TEST(EcnMarker, ADrawOfOneLessThanPHitsAndADrawOfPDoesNot) {
  ChosenDraw rtl;
  RandomStream random{lockstep_first_round() + 5, "chosen draws"};
  unsigned least = 0, most = 0;  // P = 0, P = 2^16
  for (std::uint64_t n = 0; n < lockstep_cycles(20'000); ++n) {
    const std::uint64_t range = std::uint64_t{1} << (1 + random.uniform(24));
    const auto width = static_cast<std::uint32_t>(1 + random.uniform(range));
    const auto min = static_cast<std::uint32_t>(random.uniform((1U << 24) - width + 1));
    WredProfile profile;
    profile.min = Cells{min};
    profile.max = Cells{min + width};
    profile.probability =
        random.uniform(4) == 0 ? 65536U : static_cast<std::uint32_t>(1 + random.uniform(65536));
    profile.mark = false;
    profile.drop = true;
    const auto q = static_cast<std::uint32_t>(
        min + (random.uniform(4) == 0 ? width - 1 : random.uniform(width)));
    const std::uint32_t chance = WredLine{profile}.at(Cells{q});
    const auto what = [&] {
      std::ostringstream text;
      text << "min " << min << " max " << min + width << " probability " << profile.probability
           << " q " << q << " P " << chance;
      return text.str();
    };
    if (chance > 0) {
      ASSERT_TRUE(rtl.drops(profile, q, chance - 1)) << what();
    }
    if (chance < 65536) {
      ASSERT_FALSE(rtl.drops(profile, q, chance)) << what();
    }
    least += chance == 0 ? 1 : 0;
    most += chance == 65536 ? 1 : 0;
  }
  EXPECT_GT(least, 0U);
  EXPECT_GT(most, 0U) << "a P of 2^16 at max - 1";
}

}  // namespace
}  // namespace weir::test
