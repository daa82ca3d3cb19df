// SPDX-License-Identifier: Apache-2.0
// weir_mmu.h with what no caller should do, between the steps of a legal trace.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "c/c_chips.hpp"
#include "c/open_mmu.hpp"
#include "c/two_sides.hpp"

namespace weir::test::weir_mmu_misuse_test {
namespace {

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

}  // namespace
}  // namespace weir::test::weir_mmu_misuse_test
