// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/headroom_adversary.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <sstream>

#include "probe/probe_run.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/headroom/cell_packing.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/headroom_cast.hpp"
#include "weir/model/probe/run_in_child.hpp"

namespace weir {
namespace {

using Group = HeadroomCast::Group;

constexpr Bytes shortest = min_frame_bytes;
constexpr std::uint64_t endless = 1ULL << 62U;

// Exactly the frames that the adversary asks for.
class ScriptSource final : public Source {
 public:
  struct Run {
    Picoseconds ready;
    Bytes length;
    std::uint64_t count;
    Priority priority;
    HostId destination;
  };
  void add(const Run& run) { runs_.push_back(run); }

  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return runs_.empty() ? never : runs_.front().ready;
  }
  [[nodiscard]] Priority priority() const noexcept override { return runs_.front().priority; }
  SourcePacket take(Picoseconds) override {
    Run& run = runs_.front();
    const SourcePacket packet{run.ready, run.length, run.destination, run.priority};
    if (--run.count == 0) runs_.pop_front();
    return packet;
  }

 private:
  std::deque<Run> runs_;
};

// A host on every port.
Scenario battlefield(const AttackSetting& setting) {
  Scenario scenario;
  scenario.name = "headroom adversary";
  scenario.until = probe_end;
  scenario.switches.push_back({"switch", setting.chip});
  scenario.switches.front().chip.classifier = {};  // the attack says which class a frame has
  for (std::size_t port = 0; port < setting.chip.ports.size(); ++port) {
    HostSpec host;
    host.name = "host[" + std::to_string(port) + "]";
    host.rate = setting.chip.ports[port].rate;
    host.response = setting.chip.ports[port].response;
    scenario.hosts.push_back(host);
    LinkSpec link;
    link.a = {true, port, PortId{0}};
    link.b = {false, 0, port_number(port)};
    link.delay = setting.propagation;
    scenario.links.push_back(link);
  }
  return scenario;
}

// Directs the hosts: one packet after the other until everything is in place, then all at once.
class Adversary final : public Observer, private Actor {
 public:
  Adversary(Network& network, const AttackSetting& setting, const std::vector<Picoseconds>& windows)
      : network_{network},
        setting_{setting},
        windows_{windows},
        cast_{headroom_cast(setting.chip)},
        edges_{setting.chip.clock},
        actor_{network.agenda().enroll(*this)},
        reverse_cells_(setting.chip.ingress_pools.size() * setting.chip.domains),
        attack_of_pg_(setting.chip.ports.size() * priorities, none) {
    for (std::size_t port = 0; port < network.host_count(); ++port) {
      auto source = std::make_unique<ScriptSource>();
      sources_.push_back(source.get());
      network.host(port).add_source(std::move(source), 0);
      transmitter(port_number(port)).enable(false, Picoseconds{0});
    }
    for (std::size_t i = 0; i < cast_.attacked.size(); ++i) {
      attack_of_pg_[index_of(cast_.attacked[i])] = i;
      result_.pgs.push_back({cast_.attacked[i].port, cast_.attacked[i].pg, {}, {}, 0});
    }
    network.watch(*this);
    prepare_next(Picoseconds{0});
  }

  /// The result once nothing can change any more.
  [[nodiscard]] std::optional<AttackResult> result() {
    if (paused_ != cast_.attacked.size() || network_.now() < last_bit_) return std::nullopt;
    for (AttackedPg& pg : result_.pgs) {
      const PgCounters& counters = mmu().stats().pg(pg_index(pg.port, pg.pg));
      pg.peak = counters.headroom_watermark;
      pg.drops = counters.dropped();
    }
    for (std::size_t port = 0; port < chip().ports.size(); ++port)
      result_.port_fifo_drops += network_.switch_at(0).counters(port_number(port)).port_fifo_drops;
    return result_;
  }
  /// Shows that the attack still moves.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void verdict(const std::string&, const Frame& frame, const Verdict& verdict,
               Picoseconds visible) override {
    ++steps_;
    if (!attacking_) return count_preparation(frame, verdict, visible);
    const std::size_t attack = attack_of_pg_[pg_of(frame)];
    if (attack == none || !verdict.pfc.changed || !verdict.pfc.xoff) return;
    const Picoseconds request = edges_.later(visible, Cycle{chip().pfc_latency});
    agenda().post(std::max(saturating_subtract(request, setting_.before_request), agenda().now()),
                  Rank::input, actor_, reverse_task, attack);
  }

