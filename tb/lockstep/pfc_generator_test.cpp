// SPDX-License-Identifier: Apache-2.0
// rtl: generator_512_2 = pfc_generator AxisW=512 PfcLatency=2
// rtl: generator_512_0 = pfc_generator AxisW=512 PfcLatency=0
// rtl: generator_256_5 = pfc_generator AxisW=256 PfcLatency=5
// rtl: generator_128_1 = pfc_generator AxisW=128 PfcLatency=1
// rtl: generator_64_2 = pfc_generator AxisW=64 PfcLatency=2
// rtl: generator_no_fcs_512 = pfc_generator AxisW=512 PfcLatency=2 FcsInStream=0
// rtl: generator_no_fcs_128 = pfc_generator AxisW=128 PfcLatency=2 FcsInStream=0
#include "weir/core/pfc/pfc_generator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <sstream>
#include <vector>

#include "Vgenerator_128_1.h"
#include "Vgenerator_256_5.h"
#include "Vgenerator_512_0.h"
#include "Vgenerator_512_2.h"
#include "Vgenerator_64_2.h"
#include "Vgenerator_no_fcs_128.h"
#include "Vgenerator_no_fcs_512.h"
#include "lockstep/bench.hpp"
#include "lockstep/pcap_file.hpp"
#include "lockstep/pfc_octets.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/generator_reference.hpp"

