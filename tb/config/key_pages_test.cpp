// SPDX-License-Identifier: Apache-2.0
// The tables of docs/reference have the keys that the readers take, no more and no fewer.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/config_files.hpp"
#include "support/key_page.hpp"
#include "weir/config/chip/chip_drift.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"

namespace weir::key_pages_test {
namespace {

using test::KeyPage;
using test::KeyRow;
using test::Keys;
using Overrides = std::vector<std::string>;

constexpr std::string_view unknown = "no_such_key";

// The legal keys that the message for a file with an unknown key lists.
Keys legal_in(const std::string& message) {
  constexpr std::string_view list = "legal here: ";
  const std::size_t at = message.find(list);
  EXPECT_NE(message.find(unknown), std::string::npos) << message;
  EXPECT_NE(at, std::string::npos) << message;
  Keys keys;
  for (std::size_t begin = at + list.size(); at != std::string::npos && begin < message.size();) {
    const std::size_t end = std::min(message.find(", ", begin), message.size());
    keys.insert(message.substr(begin, end - begin));
    begin = end + 2;
  }
  return keys;
}

struct Section {
  const char* heading;
  std::vector<std::string> messages;  // for an unknown key in each of its tables
};

void expect_same_keys(const KeyPage& page, const std::vector<Section>& sections) {
  for (const Section& section : sections) {
    Keys legal;
    for (const std::string& message : section.messages) legal.merge(legal_in(message));
    EXPECT_FALSE(legal.empty()) << section.heading;
    EXPECT_EQ(page.keys(section.heading), legal)
        << section.heading << ": the keys of the page, and those that the reader takes";
  }
}

class KeyPages : public test::ScenarioFiles {
 protected:
  KeyPages()
      : ScenarioFiles{test::scenario_head() + test::mixed_chip_text(4, "switch.tor.") +
                      test::hosts_text(3)} {}

