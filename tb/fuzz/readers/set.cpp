// SPDX-License-Identifier: Apache-2.0
// Overrides of `--set`, one a line, on a scenario with every kind of table.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "fuzz/scratch.hpp"
#include "weir/config/chip/configured_values.hpp"
#include "weir/config/scenario/scenario_file.hpp"

namespace weir::fuzz {
namespace {

constexpr std::string_view small_scenario = R"([scenario]
name = "small"
until = "1 ms"
[switch.tor]
file = "../chips/arista_7050qx_32.toml"
[hosts]
count = 4
cable = "10 m"
[[traffic]]
name = "background"
kind = "constant"
from = "h[0-2]"
to = "h3"
priority = 3
rate = "1 Gbps"
[[fault]]
link = "h0"
frames = "pfc"
action = "lose"
nth = 1
[expect]
drops = 0
)";
constexpr std::size_t max_overrides = 64;

std::vector<std::string> lines_of(std::string_view input) {
  std::vector<std::string> lines;
  while (!input.empty() && lines.size() < max_overrides) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    lines.emplace_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  return lines;
}

}  // namespace

void read_set(std::string_view input) {
  static const std::filesystem::path file = Scratch::folder().file("set.toml", small_scenario);
  static const bool good = taken([] { static_cast<void>(load_scenario(file)); });
  require(good, "the scenario of this fuzzer does not load");
  const std::vector<std::string> overrides = lines_of(input);
  const bool loaded = taken([&] { static_cast<void>(load_scenario(file, overrides)); });
  const bool listed = taken([&] { static_cast<void>(configured_values(file, overrides)); });
  require(!loaded || listed, "overrides that load have values that cannot be listed");
}

}  // namespace weir::fuzz
