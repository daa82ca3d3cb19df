// SPDX-License-Identifier: Apache-2.0
// Step sequences worked by hand, replayed against core and ledger: vectors/blocks/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "support/side_by_side.hpp"
#include "support/step_vectors.hpp"

namespace weir::test::mmu_vectors_test {
namespace {

const char* const folder = "vectors/blocks/";

std::vector<QueueIndex> queues_of(const CsvTable::Row& row, const char* column) {
  std::vector<QueueIndex> queues;
  for (const std::size_t queue : row.list(column)) queues.emplace_back(queue);
  return queues;
}

// Replays the rows of one case; the ledger follows every step, so both are compared with the file.
class Replay {
 public:
  explicit Replay(const std::string& name)
      : chip_{read_chip(folder + name + ".chip.csv")}, name_{name}, pair_{chip_, coverage_} {}

  std::size_t run() {
    const CsvTable steps = read_csv(folder + name_ + ".steps.csv");
    for (const CsvTable::Row& row : steps.rows) {
      SCOPED_TRACE(name_ + ".steps.csv:" + std::to_string(row.line));
      const Cycle now{row.number("cycle")};
      if (row.text("op") == "arrive")
        arrive(row, now);
      else
        release(row, now);
      compare_state(row);
    }
    return steps.rows.size();
  }

 private:
  void arrive(const CsvTable::Row& row, Cycle now) {
    const Bytes length = chip_.cell * row.number("size_cells");
    const std::size_t before = pair_.held().size();
    const Verdict verdict =
        pair_.arrive(PgIndex{row.number("pg")}, length, queues_of(row, "queues"), now);
    EXPECT_EQ(to_string(verdict.reason), row.text("reason")) << "reason";
    EXPECT_EQ(verdict.threshold.count(), row.number("threshold_cells")) << "T of the admission";
    EXPECT_EQ(verdict.pfc.xoff, row.number("xoff") != 0) << "XOFF of the verdict";
    if (pair_.held().size() == before) return;
    EXPECT_EQ(pair_.held().back().queues, queues_of(row, "taken_queues")) << "queues that took it";
    packet_of_[pair_.held().back().name] = row.number("packet");
  }

  void release(const CsvTable::Row& row, Cycle now) {
    const auto& held = pair_.held();
    const auto packet = std::find_if(held.begin(), held.end(), [&](const auto& candidate) {
      return packet_of_[candidate.name] == row.number("packet");
    });
    ASSERT_NE(packet, held.end()) << "packet " << row.text("packet") << " is not held";
    const auto& queues = packet->queues;
    const auto queue = std::find(queues.begin(), queues.end(), QueueIndex{row.number("queues")});
    ASSERT_NE(queue, queues.end()) << "no copy in queue " << row.text("queues");
    EXPECT_EQ(packet->cells.count(), row.number("size_cells")) << "size of the packet";
    EXPECT_EQ(queues.size() == 1, row.number("last") != 0) << "last copy";
    const PfcLevel level = pair_.release(static_cast<std::size_t>(packet - held.begin()),
                                         static_cast<std::size_t>(queue - queues.begin()), now);
    EXPECT_EQ(level.xoff, row.number("xoff") != 0) << "XOFF after the release";
    EXPECT_EQ(pair_.mmu().threshold(PgIndex{row.number("pg")}, now).count(),
              row.number("threshold_cells"))
        << "T after the release";
  }

  void compare_state(const CsvTable::Row& row) const {
    const Mmu& mmu = pair_.mmu();
    const PgIndex pg{row.number("pg")};
    const Placement& held = mmu.ingress().pg(pg);
    EXPECT_EQ(held.private_cells.count(), row.number("private_cells")) << "private";
    EXPECT_EQ(held.shared.count(), row.number("shared_cells")) << "shared";
    EXPECT_EQ(held.headroom.count(), row.number("headroom_cells")) << "headroom";
    EXPECT_EQ(mmu.pfc().xoff(pg), row.number("xoff") != 0) << "XOFF";
    const PoolUse& pool = mmu.ingress().pool(mmu.settings_of(pg).pool_domain);
    EXPECT_EQ(pool.shared.count(), row.number("pool_shared_cells")) << "S";
    EXPECT_EQ(pool.headroom.count(), row.number("pool_headroom_cells")) << "Hp";
    if (row.empty("queue")) return;
    const QueueUse& queue =
        mmu.egress().queue(QueueIndex{row.number("queue")}, mmu.domain_of_pg(pg));
    EXPECT_EQ(queue.minimum.count(), row.number("queue_min_cells")) << "queue minimum";
    EXPECT_EQ(queue.shared.count(), row.number("queue_shared_cells")) << "w_q";
    const EgressPoolIndex pool_of_queue =
        egress_pool_index(chip_, EgressPoolNumber{0}, mmu.domain_of_pg(pg));
    EXPECT_EQ(mmu.egress().pool_shared(pool_of_queue).count(), row.number("egress_shared_cells"))
        << "S_e";
  }

  Coverage coverage_;
  Chip chip_;
  std::string name_;
  SideBySide pair_;
  std::map<std::size_t, std::size_t> packet_of_;  // the ledger's name -> the file's
};

TEST(MmuVectors, CoreAndLedgerGiveTheNumbersWorkedByHandInEveryStepOfEveryCase) {
  std::size_t compared = 0;
  const auto cases = step_vector_cases(folder);
  for (const std::string& name : cases) compared += Replay{name}.run();
  std::cout << "compared " << compared << " steps of " << cases.size() << " cases\n";
  EXPECT_GE(cases.size(), 10U) << "cases are missing from " << folder;
  EXPECT_GE(compared, 100U) << "steps are missing from " << folder;
}

}  // namespace
}  // namespace weir::test::mmu_vectors_test
