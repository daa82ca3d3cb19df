// SPDX-License-Identifier: Apache-2.0
#include "weir/config/format/capture_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "weir/config/format/node.hpp"
#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

constexpr std::uint32_t max_frame_octets = 262'144, max_block = 1U << 24;
constexpr std::uint32_t ethernet_link = 1;
constexpr std::uint16_t vlan_type = 0x8100, service_vlan_type = 0x88a8;
constexpr std::uint16_t ipv4_type = 0x0800, ipv6_type = 0x86dd;

std::uint16_t number16(const std::vector<std::uint8_t>& octets, std::size_t at) {
  return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}
std::uint64_t address(const std::vector<std::uint8_t>& octets, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < 6; ++k) value = value << 8 | octets[at + k];
  return value;
}

/// How a stamp of one interface counts.
struct Resolution {
  bool binary{false};
  unsigned exponent{6};  ///< Of 10 or of 2, negative.

  [[nodiscard]] CaptureStamp stamp(std::uint64_t ticks) const {
    return binary ? binary_stamp(ticks) : decimal_stamp(ticks);
  }

 private:
  [[nodiscard]] CaptureStamp decimal_stamp(std::uint64_t ticks) const {
    std::uint64_t per_second = 1;
    for (unsigned k = 0; k < exponent; ++k) per_second *= 10;
    std::uint64_t part = ticks % per_second;
    for (unsigned k = exponent; k < 12; ++k) part *= 10;
    for (unsigned k = 12; k < exponent; ++k) part /= 10;
    return {ticks / per_second, part};
  }
  // Digit by digit, so that nothing overflows; a shift of 60 leaves four bits for a digit.
  [[nodiscard]] CaptureStamp binary_stamp(std::uint64_t ticks) const {
    const std::uint64_t seconds = ticks >> exponent;
    std::uint64_t part = ticks - (seconds << exponent);
    const unsigned shift = std::min(exponent, 60U);
    part >>= exponent - shift;
    std::uint64_t picoseconds = 0;
    for (int digit = 0; digit < 12; ++digit) {
      part *= 10;
      picoseconds = picoseconds * 10 + (part >> shift);
      part -= part >> shift << shift;
    }
    return {seconds, picoseconds};
  }
};

/// Octets of the file, in the byte order of the file.
class Fields {
 public:
  Fields(const char* octets, std::size_t size, bool big_endian)
      : octets_{octets}, size_{size}, big_endian_{big_endian} {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool has(std::size_t at, std::size_t octets) const noexcept {
    return at <= size_ && octets <= size_ - at;
  }
  /// Range: has(at, octets).
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t octets) const {
    std::uint64_t value = 0;
    for (std::size_t k = 0; k < octets; ++k) {
      const std::size_t place = big_endian_ ? at + k : at + octets - 1 - k;
      value = value << 8 | static_cast<std::uint8_t>(octets_[place]);
    }
    return value;
  }
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    return static_cast<std::uint32_t>(number(at, 4));
  }
  /// A stamp: the upper word first.
  [[nodiscard]] std::uint64_t ticks(std::size_t at) const {
    return number(at, 4) << 32 | number(at + 4, 4);
  }
  [[nodiscard]] std::string text(std::size_t at, std::size_t octets) const {
    return {octets_ + at, octets};
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes(std::size_t at, std::size_t octets) const {
    return {octets_ + at, octets_ + at + octets};
  }
  /// Calls `take(code, at, length)` for each option from `at` on; false: an option is cut off.
  template <class Take>
  [[nodiscard]] bool options(std::size_t at, Take&& take) const {
    while (has(at, 4)) {
      const auto code = static_cast<std::uint16_t>(number(at, 2));
      const auto length = static_cast<std::size_t>(number(at + 2, 2));
      at += 4;
      if (code == 0) return true;
      if (!has(at, length)) return false;
      take(code, at, length);
      at += (length + 3) / 4 * 4;
    }
    return true;
  }

 private:
  const char* octets_;
  std::size_t size_;
  bool big_endian_;
};

}  // namespace

