// SPDX-License-Identifier: Apache-2.0
// Drives the built program: folders in the results of a sweep, whose names the program has chosen,
// where another user has put something else.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace weir::test::sweep_folders_test {
namespace {

namespace fs = std::filesystem;

class SweepFolders : public InFolder {
 protected:
  SweepFolders() {
    std::ofstream{at("s.toml")}
        << "[sweep]\nname = \"s\"\nscenarios = \"" +
               fs::absolute("vectors/scenarios/incast_star16_dt_trident2.toml").string() +
               "\"\nseeds = 2\n[set]\n\"scenario.until\" = \"20 us\"\n";
  }
  [[nodiscard]] Outcome sweep(const std::string& more, const std::string& before = "") const {
    return shell(before + " timeout --signal=KILL 100 '" + program() + "' sweep '" + at("s.toml") +
                 "' --quiet --out '" + at("out") + "' " + more);
  }
  // Calls `use` with a link to another's folder in the place, one to nowhere, a pipe and a file.
  template <class Use>
  void with_each(const std::string& place, const Use& use, bool stays = true) const {
    const fs::path name = at("out/" + place);
    fs::create_directories(name.parent_path());
    for (const char* const found : {"link", "link to nowhere", "pipe", "file"}) {
      SCOPED_TRACE(place + ": " + found);
      fs::remove_all(name);
      fs::remove_all(at("victim"));
      if (found != std::string{"link to nowhere"}) {
        fs::create_directories(at("victim/7"));
        std::ofstream{at("victim/7/keep")} << "precious";
      }
      if (found == std::string{"pipe"}) {
        ASSERT_EQ(mkfifo(name.c_str(), 0666), 0);
      } else if (found == std::string{"file"}) {
        std::ofstream{name} << "in the way";
      } else {
        fs::create_directory_symlink(at("victim"), name);
      }
      use();
      EXPECT_EQ(fs::is_directory(fs::symlink_status(name)), stays);
      if (found == std::string{"link to nowhere"}) {
        EXPECT_FALSE(fs::exists(at("victim")));
      } else {
        EXPECT_EQ(text_of(at("victim/7/keep")), "precious");
        for (const auto& entry : fs::directory_iterator(at("victim")))
          EXPECT_EQ(entry.path().filename(), "7") << "written through the link";
      }
    }
  }
};

TEST_F(SweepFolders, APointThatRunsByItselfWritesIntoAFolderOfTheSweep) {
  ASSERT_LE(sweep("").exit_code, 1);
  for (const char* const place : {"points", "points/1"})
    with_each(place, [&] {
      const Outcome outcome = sweep("--run 1");
      EXPECT_LE(outcome.exit_code, 1) << outcome.text;
      EXPECT_TRUE(fs::is_regular_file(at("out/points/1/summary.json")));
    });
}

TEST_F(SweepFolders, APlanAndItsTasksWriteIntoAFolderOfTheSweep) {
  with_each("tasks", [&] {
    const Outcome outcome = sweep("--plan --yes");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  });
  with_each("tasks", [&] {
    const Outcome outcome = sweep("--point 1/2");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
    EXPECT_TRUE(fs::is_regular_file(at("out/tasks/1-of-2.1.jsonl")));
  });
}

// It clears up what earlier attempts have left, and writes its own, until the scheduler refuses
// the job.
TEST_F(SweepFolders, AJobArrayWritesIntoAFolderOfTheSweep) {
  const std::map<std::string, std::vector<std::string>> programs{
      {"slurm", {"sbatch", "squeue", "scancel"}}, {"sge", {"qsub", "qstat", "qdel"}}};
  for (const auto& [engine, names] : programs) {
    SCOPED_TRACE(engine);
    fs::create_directory(at("bin"));
    for (const std::string& name : names) {
      std::ofstream{at("bin/" + name)} << "#!/bin/sh\ntest -L '" + at("out/" + engine) +
                                              "' && echo to a link || echo to a folder\nexit 1\n";
      fs::permissions(at("bin/" + name), fs::perms::owner_all);
    }
    const auto refused = [&, engine = engine, submits = names.front()] {
      const Outcome outcome =
          sweep("--engine " + engine + " --resume", "PATH='" + at("bin") + "':\"$PATH\"");
      EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
      EXPECT_TRUE(outcome.says(submits + " says: to a folder")) << outcome.text;
    };
    with_each(engine, refused, false);
    fs::remove_all(at("bin"));
  }
}

// Grid Engine keeps a task that it could not start; nothing will come of it.
TEST_F(SweepFolders, AJobThatGridEngineCannotStartIsGivenUp) {
  fs::create_directory(at("bin"));
  const auto says = [&](const std::string& name, const std::string& commands) {
    std::ofstream{at("bin/" + name)} << "#!/bin/sh\n" + commands + "\n";
    fs::permissions(at("bin/" + name), fs::perms::owner_all);
  };
  says("qsub", "echo 7.1-1:1");
  says("qstat", "echo 'job_number: 7'; echo 'error reason 1: no such folder'");
  says("qdel", "echo \"$@\" >'" + at("deleted") + "'");
  const Outcome outcome = sweep("--engine sge --tasks 1", "PATH='" + at("bin") + "':\"$PATH\"");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.text;
  EXPECT_TRUE(outcome.says("tasks ended early (see " + at("out/sge"))) << outcome.text;
  EXPECT_EQ(text_of(at("deleted")), "7\n");
}

}  // namespace
}  // namespace weir::test::sweep_folders_test
