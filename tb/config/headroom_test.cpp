// SPDX-License-Identifier: Apache-2.0
// The form headroom = { cable, method } of a chip profile.
#include <gtest/gtest.h>

#include <string>

#include "support/config_files.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

namespace weir::headroom_test {
namespace {

constexpr const char* head = R"(
[chip]
name = "two speeds"
ports = 4
rate = "100 Gbps"
cell = "254 B"
mtu = "1500 B"

[[port]]
ports = "3"
rate = "400 Gbps"

[pool.main]
size = "60000 cells"

[profile.lossy]
priorities = [0, 1, 2, 4, 5, 6, 7]
pool = "main"
alpha = "1"

[profile.lossless]
priorities = [3]
pool = "main"
alpha = "1/8"
)";

Chip chip_with(const std::string& headroom) {
  return parse_chip(std::string{head} + "headroom = " + headroom + "\n", "two.toml");
}

std::string error_of(const std::string& headroom) {
  return test::chip_error(std::string{head} + "headroom = " + headroom + "\n", "two.toml");
}

Cells sized(const Chip& chip, std::uint16_t port, std::string_view method, std::uint64_t metres) {
  return size_headroom(method, headroom_port(chip, PortId{port}, Millimetres{metres * 1000})).cells;
}

TEST(ConfigHeadroom, EveryMethodSizesForTheWorstCasePortOfTheProfile) {
  for (const HeadroomMethod& method : headroom_methods()) {
    const Chip chip =
        chip_with("{ cable = \"300 m\", method = \"" + std::string{method.name} + "\" }");
    const Profile& profile = chip.profiles[ProfileIndex{1}];
    EXPECT_TRUE(profile.lossless) << method.name;
    EXPECT_EQ(profile.headroom, sized(chip, 3, method.name, 300)) << method.name << ": port 3";
    EXPECT_GT(profile.headroom, sized(chip, 0, method.name, 300)) << method.name << ": port 0";
  }
}

TEST(ConfigHeadroom, OnlyThePortsOfTheProfileCount) {
  const std::string text = std::string{head} + "ports = \"0-2\"\n" +
                           "headroom = { cable = \"40 m\", method = \"worst_case\" }\n" +
                           "[profile.rest]\npriorities = [3]\nports = \"3\"\npool = \"main\"\n" +
                           "alpha = 1\n";
  const Chip chip = parse_chip(text, "two.toml");
  EXPECT_EQ(chip.profiles[ProfileIndex{1}].headroom, sized(chip, 0, "worst_case", 40));
}

TEST(ConfigHeadroom, TheCableMayBeSlowerThanFiveNanosecondsAMetre) {
  const Chip chip =
      chip_with(R"({ cable = "300 m", method = "paper", delay_per_metre = "10 ns" })");
  EXPECT_EQ(chip.profiles[ProfileIndex{1}].headroom, sized(chip, 3, "paper", 600));
}

TEST(ConfigHeadroom, MistakesNameTheKeyTheValueAndWhatIsLegal) {
  const std::string where = "two.toml:25: profile.lossless.headroom";
  EXPECT_EQ(error_of(R"({ cable = "300 m", method = "worst" })"),
            where +
                ".method = \"worst\": must be one of paper, standard, sonic, sonic_earlier, "
                "tomahawk_tables, worst_case");
  EXPECT_EQ(error_of(R"({ cable = "300", method = "paper" })"),
            where + ".cable = \"300\": must be a length such as \"300m\", at most \"1000km\"");
  EXPECT_EQ(error_of(R"({ cable = "300 m" })").rfind(where + ".method: ", 0), 0U);
  EXPECT_EQ(error_of(R"({ method = "paper" })").rfind(where + ".cable: ", 0), 0U);
  EXPECT_NE(error_of(R"({ cable = "300 m", method = "paper", margin = 3 })").find("unknown key"),
            std::string::npos);
  EXPECT_EQ(error_of(R"({ cable = "2000 km", method = "paper" })")
                .rfind(where + ".cable = \"2000 km\": ", 0),
            0U);
  EXPECT_EQ(error_of(R"({ cable = "1 m", method = "paper", delay_per_metre = "3 ns" })")
                .rfind(where + ".delay_per_metre = \"3 ns\": ", 0),
            0U)
      << "faster than light";
}

TEST(ConfigHeadroom, AKeyOfTheChipThatHasNoHeadroomIsRefusedAtItsOwnPlace) {
  const std::string text =
      std::string{head} + "headroom = { cable = \"300 m\", method = \"worst_case\" }\n";
  EXPECT_EQ(test::chip_error(text, "two.toml", {"chip.cell=1 B"}),
            "--set: chip.cell = \"1 B\": must be from 32 to 65535 B where "
            "profile.lossless.headroom has a cable");
}

TEST(ConfigHeadroom, TheChipKnowsWhatItsHeadroomWasSizedFor) {
  const Chip sized = chip_with(R"({ cable = "300 m", method = "worst_case" })");
  std::size_t requests = 0;
  for (ProfileIndex i; i < sized.profiles.end_index(); ++i) {
    const Profile& profile = sized.profiles[i];
    EXPECT_EQ(profile_headroom(sized, i), profile.headroom) << profile.name;
    if (!profile.headroom_request) continue;
    ++requests;
    EXPECT_EQ(profile.headroom_request->cable, Millimetres{300'000});
    EXPECT_EQ(profile.headroom_request->method, "worst_case");
    EXPECT_EQ(profile.headroom_request->delay_per_metre, Picoseconds{5000});
  }
  EXPECT_EQ(requests, 1U);
  const Chip in_cells = chip_with("\"10 cells\"");
  for (const Profile& profile : in_cells.profiles)
    EXPECT_FALSE(profile.headroom_request) << "given in cells";
}

}  // namespace
}  // namespace weir::headroom_test