EthernetHeader ethernet_header(const std::vector<std::uint8_t>& octets) {
  EthernetHeader header;
  header.destination = address(octets, 0);
  header.source = address(octets, 6);
  std::size_t at = 12;
  header.type = number16(octets, at);
  while ((header.type == vlan_type || header.type == service_vlan_type) &&
         at + tag_octets + 2 <= octets.size()) {
    if (!header.priority)
      header.priority = Priority{static_cast<std::uint8_t>(octets[at + 2] >> 5)};
    at += tag_octets;
    header.type = number16(octets, at);
  }
  header.type_at = at;
  if (octets.size() < at + 4) return header;
  if (header.type != ipv4_type && header.type != ipv6_type) return header;
  // The second octet of IPv4, bits 4 to 11 of IPv6: class selector, three more of the DSCP, ECN.
  const int traffic_class =
      header.type == ipv4_type ? octets[at + 3] : number16(octets, at + 2) >> 4 & 0xff;
  header.dscp = static_cast<std::uint8_t>(traffic_class >> 2);
  header.ecn = static_cast<Ecn>(traffic_class & 3);
  return header;
}

class CaptureFile::State {
 public:
  explicit State(const std::filesystem::path& file)
      : file_{file.string()}, in_{file, std::ios::binary} {
    std::array<char, 4> magic{};
    if (!in_.read(magic.data(), magic.size()))
      refuse(!in_.eof()          ? why_unreadable(file)
             : in_.gcount() == 0 ? "is empty"
                                 : "its header is cut off");
    const Fields big{magic.data(), magic.size(), true}, little{magic.data(), magic.size(), false};
    ng_ = big.word(0) == section_type;
    if (ng_) {
      in_.seekg(0);
      return;
    }
    constexpr std::uint32_t micro = 0xa1b2'c3d4, nano = 0xa1b2'3c4d;
    big_endian_ = big.word(0) == micro || big.word(0) == nano;
    const std::uint32_t found = big_endian_ ? big.word(0) : little.word(0);
    if (found != micro && found != nano) refuse("it begins as neither pcap nor pcapng does");
    read_classic_header(found == nano ? 9 : 6);
  }

  bool next(CapturedFrame& frame) {
    ++number_;
    frame = {};
    frame.number = number_;
    if (!(ng_ ? next_block(frame) : next_record(frame))) return false;
    if (frame.octets.size() < header_octets)
      fail(std::to_string(frame.octets.size()) + " B", "is shorter than an Ethernet header");
    return true;
  }
  [[nodiscard]] const std::vector<CaptureInterface>& interfaces() const { return interfaces_; }
  [[noreturn]] void fail(const std::string& value, const std::string& legal) const {
    throw FileError{Origin{file_, 0}, "packet " + std::to_string(number_), value, legal};
  }

 private:
  static constexpr std::uint32_t section_type = 0x0a0d'0d0a;

  struct Reading {
    Resolution resolution;
    std::uint64_t offset{0};  // seconds
    std::uint32_t snap{0};
    std::size_t fcs{0};
    bool ethernet{true};
  };

  [[nodiscard]] static std::string why_unreadable(const std::filesystem::path& file) {
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (!std::filesystem::exists(status)) return "there is no such file";
    if (std::filesystem::is_directory(status)) return "must be a file, this is a directory";
    return "check its permissions";
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw FileError{Origin{file_, 0}, "", "", "cannot be read as a capture: " + why};
  }
  /// Reads whole octets, or fails; `why` it has to be there.
  void read(std::vector<char>& into, std::size_t octets, const char* why) {
    into.resize(octets);
    if (!in_.read(into.data(), static_cast<std::streamsize>(octets))) fail("", why);
  }
  /// Whether another octet follows.
  [[nodiscard]] bool more() { return in_.peek() != std::ifstream::traits_type::eof(); }

