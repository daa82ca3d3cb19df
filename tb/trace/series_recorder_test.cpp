// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/summary/series_recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/small_network.hpp"
#include "support/vcd_reader.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/wave/wave_recorder.hpp"

namespace weir::series_recorder_test {
namespace {

using test::us;
using test::VcdReader;
using Values = std::vector<std::int64_t>;

/// A series of wires or classes: when its periods begin, and its two columns.
struct Recorded {
  Values times, sums, state;
};

Values values_in(std::istream& in) {
  std::size_t count = 0;
  in >> count;
  Values values(count);
  for (std::int64_t& value : values) in >> value;
  return values;
}

void write(std::ostream& out, const Values& values) {
  out << values.size() << '\n';
  for (const std::int64_t value : values) out << value << '\n';
}

class LinkSeries : public test::InFolder {
 protected:
  /// Runs the scenario with a waveform and with the series of these names.
  std::vector<Recorded> run(const std::string& file, Picoseconds until, Picoseconds every,
                            const std::vector<std::string>& names) {
    std::istringstream in{run_in_child([&] {
      Scenario scenario = load_scenario(file);
      scenario.until = until;
      Network network{scenario};
      WaveOptions options;
      options.file = at("run.vcd");
      WaveRecorder wave{options, scenario};
      SeriesRecorder recorder{scenario, names, every};
      network.watch(wave);
      network.watch(recorder);
      network.run_until(until);
      wave.finish(until);
      recorder.finish(network.now());
      std::ostringstream out;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::vector<std::uint64_t>& times = recorder.times_of(i);
        write(out, Values(times.begin(), times.end()));
        for (const SeriesColumn& column : recorder.series()[i].columns) write(out, column.values);
      }
      return out.str();
    })};
    std::vector<Recorded> all(names.size());
    for (Recorded& one : all) one = {values_in(in), values_in(in), values_in(in)};
    return all;
  }
  [[nodiscard]] VcdReader wave() const { return VcdReader::from_file(at("run.vcd")); }
};

// Picoseconds of [from, to) in the period that begins at `begin`.
std::int64_t part_of(std::int64_t from, std::int64_t to, std::int64_t begin, std::int64_t end) {
  return std::max<std::int64_t>(0, std::min(to, end) - std::max(from, begin));
}

/// What a signal of the waveform gives that has `value` from a change to the next one.
Recorded expected(const std::vector<test::VcdReader::Change>& changes, const std::string& value,
                  Picoseconds until, Picoseconds every) {
  Recorded made;
  const auto end = static_cast<std::int64_t>(until.count());
  const auto period = static_cast<std::int64_t>(every.count());
  for (std::int64_t begin = 0; begin < end; begin += period) {
    made.times.push_back(begin);
    std::int64_t sum = 0;
    std::int64_t state = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].value != value) continue;
      const auto from = static_cast<std::int64_t>(changes[i].time);
      const auto to = i + 1 < changes.size() ? static_cast<std::int64_t>(changes[i + 1].time) : end;
      sum += part_of(from, to, begin, std::min(end, begin + period));
      if (from <= begin && begin < to) state = 1;
    }
    made.sums.push_back(sum);
    made.state.push_back(state);
  }
  return made;
}

void expect_same(const Recorded& recorded, const Recorded& expected, const std::string& name) {
  EXPECT_EQ(recorded.times, expected.times) << name;
  EXPECT_EQ(recorded.sums, expected.sums) << name;
  EXPECT_EQ(recorded.state, expected.state) << name;
  EXPECT_NE(std::count(expected.state.begin(), expected.state.end(), 1), 0) << name;
  EXPECT_NE(std::count(expected.state.begin(), expected.state.end(), 0), 0) << name;
}

TEST_F(LinkSeries, AClassIsPausedWhenTheWaveformSaysSo) {
  const Picoseconds until = us(300), every{1'700'000};  // the last period is cut short
  const std::vector<std::string> names{"h0.tx.pause[3]", "h2.tx.pause[3]"};
  const std::vector<Recorded> recorded =
      run("vectors/scenarios/incast_star4_dt_late_xoff.toml", until, every, names);
  const VcdReader signals = wave();
  for (std::size_t i = 0; i < names.size(); ++i)
    expect_same(recorded[i], expected(signals.changes(names[i]), "paused", until, every), names[i]);
}

