// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/core/ethernet.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/random.hpp"

// Frames for a receiver, right and wrong, octet by octet.
namespace weir::test {

using Octets = std::vector<std::uint8_t>;

constexpr std::size_t frame_verdicts = 7;  // PFC, then the errors of decode()

inline std::uint8_t octet(std::uint64_t value) { return static_cast<std::uint8_t>(value & 0xffU); }

/// `body` followed by the right FCS.
inline Octets with_fcs(Octets body) {
  body.resize(body.size() + fcs_octets);
  put_fcs(body.data(), body.size());
  return body;
}

/// The PFC frame without its FCS, for tests that corrupt it.
inline Octets pfc_body(std::uint8_t enable, const std::array<Quanta, priorities>& time) {
  const PfcFrameBytes bytes = encode({{2, 0, 0, 0, 0, 9}, enable, time});
  return {bytes.begin(), bytes.end() - fcs_octets};
}

inline Octets pfc(std::uint8_t enable, std::uint16_t quanta) {
  std::array<Quanta, priorities> time{};
  time.fill(Quanta{quanta});
  return with_fcs(pfc_body(enable, time));
}

/// The signal of the MAC with the last octets.
inline bool bad_fcs(const Octets& frame) {
  if (frame.size() < fcs_octets) return true;
  return frame_check_sequence(frame.data(), frame.size() - fcs_octets) !=
         fcs_in(frame.data(), frame.size());
}

/// Octets of `frame` in a stream with FCS or without; 0: it has no beat.
inline std::size_t octets_in_stream(const Octets& frame, bool fcs) {
  if (fcs) return frame.size();
  return frame.size() - std::min<std::size_t>(frame.size(), fcs_octets);
}

/// All eight errors in random order, and PFC frames of random contents; mostly PFC.
inline Octets random_frame(RandomStream& random) {
  std::array<Quanta, priorities> time{};
  for (Quanta& t : time) {
    const std::uint64_t kind = random.uniform(8);
    const std::uint64_t longest = random.uniform(2) == 0 ? 2'000 : 65'536;
    const std::uint64_t most = kind < 2 ? 1 : kind < 5 ? 20 : kind < 7 ? 200 : longest;
    t = Quanta{static_cast<std::uint16_t>(random.uniform(most))};
  }
  Octets body = pfc_body(octet(random.next()), time);
  switch (random.uniform(16)) {
    case 0:
      body[random.uniform(6)] ^= octet(1U << random.uniform(8));
      break;
    case 1:
      body[12 + random.uniform(4)] ^= octet(1U << random.uniform(8));
      break;
    case 2:
      body[15] = 0x00 + octet(random.uniform(3));
      break;
    case 3:
      body.resize(random.uniform(60));
      break;
    case 4:
      body.resize(61 + random.uniform(200));
      break;
    case 5:
      body[16] = octet(random.next());
      for (std::size_t k = 34; k < body.size(); ++k) body[k] = octet(random.next());
      break;
    case 6: {
      Octets frame = with_fcs(body);
      frame[random.uniform(frame.size())] ^= octet(1U << random.uniform(8));
      return frame;
    }
    case 7:
      body.resize(random.uniform(300));
      for (std::uint8_t& value : body) value = octet(random.next());
      break;
    default:
      break;
  }
  return with_fcs(body);
}

}  // namespace weir::test