  void pfc_received(const std::string& node, PortId, const PfcFrame& frame,
                    Picoseconds time) override {
    for (std::size_t i = 0; i < cast_.attacked.size(); ++i) {
      AttackedPg& pg = result_.pgs[i];
      const std::size_t port = pg.port.count();
      const std::size_t priority = cast_.attacked[i].priority.count();
      if (network_.scenario().hosts[port].name != node || pg.window != Picoseconds{} ||
          (frame.class_enable >> priority & 1U) == 0)
        continue;
      const Picoseconds holds = time + chip().ports[port].response;
      pg.window = saturating_subtract(holds, next_start_[i]);
      ++paused_;
      last_bit_ = std::max(last_bit_, holds + setting_.propagation + largest_slot(port) +
                                          chip().clock.max_time(Cycle{1000}));
    }
  }

 private:
  enum Task : std::uint32_t { reverse_task };
  enum class Stage : std::uint8_t { reverse, fill, fill_up, collapse, collapse_up, point, done };
  static constexpr std::size_t none = ~std::size_t{0};

  [[nodiscard]] const Chip& chip() const { return setting_.chip; }
  [[nodiscard]] Agenda& agenda() { return network_.agenda(); }
  [[nodiscard]] const Mmu& mmu() const { return network_.switch_at(0).mmu.core(); }
  [[nodiscard]] MacTx& transmitter(PortId port) { return network_.switch_at(0).port(port).tx; }
  [[nodiscard]] static PgIndex index_of(const Group& group) {
    return pg_index(group.port, group.pg);
  }
  [[nodiscard]] Picoseconds byte_of(std::size_t port) const {
    return byte_time(chip().ports[port].rate);
  }
  [[nodiscard]] Picoseconds largest_slot(std::size_t port) const {
    return slot_time(chip().mtu.count(), byte_of(port));
  }

  void act(Picoseconds now, std::uint32_t, std::uint64_t attack) override {
    transmitter(cast_.attacked[attack].port).enable(true, now);
  }

  void send(const Group& from, PortId to, Bytes length, Picoseconds ready,
            std::uint64_t count = 1) {
    sources_[from.port.count()]->add(
        {ready, length, count, from.priority, static_cast<HostId>(to.count())});
    if (network_.now() != Picoseconds{} || attacking_ || started_)
      network_.host(from.port.count()).look_again(agenda().now());
  }

  // Would a packet of `length` leave the PG at or above its threshold, or send cells to headroom?
  [[nodiscard]] bool would_cross(const Group& group, Bytes length) const {
    const PgSettings& settings = mmu().settings_of(index_of(group));
    const Placement& held = mmu().ingress().pg(index_of(group));
    const Cells used = mmu().ingress().pool(settings.pool_domain).shared;
    const Cells rest = saturating_subtract(
        chip().cells(length), saturating_subtract(settings.private_limit, held.private_cells));
    if (rest == Cells{})
      return held.shared != Cells{} && settings.threshold.at(used) <= held.shared;
    return settings.threshold.at(used) <= held.shared || settings.shared_pool < used + rest ||
           settings.threshold.at(used + rest) <= held.shared + rest;
  }

  // Whatever comes next goes to headroom, even when the reverse frames have left.
  [[nodiscard]] bool collapsed(const Group& group) const {
    const PgSettings& settings = mmu().settings_of(index_of(group));
    const Cells used = saturating_subtract(mmu().ingress().pool(settings.pool_domain).shared,
                                           reverse_cells_[settings.pool_domain]);
    return settings.threshold.at(used) <= mmu().ingress().pg(index_of(group)).shared;
  }
  [[nodiscard]] bool all_collapsed() const {
    return std::all_of(cast_.attacked.begin(), cast_.attacked.end(),
                       [&](const Group& group) { return collapsed(group); });
  }

  // The next packet of the preparation is on its way at `when`, or the attack begins.
  void prepare_next(Picoseconds when) {
    while (stage_ != Stage::done && !prepare(when)) {
      stage_ = static_cast<Stage>(static_cast<unsigned>(stage_) + 1);
      turn_ = 0;
    }
    started_ = true;
    if (stage_ == Stage::done) begin_attack(when);
  }

