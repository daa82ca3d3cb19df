// SPDX-License-Identifier: Apache-2.0
#include "weir/core/pfc/pfc_frame.hpp"

#include <algorithm>

namespace weir {
namespace {

// Offsets of the fields in the frame.
constexpr std::size_t source_at = 6;
constexpr std::size_t type_at = 12;
constexpr std::size_t opcode_at = 14;
constexpr std::size_t class_enable_at = 17;  // low octet; the high one, at 16, is reserved
constexpr std::size_t time_at = 18;

void put16(PfcFrameBytes& octets, std::size_t at, std::uint16_t value) noexcept {
  octets[at] = static_cast<std::uint8_t>(value >> 8);
  octets[at + 1] = static_cast<std::uint8_t>(value & 0xffU);
}

std::uint16_t get16(const std::uint8_t* octets, std::size_t at) noexcept {
  return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}

}  // namespace

std::string_view to_string(DecodeError error) noexcept {
  switch (error) {
    case DecodeError::too_short:
      return "too short";
    case DecodeError::bad_fcs:
      return "bad FCS";
    case DecodeError::not_mac_control:
      return "not MAC control";
    case DecodeError::wrong_address:
      return "wrong address";
    case DecodeError::wrong_opcode:
      return "wrong opcode";
    case DecodeError::too_long:
      return "too long";
  }
  return "unknown";
}

std::uint32_t fcs_in(const std::uint8_t* octets, std::size_t length) noexcept {
  std::uint32_t fcs = 0;
  for (std::size_t k = 0; k < fcs_octets; ++k) {
    fcs |= std::uint32_t{octets[length - fcs_octets + k]} << (8 * k);
  }
  return fcs;
}

void put_fcs(std::uint8_t* octets, std::size_t length) noexcept {
  const std::uint32_t fcs = frame_check_sequence(octets, length - fcs_octets);
  for (std::size_t k = 0; k < fcs_octets; ++k) {
    octets[length - fcs_octets + k] = static_cast<std::uint8_t>(fcs >> (8 * k) & 0xffU);
  }
}

PfcFrameBytes encode(const PfcFrame& frame) noexcept {
  PfcFrameBytes octets{};
  std::copy(mac_control_address.begin(), mac_control_address.end(), octets.begin());
  std::copy(frame.source.begin(), frame.source.end(), octets.begin() + source_at);
  put16(octets, type_at, mac_control_type);
  put16(octets, opcode_at, pfc_opcode);
  octets[class_enable_at] = frame.class_enable;
  for (std::size_t n = 0; n < priorities; ++n) {
    if ((frame.class_enable >> n & 1U) != 0) put16(octets, time_at + 2 * n, frame.time[n].count());
  }
  put_fcs(octets.data(), octets.size());
  return octets;
}

DecodeResult decode(const std::uint8_t* octets, std::size_t length) noexcept {
  if (length < pfc_frame_bytes.count()) return DecodeError::too_short;
  if (frame_check_sequence(octets, length - fcs_octets) != fcs_in(octets, length)) {
    return DecodeError::bad_fcs;
  }
  if (get16(octets, type_at) != mac_control_type) return DecodeError::not_mac_control;
  if (!std::equal(mac_control_address.begin(), mac_control_address.end(), octets)) {
    return DecodeError::wrong_address;
  }
  if (get16(octets, opcode_at) != pfc_opcode) return DecodeError::wrong_opcode;
  if (length > pfc_frame_bytes.count()) return DecodeError::too_long;

  PfcFrame frame;
  std::copy_n(octets + source_at, frame.source.size(), frame.source.begin());
  frame.class_enable = octets[class_enable_at];
  for (std::size_t n = 0; n < priorities; ++n) {
    if ((frame.class_enable >> n & 1U) != 0) frame.time[n] = Quanta{get16(octets, time_at + 2 * n)};
  }
  return frame;
}

}  // namespace weir
