// SPDX-License-Identifier: Apache-2.0
// weir_mmu.h against the classes of the core, with legal traces, and with what no caller should do.
#include "weir_mmu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "c/c_chips.hpp"
#include "c/two_sides.hpp"
#include "weir/core/errors.hpp"

namespace weir::test {
namespace {

constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

// An open MMU of the small chip, and structures that are right.
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

TEST(WeirMmuTrace, TheSameStepsGiveTheSameBytesInCAndInCpp) {
  Occurred all;
  for (const std::string& text : c_chips()) {
    TwoSides sides{text, 1, Entry::at_arrival};
    for (int step = 0; step < 4000; ++step) {
      sides.step();
      if (step % 500 == 0) sides.look();
    }
    sides.look();
    ASSERT_GT(sides.in_c().size(), 100'000U);
    EXPECT_TRUE(sides.in_c() == sides.in_cpp()) << "C and C++ differ on\n" << text;
    const Occurred& seen = sides.occurred();
    for (std::size_t reason = 0; reason < reasons; ++reason)
      all.verdicts[reason] += seen.verdicts[reason];
    all.marks += seen.marks;
    all.pauses += seen.pauses;
    all.resumes += seen.resumes;
    all.port_offs += seen.port_offs;
    all.partly_taken += seen.partly_taken;
  }
  for (std::size_t reason = 0; reason < reasons; ++reason) {
    if (static_cast<Reason>(reason) == Reason::headroom_pool) continue;  // headroom is dedicated
    EXPECT_GT(all.verdicts[reason], 0U) << to_string(static_cast<Reason>(reason));
  }
  EXPECT_GT(all.marks, 0U);
  EXPECT_GT(all.pauses, 0U);
  EXPECT_GT(all.resumes, 0U);
  EXPECT_GT(all.port_offs, 0U);
  EXPECT_GT(all.partly_taken, 0U);
}

TEST(WeirMmuTrace, PacketsEnterTheirQueuesWhenTheCallerSaysSo) {
  TwoSides sides{c_chip("alpha = \"1/4\"\n", 0), 4, Entry::later};
  for (int step = 0; step < 20000; ++step) {
    sides.step();
    if (step % 1000 == 0) sides.look();
  }
  sides.look();
  EXPECT_TRUE(sides.in_c() == sides.in_cpp()) << "C and C++ differ";
  EXPECT_GT(sides.occurred().entry_marks, 0U) << "at enqueue";
  EXPECT_GT(sides.occurred().marks, 0U) << "at dequeue";
  EXPECT_GT(sides.occurred().verdicts[static_cast<std::size_t>(Reason::wred)], 0U);
}

// A number that no open MMU of this process has, or null, or a wrong size, or a wrong value: one
// call of every function with at least one of them.
class Misuse {
 public:
  Misuse(TwoSides& sides, weir_mmu closed) : sides_{sides}, closed_{closed} {}

  /// Every call of it must be refused, with the code that says why.
  void call() {
    const std::uint32_t which = sides_.draw(14);
    if (which == 0) return refuse_open();
    weir_mmu_status status = WEIR_MMU_OK;
    const weir_mmu_status expected = call_wrongly(which, status);
    EXPECT_EQ(status, expected) << "function " << which << ": " << weir_mmu_last_error();
    EXPECT_NE(std::string{weir_mmu_last_error()}.find(": "), std::string::npos);
    ++calls_;
  }
  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }

 private:
  void refuse_open() {
    weir_mmu number = 77;
    EXPECT_EQ(weir_mmu_open(nullptr, &number), WEIR_MMU_NULL);
    EXPECT_EQ(weir_mmu_open("/nowhere/chip.toml", &number), WEIR_MMU_CONFIG);
    std::string noise(sides_.draw(200), '\0');
    for (char& c : noise) c = static_cast<char>(sides_.draw(256));
    EXPECT_EQ(weir_mmu_open_text(noise.data(), noise.size(), "noise", &number), WEIR_MMU_CONFIG);
    EXPECT_EQ(weir_mmu_open_text(noise.data(), noise.size(), nullptr, &number), WEIR_MMU_NULL);
    EXPECT_EQ(number, 77U) << "a failed open wrote a number";
  }
  [[nodiscard]] weir_mmu wrong_number() {
    const std::uint32_t kind = sides_.draw(3);
    if (kind == 0) return 0;
    return kind == 1 ? closed_ : sides_.number() + 4096ULL * (1 + sides_.draw(1000));
  }
  [[nodiscard]] std::uint32_t wrong_size(std::uint32_t size) {
    const std::uint32_t sizes[]{0, 1, size - 1, size + 1, size * 2, most};
    return sizes[sides_.draw(6)];
  }
  [[nodiscard]] std::uint32_t above(std::uint32_t last) {
    return sides_.draw(2) == 0 ? last + 1 : last + 1 + sides_.draw(most - last - 1);
  }

  // The arguments of a step; one of them is wrong, and `expected` says so.
  struct Step {
    weir_mmu number;
    std::uint32_t size, pg, queue, cells, ecn, last;
    std::uint64_t now;
    bool null_in{false}, null_out{false};
    std::uint32_t out_size{0};
    weir_mmu_status expected{WEIR_MMU_OK};
  };
  Step wrong_step(std::uint32_t size, std::uint32_t out_size) {
    Step s{sides_.number(), size, 3, 11, 1, 0, 1, sides_.now(), false, false, out_size};
    s.expected = WEIR_MMU_RANGE;
    switch (sides_.draw(9)) {
      case 0:
        s.number = wrong_number(), s.expected = WEIR_MMU_HANDLE;
        break;
      case 1:
        s.null_in = true, s.expected = WEIR_MMU_NULL;
        break;
      case 2:
        s.null_out = true, s.expected = WEIR_MMU_NULL;
        break;
      case 3:
        s.size = wrong_size(size), s.expected = WEIR_MMU_SIZE;
        break;
      case 4:
        s.out_size = wrong_size(out_size), s.expected = WEIR_MMU_SIZE;
        break;
      case 5:
        s.pg = above(sides_.groups() - 1);
        break;
      case 6:
        s.queue = above(sides_.groups() - 1);
        break;
      case 7:
        s.cells = sides_.draw(2) == 0 ? 0 : above(1U << 24);
        break;
      default:
        s.now = ~std::uint64_t{0} - sides_.draw(1000);
    }
    return s;
  }
  weir_mmu_status wrong_arrival(weir_mmu_status& status, bool copies) {
    Step s = wrong_step(sizeof(weir_mmu_arrival), sizeof(weir_mmu_verdict));
    weir_mmu_arrival arrival{s.size, s.pg, s.queue, s.cells, 100, s.ecn, s.now};
    weir_mmu_verdict verdict{};
    verdict.size = s.out_size;
    const weir_mmu_arrival* in = s.null_in ? nullptr : &arrival;
    weir_mmu_verdict* out = s.null_out ? nullptr : &verdict;
    if (!copies) {
      status = weir_mmu_arrive(s.number, in, out);
      return s.expected;
    }
    std::vector<weir_mmu_copy> list(2, {sizeof(weir_mmu_copy), s.queue, 0, 0, 0});
    list[1].queue = 1;
    status = weir_mmu_arrive_copies(s.number, in, list.data(), 2, out);
    return s.expected;
  }
  weir_mmu_status wrong_release(weir_mmu_status& status) {
    Step s = wrong_step(sizeof(weir_mmu_departure), sizeof(weir_mmu_level));
    if (sides_.draw(4) == 0) {  // more than the memory has
      s = {sides_.number(), sizeof(weir_mmu_departure), 3, 11, 1U << 24, 0, 1, sides_.now()};
      s.out_size = sizeof(weir_mmu_level);
      s.expected = WEIR_MMU_ORDER;
    }
    weir_mmu_departure departure{s.size, s.pg, s.queue, s.cells, s.last, 0, s.now};
    weir_mmu_level level{};
    level.size = s.out_size;
    status =
        weir_mmu_release(s.number, s.null_in ? nullptr : &departure, s.null_out ? nullptr : &level);
    return s.expected;
  }
  weir_mmu_status wrong_mark(weir_mmu_status& status) {
    std::uint8_t marked = 0;
    const weir_mmu number = sides_.number();
    const std::uint64_t now = sides_.now();
    switch (sides_.draw(11)) {
      case 5:
        status = weir_mmu_enter_later(wrong_number());
        return WEIR_MMU_HANDLE;
      case 6:
        status = weir_mmu_enter(number, 11, 1, 64, 2, now, nullptr);
        return WEIR_MMU_NULL;
      case 7:
        status = weir_mmu_enter(number, 11, 1, 64, above(3), now, &marked);
        return WEIR_MMU_RANGE;
      case 8:
        status = weir_mmu_enter(number, 11, above(1U << 24), 64, 2, now, &marked);
        return WEIR_MMU_RANGE;
      case 9:
        status = weir_mmu_discard(number, 11, 1U << 24, now);
        return WEIR_MMU_ORDER;
      case 10:
        status = weir_mmu_discard(number, above(sides_.groups() - 1), 1, now);
        return WEIR_MMU_RANGE;
      case 0:
        status = weir_mmu_mark(wrong_number(), 11, 1, 64, 2, now, &marked);
        return WEIR_MMU_HANDLE;
      case 1:
        status = weir_mmu_mark(number, 11, 1, 64, 2, now, nullptr);
        return WEIR_MMU_NULL;
      case 2:
        status = weir_mmu_mark(number, 11, 1U << 24, 64, 2, now, &marked);
        return WEIR_MMU_ORDER;
      case 3:
        status = weir_mmu_mark(number, 11, 1, 64, above(3), now, &marked);
        return WEIR_MMU_RANGE;
      default:
        status = weir_mmu_mark(number, above(sides_.groups() - 1), 1, 64, 2, now, &marked);
        return WEIR_MMU_RANGE;
    }
  }
  weir_mmu_status wrong_copies(weir_mmu_status& status) {
    weir_mmu_arrival arrival{sizeof arrival, 3, 0, 1, 100, 0, sides_.now()};
    weir_mmu_verdict verdict{};
    verdict.size = sizeof verdict;
    std::vector<weir_mmu_copy> list(3, {sizeof(weir_mmu_copy), 0, 0, 0, 0});
    list[1].queue = 1;
    list[2].queue = 2;
    weir_mmu_copy* copies = list.data();
    std::uint32_t count = 3;
    weir_mmu_status expected = WEIR_MMU_RANGE;
    switch (sides_.draw(5)) {
      case 0:
        list[2].queue = 1;
        break;
      case 1:
        count = 0;
        break;
      case 2:
        count = above(sides_.groups());
        break;
      case 3:
        list[sides_.draw(3)].size = wrong_size(sizeof(weir_mmu_copy)), expected = WEIR_MMU_SIZE;
        break;
      default:
        copies = nullptr, expected = WEIR_MMU_NULL;
    }
    status = weir_mmu_arrive_copies(sides_.number(), &arrival, copies, count, &verdict);
    return expected;
  }
  weir_mmu_status wrong_name(weir_mmu_status& status) {
    std::uint64_t value = 0;
    const std::string name =
        sides_.draw(2) == 0 ? std::string(sides_.draw(9000), '\x1b') : "SAI_QUEUE_STAT_NOTHING";
    switch (sides_.draw(3)) {
      case 0:
        status = weir_mmu_counter(sides_.number(), name.c_str(), 0, &value);
        return WEIR_MMU_NAME;
      case 1:
        status = weir_mmu_counter(sides_.number(), nullptr, 0, &value);
        return WEIR_MMU_NULL;
      default:
        status = weir_mmu_counter(sides_.number(), "SAI_QUEUE_STAT_DROPPED_PACKETS",
                                  above(sides_.groups() - 1), &value);
        return WEIR_MMU_RANGE;
    }
  }
  weir_mmu_status wrong_register(weir_mmu_status& status) {
    std::uint32_t value = 0;
    const weir_mmu number = sides_.number();
    switch (sides_.draw(6)) {
      case 0:
        status = weir_mmu_register(number, "pg.nothing", 0, &value);
        return WEIR_MMU_NAME;
      case 1:
        status = weir_mmu_register(number, "pg.shared", above(sides_.groups() - 1), &value);
        return WEIR_MMU_RANGE;
      case 2:
        status = weir_mmu_read32(number, sides_.draw(1U << 22) * 4 + 1 + sides_.draw(3),
                                 sides_.now(), &value);
        return WEIR_MMU_ADDRESS;
      case 3:
        status =
            weir_mmu_read32(number, 0x0100'0000 + 4 * sides_.draw(1U << 20), sides_.now(), &value);
        return WEIR_MMU_ADDRESS;
      case 4:
        status = weir_mmu_write32(number, 0, sides_.now(), sides_.draw(most));
        return WEIR_MMU_ACCESS;  // chip.id
      default:
        status = weir_mmu_read32(number, 0, sides_.now(), nullptr);
        return WEIR_MMU_NULL;
    }
  }
  weir_mmu_status wrong_snapshot(weir_mmu_status& status) {
    std::vector<weir_mmu_group> all(sides_.groups());
    std::uint32_t count = sides_.draw(sides_.groups());
    switch (sides_.draw(3)) {
      case 0:
        status = weir_mmu_snapshot(sides_.number(), sides_.now(), all.data(),
                                   sizeof(weir_mmu_group), &count);
        return WEIR_MMU_SIZE;
      case 1:
        status = weir_mmu_snapshot(sides_.number(), sides_.now(), all.data(),
                                   wrong_size(sizeof(weir_mmu_group)), &count);
        return WEIR_MMU_SIZE;
      default:
        status = weir_mmu_snapshot(sides_.number(), sides_.now(), all.data(),
                                   sizeof(weir_mmu_group), nullptr);
        return WEIR_MMU_NULL;
    }
  }
  weir_mmu_status wrong_query(std::uint32_t which, weir_mmu_status& status) {
    std::uint32_t cells = 0;
    std::uint8_t classes = 0;
    const weir_mmu number = sides_.number();
    const std::uint32_t beyond = above(sides_.groups() - 1);
    if (which == 0) status = weir_mmu_threshold(number, beyond, sides_.now(), &cells);
    if (which == 1) status = weir_mmu_queue_threshold(number, beyond, 0, sides_.now(), &cells);
    if (which == 2) status = weir_mmu_queue_threshold(number, 0, above(1), sides_.now(), &cells);
    if (which == 3) status = weir_mmu_xoff_classes(number, above(3), &classes);
    return WEIR_MMU_RANGE;
  }
  weir_mmu_status call_wrongly(std::uint32_t which, weir_mmu_status& status) {
    switch (which) {
      case 1:
        return wrong_arrival(status, false);
      case 2:
        return wrong_arrival(status, true);
      case 3:
        return wrong_release(status);
      case 4:
        return wrong_mark(status);
      case 5:
        return wrong_copies(status);
      case 6:
        return wrong_name(status);
      case 7:
        return wrong_register(status);
      case 8:
        return wrong_snapshot(status);
      case 9:
        status = weir_mmu_close(wrong_number());
        return WEIR_MMU_HANDLE;
      default:
        return wrong_query(which - 10, status);
    }
  }

  TwoSides& sides_;
  weir_mmu closed_;
  std::uint64_t calls_{0};
};

TEST(WeirMmuTrace, WhatIsRefusedChangesNothing) {
  for (const std::string& text : c_chips()) {
    weir_mmu closed = 0;
    ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &closed), WEIR_MMU_OK);
    ASSERT_EQ(weir_mmu_close(closed), WEIR_MMU_OK);
    TwoSides sides{text, 2, Entry::later};
    Misuse misuse{sides, closed};
    for (int step = 0; step < 2000; ++step) {
      misuse.call();
      sides.step();
    }
    sides.look();
    EXPECT_TRUE(sides.in_c() == sides.in_cpp()) << "a refused call changed\n" << text;
    EXPECT_GT(misuse.calls(), 1000U);
  }
}

TEST_F(WeirMmu, TheVersionOfTheLibraryIsThatOfTheHeader) {
  EXPECT_EQ(weir_mmu_version(), WEIR_MMU_VERSION_MAJOR * 65536 + WEIR_MMU_VERSION_MINOR);
}

TEST_F(WeirMmu, AChipIsShownAsItsFileSaysIt) {
  weir_mmu_chip_info info{};
  info.size = sizeof info;
  ASSERT_EQ(weir_mmu_chip(mmu_, &info), WEIR_MMU_OK);
  EXPECT_EQ(info.ports, 4U);
  EXPECT_EQ(info.domains, 2U);
  EXPECT_EQ(info.cell, 208U);
  EXPECT_EQ(info.clock, 1000U);
  std::uint32_t cells = 0;
  ASSERT_EQ(weir_mmu_cells(mmu_, 209, &cells), WEIR_MMU_OK);
  EXPECT_EQ(cells, 2U) << "209 bytes in cells of 208";
  info.size = sizeof info - 1;
  EXPECT_EQ(weir_mmu_chip(mmu_, &info), WEIR_MMU_SIZE);
  EXPECT_EQ(weir_mmu_chip(mmu_, nullptr), WEIR_MMU_NULL);
}

TEST_F(WeirMmu, AnErrorOfAChipFileNamesFileLineKeyAndLegalValues) {
  const std::string text = "[chip]\nname = \"x\"\nports = 0\n";
  weir_mmu number = 0;
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "broken.toml", &number), WEIR_MMU_CONFIG);
  const std::string error = weir_mmu_last_error();
  EXPECT_NE(error.find("weir_mmu_open_text: broken.toml:1: chip.rate: is missing"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("broken.toml:3: chip.ports = 0: must be"), std::string::npos) << error;
  EXPECT_EQ(number, 0U);
}

