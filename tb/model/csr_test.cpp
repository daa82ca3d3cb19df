// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/csr.hpp"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/small_network.hpp"
#include "support/wire_probe.hpp"
#include "weir/model/mmu/stats_counters_unit.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/registers/register_description.hpp"
#include "weir/model/registers/register_package.hpp"

namespace weir::csr_test {
namespace {

using namespace test;

/// A user's initiator that knows only TLM-2.0: runs `program` in its thread.
class Software : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Software> socket{"socket"};
  std::function<void(Software&)> program;
  sc_core::sc_time local;  ///< How far the last access advanced local time beyond the kernel.

  explicit Software(const sc_core::sc_module_name& name) : sc_core::sc_module{name} {
    SC_HAS_PROCESS(Software);
    SC_THREAD(run);
  }

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  unsigned length = 4) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(static_cast<unsigned char*>(data));
    transaction.set_data_length(length);
    transaction.set_streaming_width(length);
    transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    socket->b_transport(transaction, local);
    dmi_allowed = transaction.is_dmi_allowed();
    return transaction.get_response_status();
  }
  std::uint32_t read(std::uint64_t address) {
    std::uint32_t value = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, &value), tlm::TLM_OK_RESPONSE)
        << "read of 0x" << std::hex << address;
    return value;
  }
  std::uint32_t read(const char* name, std::size_t index = 0) {
    return read(register_address(name, index).value());
  }
  tlm::tlm_response_status write(const char* name, std::size_t index, std::uint32_t value) {
    return access(tlm::TLM_WRITE_COMMAND, register_address(name, index).value(), &value);
  }
  void wait_until(Picoseconds time) {
    wait(sc_core::sc_time::from_value(time.count()) - sc_core::sc_time_stamp());
    local = sc_core::SC_ZERO_TIME;
  }

  bool dmi_allowed{false}, finished{false};

 private:
  void run() {
    program(*this);
    finished = true;
  }
};

/// Two senders to one receiver at 100G, lossless: the switch fills and pauses.
struct Bench {
  Network network;
  Software software{"software"};

  explicit Bench(const Scenario& scenario, std::function<void(Software&)> program,
                 const MmuBackend& backend = {})
      : network{scenario, 0, backend} {
    software.program = std::move(program);
    software.socket.bind(network.switch_at(0).mmu.csr.socket);
    network.run_until(scenario.until);
    EXPECT_TRUE(software.finished) << "the program did not reach its end";
  }
};

Scenario incast(Picoseconds until) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(100), until);
  scenario.traffic = {flood("a", 1, 0, 3, 1000), flood("b", 2, 0, 3, 1000)};
  return scenario;
}

TEST(Csr, ShowsWhatTheChipIs) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          EXPECT_EQ(s.read(std::uint64_t{0}), 0x57454952U) << "WEIR";
          EXPECT_EQ(s.read("chip.ports"), 3U);
          EXPECT_EQ(s.read("chip.domains"), 1U);
          EXPECT_EQ(s.read("chip.cell"), 208U);
          EXPECT_EQ(s.read("chip.clock"), 1000U);
          EXPECT_EQ(s.read("chip.admit"), pipeline::admit.usual);
          EXPECT_EQ(s.read("chip.pfc"), pipeline::pfc.usual);
          EXPECT_EQ(s.read("chip.quanta"), 65535U);
          EXPECT_EQ(s.read("profile.alpha", 0), 1U | 3U << 16);
          EXPECT_EQ(s.read("profile.policy", 1), 1U) << "static";
          EXPECT_EQ(s.read("port.rate", 2), 100'000U);
          EXPECT_EQ(s.read("pg.threshold", 3), 5000U) << "alpha 1/8 of 40000";
          EXPECT_EQ(s.read("pg.profile", 3), 0U);
        }};
}

