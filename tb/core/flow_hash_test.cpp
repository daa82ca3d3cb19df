// SPDX-License-Identifier: Apache-2.0
#include "weir/core/tables/flow_hash.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "weir/core/crc32.hpp"

namespace weir::flow_hash_test {
namespace {

const std::uint8_t* octets_of(const char* text) {
  return reinterpret_cast<const std::uint8_t*>(text);
}

TEST(FlowHash, KnownAnswersOfMurmur3) {
  // MurmurHash3_x86_32 as printed by its author's program.
  EXPECT_EQ(murmur3(octets_of(""), 0, 0), 0U);
  EXPECT_EQ(murmur3(octets_of(""), 0, 1), 0x514e'28b7U);
  EXPECT_EQ(murmur3(octets_of("test"), 4, 0), 0xba6b'd213U);
  EXPECT_EQ(murmur3(octets_of("Hello, world!"), 13, 0), 0xc036'3e43U);
}

TEST(FlowHash, Crc32IsOfTheThirteenOctetsAndTheSeedIsTheCrcOfAPrefix) {
  const FiveTuple flow{Ipv4{0x0a00'0102}, Ipv4{0x0a00'0304}, 0xc001, 0x0009, 17};
  const FiveTuple::Octets octets = flow.octets();
  const FlowHash* const hash = find_flow_hash("crc32");
  ASSERT_NE(hash, nullptr);
  EXPECT_EQ(hash->of(flow, 0), crc32(octets.data(), octets.size()));
  const std::uint32_t seed = crc32(octets_of("leaf"), 4);
  EXPECT_EQ(hash->of(flow, seed), crc32(octets.data(), octets.size(), seed));
}

TEST(FlowHash, TheFiveFieldsAreInNetworkOrder) {
  const FiveTuple flow{Ipv4{0x0a00'0102}, Ipv4{0x0a00'0304}, 0xc001, 0x0009, 17};
  const FiveTuple::Octets expected{10, 0, 1, 2, 10, 0, 3, 4, 0xc0, 1, 0, 9, 17};
  EXPECT_EQ(flow.octets(), expected);
  for (const FlowHash& hash : flow_hashes()) EXPECT_EQ(find_flow_hash(hash.name), &hash);
  EXPECT_EQ(find_flow_hash("md5"), nullptr);
}

TEST(FlowHash, EveryFieldAndTheSeedMoveEveryHash) {
  const FiveTuple flow{Ipv4{0x0a00'0102}, Ipv4{0x0a00'0304}, 0xc001, 9, 17};
  for (const FlowHash& hash : flow_hashes()) {
    const std::uint32_t before = hash.of(flow, 7);
    EXPECT_EQ(hash.of(flow, 7), before) << hash.name;
    EXPECT_NE(hash.of(flow, 8), before) << hash.name;
    for (int field = 0; field < 5; ++field) {
      FiveTuple other = flow;
      if (field == 0) other.source = Ipv4{0x0a00'0103};
      if (field == 1) other.destination = Ipv4{0x0a00'0305};
      if (field == 2) other.source_port = 0xc002;
      if (field == 3) other.destination_port = 10;
      if (field == 4) other.protocol = 6;
      EXPECT_NE(hash.of(other, 7), before) << hash.name << ", field " << field;
    }
  }
}

// 3072 flows over 16 ports: 192 each; the square root is 14, five of them are far out.
TEST(FlowHash, ConnectionsSpreadOverThePorts) {
  const FlowHash& hash = *find_flow_hash("murmur3");
  std::map<std::uint32_t, unsigned> flows;
  for (std::uint32_t host = 0; host < 384; ++host)
    for (std::uint16_t port = 0; port < 8; ++port)
      ++flows[hash.of({Ipv4{0x0a00'0001 + host}, Ipv4{0x0a01'0001 + host},
                       static_cast<std::uint16_t>(0xc000 + port), 9, 17},
                      0x1234) %
              16];
  EXPECT_EQ(flows.size(), 16U);
  for (const auto& [port, count] : flows) {
    EXPECT_GT(count, 192U - 70U) << port;
    EXPECT_LT(count, 192U + 70U) << port;
  }
}

// Two tiers that choose by the same bits: a linear hash leaves most ports of the second unused.
TEST(FlowHash, AnotherSeedMakesAnotherChoiceOnlyWithAHashThatIsNotLinear) {
  std::map<std::string, std::size_t> reached;
  for (const char* name : {"murmur3", "crc32"}) {
    const FlowHash& hash = *find_flow_hash(name);
    std::set<std::uint32_t> second;
    for (std::uint32_t flow = 0; flow < 4096; ++flow) {
      const FiveTuple tuple{Ipv4{0x0a00'0001 + flow / 8}, Ipv4{0x0a01'0001 + flow / 8},
                            static_cast<std::uint16_t>(0xc000 + flow % 8), 9, 17};
      if (hash.of(tuple, 1) % 4 == 0) second.insert(hash.of(tuple, 2) % 16);
    }
    reached[name] = second.size();
  }
  EXPECT_EQ(reached["murmur3"], 16U);
  EXPECT_EQ(reached["crc32"], 4U) << "polarised";
}

}  // namespace
}  // namespace weir::flow_hash_test
