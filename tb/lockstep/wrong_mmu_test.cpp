// SPDX-License-Identifier: Apache-2.0
// needs: model
// clang-format off
// rtl: mmu_2_1_1 = weir_mmu Ports=2 Domains=1 Lanes=1 Copies=1 Profiles=4 QueueProfiles=2 Pools=2 EgressPools=2
// Verilator's headers come before those of SystemC; otherwise they call it for the time.
#include "Vmmu_2_1_1.h"
#include "lockstep/bench.hpp"
// clang-format on
//
// The lockstep of weir_mmu with random requests finds every output that is wrong.
#include <gtest/gtest.h>

#include "lockstep/mmu_rounds.hpp"

namespace weir::test {
namespace {

/// weir_mmu with bit 0 of one output inverted after some evaluations. The RTL itself never sees the
/// inverted bit: it is put back before each evaluation.
class WrongMmu : public Vmmu_2_1_1 {
 public:
  explicit WrongMmu(VerilatedContext* context) : Vmmu_2_1_1{context} {
    for_each_pin(*this, [this](MmuPin pin, auto& port) {
      if (pin == wrong) octet_ = reinterpret_cast<std::uint8_t*>(&port);
    });
  }
  void eval() {
    if (!any) return Vmmu_2_1_1::eval();
    if (inverted_) *octet_ ^= 1U;
    Vmmu_2_1_1::eval();
    inverted_ = ++evaluations_ > 6'000;
    if (inverted_) *octet_ ^= 1U;
  }

  static inline MmuPin wrong{};
  static inline bool any{true};  ///< False: this one is right.

 private:
  std::uint8_t* octet_{nullptr};
  std::uint64_t evaluations_{0};
  bool inverted_{false};
};

class WrongOutput : public ::testing::TestWithParam<std::size_t> {};

std::string difference_in_some_rounds() {
  return difference_in([] {
    MmuLockstep<WrongMmu> lockstep{mmu_shape(2, 1, 1, 1)};
    for (std::uint64_t round = 0; round < 4; ++round) lockstep.round(1, round, 20'000);
  });
}

TEST(WrongOutputs, NoneIsFoundWhereNoneIs) {
  WrongMmu::any = false;
  EXPECT_EQ(difference_in_some_rounds(), "");
}

TEST_P(WrongOutput, IsFoundByItsName) {
  WrongMmu::any = true;
  WrongMmu::wrong = static_cast<MmuPin>(GetParam());
  const std::string difference = difference_in_some_rounds();
  const std::string name = mmu_pins[GetParam()].name;
  EXPECT_NE(difference.find(", " + name + "["), std::string::npos)
      << name << " is wrong, and the lockstep says: " << difference;
}

std::vector<std::size_t> outputs() {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < mmu_pin_count; ++i)
    if (!mmu_pins[i].input) found.push_back(i);
  return found;
}

INSTANTIATE_TEST_SUITE_P(OfTheTable, WrongOutput, ::testing::ValuesIn(outputs()),
                         [](const auto& tested) { return mmu_pins[tested.param].name; });

}  // namespace
}  // namespace weir::test
