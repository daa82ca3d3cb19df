// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/ranks/call_replay.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "ranks/call_records.hpp"
#include "ranks/mirror_mmu.hpp"
#include "weir/model/ranks/network_rank.hpp"
#include "weir/model/ranks/rank_message.hpp"

namespace weir {

using namespace records;

namespace {

/// A record where it lies.
struct Found {
  CallPlace place;
  std::uint32_t kind;
  const char* body;
};

constexpr std::size_t kinds = std::tuple_size_v<All>;

template <std::size_t... at>
constexpr std::array<std::size_t, kinds> sizes_of(std::index_sequence<at...>) {
  return {sizeof(std::tuple_element_t<at, All>)...};
}
constexpr auto size_of_kind = sizes_of(std::make_index_sequence<kinds>{});

bool before(const Found& a, const Found& b) noexcept { return a.place < b.place; }

// In order. They nearly always are: only a frame on a cut cable can bring a call that belongs
// further ahead.
std::vector<Found> records_of(const RankMessage& message) {
  std::vector<Found> found;
  for (RankReader reader{message}; !reader.done();) {
    const auto head = reader.raw<Head>();
    found.push_back({head.place, head.kind, reader.at()});
    reader.skip(size_of_kind.at(head.kind));
  }
  if (!std::is_sorted(found.begin(), found.end(), before))
    std::stable_sort(found.begin(), found.end(), before);
  return found;
}

}  // namespace

/// Calls the observers for one record after the other.
class CallReplay::Player {
 public:
  Player(Network& network, Observers& observers) : network_{network}, observers_{observers} {
    for (const SwitchSpec& spec : network.scenario().switches) names_.push_back(&spec.name);
    for (const HostSpec& spec : network.scenario().hosts) names_.push_back(&spec.name);
    mirrors_.resize(network.switch_count());
    frames_.resize(network.rank()->partition().ranks);
  }

  void play(const VerdictGiven& r) {
    mirror(r.node).show_port_off(r.port_off);
    const Frame& frame = frame_of(r.frame);
    observers_.notify_verdict_readers(
        [&](Observer& o) { o.verdict(name(r.node), frame, r.verdict, r.time); });
  }
  void play(const CopyQueued& r) {
    const Frame& frame = frame_of(r.frame);
    observers_.notify_verdict_readers(
        [&](Observer& o) { o.copy_queued(name(r.node), frame, r.visible); });
  }
  void play(const Refused& r) {
    const Frame& frame = frame_of(r.frame);
    observers_.notify([&](Observer& o) { o.refused(name(r.node), frame, r.verdict, r.time); });
  }
  void play(const MacDropped& r) {
    const Frame& frame = frame_of(r.frame);
    observers_.notify(
        [&](Observer& o) { o.mac_drop(name(r.node), frame, r.port, r.reason, r.time); });
  }
  void play(const FcsError& r) {
    observers_.notify([&](Observer& o) { o.fcs_error(name(r.node), r.port, r.time); });
  }
  void play(const WatchdogActed& r) {
    observers_.notify(
        [&](Observer& o) { o.watchdog(name(r.node), r.port, r.classes, r.event, r.time); });
  }
  void play(const Level& r) {
    mirror(r.node).show_threshold(r.threshold);
    observers_.notify([&](Observer& o) { o.level(name(r.node), r.port, r.pg, r.xoff, r.time); });
  }
  void play(const PfcSent& r) {
    observers_.notify([&](Observer& o) { o.pfc_sent(name(r.node), r.port, r.frame, r.time); });
  }
  void play(const PfcReceived& r) {
    observers_.notify([&](Observer& o) { o.pfc_received(name(r.node), r.port, r.frame, r.time); });
  }
  void play(const Delivered& r) {
    const Frame& frame = frame_of(r.frame);
    observers_.notify([&](Observer& o) { o.delivered(name(r.node), frame, r.last_bit); });
  }
  void play(const PortSampled& r) {
    const PortSample sample{name(r.node), r.port,         r.priority, r.counts,
                            r.pause,      r.queue_frames, r.held};
    observers_.notify([&](Observer& o) { o.port_sample(sample, r.time); });
  }
  void play(const PoolSampled& r) {
    const Chip& chip = network_.scenario().switches[r.node].chip;
    const PoolSample sample{name(r.node), chip.ingress_pools[pool_number(chip, r.row)].name,
                            domain_of(chip, r.row), r.use};
    observers_.notify([&](Observer& o) { o.pool_sample(sample, r.time); });
  }
  void play(const QueueSampled& r) {
    const Chip& chip = network_.scenario().switches[r.node].chip;
    const WredProfileIndex profile =
        network_.switch_at(r.node).mmu.core().marker()->profile_of(r.queue);
    const QueueSample sample{name(r.node), r.queue, chip.wred_profiles[profile], r.waiting,
                             r.counters};
    observers_.notify([&](Observer& o) { o.queue_sample(sample, r.time); });
  }
  void play(const RateSampled& r) {
    const RateSample sample{name(r.node), network_.scenario().hosts[r.rate.peer].name, r.rate};
    observers_.notify([&](Observer& o) { o.rate_sample(sample, r.time); });
  }
  void play(const Stepped& r) {
    MirrorMmu& shown = mirror(r.node);
    shown.show(r.pg, r.held, r.use, r.xoff);
    observers_.notify_step_readers(
        [&](Observer& o) { o.stepped(name(r.node), shown.mmu(), r.pg, r.edge); });
  }
  void play(const Waiting& r) {
    observers_.notify_detail_readers(
        [&](Observer& o) { o.waiting(name(r.node), r.queue, r.q, r.time); });
  }
  void play(const FrameStarted& r) {
    const Frame& frame = frame_of(r.frame);
    observers_.notify_detail_readers(
        [&](Observer& o) { o.frame_started(name(r.node), r.port, frame, r.start); });
  }
  void play(const MessageBegins& r) { network_.message_meter()->begins(r.flow, r.sender, r.start); }
  void play(const BeginsOnConnection& r) {
    network_.message_meter()->begins_on_connection(r.flow, r.created);
  }
  void play(const Completes& r) {
    network_.message_meter()->completes(frame_of(r.last), r.size, r.when);
  }
  void play(const PingRequested& r) { network_.pingmesh()->account().requested(r.way, r.due); }
  void play(const PingAnswered& r) { network_.pingmesh()->account().answered(r.host, r.request); }
  void play(const Own& r) { observers_.notify(own_->own_call(r.number)); }