namespace weir::test {
namespace {

constexpr Picoseconds clock_1ghz{1000};
constexpr BitRate rate_800g{800'000'000'000};  // a quantum is 0.64 cycles
using Address = PfcGenerator::Address;
constexpr Address own_address{0x02, 0, 0, 0, 0x0a, 0xfe};

/// Inputs of one cycle.
struct Stimulus {
  std::uint8_t xoff{0};  ///< Bit n: priority group n.
  bool changed{false};
  bool start{false};
  bool ready{true};
  std::uint64_t within{0};  ///< When in the cycle the MAC starts; for the core alone. ps
};

/// One Verilated generator, the core's, and the `latency` cycles that the RTL adds to the core's.
template <class Model, unsigned width, unsigned latency, bool fcs = true>
class GeneratorLockstep {
 public:
  using Map = std::array<std::uint8_t, priorities>;

  explicit GeneratorLockstep(BitRate rate = rate_800g, Map pg_of_class = {0, 1, 2, 3, 4, 5, 6, 7},
                             Picoseconds clock = clock_1ghz, Address source = own_address)
      : clock_{clock}, base_{rate, clock}, pg_of_class_{pg_of_class}, source_{source} {
    for (unsigned n = 0; n < priorities; ++n)
      set_bits(bench_->pg_of_class_i, n * 3U, 3, pg_of_class_[n]);
    bench_->step_i = static_cast<std::uint32_t>(base_.step());
    for (unsigned n = 0; n < source.size(); ++n)
      set_bits(bench_->source_i, 40 - 8 * n, 8, source[n]);
    bench_->source_fcs_i = source_fcs(source);
    set_quanta(Quanta{100});
    bench_.reset();
  }

  void set_quanta(Quanta quanta) {
    board_.hit_if(core_.core().last_sent() != 0 && quanta != core_.core().quanta(),
                  quanta_changed_);
    core_.set_quanta(quanta);
    bench_->quanta_i = quanta.count();
  }

  void cycle(const Stimulus& in) {
    board_.hit_if(in.changed && in.xoff == in_.xoff, twice_);
    bench_->xoff_before_i = in_.xoff;
    bench_->xoff_turned_i = octet(in.xoff ^ in_.xoff);
    in_ = in;
    bench_->changed_i = in.changed;
    bench_->start_i = in.start;
    bench_->m_axis_pfc_tready_i = in.ready;
    bench_.settle();
    board_.cycle(bench_.cycles());
    look();
    compare_stream();
    compare_request();
    cover();
    end();
    bench_.clock();
    ++now_;
  }

  /// Holds `level`, without a start, until a request comes or `limit` cycles are over.
  unsigned cycles_to_request(std::uint8_t level, unsigned limit) {
    for (unsigned k = 0; k < limit; ++k) {
      if (core_.request()) return k;
      cycle({level, false, false, true, 0});
    }
    return limit;
  }

  void reset() {
    bench_.reset();
    core_ = reference(core_.core().quanta());
    in_ = {};
    collected_.clear();
    board_.hit(reset_);
  }

  /// Whether a frame was requested and not started in the last cycle.
  [[nodiscard]] bool request() const { return core_.request(); }
  /// All frames that started, in order.
  [[nodiscard]] const std::vector<PfcFrame>& frames() const { return frames_; }
  /// Octets of all complete frames.
  [[nodiscard]] const std::vector<PfcFrameBytes>& octets() const { return octets_; }
  [[nodiscard]] Picoseconds clock() const { return clock_; }
  [[nodiscard]] std::string complaints() const { return board_.complaints(); }

 private:
  [[nodiscard]] std::uint8_t classes() const {
    unsigned mask = 0;
    for (unsigned n = 0; n < priorities; ++n) mask |= (in_.xoff >> pg_of_class_[n] & 1U) << n;
    return octet(mask);
  }

  void look() {
    const bool waited = core_.requested();
    core_.begin(now_, classes(), in_.changed);
    board_.hit_if(core_.looks() && !waited && !core_.requested(), back_in_time_);
  }

  void compare_request() {
    board_.compare(request_o_, core_.request(), bench_->request_o);
    board_.compare(ready_o_, core_.ready(in_.ready), bench_->start_ready_o);
    board_.compare(sends_o_, core_.enable() != 0, bench_->start_sends_o);
  }

  void cover() {
    const bool request = core_.request();
    board_.hit_if(core_.refresh() && !core_.requested(), refresh_alone_);
    board_.hit_if(core_.refresh() && core_.requested(), refresh_and_change_);
    board_.hit_if(in_.start && !request, unasked_);
    board_.hit_if(in_.start && request && !core_.ready(in_.ready), not_ready_);
    board_.hit_if(!in_.start && request, kept_);
    board_.hit_if(core_.valid() && !in_.ready, stalled_);
  }

  void end() {
    const std::uint8_t sent = core_.core().last_sent();
    const bool starts = in_.start && core_.request() && core_.ready(in_.ready);
    const std::optional<PfcFrame> frame = core_.end(in_.start, in_.ready, Picoseconds{in_.within});
    if (!starts) return;
    board_.hit_if(!frame, nothing_);
    board_.hit_if(in_.changed, in_start_cycle_);
    board_.hit_if(now_ == last_start_ + 1 && frame, next_cycle_);
    last_start_ = now_;
    if (!frame) return;
    board_.hit_if(classes() == 0, xon_);
    board_.hit_if((classes() & ~sent) != 0 && (sent & ~classes()) != 0, xon_and_xoff_);
    board_.hit_if(classes() == 0xff, all_);
    frames_.push_back(*frame);
  }

  void compare_stream() {
    board_.compare(valid_o_, core_.valid(), bench_->m_axis_pfc_tvalid_o);
    if (!core_.valid()) return;
    for (unsigned k = 0; k < width / 8; ++k) {
      const std::uint64_t actual = bits(bench_->m_axis_pfc_tdata_o, k * 8U, 8);
      board_.compare(data_o_, core_.beat()[k], actual, k);
      if (in_.ready && (core_.keep() >> k & 1U) != 0) collected_.push_back(octet(actual));
    }
    board_.compare(keep_o_, core_.keep(), bits(bench_->m_axis_pfc_tkeep_o, 0, width / 8));
    board_.compare(last_o_, core_.last_beat(), bench_->m_axis_pfc_tlast_o);
    if (!in_.ready || !core_.last_beat()) return;
    if (!fcs) collected_ = with_fcs(collected_);  // as the MAC does
    octets_.emplace_back();
    ASSERT_EQ(collected_.size(), octets_.back().size()) << "tlast must end a frame of 64 octets";
    std::copy(collected_.begin(), collected_.end(), octets_.back().begin());
    collected_.clear();
  }

  [[nodiscard]] std::string inputs() const {
    std::ostringstream text;
    text << std::boolalpha << "xoff " << unsigned{in_.xoff} << " changed " << in_.changed
         << " start " << in_.start << " ready " << in_.ready << " quanta "
         << core_.core().quanta().count() << "; last sent " << unsigned{core_.core().last_sent()};
    return text.str();
  }

  [[nodiscard]] GeneratorReference reference(Quanta quanta) const {
    return {base_, clock_, quanta, source_, width, latency, fcs};
  }

  Bench<Model> bench_;
  Picoseconds clock_;
  CycleTimeBase base_;
  Map pg_of_class_;
  Address source_;
  GeneratorReference core_{reference(Quanta{100})};
  Stimulus in_;
  std::uint64_t now_{0}, last_start_{~std::uint64_t{0} - 1};
  std::vector<PfcFrame> frames_;
  std::vector<std::uint8_t> collected_;
  std::vector<PfcFrameBytes> octets_;

  Scoreboard board_{"pfc_generator AxisW " + std::to_string(width) + ", latency " +
                        std::to_string(latency) + (fcs ? "" : ", no FCS"),
                    [this] { return inputs(); }};
  const Scoreboard::Output request_o_ = board_.output("request_o");
  const Scoreboard::Output ready_o_ = board_.output("start_ready_o");
  const Scoreboard::Output sends_o_ = board_.output("start_sends_o");
  const Scoreboard::Output valid_o_ = board_.output("tvalid");
  const Scoreboard::Output data_o_ = board_.output("tdata");
  const Scoreboard::Output keep_o_ =
      fcs || width == 512 ? board_.still_output("tkeep", "64 octets fill every beat, or 60 are one")
                          : board_.output("tkeep");
  const Scoreboard::Output last_o_ =
      width < 512 ? board_.output("tlast") : board_.still_output("tlast", "a frame is one beat");
  const Scoreboard::Point back_in_time_ = board_.point("a change is taken back within the latency");
  const Scoreboard::Point nothing_ = board_.point("started with nothing left to say");
  const Scoreboard::Point xon_ = board_.point("XON of all classes");
  const Scoreboard::Point xon_and_xoff_ = board_.point("XON and XOFF in one frame");
  const Scoreboard::Point all_ = board_.point("all eight classes XOFF");
  const Scoreboard::Point refresh_alone_ = board_.point("refresh due, nothing else");
  const Scoreboard::Point refresh_and_change_ = board_.point("refresh due while a change waits");
  const Scoreboard::Point twice_ = board_.point("a level turned twice in a cycle");
  const Scoreboard::Point in_start_cycle_ = board_.point("a level changes in the start cycle");
  const Scoreboard::Point unasked_ = board_.point("start without a request");
  const Scoreboard::Point kept_ = board_.point("the request is kept while the MAC is busy");
  const Scoreboard::Point stalled_ = board_.point("a beat waits for tready");
  const Scoreboard::Point not_ready_ = board_.point("start while a frame is still here");
  const Scoreboard::Point quanta_changed_ = board_.point("quanta change while a class is XOFF");
  const Scoreboard::Point reset_ = board_.point("reset in the middle");
  // Only a frame of one beat can follow in the next cycle.
  const Scoreboard::Point next_cycle_ = width == 512 ? board_.point("a start every cycle") : kept_;
};

/// Each rule of docs/blocks/pfc_generator.md by itself.
template <class Lockstep>
void corners(Lockstep& step, unsigned latency, unsigned beats) {
  const auto drain = [&] {
    for (unsigned k = 0; k <= beats; ++k) step.cycle({});
  };
  step.cycle({8, true, false, true, 0});  // XOFF of 3
  EXPECT_EQ(step.cycles_to_request(8, 20), latency);
  step.cycle({8, false, true, true, 999});
  EXPECT_EQ(step.frames().size(), 1U);
  step.cycle({0, true, false, true, 0});  // XON of 3, XOFF of 4 before the MAC looks
  for (unsigned k = 0; k < latency + beats + 3; ++k) step.cycle({16, k == 0, false, k > 2, 0});
  step.cycle({16, false, true, true, 0});
  EXPECT_EQ(step.frames().size(), 2U);
  EXPECT_EQ(step.frames().back().class_enable, 24);
  step.cycle({0, true, false, true, 0});
  for (unsigned k = 0; k < latency + beats; ++k) step.cycle({});
  step.cycle({0, false, true, true, 1});
  EXPECT_EQ(step.frames().size(), 3U);
  drain();
  // XOFF and back while the MAC is busy: a request, but nothing left to send.
  step.cycle({1, true, false, true, 0});
  for (unsigned k = 0; k < latency; ++k) step.cycle({1, false, false, true, 0});
  step.cycle({0, true, false, true, 0});
  for (unsigned k = 0; k < latency; ++k) step.cycle({});
  EXPECT_TRUE(step.request());
  step.cycle({0, false, true, true, 0});
  EXPECT_EQ(step.frames().size(), 3U);
  drain();
  EXPECT_FALSE(step.request());
}

template <class Lockstep>
void send_all_classes(Lockstep& step, unsigned latency, unsigned beats) {
  step.cycle({0xff, true, false, true, 0});
  for (unsigned k = 0; k < latency + beats; ++k) step.cycle({0xff, false, false, true, 0});
  step.cycle({0xff, false, true, true, 500});
}

/// Values of the quanta, down to those whose refresh is due in the next cycle.
Quanta random_quanta(RandomStream& random) {
  switch (random.uniform(4)) {
    case 0:
      return Quanta{static_cast<std::uint16_t>(1 + random.uniform(4))};
    case 1:
      return Quanta{static_cast<std::uint16_t>(1 + random.uniform(65'535))};
    default:
      return Quanta{static_cast<std::uint16_t>(1 + random.uniform(150))};
  }
}

template <class Lockstep>
void traffic(Lockstep& step, int cycles, std::uint64_t seed, bool resets) {
  RandomStream random{seed, "generator"};
  std::uint8_t level = 0;
  std::uint64_t busy = 0, pace = 1, stalls = 0;
  for (int k = 0; k < cycles; ++k) {
    if (k % 500 == 0) {
      pace = 1 + random.uniform(60);   // cycles between changes, approximately
      stalls = random.uniform(3) * 4;  // cycles out of 10 without tready
    }
    Stimulus in;
    if (random.uniform(pace) == 0) {
      const std::uint64_t kind = random.uniform(8);
      level = kind == 0 ? 0xff : kind == 1 ? 0 : octet(level ^ 1U << random.uniform(8));
      in.changed = true;
    }
    in.changed = in.changed || random.uniform(50) == 0;  // changed twice: the level is what it was
    in.xoff = level;
    in.start = busy == 0 ? random.uniform(3) != 0 : random.uniform(20) == 0;
    busy = busy == 0 ? random.uniform(2) * random.uniform(12) : busy - 1;
    in.ready = random.uniform(10) >= stalls;
    in.within = random.uniform(step.clock().count());
    if (random.uniform(300) == 0) step.set_quanta(random_quanta(random));
    if (resets && random.uniform(static_cast<std::uint64_t>(cycles) / 4) == 0) step.reset();
    step.cycle(in);
  }
}

/// Reasons why the comparison is worthless; empty: none. A difference throws.
template <class Model, unsigned width, unsigned latency, bool fcs = true>
std::string complaints(BitRate rate) {
  {
    GeneratorLockstep<Model, width, latency, fcs> step;
    corners(step, latency, 512 / width);
  }
  GeneratorLockstep<Model, width, latency, fcs> step{rate,
                                                     {7, 0, 1, 4, 4, 2, 3, 5}};  // PG 6: no class
  send_all_classes(step, latency, 512 / width);
  step.reset();
  traffic(step, 40'000, width * 100 + latency, true);
  return step.complaints();
}

BitRate gbps(std::uint64_t rate) { return BitRate{rate * 1'000'000'000}; }

TEST(PfcGeneratorLockstep, OneBeatAtTheDefaultLatency) {
  EXPECT_EQ((complaints<Vgenerator_512_2, 512, 2>(gbps(800))), "");
}
TEST(PfcGeneratorLockstep, OneBeatWithoutLatency) {
  EXPECT_EQ((complaints<Vgenerator_512_0, 512, 0>(gbps(400))), "");
}
TEST(PfcGeneratorLockstep, TwoBeatsAtLatencyFive) {
  EXPECT_EQ((complaints<Vgenerator_256_5, 256, 5>(gbps(100))), "");
}
TEST(PfcGeneratorLockstep, FourBeatsAtLatencyOne) {
  EXPECT_EQ((complaints<Vgenerator_128_1, 128, 1>(gbps(200))), "");
}
TEST(PfcGeneratorLockstep, EightBeatsAtTheDefaultLatency) {
  EXPECT_EQ((complaints<Vgenerator_64_2, 64, 2>(gbps(800))), "");
}

TEST(PfcGeneratorLockstep, OneBeatWithoutTheFcs) {
  EXPECT_EQ((complaints<Vgenerator_no_fcs_512, 512, 2, false>(gbps(800))), "");
}
TEST(PfcGeneratorLockstep, FourBeatsWithoutTheFcs) {
  EXPECT_EQ((complaints<Vgenerator_no_fcs_128, 128, 2, false>(gbps(200))), "");
}

TEST(PfcGeneratorLockstep, WithTheFcsOfTheMacAFrameIsThatOfTheCore) {
  GeneratorLockstep<Vgenerator_no_fcs_128, 128, 2, false> step;
  traffic(step, 10'000, 1, false);
  for (int k = 0; k < 8; ++k) step.cycle({});
  ASSERT_EQ(step.octets().size(), step.frames().size());
  ASSERT_GT(step.frames().size(), 200U);
  for (std::size_t i = 0; i < step.frames().size(); ++i)
    EXPECT_EQ(step.octets()[i], encode(step.frames()[i])) << "frame " << i;
}

/// Steps of every width that the register has, and any source address. A difference throws.
void any_setup() {
  RandomStream random{5, "setup"};
  for (std::uint64_t n = 0; n < 60; ++n) {
    constexpr std::uint64_t rates[]{10, 100, 400, 1600};
    const Picoseconds clock{100 + random.uniform(std::uint64_t{1} << (1 + random.uniform(24)))};
    Address source{};
    for (std::uint8_t& value : source) value = octet(random.next());
    GeneratorLockstep<Vgenerator_512_2, 512, 2> step{
        gbps(rates[random.uniform(4)]), {0, 1, 2, 3, 4, 5, 6, 7}, clock, source};
    traffic(step, 1'000, n, false);
  }
}
TEST(PfcGeneratorLockstep, AnyStepAndAnySource) { EXPECT_EQ(difference_in(any_setup), ""); }

TEST(PfcGeneratorLockstep, TinyQuantaStartAFrameInEveryCycle) {
  GeneratorLockstep<Vgenerator_512_2, 512, 2> step;
  step.set_quanta(Quanta{1});
  step.cycle({8, true, false, true, 0});
  for (int k = 0; k < 102; ++k) step.cycle({8, false, true, true, 0});
  EXPECT_EQ(step.frames().size(), 101U) << "from the cycle of the request on, one in each";
  EXPECT_EQ(step.octets().size(), 100U) << "the last one comes out in the next cycle";
}

TEST(PfcGeneratorLockstep, QuantaOfExactlyOneStepAreDueInTheNextCycle) {
  GeneratorLockstep<Vgenerator_512_2, 512, 2> step{gbps(512)};  // a quantum a cycle
  step.set_quanta(Quanta{2});
  step.cycle({8, true, false, true, 0});
  for (int k = 0; k < 102; ++k) step.cycle({8, false, true, true, 0});
  EXPECT_EQ(step.frames().size(), 101U) << "half of two quanta after each start";
}

TEST(PfcGeneratorLockstep, TheLongestRefreshIsDueInItsCycleAndNotBefore) {
  GeneratorLockstep<Vgenerator_512_2, 512, 2> step;
  step.set_quanta(Quanta{65535});
  step.cycle({8, true, false, true, 0});
  for (int k = 0; k < 2; ++k) step.cycle({8, false, true, true, 0});
  ASSERT_EQ(step.frames().size(), 1U);
  EXPECT_EQ(step.cycles_to_request(8, 30'000), 20'972U)
      << "half of 65535 quanta of 0.64 cycles is 20971.2 cycles after the start, rounded up";
}

/// tshark must read what the RTL sent: class-enable vector and quanta of every class, and the FCS.
TEST(PfcGeneratorLockstep, TsharkReadsEveryFrameAsSent) {
  const std::string path = ::testing::TempDir() + "weir_pfc_generator_lockstep.pcap";
  GeneratorLockstep<Vgenerator_512_2, 512, 2> step;
  for (unsigned n = 0; n < priorities; ++n) {  // one class alone, with quanta of two octets
    step.set_quanta(Quanta{static_cast<std::uint16_t>(0x0102 * (n + 1))});
    const std::uint8_t level = octet(1U << n);
    step.cycle({level, true, false, true, 0});
    for (int k = 0; k < 3; ++k) step.cycle({level, false, true, true, 0});
  }
  traffic(step, 10'000, 1, false);
  for (int k = 0; k < 2; ++k) step.cycle({});
  ASSERT_EQ(step.octets().size(), step.frames().size());
  ASSERT_GT(step.frames().size(), 200U);
  {
    PcapFile file{path};
    for (const PfcFrameBytes& octets : step.octets()) file.write(octets.data(), octets.size());
  }
  const std::vector<PfcFields> read = tshark_pfc_fields(path);
  ASSERT_EQ(read.size(), step.frames().size()) << "frames that tshark takes for PFC";
  for (std::size_t i = 0; i < read.size(); ++i) {
    const PfcFrame& sent = step.frames()[i];
    EXPECT_EQ(read[i].destination, "01:80:c2:00:00:01") << "frame " << i;
    EXPECT_EQ(read[i].source, "02:00:00:00:0a:fe") << "frame " << i;
    EXPECT_TRUE(read[i].fcs_good) << "frame " << i;
    EXPECT_EQ(read[i].class_enable, sent.class_enable) << "frame " << i;
    for (std::size_t n = 0; n < priorities; ++n)
      EXPECT_EQ(read[i].time[n], sent.time[n].count()) << "frame " << i << ", class " << n;
  }
}

}  // namespace
}  // namespace weir::test
