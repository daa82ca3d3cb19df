// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/node.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir::test {

/// [chip] and a pool. `below` precedes the names of the tables: "switch.tor." in a scenario.
[[nodiscard]] inline std::string chip_head(std::size_t ports, const std::string& below) {
  return "[" + below + "chip]\nname = \"small\"\nports = " + std::to_string(ports) +
         "\nrate = \"40 Gbps\"\ncell = \"208 B\"\n[" + below + "pool.main]\nsize = \"12 MB\"\n";
}

/// The smallest chip file, in 12 lines: all priorities are lossless. The last table is
/// [profile.lossless].
[[nodiscard]] inline std::string chip_text(std::size_t ports, const std::string& below = "") {
  return chip_head(ports, below) + "[" + below +
         "profile.lossless]\npriorities = \"0-7\"\npool = \"main\"\nheadroom = \"20 kB\"\n"
         "alpha = \"1/8\"\n";
}

/// A chip file of 18 lines: priorities 3 and 4 are lossless, the others are not. mtu is 2000 B.
[[nodiscard]] inline std::string mixed_chip_text(std::size_t ports, const std::string& below = "") {
  const std::string chip = "[" + below + "chip]\n";
  return chip + "mtu = \"2000 B\"\n" + chip_head(ports, below).substr(chip.size()) + "[" + below +
         "profile.lossless]\npriorities = [3, 4]\npool = \"main\"\nheadroom = \"20 kB\"\n"
         "alpha = \"1/8\"\n[" +
         below +
         "profile.lossy]\npriorities = [0, 1, 2, 5, 6, 7]\npool = \"main\"\npolicy = \"static\"\n"
         "limit = \"1 MB\"\n";
}

/// The message for a chip file, or "taken".
[[nodiscard]] inline std::string chip_error(const std::string& text, const std::string& name,
                                            const std::vector<std::string>& overrides = {}) {
  try {
    static_cast<void>(parse_chip(text, name, overrides));
  } catch (const FileError& refused) {
    return refused.what();
  }
  return "taken";
}

/// [scenario], in 3 lines.
[[nodiscard]] inline std::string scenario_head() {
  return "[scenario]\nname = \"small\"\nuntil = \"1 ms\"\n";
}

/// [hosts], in 3 lines.
[[nodiscard]] inline std::string hosts_text(std::size_t count) {
  return "[hosts]\ncount = " + std::to_string(count) + "\ncable = \"10 m\"\n";
}

/// Tests of scenario files: they are in a folder that is removed at the end.
class ScenarioFiles : public testing::Test {
 protected:
  /// `head` is what every scenario of the test begins with.
  explicit ScenarioFiles(std::string head) : head_{std::move(head)} {
    std::filesystem::create_directory(folder_);
  }
  ~ScenarioFiles() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder_ / name} << text;
  }
  /// The scenario s.toml: the head and `text`.
  [[nodiscard]] Scenario load(const std::string& text,
                              const std::vector<std::string>& overrides = {}) const {
    write("s.toml", head_ + text);
    return load_scenario(folder_ / "s.toml", overrides);
  }
  /// The message for it, such as "s.toml:36: hosts.count = 0: must ...", or "taken".
  [[nodiscard]] std::string error(const std::string& text,
                                  const std::vector<std::string>& overrides = {}) const {
    try {
      static_cast<void>(load(text, overrides));
    } catch (const FileError& refused) {
      std::string message = refused.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at = 0; (at = message.find(prefix)) != std::string::npos;)
        message.erase(at, prefix.size());
      return message;
    }
    return "taken";
  }
  /// The same without the file and the line.
  [[nodiscard]] std::string error_at_key(const std::string& text) const {
    const std::string message = error(text);
    return message == "taken" ? message : message.substr(message.find(' ') + 1);
  }

 private:
  const std::filesystem::path folder_{testing::TempDir() + "weir_files_" +
                                      std::to_string(getpid())};
  const std::string head_;
};

}  // namespace weir::test
