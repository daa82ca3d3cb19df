// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "weir/core/crc32.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/units.hpp"

namespace weir {

constexpr Bytes pfc_frame_bytes = min_frame_bytes;  ///< Length of a PFC frame, FCS included.

/// Contents of a PFC frame.
///
/// Range:  time[n] is valid if bit n of `class_enable` is set; a time of 0 is XON. Where the bit is
///         clear encode() writes 0 and decode() returns 0.
/// Source: 802.3 Annex 31D, 802.1Qbb [802.1Qbb].
struct PfcFrame {
  std::array<std::uint8_t, 6> source{};  ///< Address of the sending station.
  std::uint8_t class_enable{0};
  std::array<Quanta, priorities> time{};

  friend bool operator==(const PfcFrame& a, const PfcFrame& b) noexcept {
    return a.source == b.source && a.class_enable == b.class_enable && a.time == b.time;
  }
  friend bool operator!=(const PfcFrame& a, const PfcFrame& b) noexcept { return !(a == b); }
};

/// Destination address of MAC control frames [802.3 31.4.1, 31B, 31D].
inline constexpr std::array<std::uint8_t, 6> mac_control_address{0x01, 0x80, 0xc2,
                                                                 0x00, 0x00, 0x01};
inline constexpr std::uint16_t mac_control_type = 0x8808;  ///< EtherType of MAC control frames.
inline constexpr std::uint16_t pause_opcode = 0x0001;      ///< PAUSE of all classes.
inline constexpr std::uint16_t pfc_opcode = 0x0101;        ///< PAUSE by class.

/// Why received bytes are not a PFC frame, in the order of a receiver's checks.
enum class DecodeError : std::uint8_t {
  too_short,        ///< fewer than 64 octets
  bad_fcs,          ///< the last four octets are not the CRC-32 of the others
  not_mac_control,  ///< type is not 0x8808
  wrong_address,    ///< destination is not 01-80-C2-00-00-01
  wrong_opcode,     ///< MAC control, but not 0x0101 (0x0001 is the PAUSE of all classes)
  too_long,         ///< more than the 64 octets that a MAC control frame has
};

/// A short text such as "wrong opcode".
[[nodiscard]] std::string_view to_string(DecodeError error) noexcept;

using PfcFrameBytes = std::array<std::uint8_t, pfc_frame_bytes.count()>;
using DecodeResult = std::variant<PfcFrame, DecodeError>;

/// The 64 octets of the frame in the order on the wire, FCS included.
[[nodiscard]] PfcFrameBytes encode(const PfcFrame& frame) noexcept;

/// Decodes received bytes. Any input is legal: it gives a frame or one error. The high octet of the
/// class-enable vector, the padding and the times of classes whose bit is clear are reserved or
/// meaningless, and are ignored as the standard requires.
[[nodiscard]] DecodeResult decode(const std::uint8_t* octets, std::size_t length) noexcept;

/// decode() of any contiguous container of octets.
template <class Container>
[[nodiscard]] DecodeResult decode(const Container& octets) noexcept {
  return decode(octets.data(), octets.size());
}

/// The FCS of a frame whose octets before the FCS are `octets`.
[[nodiscard]] inline std::uint32_t frame_check_sequence(const std::uint8_t* octets,
                                                        std::size_t length) noexcept {
  return crc32(octets, length);
}

/// The FCS in the last octets of a frame; it is on the wire least significant octet first.
/// Range: length >= fcs_octets.
[[nodiscard]] std::uint32_t fcs_in(const std::uint8_t* octets, std::size_t length) noexcept;
/// Writes the FCS of a frame's other octets into its last ones. Range: length >= fcs_octets.
void put_fcs(std::uint8_t* octets, std::size_t length) noexcept;

}  // namespace weir
