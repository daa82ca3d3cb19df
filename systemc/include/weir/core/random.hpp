// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "weir/core/bits.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// One step of SplitMix64: advances `state`, returns 64 mixed bits. Used to seed, not to draw.
/// Source: Steele, Lea and Flood, OOPSLA 2014 [SLF14].
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t& state) noexcept {
  state += 0x9e37'79b9'7f4a'7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebULL;
  return z ^ (z >> 31);
}

/// The upper 64 bits of a product of two words of 64 bits.
[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>(Wide{a} * b >> 64);
}

/// A stream of random draws that is the same on every machine, compiler and library.
///
/// A stream is named, not shared: one made from (seed, name, index) never depends on which other
/// streams exist or in which order they were made, so adding a source to a scenario does not change
/// the packets of the others.
///
/// Units:  as asked for. Range: period 2^256 - 1.
/// Errors: none; every draw is total.
/// Source: xoshiro256** by Blackman and Vigna, ACM TOMS 47(4), 2021 [BV21].
class RandomStream {
 public:
  using State = std::array<std::uint64_t, 4>;

  /// The stream of `name` (for example a traffic source) and `index` (its host) under `seed`.
  RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) noexcept;

  /// The generator in a given state, for known-answer tests. Range: not all words zero.
  explicit constexpr RandomStream(const State& state) noexcept : state_{state} {}

  /// 64 random bits.
  [[nodiscard]] std::uint64_t next() noexcept {
    const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

  /// An integer of 0 .. n-1, every one equally likely; 0 when n is 0 or 1. Draws below the next
  /// power of two and rejects values from n on: fewer than two draws on average.
  [[nodiscard]] std::uint64_t uniform(std::uint64_t n) noexcept;

  /// An exponentially distributed time of the given mean, rounded down to whole picoseconds
  /// (so its true mean is half a picosecond less).
  ///
  /// Range:  mean up to 2^56 ps (20 hours).
  /// Source: von Neumann's comparison method (1951) [vN51]: exact, and without a logarithm, whose
  ///         last bits would differ from one libm to the next.
  [[nodiscard]] Picoseconds exponential(Picoseconds mean) noexcept;

 private:
  [[nodiscard]] static constexpr std::uint64_t rotate_left(std::uint64_t x, unsigned by) noexcept {
    return (x << by) | (x >> (64U - by));
  }

  State state_;
};

}  // namespace weir