TEST_F(WeirMmu, AClosedNumberIsRefusedAlsoWhenItsPlaceIsTakenAgain) {
  const std::string text = c_chip("alpha = \"1/4\"\n", 0);
  std::vector<weir_mmu> numbers(4095);
  for (weir_mmu& number : numbers)
    ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &number), WEIR_MMU_OK);
  weir_mmu one_more = 0;
  EXPECT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &one_more), WEIR_MMU_FULL);
  const weir_mmu closed = numbers[100];
  ASSERT_EQ(weir_mmu_close(closed), WEIR_MMU_OK);
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "small.toml", &numbers[100]), WEIR_MMU_OK);
  EXPECT_NE(numbers[100], closed);
  std::uint8_t classes = 0;
  EXPECT_EQ(weir_mmu_xoff_classes(closed, 0, &classes), WEIR_MMU_HANDLE);
  EXPECT_EQ(weir_mmu_close(closed), WEIR_MMU_HANDLE);
  EXPECT_EQ(weir_mmu_xoff_classes(numbers[100], 0, &classes), WEIR_MMU_OK);
  for (const weir_mmu number : numbers) EXPECT_EQ(weir_mmu_close(number), WEIR_MMU_OK);
}

TEST_F(WeirMmu, TheCycleOfAStepNeverGoesBack) {
  arrival_.now = 10;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  arrival_.now = 9;
  EXPECT_EQ(arrive(), WEIR_MMU_ORDER);
  departure_.now = 9;
  EXPECT_EQ(release(), WEIR_MMU_ORDER);
  std::uint32_t cells = 0;
  EXPECT_EQ(weir_mmu_threshold(mmu_, 3, 9, &cells), WEIR_MMU_ORDER);
  EXPECT_EQ(weir_mmu_threshold(mmu_, 3, 10, &cells), WEIR_MMU_OK);
  arrival_.now = 10;
  EXPECT_EQ(arrive(), WEIR_MMU_OK) << "two steps of one cycle";
}

