// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "weir/config/scenario/scenario.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/message_log.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// A packet that a source makes.
struct SourcePacket {
  Picoseconds created;
  Bytes length;
  HostId destination{0};
  Priority priority;
  std::uint16_t connection{0};  ///< Which of the source's own.
  std::uint8_t dscp{0};
  std::uint8_t marks{0};  ///< FrameMark bits of the sender's making.
};

/// The packet that a source will make next.
struct NextPacket {
  Picoseconds ready;  ///< Source::ready_at()
  Priority priority;  ///< Source::priority()
};

/// The rate control of one connection at a moment.
struct ConnectionRate {
  HostId peer{0};
  std::uint16_t connection{0};  ///< Which of those to this peer.
  std::uint32_t flow{0};        ///< Traffic entry.
  BitRate rate, target;         ///< R_C, R_T
  std::uint64_t alpha{0};       ///< In parts of DcqcnSettings::whole.
  std::uint64_t cnps{0};        ///< So far.
};

/// What makes a host's packets, one at a time and only when asked: memory does not grow with
/// backlog.
class Source {
 public:
  static constexpr Picoseconds never{~std::uint64_t{0}};

  virtual ~Source() = default;
  /// When the next packet is ready; `never` when there is none any more.
  [[nodiscard]] virtual Picoseconds ready_at() const noexcept = 0;
  /// Priority of the next packet.
  [[nodiscard]] virtual Priority priority() const noexcept = 0;
  /// Both of them, asked for after every packet: one virtual call.
  [[nodiscard]] virtual NextPacket next() const noexcept { return {ready_at(), priority()}; }
  /// Takes the next packet at `now` >= ready_at().
  virtual SourcePacket take(Picoseconds now) = 0;
  /// The host is off until `end`: what would have been sent before is not.
  virtual void skip_to(Picoseconds end) {
    while (ready_at() < end) take(end);
  }
  /// Whether nothing that happens in the network changes what comes next: then a host may take
  /// packets before their time (see Nic).
  [[nodiscard]] virtual bool open_loop() const noexcept { return false; }

  // Of sources that are not open loop.
  /// Writes into the frame of the packet just taken what its receiver must know.
  virtual void mark(Frame& /*frame*/) const noexcept {}
  /// An answer of a receiver came in (kind acknowledge, refuse or cnp) for its `connection`.
  virtual void answered(const Frame& /*answer*/, std::uint32_t /*connection*/,
                        Picoseconds /*now*/) {}
  /// How long it waits for an answer; `never` when it needs none.
  [[nodiscard]] virtual Picoseconds timeout() const noexcept { return never; }
  /// Gives up what has waited too long at `now`; returns when to call again, or `never`.
  virtual Picoseconds expire(Picoseconds /*now*/) { return never; }
  /// Adds the rates of its connections that have a rate control.
  virtual void add_rates(Picoseconds /*now*/, std::vector<ConnectionRate>& /*rates*/) const {}
};

/// What a source must know of its place.
struct SourcePlace {
  HostId host{0};
  std::size_t sender{0};  ///< Which of the traffic entry's senders this is.
  BitRate line_rate;
  std::uint64_t seed{1};
  std::uint32_t flow{0};                         ///< Index of the traffic entry.
  std::uint16_t source_port{first_source_port};  ///< UDP source port of its connection 0.
  MessageLog* messages{nullptr};                 ///< nullptr: messages are not reported.
};

/// The source of `traffic` at one of its senders; `traffic` must outlive it. One table, kind ->
/// maker (source.cpp).
[[nodiscard]] std::unique_ptr<Source> make_source(const TrafficSpec& traffic,
                                                  const SourcePlace& place);
std::unique_ptr<Source> make_source(TrafficSpec&& traffic, const SourcePlace& place) = delete;

}  // namespace weir
