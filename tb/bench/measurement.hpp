// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "traffic.hpp"
#include "weir/core/units.hpp"

namespace weir::bench {

/// Cost of one run of one form under one traffic, without start-up and warm-up.
struct Measurement {
  std::uint64_t packets{0};
  double seconds{0};                ///< Processor time of this process.
  std::uint64_t peak_kilobytes{0};  ///< Largest resident set of the process so far.

  [[nodiscard]] double ns_per_packet() const { return seconds * 1e9 / double(packets); }

  /// As text, to be passed from a child process.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static Measurement from_text(const std::string& text);
};

/// Processor time of this process so far; other programs on the machine do not count.
[[nodiscard]] double processor_seconds();

/// The forms that are compared. Each elaborates at most one SystemC design, so call one per
/// process.
///
/// Errors: ModelError when a form does not do the work: it misses a level change of the trace, or
///         delivers fewer packets than the wires carry.
[[nodiscard]] Measurement run_bare(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_core(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_model(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_clocked(const Traffic& traffic, std::uint64_t packets);
/// No switch: the cost of one more delay in a histogram, and of a random number for it.
[[nodiscard]] Measurement run_histogram(const Traffic& traffic, std::uint64_t packets);

/// One row of the table of forms.
struct Form {
  std::string_view name;
  Measurement (*run)(const Traffic&, std::uint64_t packets);
};
constexpr std::array<Form, 4> forms{
    {{"bare", run_bare}, {"core", run_core}, {"model", run_model}, {"clocked", run_clocked}}};

}  // namespace weir::bench
