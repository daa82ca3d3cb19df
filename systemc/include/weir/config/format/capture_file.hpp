// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn.hpp"
#include "weir/core/units.hpp"

namespace weir {

/// A moment of a capture. Picoseconds since 1970 do not fit in 64 bit.
struct CaptureStamp {
  std::uint64_t seconds{0};
  std::uint64_t picoseconds{0};  ///< Picoseconds of the second, below 10^12.

  friend bool operator<(const CaptureStamp& a, const CaptureStamp& b) noexcept {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.picoseconds < b.picoseconds;
  }
};

/// The longest time between two stamps that are looked at: 2^63 ps are nine times as long.
inline constexpr std::uint64_t max_capture_span_s = 1'000'000;

enum class CaptureDirection : std::uint8_t { unknown, inbound, outbound };

/// What a capture says about an interface; of a pcap file, which says nothing, one without a name.
struct CaptureInterface {
  std::string name, comment;
  std::optional<BitRate> rate;
  std::optional<CaptureStamp> end;  ///< Capturing stopped then.
};

/// A frame as it was captured.
struct CapturedFrame {
  std::uint64_t number{0};      ///< Number of the frame in its file, from 1.
  std::size_t interface { 0 };  ///< Index into CaptureFile::interfaces().
  CaptureStamp stamp;
  CaptureDirection direction{CaptureDirection::unknown};
  std::uint32_t length{0};  ///< Octets on the wire, with the FCS.
  std::size_t fcs{0};  ///< How many octets at the end of the frame on the wire are captured FCS.
  /// The frame from the destination address on, as far as it was kept.
  std::vector<std::uint8_t> octets;
};

/// The header fields of a frame that decide its class.
struct EthernetHeader {
  std::uint64_t source{0}, destination{0};
  std::uint16_t type{0};             ///< EtherType after all tags.
  std::size_t type_at{12};           ///< Offset of the type.
  std::optional<Priority> priority;  ///< Priority of the outermost tag; none: no tag.
  std::optional<std::uint8_t> dscp;  ///< DSCP of IPv4 or IPv6; none: another protocol.
  Ecn ecn{Ecn::not_ect};
};

/// The class of a DSCP by its class selector: what it means unless a table says another.
[[nodiscard]] inline Priority class_of_selector(std::uint8_t dscp) {
  static constexpr DscpTable classes = ClassifierSettings::class_selectors();
  return classes[dscp];
}

/// Errors: none. Range: at least 14 octets; what is cut off is not there.
[[nodiscard]] EthernetHeader ethernet_header(const std::vector<std::uint8_t>& octets);

/// Reads a capture of Ethernet frame by frame: pcap with stamps in microseconds or nanoseconds, and
/// pcapng with any resolution down to the picosecond (finer stamps are rounded down), in either
/// byte order.
///
/// Errors: FileError that names the file, and the packet from 1: the file cannot be read, is not
///         a capture of Ethernet, a packet is cut off, has no stamp, or its block is
///         broken.
/// Range:  at most 262144 octets of a frame, as libpcap; blocks of up to 16 MiB.
/// Source: draft-ietf-opsawg-pcapng, draft-ietf-opsawg-pcap.
class CaptureFile {
 public:
  explicit CaptureFile(const std::filesystem::path& file);
  ~CaptureFile();
  CaptureFile(CaptureFile&&) noexcept;
  CaptureFile& operator=(CaptureFile&&) noexcept;

  /// The next frame; false at the end of the file.
  [[nodiscard]] bool next(CapturedFrame& frame);
  /// Those that the file has described so far.
  [[nodiscard]] const std::vector<CaptureInterface>& interfaces() const noexcept;
  /// Throws a FileError about the frame that next() gave last.
  [[noreturn]] void fail(const std::string& value, const std::string& legal) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
