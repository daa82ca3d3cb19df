// SPDX-License-Identifier: Apache-2.0
// One network over several processes: the same bytes, clear errors, and a clean end when a rank
// ends before the others.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/program.hpp"

namespace weir::test::ranks_command_test {
namespace {

namespace fs = std::filesystem;

bool built_with_ranks() { return fs::exists(build_folder("lib/weir/ranks/libweir_ranks.so")); }

class RanksCommand : public InFolder {
 protected:
  void SetUp() override {
    if (!built_with_ranks()) GTEST_SKIP() << "built without MPI or METIS";
  }
  [[nodiscard]] Outcome run(const std::string& arguments) const {
    return shell("timeout 120 '" + program() + "' run " + arguments);
  }
  [[nodiscard]] std::string ring(const std::string& more) const {
    const std::string file = with_all(more, "vectors/", fs::current_path().string() + "/vectors/");
    std::ofstream{at("ring.toml")} << "[scenario]\nname = \"ring\"\nuntil = \"300 us\"\n"
                                      "[topology]\nkind = \"ring\"\nswitches = 3\nhosts = 1\n" +
                                          file;
    return at("ring.toml");
  }
};

const char* const small_traffic =
    "[switches]\nfile = \"vectors/chips/arista_7050qx_32.toml\"\n[hosts]\ncable = \"2 m\"\n"
    "[[traffic]]\nname = \"all\"\nkind = \"poisson\"\nfrom = \"T[0-2]h0\"\n"
    "to = [\"T[1-2]h0\", \"T0h0\"]\npriority = 3\nrate = \"60 %\"\n";

TEST_F(RanksCommand, MoreRanksThanSwitchesAreRefusedWithTheirNumber) {
  const Outcome star = run("incast_star16_dt_trident2 --ranks 2 --quiet --out " + at("out"));
  EXPECT_EQ(star.exit_code, 2) << star.text;
  EXPECT_TRUE(star.says("--ranks = 2: must be from 1 to the number of switches, here 1"))
      << star.text;
  EXPECT_FALSE(fs::exists(at("out")));
  const Outcome four = run(ring(std::string{"cable = \"2 m\"\n"} + small_traffic) +
                           " --ranks 4 --quiet --out " + at("out"));
  EXPECT_EQ(four.exit_code, 2) << four.text;
  EXPECT_TRUE(four.says("here 3")) << four.text;
}

TEST_F(RanksCommand, WhatIsNoNumberOfProcessesIsRefused) {
  for (const char* const wrong : {"0", "-1", "two", "2x", "1.5"}) {
    const Outcome outcome = run(std::string{"loop_ring3_dt_trident2 --ranks="} + wrong);
    EXPECT_EQ(outcome.exit_code, 2) << wrong << outcome.text;
    EXPECT_TRUE(outcome.says("must be a number of processes, or mpi")) << outcome.text;
  }
}

TEST_F(RanksCommand, ACutCableOfNoLengthIsRefusedWithItsEnds) {
  const Outcome outcome = run(ring(std::string{"delay = \"0 ns\"\n"} + small_traffic) +
                              " --ranks 3 --quiet --out " + at("out"));
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("has length 0, and its ends are in different ranks")) << outcome.text;
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(RanksCommand, WhatRanksCannotDoIsRefusedByItsName) {
  const std::string scenario = "loop_ring3_dt_trident2 --ranks 2 --out " + at("out") + " ";
  EXPECT_TRUE(run(scenario + "--backend rtl").says("--backend = rtl: cannot be used with --ranks"));
  const Outcome stdin_run = run("- --ranks 2 --out " + at("out") + " < " +
                                ring(std::string{"cable = \"2 m\"\n"} + small_traffic));
  EXPECT_EQ(stdin_run.exit_code, 2) << stdin_run.text;
  EXPECT_TRUE(stdin_run.says("each rank reads the file")) << stdin_run.text;
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(RanksCommand, WithoutTheLibraryTheProgramSaysWhatToInstall) {
  fs::create_directories(at("bin"));
  fs::copy_file(program(), at("bin/weir"));
  const Outcome outcome =
      shell("'" + at("bin/weir") + "' run vectors/scenarios/loop_ring3_dt_trident2.toml --ranks 2");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
  EXPECT_TRUE(outcome.says("install openmpi-bin, libopenmpi-dev and libmetis-dev")) << outcome.text;
}

// To look for networks takes Open MPI longer than a short run.
TEST_F(RanksCommand, OpenMpiLooksForNoOtherNetworksUnlessTheUserSaysSo) {
  fs::create_directories(at("bin"));
  std::ofstream{at("bin/mpirun")} << "#!/bin/sh\necho \"pml=$OMPI_MCA_pml\"\n";
  fs::permissions(at("bin/mpirun"), fs::perms::owner_all);
  const std::string ranks = "PATH='" + at("bin") + "':$PATH '" + program() +
                            "' run loop_ring3_dt_trident2 --ranks 2 --out " + at("out");
  EXPECT_TRUE(shell("unset OMPI_MCA_pml; " + ranks).says("pml=ob1"));
  EXPECT_TRUE(shell("export OMPI_MCA_pml=ucx; " + ranks).says("pml=ucx"));
}

// Its folder is gone when the first rank writes them; the others are done then.
TEST_F(RanksCommand, ResultsThatCannotBeWrittenAreAnErrorOfTheProgram) {
  const Outcome outcome =
      shell("timeout 60 '" + program() +
            "' run permutation_leafspine16_dt_tomahawk1 "
            "--until '100 s' --quiet --ranks 2 --no-report --out " +
            at("out") + " & for i in $(seq 1000); do draft=$(ls -dA " + at(".") +
            "/.out.draft-*) && break; sleep 0.05; done 2>/dev/null; "
            "sleep 0.5; rm -r \"$draft\"; kill -INT $!; wait $!; exit $?");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(outcome.says("No such file or directory")) << outcome.text;
  EXPECT_FALSE(outcome.says("MPI")) << outcome.text;
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(RanksCommand, ARankThatIsKilledEndsAllAndLeavesNoResults) {
  const Outcome outcome = shell(
      "timeout 100 '" + program() +
      "' run permutation_leafspine16_dt_tomahawk1 --until '1 s' "
      "--quiet --ranks 2 --out " +
      at("out") +
      " & parent=$!\n"
      "until rank=$(pgrep -f -- '" +
      at("out") +
      ".*' | while read p; do "
      "grep -qz OMPI_COMM_WORLD_RANK=1 /proc/$p/environ 2>/dev/null && echo $p; done | head -1) "
      "&& [ -n \"$rank\" ]; do sleep 0.1; done\n"
      "sleep 2; kill -9 $rank; wait $parent; exit $?");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.text;
  EXPECT_TRUE(outcome.says("a rank was ended by signal 9")) << outcome.text;
  for (const fs::directory_entry& left : fs::directory_iterator{at("")})
    EXPECT_EQ(left.path().filename(), "ring.toml") << "nothing is left of the results";
}

TEST_F(RanksCommand, CtrlCEndsAllRanksAndKeepsTheResultsUntilThen) {
  // `timeout` passes the signal on; a program in the background of a shell ignores it. The draft of
  // the results is there once signals are caught.
  const Outcome outcome = shell("timeout 60 '" + program() +
                                "' run permutation_leafspine16_dt_tomahawk1 "
                                "--until '100 s' --quiet --ranks 2 --no-report --out " +
                                at("out") + " & " + "for i in $(seq 1000); do ls -A " + at(".") +
                                " | grep -q . && break; sleep 0.05; done; "
                                "sleep 0.5; kill -INT $!; wait $!; exit $?");
  EXPECT_EQ(outcome.exit_code, 130) << outcome.text;
  EXPECT_TRUE(text_of(at("out/run.json")).find("\"interrupted\": true") != std::string::npos)
      << outcome.text;
}

TEST_F(RanksCommand, TheResultsAreThoseOfOneProcessByteForByte) {
  const std::string scenario =
      ring(std::string{"cable = \"20 m\"\n"} + small_traffic + "[monitor]\nperiod = \"40 us\"\n");
  const std::string files =
      " --quiet --pcap --events all --report-queues --wave " + at("w.fst") + " --out ";
  ASSERT_EQ(run(scenario + files + at("alone")).exit_code, 0);
  fs::rename(at("w.fst"), at("alone/w.fst"));
  for (const std::string ranks : {"2", "3"}) {
    const Outcome over = run(scenario + " --ranks " + ranks + files + at("over"));
    ASSERT_EQ(over.exit_code, 0) << over.text;
    fs::rename(at("w.fst"), at("over/w.fst"));
    std::size_t compared = 0;
    for (const fs::directory_entry& file : fs::directory_iterator{at("alone")}) {
      const fs::path name = file.path().filename();
      if (name == "run.json") continue;
      EXPECT_TRUE(text_of(file.path()) == text_of(fs::path{at("over")} / name))
          << name << " differs over " << ranks << " ranks";
      ++compared;
    }
    EXPECT_EQ(compared, 6U) << "summary.json, events.sqlite, the report, a capture, a waveform";
    fs::remove_all(at("over"));
  }
}

// scripts/check/ranks runs all scenarios and random networks; here some of each.
TEST_F(RanksCommand, SomeScenariosAndRandomNetworksAreComparedByTheScript) {
  for (const char* const some :
       {"--only storm_clos4_dt_switch_watchdog --short '2200 us' --ranks 2 --random 1 --first 100",
        "--only pingmesh_leafspine48_dt_load --short '60 us' --ranks 3 --random 0"}) {
    const Outcome outcome =
        shell(std::string{"timeout 110 scripts/check/ranks --program '"} + program() + "' " + some);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(outcome.says(" 0 differences")) << outcome.text;
  }
}

TEST_F(RanksCommand, TheCommandOfThePageRuns) {
  const std::string page = text_of("docs/guide/ranks.md");
  const std::size_t begin = page.find("```sh\n") + 6, end = page.find("```", begin);
  const std::string command =
      with_all(with_all(page.substr(begin, end - begin), "scripts/weir", "'" + program() + "'"),
               "/tmp/weir/two", at("two"));
  const Outcome outcome = shell(command);
  EXPECT_LE(outcome.exit_code, 1) << outcome.text;
  EXPECT_TRUE(fs::exists(at("two/summary.json"))) << outcome.text;
}

TEST_F(RanksCommand, ThePredictedEfficiencyIsSaidFirst) {
  const Outcome outcome =
      run(ring(std::string{"cable = \"2 m\"\n"} + small_traffic) + " --ranks 2 --out " + at("out"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(outcome.says("for a sync: predicted efficiency")) << outcome.text;
}

}  // namespace
}  // namespace weir::test::ranks_command_test
