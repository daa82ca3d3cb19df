// SPDX-License-Identifier: Apache-2.0
// README.md: each line of output that it shows below a command is in the output of that command.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace weir::test::readme_document_test {
namespace {

namespace fs = std::filesystem;

/// Commands of scripts/weir, without that name, and the lines of output below the last of them.
struct Shown {
  std::vector<std::string> commands, lines;
};

std::vector<std::string> lines_until_fence(std::istream& page) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line) && line != "```";) lines.push_back(line);
  return lines;
}

// What runs the program and has its output in the next block.
std::vector<Shown> shown() {
  const std::string weir = "$ scripts/weir ";
  std::istringstream page{text_of("README.md")};
  std::vector<Shown> found;
  Shown open;
  for (std::string line; std::getline(page, line);) {
    if (line == "```console") {
      open = {};
      for (const std::string& typed : lines_until_fence(page))
        if (typed.rfind(weir, 0) == 0) open.commands.push_back(typed.substr(weir.size()));
    } else if (line == "```" && !open.commands.empty()) {
      open.lines = lines_until_fence(page);
      found.push_back(std::exchange(open, {}));
    } else if (!line.empty()) {
      open = {};  // text between: the next block is not its output
    }
  }
  return found;
}

TEST(ReadmeDocument, ItsOutputIsThatOfItsCommands) {
  const fs::path folder = fs::temp_directory_path() / ("weir-readme-" + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path here = fs::current_path();
  fs::create_directory_symlink(here / "vectors", folder / "vectors");
  const std::vector<Shown> blocks = shown();
  EXPECT_EQ(blocks.size(), 2U) << "a run, and a comparison";
  for (const Shown& block : blocks) {
    Outcome last;
    for (const std::string& command : block.commands) {
      last = shell("cd '" + folder.string() + "' && '" + program() + "' " + command);
      EXPECT_LE(last.exit_code, 1) << command << "\n" << last.text;
    }
    for (const std::string& line : block.lines)
      EXPECT_TRUE(last.says(line)) << line << "\nis not in\n" << last.text;
    EXPECT_FALSE(block.lines.empty());
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace weir::test::readme_document_test
