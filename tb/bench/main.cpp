// SPDX-License-Identifier: Apache-2.0
// The entry of all benchmarks. libsystemc's own main() calls sc_main().
#include <benchmark/benchmark.h>

#include <systemc>
#include <vector>

namespace {

/// Prints as usual and remembers whether a benchmark gave up: one that did not reach its end must
/// not pass for a fast one.
class StrictReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) failed_ = failed_ || run.error_occurred;
    benchmark::ConsoleReporter::ReportRuns(runs);
  }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  bool failed_{false};
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  StrictReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.failed() ? 1 : 0;
}
