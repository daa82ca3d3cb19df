// SPDX-License-Identifier: Apache-2.0
#include "weir/model/ranks/network_rank.hpp"

#include <algorithm>
#include <set>

#include "weir/model/ranks/frame_fields.hpp"
#include "weir/model/ranks/rank_message.hpp"

namespace weir {
namespace {

// What a rank without a task says, and one that is asked to end.
constexpr std::uint64_t nothing_waits = ~std::uint64_t{0}, end_now = 0;

}  // namespace

/// A frame on a cut cable.
struct NetworkRank::FrameRecord {
  CallPlace sent;         ///< Where its sender handed it over.
  Picoseconds first_bit;  ///< Leaves the cable.
  std::uint32_t link;
  bool backwards;  ///< From b to a.
  FrameFields frame;
};

/// The entrance of a cut cable.
class NetworkRank::CutEnd final : public FrameReceiver {
 public:
  CutEnd(NetworkRank& rank, std::size_t neighbour, std::size_t link, bool backwards)
      : rank_{rank}, neighbour_{neighbour}, link_{link}, backwards_{backwards} {}

  void receive(Frame& frame, const sc_core::sc_time& delay) override {
    const FrameRecord record{rank_.order_.next(), rank_.network_.agenda().moment(delay),
                             static_cast<std::uint32_t>(link_), backwards_, FrameFields::of(frame)};
    RankWriter{rank_.messages_[neighbour_]}.raw(record);
    frame.release();
  }

 private:
  NetworkRank& rank_;
  const std::size_t neighbour_, link_;
  const bool backwards_;
};

NetworkRank::NetworkRank(Network& network, RankTransport& transport, Partition partition)
    : network_{network},
      transport_{transport},
      partition_{std::move(partition)},
      lookahead_{lookahead_of(network.scenario(), partition_)},
      order_{network.agenda()} {
  cut_cables();
  silence_others();
  network.share_with(*this);
}

NetworkRank::~NetworkRank() = default;

void NetworkRank::cut_cables() {
  const std::vector<LinkSpec>& links = network_.scenario().links;
  const std::size_t own = transport_.rank();
  std::set<std::size_t> others;
  for (const LinkSpec& link : links) {
    if (!partition_.cuts(link)) continue;
    if (partition_.of(link.a) == own) others.insert(partition_.of(link.b));
    if (partition_.of(link.b) == own) others.insert(partition_.of(link.a));
  }
  neighbours_.assign(others.begin(), others.end());
  messages_.resize(neighbours_.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!partition_.cuts(links[i])) continue;
    const std::size_t a = partition_.of(links[i].a), b = partition_.of(links[i].b);
    if (a != own && b != own) continue;
    ends_.push_back(std::make_unique<CutEnd>(*this, neighbour(a == own ? b : a), i, b == own));
    (b == own ? network_.link(i).b_to_a : network_.link(i).a_to_b).cut(*ends_.back());
  }
}

std::size_t NetworkRank::neighbour(std::size_t rank) {
  return static_cast<std::size_t>(std::lower_bound(neighbours_.begin(), neighbours_.end(), rank) -
                                  neighbours_.begin());
}

void NetworkRank::silence_others() {
  for (std::size_t i = 0; i < network_.switch_count(); ++i)
    if (!runs_switch(i)) network_.silence_switch(i);
  for (std::size_t i = 0; i < network_.host_count(); ++i)
    if (!runs_host(i)) network_.silence_host(i);
}

void NetworkRank::meet() {
  transport_.exchange(neighbours_, messages_);
  for (RankMessage& message : messages_) {
    for (RankReader records{message}; !records.done();) take(records.raw<FrameRecord>());
    message.clear();
  }
}

void NetworkRank::take(const FrameRecord& record) {
  Frame& frame = *network_.frames().take();
  record.frame.write_to(frame);
  order_.enter(record.sent);
  Link& link = network_.link(record.link);
  (record.backwards ? link.b_to_a : link.a_to_b)
      .arrive(frame, network_.agenda().ahead_of_kernel(record.first_bit));
  order_.leave();
}

void NetworkRank::run(const std::function<bool(Picoseconds)>& watch) {
  Agenda& agenda = network_.agenda();
  const Picoseconds end = network_.scenario().until;
  bool end_wanted = false;
  Picoseconds reached;
  agenda.hold();
  while (!network_.stopped()) {
    const std::uint64_t own =
        end_wanted ? end_now : agenda.next().value_or(Picoseconds{nothing_waits}).count();
    const Picoseconds next{transport_.least(own)};
    if (next == Picoseconds{end_now} && reached != Picoseconds{})
      return agenda.interrupt_at(reached);
    if (end <= next) break;
    reached = end - next < lookahead_ ? end : next + lookahead_;
    agenda.run_before(reached);
    meet();
    ++windows_;
    end_wanted = watch(reached);
  }
  network_.run_until(end);  // the kernel's time follows
}

}  // namespace weir