  void read_classic_header(unsigned exponent) {
    std::array<char, 20> header{};
    if (!in_.read(header.data(), header.size())) refuse("its header is cut off");
    const Fields fields{header.data(), header.size(), big_endian_};
    const std::uint32_t link = fields.word(16);
    if ((link & 0xffffU) != ethernet_link) refuse("must be a capture of Ethernet");
    Reading reading;
    reading.resolution = {false, exponent};
    if ((link >> 26 & 1U) != 0) reading.fcs = static_cast<std::size_t>(link >> 28) * 2;
    readings_.push_back(reading);
    interfaces_.emplace_back();
  }
  bool next_record(CapturedFrame& frame) {
    if (!more()) return false;
    read(block_, 16, "is cut off");
    const Fields fields{block_.data(), block_.size(), big_endian_};
    const std::uint32_t second = fields.word(0), part = fields.word(4);
    const std::uint32_t kept = fields.word(8), length = fields.word(12);
    std::uint64_t picoseconds = part;
    for (unsigned k = readings_[0].resolution.exponent; k < 12; ++k) picoseconds *= 10;
    if (picoseconds >= picoseconds_per_second)
      fail(std::to_string(part), "must be a part of a second");
    frame.stamp = {second, picoseconds};
    check_lengths(kept, length);
    read(block_, kept, "is cut off");
    frame.octets.assign(block_.begin(), block_.end());
    finish(frame, readings_[0], length);
    return true;
  }
  void check_lengths(std::uint32_t kept, std::uint32_t length) const {
    if (max_frame_octets < kept)
      fail(std::to_string(kept) + " B",
           "must not be longer than " + std::to_string(max_frame_octets) + " B");
    if (length < kept)
      fail(std::to_string(kept) + " B",
           "is more than the " + std::to_string(length) + " B of the frame on the wire");
  }
  void finish(CapturedFrame& frame, const Reading& reading, std::uint32_t length) const {
    if (frame.fcs == 0) frame.fcs = reading.fcs;
    const std::uint64_t whole = std::max(min_frame_bytes.count(),
                                         std::uint64_t{length} + (frame.fcs == 0 ? fcs_octets : 0));
    if (~std::uint32_t{0} < whole) fail(std::to_string(length) + " B", "is longer than any frame");
    frame.length = static_cast<std::uint32_t>(whole);
  }

