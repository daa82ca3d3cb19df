// SPDX-License-Identifier: Apache-2.0
// All benchmarks in one program; scripts/bench/speed starts it. libsystemc's own main() calls
// sc_main().
//
//   weir_bench [--gate] [--quick] [Google Benchmark's options]
//       runs them and prints the ratios; --gate: exit code 1 when a bound is missed; --quick: a
////      fiftieth of the packets, to check that every benchmark completes
//   weir_bench --count FORM TRAFFIC PACKETS
////      one run in this process, for a tool that counts instructions; prints the packets
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "figures.hpp"
#include "measurement.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir::bench {
namespace {

/// One benchmark: a form, its traffic, the number of packets.
struct Case {
  std::string name;
  Form form;
  Traffic traffic;
  std::uint64_t packets{0};
};

std::uint64_t packets_for(const Form& form, const Traffic& traffic) {
  if (form.name != "clocked") return form.name == "model" ? 400'000 : 4'000'000;
  return traffic.incast ? 30'000 : 200'000;  // its cost per cycle does not depend on the load
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Traffic& traffic : patterns)
    for (const Form& form : forms)
      cases.push_back({std::string{form.name} + "/" + std::string{traffic.name}, form, traffic,
                       packets_for(form, traffic)});
  const Form model{"model", run_model};
  for (const Traffic& traffic : port_counts)
    cases.push_back({"model/" + std::string{traffic.name}, model, traffic, 400'000});
  for (const Traffic& traffic : policies)
    cases.push_back({"model/" + std::string{traffic.name}, model, traffic, 400'000});
  cases.push_back({"histogram/full_load", {"histogram", run_histogram}, full_load, 4'000'000});
  cases.push_back({"model/leaf_spine", model, leaf_spine, 400'000});
  cases.push_back({"model/memory", model, port_counts[1], 100'000});
  cases.push_back({"model/memory_x8", model, port_counts[1], 800'000});
  const std::uint64_t in_ten_ms =
      full_load.ports * (10'000'000'000 / packet_slot(full_load).count());
  cases.push_back({"model/ten_ms", model, full_load, in_ten_ms});
  return cases;
}

/// Each run is a child process, because SystemC elaborates once per process. The column Time is per
/// packet.
void run_case(benchmark::State& state, const Case& what, Results& results) {
  for (auto _ : state) {
    try {
      const Measurement measured = Measurement::from_text(
          run_in_child([&] { return what.form.run(what.traffic, what.packets).to_text(); }));
      state.SetIterationTime(measured.ns_per_packet() * 1e-9);
      state.counters["packets"] = double(measured.packets);
      state.counters["peak_MB"] = double(measured.peak_kilobytes) / 1024;
      results.add(what.name, measured);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
      return;
    }
  }
}

/// Prints as usual and remembers whether a benchmark stopped early, because such a run would look
/// fast.
class StrictReporter : public benchmark::ConsoleReporter {
 public:
  StrictReporter() : ConsoleReporter{OO_Tabular} {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) failed_ = failed_ || run.error_occurred;
    ConsoleReporter::ReportRuns(runs);
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  bool failed_{false};
};

int count(const std::vector<std::string>& arguments) {
  if (arguments.size() == 4) {
    const std::uint64_t packets = std::strtoull(arguments[3].c_str(), nullptr, 10);
    for (const Case& what : all_cases()) {
      if (packets == 0 || what.name != arguments[1] + "/" + arguments[2]) continue;
      std::cout << what.form.run(what.traffic, packets).packets << "\n";
      return 0;
    }
  }
  std::cerr
      << "usage: weir_bench --count bare|core|model|clocked incast|full_load|line_rate PACKETS\n"
         "       weir_bench --count model ports_32|ports_64|ports_128|ports_256|leaf_spine "
         "PACKETS\n"
         "       weir_bench --count model full_load_two_level|full_load_dsh|full_load_abm|"
         "full_load_edt PACKETS\n"
         "       weir_bench --count histogram full_load PACKETS\n";
  return 2;
}

int run_all(bool gate, bool quick) {
  constexpr std::uint64_t quick_divisor = 50;
  Results results;
  std::vector<Case> cases = all_cases();
  for (Case& what : cases) {
    if (quick) what.packets /= quick_divisor;
    benchmark::RegisterBenchmark(what.name.c_str(), run_case, what, std::ref(results))
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kNanosecond);
  }
  StrictReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::cout << "\n";
  const bool good = print(std::cout, figures_of(results));
  return reporter.failed() || (gate && !good) ? 1 : 0;
}

}  // namespace
}  // namespace weir::bench

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "--count") return weir::bench::count(arguments);
  bool gate = false, quick = false;
  for (const std::string& argument : arguments) {
    if (argument == "--gate") {
      gate = true;
    } else if (argument == "--quick") {
      quick = true;
    } else {
      std::cerr << "weir_bench: unknown argument " << argument
                << "; legal: --gate, --quick, --count\n";
      return 2;
    }
  }
  return weir::bench::run_all(gate, quick);
}
