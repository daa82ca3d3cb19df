// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_database.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "weir/config/sweep/sweep.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

// The file is there before its tables are: a reader of that moment must not end the sweep.
TEST(SweepDatabase, WaitsForAReaderThatHoldsTheFileWhenItIsMade) {
  const fs::path folder =
      fs::temp_directory_path() / ("weir-sweep-database-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "sweep.sqlite").string();
  const fs::path seen = folder / "seen";
  std::FILE* const reader = popen(("sqlite3 " + file).c_str(), "w");
  ASSERT_NE(reader, nullptr);
  const std::string reads = "CREATE TABLE other(x);\nBEGIN;\n.output " + seen.string() +
                            "\nSELECT count(*) FROM other;\n.output\n";
  ASSERT_GE(std::fputs(reads.c_str(), reader), 0);
  std::fflush(reader);
  for (int i = 0; i < 1000 && (!fs::exists(seen) || fs::file_size(seen) == 0); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  ASSERT_GT(fs::file_size(seen), 0U);
  std::thread ends{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{300});
    std::fputs("COMMIT;\n", reader);
    std::fflush(reader);
  }};
  const Sweep sweep = load_sweep("vectors/sweeps/alpha_star16_dt_trident2.toml");
  EXPECT_NO_THROW((SweepDatabase{file, sweep, "digest"}));
  ends.join();
  pclose(reader);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace weir
