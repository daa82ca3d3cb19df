// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <unordered_map>

#include "weir/core/units.hpp"

namespace weir {

/// A table whose entries expire when they are not refreshed within the timeout: the ARP table and
/// the MAC table of a switch are such tables.
///
/// An entry refreshed at t exists until just before t + timeout. Ageing takes no work: an expired
/// entry is only no longer found, so idle time costs nothing.
///
/// Units:  picoseconds. Range: any number of keys; t + timeout below 2^64 ps.
/// Errors: none. Timing: look-ups and refreshes must come in the order of their times.
/// Source: [RDMA16] section 4.2.
template <class Key, class Value>
class AgeingTable {
 public:
  explicit AgeingTable(Picoseconds timeout) noexcept : timeout_{timeout} {}

  /// Adds an entry or refreshes it.
  void refresh(Key key, Value value, Picoseconds now) { entries_[key] = {value, now + timeout_}; }
  /// Adds or refreshes an entry that ends at `end`, independent of the timeout.
  void refresh_until(Key key, Value value, Picoseconds end) { entries_[key] = {value, end}; }
  void erase(Key key) { entries_.erase(key); }

  [[nodiscard]] std::optional<Value> find(Key key, Picoseconds now) const {
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.end <= now) return std::nullopt;
    return found->second.value;
  }
  /// When the entry ends or ended; none: it never existed, or was erased.
  [[nodiscard]] std::optional<Picoseconds> end_of(Key key) const {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return std::nullopt;
    return found->second.end;
  }
  [[nodiscard]] Picoseconds timeout() const noexcept { return timeout_; }

 private:
  struct Entry {
    Value value;
    Picoseconds end;
  };
  Picoseconds timeout_;
  std::unordered_map<Key, Entry> entries_;  // only searched, so its order has no effect
};

}  // namespace weir
