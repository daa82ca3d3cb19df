// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pipeline_latency.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::pipeline_latency_test {
namespace {

// What the check says; "none" when the value is legal.
std::string error_of(const PipelineLatency& row, std::uint32_t value) {
  try {
    check_latency("chip.", row, value);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(PipelineLatency, BothEndsOfEachRangeAreLegalAndNothingBeyondThem) {
  for (const PipelineLatency& row : pipeline::table) {
    EXPECT_EQ(error_of(row, row.least), "none") << row.key;
    EXPECT_EQ(error_of(row, row.greatest), "none") << row.key;
    const std::string name = "chip." + std::string{row.key} + " = ";
    const std::string legal = " cycles: must be from " + std::to_string(row.least) + " to " +
                              std::to_string(row.greatest) + " cycles";
    EXPECT_EQ(error_of(row, row.greatest + 1), name + std::to_string(row.greatest + 1) + legal);
    if (row.least == 0) continue;
    EXPECT_EQ(error_of(row, row.least - 1), name + std::to_string(row.least - 1) + legal);
  }
}

TEST(PipelineLatency, TheDefaultIsLegalInModelAndRtl) {
  for (const PipelineLatency& row : pipeline::table) {
    EXPECT_LE(row.least, row.rtl_least) << row.key;
    EXPECT_LE(row.rtl_least, row.usual) << row.key << ": a chip as it is by default fits the RTL";
    EXPECT_LE(row.usual, row.rtl_greatest) << row.key;
    EXPECT_LE(row.rtl_greatest, row.greatest) << row.key;
  }
  EXPECT_GE(pipeline::admit.least, 1U) << "a verdict in the cycle of its request is none";
}

TEST(PipelineLatency, ChipAndHeadroomTakeTheirDefaultsAndRangesFromTheTable) {
  EXPECT_EQ(Chip{}.admit_latency, pipeline::admit.usual);
  EXPECT_EQ(Chip{}.pfc_latency, pipeline::pfc.usual);
  EXPECT_EQ(Chip{}.threshold_lag, pipeline::threshold_lag.usual);
  EXPECT_EQ(HeadroomPort{}.admit_latency, pipeline::admit.usual);
  EXPECT_EQ(HeadroomPort{}.pfc_latency, pipeline::pfc.usual);
  HeadroomPort port;
  port.rate = BitRate{100'000'000'000};
  port.admit_latency = pipeline::admit.greatest;
  port.pfc_latency = pipeline::pfc.greatest;
  EXPECT_NO_THROW(port.check());
  port.pfc_latency += 1;
  EXPECT_THROW(port.check(), ConfigError);
  port.pfc_latency = pipeline::pfc.least;
  port.admit_latency += 1;
  EXPECT_THROW(port.check(), ConfigError);
  port.admit_latency = pipeline::admit.least - 1;
  EXPECT_THROW(port.check(), ConfigError);
}

}  // namespace
}  // namespace weir::pipeline_latency_test