  // The message for an unknown key of a table that the overrides give its other keys.
  [[nodiscard]] std::string with(const std::string& table, const Overrides& others = {}) const {
    Overrides overrides = others;
    overrides.push_back(table + std::string{unknown} + "=1");
    return error("", overrides);
  }
  // The same for an entry of a list.
  [[nodiscard]] std::string entry(const std::string& text) const {
    return error(text + std::string{unknown} + " = 1\n");
  }
  [[nodiscard]] std::string traffic(const std::string& kind, const std::string& more = "") const {
    const std::string ends = "from = 'h0'\nto = 'h1'\npriority = 3\nrate = '1 Gbps'\n";
    return entry("[[traffic]]\nname = 'x'\nkind = '" + kind + "'\n" +
                 (kind == "replay" ? "" : ends) + more);
  }
};

TEST_F(KeyPages, AScenarioHasTheKeysOfItsPage) {
  write("sizes.csv", "message_bytes,cdf_percent\n1000,100\n");
  write("list.csv", "time_ps,from,to,priority,length_bytes\n0,h1,h2,3,64\n");
  const std::string sizes = "sizes = 'sizes.csv'\n";
  const Overrides nic{"nic.n.hosts=h0"}, period{"monitor.period=1 us"};
  const Overrides mesh{"pingmesh.from=h[0-1]", "pingmesh.priorities=[3]"};
  const KeyPage page{"scenario-format.md"};
  expect_same_keys(
      page,
      {{"`[scenario]`", {with("scenario.")}},
       {"`[hosts]`", {with("hosts."), with("host.h0.")}},
       {"`[[route]]`",
        {entry("[[route]]\nswitch = 'tor'\nto = 'h0'\nvia = 'discard'\n"), with("ecmp.")}},
       {"`[[traffic]]`",
        {traffic("constant"), traffic("poisson"), traffic("incast"),
         traffic("on_off", "on_time = '1 us'\noff_time = '1 us'\n"), traffic("messages", sizes),
         traffic("rdma", sizes), traffic("replay", "file = 'list.csv'\n")}},
       {"`[dcqcn.NAME]`", {with("dcqcn.d.")}},
       {"`[nic.NAME]`", {with("nic.n.", nic)}},
       {"`[watchdog.NAME]`", {with("watchdog.w.")}},
       {"`[[fault]]`",
        {entry("[[fault]]\nkind = 'reboot'\nhost = 'h0'\nat = '1 us'\n"),
         entry("[[fault]]\nlink = 'h0'\nframes = 'all'\naction = 'lose'\nnth = 1\n")}},
       {"`[monitor]`", {with("monitor.", period)}},
       {"`[pingmesh]`", {with("pingmesh.", mesh)}}});
}

class TopologyPage : public test::ScenarioFiles {
 protected:
  TopologyPage() : ScenarioFiles{test::scenario_head() + test::chip_text(8, "switches.")} {}
};

TEST_F(TopologyPage, TopologiesAndLinksHaveTheKeysOfTheirPage) {
  const std::string topology =
      "[hosts]\ncable = '1 m'\n[topology]\n" + std::string{unknown} + " = 1\nhosts = 1\nkind = ";
  const std::string spines = "cable = '1 m'\nleaves = 1\nspines = 1\n";
  const std::string link =
      "[switch.T0]\n[switch.T1]\n[host.h0]\nswitch = 'T0'\nport = 0\ncable = '1 m'\n[[link]]\n"
      "a = 'T0.port[1]'\nb = 'T1.port[1]'\ncable = '1 m'\n" +
      std::string{unknown} + " = 1\n";
  expect_same_keys(
      KeyPage{"scenario-format.md"},
      {{"`[topology]`",
        {error(topology + "'star'\n"), error(topology + "'ring'\nswitches = 2\ncable = '1 m'\n"),
         error(topology + "'leaf_spine'\n" + spines),
         error(topology + "'clos'\npodsets = 1\ntors = 1\n" + spines)}},
       {"`[[link]]`", {error(link)}}});
}

TEST_F(KeyPages, EveryTableOfAScenarioHasASectionOfItsPage) {
  EXPECT_EQ(KeyPage{"scenario-format.md"}.tables(), legal_in(with("")));
}

// The message for an unknown key in a table of a chip file; `more` is added to the file.
std::string chip_with(const std::string& table, const std::string& more = "") {
  return test::chip_error(test::mixed_chip_text(4) + more, "chip.toml",
                          {table + std::string{unknown} + "=1"});
}

const char* const queue =
    "[egress_pool.out]\nsize = '1 MB'\n"
    "[queue.lossy]\npriorities = 0\npool = 'out'\nalpha = 1\n";

const char* const wred =
    "[wred.w]\npriorities = 3\nmin = '1 kB'\nmax = '2 kB'\nprobability = '5 %'\n";

TEST(KeyPagesOfChips, AChipHasTheKeysOfItsPage) {
  const KeyPage page{"chip-format.md"};
  expect_same_keys(
      page,
      {{"`[chip]`", {chip_with("chip.")}},
       {"`[[port]]`", {chip_with("port[0].", "[[port]]\nports = 0\n")}},
       {"`[pool.NAME]`", {chip_with("pool.main.")}},
       {"`[profile.NAME]`", {chip_with("profile.lossless.")}},
       {"`[egress_pool.NAME]`",
        {chip_with("egress_pool.out.", queue), chip_with("queue.lossy.", queue)}},
       {"`[wred.NAME]`", {chip_with("wred.w.", wred), chip_with("draw.", wred)}},
       {"`[map]`", {chip_with("map."), chip_with("scheduler.")}},
       {"`[classify]`", {chip_with("classify.")}},
       {"`[dscp_map.NAME]`",
        {chip_with("dscp_map.up.", "[classify]\ntrust = 'dscp'\n[dscp_map.up]\nports = 0\n")}},
       {"`[neighbours]`", {chip_with("neighbours.")}}});
  EXPECT_EQ(page.tables(), legal_in(chip_with("")));
}

TEST(KeyPagesOfChips, ADefaultOfThePageChangesNothingWhereItIsWritten) {
  const KeyPage page{"chip-format.md"};
  const std::string text = test::chip_text(4) + "[neighbours]\n";
  const Chip chip = parse_chip(text, "chip.toml");
  std::size_t compared = 0;
  for (const auto& [heading, table] :
       {std::pair{"`[chip]`", "chip."}, std::pair{"`[pool.NAME]`", "pool.main."},
        std::pair{"`[profile.NAME]`", "profile.lossless."}, std::pair{"`[map]`", "scheduler."},
        std::pair{"`[classify]`", "classify."}, std::pair{"`[neighbours]`", "neighbours."}}) {
    for (const KeyRow& row : page.rows(heading)) {
      const std::string value = row.default_value();
      const std::string set = table + row.keys.front() + "=" + value;
      if (value.empty() || text.find("\n" + row.keys.front() + " = ") != std::string::npos)
        continue;
      EXPECT_TRUE(drift_between(chip, parse_chip(text, "chip.toml", {set})).empty()) << set;
      ++compared;
    }
  }
  EXPECT_GE(compared, 20U) << "defaults that were found on the page";
}

}  // namespace
}  // namespace weir::key_pages_test
