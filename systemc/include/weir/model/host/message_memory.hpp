// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <unordered_map>

#include "weir/config/scenario/nic_spec.hpp"
#include "weir/core/host/mtt_cache.hpp"
#include "weir/core/random.hpp"
#include "weir/core/units.hpp"
#include "weir/model/host/host_context.hpp"
#include "weir/model/network/frame.hpp"

namespace weir {

/// The memory that received messages are written to, and the cache of its translations in the NIC.
///
/// The bytes of a message lie at consecutive addresses from a random one on; a frame of no
/// connection is a message of its own. What goes past the end of the memory goes on at its
/// beginning.
///
/// Source:  [RDMA16], section 4.4.
class MessageMemory {
 public:
  MessageMemory(const HostContext& host, const NicSpec& spec);

  /// Writes `frame`; returns how many of its pages the cache did not have.
  [[nodiscard]] std::uint32_t write(const Frame& frame);
  /// A reboot: messages that are not complete are forgotten, the cache keeps what it has.
  void forget_messages() { next_address_.clear(); }

  [[nodiscard]] const MttCache& mtt() const noexcept { return mtt_; }

 private:
  [[nodiscard]] std::uint64_t draw_address() { return addresses_.uniform(size_.count()); }
  [[nodiscard]] std::uint32_t misses(std::uint64_t address, Bytes length);

  const Bytes size_;
  MttCache mtt_;
  RandomStream addresses_;
  std::unordered_map<std::uint64_t, std::uint64_t> next_address_;  // of a connection's message
};

}  // namespace weir
