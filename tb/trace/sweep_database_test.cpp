// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/sweep/sweep_database.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "support/program.hpp"
#include "weir/config/sweep/sweep.hpp"

namespace weir::test::sweep_database_test {
namespace {

using SweepDatabaseTest = InFolder;

// The file is there before its tables are: a reader of that moment must not end the sweep.
TEST_F(SweepDatabaseTest, WaitsForAReaderThatHoldsTheFileWhenItIsMade) {
  const std::string file = at("sweep.sqlite"), seen = at("seen");
  std::FILE* const reader = popen(("sqlite3 " + file).c_str(), "w");
  ASSERT_NE(reader, nullptr);
  const std::string reads = "CREATE TABLE other(x);\nBEGIN;\n.output " + seen +
                            "\nSELECT count(*) FROM other;\n.output\n";
  EXPECT_GE(std::fputs(reads.c_str(), reader), 0);
  std::fflush(reader);
  for (int i = 0; i < 1000 && text_of(seen).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  EXPECT_EQ(text_of(seen), "0\n") << "it reads, and holds the file until it commits";
  std::thread ends{[&] {
    std::this_thread::sleep_for(std::chrono::milliseconds{300});
    std::fputs("COMMIT;\n", reader);
    std::fflush(reader);
  }};
  const Sweep sweep = load_sweep("vectors/sweeps/alpha_star16_dt_trident2.toml");
  EXPECT_NO_THROW((SweepDatabase{file, sweep, "digest"}));
  ends.join();
  pclose(reader);
}

}  // namespace
}  // namespace weir::test::sweep_database_test
