// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lossless_classes.hpp"
#include "support/config_files.hpp"
#include "weir/config/chip/chip_file.hpp"
#include "weir/config/format/document.hpp"
#include "weir/config/format/error_list.hpp"
#include "weir/config/format/reader.hpp"
#include "weir/core/pfc/port_speeds.hpp"

namespace weir::chip_test {
namespace {

// A small chip in which every key affects the result; lines are counted from 1.
constexpr const char* small = R"([chip]
name = "small"
ports = 4
rate = "100 Gbps"
cell = "200 B"
domains = 2
clock = "500 MHz"

[pool.main]
size = "1000 cells"

[profile.lossless]
priorities = [3, 4]
pool = "main"
private = "401 B"
headroom = "10 cells"
alpha = "1/8"
xon = "399 B"
xon_offset = "201 B"

[profile.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "main"
policy = "static"
limit = "999 B"

[egress_pool.out]
size = "800 cells"

[queue.lossy]
priorities = [0, 1, 2, 5, 6, 7]
pool = "out"
minimum = "201 B"
dynamic_th = -1
)";

Chip chip_with(const std::vector<std::string>& overrides) {
  return parse_chip(small, "small.toml", overrides);
}

// The error message for the chip with `overrides`; these are named as "--set" in place of a line.
std::string error_with(const std::vector<std::string>& overrides) {
  return test::chip_error(small, "small.toml", overrides);
}

std::string error_of(const std::string& from, const std::string& to) {
  std::string text = small;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "the test looks for what is not there: " + from;
  text.replace(at, from.size(), to);
  return test::chip_error(text, "small.toml");
}

TEST(ConfigChip, DefaultsAreThoseOfTheFormat) {
  const Chip chip = chip_with({});
  EXPECT_EQ(chip.clock, Picoseconds{2000});
  EXPECT_EQ(chip.admit_latency, pipeline::admit.usual);
  EXPECT_EQ(chip.pfc_latency, pipeline::pfc.usual);
  EXPECT_EQ(chip.threshold_lag, pipeline::threshold_lag.usual);
  EXPECT_EQ(chip.quanta, Quanta{65535});
  EXPECT_EQ(chip.mtu, Bytes{9216});
  EXPECT_EQ(chip.lanes, 1U) << "2 x 100G / (672 bit x 500 MHz) = 0.6";
  EXPECT_EQ(chip.ports[1].domain, DomainId{0});
  EXPECT_EQ(chip.ports[2].domain, DomainId{1}) << "ports are split equally";
  EXPECT_EQ(chip.ports[0].response, quanta_time(Quanta{394}, BitRate{100'000'000'000}));
}

TEST(ConfigChip, ReservationsRoundUpAndLimitsDown) {
  const Chip chip = chip_with({});
  EXPECT_EQ(chip.profiles.front().private_cells, Cells{3});
  EXPECT_EQ(chip.profiles.front().headroom, Cells{10});
  EXPECT_EQ(chip.profiles.front().xon, Cells{1});
  EXPECT_EQ(chip.profiles.front().xon_offset, Cells{2});
  EXPECT_EQ(chip.profiles[ProfileIndex{1}].threshold.static_limit, Cells{4});
  EXPECT_EQ(chip.queue_profiles.front().minimum, Cells{2});
  EXPECT_EQ(chip.queue_profiles.front().threshold.alpha, (Alpha{1, 1})) << "dynamic_th = -1";
  EXPECT_TRUE(chip.profiles.front().lossless) << "it has headroom";
  EXPECT_FALSE(chip.profiles[ProfileIndex{1}].lossless);
}

TEST(ConfigChip, SharedCellsAreWhatReservationsLeave) {
  EXPECT_EQ(chip_with({}).ingress_pools.front().shared, Cells{448})
      << "(1000 - 8 PGs x (3 private + 10 headroom)) / 2 domains";
  EXPECT_EQ(chip_with({"pool.main.headroom_pool=101 cells"}).ingress_pools.front().shared,
            Cells{437})
      << "floor((1000 - 101 - 8 x 3) / 2): headroom comes out of its pool";
  EXPECT_EQ(chip_with({"pool.main.headroom_pool=101 cells"}).ingress_pools.front().headroom,
            Cells{50});
  EXPECT_EQ(chip_with({"pool.main.net=true"}).ingress_pools.front().shared, Cells{500});
  EXPECT_EQ(chip_with({"pool.main.reserved=[{count=3, size='7 cells', what='a list'}]"})
                .ingress_pools.front()
                .shared,
            Cells{489})
      << "a list replaces the sum";
  EXPECT_EQ(chip_with({"queue.lossy.reserved_from=main"}).ingress_pools.front().shared, Cells{424})
      << "24 queues x 2 cells more";
  EXPECT_EQ(chip_with({}).egress_pools.front().shared, Cells{400});
  const Chip same =
      parse_chip(std::string{small}.replace(std::string{small}.find("size = \"800 cells\""), 18,
                                            "same_as = \"main\""),
                 "small.toml");
  EXPECT_EQ(same.egress_pools.front().shared, Cells{448});
}

TEST(ConfigChip, PortsMayDiffer) {
  const Chip chip =
      chip_with({"port=[{ports='0-1', rate='25 Gbps', response='60 quanta', domain=1}, "
                 "{ports=1, rate='10 Gbps', response='1 us'}]"});
  EXPECT_EQ(chip.ports[0].rate, BitRate{25'000'000'000});
  EXPECT_EQ(chip.ports[0].response, quanta_time(Quanta{60}, chip.ports[0].rate));
  EXPECT_EQ(chip.ports[1].rate, BitRate{10'000'000'000}) << "the later block wins";
  EXPECT_EQ(chip.ports[1].response, Picoseconds{1'000'000});
  EXPECT_EQ(chip.ports[1].domain, DomainId{1});
  EXPECT_EQ(chip.ports[2].rate, BitRate{100'000'000'000});
  EXPECT_EQ(chip_with({"chip.domain_of_port=[0, 1, 0, 1]"}).ports[1].domain, DomainId{1});
}

TEST(ConfigChip, AResponseIsReadAsTheOneOfTheCommandLine) {
  const auto response_with = [](const std::string& text) {
    return chip_with({"chip.response='" + text + "'"}).ports[0].response;
  };
  EXPECT_EQ(response_with("60"), response_with("60 quanta")) << "as --response 60";
  EXPECT_EQ(response_with("1 s"), max_response);
  const std::string legal = "is too large; " + std::string{legal::response};
  EXPECT_EQ(error_with({"chip.response='1000000000001 ps'"}),
            "--set: chip.response = \"1000000000001 ps\": " + legal);
  EXPECT_EQ(error_with({"port=[{ports=1, response='2 s'}]"}),
            "--set: port[0].response = \"2 s\": " + legal);
  EXPECT_EQ(error_of("rate = \"100 Gbps\"", "rate = \"100 Gbps\"\nresponse = \"2000 s\""),
            "small.toml:5: chip.response = \"2000 s\": " + legal);
  EXPECT_EQ(error_with({"chip.response=soon"}),
            "--set: chip.response = \"soon\": " + std::string{legal::response});
}

TEST(ConfigChip, AtASpeedWithoutAKnownResponseTheResponseMustBeGiven) {
  const std::string error = error_of("rate = \"100 Gbps\"", "rate = \"1000 Gbps\"");
  EXPECT_EQ(error.find("small.toml:"), 0U) << error;
  for (const char* part : {"chip.rate = \"1000 Gbps\": needs the key response with it, which must "
                           "be given at 1000 Gbps",
                           "known only for 1, 10, 25, "})
    EXPECT_NE(error.find(part), std::string::npos) << error;
  const Chip chip = chip_with({"chip.rate='1000 Gbps'", "chip.response='905 quanta'",
                               "port=[{ports=1, rate='20 Gbps', response='1 us'}]"});
  EXPECT_EQ(chip.ports[0].response, quanta_time(Quanta{905}, BitRate{1'000'000'000'000}));
  EXPECT_EQ(chip.ports[1].response, Picoseconds{1'000'000});
  try {
    static_cast<void>(chip_with({"port=[{ports=1, rate='20 Gbps'}]"}));
    ADD_FAILURE() << "20 Gbps was given a response";
  } catch (const FileError& other) {
    EXPECT_NE(std::string{other.what()}.find("port[0].rate = \"20 Gbps\": needs the key response"),
              std::string::npos)
        << other.what();
  }
}

TEST(ConfigChip, MapsProfilesAndSchedulerReachTheirPlace) {
  const Chip chip =
      chip_with({"map.pg_of_priority=[0, 0, 0, 3, 4, 0, 0, 0]", "scheduler.strict=[7]",
                 "scheduler.weights=[1, 2, 3, 4, 5, 6, 7, 8]"});
  EXPECT_EQ(chip.profile_of_pg[PgIndex{3}], ProfileIndex{0});
  EXPECT_EQ(chip.profile_of_pg[PgIndex{0}], ProfileIndex{1});
  EXPECT_FALSE(chip.profile_of_pg[PgIndex{5}]) << "no priority leads there";
  EXPECT_EQ(chip.profile_of_queue[QueueIndex{5}], QueueProfileIndex{0});
  EXPECT_FALSE(chip.profile_of_queue[QueueIndex{3}]) << "lossless queues have no limit";
  EXPECT_EQ(chip.strict_queues, 0x80);
  EXPECT_EQ(chip.dwrr_weight[2], 3U);
  EXPECT_EQ(chip_with({"scheduler.kind=strict"}).scheduler, SchedulerKind::strict);
}

TEST(ConfigChip, ThePrioritiesOfAPortAreLosslessAsTheirGroupsAre) {
  Chip chip = chip_with({"map.pg_of_priority=[0, 0, 0, 3, 3, 0, 0, 0]"});
  for (const std::size_t port : {0, 3})
    EXPECT_EQ(lossless_classes(chip, port_id(port)), 0b0001'1000U) << "3 and 4, both in PG 3";
  chip.profile_of_pg[pg_index(PortId{1}, Priority{3})].reset();
  EXPECT_EQ(lossless_classes(chip, PortId{1}), 0U) << "a PG without a profile";
  EXPECT_EQ(lossless_classes(chip, PortId{2}), 0b0001'1000U);
}

TEST(ConfigChip, EveryPolicyAndRuleCanBeChosen) {
  EXPECT_EQ(
      chip_with({"profile.lossless.policy=complete_sharing"}).profiles.front().threshold.policy,
      Policy::complete_sharing)
      << "alpha of the file may stay";
  EXPECT_EQ(chip_with({"profile.lossy.policy=complete_partitioning"})
                .profiles[ProfileIndex{1}]
                .threshold.policy,
            Policy::complete_partitioning);
  EXPECT_EQ(chip_with({"profile.lossless.alpha=4"}).profiles.front().threshold.alpha,
            (Alpha{4, 0}));
  EXPECT_EQ(chip_with({"profile.lossless.xoff_trigger=on_headroom"}).profiles.front().xoff_trigger,
            XoffTrigger::on_headroom);
  EXPECT_EQ(chip_with({"profile.lossless.xon_rule=paper"}).profiles.front().xon_rule,
            XonRule::paper);
}

TEST(ConfigChip, PoliciesReadTheKeysOfTheirOwn) {
  const auto setting = [](std::vector<std::string> overrides) {
    return chip_with(overrides).profiles.front().threshold;
  };
  EXPECT_EQ(
      setting({"profile.lossless.policy=two_level", "profile.lossless.port_alpha=1/2"}).port_alpha,
      (Alpha{1, 1}));
  EXPECT_EQ(setting({"profile.lossless.policy=abm"}).window, Cycle{12'500}) << "25 us at 500 MHz";
  EXPECT_EQ(setting({"profile.lossless.policy=abm", "profile.lossless.window=2500 ps"}).window,
            Cycle{2})
      << "rounded up";
  EXPECT_EQ(setting({"profile.lossless.policy=edt"}).burst, Cycle{500'000}) << "1 ms";
  EXPECT_NE(error_with({"profile.lossless.policy=edt", "profile.lossless.burst=0 s"})
                .find("must be from 1"),
            std::string::npos);
}

TEST(ConfigChip, DshLeavesTheSharedSegmentAllButOneHeadroomAPort) {
  const Chip fixed = chip_with({});
  const Chip shared = chip_with({"profile.lossless.policy=dsh"});
  std::uint32_t groups = 0;
  for (const auto& profile : fixed.profile_of_pg) groups += profile == ProfileIndex{0} ? 1 : 0;
  ASSERT_GT(groups, fixed.ports.size());
  const std::uint32_t fewer = groups - static_cast<std::uint32_t>(fixed.ports.size());
  EXPECT_EQ(shared.ingress_pools.front().shared.count() * shared.domains,
            fixed.ingress_pools.front().shared.count() * fixed.domains +
                fewer * fixed.profiles.front().headroom.count());
}

TEST(ConfigChip, AJsonFileMakesAChipToo) {
  const Chip chip = build_chip(parse_json(R"({
    "chip": {"name": "j", "ports": 2, "rate": "10 Gbps", "cell": "100 B"},
    "pool": {"main": {"size": "50 cells"}},
    "profile": {"all": {"priorities": "0-7", "pool": "main", "alpha": 1}}})",
                                          "chip.json"));
  EXPECT_EQ(chip.ports.size(), 2U);
  EXPECT_EQ(chip.ingress_pools.front().shared, Cells{50});
}

TEST(ConfigChip, UnknownKeysAreErrorsInEveryTable) {
  EXPECT_EQ(error_of("ports = 4", "prots = 4")
                .rfind("small.toml:1: chip.ports: is missing: the number of ports\n"
                       "small.toml:3: chip.prots = 4: unknown key, did you mean ports?",
                       0),
            0U)
      << error_of("ports = 4", "prots = 4");
  EXPECT_EQ(error_with({"chip.lane=1"})
                .rfind("--set: chip.lane = 1: unknown key, did you mean lanes?", 0),
            0U);
  for (const char* key : {"pool.main.b", "profile.lossy.b", "egress_pool.out.b", "queue.lossy.b",
                          "map.b", "scheduler.b", "b"}) {
    const std::string text = error_with({std::string{key} + "=1"});
    EXPECT_EQ(text.rfind("--set: " + std::string{key} + " = 1: unknown key", 0), 0U) << text;
  }
}

TEST(ConfigChip, ALimitOfTheCoreIsTheLimitOfTheKey) {
  for (const char* lanes : {"1025", "2000", "2000000"})
    EXPECT_EQ(
        error_with({std::string{"chip.lanes="} + lanes}),
        std::string{"--set: chip.lanes = "} + lanes + ": must be a whole number from 1 to 1024");
  EXPECT_EQ(error_with({"chip.port_fifo=1048577"}),
            "--set: chip.port_fifo = 1048577: must be a whole number from 1 to 1048576");
}

TEST(ConfigChip, AllErrorsOfAFileAreReportedAtOnceSortedByLine) {
  std::string text = small;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"[3, 4]", "\"three\""},
                                                        {"\"1/8\"", "\"1/3\""},
                                                        {"\"200 B\"", "\"0 B\""},
                                                        {"rate = \"100 Gbps\"", "rat = 100"}}) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  }
  const std::string errors = test::chip_error(text, "small.toml");
  std::vector<std::string> places;
  std::istringstream lines{errors};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t key = line.find(' ') + 1;
    places.push_back(line.substr(0, line.find_first_of(" :", key)));
  }
  EXPECT_EQ(places, (std::vector<std::string>{"small.toml:1: chip.rate", "small.toml:4: chip.rat",
                                              "small.toml:5: chip.cell",
                                              "small.toml:13: profile.lossless.priorities",
                                              "small.toml:17: profile.lossless.alpha"}))
      << errors;
}

TEST(ConfigChip, AllErrorsOfATableInAValueAreReportedAtOnce) {
  const auto lines_of = [](const std::string& text) {
    std::set<std::string> keys;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.find(' ') + 1;
      keys.insert(line.substr(begin, line.find_first_of(" :", begin) - begin));
    }
    return keys;
  };
  EXPECT_EQ(
      lines_of(error_with({"profile.lossless.headroom={cable=\"far\", metod=\"paper\"}"})),
      (std::set<std::string>{"profile.lossless.headroom.cable", "profile.lossless.headroom.method",
                             "profile.lossless.headroom.metod"}));
  EXPECT_EQ(lines_of(error_with({"pool.main.reserved=[{count=-1, size=\"1 B\", what=\"a\"}, "
                                 "{count=1, size=\"much\"}, 7]",
                                 "pool.main.net=true"})),
            (std::set<std::string>{"pool.main.reserved[0].count", "pool.main.reserved[1].size",
                                   "pool.main.reserved[1].what", "pool.main.reserved[2]",
                                   "pool.main.reserved"}));
}

TEST(ConfigChip, AProfileThatOnlySetNamesIsAWrongName) {
  EXPECT_NE(
      error_with({"profile.lossles.alpha=1"}).find("there is no lossles, did you mean lossless?"),
      std::string::npos)
      << error_with({"profile.lossles.alpha=1"});
  EXPECT_EQ(error_with({"wred.ecn.min=20 kB"}),
            "--set: wred.ecn: there is no ecn; there are none (a new one needs priorities)");
}

TEST(ConfigChip, APoolThatOnlySetNamesAndNothingUsesIsAWrongName) {
  EXPECT_EQ(error_with({"pool.mian.size=2 MB"}),
            "--set: pool.mian: there is no pool mian, did you mean main?; there are: main (a new "
            "one needs a profile that names it)");
  EXPECT_EQ(error_with({"pool.mian.headroom_pool=2 kB"}).find("is missing"), std::string::npos);
  EXPECT_EQ(error_with({"egress_pool.put.size=2 MB"}),
            "--set: egress_pool.put: there is no pool put, did you mean out?; there are: out (a "
            "new one needs a queue that names it)");
  EXPECT_EQ(error_with({"pool.new.size=100 cells", "profile.lossy.pool=new"}), "taken");
  EXPECT_EQ(error_with({"pool.new.size=100 cells", "egress_pool.more.same_as=new",
                        "queue.lossy.pool=more"}),
            "taken");
  EXPECT_EQ(error_with({"egress_pool.new.size=100 cells", "queue.lossy.pool=new"}), "taken");
  EXPECT_EQ(
      test::chip_error(small + std::string{"[pool.spare]\nsize = '10 cells'\n"}, "small.toml"),
      "taken")
      << "a pool of the file";
}

TEST(ConfigChip, WrongTypesAndUnitsNameFileLineKeyValueAndWhatIsLegal) {
  EXPECT_EQ(error_of("rate = \"100 Gbps\"", "rate = 100"),
            "small.toml:4: chip.rate = 100: must be a rate such as \"40 Gbps\" or \"40G\"");
  EXPECT_EQ(
      error_of("\"200 B\"", "\"200 Gbps\""),
      "small.toml:5: chip.cell = \"200 Gbps\": must be a size such as \"254 B\", \"12 MB\" or "
      "\"12 MiB\"");
  EXPECT_EQ(error_of("[3, 4]", "\"three\""),
            "small.toml:13: profile.lossless.priorities = \"three\": must be numbers such as 5, "
            "[0, 1, 8] or \"0-3,8\"");
  EXPECT_EQ(error_of("headroom = \"10 cells\"", "headroom = 10"),
            "small.toml:16: profile.lossless.headroom = 10: must be a size such as \"1248 B\", "
            "\"12 MB\", \"12 MiB\" or \"6 cells\"");
  EXPECT_EQ(error_of("\"500 MHz\"", "\"700.001 MHz\"")
                .rfind("small.toml:7: chip.clock = \"700.001 MHz\": ", 0),
            0U);
}

TEST(ConfigChip, ImpossibleNumbersAreErrorsAndTheLastPossibleOneIsNot) {
  EXPECT_EQ(error_with({"chip.ports=0"}),
            "--set: chip.ports = 0: must be a whole number from 1 to 4096");
  EXPECT_EQ(error_with({"chip.domains=5"}),
            "--set: chip.domains = 5: must be a whole number from 1 to 4");
  EXPECT_EQ(chip_with({"chip.domains=4"}).domains, 4U);
  EXPECT_EQ(error_with({"chip.domain_of_port=[0, 1, 2, 0]"}),
            "--set: chip.domain_of_port[2] = 2: must be a whole number from 0 to 1");
  EXPECT_EQ(error_with({"chip.domain_of_port=[0, 1]"}),
            "--set: chip.domain_of_port = [0, 1]: must be a list of one domain for each of the 4 "
            "ports");
  EXPECT_EQ(error_with({"port=[{ports='3-4', rate='10 Gbps'}]"}),
            "--set: port[0].ports = \"3-4\": must be from 0 to 3");
  EXPECT_EQ(error_with({"chip.rate=3 Gbps"}),
            "--set: chip.rate = \"3 Gbps\": " + legal_port_rates());
  EXPECT_EQ(error_with({"chip.rate=0 Gbps"}).rfind("--set: chip.rate", 0), 0U);
  EXPECT_EQ(error_with({"chip.rate=500 Mbps"}).rfind("--set: chip.rate", 0), 0U);
  const std::string too_fast = std::to_string(2 * max_port_rate.count()) + " bps";
  EXPECT_EQ(error_with({"chip.rate=" + too_fast}).rfind("--set: chip.rate", 0), 0U);
  EXPECT_EQ(error_with({"chip.cell=0 B"}), "--set: chip.cell = \"0 B\": must be at least \"1 B\"");
  EXPECT_EQ(error_with({"chip.admit=0 cycles"}).rfind("--set: chip.admit = ", 0), 0U)
      << "found by the core, located in the file: " << error_with({"chip.admit=0 cycles"});
  EXPECT_EQ(chip_with({"chip.admit=1 cycle"}).admit_latency, 1U);
}

TEST(ConfigChip, AlphaOutsideTheTableIsAnError) {
  const std::string legal =
      ": must be n/2^m with n from 1 to 65535 and m from 0 to 16, such as \"1/8\", \"4\" or 0.125";
  EXPECT_EQ(error_of("\"1/8\"", "\"1/3\""),
            "small.toml:17: profile.lossless.alpha = \"1/3\"" + legal);
  EXPECT_EQ(error_with({"profile.lossless.alpha=0"}), "--set: profile.lossless.alpha = 0" + legal);
  EXPECT_EQ(error_with({"profile.lossless.alpha=0.1"}),
            "--set: profile.lossless.alpha = \"0.1\"" + legal)
      << "no n/2^m is exactly 0.1";
  EXPECT_NE(error_of("\"1/8\"", "0.1").find(legal), std::string::npos);
  EXPECT_EQ(error_of("\"1/8\"", "0.125"), "taken") << "a number of the file";
  EXPECT_EQ(chip_with({"profile.lossless.alpha=0.125"}).profiles.front().threshold.alpha,
            (Alpha{1, 3}));
  EXPECT_EQ(error_with({"queue.lossy.dynamic_th=8"}),
            "--set: queue.lossy.dynamic_th = 8: must be a whole number from -8 to 7");
  EXPECT_EQ(chip_with({"queue.lossy.dynamic_th=7"}).queue_profiles.front().threshold.alpha,
            (Alpha{128, 0}));
  EXPECT_EQ(chip_with({"queue.lossy.dynamic_th=-8"}).queue_profiles.front().threshold.alpha,
            (Alpha{1, 8}));
  EXPECT_EQ(error_with({"profile.lossless.dynamic_th=1"}),
            "--set: profile.lossless.dynamic_th = 1: must not be given with alpha, which says the "
            "same: alpha = 2^dynamic_th");
  EXPECT_EQ(error_with({"profile.lossless.policy=unheard_of"}),
            "--set: profile.lossless.policy = \"unheard_of\": must be one of " +
                joined(policy_names(false)));
  EXPECT_EQ(error_with({"profile.lossless.policy=two_level"})
                .rfind("small.toml:12: profile.lossless.port_alpha: is missing", 0),
            0U);
  EXPECT_NE(error_with({"profile.lossy.policy=dsh", "profile.lossy.alpha=1"})
                .find("must be another for what is lossy"),
            std::string::npos);
  EXPECT_EQ(error_with({"profile.lossless.policy=static"})
                .rfind("small.toml:12: profile.lossless.limit: is missing", 0),
            0U);
}

TEST(ConfigChip, APriorityHasExactlyOneProfile) {
  EXPECT_EQ(
      error_with({"profile.lossy.priorities=[0, 1, 2, 3, 5, 6, 7]"}),
      "--set: profile.lossy.priorities = [0, 1, 2, 3, 5, 6, 7]: priority 3 of port 0 is mapped "
      "twice: profile.lossless has it already");
  EXPECT_EQ(error_with({"profile.lossless.priorities=[3, 3, 4]"}),
            "--set: profile.lossless.priorities[1] = 3: names 3 twice");
  EXPECT_EQ(
      error_with({"profile.lossless.priorities=[3]"}),
      "small.toml:12: profile: priority 4 of port 0 has no profile; every priority needs one");
  EXPECT_EQ(
      error_with({"profile.lossless.ports=0-2"}),
      "small.toml:12: profile: priority 3 of port 3 has no profile; every priority needs one");
  EXPECT_EQ(error_with({"map.pg_of_priority=[0, 1, 2, 3, 3, 3, 6, 7]"}).find("is mapped twice") !=
                std::string::npos,
            true)
      << "a lossy and a lossless priority in one PG";
}

TEST(ConfigChip, ReservationsAboveThePoolOrTheMemoryAreErrors) {
  EXPECT_EQ(
      error_with({"pool.main.size=103 cells"}),
      "--set: pool.main.size = \"103 cells\": is 103 cells, fewer than the 104 that are taken "
      "out of it: 104 reserved and 0 of the headroom pool");
  EXPECT_EQ(chip_with({"pool.main.size=104 cells"}).ingress_pools.front().shared, Cells{0});
  EXPECT_EQ(error_with({"pool.main.headroom_pool=977 cells"}).find("fewer than the 1001") !=
                std::string::npos,
            true);
  EXPECT_EQ(error_with({"chip.memory=999 cells"})
                .rfind("--set: chip.memory = \"999 cells\" (499 cells "
                       "per domain): must hold the 500 cells",
                       0),
            0U)
      << error_with({"chip.memory=999 cells"});
  EXPECT_EQ(chip_with({"chip.memory=1000 cells"}).memory, Cells{500});
}

TEST(ConfigChip, PoolsMustExist) {
  EXPECT_EQ(error_with({"profile.lossy.pool=mian"}),
            "--set: profile.lossy.pool = \"mian\": must be one of the pools: main");
  EXPECT_EQ(error_with({"queue.lossy.pool=main"}),
            "--set: queue.lossy.pool = \"main\": must be one of the pools: out");
  EXPECT_EQ(error_with({"egress_pool.out.same_as=main"}),
            "small.toml:27: egress_pool.out: must have either size, or same_as with the name of an "
            "ingress pool");
  EXPECT_EQ(error_of("[pool.main]", "[pol.main]").rfind("small.toml:1: pool: is missing", 0), 0U);
  EXPECT_EQ(error_with({"profile.lossy.headroom=1 cell", "profile.lossy.lossless=false"})
                .rfind("--set: profile.lossy.headroom = ", 0),
            0U);
}

const char* const wred = R"(
[wred.red]
priorities = [3, 4]
ports = [0, 2]
min = "1001 B"
max = "1 MB"
probability = "5 %"
)";

Chip wred_with(const std::vector<std::string>& overrides) {
  return parse_chip(small + std::string{wred}, "small.toml", overrides);
}
std::string wred_error(const std::vector<std::string>& overrides) {
  return test::chip_error(small + std::string{wred}, "small.toml", overrides);
}

TEST(ConfigChip, AWredProfileIsReadAndGivenToItsQueues) {
  const Chip chip = wred_with({});
  ASSERT_EQ(chip.wred_profiles.size(), 1U);
  const WredProfile& profile = chip.wred_profiles.front();
  EXPECT_EQ(profile.name, "red");
  EXPECT_EQ(profile.min, Cells{5}) << "1001 B in cells of 200 B, rounded down";
  EXPECT_EQ(profile.max, Cells{5000});
  EXPECT_EQ(profile.probability, 3277U) << "3276.8";
  EXPECT_TRUE(profile.mark);
  EXPECT_FALSE(profile.drop);
  EXPECT_EQ(profile.at, WredPoint::dequeue);
  EXPECT_EQ(chip.draw_polynomial, 0xa300'0000U);
  EXPECT_FALSE(chip.draw_seed);
  EXPECT_EQ(chip.mark_latency, 2U);
  for (QueueIndex queue; queue < chip.wred_of_queue.end_index(); ++queue) {
    const auto number = number_in_port(queue).count();
    const bool has = (number == 3 || number == 4) && port_of(queue).count() % 2 == 0;
    EXPECT_EQ(chip.wred_of_queue[queue].has_value(), has) << "queue " << queue;
  }
  EXPECT_TRUE(chip_with({}).wred_profiles.empty());
  const Chip other = wred_with({"wred.red.drop=true", "wred.red.mark=false", "wred.red.at=enqueue",
                                "draw.seed=7", "draw.polynomial=3988292384"});
  EXPECT_TRUE(other.wred_profiles.front().drop);
  EXPECT_FALSE(other.wred_profiles.front().mark);
  EXPECT_EQ(other.wred_profiles.front().at, WredPoint::enqueue);
  EXPECT_EQ(other.draw_seed, 7U);
  EXPECT_EQ(other.draw_polynomial, 0xedb8'8320U);
}

TEST(ConfigChip, EveryErrorOfAWredAssignmentIsReported) {
  const auto errors = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> texts;
    try {
      wred_with(overrides);
    } catch (const FileErrors& several) {
      for (const FileError& one : several.errors()) texts.emplace_back(one.what());
    } catch (const ConfigError& one) {
      texts.emplace_back(one.what());
    }
    return texts;
  };
  const std::string twice = " is mapped twice: ";
  const std::vector<std::string> found =
      errors({"wred.other={priorities=[3, 4], min='0 B', max='1 kB', probability='1 %'}",
              "wred.third={ports=[99], priorities=[9], min='0 B', max='1 kB', probability='2'}",
              "wred.none={priorities=[], ports=[], min='0 B', max='1 kB', probability='1 %'}",
              "wred.red.max=0"});
  std::string all;
  for (const std::string& text : found) all += text + "\n";
  for (const std::string& words :
       {"priority 3 of port 0" + twice, "priority 4 of port 0" + twice,
        std::string{"wred.third.ports"}, std::string{"wred.third.priorities"},
        std::string{"wred.third.probability"}, std::string{"wred.none.priorities = []"},
        std::string{"wred.none.ports = []"}, std::string{"wred.red.max"}})
    EXPECT_NE(all.find(words), std::string::npos) << words << " is not in\n" << all;
  EXPECT_EQ(found.size(), 8U) << all;
}

TEST(ConfigChip, AProbabilityIsAShareOrAFraction) {
  const auto probability = [](const std::string& text) {
    return wred_with({"wred.red.probability=" + text}).wred_profiles.front().probability;
  };
  EXPECT_EQ(probability("1/20"), 3277U);
  EXPECT_EQ(probability("100 %"), 65536U);
  EXPECT_EQ(probability("1/1"), 65536U);
  EXPECT_EQ(probability("1/65536"), 1U);
  EXPECT_EQ(probability("1/131072"), 1U) << "rounded to nearest";
  for (const std::string wrong : {"0 %", "101 %", "2/1", "1/0", "5", "1.5/3", "-1/2", ""})
    EXPECT_EQ(
        wred_error({"wred.red.probability=" + wrong}).rfind("--set: wred.red.probability = ", 0),
        0U)
        << wrong << ": " << wred_error({"wred.red.probability=" + wrong});
  EXPECT_NE(wred_error({"wred.red.probability=1/200000"}).find("at least 1/65536"),
            std::string::npos);
}

TEST(ConfigChip, AnImpossibleWredProfileIsRefused) {
  EXPECT_EQ(wred_error({"wred.red.max=999 B"}),
            "--set: wred.red.max = \"999 B\" (4 cells): must be at least the 5 cells of min");
  EXPECT_EQ(wred_with({"wred.red.max=1001 B"}).wred_profiles.front().max, Cells{5}) << "a step";
  EXPECT_EQ(wred_error({"wred.red.min=0 B", "wred.red.max=199 B"}),
            "--set: wred.red.max = \"199 B\" (0 cells): must be from 1 to 16777216 cells");
  EXPECT_EQ(wred_error({"wred.red.mark=false"}),
            "--set: wred.red.mark = false: must be true where drop is false");
  EXPECT_EQ(wred_error({"wred.red.at=both"}),
            "--set: wred.red.at = \"both\": must be one of dequeue, enqueue");
  EXPECT_NE(wred_error({"wred.red.priorities=[8]"}).find("wred.red.priorities"), std::string::npos);
  EXPECT_NE(wred_error({"wred.red.ports=[4]"}).find("wred.red.ports"), std::string::npos);
  EXPECT_EQ(wred_error({"wred.red.priorities=[]"}),
            "--set: wred.red.priorities = []: must name at least one");
  EXPECT_EQ(wred_error({"wred.red.ports=[]"}),
            "--set: wred.red.ports = []: must name at least one");
  const std::string both = wred_error({"wred.red.priorities=[8]", "wred.red.max=5"});
  EXPECT_NE(both.find("wred.red.priorities[0] = 8"), std::string::npos) << both;
  EXPECT_NE(both.find("wred.red.max = 5"), std::string::npos) << both;
  EXPECT_NE(wred_error({"wred.redd.max=5 kB"}).find("there is no redd, did you mean red?"),
            std::string::npos);
  EXPECT_EQ(wred_error({"wred.redd.max=5 kB"}).find("is missing"), std::string::npos);
  EXPECT_NE(wred_error({"wred.red.kmin=1"}).find("unknown key"), std::string::npos);
  EXPECT_NE(wred_error({"draw.polynomial=2147483648"}).find("must be primitive"),
            std::string::npos);
  EXPECT_NE(wred_error({"draw.polynomial=0"}).find("draw.polynomial = 0"), std::string::npos);
  const std::string twice = std::string{wred} +
                            "[wred.again]\npriorities = 3\nmin = '1 kB'\n"
                            "max = '2 kB'\nprobability = '1 %'\n";
  EXPECT_NE(test::chip_error(small + twice, "small.toml").find("is mapped twice: wred.red"),
            std::string::npos);
  const std::string one_queue = std::string{wred} +
                                "[wred.again]\npriorities = 5\nmin = '1 kB'\n"
                                "max = '2 kB'\nprobability = '1 %'\n";
  EXPECT_NE(
      test::chip_error(small + one_queue + "[map]\nqueue_of_priority = [0, 1, 2, 3, 4, 3, 6, 7]\n",
                       "small.toml")
          .find("priority 5 of port 0 is mapped twice: it goes to queue 3, which wred.red has "
                "already"),
      std::string::npos);
}

TEST(ConfigChip, AWredProfileOfAMappedQueueIsThatOfTheQueue) {
  const Chip chip = wred_with({"map.queue_of_priority=[0, 1, 2, 6, 6, 5, 4, 7]"});
  EXPECT_TRUE(chip.wred_of_queue[queue_index(PortId{0}, Priority{6})]);
  EXPECT_FALSE(chip.wred_of_queue[queue_index(PortId{0}, Priority{3})]);
}

}  // namespace
}  // namespace weir::chip_test
