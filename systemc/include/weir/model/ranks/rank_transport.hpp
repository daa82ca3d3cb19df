// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weir {

/// What one rank sends another: bytes, as the sender's memory has them. All ranks run one program.
using RankMessage = std::vector<char>;

/// The messages between the processes that run one network, each a rank.
///
/// Every call but rank() and size() is made by all ranks, in the same order.
/// Errors: what fails between processes ends all of them.
class RankTransport {
 public:
  virtual ~RankTransport() = default;
  [[nodiscard]] virtual std::size_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;

  /// Sends messages[i] to the rank `neighbours[i]`, and puts in its place what that rank sends.
  virtual void exchange(const std::vector<std::size_t>& neighbours,
                        std::vector<RankMessage>& messages) = 0;
  /// The least of all ranks.
  [[nodiscard]] virtual std::uint64_t least(std::uint64_t value) = 0;
  /// By rank, what each has given; empty but at rank 0.
  [[nodiscard]] virtual std::vector<RankMessage> gather(const RankMessage& mine) = 0;
  /// The same, at every rank.
  [[nodiscard]] virtual std::vector<RankMessage> gather_everywhere(const RankMessage& mine) = 0;
  /// What rank 0 gives, at every rank.
  virtual void share(RankMessage& message) = 0;
  /// All ranks are done.
  virtual void leave() = 0;
  /// Ends all ranks at once.
  [[noreturn]] virtual void end_all(int exit_code) noexcept = 0;
};

/// A graph to be split: neighbours of node n are edges[first[n]] to edges[first[n + 1] - 1]. Each
/// edge is there from both of its ends. `shares`: the part of all weight that each part is to have.
struct RankGraph {
  std::vector<std::int32_t> first{0}, edges, edge_weights, node_weights;
  std::vector<float> shares;
};

/// What the library of ranks offers, by function; it is found by this name.
struct RankLibraryTable {
  /// Joins the ranks that were started together.
  std::unique_ptr<RankTransport> (*join)();
  /// The part of each node: parts of about their shares, with little weight between them. The same
  /// graph gives the same parts.
  std::vector<std::int32_t> (*split)(const RankGraph& graph);
  /// "Open MPI v4.1.4", for the user.
  std::string (*version)();
};
constexpr const char* rank_library_symbol = "weir_rank_library";

}  // namespace weir