TEST_F(WeirMmu, CellsLeaveOnlyWhereTheyAre) {
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "nothing is held";
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  departure_.cells = 6;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "5 cells are held";
  departure_.cells = 5;
  EXPECT_EQ(release(), WEIR_MMU_OK) << weir_mmu_last_error();
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "they have left";

  arrival_.pg = 0;  // lossy, to a limited queue
  arrival_.queue = 8;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  ASSERT_EQ(verdict_.reason, WEIR_MMU_ADMITTED);
  departure_.pg = 0;
  departure_.queue = 9;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "they wait in another queue";
  departure_.queue = 8;
  departure_.pg = 1;
  EXPECT_EQ(release(), WEIR_MMU_ORDER) << "another group holds them";
  departure_.pg = 0;
  EXPECT_EQ(release(), WEIR_MMU_OK) << weir_mmu_last_error();
}

TEST_F(WeirMmu, AQueueCountsAPacketFromItsEntryOn) {
  std::uint8_t marked = 0;
  EXPECT_EQ(weir_mmu_enter(mmu_, 11, 5, 1000, 2, 0, &marked), WEIR_MMU_ORDER)
      << "packets enter as they arrive";
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 5U);
  ASSERT_EQ(weir_mmu_enter_later(mmu_), WEIR_MMU_OK);
  arrival_.now = 101;
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 5U) << "its verdict has not come yet";
  ASSERT_EQ(weir_mmu_enter(mmu_, 11, 5, 1000, 2, 104, &marked), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 10U);
  EXPECT_EQ(weir_mmu_mark(mmu_, 11, 11, 1000, 2, 104, &marked), WEIR_MMU_ORDER) << "10 wait";
  EXPECT_EQ(weir_mmu_discard(mmu_, 11, 11, 104), WEIR_MMU_ORDER) << "10 wait";
  ASSERT_EQ(weir_mmu_discard(mmu_, 11, 10, 104), WEIR_MMU_OK);
  EXPECT_EQ(read("queue_wred.waiting", 11), 0U);
  ASSERT_EQ(weir_mmu_enter(mmu_, 11, 1U << 24, 1000, 2, 104, &marked), WEIR_MMU_OK);
  EXPECT_EQ(weir_mmu_enter(mmu_, 11, 1, 64, 2, 104, &marked), WEIR_MMU_RANGE)
      << "more than any memory holds";
}