TEST(Csr, ShowsTheConfigurationThatTheRtlTakes) {
  Chip chip = small_chip(3, gbps(100));
  chip.egress_pools = {{"egress", Cells{9000}, Cells{0}, true}};
  chip.queue_profiles = {{"q", {}, Cells{7}, {Policy::fixed, Alpha{3, 2}, Cells{55}, {}}}};
  chip.profile_of_queue[QueueIndex{9}] = QueueProfileIndex{0};
  chip.profile_of_queue[QueueIndex{10}] = QueueProfileIndex{0};
  chip.pg_of_priority[7] = 1;
  Bench{star(chip, ns(0), us(1)), [](Software& s) {
          EXPECT_EQ(s.read("chip.start"), 1U);
          EXPECT_EQ(s.read("chip.pg_of_priority"), 0x1654'3210U);
          EXPECT_EQ(s.read("chip.queue_profiles"), 1U);
          EXPECT_EQ(s.read("chip.egress_pools"), 1U);
          EXPECT_EQ(s.read("partition.cells", 1), 40000U / 24) << "all 24 groups share the pool";
          EXPECT_EQ(s.read("queue_profile.minimum"), 7U);
          EXPECT_EQ(s.read("queue_profile.policy"), 1U) << "static";
          EXPECT_EQ(s.read("queue_profile.alpha"), 3U | 2U << 16);
          EXPECT_EQ(s.read("queue_profile.static_limit"), 55U);
          EXPECT_EQ(s.read("queue_profile.partition"), 4500U) << "two limited queues";
          EXPECT_EQ(s.read("egress_pool.shared_size"), 9000U);
          EXPECT_EQ(s.read("egress_pool.shared"), 0U);
          EXPECT_EQ(s.read("queue.profile", 9), 0U);
          EXPECT_EQ(s.read("queue.profile", 8), 0xffff'ffffU) << "no limit";
          EXPECT_EQ(s.read("port.response"), 2018U) << "394 quanta of 5.12 ns, rounded up";
          EXPECT_EQ(s.read("port.pause_step"), 12800U) << "2^16 / 5.12";
          EXPECT_EQ(s.read("port.source_mac_low", 2), 2U);
          EXPECT_EQ(s.read("port.source_mac_high", 2), 0x0200U) << "02-00-00-00-00-02";
        }};
}

TEST(Csr, EveryRegisterOfEveryInstanceCanBeRead) {
  const Scenario scenario = star(small_chip(3, gbps(100)), ns(0), us(1));
  std::size_t words = 0;
  Bench{scenario, [&](Software& s) {
          for (const RegisterBlock& block : register_map())
            for (std::size_t i = 0; i < block.instances(scenario.switches[0].chip); ++i)
              for (const Register& reg : block.registers)
                for (unsigned word = 0; word < reg.words; ++word, ++words)
                  s.read(block.base + i * block.stride + reg.offset + 4 * word);
        }};
  EXPECT_GT(words, 500U) << "the map is empty";
}

TEST(RegisterMap, BlocksAndRegistersDoNotOverlapAndNamesAreUnique) {
  Chip largest = small_chip(1, gbps(100));
  largest.ports.resize(4096, largest.ports[0]);
  std::set<std::string> names;
  std::uint64_t end_of_last = 0;
  for (const RegisterBlock& block : register_map()) {
    EXPECT_LE(end_of_last, block.base) << block.name << " begins inside the block before";
    end_of_last = block.base + block.instances(largest) * block.stride;
    std::uint32_t end = 0;
    for (const Register& reg : block.registers) {
      EXPECT_LE(end, reg.offset) << block.name << "." << reg.name << " overlaps its neighbour";
      end = reg.offset + 4 * reg.words;
      EXPECT_LE(end, block.stride) << block.name << "." << reg.name;
      EXPECT_TRUE(names.insert(std::string{block.name} + "." + std::string{reg.name}).second)
          << block.name << "." << reg.name << " is in the table twice";
      const bool fixed = reg.access == RegisterAccess::ro || reg.access == RegisterAccess::cfg;
      EXPECT_EQ(reg.write != nullptr, !fixed) << reg.name;
      EXPECT_EQ(!reg.legal.empty(), reg.access != RegisterAccess::ro) << reg.name;
      std::uint64_t covered = 0;
      for (const LegalField& field : reg.legal) {
        const std::uint64_t bits = ((std::uint64_t{1} << field.width) - 1) << field.low;
        EXPECT_EQ(covered & bits, 0U) << reg.name << ": two fields of one bit";
        covered |= bits;
      }
      EXPECT_EQ(covered, reg.legal.empty() ? 0U : 0xffff'ffffU) << reg.name;
    }
  }
}

std::string content_of(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(RegisterMap, TheDocumentIsUpToDate) {
  EXPECT_TRUE(content_of("docs/reference/registers.md") == registers_markdown())
      << "docs/reference/registers.md is stale: run scripts/doc/registers";
}

TEST(RegisterMap, ThePackageOfTheRtlIsUpToDate) {
  EXPECT_TRUE(content_of("rtl/pkg/csr_map_pkg.sv") == registers_systemverilog())
      << "rtl/pkg/csr_map_pkg.sv is stale: run scripts/doc/registers";
}

TEST(RegisterMap, TheSystemRdlIsUpToDate) {
  EXPECT_TRUE(content_of("rtl/weir_mmu.rdl") == registers_systemrdl())
      << "rtl/weir_mmu.rdl is stale: run scripts/doc/registers";
}

TEST(RegisterMap, TheTableIsUpToDateAndHasARowForEachRegister) {
  const std::string table = content_of("rtl/weir_mmu.registers.csv");
  EXPECT_TRUE(table == registers_csv())
      << "rtl/weir_mmu.registers.csv is stale: run scripts/doc/registers";
  std::ptrdiff_t rows = 1;
  for (const RegisterBlock& block : register_map())
    rows += static_cast<std::ptrdiff_t>(block.registers.size());
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), rows);
  EXPECT_NE(table.find("\npg,\"port x 8 + priority group\",0x"), std::string::npos);
}

TEST(RegisterMap, SaysWhichValuesAreLegal) {
  Chip chip = small_chip(3, gbps(100));
  const auto legal = [&](const char* name, std::uint32_t value) {
    return is_legal(*find_register(chip, register_address(name).value())->reg, chip, value);
  };
  EXPECT_FALSE(legal("profile.pool", static_cast<std::uint32_t>(chip.ingress_pools.size())));
  EXPECT_TRUE(legal("profile.pool", static_cast<std::uint32_t>(chip.ingress_pools.size() - 1)));
  EXPECT_TRUE(legal("pg.profile", 0xffff'ffffU)) << "none";
  EXPECT_FALSE(legal("pg.profile", static_cast<std::uint32_t>(chip.profiles.size())));
  EXPECT_TRUE(legal("chip.pg_of_priority", 0x7654'3210U));
  EXPECT_FALSE(legal("chip.pg_of_priority", 0x8654'3210U)) << "no group 8";
  EXPECT_FALSE(legal("port.pause_step", 0)) << "such a timer would never end";
  EXPECT_TRUE(legal("port.response", (1U << 24) - 1));
  EXPECT_FALSE(legal("port.response", 1U << 24));
}

TEST(Csr, RefusesWhatIsNoAccessToOneRegister) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          std::uint32_t words[2]{};
          const auto read = tlm::TLM_READ_COMMAND;
          EXPECT_EQ(s.access(read, 0x1, words), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "unaligned";
          EXPECT_EQ(s.access(read, 0x60, words), tlm::TLM_ADDRESS_ERROR_RESPONSE)
              << "one beyond the last register of the block";
          EXPECT_EQ(s.access(read, 0x5c, words), tlm::TLM_OK_RESPONSE) << "the last one";
          EXPECT_EQ(s.access(read, register_address("port.rate", 2).value(), words),
                    tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.access(read, register_address("port.rate", 3).value(), words),
                    tlm::TLM_ADDRESS_ERROR_RESPONSE)
              << "one port too many";
          EXPECT_EQ(s.access(read, 0, words, 8), tlm::TLM_BURST_ERROR_RESPONSE);
          EXPECT_EQ(s.access(read, 0, words, 2), tlm::TLM_BURST_ERROR_RESPONSE);
          EXPECT_EQ(s.write("chip.ports", 0, 4), tlm::TLM_COMMAND_ERROR_RESPONSE) << "read only";
          EXPECT_EQ(s.write("profile.private", 0, 4), tlm::TLM_COMMAND_ERROR_RESPONSE)
              << "configuration: the model takes it from the chip file";
          EXPECT_EQ(s.write("chip.start", 0, 1), tlm::TLM_OK_RESPONSE) << "it has started";
          words[0] = 0;
          EXPECT_EQ(s.access(tlm::TLM_IGNORE_COMMAND, 0, words), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(words[0], 0U) << "ignore moves nothing";

          tlm::tlm_generic_payload enabled;
          unsigned char mask[4]{0xff, 0xff, 0xff, 0xff};
          enabled.set_read();
          enabled.set_address(0);
          enabled.set_data_ptr(reinterpret_cast<unsigned char*>(words));
          enabled.set_data_length(4);
          enabled.set_streaming_width(4);
          enabled.set_byte_enable_ptr(mask);
          enabled.set_byte_enable_length(4);
          s.socket->b_transport(enabled, s.local);
          EXPECT_EQ(enabled.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        }};
}

TEST(Csr, RefusesIllegalValuesAndKeepsTheOldOnes) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          const auto illegal = tlm::TLM_GENERIC_ERROR_RESPONSE;
          EXPECT_EQ(s.write("chip.quanta", 0, 0), illegal);
          EXPECT_EQ(s.write("chip.quanta", 0, 65536), illegal);
          EXPECT_EQ(s.write("chip.quanta", 0, 1), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.write("profile.alpha", 0, 3U << 16), illegal) << "numerator 0";
          EXPECT_EQ(s.write("profile.alpha", 0, 1U | 17U << 16), illegal) << "shift above 16";
          EXPECT_EQ(s.write("profile.alpha", 0, 65535U | 16U << 16), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.write("profile.xon", 0, (1U << 24) + 1), illegal);
          EXPECT_EQ(s.write("profile.xon", 0, 1U << 24), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.read("chip.quanta"), 1U);
          EXPECT_EQ(s.read("profile.alpha"), 65535U | 16U << 16);
          EXPECT_EQ(s.read("profile.xon"), 1U << 24);
        }};
}

TEST(Csr, AWriteActsOnRequestsOfTheNextCycleAndTakesTheCallerThere) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          s.wait_until(ps(10'000));
          ASSERT_EQ(s.write("profile.xon", 0, 7), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.local.value(), 1000U) << "on an edge: in force from the next one";
          s.wait_until(ps(20'001));
          ASSERT_EQ(s.write("profile.xon", 0, 8), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.local.value(), 1999U) << "seen at 21 ns, in force from 22 ns";
          s.local = sc_core::SC_ZERO_TIME;
          EXPECT_EQ(s.read("profile.xon"), 7U) << "not yet";
          s.wait_until(ps(21'999));
          EXPECT_EQ(s.read("profile.xon"), 7U) << "one picosecond too early";
          s.wait_until(ps(22'000));
          EXPECT_EQ(s.read("profile.xon"), 8U);
        }};
}

// A lossy group without room gets a frame whose last bit is exactly on the edge at 9 ns: 72 B take
// 5760 ps at 100G. Room is written at `write_at`. Returns how many packets were refused.
std::uint64_t refused_when_room_is_written_at(Picoseconds write_at) {
  Chip chip = small_chip(3, gbps(100));
  chip.profiles[ProfileIndex{1}].threshold.static_limit = Cells{0};
  Scenario scenario = star(chip, ns(0), us(1));
  scenario.traffic = {replay({packet(ps(9'000 - 5'760), 64, 0, 1, 0)}, 3)};
  std::uint64_t refused = 9;
  Bench{scenario, [&](Software& s) {
          s.wait_until(write_at);
          EXPECT_EQ(s.write("profile.static_limit", 1, 10), tlm::TLM_OK_RESPONSE);
          s.wait_until(ns(500));
          refused = s.read("pg_stats.refused_shared_threshold", 8);
        }};
  return refused;
}

TEST(Csr, AWrittenThresholdDecidesFromTheNextCycleOn) {
  EXPECT_EQ(refused_when_room_is_written_at(ps(8'000)), 0U) << "seen at 8, in force at 9";
}

TEST(Csr, AWrittenThresholdDoesNotDecideInItsOwnCycle) {
  EXPECT_EQ(refused_when_room_is_written_at(ps(8'001)), 1U) << "seen at 9, in force at 10";
}

TEST(Csr, ReadsEverythingUpToAndIncludingItsOwnMoment) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(0), us(1));
  scenario.traffic = {replay({packet(ps(9'000 - 5'760), 64, 0, 1, 0)}, 3)};
  Bench{scenario, [](Software& s) {
          s.wait_until(ps(8'999));
          EXPECT_EQ(s.read("pg_stats.packets", 8), 0U) << "one picosecond before the edge";
          s.wait_until(ps(9'000));
          EXPECT_EQ(s.read("pg_stats.packets", 8), 1U) << "the edge belongs to its moment";
          EXPECT_EQ(s.read("pg.shared", 8), 1U);
        }};
}

TEST(Csr, CountersWatermarksAndLevelsFollowTheTraffic) {
  Bench bench{
      incast(us(200)), [](Software& s) {
        s.wait_until(us(190));
        EXPECT_GT(s.read("pg_stats.packets", 8 + 3), 500U);
        EXPECT_EQ(s.read("pg_stats.bytes", 8 + 3), 1000U * s.read("pg_stats.packets", 8 + 3));
        EXPECT_GT(s.read("pg_stats.xoff_entered", 8 + 3), 0U) << "2 to 1 must pause";
        EXPECT_GT(s.read("port_class.pauses_sent", 8 + 3), 0U);
        EXPECT_GT(s.read("port.pfc_frames_sent", 1), 0U);
        EXPECT_EQ(s.read("port_class_health.pauses", 8 + 3), 0U) << "nothing pauses the switch";
        EXPECT_EQ(s.read("pool.shared"), s.read("pg.shared", 8 + 3) + s.read("pg.shared", 16 + 3));
        EXPECT_GE(s.read("pool.shared_watermark"), s.read("pool.shared"));
        EXPECT_EQ(s.read("pg.private", 8 + 3), 6U);
        const std::uint32_t free = 40000U - s.read("pool.shared");
        EXPECT_EQ(s.read("pg.threshold", 8 + 3), free / 8);
      }};
}

// The counters of a switch that has run for long.
class WornCounters final : public StatsCountersUnit {
 public:
  static constexpr std::uint64_t two_to_32 = std::uint64_t{1} << 32;
  static constexpr std::uint64_t two_to_48 = std::uint64_t{1} << 48;

  WornCounters(const char* name, const MmuSettings& settings) : StatsCountersUnit{name, settings} {
    const std::size_t ports = settings.chip().ports.size();
    IndexedVector<PgIndex, PgCounters> pgs{ports * priorities};
    IndexedVector<QueueIndex, QueueCounters> queues{ports * priorities};
    set(pgs[pg_index(PortId{1}, Priority{3})], two_to_32 - 5);
    set(pgs[pg_index(PortId{2}, Priority{3})], two_to_48 - 5);
    set(queues[queue_index(PortId{0}, Priority{3})], two_to_48 - 5);
    core_class().load_snapshot(pgs, queues, IndexedVector<PoolIndex, PoolWatermark>{1});
  }
  [[nodiscard]] StatsCounters* core() override { return &core_class(); }

 private:
  template <class Counters>
  static void set(Counters& counters, std::uint64_t count) {
    counters.packets = count;
    counters.bytes = Bytes{count};
  }
};

TEST(Csr, CountersGoOnPast2To32AndPast2To48) {
  MmuBackend backend;
  backend.blocks.stats_counters = [](const char* name, const MmuSettings& settings) {
    return std::make_unique<WornCounters>(name, settings);
  };
  const auto wide = [](Software& s, const char* name, std::size_t index) {
    const std::uint64_t low = s.read(name, index);
    return std::uint64_t{s.read(register_address(name, index).value() + 4)} << 32 | low;
  };
  const auto program = [&](Software& s) {
    s.wait_until(us(190));
    for (const auto& [name, index, start] :
         {std::tuple{"pg_stats", std::size_t{8 + 3}, WornCounters::two_to_32 - 5},
          {"pg_stats", std::size_t{16 + 3}, WornCounters::two_to_48 - 5},
          {"queue_stats", std::size_t{3}, WornCounters::two_to_48 - 5}}) {
      const std::string block = name;
      const std::uint64_t packets = wide(s, (block + ".packets").c_str(), index) - start;
      EXPECT_GT(packets, 500U) << block << index;
      EXPECT_LT(packets, 5000U) << block << index;
      EXPECT_EQ(wide(s, (block + ".bytes").c_str(), index) - start, 1000 * packets)
          << block << index;
    }
  };
  Bench bench{incast(us(200)), program, backend};
}

// A probe at port 2 pauses class 3 for 1000 quanta of 5.12 ns, minus the response time of 394.
TEST(Csr, PauseTimesOfAPortCanBeReadAndCleared) {
  Scenario scenario = star(small_chip(3, gbps(100)), ns(0), us(100));
  scenario.links.pop_back();
  Network network{scenario};
  WireProbe probe{"probe", network.frames(), gbps(100)};
  SwitchPort& port = network.switch_at(0).port(PortId{2});
  probe.tx.bind(port.rx.wire);
  port.tx.wire.bind(probe.rx);
  probe.pause(us(5), Quanta{1000});
  Software software{"software"};
  software.socket.bind(network.switch_at(0).mmu.csr.socket);
  software.program = [](Software& s) {
    const std::size_t third = 2 * 8 + 3;
    const std::uint32_t held = 606 * 5'120;
    s.wait_until(us(5));
    EXPECT_EQ(s.read("port_class_health.pauses", third), 0U);
    s.wait_until(us(20));
    EXPECT_EQ(s.read("port_class_health.pauses", third), 1U);
    EXPECT_NEAR(s.read("port_class_health.pause_time", third), held, 1000) << "to a clock edge";
    EXPECT_EQ(s.read("port_class_health.longest_pause", third),
              s.read("port_class_health.pause_time", third));
    ASSERT_EQ(s.write("chip.clear_stats", 0, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(s.read("port_class_health.pauses", third), 0U);
    EXPECT_EQ(s.read("port_class_health.pause_time", third), 0U);
  };
  network.run_until(scenario.until);
  EXPECT_TRUE(software.finished);
}

TEST(Csr, ClearStatsClearsCountersAndLeavesWhatIsHeld) {
  Scenario scenario = incast(us(200));
  for (TrafficSpec& traffic : scenario.traffic) traffic.stop = us(10);
  Bench{scenario, [](Software& s) {
          s.wait_until(us(12));
          const std::uint32_t held = s.read("pool.shared");
          EXPECT_GT(held, 0U);
          ASSERT_EQ(s.write("chip.clear_stats", 0, 0), tlm::TLM_OK_RESPONSE);
          EXPECT_GT(s.read("pg_stats.packets", 8 + 3), 0U) << "a 0 clears nothing";
          ASSERT_EQ(s.write("chip.clear_stats", 0, 1), tlm::TLM_OK_RESPONSE);
          EXPECT_EQ(s.read("pg_stats.packets", 8 + 3), 0U);
          EXPECT_EQ(s.read("port_class.rx_packets", 8 + 3), 0U);
          EXPECT_EQ(s.read("chip.clear_stats"), 0U);
          EXPECT_GT(s.read("pool.shared"), 0U) << "cells are no statistic";
        }};
}

TEST(Csr, WrittenQuantaAreInTheNextPauseFrame) {
  Scenario scenario = incast(us(400));
  Bench bench{scenario, [](Software& s) {
                EXPECT_EQ(s.write("chip.quanta", 0, 1000), tlm::TLM_OK_RESPONSE);
              }};
  EXPECT_GT(bench.network.switch_at(0).counters(PortId{1}).pfc_frames_sent, 5U)
      << "1000 quanta at 100G last 5.12 us: refreshes every 2.56 us";
}

/// A register block on counters that the test changes itself.
struct Loose {
  struct NoMac final : TransmitterIf {
    void pfc_requested(Picoseconds) override {}
    void pause_changed(Picoseconds) override {}
  };

  Chip chip{small_chip(1, gbps(100))};
  Mmu mmu{chip};
  Agenda agenda{"agenda"};
  Observers observers;
  std::string name{"sw"};
  NoMac mac;
  FramePool frames;
  const ModelContext context{agenda, frames, observers, 1};
  std::vector<PortCounters> counters{1};
  PfcGeneratorUnit generator{"generator", {context, chip, counters, name}};
  PfcReceiverUnit receiver{"receiver", {context, chip, counters, name}};
  Csr csr{"csr", {mmu, generator, receiver, counters, Cycle{0}}, agenda};
  Software software{"software"};

  explicit Loose(std::function<void(Loose&, Software&)> program) {
    generator.mac.bind(mac);
    receiver.mac.bind(mac);
    software.socket.bind(csr.socket);
    software.program = [this, program](Software& s) { program(*this, s); };
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_TRUE(software.finished) << "the program did not reach its end";
  }
};

TEST(Csr, TheLowWordLatchesTheHighWordForOneRead) {
  Loose{[](Loose& bench, Software& s) {
    const std::uint64_t low = register_address("port.pfc_frames_sent").value();
    std::uint64_t& counter = bench.counters[0].pfc_frames_sent;
    counter = 0x1'ffff'ffff;
    EXPECT_EQ(s.read(low), 0xffff'ffffU);
    counter = 0x2'0000'0000;
    s.read("chip.id");
    EXPECT_EQ(s.read(low + 4), 1U) << "the high word that belongs to the low one";
    EXPECT_EQ(s.read(low + 4), 2U) << "then the live one again";
    s.read(low);
    bench.counters[0].pfc_frames_received = 0x7'0000'0000;
    EXPECT_EQ(s.read("port.pfc_frames_received"), 0U);
    EXPECT_EQ(s.read(register_address("port.pfc_frames_received").value() + 4), 7U)
        << "the latch of one counter is not another's";
  }};
}

TEST(Csr, ADirectPointerReadsCountersThatMove) {
  Bench{incast(us(20)), [](Software& s) {
          const std::uint64_t address = register_address("pg_stats.packets", 8 + 3).value();
          s.read(address);
          EXPECT_TRUE(s.dmi_allowed) << "the hint of a counter's read";
          s.read("pg.shared", 8 + 3);
          EXPECT_FALSE(s.dmi_allowed) << "occupancies have no direct access";

          tlm::tlm_generic_payload request;
          tlm::tlm_dmi dmi;
          request.set_address(address);
          request.set_write();
          EXPECT_FALSE(s.socket->get_direct_mem_ptr(request, dmi)) << "counters are read only";
          EXPECT_FALSE(dmi.is_write_allowed());
          request.set_read();
          ASSERT_TRUE(s.socket->get_direct_mem_ptr(request, dmi));
          EXPECT_TRUE(dmi.is_read_allowed());
          EXPECT_FALSE(dmi.is_write_allowed());
          EXPECT_LE(dmi.get_start_address(), address);
          EXPECT_LT(address, dmi.get_end_address());

          const auto direct = [&](std::uint64_t at) {
            std::uint32_t word = 0;
            std::memcpy(&word, dmi.get_dmi_ptr() + (at - dmi.get_start_address()), 4);
            return word;
          };
          s.wait_until(us(5));
          const std::uint32_t early = direct(address);
          s.wait_until(us(10));
          EXPECT_GT(early, 0U);
          EXPECT_GT(direct(address), early) << "the same pointer, later";
          const RegisterBlock& counters = *find_register(small_chip(3, gbps(100)), address)->block;
          for (std::size_t i = 0; i < 24; ++i)
            for (const Register& reg : counters.registers)
              for (unsigned word = 0; word < reg.words; ++word) {
                const std::uint64_t at =
                    counters.base + i * counters.stride + reg.offset + 4 * word;
                EXPECT_EQ(direct(at), s.read(at)) << reg.name << " of group " << i;
              }
        }};
}

TEST(Csr, DebugAccessReadsSeveralWordsAndWritesNone) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          std::uint32_t words[32]{};
          tlm::tlm_generic_payload request;
          request.set_read();
          request.set_address(0);
          request.set_data_ptr(reinterpret_cast<unsigned char*>(words));
          request.set_data_length(sizeof words);
          EXPECT_EQ(s.socket->transport_dbg(request), 0x60U) << "as far as there are registers";
          EXPECT_EQ(words[0], 0x57454952U);
          EXPECT_EQ(words[3], 3U) << "ports";
          request.set_write();
          EXPECT_EQ(s.socket->transport_dbg(request), 0U);
        }};
}

TEST(Csr, RefusesAnAccessWithoutData) {
  Bench{star(small_chip(3, gbps(100)), ns(0), us(1)), [](Software& s) {
          tlm::tlm_generic_payload request;
          request.set_read();
          request.set_address(0);
          request.set_data_length(4);
          request.set_streaming_width(4);
          s.socket->b_transport(request, s.local);
          EXPECT_EQ(request.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
          EXPECT_EQ(s.socket->transport_dbg(request), 0U);
          request.set_write();
          s.socket->b_transport(request, s.local);
          EXPECT_EQ(request.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
          request.set_command(tlm::TLM_IGNORE_COMMAND);
          s.socket->b_transport(request, s.local);
          EXPECT_EQ(request.get_response_status(), tlm::TLM_OK_RESPONSE) << "it moves nothing";
        }};
}

TEST(Csr, AnUnboundSocketLetsTheAgendaRunAhead) {
  Network network{incast(us(100))};
  network.run_until(us(100));
  EXPECT_LT(network.agenda().wake_ups(), 20U) << "one wake-up for each 10 us";
}

}  // namespace
}  // namespace weir::csr_test
