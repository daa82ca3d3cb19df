// SPDX-License-Identifier: Apache-2.0
#include "weir/core/accounting/sai_counters.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "support/index_literals.hpp"
#include "support/small_chip.hpp"
#include "weir/core/congestion/ecn_marker.hpp"

namespace weir::sai_counters_test {
namespace {

using namespace test::index_literals;

constexpr PgIndex lossless_pg{3}, lossy_pg{8};
constexpr QueueIndex lossy_queue{8};

// PG 3: 208 B cells, phi 2, B 20, T = 20 - S, eta 4. PG 8 is lossy, its queue 8 takes 2 + shared.
Chip worked_chip() {
  Chip chip = test::small_chip(2, Cells{20});
  chip.profiles.front().private_cells = Cells{2};
  chip.profiles.front().headroom = Cells{4};
  Profile lossy;
  lossy.name = "lossy";
  lossy.threshold.policy = Policy::fixed;
  lossy.threshold.static_limit = Cells{4};
  chip.profiles.push_back(lossy);
  chip.profile_of_pg[lossy_pg] = ProfileIndex{1};
  chip.egress_pools.front().shared = Cells{6};
  chip.queue_profiles.push_back({"lossy", {}, Cells{2}, {}});
  chip.profile_of_queue[lossy_queue] = QueueProfileIndex{0};
  return chip;
}

void arrive(Mmu& mmu, PgIndex pg, std::uint32_t cells, std::uint64_t length, QueueIndex queue) {
  mmu.arrive(pg, Cells{cells}, Bytes{length}, queue, Cycle{0});
}

// Worked by hand: the lossless PG fills, drops one packet, and releases 3 cells.
void play(Mmu& mmu) {
  arrive(mmu, lossless_pg, 12, 2400, 3_queue);  // private 2, shared 10
  arrive(mmu, lossless_pg, 3, 600, 3_queue);    // T = 10: headroom 3
  arrive(mmu, lossless_pg, 2, 400, 3_queue);    // headroom 5 > eta: refused
  mmu.release(lossless_pg, Cells{3}, 3_queue, true, Cycle{0});
  arrive(mmu, lossy_pg, 5, 1000, lossy_queue);  // queue: minimum 2, shared 3; S = 15
  arrive(mmu, lossy_pg, 1, 100, lossy_queue);   // w = 5 >= 4 at ingress; w_q = 3 >= 6 - 3: queue
  arrive(mmu, lossy_pg, 1, 100, 9_queue);       // ingress refuses
  mmu.release(lossy_pg, Cells{5}, lossy_queue, true, Cycle{0});
}

std::uint64_t read(const Mmu& mmu, const std::string& name, std::size_t index) {
  for (const SaiCounter& counter : sai_counters())
    if (counter.name == name) return counter.read(mmu, index);
  ADD_FAILURE() << name << " is not in the table";
  return 0;
}

TEST(SaiCounters, GiveTheFiguresWorkedByHandUnderTheirSaiNames) {
  Mmu mmu{worked_chip()};
  play(mmu);
  const std::uint64_t cell = 208;
  const auto pg = [&](const std::string& name, PgIndex index, std::uint64_t expected) {
    EXPECT_EQ(read(mmu, "SAI_INGRESS_PRIORITY_GROUP_STAT_" + name, index.value()), expected)
        << name;
  };
  pg("PACKETS", lossless_pg, 2);
  pg("BYTES", lossless_pg, 3000);
  pg("CURR_OCCUPANCY_BYTES", lossless_pg, 12 * cell);
  pg("WATERMARK_BYTES", lossless_pg, 15 * cell);
  pg("SHARED_CURR_OCCUPANCY_BYTES", lossless_pg, 10 * cell);
  pg("SHARED_WATERMARK_BYTES", lossless_pg, 10 * cell);
  pg("XOFF_ROOM_CURR_OCCUPANCY_BYTES", lossless_pg, 0);
  pg("XOFF_ROOM_WATERMARK_BYTES", lossless_pg, 3 * cell);
  pg("DROPPED_PACKETS", lossless_pg, 1);
  pg("DROPPED_PACKETS", lossy_pg, 1);  // the other drop is the queue's
  const auto pool = [&](const std::string& name, std::uint64_t expected) {
    EXPECT_EQ(read(mmu, "SAI_BUFFER_POOL_STAT_" + name, 0), expected) << name;
  };
  pool("CURR_OCCUPANCY_BYTES", 12 * cell);
  pool("WATERMARK_BYTES", 17 * cell);
  pool("DROPPED_PACKETS", 2);
  pool("XOFF_ROOM_CURR_OCCUPANCY_BYTES", 0);
  pool("XOFF_ROOM_WATERMARK_BYTES", 3 * cell);
  const auto queue = [&](const std::string& name, std::uint64_t expected) {
    EXPECT_EQ(read(mmu, "SAI_QUEUE_STAT_" + name, lossy_queue.value()), expected) << name;
  };
  queue("DROPPED_PACKETS", 1);
  queue("CURR_OCCUPANCY_BYTES", 0);
  queue("WATERMARK_BYTES", 5 * cell);
  queue("SHARED_CURR_OCCUPANCY_BYTES", 0);
  queue("SHARED_WATERMARK_BYTES", 3 * cell);
}

TEST(SaiCounters, ClearByKind) {
  Mmu mmu{worked_chip()};
  play(mmu);
  std::size_t moved = 0;
  std::vector<std::uint64_t> before;
  const auto read_all = [&] {
    std::vector<std::uint64_t> values;
    for (const SaiCounter& counter : sai_counters())
      for (std::size_t i = 0; i < sai_instances(mmu, counter.object); ++i)
        values.push_back(counter.read(mmu, i));
    return values;
  };
  before = read_all();
  mmu.clear_stats();
  const std::vector<std::uint64_t> after = read_all();
  std::size_t row = 0;
  for (const SaiCounter& counter : sai_counters()) {
    for (std::size_t i = 0; i < sai_instances(mmu, counter.object); ++i, ++row) {
      if (counter.kind == SaiKind::current)
        EXPECT_EQ(after[row], before[row]) << counter.name << " [" << i << "] was cleared";
      else
        EXPECT_EQ(after[row], 0U) << counter.name << " [" << i << "] was not cleared";
      moved += before[row] != 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(row, before.size());
  EXPECT_GT(moved, 15U) << "nothing was counted, so nothing was shown";
}

TEST(SaiCounters, HaveNamesOfTheirObjectAndTheirUnit) {
  std::set<std::string> names;
  for (const SaiCounter& counter : sai_counters()) {
    const std::string name{counter.name};
    std::string prefix = "SAI_";
    for (const char c : to_string(counter.object))
      prefix += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    prefix += "_STAT_";
    EXPECT_EQ(name.substr(0, prefix.size()), prefix) << "name of another object";
    const std::string unit = counter.unit == SaiUnit::bytes ? "BYTES" : "PACKETS";
    ASSERT_GT(name.size(), unit.size());
    EXPECT_EQ(name.substr(name.size() - unit.size()), unit) << name << ": unit";
    const bool is_watermark = name.find("WATERMARK") != std::string::npos;
    EXPECT_EQ(counter.kind == SaiKind::watermark, is_watermark) << name << ": kind";
    const bool is_current = name.find("CURR_") != std::string::npos;
    EXPECT_EQ(counter.kind == SaiKind::current, is_current) << name << ": kind";
    EXPECT_FALSE(counter.meaning.empty()) << name << ": no meaning";
    EXPECT_TRUE(names.insert(name).second) << name << " is in the table twice";
  }
  EXPECT_EQ(names.size(), 24U) << "a row came or went: update docs/blocks/sai_counters.md too";
}

TEST(SaiCounters, CountTheirInstances) {
  Chip chip = test::small_chip(3, Cells{20});
  chip.domains = 2;
  const Mmu mmu{chip};
  EXPECT_EQ(sai_instances(mmu, SaiObject::ingress_priority_group), 24U);
  EXPECT_EQ(sai_instances(mmu, SaiObject::queue), 24U);
  EXPECT_EQ(sai_instances(mmu, SaiObject::port), 3U);
  EXPECT_EQ(sai_instances(mmu, SaiObject::buffer_pool), 2U) << "one pool in each of two domains";
}

TEST(SaiCounters, APortCountsTheMarksAndDropsOfItsQueues) {
  Chip chip = worked_chip();
  chip.wred_profiles = {{"red", Cells{0}, Cells{1}, 65536, true, true, WredPoint::dequeue}};
  chip.wred_of_queue.resize(chip.ports.size() * priorities);
  constexpr QueueIndex marking{8}, other{9};  // of port 1
  chip.wred_of_queue[marking] = chip.wred_of_queue[other] = WredProfileIndex{0};
  Mmu mmu{chip};
  EcnMarker marker{chip, 1};
  PlainMarkerOwner owner{marker};
  mmu.set_marker_owner(owner);
  for (const QueueIndex queue : {marking, marking, other}) {
    static_cast<void>(marker.enters(queue, Cells{4}, Bytes{800}, Ecn::ect0));
    EXPECT_TRUE(marker.leaves(queue, Cells{1}, Bytes{200}, Ecn::ect0));
  }
  EXPECT_TRUE(marker.drops(other, Ecn::not_ect, false));
  EXPECT_EQ(read(mmu, "SAI_PORT_STAT_ECN_MARKED_PACKETS", 1), 3U);
  EXPECT_EQ(read(mmu, "SAI_PORT_STAT_WRED_DROPPED_PACKETS", 1), 1U);
  EXPECT_EQ(read(mmu, "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", marking.value()), 2U);
  EXPECT_EQ(read(mmu, "SAI_PORT_STAT_ECN_MARKED_PACKETS", 0), 0U);
  for (const SaiCounter& counter : sai_counters()) {
    if (counter.object != SaiObject::port) continue;
    EXPECT_TRUE(has_counter(mmu, counter, 1)) << counter.name;
    EXPECT_FALSE(has_counter(mmu, counter, 0)) << counter.name << " of a port without a profile";
    EXPECT_FALSE(has_counter(Mmu{worked_chip()}, counter, 1)) << counter.name;
  }
}

TEST(SaiCounters, SumAQueueOverTheMemoryDomains) {
  Chip chip = worked_chip();
  chip.domains = 2;
  chip.ports[1].domain = DomainId{1};
  chip.profile_of_pg[PgIndex{0}] = ProfileIndex{1};
  Mmu mmu{chip};
  arrive(mmu, 0_pg, 3, 600, lossy_queue);
  arrive(mmu, lossy_pg, 4, 800, lossy_queue);
  EXPECT_EQ(read(mmu, "SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES", lossy_queue.value()), 7U * 208U);
  EXPECT_EQ(read(mmu, "SAI_QUEUE_STAT_SHARED_CURR_OCCUPANCY_BYTES", lossy_queue.value()),
            3U * 208U);
  EXPECT_EQ(read(mmu, "SAI_QUEUE_STAT_WATERMARK_BYTES", lossy_queue.value()), 4U * 208U)
      << "a watermark is of one domain";
  EXPECT_EQ(read(mmu, "SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES", 1), 4U * 208U) << "domain 1";
}

}  // namespace
}  // namespace weir::sai_counters_test
