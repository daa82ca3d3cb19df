// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "weir/model/network/network.hpp"
#include "weir/model/ranks/call_order.hpp"
#include "weir/model/ranks/partition.hpp"
#include "weir/model/ranks/rank_transport.hpp"

namespace weir {

/// One process of several that run one network: it runs the switches and hosts of its part, and
/// hands frames on cut cables to the ranks at their far ends.
///
/// Every rank has all modules with all numbers, so that actors, flows, random streams and addresses
/// are the same everywhere; those of other ranks do nothing.
///
/// Nothing at the far side of a cut cable depends on a frame before its last bit. So ranks run from
/// window to window: each as far as the earliest task of all ranks and the least lookahead of the
/// cut cables, then they exchange the frames that have started.
///
/// Timing: one message to each neighbour and one reduction a window.
/// Source: docs/design/decisions/0015-ranks.md.
class NetworkRank {
 public:
  /// Cuts the cables of `network`, which is not elaborated yet.
  NetworkRank(Network& network, RankTransport& transport, Partition partition);
  ~NetworkRank();
  NetworkRank(const NetworkRank&) = delete;
  NetworkRank& operator=(const NetworkRank&) = delete;

  /// After elaboration: runs the network to the end of its scenario. After each window `watch` gets
  /// how far the run is; when it returns true at any rank, the run of all ranks ends.
  void run(const std::function<bool(Picoseconds)>& watch);

  /// From a task that every rank runs: frames that others have started before it are here.
  void meet();
  /// By rank, what each gives; from such a task.
  [[nodiscard]] std::vector<RankMessage> gather_everywhere(const RankMessage& mine) {
    return transport_.gather_everywhere(mine);
  }

  [[nodiscard]] bool runs_switch(std::size_t node) const {
    return partition_.of_switch[node] == transport_.rank();
  }
  [[nodiscard]] bool runs_host(std::size_t host) const {
    return partition_.of_host[host] == transport_.rank();
  }
  [[nodiscard]] const Partition& partition() const noexcept { return partition_; }
  [[nodiscard]] RankTransport& transport() noexcept { return transport_; }
  [[nodiscard]] CallOrder& order() noexcept { return order_; }
  /// The length of a window in which something happens all the time.
  [[nodiscard]] Picoseconds lookahead() const noexcept { return lookahead_; }
  [[nodiscard]] std::uint64_t windows() const noexcept { return windows_; }

 private:
  class CutEnd;
  struct FrameRecord;

  void cut_cables();
  void silence_others();
  [[nodiscard]] std::size_t neighbour(std::size_t rank);
  void take(const FrameRecord& record);

  Network& network_;
  RankTransport& transport_;
  const Partition partition_;
  const Picoseconds lookahead_;
  CallOrder order_;
  std::vector<std::size_t> neighbours_;  // ranks, ascending
  std::vector<RankMessage> messages_;    // to them
  std::vector<std::unique_ptr<CutEnd>> ends_;
  std::uint64_t windows_{0};
};

}  // namespace weir