TEST_F(WeirMmu, AGroupWithoutProfileIsRefused) {
  const std::string text =
      "[chip]\nname = \"x\"\nports = 2\nrate = \"40 Gbps\"\ncell = \"208 B\"\n[map]\n"
      "pg_of_priority = [0, 0, 0, 0, 0, 0, 0, 0]\n[pool.main]\nsize = \"1 MB\"\n"
      "[profile.lossy]\npriorities = \"0-7\"\npool = \"main\"\nalpha = \"1\"\nlossless = false\n";
  weir_mmu number = 0;
  ASSERT_EQ(weir_mmu_open_text(text.data(), text.size(), "one.toml", &number), WEIR_MMU_OK)
      << weir_mmu_last_error();
  arrival_.pg = 0;
  EXPECT_EQ(weir_mmu_arrive(number, &arrival_, &verdict_), WEIR_MMU_OK) << weir_mmu_last_error();
  arrival_.pg = 1;
  EXPECT_EQ(weir_mmu_arrive(number, &arrival_, &verdict_), WEIR_MMU_RANGE);
  EXPECT_EQ(weir_mmu_close(number), WEIR_MMU_OK);
}

TEST_F(WeirMmu, RegistersAreReadAndWrittenByTheirMap) {
  EXPECT_EQ(read("chip.id"), 0x57454952U);
  EXPECT_EQ(read("chip.ports"), 4U);
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  EXPECT_EQ(read("pg.private", 3) + read("pg.shared", 3), 5U);
  EXPECT_EQ(read("pg_stats.packets", 3), 1U);
  EXPECT_EQ(weir_mmu_write32(mmu_, address_of("pg.shared", 3), 100, 0), WEIR_MMU_ACCESS);

  const std::uint32_t xon = address_of("profile.xon", 0);
  EXPECT_EQ(weir_mmu_write32(mmu_, xon, 100, (1U << 24) + 1), WEIR_MMU_VALUE);
  ASSERT_EQ(weir_mmu_write32(mmu_, xon, 100, 17), WEIR_MMU_OK) << weir_mmu_last_error();
  EXPECT_EQ(read("profile.xon", 0), 17U);
  ASSERT_EQ(weir_mmu_write32(mmu_, address_of("chip.clear_stats"), 100, 1), WEIR_MMU_OK);
  EXPECT_EQ(read("pg_stats.packets", 3), 0U);
}

