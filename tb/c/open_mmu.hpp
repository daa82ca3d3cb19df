// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "c/c_chips.hpp"
#include "weir_mmu.h"

namespace weir::test {

inline constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

/// An open MMU of the small chip, and structures that are right.
class WeirMmu : public testing::Test {
 protected:
  WeirMmu() {
    const std::string text = c_chip("alpha = \"1/4\"\n", 0);
    EXPECT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &mmu_), WEIR_MMU_OK)
        << weir_mmu_last_error();
    arrival_.size = sizeof arrival_;
    arrival_.pg = 3;
    arrival_.queue = 8 + 3;
    arrival_.cells = 5;
    arrival_.bytes = 1000;
    verdict_.size = sizeof verdict_;
    departure_.size = sizeof departure_;
    departure_.pg = 3;
    departure_.queue = 8 + 3;
    departure_.cells = 5;
    departure_.last = 1;
    level_.size = sizeof level_;
  }
  ~WeirMmu() override { EXPECT_EQ(weir_mmu_close(mmu_), WEIR_MMU_OK); }

  [[nodiscard]] weir_mmu_status arrive() { return weir_mmu_arrive(mmu_, &arrival_, &verdict_); }
  [[nodiscard]] weir_mmu_status release() { return weir_mmu_release(mmu_, &departure_, &level_); }
  [[nodiscard]] std::uint32_t address_of(const char* name, std::uint32_t index = 0) const {
    std::uint32_t address = 0;
    EXPECT_EQ(weir_mmu_register(mmu_, name, index, &address), WEIR_MMU_OK) << name;
    return address;
  }
  [[nodiscard]] std::uint32_t read(const char* name, std::uint32_t index = 0) const {
    std::uint32_t value = 0;
    EXPECT_EQ(weir_mmu_read32(mmu_, address_of(name, index), 200, &value), WEIR_MMU_OK) << name;
    return value;
  }

  weir_mmu mmu_{0};
  weir_mmu_arrival arrival_{};
  weir_mmu_verdict verdict_{};
  weir_mmu_departure departure_{};
  weir_mmu_level level_{};
};

}  // namespace weir::test
