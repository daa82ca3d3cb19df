// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/units.hpp"

namespace weir {

/// Which of some numbered things is due first: at one moment the one with the lower number. Each is
/// in it once at most.
///
/// Timing:  a binary heap: insert() and erase() take steps of the logarithm of what is in it, and
///          no memory once the largest number is known.
class DueHeap {
 public:
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  /// When the first is due, and its number. Range: not empty().
  [[nodiscard]] Picoseconds first_due() const noexcept { return entries_.front().due; }
  [[nodiscard]] std::uint32_t first() const noexcept { return entries_.front().number; }
  [[nodiscard]] bool contains(std::uint32_t number) const noexcept {
    return number < places_.size() && places_[number] != none;
  }
  /// When `number` is due. Range: contains(number).
  [[nodiscard]] Picoseconds due(std::uint32_t number) const noexcept {
    return entries_[places_[number]].due;
  }

  /// Range: not contains(number).
  void insert(std::uint32_t number, Picoseconds due) {
    if (places_.size() <= number) places_.resize(std::size_t{number} + 1, none);
    entries_.push_back({due, number});
    rise(static_cast<std::uint32_t>(entries_.size() - 1), {due, number});
  }
  /// Range: contains(number).
  void erase(std::uint32_t number) noexcept {
    const std::uint32_t place = places_[number];
    places_[number] = none;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (place == entries_.size()) return;
    if (place != 0 && before(last, entries_[parent(place)]))
      rise(place, last);
    else
      sink(place, last);
  }

 private:
  struct Entry {
    Picoseconds due;
    std::uint32_t number;
  };
  static constexpr std::uint32_t none = 0xffff'ffffU;

  [[nodiscard]] static bool before(const Entry& a, const Entry& b) noexcept {
    return a.due != b.due ? a.due < b.due : a.number < b.number;
  }
  [[nodiscard]] static constexpr std::uint32_t parent(std::uint32_t place) noexcept {
    return (place - 1) / 2;
  }
  void put(std::uint32_t place, const Entry& entry) noexcept {
    entries_[place] = entry;
    places_[entry.number] = place;
  }
  void rise(std::uint32_t place, const Entry& entry) noexcept {
    while (place != 0 && before(entry, entries_[parent(place)])) {
      put(place, entries_[parent(place)]);
      place = parent(place);
    }
    put(place, entry);
  }
  void sink(std::uint32_t place, const Entry& entry) noexcept {
    const auto size = static_cast<std::uint32_t>(entries_.size());
    for (std::uint32_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && before(entries_[child + 1], entries_[child])) ++child;
      if (!before(entries_[child], entry)) break;
      put(place, entries_[child]);
      place = child;
    }
    put(place, entry);
  }

  std::vector<Entry> entries_;         // each no later than its two children
  std::vector<std::uint32_t> places_;  // by number: into entries_
};

}  // namespace weir
