// SPDX-License-Identifier: Apache-2.0
// A null pointer at every pointer of weir_mmu.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "c/c_chips.hpp"
#include "c/open_mmu.hpp"

namespace weir::test::weir_mmu_null_test {
namespace {

// A function with one of its pointers null; all else is right.
struct NullCall {
  std::string function;
  std::function<weir_mmu_status(weir_mmu)> call;
};

class NullPointer : public WeirMmu {
 protected:
  // One a pointer of a prototype; without `groups` a snapshot is a question for their number.
  [[nodiscard]] std::vector<NullCall> calls() {
    return {
        {"weir_mmu_open", [this](weir_mmu) { return weir_mmu_open(nullptr, &opened_); }},
        {"weir_mmu_open", [](weir_mmu) { return weir_mmu_open(chip_file, nullptr); }},
        {"weir_mmu_open_text",
         [this](weir_mmu) { return weir_mmu_open_text(nullptr, 1, "small.toml", &opened_); }},
        {"weir_mmu_open_text",
         [this](weir_mmu) {
           return weir_mmu_open_text(text_.data(), text_.size(), nullptr, &opened_);
         }},
        {"weir_mmu_open_text",
         [this](weir_mmu) {
           return weir_mmu_open_text(text_.data(), text_.size(), "small.toml", nullptr);
         }},
        {"weir_mmu_chip", [](weir_mmu mmu) { return weir_mmu_chip(mmu, nullptr); }},
        {"weir_mmu_cells", [](weir_mmu mmu) { return weir_mmu_cells(mmu, 64, nullptr); }},
        {"weir_mmu_arrive",
         [this](weir_mmu mmu) { return weir_mmu_arrive(mmu, nullptr, &verdict_); }},
        {"weir_mmu_arrive",
         [this](weir_mmu mmu) { return weir_mmu_arrive(mmu, &arrival_, nullptr); }},
        {"weir_mmu_arrive_copies",
         [this](weir_mmu mmu) {
           return weir_mmu_arrive_copies(mmu, nullptr, &copy_, 1, &verdict_);
         }},
        {"weir_mmu_arrive_copies",
         [this](weir_mmu mmu) {
           return weir_mmu_arrive_copies(mmu, &arrival_, nullptr, 1, &verdict_);
         }},
        {"weir_mmu_arrive_copies",
         [this](weir_mmu mmu) {
           return weir_mmu_arrive_copies(mmu, &arrival_, &copy_, 1, nullptr);
         }},
        {"weir_mmu_mark",
         [](weir_mmu mmu) { return weir_mmu_mark(mmu, 11, 1, 64, 2, 10, nullptr); }},
        {"weir_mmu_enter",
         [](weir_mmu mmu) { return weir_mmu_enter(mmu, 11, 1, 64, 2, 10, nullptr); }},
        {"weir_mmu_release",
         [this](weir_mmu mmu) { return weir_mmu_release(mmu, nullptr, &level_); }},
        {"weir_mmu_release",
         [this](weir_mmu mmu) { return weir_mmu_release(mmu, &departure_, nullptr); }},
        {"weir_mmu_threshold",
         [](weir_mmu mmu) { return weir_mmu_threshold(mmu, 3, 100, nullptr); }},
        {"weir_mmu_queue_threshold",
         [](weir_mmu mmu) { return weir_mmu_queue_threshold(mmu, 11, 0, 100, nullptr); }},
        {"weir_mmu_xoff_classes",
         [](weir_mmu mmu) { return weir_mmu_xoff_classes(mmu, 0, nullptr); }},
        {"weir_mmu_counter",
         [this](weir_mmu mmu) { return weir_mmu_counter(mmu, nullptr, 0, &value64_); }},
        {"weir_mmu_counter",
         [](weir_mmu mmu) {
           return weir_mmu_counter(mmu, "SAI_QUEUE_STAT_DROPPED_PACKETS", 0, nullptr);
         }},
        {"weir_mmu_register",
         [this](weir_mmu mmu) { return weir_mmu_register(mmu, nullptr, 0, &value_); }},
        {"weir_mmu_register",
         [](weir_mmu mmu) { return weir_mmu_register(mmu, "pg_stats.bytes", 3, nullptr); }},
        {"weir_mmu_read32",
         [this](weir_mmu mmu) {
           return weir_mmu_read32(mmu, address_of("pg_stats.bytes", 3), 100, nullptr);
         }},
        {"weir_mmu_snapshot",
         [this](weir_mmu mmu) {
           return weir_mmu_snapshot(mmu, 100, all_.data(), sizeof(weir_mmu_group), nullptr);
         }},
    };
  }
  // What a caller can see of the MMU.
  [[nodiscard]] std::vector<std::uint32_t> state() {
    std::uint32_t room = 32;
    EXPECT_EQ(weir_mmu_snapshot(mmu_, 100, all_.data(), sizeof(weir_mmu_group), &room),
              WEIR_MMU_OK);
    std::vector<std::uint32_t> words;
    for (const weir_mmu_group& group : all_)
      for (const std::uint32_t word : {group.private_cells, group.shared_cells,
                                       group.headroom_cells, group.threshold, group.xoff})
        words.push_back(word);
    for (const char* const name : {"pg_stats.packets", "pg_stats.bytes", "profile.xon"})
      words.push_back(read(name, std::string{name} == "profile.xon" ? 0 : 3));
    return words;
  }

