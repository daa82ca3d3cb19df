// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "weir/core/units.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// A message of a source without connections, when the source has decided on it.
struct MessageStart {
  Picoseconds created;  ///< Creation time in its packets; it may be later than the call.
  Bytes size;
  HostId destination{0};
  std::uint16_t source_port{first_source_port};  ///< UDP source port of its first packet.
  /// incast: which burst of its sender, from 0.
  std::optional<std::uint64_t> burst;
};

/// Where sources and receivers report messages: once a message, not once a packet.
class MessageLog {
 public:
  virtual ~MessageLog() = default;
  /// The source of traffic entry `flow` at `sender` will send a message.
  virtual void begins(std::uint32_t flow, HostId sender, const MessageStart& message) = 0;
  /// A connection of traffic entry `flow` has begun a message.
  virtual void begins_on_connection(std::uint32_t flow, Picoseconds created) = 0;
  /// The last packet of a message of a connection is at its host, all others before it. `size`:
  /// bytes of its frames.
  virtual void completes(const Frame& last, Bytes size, Picoseconds when) = 0;
};

/// Passes each report to one log, which can be replaced.
class MessageRelay final : public MessageLog {
 public:
  void hand_to(MessageLog& log) noexcept { log_ = &log; }
  void begins(std::uint32_t flow, HostId sender, const MessageStart& message) override {
    log_->begins(flow, sender, message);
  }
  void begins_on_connection(std::uint32_t flow, Picoseconds created) override {
    log_->begins_on_connection(flow, created);
  }
  void completes(const Frame& last, Bytes size, Picoseconds when) override {
    log_->completes(last, size, when);
  }

 private:
  MessageLog* log_{nullptr};
};

}  // namespace weir
