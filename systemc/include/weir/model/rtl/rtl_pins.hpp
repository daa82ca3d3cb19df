// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "weir/model/rtl/mmu_pins.hpp"

namespace weir {

/// One pin of an instance of the RTL.
class RtlPin {
 public:
  RtlPin() = default;
  RtlPin(std::uint8_t* data, std::size_t bytes) noexcept : data_{data}, bytes_{bytes} {}

  /// `width` (1 .. 56) bits from bit `from` on. Range: within the pin.
  [[nodiscard]] std::uint64_t get(std::size_t from, unsigned width) const noexcept {
    const std::size_t first = from / 8, last = (from + width - 1) / 8;
    std::uint64_t word = 0;
    if (first + sizeof word <= bytes_) {
      std::memcpy(&word, data_ + first, sizeof word);
      return word >> from % 8 & mask(width);
    }
    for (std::size_t i = first; i <= last; ++i) word |= std::uint64_t{data_[i]} << 8 * (i - first);
    return word >> from % 8 & mask(width);
  }
  void set(std::size_t from, unsigned width, std::uint64_t value) noexcept {
    const std::size_t first = from / 8, last = (from + width - 1) / 8;
    const std::uint64_t ones = mask(width) << from % 8, bits = value << from % 8 & ones;
    for (std::size_t i = first; i <= last; ++i) {
      const unsigned shift = static_cast<unsigned>(8 * (i - first));
      data_[i] = static_cast<std::uint8_t>((data_[i] & ~(ones >> shift)) | bits >> shift);
    }
  }
  void clear() noexcept { std::memset(data_, 0, bytes_); }
  [[nodiscard]] bool any() const noexcept {
    for (std::size_t i = 0; i < bytes_; ++i)
      if (data_[i] != 0) return true;
    return false;
  }
  [[nodiscard]] std::uint8_t* data() noexcept { return data_; }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool bound() const noexcept { return data_ != nullptr; }

 private:
  [[nodiscard]] static constexpr std::uint64_t mask(unsigned width) noexcept {
    return (std::uint64_t{1} << width) - 1;
  }

  std::uint8_t* data_{nullptr};
  std::size_t bytes_{0};
};

/// The pins of one weir_mmu, by their row in the table of pins.
class RtlPins {
 public:
  /// The pins of RTL of this shape; none is bound yet.
  explicit RtlPins(const weir_rtl_shape& shape) : slots_{std::size_t{shape.domains} * shape.lanes} {
    for (std::size_t i = 0; i < mmu_pin_count; ++i) {
      bits_[i] = static_cast<unsigned>(mmu_pins[i].bits(shape));
      parts_[i] = mmu_pins[i].parts(shape);
    }
  }

  /// Binds a pin to where a simulation keeps it. Range: an integer or an array of words.
  template <class Port>
  void bind(MmuPin pin, Port& port) noexcept {
    pins_[at(pin)] = {reinterpret_cast<std::uint8_t*>(&port), sizeof(Port)};
  }

  [[nodiscard]] RtlPin& operator[](MmuPin pin) noexcept { return pins_[at(pin)]; }
  [[nodiscard]] const RtlPin& operator[](MmuPin pin) const noexcept { return pins_[at(pin)]; }

  /// Bits of each part of a pin.
  [[nodiscard]] unsigned bits(MmuPin pin) const noexcept { return bits_[at(pin)]; }
  /// Parts of a request pin that belong to one lane: 1, or the copies of a packet.
  [[nodiscard]] std::size_t parts_of_a_slot(MmuPin pin) const noexcept {
    return parts_[at(pin)] / slots_;
  }
  /// Number of parts of a pin.
  [[nodiscard]] std::size_t parts(MmuPin pin) const noexcept { return parts_[at(pin)]; }
  /// Lanes of all domains together.
  [[nodiscard]] std::size_t slots() const noexcept { return slots_; }
  /// Part `part` of a pin. Range: parts of at most 56 bits.
  [[nodiscard]] std::uint64_t get(MmuPin pin, std::size_t part = 0) const noexcept {
    return pins_[at(pin)].get(part * bits_[at(pin)], bits_[at(pin)]);
  }
  void set(MmuPin pin, std::size_t part, std::uint64_t value) noexcept {
    pins_[at(pin)].set(part * bits_[at(pin)], bits_[at(pin)], value);
  }

 private:
  static constexpr std::size_t at(MmuPin pin) noexcept { return static_cast<std::size_t>(pin); }

  std::array<RtlPin, mmu_pin_count> pins_{};
  std::array<unsigned, mmu_pin_count> bits_{};
  std::array<std::size_t, mmu_pin_count> parts_{};
  std::size_t slots_;
};

}  // namespace weir