TEST_F(LinkSeries, APortOfASwitchIsPausedWhenTheWaveformSaysSo) {
  const Picoseconds until = us(1400), every = us(10);
  const std::vector<Recorded> recorded =
      run("vectors/scenarios/storm_clos4_dt_no_watchdog.toml", until, every,
          {"T0.port[0].tx.pause[3]", "L1.port[2].tx.pause[3]"});
  const VcdReader signals = wave();
  expect_same(recorded[0],
              expected(signals.changes("T0.port[0].queue[3].pause"), "paused", until, every), "T0");
  expect_same(recorded[1],
              expected(signals.changes("L1.port[2].queue[3].pause"), "paused", until, every), "L1");
}

// Picoseconds of the frame that the waveform shows: "1500B:p3", "PFC:...".
std::int64_t slot_of(const std::string& frame) {
  constexpr std::int64_t byte = 80, overhead = 20;  // of 100G: picoseconds; preamble and gap
  const std::int64_t length = frame.rfind("PFC", 0) == 0 ? 64 : std::stoll(frame);
  return (length + overhead) * byte;
}

TEST_F(LinkSeries, AWireIsBusyFromThePreambleToTheEndOfTheGap) {
  const Picoseconds until = us(100), every{1'333'000};
  const std::vector<std::string> names{"h0", "tor.port[3]", "tor.port[0]"};
  const std::vector<Recorded> recorded =
      run("vectors/scenarios/incast_star4_dt_late_xoff.toml", until, every,
          {"h0.tx", "tor.port[3].tx", "tor.port[0].tx"});
  const VcdReader signals = wave();
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<VcdReader::Change> slots;  // 1 while the wire is taken
    for (const VcdReader::Change& change : signals.changes(names[i] + ".tx.frame")) {
      if (change.value == "idle") continue;
      slots.push_back({change.time, "1"});
      slots.push_back({change.time + static_cast<std::uint64_t>(slot_of(change.value)), "0"});
    }
    ASSERT_GE(slots.size(), 4U) << names[i];
    const Recorded made = expected(slots, "1", until, every);
    EXPECT_EQ(recorded[i].times, made.times);
    EXPECT_EQ(recorded[i].sums, made.sums) << names[i];
    for (std::size_t period = 0; period < made.sums.size(); ++period) {
      const auto begin = static_cast<std::uint64_t>(made.times[period]);
      const auto length = static_cast<std::int64_t>(std::min(every.count(), until.count() - begin));
      EXPECT_EQ(recorded[i].state[period], made.sums[period] * 1'000'000 / length)
          << names[i] << " at " << begin;
    }
  }
  EXPECT_EQ(*std::max_element(recorded[0].state.begin(), recorded[0].state.end()), 1'000'000);
}

TEST_F(LinkSeries, APortWithoutALinkIsRefused) {
  Scenario scenario = test::star(test::small_chip(4, test::gbps(100)), test::ns(200), us(20));
  EXPECT_NO_THROW((SeriesRecorder{scenario, {"sw.port[3].tx"}, us(1)}));
  scenario.links.pop_back();
  EXPECT_THROW((SeriesRecorder{scenario, {"sw.port[3].tx"}, us(1)}), ConfigError);
}

TEST_F(LinkSeries, PeriodsAreLimited) {
  const Scenario scenario =
      test::star(test::small_chip(4, test::gbps(100)), test::ns(200), Picoseconds{300'000'000});
  EXPECT_NO_THROW((SeriesRecorder{scenario, {"h0.tx"}, Picoseconds{3}}));
  EXPECT_THROW((SeriesRecorder{scenario, {"h0.tx"}, Picoseconds{2}}), ConfigError);
  EXPECT_THROW((SeriesRecorder{scenario, {"h0.tx"}, Picoseconds{0}}), ConfigError);
  EXPECT_NO_THROW((SeriesRecorder{scenario, {"sw.port[0].pg[3]"}, Picoseconds{0}}));
}

}  // namespace
}  // namespace weir::series_recorder_test
