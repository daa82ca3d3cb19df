// SPDX-License-Identifier: Apache-2.0
#include "weir/core/random.hpp"

#include "weir/core/bits.hpp"

namespace weir {
namespace {

/// FNV-1a: std::hash may differ from library to library.
std::uint64_t hash_name(std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
  for (const char letter : name) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x0000'0100'0000'01b3ULL;
  }
  return hash;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t index) noexcept
    : state_{} {
  // Each part is mixed before the next is added, so that neighbouring seeds and indices have
  // unrelated streams.
  std::uint64_t mixer = seed;
  mixer = split_mix(mixer) ^ hash_name(name);
  mixer = split_mix(mixer) ^ index;
  for (std::uint64_t& word : state_) word = split_mix(mixer);
}

std::uint64_t RandomStream::uniform(std::uint64_t n) noexcept {
  if (n <= 1) return 0;
  const std::uint64_t mask = ~std::uint64_t{0} >> (63U - highest_bit(n - 1));
  std::uint64_t draw = next() & mask;
  while (draw >= n) draw = next() & mask;
  return draw;
}

Picoseconds RandomStream::exponential(Picoseconds mean) noexcept {
  // A run of falling uniforms has odd length with probability e^-x for its first value x: accept x
  // then; each rejection counts as one whole mean.
  for (std::uint64_t whole = 0;; ++whole) {
    const std::uint64_t first = next();
    bool odd = true;
    std::uint64_t last = first;
    for (std::uint64_t draw = next(); draw < last; draw = next()) {
      last = draw;
      odd = !odd;
    }
    if (odd) return Picoseconds{whole * mean.count() + multiply_high(mean.count(), first)};
  }
}

}  // namespace weir