  static constexpr const char* chip_file = "vectors/chips/arista_7050qx_32.toml";
  const std::string text_ = c_chip("alpha = \"1/4\"\n", 0);
  std::vector<weir_mmu_group> all_ = std::vector<weir_mmu_group>(32);
  weir_mmu opened_{77};
  weir_mmu_copy copy_{sizeof(weir_mmu_copy), 11, 0, 0, 0};
  std::uint32_t value_{77};
  std::uint64_t value64_{77};
};

TEST_F(NullPointer, OfEveryFunctionIsRefusedAndChangesNothing) {
  arrival_.now = 10;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  const weir_mmu_verdict verdict = verdict_;
  const std::vector<std::uint32_t> before = state();
  for (const NullCall& null : calls()) {
    SCOPED_TRACE(null.function);
    EXPECT_EQ(null.call(mmu_), WEIR_MMU_NULL);
    const std::string error = weir_mmu_last_error();
    EXPECT_EQ(error.rfind(null.function + ": ", 0), 0U) << error;
    EXPECT_NE(error.find("null pointer"), std::string::npos) << error;
    EXPECT_EQ(state(), before);
  }
  EXPECT_EQ(opened_, 77U);
  EXPECT_EQ(value_, 77U);
  EXPECT_EQ(value64_, 77U);
  EXPECT_EQ(std::memcmp(&verdict, &verdict_, sizeof verdict), 0);
  EXPECT_EQ(arrive(), WEIR_MMU_OK) << "the cycle has not gone on: " << weir_mmu_last_error();
}

TEST_F(NullPointer, OfAClosedMmuIsRefusedAsClosed) {
  weir_mmu closed = 0;
  ASSERT_EQ(weir_mmu_open_text(text_.data(), text_.size(), "small.toml", &closed), WEIR_MMU_OK);
  ASSERT_EQ(weir_mmu_close(closed), WEIR_MMU_OK);
  for (const NullCall& null : calls()) {
    if (null.function.rfind("weir_mmu_open", 0) == 0) continue;
    for (const weir_mmu number : {closed, weir_mmu{0}})
      EXPECT_EQ(null.call(number), WEIR_MMU_HANDLE) << null.function;
  }
  EXPECT_EQ(weir_mmu_write32(closed, 0, 0, 0), WEIR_MMU_HANDLE);
  EXPECT_EQ(weir_mmu_close(closed), WEIR_MMU_HANDLE);
}

TEST_F(NullPointer, OfAReadLatchesNothing) {
  const std::uint32_t low = address_of("pg_stats.bytes", 3);
  ASSERT_EQ(weir_mmu_read32(mmu_, low, 0, nullptr), WEIR_MMU_NULL);
  arrival_.bytes = most;
  arrival_.cells = departure_.cells = 1;
  for (int packet = 0; packet < 2; ++packet) {
    ASSERT_EQ(arrive(), WEIR_MMU_OK);
    ASSERT_EQ(release(), WEIR_MMU_OK);
  }
  ASSERT_EQ(weir_mmu_read32(mmu_, low + 4, 0, &value_), WEIR_MMU_OK);
  EXPECT_EQ(value_, 1U) << "of 2^33 - 2 bytes; 0, the word of before, if the read had latched it";
}

// Each pointer of each prototype of the header has its call above.
TEST_F(NullPointer, IsTriedForEveryPointerOfTheHeader) {
  std::ifstream in{"systemc/c/include/weir_mmu.h"};
  std::string header{std::istreambuf_iterator<char>{in}, {}};
  const std::regex prototype{R"(\nweir_mmu_status (weir_mmu_\w+)\(([^)]*)\);)"};
  std::map<std::string, std::ptrdiff_t> pointers, tried;
  for (std::sregex_iterator it{header.begin(), header.end(), prototype}, end; it != end; ++it) {
    const std::string arguments = (*it)[2];
    pointers[(*it)[1]] = std::count(arguments.begin(), arguments.end(), '*');
  }
  EXPECT_EQ(pointers.size(), 20U);
  --pointers["weir_mmu_snapshot"];  // `groups` may be null
  for (const NullCall& null : calls()) ++tried[null.function];
  for (const auto& [function, count] : pointers) EXPECT_EQ(tried[function], count) << function;
}

}  // namespace
}  // namespace weir::test::weir_mmu_null_test
