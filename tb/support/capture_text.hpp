// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/pfc/pfc_frame.hpp"

namespace weir::test {

/// The octets of a pcapng file, made block by block from the format's draft.
class CaptureText {
 public:
  static constexpr std::uint64_t zero_rate = ~std::uint64_t{0};
  enum Direction : std::uint32_t { none = 0, inbound = 1, outbound = 2 };

  explicit CaptureText(bool big_endian = false) : big_endian_{big_endian} { section(); }

  void section() {
    std::string body;
    put(body, 0x1a2b'3c4d, 4);
    put(body, 1, 2);
    put(body, 0, 2);
    put(body, ~std::uint64_t{0}, 8);
    block(0x0a0d'0d0a, body);
  }
  /// `resolution`: as in the option if_tsresol.
  /// `rate` 0: no if_speed; zero_rate: an if_speed of 0.
  void interface(const std::string& name, std::uint64_t rate, const std::string& comment = "",
                 unsigned resolution = 12, std::uint16_t link = 1) {
    std::string body;
    put(body, link, 2);
    put(body, 0, 2);
    put(body, 0, 4);
    if (!comment.empty()) option(body, 1, comment);
    option(body, 2, name);
    if (rate != 0) number_option(body, 8, rate == zero_rate ? 0 : rate, 8);
    number_option(body, 9, resolution, 1);
    put(body, 0, 4);
    block(1, body);
  }
  void packet(std::uint32_t interface, std::uint64_t ticks, const std::string& octets,
              Direction direction, std::uint32_t length = 0) {
    std::string body;
    put(body, interface, 4);
    put(body, ticks >> 32, 4);
    put(body, ticks & 0xffff'ffffU, 4);
    put(body, octets.size(), 4);
    put(body, std::max<std::uint64_t>(length, octets.size()), 4);
    body += octets;
    pad(body);
    if (direction != none) {
      number_option(body, 2, direction, 4);
      put(body, 0, 4);
    }
    block(6, body);
  }
  /// The capture of an interface ends.
  void statistics(std::uint32_t interface, std::uint64_t end) {
    std::string body;
    put(body, interface, 4);
    put(body, 0, 8);
    put(body, 3, 2);
    put(body, 8, 2);
    put(body, end >> 32, 4);
    put(body, end & 0xffff'ffffU, 4);
    put(body, 0, 4);
    block(5, body);
  }
  void block(std::uint32_t type, const std::string& body) {
    put(text_, type, 4);
    put(text_, body.size() + 12, 4);
    text_ += body;
    put(text_, body.size() + 12, 4);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

  void put(std::string& into, std::uint64_t value, std::size_t octets) const {
    for (std::size_t k = 0; k < octets; ++k) {
      const std::size_t shift = 8 * (big_endian_ ? octets - 1 - k : k);
      into += static_cast<char>(value >> shift & 0xffU);
    }
  }

 private:
  static void pad(std::string& body) {
    while (body.size() % 4 != 0) body += '\0';
  }
  void option(std::string& body, std::uint16_t code, const std::string& value) const {
    put(body, code, 2);
    put(body, value.size(), 2);
    body += value;
    pad(body);
  }
  void number_option(std::string& body, std::uint16_t code, std::uint64_t value,
                     std::size_t octets) const {
    put(body, code, 2);
    put(body, octets, 2);
    put(body, value, octets);
    pad(body);
  }

  bool big_endian_;
  std::string text_;
};

/// The 60 octets of a PFC frame without FCS that pauses these classes for so many quanta.
inline std::string pfc_octets(const std::vector<std::pair<int, std::uint16_t>>& times,
                              std::uint8_t last_of_source = 1) {
  PfcFrame frame;
  frame.source = {2, 0, 0, 0, 0, last_of_source};
  for (const auto& [priority, quanta] : times) {
    frame.class_enable = static_cast<std::uint8_t>(frame.class_enable | 1U << priority);
    frame.time[static_cast<std::size_t>(priority)] = Quanta{quanta};
  }
  const PfcFrameBytes octets = encode(frame);
  return {octets.begin(), octets.end() - 4};
}

/// A tagged frame of a class, without FCS, `length` with it.
inline std::string data_octets(int priority, std::size_t length, std::uint8_t to = 1,
                               std::uint8_t from = 9) {
  std::string octets(length - 4, '\0');
  octets[0] = octets[6] = 2;
  octets[5] = static_cast<char>(to);
  octets[11] = static_cast<char>(from);
  octets[12] = static_cast<char>(0x81);
  octets[14] = static_cast<char>(priority << 5);
  octets[16] = static_cast<char>(0x08);
  octets[18] = 0x45;
  return octets;
}

}  // namespace weir::test
