// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/port_speeds.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "weir/core/errors.hpp"

namespace weir::port_speeds_test {
namespace {

constexpr std::uint64_t giga = 1'000'000'000;

TEST(PortSpeeds, EveryRowIsALegalRateWithASourceAndFasterThanTheOneAbove) {
  BitRate last;
  for (const PortSpeed& speed : port_speeds()) {
    EXPECT_TRUE(is_port_rate(speed.rate)) << speed.rate.count();
    EXPECT_LT(last, speed.rate);
    EXPECT_NE(speed.response, Quanta{0}) << speed.rate.count();
    EXPECT_FALSE(speed.source.empty()) << speed.rate.count();
    EXPECT_EQ(response_limit(speed.rate), speed.response);
    last = speed.rate;
  }
}

TEST(PortSpeeds, TheResponsesAreThePublishedOnes) {
  const std::pair<std::uint64_t, std::uint16_t> published[]{{1, 60},    {10, 60},   {25, 80},
                                                            {40, 118},  {50, 147},  {100, 394},
                                                            {200, 453}, {400, 905}, {800, 905}};
  for (const auto& [gbps, quanta] : published)
    EXPECT_EQ(response_limit(BitRate{gbps * giga}), Quanta{quanta}) << gbps << " Gbps";
}

TEST(PortSpeeds, ARateWithoutARowHasNoResponse) {
  for (const std::uint64_t gbps : {2U, 20U, 160U, 1000U}) {
    EXPECT_EQ(find_port_speed(BitRate{gbps * giga}), nullptr) << gbps << " Gbps";
    try {
      static_cast<void>(response_limit(BitRate{gbps * giga}));
      ADD_FAILURE() << gbps << " Gbps was given a response";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.key(), "response");
      EXPECT_EQ(error.legal().find("must be given at " + std::to_string(gbps) + " Gbps"), 0U)
          << error.legal();
      for (const PortSpeed& speed : port_speeds())
        EXPECT_NE(error.legal().find(std::to_string(speed.rate.count() / giga)), std::string::npos)
            << error.legal() << " does not name " << speed.rate.count();
    }
  }
  EXPECT_NE(unknown_response(BitRate{2'500'000'000}).find("at 2.5 Gbps"), std::string::npos);
}

TEST(PortSpeeds, TheLegalRangeHasTwoEndsAndWholePicoseconds) {
  EXPECT_TRUE(is_port_rate(min_port_rate));
  EXPECT_TRUE(is_port_rate(max_port_rate));
  EXPECT_FALSE(is_port_rate(BitRate{min_port_rate.count() / 2}));
  EXPECT_FALSE(is_port_rate(BitRate{max_port_rate.count() * 2}));
  EXPECT_FALSE(is_port_rate(BitRate{300 * giga})) << "8e12 / 3e11 is no whole number";
  EXPECT_FALSE(is_port_rate(BitRate{0}));
  EXPECT_NO_THROW(check_port_rate(BitRate{20 * giga}));
  try {
    check_port_rate(BitRate{300 * giga});
    ADD_FAILURE() << "300 Gbps was taken";
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string{error.what()}.find(
                  "rate = 300000000000 bps: must be from 1 to 1600 Gbps, and a byte must last"),
              0U)
        << error.what();
  }
}

TEST(PortSpeeds, ThePageHasTheLegalRangeAndARowOfEverySpeed) {
  std::ifstream file{"docs/blocks/port_speeds.md"};
  const std::string page{std::istreambuf_iterator<char>{file}, {}};
  const std::string range = "A port runs at " + std::to_string(min_port_rate.count() / giga) +
                            " to " + std::to_string(max_port_rate.count() / giga) + " Gbps";
  EXPECT_NE(page.find(range), std::string::npos) << "no text " << range;
  for (const PortSpeed& speed : port_speeds()) {
    const std::string row = "| " + std::to_string(speed.rate.count() / giga) + "G | " +
                            std::to_string(speed.response.count()) + " | " +
                            std::string{speed.source} + " |";
    EXPECT_NE(page.find(row), std::string::npos) << "no row " << row;
  }
}

}  // namespace
}  // namespace weir::port_speeds_test