  // Blocks up to the next one with a packet.
  bool next_block(CapturedFrame& frame) {
    while (more()) {
      std::array<char, 12> head{};
      if (!in_.read(head.data(), 8)) fail("", "the head of its block is cut off");
      std::size_t have = 8;
      const bool section = Fields{head.data(), 4, true}.word(0) == section_type;
      if (section) {
        if (!in_.read(head.data() + 8, 4)) fail("", "the head of its section is cut off");
        have = 12;
        begin_section(Fields{head.data(), head.size(), true}.word(8));
      }
      const Fields fields{head.data(), head.size(), big_endian_};
      const std::uint32_t type = fields.word(0), length = fields.word(4);
      if (length % 4 != 0 || length < have + 4 || max_block < length)
        fail(std::to_string(length) + " B",
             "a block must be a multiple of 4 B, and " + std::to_string(max_block) + " B at most");
      read(block_, length - have, "its block is cut off");
      const Fields body{block_.data(), block_.size() - 4, big_endian_};
      if (Fields{block_.data(), block_.size(), big_endian_}.word(block_.size() - 4) != length)
        fail(std::to_string(length) + " B", "the block must have the same length at its end");
      if (!section && take(type, body, frame)) return true;
    }
    return false;
  }
  void begin_section(std::uint32_t magic) {
    constexpr std::uint32_t big = 0x1a2b'3c4d, little = 0x4d3c'2b1a;
    if (magic != big && magic != little) refuse("the byte order of a section is unknown");
    big_endian_ = magic == big;
    first_ = interfaces_.size();
  }
  /// Whether the block holds a packet.
  bool take(std::uint32_t type, const Fields& body, CapturedFrame& frame) {
    switch (type) {
      case 1:
        add_interface(body);
        return false;
      case 2:  // the packet block of old files
        if (!body.has(0, 20)) fail("", "its block is too short");
        take_packet(frame, body, static_cast<std::size_t>(body.number(0, 2)));
        return true;
      case 3:
        fail("", "has no time stamp (a simple packet block)");
      case 5:
        take_statistics(body);
        return false;
      case 6:
        if (!body.has(0, 20)) fail("", "its block is too short");
        take_packet(frame, body, body.word(0));
        return true;
      default:
        return false;
    }
  }
  void add_interface(const Fields& body) {
    if (!body.has(0, 8)) fail("", "the description of an interface before it is too short");
    Reading reading;
    CaptureInterface interface;
    reading.ethernet = body.number(0, 2) == ethernet_link;
    reading.snap = body.word(4);
    const bool whole = body.options(8, [&](std::uint16_t code, std::size_t at, std::size_t length) {
      if (code == 1) interface.comment = body.text(at, length);
      if (code == 2) interface.name = body.text(at, length);
      if (code == 8 && length == 8) interface.rate = BitRate{body.number(at, 8)};
      if (code == 9 && length == 1) {
        const std::uint64_t value = body.number(at, 1);
        reading.resolution = {(value & 0x80U) != 0, static_cast<unsigned>(value & 0x7fU)};
      }
      if (code == 13 && length == 1) reading.fcs = static_cast<std::size_t>(body.number(at, 1));
      if (code == 14 && length == 8) reading.offset = body.number(at, 8);
    });
    if (!whole) fail("", "an option of an interface before it is cut off");
    const Resolution& resolution = reading.resolution;
    if ((resolution.binary ? 63U : 19U) < resolution.exponent)
      fail(std::to_string(resolution.exponent),
           "the resolution of stamps must be down to 10^-19 or 2^-63 s");
    readings_.push_back(reading);
    interfaces_.push_back(std::move(interface));
  }
  [[nodiscard]] std::size_t interface_at(std::size_t number) const {
    if (interfaces_.size() - first_ <= number)
      fail(std::to_string(number), "names an interface that the section has not described");
    return first_ + number;
  }
  [[nodiscard]] CaptureStamp stamp_of(std::uint64_t ticks, const Reading& reading) const {
    CaptureStamp stamp = reading.resolution.stamp(ticks);
    stamp.seconds += reading.offset;
    return stamp;
  }
  void take_packet(CapturedFrame& frame, const Fields& body, std::size_t interface) {
    frame.interface = interface_at(interface);
    const Reading& reading = readings_[frame.interface];
    if (!reading.ethernet) fail("", "must be a capture of Ethernet");
    frame.stamp = stamp_of(body.ticks(4), reading);
    const std::uint32_t kept = body.word(12), length = body.word(16);
    check_lengths(kept, length);
    if (!body.has(20, kept)) fail(std::to_string(kept) + " B", "is more than its block holds");
    frame.octets = body.bytes(20, kept);
    const std::size_t options = 20 + (std::size_t{kept} + 3) / 4 * 4;
    const bool whole =
        body.options(options, [&](std::uint16_t code, std::size_t at, std::size_t size) {
          if (code != 2 || size != 4) return;
          const std::uint32_t flags = body.word(at);
          if ((flags & 3U) == 1) frame.direction = CaptureDirection::inbound;
          if ((flags & 3U) == 2) frame.direction = CaptureDirection::outbound;
          frame.fcs = flags >> 5 & 0xfU;
        });
    if (!whole) fail("", "an option of it is cut off");
    finish(frame, reading, length);
  }
  void take_statistics(const Fields& body) {
    if (!body.has(0, 12)) fail("", "the statistics of an interface before it are too short");
    const std::size_t interface = interface_at(body.word(0));
    const bool whole = body.options(12, [&](std::uint16_t code, std::size_t at, std::size_t size) {
      if (code == 3 && size == 8)
        interfaces_[interface].end = stamp_of(body.ticks(at), readings_[interface]);
    });
    if (!whole) fail("", "an option of the statistics before it is cut off");
  }

  const std::string file_;
  std::ifstream in_;
  bool ng_{false}, big_endian_{false};
  std::uint64_t number_{0};
  std::size_t first_{0};  // interface of the section
  std::vector<CaptureInterface> interfaces_;
  std::vector<Reading> readings_;  // of each interface
  std::vector<char> block_;
};

CaptureFile::CaptureFile(const std::filesystem::path& file)
    : state_{std::make_unique<State>(file)} {}
CaptureFile::~CaptureFile() = default;
CaptureFile::CaptureFile(CaptureFile&&) noexcept = default;
CaptureFile& CaptureFile::operator=(CaptureFile&&) noexcept = default;

bool CaptureFile::next(CapturedFrame& frame) { return state_->next(frame); }
const std::vector<CaptureInterface>& CaptureFile::interfaces() const noexcept {
  return state_->interfaces();
}
void CaptureFile::fail(const std::string& value, const std::string& legal) const {
  state_->fail(value, legal);
}

}  // namespace weir
