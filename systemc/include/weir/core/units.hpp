// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <ostream>

namespace weir {

/// A count of one unit. Units never mix: Bytes in place of Cells do not compile.
///
/// Range:  that of `Rep`; sums and differences wrap like `Rep`, so subtract only what is known to
///         be contained, or use saturating_subtract().
/// Errors: none; every operation is total.
template <class Tag, class Rep>
class Quantity {
 public:
  using rep = Rep;

  constexpr Quantity() noexcept = default;
  constexpr explicit Quantity(Rep count) noexcept : count_{count} {}
  [[nodiscard]] constexpr Rep count() const noexcept { return count_; }

  constexpr Quantity& operator+=(Quantity other) noexcept {
    count_ = static_cast<Rep>(count_ + other.count_);
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) noexcept {
    count_ = static_cast<Rep>(count_ - other.count_);
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) noexcept { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) noexcept { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, Rep factor) noexcept {
    return Quantity{static_cast<Rep>(a.count_ * factor)};
  }
  friend constexpr bool operator==(Quantity a, Quantity b) noexcept { return a.count_ == b.count_; }
  friend constexpr bool operator!=(Quantity a, Quantity b) noexcept { return a.count_ != b.count_; }
  friend constexpr bool operator<(Quantity a, Quantity b) noexcept { return a.count_ < b.count_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) noexcept { return a.count_ <= b.count_; }
  friend constexpr bool operator>(Quantity a, Quantity b) noexcept { return a.count_ > b.count_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) noexcept { return a.count_ >= b.count_; }
  friend std::ostream& operator<<(std::ostream& out, Quantity q) {
    return out << +q.count_ << Tag::suffix;
  }

 private:
  Rep count_{0};
};

/// a - b, or zero where b is larger.
template <class Tag, class Rep>
[[nodiscard]] constexpr Quantity<Tag, Rep> saturating_subtract(Quantity<Tag, Rep> a,
                                                               Quantity<Tag, Rep> b) noexcept {
  return b < a ? a - b : Quantity<Tag, Rep>{};
}

struct BytesTag {
  static constexpr const char* suffix = " B";
};
struct CellsTag {
  static constexpr const char* suffix = " cells";
};
struct CycleTag {
  static constexpr const char* suffix = " cycles";
};
struct PicosecondsTag {
  static constexpr const char* suffix = " ps";
};
struct QuantaTag {
  static constexpr const char* suffix = " quanta";
};
struct MillimetresTag {
  static constexpr const char* suffix = " mm";
};
struct BitRateTag {
  static constexpr const char* suffix = " bps";
};
struct PortIdTag {
  static constexpr const char* suffix = "";
};
struct PriorityTag {
  static constexpr const char* suffix = "";
};
struct DomainIdTag {
  static constexpr const char* suffix = "";
};

using Bytes = Quantity<BytesTag, std::uint64_t>;              ///< Octets.
using Cells = Quantity<CellsTag, std::uint32_t>;              ///< Buffer cells of Chip::cell bytes.
using Cycle = Quantity<CycleTag, std::uint64_t>;              ///< Core-clock edges since t = 0.
using Picoseconds = Quantity<PicosecondsTag, std::uint64_t>;  ///< Wire time; 2^64 ps are 213 days.
inline constexpr std::uint64_t picoseconds_per_second = 1'000'000'000'000;
using Quanta = Quantity<QuantaTag, std::uint16_t>;            ///< 512 bit times each [802.1Qbb].
using Millimetres = Quantity<MillimetresTag, std::uint64_t>;  ///< Length of a cable.
using BitRate = Quantity<BitRateTag, std::uint64_t>;          ///< Bits per second.
using PortId = Quantity<PortIdTag, std::uint16_t>;            ///< Port of a switch, from 0.
using Priority = Quantity<PriorityTag, std::uint8_t>;         ///< 0..7: class, PG or queue index.
using DomainId = Quantity<DomainIdTag, std::uint8_t>;         ///< Memory domain of a chip, from 0.

constexpr std::size_t priorities = 8;  ///< Classes of 802.1Q, and so PGs and queues of a port.

/// Cells that a frame of `length` occupies: ceil((length + overhead) / cell).
/// Units: bytes in, cells out, rounded up. Range: `cell` must not be zero.
[[nodiscard]] constexpr Cells cells_for(Bytes length, Bytes overhead, Bytes cell) noexcept {
  return Cells{static_cast<std::uint32_t>((length.count() + overhead.count() + cell.count() - 1) /
                                          cell.count())};
}

/// Whole cells that fit into `size`, rounded down.
[[nodiscard]] constexpr Cells whole_cells(Bytes size, Bytes cell) noexcept {
  return Cells{static_cast<std::uint32_t>(size.count() / cell.count())};
}

/// Time of one byte on a wire of `rate`. Range: exact only where is_exact_rate() holds.
[[nodiscard]] constexpr Picoseconds byte_time(BitRate rate) noexcept {
  return Picoseconds{8 * picoseconds_per_second / rate.count()};
}

/// Whether one byte at `rate` lasts a whole number of picoseconds (true for 1G .. 1600G of
/// IEEE 802.3).
[[nodiscard]] constexpr bool is_exact_rate(BitRate rate) noexcept {
  return rate.count() != 0 && 8 * picoseconds_per_second % rate.count() == 0;
}

}  // namespace weir

template <class Tag, class Rep>
struct std::hash<weir::Quantity<Tag, Rep>> {
  std::size_t operator()(weir::Quantity<Tag, Rep> q) const noexcept {
    return std::hash<Rep>{}(q.count());
  }
};