  bool prepare(Picoseconds when) {
    switch (stage_) {
      case Stage::reverse:
        return wait_in_transmitter(when);
      case Stage::fill:
        return fill(cast_.attacked, chip().mtu, when);
      case Stage::fill_up:
        return fill(cast_.attacked, shortest, when);
      case Stage::collapse:
        return !all_collapsed() && fill(cast_.helpers, chip().mtu, when);
      case Stage::collapse_up:
        return !all_collapsed() && fill(cast_.helpers, shortest, when);
      case Stage::point:
        return set_pointer(when);
      default:
        return false;
    }
  }

  bool wait_in_transmitter(Picoseconds when) {
    if (turn_ == cast_.reverse.size()) return false;
    send(cast_.reverse[turn_], cast_.attacked[turn_].port, chip().mtu, when);
    ++turn_;
    return true;
  }

  // In turns, one packet to the next PG that has room for it; false when none has.
  bool fill(const std::vector<Group>& groups, Bytes length, Picoseconds when) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[(turn_ + i) % groups.size()];
      if (would_cross(group, length)) continue;
      turn_ = (turn_ + i + 1) % groups.size();
      send(group, cast_.sink, length, when);
      return true;
    }
    return false;
  }

  // One more packet from an attacked port: the arbiter's pointer is then after it, and its
  // next request is the last of a round.
  bool set_pointer(Picoseconds when) {
    if (turn_ == cast_.attacked.size()) return false;
    const Group& first = cast_.attacked[turn_++];
    const auto same_domain = [&](const Group& g) {
      return chip().ports[g.port.count()].domain == chip().ports[first.port.count()].domain;
    };
    while (turn_ < cast_.attacked.size() && same_domain(cast_.attacked[turn_])) ++turn_;
    const auto other = other_class_of(chip(), first.port, first.priority);
    if (!other || would_cross(*other, shortest)) return prepare(when);
    send(*other, cast_.sink, shortest, when);
    return true;
  }

  void count_preparation(const Frame& frame, const Verdict& verdict, Picoseconds visible) {
    const PgIndex pg = pg_of(frame);
    if (!verdict.admitted() || verdict.pfc.xoff)
      throw ModelError("headroom adversary: PG " + std::to_string(pg.value()) +
                       " was XOFF or refused a packet before the attack");
    if (stage_ == Stage::reverse)
      reverse_cells_[mmu().settings_of(pg).pool_domain] += verdict.placement.shared;
    prepare_next(visible);
  }

  void begin_attack(Picoseconds now) {
    attacking_ = true;
    Picoseconds lead;  // from now until every host can have its last bit here
    for (std::size_t port = 0; port < chip().ports.size(); ++port)
      lead = std::max(lead, setting_.propagation + largest_slot(port) * 2);
    const Picoseconds hit =
        edges_.later(edges_.time_at_or_after(now + lead), Cycle{chip().threshold_lag + 1ULL}) +
        setting_.after_edge;
    next_start_.resize(cast_.attacked.size());
    for (std::size_t i = 0; i < cast_.attacked.size(); ++i) trigger(i, hit);
    for (const Group& helper : cast_.helpers) compete(helper, hit);
  }

  void trigger(std::size_t i, Picoseconds hit) {
    const Group& group = cast_.attacked[i];
    const std::size_t port = group.port.count();
    const Picoseconds start =
        hit - setting_.propagation - frame_time(chip().mtu.count(), byte_of(port));
    next_start_[i] = start + largest_slot(port);
    send(group, cast_.sink, chip().mtu, start);
    if (windows_.empty() || windows_[i] == Picoseconds{}) return;
    const Picoseconds last = next_start_[i] + windows_[i] - Picoseconds{1};
    const Bytes wire{(last - next_start_[i]).count() / byte_of(port).count()};
    for (const FrameRun& run :
         densest_frames(wire, {chip().mtu, chip().cell, chip().cell_overhead}))
      send(group, cast_.sink, run.length, start, run.count);
    send(group, cast_.sink, chip().mtu, last);
    send(group, cast_.sink, shortest, last, endless);
  }

  // A port that is not attacked asks for a slot at the same moment.
  void compete(const Group& helper, Picoseconds hit) {
    const bool attacked = std::any_of(cast_.attacked.begin(), cast_.attacked.end(),
                                      [&](const Group& g) { return g.port == helper.port; });
    if (attacked || would_cross(helper, shortest)) return;
    send(helper, cast_.sink, shortest,
         hit - setting_.propagation - frame_time(shortest.count(), byte_of(helper.port.count())));
  }

  Network& network_;
  const AttackSetting& setting_;
  const std::vector<Picoseconds>& windows_;
  const HeadroomCast cast_;
  const ClockEdges edges_;
  const Agenda::ActorId actor_;
  std::vector<ScriptSource*> sources_;             // by port; the hosts own them
  IndexedVector<PoolIndex, Cells> reverse_cells_;  // shared cells of reverse frames
  IndexedVector<PgIndex, std::size_t> attack_of_pg_;
  std::vector<Picoseconds> next_start_;  // by attack: when the peer may follow its trigger
  Stage stage_{Stage::reverse};
  std::size_t turn_{0};
  bool started_{false}, attacking_{false};
  std::size_t paused_{0};
  Picoseconds last_bit_;  // nothing comes in after it
  std::uint64_t steps_{0};
  AttackResult result_;
};

