// SPDX-License-Identifier: Apache-2.0
#include <metis.h>
#include <mpi.h>

#include <cstdlib>
#include <limits>

#include "weir/model/ranks/rank_transport.hpp"

namespace weir {
namespace {

constexpr int records_tag = 1;

int count_of(std::size_t bytes) {
  if (std::size_t{std::numeric_limits<int>::max()} < bytes) MPI_Abort(MPI_COMM_WORLD, 3);
  return static_cast<int>(bytes);
}

class MpiTransport final : public RankTransport {
 public:
  MpiTransport() {
    int given = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<std::size_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<std::size_t>(number);
  }

  [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::size_t size() const noexcept override { return size_; }

  void exchange(const std::vector<std::size_t>& neighbours,
                std::vector<RankMessage>& messages) override {
    std::vector<MPI_Request> sent(neighbours.size());
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      MPI_Isend(messages[i].data(), count_of(messages[i].size()), MPI_BYTE,
                static_cast<int>(neighbours[i]), records_tag, MPI_COMM_WORLD, &sent[i]);
    std::vector<RankMessage> come(neighbours.size());
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      MPI_Status status;
      int bytes = 0;
      MPI_Probe(static_cast<int>(neighbours[i]), records_tag, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      come[i].resize(static_cast<std::size_t>(bytes));
      MPI_Recv(come[i].data(), bytes, MPI_BYTE, static_cast<int>(neighbours[i]), records_tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(static_cast<int>(sent.size()), sent.data(), MPI_STATUSES_IGNORE);
    messages.swap(come);
  }

  [[nodiscard]] std::uint64_t least(std::uint64_t value) override {
    std::uint64_t result = 0;
    MPI_Allreduce(&value, &result, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return result;
  }

  [[nodiscard]] std::vector<RankMessage> gather(const RankMessage& mine) override {
    std::vector<int> counts(rank_ == 0 ? size_ : 0), places(counts.size());
    const int own = count_of(mine.size());
    MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    RankMessage all = room_for(counts, places);
    MPI_Gatherv(mine.data(), own, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, 0,
                MPI_COMM_WORLD);
    return cut_up(all, counts, places);
  }

  [[nodiscard]] std::vector<RankMessage> gather_everywhere(const RankMessage& mine) override {
    std::vector<int> counts(size_), places(size_);
    const int own = count_of(mine.size());
    MPI_Allgather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    RankMessage all = room_for(counts, places);
    MPI_Allgatherv(mine.data(), own, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
    return cut_up(all, counts, places);
  }

  void share(RankMessage& message) override {
    std::uint64_t bytes = message.size();
    MPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    message.resize(bytes);
    MPI_Bcast(message.data(), count_of(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
  }

  void leave() override { MPI_Finalize(); }
  [[noreturn]] void end_all(int exit_code) noexcept override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  static RankMessage room_for(const std::vector<int>& counts, std::vector<int>& places) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      places[i] = count_of(bytes);
      bytes += static_cast<std::size_t>(counts[i]);
    }
    return RankMessage(static_cast<std::size_t>(count_of(bytes)));
  }
  static std::vector<RankMessage> cut_up(const RankMessage& all, const std::vector<int>& counts,
                                         const std::vector<int>& places) {
    std::vector<RankMessage> messages;
    for (std::size_t i = 0; i < counts.size(); ++i)
      messages.emplace_back(all.begin() + places[i], all.begin() + places[i] + counts[i]);
    return messages;
  }

  std::size_t rank_{0}, size_{1};
};

std::unique_ptr<RankTransport> join() { return std::make_unique<MpiTransport>(); }

std::vector<std::int32_t> split(const RankGraph& graph) {
  static_assert(sizeof(idx_t) == sizeof(std::int32_t) && sizeof(real_t) == sizeof(float));
  std::vector<std::int32_t> part(graph.node_weights.size(), 0);
  auto nodes = static_cast<idx_t>(part.size()), parts = static_cast<idx_t>(graph.shares.size());
  if (parts == 1) return part;
  RankGraph mine = graph;  // METIS takes no const
  idx_t constraints = 1, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  METIS_PartGraphKway(&nodes, &constraints, mine.first.data(), mine.edges.data(),
                      mine.node_weights.data(), nullptr, mine.edge_weights.data(), &parts,
                      mine.shares.data(), nullptr, options, &cut, part.data());
  return part;
}

std::string version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all{text, static_cast<std::size_t>(length)};
  return all.substr(0, all.find(','));
}

}  // namespace
}  // namespace weir

extern "C" {
extern const weir::RankLibraryTable weir_rank_library;
const weir::RankLibraryTable weir_rank_library{weir::join, weir::split, weir::version};
}
