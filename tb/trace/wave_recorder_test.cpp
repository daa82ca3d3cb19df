// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/wave/wave_recorder.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "support/event_log.hpp"
#include "support/small_network.hpp"
#include "support/vcd_reader.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/series_recorder.hpp"

namespace weir::wave_recorder_test {
namespace {

namespace fs = std::filesystem;
using test::us;
using test::VcdReader;

// Three hosts into one at 100G: priority groups fill, PAUSE, headroom, and one lossy flow with a
// small limit. A light flow comes back: its group has neither XOFF nor headroom nor drops.
Scenario scenario(Picoseconds until = us(300)) {
  Chip chip = test::small_chip(4, test::gbps(100));
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{150};
  Scenario scenario = test::star(chip, test::ns(200), until);
  scenario.name = "wave";
  scenario.traffic = {test::flood("a", 0, 3, 3, 1000), test::flood("b", 1, 3, 3, 1500),
                      test::flood("c", 2, 3, 0, 700), test::flood("back", 3, 0, 0, 700)};
  scenario.traffic.back().rate = test::gbps(1);
  return scenario;
}

// Content of the MMU after each step, as an observer sees it.
class Probe final : public Observer {
 public:
  explicit Probe(std::ostream& out) : out_{out} {}
  [[nodiscard]] bool wants_details() const override { return true; }
  void stepped(const std::string&, const Mmu& mmu, PgIndex pg, Picoseconds edge) override {
    const Placement& held = mmu.ingress().pg(pg);
    out_ << edge.count() << ' ' << pg << ' ' << held.private_cells.count() << ' '
         << held.shared.count() << ' ' << held.headroom.count() << ' ' << mmu.pfc().xoff(pg) << ' '
         << mmu.threshold(pg, edge_at_or_after(edge, mmu.chip().clock)).count() << ' '
         << mmu.ingress().pool(PoolIndex{0}).shared.count() << '\n';
  }

 private:
  std::ostream& out_;
};

// An RTL that counts its cycles of 1 ns, as the text of its value change dump.
class CountingRtl final : public RtlWave {
 public:
  [[nodiscard]] const std::string& wave_name() const override { return name_; }
  [[nodiscard]] std::string open_wave(Taker taker) override {
    taker_ = std::move(taker);
    return "$timescale 1ps $end\n $scope module TOP $end\n"
           "  $var wire 32 # count [31:0] $end\n  $var wire 1 $$ odd $end\n"
           "  $var wire 24 %& lanes [23:0] $end\n"
           "  $scope module weir_mmu $end\n   $var wire 32 # count [31:0] $end\n"
           "   $var wire 24 %& inside [23:0] $end\n"
           "   $var wire 100 %% wide [99:0] $end\n  $upscope $end\n $upscope $end\n"
           "$enddefinitions $end\n";
  }
  void close_wave() override { taker_ = nullptr; }
  void catch_up(Picoseconds now) override {
    while (Picoseconds{(cycle_ + 2) * 1000} <= now) {
      std::ostringstream text;
      text << '#' << cycle_ << "\nb" << std::bitset<32>{cycle_} << " #\n"
           << cycle_ % 2 << "$$\nb" << std::bitset<36>{cycle_} << std::bitset<64>{~cycle_}
           << " %%\nb" << std::bitset<24>{(cycle_ & 0xff) << 16 | (cycle_ >> 8 & 0xff) << 8 | 7U}
           << " %&\n";
      if (taker_) taker_(Picoseconds{cycle_ * 1000}, text.str());
      ++cycle_;
    }
  }
  [[nodiscard]] Picoseconds wave_lag() const override { return Picoseconds{3000}; }
  [[nodiscard]] std::size_t wave_parts(std::string_view signal) const override {
    return signal == "lanes" ? 3 : 1;
  }

