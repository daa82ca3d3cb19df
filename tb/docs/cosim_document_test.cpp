// SPDX-License-Identifier: Apache-2.0
// The examples of docs/guide/cosimulation.md: a chip that no library holds; a mutant of the
// RTL, which weir cosim and a running scenario notice, as the page shows.
#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/vcd_reader.hpp"
#include "weir/core/pipeline_latency.hpp"
#include "weir/model/rtl/mmu_pins.hpp"

namespace weir::test::cosim_document_test {
namespace {

// Verilator names the files of the RTL in what it makes of them, so their folder has one name.
class CosimDocument : public InFolder {
 protected:
  CosimDocument()
      : InFolder{build_folder("tb/cosim_document") /
                 testing::UnitTest::GetInstance()->current_test_info()->name()} {}

  const std::string page_{text_of("docs/guide/cosimulation.md")};

  // The command lines of the blocks that begin with a prompt, in the order of the page.
  [[nodiscard]] std::vector<std::string> commands() const {
    std::vector<std::string> found;
    const std::string fence = "```text\n";
    for (std::size_t at = page_.find(fence); at != std::string::npos; at = page_.find(fence, at)) {
      at += fence.size();
      while (page_.compare(at, 2, "$ ") == 0) {
        const std::size_t end = page_.find('\n', at);
        found.push_back(page_.substr(at + 2, end - at - 2));
        at = end + 1;
      }
    }
    return found;
  }

  // Runs a command of the page with its files in this test's folder; returns its output with the
  // file names of the page.
  [[nodiscard]] Outcome run(std::string command) const {
    command = with_all(command, "build/", at(""));
    if (command.rfind("weir ", 0) == 0) command.replace(0, 4, program());
    Outcome outcome = shell(command);
    outcome.text = with_all(outcome.text, at(""), "build/");
    return outcome;
  }

  // Every pin of weir_mmu is in the dump, and its times are those of the cycles it shows.
  static void expect_all_pins(const std::string& dump) {
    std::istringstream rtl{text_of("rtl/weir_mmu.sv")};
    const std::regex pin{"^ +(in|out)put +logic.* ([a-z0-9_]+_n?[io]),? *(//.*)?$"};
    std::size_t pins = 0;
    std::smatch found;
    for (std::string line; std::getline(rtl, line);) {
      if (!std::regex_match(line, found, pin)) continue;
      ++pins;
      const std::string name = " " + found[2].str() + " ";
      EXPECT_NE(dump.find(name), std::string::npos) << "no" << name << "in the waveform";
    }
    EXPECT_EQ(pins, mmu_pin_count) << "pins that the test has found in rtl/weir_mmu.sv";
    EXPECT_NE(dump.find("$timescale 1ps $end"), std::string::npos);
    EXPECT_NE(dump.find("\n#139500\n"), std::string::npos) << "the first cycle of the window";
    EXPECT_NE(dump.find("\n#339000\n"), std::string::npos) << "the cycle that differs";
    EXPECT_NE(dump.find("\n#359000\n"), std::string::npos) << "the last edge of the window";
    EXPECT_EQ(dump.find("\n#359500\n"), std::string::npos);
  }

  // In the cycle that the message names the RTL puts three cells of PG 3 at port 1 into the shared
  // pool; the core put them into headroom when they were requested.
  void expect_the_edge_in_both(const std::string& message) const {
    std::smatch named;
    ASSERT_TRUE(std::regex_search(message, named, std::regex{"in cycle ([0-9]+), port 1, PG 3"}));
    const std::uint64_t edge = std::stoull(named[1]) * 1000;  // ps: a clock of 1 GHz
    const std::uint64_t request = edge - pipeline::admit.usual * std::uint64_t{1000};
    const VcdReader wave = VcdReader::from_fst(at("run.fst"));
    ASSERT_FALSE(wave.times().empty()) << "no waveform";
    EXPECT_LE(wave.times().front(), edge - 9'900'000) << "10 us before";
    EXPECT_EQ(wave.times().back(), edge + 20'000) << "20 cycles after it";
    const std::string rtl = "tor.mmu.rtl.weir_mmu.", core = "tor.port[1].pg[3].";
    EXPECT_EQ(wave.at(rtl + "arr_valid_o", edge), "1");
    EXPECT_EQ(wave.at(rtl + "arr_shared_o", edge), "3");
    EXPECT_EQ(wave.at(rtl + "arr_headroom_o", edge), "0");
    EXPECT_GT(std::stoi(wave.at(core + "headroom", request)),
              std::stoi(wave.at(core + "headroom", request - 1)));
    EXPECT_GT(wave.changes(rtl + "clk_i").size(), 2'000U);
  }

  void expect_shown(const Outcome& outcome) const {
    EXPECT_NE(page_.find(outcome.text), std::string::npos)
        << "docs/guide/cosimulation.md does not show:\n"
        << outcome.text;
  }
};

TEST_F(CosimDocument, AChipThatNoLibraryHoldsGetsTheMessageThatItShows) {
  const Outcome outcome = shell(program() + " cosim vectors/cosim/eight_ports_four_lanes.toml");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(outcome.says("scripts/rtl/make-backend")) << outcome.text;
  expect_shown(outcome);
}

TEST_F(CosimDocument, ItsMutantIsNoticedAsItShows) {
  const std::vector<std::string> lines = commands();
  ASSERT_EQ(lines.size(), 5U);
  Outcome last;
  for (const std::string& line : lines) {
    const int expected = line.find("# exit 1") != std::string::npos   ? 1
                         : line.find("# exit 3") != std::string::npos ? 3
                                                                      : 0;
    last = run(line);
    ASSERT_EQ(last.exit_code, expected) << line << "\n" << last.text;
    if (expected != 0) expect_shown(last);
  }

  expect_all_pins(text_of(at("wrong_mmu.vcd")));
  expect_the_edge_in_both(last.text);
}

}  // namespace
}  // namespace weir::test::cosim_document_test
