// SPDX-License-Identifier: Apache-2.0
#include <metis.h>
#include <mpi.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <ctime>
#include <limits>
#include <utility>

#include "weir/model/ranks/rank_transport.hpp"

namespace weir {
namespace {

constexpr int records_tag = 1, gather_tag = 2, share_tag = 3;

int count_of(std::size_t bytes) {
  if (std::size_t{std::numeric_limits<int>::max()} < bytes) MPI_Abort(MPI_COMM_WORLD, 3);
  return static_cast<int>(bytes);
}

// Others use the processor too, perhaps the rank that is waited for: MPI would spin.
template <class Done>
void wait_until(Done&& done) {
  constexpr int spins = 2'000;
  constexpr timespec nap{0, 2'000};
  for (int i = 0; !done(); ++i)
    if (spins < i) nanosleep(&nap, nullptr);
}

void wait_for(MPI_Request& request) {
  wait_until([&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

// The next message of a rank.
RankMessage received_from(std::size_t rank, int tag) {
  MPI_Status status;
  wait_until([&] {
    int there = 0;
    MPI_Iprobe(static_cast<int>(rank), tag, MPI_COMM_WORLD, &there, &status);
    return there != 0;
  });
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  RankMessage message(static_cast<std::size_t>(bytes));
  MPI_Recv(message.data(), bytes, MPI_BYTE, static_cast<int>(rank), tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return message;
}

class MpiTransport final : public RankTransport {
 public:
  MpiTransport() {
    int given = 0;
    prctl(PR_SET_TIMERSLACK, 1UL);  // a nap is as short as it says
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
    std::vector<MPI_Request> sent;
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      sent.push_back(send(messages[i], neighbours[i], records_tag));
    std::vector<RankMessage> come;
    for (const std::size_t neighbour : neighbours)
      come.push_back(received_from(neighbour, records_tag));
    for (MPI_Request& request : sent) wait_for(request);
    messages.swap(come);
  }

  [[nodiscard]] std::uint64_t least(std::uint64_t value) override {
    std::uint64_t result = 0;
    MPI_Request request;
    MPI_Iallreduce(&value, &result, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD, &request);
    wait_for(request);
    return result;
  }

  [[nodiscard]] std::vector<RankMessage> gather(const RankMessage& mine) override {
    if (rank_ != 0) {
      MPI_Request request = send(mine, 0, gather_tag);
      wait_for(request);
      return {};
    }
    std::vector<RankMessage> all{mine};
    for (std::size_t rank = 1; rank < size_; ++rank) all.push_back(received_from(rank, gather_tag));
    return all;
  }

  [[nodiscard]] std::vector<RankMessage> gather_everywhere(const RankMessage& mine) override {
    std::vector<RankMessage> all = gather(mine);
    all.resize(size_);
    for (RankMessage& message : all) share(message);
    return all;
  }

  void share(RankMessage& message) override {
    if (rank_ != 0) {
      message = received_from(0, share_tag);
      return;
    }
    std::vector<MPI_Request> sent;
    for (std::size_t rank = 1; rank < size_; ++rank) sent.push_back(send(message, rank, share_tag));
    for (MPI_Request& request : sent) wait_for(request);
  }

  void leave() override { MPI_Finalize(); }
  [[noreturn]] void end_all(int exit_code) noexcept override {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
  }

 private:
  static MPI_Request send(const RankMessage& message, std::size_t rank, int tag) {
    MPI_Request request;
    MPI_Isend(message.data(), count_of(message.size()), MPI_BYTE, static_cast<int>(rank), tag,
              MPI_COMM_WORLD, &request);
    return request;
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