 private:
  const std::string name_{"sw"};
  Taker taker_;
  std::uint64_t cycle_{0};
};

struct Seen {
  std::uint64_t time, pg, private_cells, shared, headroom, xoff, threshold, sum;
};

class WaveRecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("weir-wave-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string at(const std::string& name) const { return folder_ / name; }

  // Runs into the file of `options`; returns what the probe recorded, in order.
  static std::vector<Seen> run(const WaveOptions& options, Picoseconds until = us(300),
                               bool with_rtl = false, const MmuBackend& backend = {}) {
    std::istringstream in{run_in_child([&] {
      const Scenario described = scenario(until);
      Network network{described, 0, backend};
      std::ostringstream seen;
      Probe probe{seen};
      CountingRtl rtl;
      WaveRecorder recorder{options, described,
                            with_rtl ? std::vector<RtlWave*>{&rtl} : std::vector<RtlWave*>{}};
      network.watch(probe);
      network.watch(recorder);
      network.run_until(until);
      recorder.finish(until);
      return seen.str();
    })};
    std::vector<Seen> all;
    for (Seen s; in >> s.time >> s.pg >> s.private_cells >> s.shared >> s.headroom >> s.xoff >>
                 s.threshold >> s.sum;)
      all.push_back(s);
    return all;
  }
  [[nodiscard]] WaveOptions into(const std::string& name) const {
    WaveOptions options;
    options.file = at(name);
    return options;
  }
  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    std::ifstream in{at(name), std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }
  static std::string path_of(std::uint64_t pg) {
    return "sw.port[" + std::to_string(pg / 8) + "].pg[" + std::to_string(pg % 8) + "].";
  }

 private:
  fs::path folder_;
};

// Megabytes that this process has had at most.
long max_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// A port at which all is paused is clocked on, and no MMU says anything.
TEST_F(WaveRecorderTest, AnRtlThatIsClockedAloneTakesNoMoreMemoryTheLongerItLasts) {
  WaveOptions options = into("difference.vcd");
  options.trigger = WaveTrigger::mismatch;
  const std::string grown = run_in_child([&] {
    const Scenario described = scenario();
    CountingRtl rtl;
    const long before = max_memory();
    WaveRecorder recorder{options, described, {&rtl}};
    rtl.catch_up(us(500));
    const long more = max_memory() - before;
    recorder.mismatch(us(499));
    recorder.finish(us(500));
    return std::to_string(more);
  });
#ifndef __SANITIZE_ADDRESS__  // which keeps freed memory and pads what is in use
  EXPECT_LT(std::stol(grown), 50) << "500,000 cycles with seven changes of 32 octets in each";
#endif
  const VcdReader wave = VcdReader::from_file(at("difference.vcd"));
  EXPECT_EQ(wave.at("sw.mmu.rtl.count", us(495).count()), "495000") << "the last is there";
}

TEST_F(WaveRecorderTest, EveryValueIsWhatTheMmuHeldAtThatClockEdge) {
  const std::vector<Seen> seen = run(into("a.vcd"));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  ASSERT_GT(seen.size(), 1000U);
  std::size_t compared = 0, with_headroom = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Seen& s = seen[i];
    // The value after an edge is that of its last step.
    if (i + 1 < seen.size() && seen[i + 1].time == s.time) continue;
    const std::string pg = path_of(s.pg);
    ASSERT_EQ(wave.at(pg + "private", s.time), std::to_string(s.private_cells)) << s.time;
    ASSERT_EQ(wave.at(pg + "shared", s.time), std::to_string(s.shared)) << s.time;
    ASSERT_EQ(wave.at(pg + "headroom", s.time), std::to_string(s.headroom)) << s.time;
    ASSERT_EQ(wave.at(pg + "xoff", s.time), std::to_string(s.xoff)) << s.time;
    ASSERT_EQ(wave.at(pg + "threshold", s.time), std::to_string(s.threshold)) << s.time;
    ASSERT_EQ(wave.at("sw.mmu.ingress_accounting.domain[0].pool.shared", s.time),
              std::to_string(s.sum))
        << s.time;
    ASSERT_EQ(wave.at("sw.mmu.ingress_accounting.domain[0].pool.free", s.time),
              std::to_string(40000 - s.sum))
        << s.time;
    ++compared;
    if (s.headroom != 0) ++with_headroom;
  }
  EXPECT_GT(compared, 1000U) << "steps compared";
  EXPECT_GT(with_headroom, 0U) << "the scenario must reach headroom";
}

TEST_F(WaveRecorderTest, BothFormatsSayTheSame) {
  run(into("a.vcd"));
  run(into("a.fst"));
  const VcdReader vcd = VcdReader::from_file(at("a.vcd"));
  const VcdReader fst = VcdReader::from_fst(at("a.fst"));
  ASSERT_GT(vcd.codes().size(), 200U);
  std::size_t compared = 0;
  for (const auto& [name, code] : vcd.codes()) {
    ASSERT_TRUE(fst.has(name)) << name;
    const auto a = vcd.changes(name), b = fst.changes(name);
    ASSERT_EQ(a.size(), b.size()) << name;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(a[i].time, b[i].time) << name;
      ASSERT_EQ(a[i].value, b[i].value) << name << " at " << a[i].time;
      ++compared;
    }
  }
  EXPECT_GT(compared, 10'000U) << "changes compared";
  EXPECT_EQ(fst.codes().size(), vcd.codes().size());
}

TEST_F(WaveRecorderTest, NothingIsWrittenThatHasNotChanged) {
  run(into("a.vcd"));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  for (const auto& [name, code] : wave.codes()) {
    const auto changes = wave.changes(name);
    for (std::size_t i = 1; i < changes.size(); ++i) {
      ASSERT_NE(changes[i].value, changes[i - 1].value) << name << " at " << changes[i].time;
      ASSERT_LT(changes[i - 1].time, changes[i].time) << name << ": two values at one moment";
    }
  }
}

TEST_F(WaveRecorderTest, TheLimitIsKeptOncePerProfile) {
  run(into("a.vcd"));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  const std::string& lossless = wave.code("sw.mmu.dynamic_threshold.domain[0].threshold_lossless");
  EXPECT_EQ(wave.code("sw.port[0].pg[3].threshold"), lossless);
  EXPECT_EQ(wave.code("sw.port[2].pg[3].threshold"), lossless);
  EXPECT_EQ(wave.code("sw.port[2].pg[0].threshold"),
            wave.code("sw.mmu.dynamic_threshold.domain[0].threshold_lossy"));
  EXPECT_NE(wave.code("sw.port[2].pg[0].threshold"), lossless);
}

/// T = 90 - S, as long as that is not negative.
class OwnThreshold final : public MmuBlock<DynamicThresholdIf> {
 public:
  explicit OwnThreshold(const char* name) : MmuBlock{name} {}
  [[nodiscard]] Cells limit(PgIndex, Cells used, Cycle) const override {
    return saturating_subtract(Cells{90}, used);
  }
  [[nodiscard]] Cells queue_limit(QueueIndex, DomainId, Cells, Cycle) const override {
    return Cells{1000};
  }
};

TEST_F(WaveRecorderTest, TheLimitIsThatOfARuleOfAUsersOwn) {
  MmuBackend own;
  own.blocks.dynamic_threshold = [](const char* name, const MmuSettings&) {
    return std::make_unique<OwnThreshold>(name);
  };
  const std::vector<Seen> seen = run(into("a.vcd"), us(300), false, own);
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  std::size_t compared = 0, limited = 0;
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) {
    const Seen& s = seen[i];
    if (seen[i + 1].time == s.time) continue;  // the last step of its moment
    ASSERT_EQ(s.threshold, s.sum < 90 ? 90 - s.sum : 0) << "at " << s.time;
    ASSERT_EQ(wave.at(path_of(s.pg) + "threshold", s.time), std::to_string(s.threshold))
        << "PG " << s.pg << " at " << s.time;
    ++compared;
    limited += s.threshold < 90 ? 1 : 0;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(limited, 100U);
}

TEST_F(WaveRecorderTest, TheWireShowsEachFrameFromItsFirstToItsLastBit) {
  run(into("a.vcd"), us(3));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  const auto host = wave.changes("h0.tx.frame");
  ASSERT_GT(host.size(), 4U);
  EXPECT_EQ(host[0].value, "1000B:p3") << "it starts with the run";
  EXPECT_EQ(host[1].time, 80U * 1008) << "preamble and frame at 80 ps a byte";
  EXPECT_EQ(host[1].value, "idle");
  EXPECT_EQ(host[2].time, 80U * 1020) << "the gap";
  EXPECT_EQ(host[2].value, "1000B:p3");
}

TEST_F(WaveRecorderTest, PfcFramesAndPausesHaveTheirClasses) {
  run(into("a.vcd"));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  std::size_t pauses = 0, resumes = 0;
  for (const auto& change : wave.changes("sw.port[0].tx.frame")) {
    if (change.value == "PFC:XOFF=3") {
      ++pauses;
      const std::uint64_t last_bit = change.time + 80 * 72 + 200'000;
      EXPECT_EQ(wave.at("h0.tx.pause_timer[3]", last_bit), "65535") << "last bit at the host";
      EXPECT_NE(wave.at("h0.tx.pause_timer[3]", last_bit - 1), "65535");
      EXPECT_EQ(wave.at("h0.tx.pause[3]", last_bit), "closing") << "its response time runs";
      EXPECT_EQ(wave.at("h0.tx.pause[3]", last_bit + 5'200'000), "paused");
    }
    if (change.value == "PFC:XON=3") {
      ++resumes;
      EXPECT_EQ(wave.at("h0.tx.pause_timer[3]", change.time + 80 * 72 + 200'000), "0");
      EXPECT_EQ(wave.at("h0.tx.pause[3]", change.time + 80 * 72 + 200'000), "open");
    }
  }
  EXPECT_GT(pauses, 0U);
  EXPECT_GT(resumes, 0U);
}

// As of a run whose packets do not add up: its results are not written, nor is its waveform.
TEST_F(WaveRecorderTest, AWaveformThatMayNotStayIsNotMade) {
  for (const char* name : {"a.vcd", "a.fst"}) {
    const std::string seen = run_in_child([&] {
      const Scenario described = scenario(us(20));
      Network network{described};
      auto recorder = std::make_unique<WaveRecorder>(into(name), described);
      network.watch(*recorder);
      network.run_until(us(20));
      try {
        recorder->finish(us(20), [] { throw ModelError{"not so"}; });
      } catch (const ModelError& error) {
        recorder.reset();
        return std::string{error.what()};
      }
      return std::string{"made"};
    });
    EXPECT_NE(seen.find("not so"), std::string::npos) << seen;
    EXPECT_FALSE(fs::exists(at(name))) << name;
  }
}

TEST_F(WaveRecorderTest, QueuesCountTheFramesThatTheSchedulerSees) {
  const std::string depth = run_in_child([&] {
    const Scenario described = scenario(us(20));
    Network network{described};
    WaveRecorder recorder{into("a.vcd"), described};
    network.watch(recorder);
    network.run_until(us(20));
    recorder.finish(us(20));
    return std::to_string(network.switch_at(0).port(PortId{3}).tx.depth(3)) + " " +
           std::to_string(network.switch_at(0).port(PortId{3}).tx.depth(0));
  });
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  // Packets that are admitted but not visible yet are already in the model's list: at most three.
  const auto near = [&](const std::string& name, std::uint64_t expected) {
    const std::uint64_t shown = std::stoull(wave.at(name, us(20).count()));
    EXPECT_LE(shown, expected) << name;
    EXPECT_LE(expected, shown + 3) << name;
    EXPECT_GT(shown, 5U) << name;
  };
  std::istringstream in{depth};
  std::uint64_t lossless = 0, lossy = 0;
  in >> lossless >> lossy;
  near("sw.port[3].queue[3].depth", lossless);
  near("sw.port[3].queue[0].depth", lossy);
}

TEST_F(WaveRecorderTest, AQueueWithAWredProfileShowsWhatWaitsAndItsThresholds) {
  std::istringstream seen{run_in_child([&] {
    struct Waiting final : Observer {
      std::map<std::uint64_t, std::uint32_t> last;  // q by time
      [[nodiscard]] bool wants_details() const override { return true; }
      void waiting(const std::string&, QueueIndex, Cells q, Picoseconds time) override {
        last[time.count()] = q.count();
      }
    };
    Scenario described = scenario(us(20));
    Chip& chip = described.switches[0].chip;
    chip.wred_profiles = {{"red", Cells{10}, Cells{20}, 3277, true, false, WredPoint::dequeue}};
    chip.wred_of_queue.resize(chip.ports.size() * priorities);
    chip.wred_of_queue[queue_index(PortId{3}, Priority{3})] = WredProfileIndex{0};
    Network network{described};
    WaveRecorder recorder{into("a.vcd"), described};
    Waiting probe;
    network.watch(probe);
    network.watch(recorder);
    network.run_until(us(20));
    recorder.finish(us(20));
    std::string text;
    for (const auto& [time, q] : probe.last)
      text += std::to_string(time) + " " + std::to_string(q) + "\n";
    return text;
  })};
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  const std::string queue = "sw.port[3].queue[3].";
  std::size_t compared = 0;
  std::uint64_t time = 0, q = 0, most = 0;
  for (; seen >> time >> q; ++compared) {
    ASSERT_EQ(wave.at(queue + "waiting", time), std::to_string(q)) << time << " ps";
    most = std::max(most, q);
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(most, 20U) << "above K_max";
  for (const std::uint64_t when : {std::uint64_t{0}, us(20).count()}) {
    EXPECT_EQ(wave.at(queue + "min", when), "10");
    EXPECT_EQ(wave.at(queue + "max", when), "20");
  }
  EXPECT_FALSE(wave.has("sw.port[3].queue[0].waiting")) << "a queue without a profile";
  const std::string list = bytes_of("a.gtkw");
  EXPECT_NE(list.find("-sw.port[3].queue[3]\n"), std::string::npos) << list;
  EXPECT_NE(list.find("sw.port[3].queue[3].min["), std::string::npos) << list;
}

TEST_F(WaveRecorderTest, ASignalHasTheNameOfItsColumnInSeries) {
  Scenario described = scenario(us(20));
  Chip& chip = described.switches[0].chip;
  chip.wred_profiles = {{"red", Cells{10}, Cells{20}, 3277, true, false, WredPoint::dequeue}};
  chip.wred_of_queue.resize(chip.ports.size() * priorities);
  chip.wred_of_queue[queue_index(PortId{3}, Priority{3})] = WredProfileIndex{0};
  static_cast<void>(run_in_child([&] {
    Network network{described};
    WaveRecorder recorder{into("a.vcd"), described};
    network.watch(recorder);
    network.run_until(us(20));
    recorder.finish(us(20));
    return std::string{};
  }));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  const SeriesRecorder recorded{described, {"sw.port[2].pg[3]", "sw.port[3].queue[3]"}, us(1)};
  std::size_t compared = 0;
  for (const Series& series : recorded.series())
    for (const SeriesColumn& column : series.columns) {
      if (column.name == "marked") continue;  // a count, which no signal is
      EXPECT_TRUE(wave.has(series.name + "." + std::string{column.name})) << column.name;
      ++compared;
    }
  EXPECT_EQ(compared, 8U);
}

TEST_F(WaveRecorderTest, TheSameRunGivesTheSameBytes) {
  for (const std::string kind : {"vcd", "fst"}) {
    run(into("a." + kind), us(100));
    sleep(1);  // another second: no file may contain the time of day
    run(into("b." + kind), us(100));
    EXPECT_EQ(bytes_of("a." + kind), bytes_of("b." + kind)) << kind;
    EXPECT_GT(bytes_of("a." + kind).size(), 1000U);
  }
}

TEST_F(WaveRecorderTest, AWindowHoldsWhatTheWholeRunHoldsThere) {
  run(into("whole.vcd"));
  WaveOptions part = into("part.vcd");
  part.from = us(100);
  part.to = us(140);
  run(part);
  const VcdReader whole = VcdReader::from_file(at("whole.vcd"));
  const VcdReader window = VcdReader::from_file(at("part.vcd"));
  EXPECT_EQ(window.times().front(), us(100).count());
  EXPECT_EQ(window.times().back(), us(140).count());
  for (const auto& [name, code] : whole.codes())
    for (std::uint64_t time = us(100).count(); time <= us(140).count(); time += 777'777)
      ASSERT_EQ(window.at(name, time), whole.at(name, time)) << name << " at " << time;
}

TEST_F(WaveRecorderTest, ATriggerKeepsTheTimeBeforeIt) {
  run(into("whole.vcd"));
  const VcdReader whole = VcdReader::from_file(at("whole.vcd"));
  std::uint64_t first = ~std::uint64_t{0};
  for (const auto& [name, code] : whole.codes())
    if (name.size() > 5 && name.substr(name.size() - 5) == ".xoff")
      for (const auto& change : whole.changes(name))
        if (change.value == "1") first = std::min(first, change.time);
  ASSERT_LT(us(10).count(), first) << "the scenario must fill for a while";
  WaveOptions options = into("part.vcd");
  options.trigger = WaveTrigger::first_xoff;
  options.before = us(5);
  options.after = us(7);
  run(options);
  const VcdReader window = VcdReader::from_file(at("part.vcd"));
  EXPECT_EQ(window.times().front(), first - us(5).count());
  EXPECT_EQ(window.times().back(), first + us(7).count());
  for (const auto& [name, code] : whole.codes())
    for (std::uint64_t time = first - us(5).count(); time <= first + us(7).count(); time += 99'999)
      ASSERT_EQ(window.at(name, time), whole.at(name, time)) << name << " at " << time;
}

TEST_F(WaveRecorderTest, AFileWithATriggerDoesNotGrowWithTheRun) {
  WaveOptions options = into("short.vcd");
  options.trigger = WaveTrigger::first_drop;
  run(options, us(100));
  options.file = at("long.vcd");
  run(options, us(300));
  EXPECT_EQ(bytes_of("short.vcd"), bytes_of("long.vcd"));
  EXPECT_GT(bytes_of("short.vcd").size(), 10'000U) << "the trigger came";
}

TEST_F(WaveRecorderTest, SignalsOfAnRtlAreInTheSameFileOnTheSameAxis) {
  for (const std::string file : {"rtl.vcd", "rtl.fst"}) {
    const std::vector<Seen> seen = run(into(file), us(20), true);
    const VcdReader wave =
        file == "rtl.vcd" ? VcdReader::from_file(at(file)) : VcdReader::from_fst(at(file));
    EXPECT_EQ(wave.code("sw.mmu.rtl.count"), wave.code("sw.mmu.rtl.weir_mmu.count")) << "aliases";
    for (std::uint64_t cycle = 0; cycle < 19'990; cycle += 7) {
      const std::uint64_t time = cycle * 1000 + 500;
      ASSERT_EQ(wave.at("sw.mmu.rtl.count", time), std::to_string(cycle)) << file;
      ASSERT_EQ(wave.at("sw.mmu.rtl.odd", time), std::to_string(cycle % 2)) << file;
      ASSERT_EQ(wave.at("sw.mmu.rtl.weir_mmu.wide_63_0", time), std::to_string(~cycle)) << file;
      ASSERT_EQ(wave.at("sw.mmu.rtl.weir_mmu.wide_99_64", time), std::to_string(cycle)) << file;
      for (const std::string lanes : {"sw.mmu.rtl.lanes", "sw.mmu.rtl.weir_mmu.inside"}) {
        ASSERT_EQ(wave.at(lanes + "[0]", time), "7") << file;
        ASSERT_EQ(wave.at(lanes + "[1]", time), std::to_string(cycle >> 8 & 0xff)) << file;
        ASSERT_EQ(wave.at(lanes + "[2]", time), std::to_string(cycle & 0xff)) << file;
      }
    }
    // The signals of the model are the same as without RTL.
    ASSERT_FALSE(seen.empty());
    EXPECT_EQ(wave.at(path_of(seen.back().pg) + "shared", seen.back().time),
              std::to_string(seen.back().shared));
  }
}

TEST_F(WaveRecorderTest, ATriggerKeepsTheSignalsOfAnRtlToo) {
  run(into("whole.vcd"), us(100), true);
  WaveOptions options = into("part.vcd");
  options.trigger = WaveTrigger::first_drop;
  options.before = us(2);
  options.after = us(3);
  run(options, us(100), true);
  const VcdReader whole = VcdReader::from_file(at("whole.vcd"));
  const VcdReader window = VcdReader::from_file(at("part.vcd"));
  const std::uint64_t first = window.times().front(), last = window.times().back();
  EXPECT_EQ(last - first, us(5).count());
  for (const auto& [name, code] : whole.codes())
    for (std::uint64_t time = first; time <= last; time += 33'333)
      ASSERT_EQ(window.at(name, time), whole.at(name, time)) << name << " at " << time;
}

TEST_F(WaveRecorderTest, AMismatchIsATriggerAndAMarker) {
  WaveOptions options = into("a.vcd");
  options.trigger = WaveTrigger::mismatch;
  options.before = us(4);
  const std::string triggered = run_in_child([&] {
    const Scenario described = scenario(us(50));
    Network network{described};
    CountingRtl rtl;
    WaveRecorder recorder{options, described, {&rtl}};
    network.watch(recorder);
    network.run_until(us(50));
    rtl.catch_up(us(50));  // up to the time at which the difference was found
    recorder.mismatch(us(50));
    recorder.finish(us(50));
    return std::string{recorder.triggered() ? "yes" : "no"};
  });
  EXPECT_EQ(triggered, "yes");
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  EXPECT_EQ(wave.times().front(), us(46).count());
  EXPECT_EQ(wave.at("sw.mmu.rtl.count", us(47).count()), "47000");
  EXPECT_NE(bytes_of("a.gtkw").find("[markername] Emismatch"), std::string::npos);
}

TEST_F(WaveRecorderTest, AScopeLeavesOutTheRest) {
  WaveOptions options = into("a.vcd");
  options.scope = "sw.port[2].*";
  run(options);
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  EXPECT_TRUE(wave.has("sw.port[2].pg[0].shared"));
  EXPECT_TRUE(wave.has("sw.port[2].pg[3].threshold")) << "an alias of something outside";
  for (const auto& [name, code] : wave.codes()) EXPECT_EQ(name.substr(0, 10), "sw.port[2]") << name;
  EXPECT_GT(wave.changes("sw.port[2].pg[3].threshold").size(), 10U);
}

TEST_F(WaveRecorderTest, TheListForGtkwaveHasTheMarkers) {
  run(into("a.fst"));
  const std::string list = bytes_of("a.gtkw");
  EXPECT_NE(list.find("[dumpfile] \"a.fst\""), std::string::npos) << list;
  EXPECT_NE(list.find("[markername] Afirst XOFF"), std::string::npos) << list;
  EXPECT_NE(list.find("[markername] Bfirst drop"), std::string::npos) << list;
  EXPECT_NE(list.find("sw.port[0].pg[3].shared["), std::string::npos) << list;
  EXPECT_EQ(list.find("sw.port[0].pg[5]"), std::string::npos) << "never used";
}

TEST_F(WaveRecorderTest, TheListForGtkwaveBeginsWithTheGroupsThatWentToXoff) {
  run(into("a.fst"));
  const std::string list = bytes_of("a.gtkw");
  EXPECT_NE(list.find("+{domain[0] pool shared} sw.mmu."), std::string::npos) << list;
  // Every open group precedes every folded one.
  const std::size_t first_folded = list.find("@c00200\n-sw.port["),
                    last_open = list.rfind("@800200\n-sw.port[");
  ASSERT_NE(last_open, std::string::npos) << list;
  ASSERT_NE(first_folded, std::string::npos) << list;
  EXPECT_LT(last_open, first_folded);
  EXPECT_NE(list.find("@1401200\n-sw.port["), std::string::npos) << "the end of a folded group";
}

// Of a group with drops alone: neither XOFF nor headroom.
TEST_F(WaveRecorderTest, TheListForGtkwaveHasGroupsWithDropsOpen) {
  run(into("a.fst"));
  const std::string list = bytes_of("a.gtkw");
  EXPECT_NE(list.find("@800200\n-sw.port[2].pg[0]\n"), std::string::npos) << list;
}

TEST_F(WaveRecorderTest, AGroupIsAtItsLimitFromTheStepAtWhichSharedMeetsTheThreshold) {
  const std::vector<Seen> seen = run(into("a.vcd"), us(100));
  const VcdReader wave = VcdReader::from_file(at("a.vcd"));
  std::size_t met = 0, below = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Seen& step = seen[i];
    if (i + 1 < seen.size() && seen[i + 1].time == step.time) continue;  // as above
    const bool is_met = step.threshold <= step.shared;
    ASSERT_EQ(wave.at(path_of(step.pg) + "at_threshold", step.time), is_met ? "1" : "0")
        << step.time;
    ++(is_met ? met : below);
  }
  EXPECT_GT(met, 10U);
  EXPECT_GT(below, 10U);
}

TEST_F(WaveRecorderTest, WhatCannotBeIsRefusedWithItsName) {
  const Scenario described = scenario();
  const auto refused = [&](const WaveOptions& options, const std::string& word) {
    try {
      WaveRecorder recorder{options, described};
      ADD_FAILURE() << "accepted: " << options.file;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string{error.what()}.find(word), std::string::npos) << error.what();
    }
  };
  refused(into("a.wave"), "must end in .fst or .vcd");
  WaveOptions options = into("a.vcd");
  options.scope = "tor.*";
  refused(options, "sw.port[0].pg[0].shared");
  options = into("missing/a.vcd");
  refused(options, "cannot be written");
  options = into("missing/a.fst");
  refused(options, "cannot be written");
  EXPECT_THROW(static_cast<void>(wave_trigger("never")), ConfigError);
  EXPECT_EQ(wave_trigger("first_drop"), WaveTrigger::first_drop);
}

}  // namespace
}  // namespace weir::wave_recorder_test
