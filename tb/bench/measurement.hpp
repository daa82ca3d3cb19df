// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "traffic.hpp"
#include "weir/core/units.hpp"

namespace weir::bench {

/// What one run of one form under one traffic cost, without start-up and warm-up.
struct Measurement {
  std::uint64_t packets{0};
  double seconds{0};                ///< Processor time of this process.
  std::uint64_t peak_kilobytes{0};  ///< Largest resident set of the process so far.

  [[nodiscard]] double ns_per_packet() const { return seconds * 1e9 / double(packets); }

  /// As text, to come back from a child process.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static Measurement from_text(const std::string& text);
};

/// Processor time of this process so far. Other programs on the machine do not count.
[[nodiscard]] double processor_seconds();

/// The forms that are compared. Each elaborates at most one SystemC design: one call a process.
///
/// Errors: ModelError when a form does not do the work: a level that the trace changes and the loop
///         does not, or fewer packets than the wires carry.
[[nodiscard]] Measurement run_bare(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_core(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_model(const Traffic& traffic, std::uint64_t packets);
[[nodiscard]] Measurement run_clocked(const Traffic& traffic, std::uint64_t packets);
/// No switch: what one more delay in a histogram costs, and a random number to draw it.
[[nodiscard]] Measurement run_histogram(const Traffic& traffic, std::uint64_t packets);

/// One row of the table of forms.
struct Form {
  std::string_view name;
  Measurement (*run)(const Traffic&, std::uint64_t packets);
};
constexpr std::array<Form, 4> forms{
    {{"bare", run_bare}, {"core", run_core}, {"model", run_model}, {"clocked", run_clocked}}};

}  // namespace weir::bench
