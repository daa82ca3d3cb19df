// SPDX-License-Identifier: Apache-2.0
#include "weir/model/host/message_memory.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr std::uint64_t connection_of(const Frame& frame) noexcept {
  return std::uint64_t{frame.source} << 16 | frame.source_port;
}

}  // namespace

MessageMemory::MessageMemory(const HostContext& host, const NicSpec& spec)
    : size_{spec.memory},
      mtt_{spec.mtt_entries, spec.page, spec.replacement,
           RandomStream{host.port.model.seed, host.port.node + " mtt victim"}},
      addresses_{host.port.model.seed, host.port.node + " message address"} {}

std::uint32_t MessageMemory::write(const Frame& frame) {
  if (size_ == Bytes{}) return 0;
  const bool plain = frame.kind == FrameKind::data;
  if (!plain && frame.kind != FrameKind::segment && frame.kind != FrameKind::last_segment) return 0;
  if (plain) return misses(draw_address(), Bytes{frame.length});
  const std::uint64_t key = connection_of(frame);
  auto place = next_address_.find(key);
  if (place == next_address_.end()) place = next_address_.emplace(key, draw_address()).first;
  const std::uint32_t missed = misses(place->second, Bytes{frame.length});
  if (frame.kind == FrameKind::last_segment)
    next_address_.erase(place);
  else
    place->second = (place->second + frame.length) % size_.count();
  return missed;
}

std::uint32_t MessageMemory::misses(std::uint64_t address, Bytes length) {
  std::uint32_t missed = 0;
  while (length != Bytes{}) {
    const Bytes part = std::min(length, size_ - Bytes{address});
    missed += mtt_.translate(address, part);
    length -= part;
    address = 0;
  }
  return missed;
}

}  // namespace weir
