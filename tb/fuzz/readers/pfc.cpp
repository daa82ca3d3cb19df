// SPDX-License-Identifier: Apache-2.0
// Octets that a receiver takes for a PFC frame. Damage rarely leaves an FCS good, so they are read
// as they are, then as 64 octets with the FCS that they should have.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "fuzz/oracle.hpp"
#include "fuzz/reader_table.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/pfc/pfc_frame.hpp"

namespace weir::fuzz {
namespace {

void check_decoded(const std::vector<std::uint8_t>& octets) {
  const DecodeResult result = decode(octets);
  if (const auto* error = std::get_if<DecodeError>(&result)) {
    require(!to_string(*error).empty(), "an error without a name");
    return;
  }
  const PfcFrame& frame = std::get<PfcFrame>(result);
  require(octets.size() == pfc_frame_bytes.count(), "a frame of another length");
  const DecodeResult again = decode(encode(frame));
  require(std::holds_alternative<PfcFrame>(again) && std::get<PfcFrame>(again) == frame,
          "a frame that is encoded is decoded as another");
}

// Any values of the fields.
void check_encoded(const std::vector<std::uint8_t>& octets) {
  PfcFrame frame;
  constexpr std::size_t needed = 6 + 1 + 2 * priorities;
  if (octets.size() < needed) return;
  std::copy_n(octets.begin(), frame.source.size(), frame.source.begin());
  frame.class_enable = octets[6];
  for (std::size_t n = 0; n < priorities; ++n)
    if ((frame.class_enable >> n & 1U) != 0)
      frame.time[n] =
          Quanta{static_cast<std::uint16_t>(octets[7 + 2 * n] << 8U | octets[8 + 2 * n])};
  const DecodeResult result = decode(encode(frame));
  require(std::holds_alternative<PfcFrame>(result) && std::get<PfcFrame>(result) == frame,
          "a frame that is encoded is decoded as another");
}

}  // namespace

void read_pfc(std::string_view input) {
  std::vector<std::uint8_t> octets(input.begin(), input.end());
  check_decoded(octets);
  check_encoded(octets);
  octets.resize(pfc_frame_bytes.count());
  put_fcs(octets.data(), octets.size());
  check_decoded(octets);
}

}  // namespace weir::fuzz
