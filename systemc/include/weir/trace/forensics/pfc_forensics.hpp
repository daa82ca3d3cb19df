// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/config/format/capture_file.hpp"
#include "weir/config/format/units.hpp"
#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/units.hpp"
#include "weir/trace/forensics/pfc_faults.hpp"
#include "weir/trace/forensics/pfc_history.hpp"

namespace weir {

/// What a capture does not say about its links.
struct PfcAssumptions {
  std::optional<BitRate> rate;           ///< Speed of interfaces whose capture does not say it.
  std::optional<ResponseTime> response;  ///< Default: the limit of the speed [802.3 31B, 31D].
  std::optional<Picoseconds> delay;      ///< One way on the cable; default: none.
  std::optional<Picoseconds> storm;      ///< Default: the time of two frames of 65535 quanta.
  bool stamps_are_of_last_bit{false};    ///< Else of the first bit.
  std::optional<Picoseconds> poll;       ///< Period of the PFC history; none: there is none.
  /// Class by DSCP of frames without a tag; default: class selector.
  std::map<int, Priority> class_of_dscp;
};

/// How a pause ended.
enum class PauseEnd : std::uint8_t { xon, timer, open };
[[nodiscard]] std::string_view to_string(PauseEnd end) noexcept;

/// One pause without a gap.
struct PauseInterval {
  Picoseconds start, end;
  PauseEnd how{PauseEnd::open};
  bool passed_on{false};  ///< The sender itself was paused in the class on another of its ports.
};

/// What a class has come to that one end pauses at the other.
enum class PfcVerdict : std::uint8_t {
  no_pause,    ///< No pause took effect.
  congestion,  ///< Pauses end, and the class goes on.
  open,        ///< Paused to the end of the captures, for longer than any pause that ended.
  passed_on,   ///< As a storm, but the sender is itself paused.
  storm,       ///< Without a gap for longer than PfcAssumptions::storm, and no XON ended it.
};
[[nodiscard]] std::string_view to_string(PfcVerdict verdict) noexcept;

/// A port, or what is at the other end of its link.
struct PfcStation {
  std::string name, node;
  std::size_t peer{0};
  BitRate rate;
  Picoseconds response;  ///< Response time that the capture or the user gives, else `limit`.
  Picoseconds limit;     ///< Limit of the standard for its speed; without one, `response`.
  Picoseconds delay;
  std::optional<ClockPeriod> clock;
  std::uint64_t pfc_frames{0}, data_frames{0};  ///< Frames that the station sent.
};

/// PAUSE of one class from one station to its peer.
struct PfcFlow {
  std::size_t from{0}, to{0};
  Priority priority;
  std::uint64_t frames{0};           ///< PFC frames with the class enabled.
  std::uint64_t pauses{0}, xons{0};  ///< PFC frames with a time above 0, and with 0.
  std::uint64_t refreshes{0};        ///< Those of `pauses` that came while the timer was running.
  std::uint64_t origins{0};          ///< Other pauses whose sender was not paused in the class.
  /// Other pauses by paused station of the sender's node.
  std::map<std::size_t, std::uint64_t> because;
  Picoseconds first_sent;
  std::uint64_t asked_quanta{0};   ///< Quanta of pauses that were not refreshes.
  std::uint64_t unused_quanta{0};  ///< Quanta left on the timer when XON came.
  std::optional<Picoseconds> min_refresh, max_refresh;  ///< Time from PAUSE to refresh.
  std::optional<Picoseconds> min_gap, max_gap;  ///< Time from the end of a pause to the next.
  PauseTimes pause;
  std::vector<PauseInterval> intervals;
  std::uint64_t by_xon{0}, by_timer{0}, open{0};  ///< Pauses that ended so, or are open at the end.
  std::uint64_t data_frames{0};  ///< Frames of the class from `to`, from the first pause on.
  Bytes data;
  std::uint64_t late_frames{0};  ///< Those that began after the response limit, while paused.
  Bytes late;
  Picoseconds worst_late;  ///< The longest time after the limit at which one began.
  std::uint64_t unheeded_xons{0};
  std::optional<PfcHistory> history;  ///< What polls at `to` make of it.
  PfcVerdict verdict{PfcVerdict::no_pause};
};

/// A finding, counted by where it is.
struct PfcFinding {
  PfcFault fault{PfcFault::wrong_address};
  std::string where;  ///< Station, or file.
  std::optional<Priority> priority;
  std::uint64_t count{0};
  Picoseconds first;        ///< Since PfcReport::begin.
  std::uint64_t packet{0};  ///< Number of the packet in its file, from 1; 0: no single one.
  std::string detail;
};

/// What the captures hold.
struct PfcReport {
  CaptureStamp begin;  ///< Times count from here: the first frame; 0 in a capture of a simulation.
  Picoseconds end;     ///< End of the last capture.
  std::uint64_t frames{0}, pfc_frames{0};
  std::vector<PfcStation> stations;
  std::vector<PfcFlow> flows;  ///< Flows in the order of their first PAUSE.
  std::vector<PfcFinding> findings;
  std::optional<Picoseconds> poll;  ///< Period of the PFC history.
  std::size_t max_held{0};          ///< Data frames that were in memory at a time.
  [[nodiscard]] bool bad() const;   ///< Whether a finding is.
};

/// Forensics of PFC in captures of ports, both directions: pauses as the paused end counts them, by
/// the arithmetic of its own pause timer, and what is wrong.
///
/// A frame that is outbound at an interface comes from its port, an inbound one from the other end.
/// Where the comment of an interface names the interface at the other end of its link
/// (capture.hpp), both are one station. Where a capture says no direction, stations are the source
/// addresses of PFC frames, and a data frame belongs to a direction where one of these addresses is
/// in it.
///
/// Captures are read twice: PFC frames are kept, data frames only while stamps are out of order.
///
/// Times:  exact for captures of `weir run --pcap`; elsewhere as exact as stamps and `delay` are. A
///         frame in the last 1/5000 of a pause is not a fault: two clocks differ by up to 200 ppm
///         [802.3 31B].
/// Errors: FileError as CaptureFile; ConfigError (key "--rate") where a speed is needed and
/// unknown.
class PfcForensics {
 public:
  explicit PfcForensics(PfcAssumptions assumptions);
  ~PfcForensics();
  PfcForensics(const PfcForensics&) = delete;
  PfcForensics& operator=(const PfcForensics&) = delete;

  /// Adds a capture; all have one clock.
  void read(const std::filesystem::path& file);
  /// Call it once.
  [[nodiscard]] PfcReport finish();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
