// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace weir {

/// First in, first out over a ring that grows by doubling and never shrinks.
template <class T>
class Fifo {
 public:
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const T& front() const noexcept { return ring_[first_]; }
  /// Whether `value` is in it; looks at each.
  [[nodiscard]] bool contains(const T& value) const noexcept {
    for (std::size_t i = 0; i < size_; ++i)
      if (ring_[(first_ + i) & (places_ - 1)] == value) return true;
    return false;
  }
  void push(const T& value) {
    if (size_ == places_) grow();
    ring_[(first_ + size_++) & (places_ - 1)] = value;
  }
  T pop() noexcept {
    const T value = ring_[first_];
    first_ = (first_ + 1) & (places_ - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> larger(places_ == 0 ? 4 : places_ * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = ring_[(first_ + i) & (places_ - 1)];
    ring_.swap(larger);
    places_ = ring_.size();
    first_ = 0;
  }

  std::vector<T> ring_;
  std::size_t places_{0};  // of the ring: zero or a power of two
  std::size_t first_{0}, size_{0};
};

}  // namespace weir
