// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/model/agenda.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/host/source.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// What the packets of a source have in their headers.
struct FlowHeader {
  std::uint16_t source_port{first_source_port};  ///< UDP, of its connection 0; then upwards.
  std::uint8_t ttl{default_ttl};
};

/// The sources of a host. They take turns frame by frame; one whose priority is paused is passed
/// over.
///
/// Timing:  a source is asked when its next packet is ready only after something happened to it.
class HostStreams {
  static constexpr Picoseconds never = Source::never;

 public:
  /// A source and what all its frames have in common.
  struct Stream {
    std::unique_ptr<Source> source;
    std::uint32_t flow{0};
    FlowHeader header;
    std::uint64_t sequence{0};
    /// When its next packet is ready, as the source last said; likewise `priority`.
    Picoseconds ready;
    Priority priority;

    void look() noexcept {
      const NextPacket next = source->next();
      ready = next.ready;
      priority = next.priority;
    }
  };
  /// Whose turn it is.
  struct Turn {
    Stream* stream{nullptr};        ///< nullptr: no source may send now.
    Picoseconds next_ready{never};  ///< Then: when the next packet is ready.
    bool paused{false};             ///< Then: a packet is ready, and its priority is paused.
  };

  explicit HostStreams(const HostContext& host)
      : frames_{host.port.model.frames},
        agenda_{host.port.model.agenda},
        id_{host.id},
        actor_{host.actor} {}

  void add(std::unique_ptr<Source> source, std::uint32_t flow, FlowHeader header);

  /// Asks all sources again.
  void look() noexcept {
    for (Stream& stream : streams_) stream.look();
  }
  /// When the first packet of any source is ready, paused or not.
  [[nodiscard]] Picoseconds earliest_ready() const noexcept {
    Picoseconds earliest = never;
    for (const Stream& stream : streams_) earliest = std::min(earliest, stream.ready);
    return earliest;
  }
  /// Whose turn it is at `now`; bit n of `paused`: priority n is paused.
  [[nodiscard]] Turn next_turn(Picoseconds now, std::uint8_t paused) noexcept;
  /// The next packet of `stream`, as a frame that starts at `now`.
  [[nodiscard]] Frame& take(Stream& stream, Picoseconds now);

  /// An answer of a receiver came in.
  void answered(const Frame& answer, Picoseconds now);
  /// Of the connections with a rate control.
  [[nodiscard]] std::vector<ConnectionRate> rates(Picoseconds now) const;
  /// The host is off until `end`: what would have been sent before is not.
  void skip_to(Picoseconds end);
  /// The task HostTask::timeout; true: sources have given up what waited too long.
  [[nodiscard]] bool expire(Picoseconds now);

 private:
  [[nodiscard]] Turn turn_of_many(Picoseconds now, std::uint8_t paused) noexcept;
  void watch_timeouts(Picoseconds now);

  std::vector<Stream> streams_;
  std::size_t turn_{0};  // the stream that is looked at first
  FramePool& frames_;
  Agenda& agenda_;
  const HostId id_;
  const Agenda::ActorId actor_;
  bool open_loop_{true};  // every source is: none has deadlines or marks its frames
  Picoseconds shortest_timeout_{never}, timeout_at_{never};
};

}  // namespace weir