TEST_F(WeirMmu, TheLowWordOfACounterLatchesItsHighWord) {
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  const std::uint32_t low = address_of("pg_stats.bytes", 3);
  std::uint32_t value = 0;
  ASSERT_EQ(weir_mmu_read32(mmu_, low, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 1000U);
  // 2^32 bytes later; the latched high word is of before.
  arrival_.bytes = most;
  arrival_.cells = 1;
  departure_.cells = 1;
  for (int packet = 0; packet < 2; ++packet) {
    ASSERT_EQ(arrive(), WEIR_MMU_OK);
    ASSERT_EQ(release(), WEIR_MMU_OK);
  }
  ASSERT_EQ(weir_mmu_read32(mmu_, low + 4, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 0U) << "as it was when the low word was read";
  ASSERT_EQ(weir_mmu_read32(mmu_, low + 4, 0, &value), WEIR_MMU_OK);
  EXPECT_EQ(value, 2U) << "as it is now";
}

TEST_F(WeirMmu, ASnapshotSaysHowMuchRoomItNeeds) {
  std::uint32_t count = 0;
  ASSERT_EQ(weir_mmu_snapshot(mmu_, 0, nullptr, sizeof(weir_mmu_group), &count), WEIR_MMU_OK);
  EXPECT_EQ(count, 32U);
  std::vector<weir_mmu_group> all(count);
  ASSERT_EQ(arrive(), WEIR_MMU_OK);
  ASSERT_EQ(weir_mmu_snapshot(mmu_, 0, all.data(), sizeof(weir_mmu_group), &count), WEIR_MMU_OK);
  EXPECT_EQ(all[3].private_cells, 2U);
  EXPECT_EQ(all[3].shared_cells, 3U);
  count = 31;
  EXPECT_EQ(weir_mmu_snapshot(mmu_, 0, all.data(), sizeof(weir_mmu_group), &count), WEIR_MMU_SIZE);
}

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

TEST(WeirMmuThreads, MmusOfTwoThreadsDoNotMeet) {
  const std::string text = c_chip("alpha = \"1/4\"\n", 0);
  const auto trace = [&](std::string& bytes) {
    TwoSides sides{text, 3, Entry::at_arrival};
    for (int step = 0; step < 5000; ++step) sides.step();
    sides.look();
    bytes = sides.in_c();
  };
  std::string alone, first, second;
  trace(alone);
  std::thread one{trace, std::ref(first)}, two{trace, std::ref(second)};
  one.join();
  two.join();
  EXPECT_TRUE(first == alone && second == alone) << "a thread changed what another one saw";
}

}  // namespace
}  // namespace weir::test
