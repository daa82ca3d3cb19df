// SPDX-License-Identifier: Apache-2.0
#include "memory_reserve.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace weir {
namespace {

constexpr std::size_t reserve_bytes = 1U << 20;  // so much that malloc maps it by itself
std::atomic<void*> reserve{nullptr};

[[noreturn]] void give_back() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc{};
}

}  // namespace

void keep_memory_reserve() {
  reserve = std::malloc(reserve_bytes);
  std::set_new_handler(give_back);
}

}  // namespace weir
