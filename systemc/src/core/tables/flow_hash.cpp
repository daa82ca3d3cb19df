// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/flow_hash.hpp"

#include "weir/core/crc32.hpp"

namespace weir {
namespace {

constexpr std::uint32_t rotate_left(std::uint32_t value, unsigned by) noexcept {
  return value << by | value >> (32U - by);
}

std::uint32_t murmur3_of(const FiveTuple& flow, std::uint32_t seed) noexcept {
  const FiveTuple::Octets octets = flow.octets();
  return murmur3(octets.data(), octets.size(), seed);
}

std::uint32_t crc32_of(const FiveTuple& flow, std::uint32_t seed) noexcept {
  const FiveTuple::Octets octets = flow.octets();
  return crc32(octets.data(), octets.size(), seed);
}

std::uint32_t xor_of(const FiveTuple& flow, std::uint32_t seed) noexcept {
  const std::uint32_t ports = std::uint32_t{flow.source_port} << 16 | flow.destination_port;
  const std::uint32_t word =
      flow.source.count() ^ flow.destination.count() ^ ports ^ flow.protocol ^ seed;
  return (word >> 16 ^ word) & 0xffffU;
}

constexpr std::array<FlowHash, 3> table{{
    {"murmur3", murmur3_of, "MurmurHash3 of the five fields: every bit of them counts everywhere"},
    {"crc32", crc32_of, "CRC-32 of the five fields, as many chips have it: linear"},
    {"xor", xor_of, "the five fields folded to 16 bits by exclusive or, as old chips have it"},
}};

}  // namespace

FiveTuple::Octets FiveTuple::octets() const noexcept {
  Octets octets{};
  std::size_t at = 0;
  const auto put = [&](std::uint32_t value, unsigned bits) {
    for (unsigned shift = bits; shift != 0; shift -= 8)
      octets[at++] = static_cast<std::uint8_t>(value >> (shift - 8));
  };
  put(source.count(), 32);
  put(destination.count(), 32);
  put(source_port, 16);
  put(destination_port, 16);
  put(protocol, 8);
  return octets;
}

const std::array<FlowHash, 3>& flow_hashes() noexcept { return table; }

const FlowHash* find_flow_hash(std::string_view name) noexcept {
  for (const FlowHash& hash : table)
    if (hash.name == name) return &hash;
  return nullptr;
}

std::uint32_t murmur3(const std::uint8_t* octets, std::size_t size, std::uint32_t seed) noexcept {
  const auto mixed = [](std::uint32_t word) {
    return rotate_left(word * 0xcc9e'2d51U, 15) * 0x1b87'3593U;
  };
  std::uint32_t hash = seed;
  std::uint32_t rest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    rest |= std::uint32_t{octets[i]} << 8 * (i % 4);
    if (i % 4 != 3) continue;
    hash = rotate_left(hash ^ mixed(rest), 13) * 5 + 0xe654'6b64U;
    rest = 0;
  }
  hash ^= mixed(rest) ^ static_cast<std::uint32_t>(size);
  hash = (hash ^ hash >> 16) * 0x85eb'ca6bU;
  hash = (hash ^ hash >> 13) * 0xc2b2'ae35U;
  return hash ^ hash >> 16;
}

}  // namespace weir
