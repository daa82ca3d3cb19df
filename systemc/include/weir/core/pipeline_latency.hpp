// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/core/errors.hpp"

namespace weir {

/// A latency of the MMU that a chip file sets and the RTL has as a parameter.
struct PipelineLatency {
  std::string_view key;        ///< Key in [chip] of a chip file.
  std::string_view parameter;  ///< Name of the parameter of the RTL.
  std::string_view meaning;
  std::uint32_t least, usual, greatest;   ///< Of the model; usual: the default.
  std::uint32_t rtl_least, rtl_greatest;  ///< Of the RTL; least: its number of stages.
  /// Cycles from a request until WRED has answered whether it is dropped. The RTL waits for the
  /// answer where WRED may drop. 0: there is no answer to wait for.
  std::uint32_t rtl_drop_answer{0};

  /// Least cycles in the RTL where WRED may drop.
  [[nodiscard]] constexpr std::uint32_t rtl_least_drops() const noexcept {
    return rtl_least + rtl_drop_answer;
  }
};

/// The one table of latencies. Checks, the reader of chip files, registers and tests use it;
/// scripts/doc/registers writes rtl/pkg/pipeline_latency_pkg.sv and the rows of the pages from it.
///
/// Units: core-clock cycles.
namespace pipeline {

inline constexpr PipelineLatency admit{
    "admit", "AdmitLatency", "cycles from request to verdict", 1, 3, 1024, 3, 64, 3};
inline constexpr PipelineLatency pfc{
    "pfc", "PfcLatency", "cycles from verdict to PFC frame request", 0, 2, 1024, 0, 64};
inline constexpr PipelineLatency threshold_lag{
    "threshold_lag", "ThresholdLag", "cycles by which T sees S late", 0, 0, 1024, 0, 1024};
inline constexpr PipelineLatency mark{
    "mark",
    "MarkLatency",
    "cycles until the RTL says whether a packet that enters or leaves is marked",
    0,
    2,
    1024,
    2,
    64};

inline constexpr std::array table{admit, pfc, threshold_lag, mark};

}  // namespace pipeline

/// Throws ConfigError unless `value` is in the row's range of the model, in cycles. `table`: what
/// comes before the key in the error, such as "chip.".
inline void check_latency(const std::string& table, const PipelineLatency& row,
                          std::uint32_t value) {
  check_range(table + std::string{row.key}, value, row.least, row.greatest, " cycles");
}

}  // namespace weir