  void play_those_of(const CallRecorder& own) noexcept { own_ = &own; }
  /// The record of this kind that lies at `body`, written by `rank`.
  void play(std::size_t rank, std::uint32_t kind, const char* body) {
    rank_ = rank;
    static const auto players = table(std::make_index_sequence<kinds>{});
    (this->*players.at(kind))(body);
  }

 private:
  using Play = void (Player::*)(const char* body);
  template <std::size_t... at>
  [[nodiscard]] static std::array<Play, kinds> table(std::index_sequence<at...>) {
    return {&Player::play_as<std::tuple_element_t<at, All>>...};
  }
  template <class Record>
  void play_as(const char* body) {
    alignas(Record) std::array<char, sizeof(Record)> copy;
    std::memcpy(copy.data(), body, sizeof(Record));
    play(*reinterpret_cast<const Record*>(copy.data()));
  }

  [[nodiscard]] const std::string& name(std::uint32_t node) const { return *names_[node]; }
  // Observers know a frame by its address.
  [[nodiscard]] const Frame& frame_of(const FrameFields& fields) {
    Frame& frame = frames_[rank_][fields.identity];
    fields.write_to(frame);
    return frame;
  }
  [[nodiscard]] MirrorMmu& mirror(std::uint32_t node) {
    if (!mirrors_[node])
      mirrors_[node] = std::make_unique<MirrorMmu>(network_.scenario().switches[node].chip);
    return *mirrors_[node];
  }

  Network& network_;
  Observers& observers_;
  const CallRecorder* own_{nullptr};
  std::vector<const std::string*> names_;
  std::vector<std::unique_ptr<MirrorMmu>> mirrors_;               // those that were asked for
  std::size_t rank_{0};                                           // of the record that is played
  std::vector<std::unordered_map<std::uint64_t, Frame>> frames_;  // by rank and identity
};

CallReplay::CallReplay(Network& network)
    : network_{network}, player_{std::make_unique<Player>(network, observers_)} {}

CallReplay::~CallReplay() = default;

CallsWanted CallReplay::wanted() const {
  const MessageMeter* const meter = network_.message_meter();
  return {observers_.has_verdict_readers(), observers_.has_detail_readers(),
          observers_.has_step_readers(),
          network_.pingmesh() != nullptr || (meter != nullptr && meter->wants_packets())};
}

void CallReplay::replay(const std::vector<RankMessage>& messages, const CallRecorder& own) {
  player_->play_those_of(own);
  std::vector<std::vector<Found>> ranks;
  ranks.reserve(messages.size());
  for (const RankMessage& message : messages) ranks.push_back(records_of(message));
  std::vector<std::size_t> next(ranks.size(), 0);
  for (;;) {
    const Found* first = nullptr;
    std::size_t of = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      if (next[rank] == ranks[rank].size()) continue;
      const Found& candidate = ranks[rank][next[rank]];
      if (first != nullptr && !before(candidate, *first)) continue;
      first = &candidate;
      of = rank;
    }
    if (first == nullptr) return;
    player_->play(of, first->kind, first->body);
    ++next[of];
  }
}

}  // namespace weir
