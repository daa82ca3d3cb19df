// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// The entry that a full cache replaces.
enum class MttReplacement : std::uint8_t {
  lru,     ///< The least recently used one.
  fifo,    ///< The oldest one.
  random,  ///< Any, equally likely.
};

struct MttReplacementRow {
  std::string_view name;
  MttReplacement replacement;
};
/// All replacements under the names of the scenario format.
inline constexpr std::array<MttReplacementRow, 3> mtt_replacements{
    {{"lru", MttReplacement::lru},
     {"fifo", MttReplacement::fifo},
     {"random", MttReplacement::random}}};

/// The cached entries of a NIC's memory translation table: fully associative, virtual page to
/// physical page. The whole table is in the memory of the server.
///
/// Units:  pages by number. Range: at least one entry, a page of at least 1 B.
/// Errors: none; every function is total.
/// Timing: the cost of a look-up does not depend on the number of entries.
/// Source: [RDMA16], section 4.4: 2K entries, so pages of 4 KB cover 8 MB.
class MttCache {
 public:
  /// `draws` is used by MttReplacement::random only.
  MttCache(std::uint32_t entries, Bytes page, MttReplacement replacement, RandomStream draws);

  /// Memory that the cached entries cover: entries x page.
  [[nodiscard]] Bytes reach() const noexcept { return page_ * entries_; }

  /// Looks up every page of the `length` bytes from `address` and caches the missing ones. Returns
  /// how many were missing. Range: length of at least 1 B.
  std::uint32_t translate(std::uint64_t address, Bytes length);

  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }
  [[nodiscard]] std::uint64_t misses() const noexcept { return misses_; }
  [[nodiscard]] std::size_t held() const noexcept { return slots_.size(); }

 private:
  static constexpr std::uint32_t none = 0xffff'ffffU;
  /// An entry; all of them form one list from the newest to the oldest.
  struct Slot {
    std::uint64_t page{0};
    std::uint32_t newer{none}, older{none};
  };

  [[nodiscard]] bool look_up(std::uint64_t page);
  void unlink(std::uint32_t slot) noexcept;
  void link_newest(std::uint32_t slot) noexcept;
  [[nodiscard]] std::uint32_t victim() noexcept;

  const std::uint32_t entries_;
  const Bytes page_;
  const MttReplacement replacement_;
  RandomStream draws_;
  std::vector<Slot> slots_;
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of_page_;
  std::uint32_t newest_{none}, oldest_{none};
  std::uint64_t hits_{0}, misses_{0};
};

}  // namespace weir