// From one step of the attack to the next: a largest frame, another in its way, and the response of
// the peer.
Picoseconds slowest_answer(const Chip& chip) {
  Picoseconds slowest;
  for (const PortSetting& port : chip.ports)
    slowest =
        std::max(slowest, slot_time(chip.mtu.count(), byte_time(port.rate)) * 2 + port.response);
  return slowest;
}

}  // namespace

AttackResult run_attack(const AttackSetting& setting, const std::vector<Picoseconds>& windows) {
  Network network{battlefield(setting)};
  Adversary adversary{network, setting, windows};
  const Picoseconds look = probe_slice + setting.propagation * 2 + slowest_answer(setting.chip);
  while (true) {
    const std::uint64_t before = adversary.steps();
    network.run_until(network.now() + look);
    if (const auto result = adversary.result()) return *result;
    if (adversary.steps() == before)
      throw ModelError("headroom adversary: nothing happens since " +
                       std::to_string(network.now().count()) + " ps");
  }
}

AttackResult attack(const AttackSetting& setting) {
  const AttackResult measured =
      attack_result_from(run_in_child([&] { return to_text(run_attack(setting)); }));
  std::vector<Picoseconds> windows;
  for (const AttackedPg& pg : measured.pgs) windows.push_back(pg.window);
  return attack_result_from(run_in_child([&] { return to_text(run_attack(setting, windows)); }));
}

Chip with_headroom(Chip chip, Cells headroom) {
  chip.memory = Cells{};
  for (Pool& pool : chip.ingress_pools) {
    pool.dedicated_headroom = true;
    pool.headroom = Cells{};
  }
  for (Profile& profile : chip.profiles) {
    if (!profile.lossless) continue;
    profile.headroom = headroom;
    profile.headroom_request.reset();
  }
  return chip;
}

std::string to_text(const AttackResult& result) {
  std::ostringstream text;
  text << result.port_fifo_drops << ' ' << result.pgs.size();
  for (const AttackedPg& pg : result.pgs)
    text << ' ' << pg.port.count() << ' ' << +pg.pg.count() << ' ' << pg.window.count() << ' '
         << pg.peak.count() << ' ' << pg.drops;
  return text.str();
}

AttackResult attack_result_from(const std::string& text) {
  std::istringstream in{text};
  AttackResult result;
  std::size_t pgs = 0;
  in >> result.port_fifo_drops >> pgs;
  for (std::size_t i = 0; i < pgs && in; ++i) {
    std::uint64_t port = 0, pg = 0, window = 0, peak = 0, drops = 0;
    in >> port >> pg >> window >> peak >> drops;
    result.pgs.push_back({PortId{static_cast<std::uint16_t>(port)},
                          Priority{static_cast<std::uint8_t>(pg)}, Picoseconds{window},
                          Cells{static_cast<std::uint32_t>(peak)}, drops});
  }
  if (!in || result.pgs.size() != pgs) throw ModelError("headroom adversary: unreadable result");
  return result;
}

}  // namespace weir
