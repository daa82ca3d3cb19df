// SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <sys/resource.h>

#include <ctime>
#include <sstream>
#include <systemc>

#include "bare_loop.hpp"
#include "clocked_switch.hpp"
#include "core_loop.hpp"
#include "step_trace.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/latency.hpp"
#include "weir/model/network/network.hpp"

namespace weir::bench {
namespace {

constexpr std::uint64_t trace_packets = 20'000;  // a few hundred kB: stays in the cache of the loop

std::uint64_t peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

// The incast needs time to fill the buffer and to reach a steady sequence of PAUSE and RESUME.
Picoseconds warm_up(const Traffic& traffic) {
  return traffic.incast ? Picoseconds{200'000'000} : Picoseconds{10'000'000};
}

template <class Loop>
Measurement replay(Loop& loop, const StepTrace& trace, std::uint64_t packets) {
  if (loop.replay(trace) != trace.level_changes)
    throw ModelError("bench: the loop changes other levels than the trace");
  Measurement result;
  const double start = processor_seconds();
  std::uint64_t changes = 0;
  for (; result.packets < packets; result.packets += trace.packets) changes += loop.replay(trace);
  result.seconds = processor_seconds() - start;
  if (changes * trace.packets != trace.level_changes * result.packets)
    throw ModelError("bench: a replay changed other levels than the trace");
  result.peak_kilobytes = peak_kilobytes();
  return result;
}

// A form that lost or invented traffic would look fast. The first packets need up to 3 us (cables,
// a stagger, one packet time each). The form may have run ahead of the kernel, but not past the
// end.
void check_total(const Traffic& traffic, std::uint64_t total, Picoseconds end) {
  constexpr Picoseconds fill{3'000'000};
  const std::uint64_t busy_ports = traffic.incast ? 1 : traffic.ports;
  const auto fit = [&](Picoseconds time) {
    return time.count() / packet_slot(traffic).count() * busy_ports;
  };
  if (total * 100 < fit(end - fill) * 98 || fit(end) + busy_ports < total)
    throw ModelError("bench: " + std::to_string(total) + " packets were delivered where " +
                     std::to_string(fit(end)) + " fit on the wires");
}

// Runs warm-up and measured part; `run_until(time)` and `delivered()` belong to the form. Packets
// and time are differences on the same clock, so running ahead of it does not matter.
template <class RunUntil, class Delivered>
Measurement simulate(const Traffic& traffic, std::uint64_t packets, RunUntil&& run_until,
                     Delivered&& delivered) {
  const Picoseconds start = warm_up(traffic);
  const Picoseconds end = start + time_for(traffic, packets);
  run_until(start);
  const std::uint64_t before = delivered();
  const double started = processor_seconds();
  run_until(end);
  Measurement result;
  result.seconds = processor_seconds() - started;
  result.packets = delivered() - before;
  result.peak_kilobytes = peak_kilobytes();
  check_total(traffic, before + result.packets, end);
  if (result.packets == 0) throw ModelError("bench: no packet was measured");
  return result;
}

}  // namespace

std::string Measurement::to_text() const {
  std::ostringstream text;
  text.precision(17);
  text << packets << ' ' << seconds << ' ' << peak_kilobytes;
  return text.str();
}

Measurement Measurement::from_text(const std::string& text) {
  Measurement result;
  std::istringstream in{text};
  if (!(in >> result.packets >> result.seconds >> result.peak_kilobytes))
    throw ModelError("bench: a child process returned \"" + text + "\"");
  return result;
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

Measurement run_bare(const Traffic& traffic, std::uint64_t packets) {
  BareLoop loop{chip_for(traffic)};
  return replay(loop, record_trace(traffic, trace_packets), packets);
}

Measurement run_histogram(const Traffic&, std::uint64_t packets) {
  Latency latency;
  latency.add(Picoseconds{0});  // allocates the buckets before the measurement
  std::uint64_t state = 1;
  const double start = processor_seconds();
  for (std::uint64_t i = 0; i < packets; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    latency.add(Picoseconds{state >> 32});
  }
  Measurement result{packets, processor_seconds() - start, peak_kilobytes()};
  if (latency.packets != packets + 1 || latency.percentile(1000) != latency.longest)
    throw ModelError("bench: the histogram has lost a delay");
  return result;
}

Measurement run_core(const Traffic& traffic, std::uint64_t packets) {
  CoreLoop loop{traffic};
  return replay(loop, record_trace(traffic, trace_packets), packets);
}

Measurement run_model(const Traffic& traffic, std::uint64_t packets) {
  Network network{scenario_for(traffic, warm_up(traffic) + time_for(traffic, packets))};
  return simulate(
      traffic, packets, [&](Picoseconds end) { network.run_until(end); },
      [&] {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < network.host_count(); ++i)
          sum += network.host(i).counters().priority[lossless_class.count()].rx_packets;
        return sum;
      });
}

Measurement run_clocked(const Traffic& traffic, std::uint64_t packets) {
  ClockedSwitch form{"clocked_switch", traffic};
  return simulate(
      traffic, packets,
      [&](Picoseconds end) {
        sc_core::sc_start(sc_core::sc_time::from_value(end.count()) - sc_core::sc_time_stamp());
      },
      [&] { return form.sent(); });
}

}  // namespace weir::bench
