// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace weir::c {

/// Objects that callers in C know by a number: a pointer that was freed could not be refused.
///
/// Range:  as many at once as there are places; a number is never 0, and never used again.
/// Errors: none; put() gives 0 when all places are taken.
/// Timing: find() takes no lock; put() and remove() may be called by several threads.
template <class Object, std::size_t places>
class NumberedObjects {
 public:
  [[nodiscard]] std::uint64_t put(std::unique_ptr<Object> object) {
    const std::lock_guard guard{lock_};
    for (std::size_t tried = 0; tried < places; ++tried, ++next_) {
      Place& place = places_[next_ % places];
      if (place.number.load(std::memory_order_relaxed) != 0) continue;
      place.object = std::move(object);
      place.number.store(next_, std::memory_order_release);
      return next_++;
    }
    return 0;
  }

  /// nullptr: none has this number.
  [[nodiscard]] Object* find(std::uint64_t number) noexcept {
    Place& place = places_[number % places];
    const bool is_open = number != 0 && place.number.load(std::memory_order_acquire) == number;
    return is_open ? place.object.get() : nullptr;
  }

  /// Whether there was one.
  bool remove(std::uint64_t number) {
    const std::lock_guard guard{lock_};
    if (find(number) == nullptr) return false;
    Place& place = places_[number % places];
    place.number.store(0, std::memory_order_release);
    place.object.reset();
    return true;
  }

 private:
  struct Place {
    std::atomic<std::uint64_t> number{0};  // 0: free
    std::unique_ptr<Object> object;
  };

  std::mutex lock_;
  std::uint64_t next_{1};  // number n lives at place n % places
  std::array<Place, places> places_;
};

}  // namespace weir::c
