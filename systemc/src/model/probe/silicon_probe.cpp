// SPDX-License-Identifier: Apache-2.0
#include "weir/model/probe/silicon_probe.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "probe/probe_run.hpp"
#include "weir/core/errors.hpp"
#include "weir/core/ethernet.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/probe_size.hpp"

namespace weir {
namespace {

// A host's packets, one at a time and only when the driver asks for one.
class OnDemandSource final : public Source {
 public:
  void ask(Picoseconds when, Priority priority, Bytes length, HostId destination) noexcept {
    next_ = SourcePacket{when, length, destination, priority};
    pending_ = true;
  }
  [[nodiscard]] Picoseconds ready_at() const noexcept override {
    return pending_ ? next_.created : never;
  }
  [[nodiscard]] Priority priority() const noexcept override { return next_.priority; }
  SourcePacket take(Picoseconds) override {
    pending_ = false;
    return next_;
  }

 private:
  SourcePacket next_;
  bool pending_{false};
};

// The priority that a packet must have to reach `pg`.
Priority priority_of(const Chip& chip, const ProbePg& pg) {
  for (std::uint8_t n = 0; n < priorities; ++n)
    if (chip.pg_of_priority[n] == pg.pg.count()) return Priority{n};
  throw ConfigError{"pg", std::to_string(pg.pg.count()),
                    "must be a priority group that a priority is mapped to"};
}

// A host on every port, over a link without length.
Scenario bench_of(const Chip& chip) {
  Scenario scenario;
  scenario.name = "silicon probe";
  scenario.until = probe_end;
  scenario.switches.push_back({"switch", chip});
  scenario.switches.front().chip.classifier = {};  // the driver says which class a packet has
  for (std::size_t port = 0; port < chip.ports.size(); ++port) {
    HostSpec host;
    host.name = "host[" + std::to_string(port) + "]";
    host.rate = chip.ports[port].rate;
    host.obeys_pfc = false;
    scenario.hosts.push_back(host);
    LinkSpec link;
    link.a = {true, port, PortId{0}};
    link.b = {false, 0, PortId{static_cast<std::uint16_t>(port)}};
    scenario.links.push_back(link);
  }
  return scenario;
}

// Sends, counts and decides what is sent next.
class ProbeDriver final : public Observer, private Actor {
 public:
  ProbeDriver(Network& network, const ProbeRun& run)
      : network_{network},
        run_{run},
        edges_{chip().clock},
        actor_{network.agenda().enroll(*this)},
        sources_(network.host_count(), nullptr) {
    result_.pgs.resize(run.pgs.size());
    for (const ProbePg& pg : run.pgs) {
      priority_.push_back(priority_of(chip(), pg));
      OnDemandSource*& source = sources_[pg.port.count()];
      if (source != nullptr) continue;
      auto made = std::make_unique<OnDemandSource>();
      source = made.get();
      network.host(pg.port.count()).add_source(std::move(made), 0);
    }
    transmitter().enable(false, Picoseconds{0});
    network.watch(*this);
    if (current_stage() == nullptr)
      finished_ = true;
    else
      ask_for_packet(Picoseconds{0});  // the host looks when the simulation starts
  }

  [[nodiscard]] bool finished() const noexcept { return finished_; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] const ProbeResult& result() const noexcept { return result_; }

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void verdict(const std::string&, const Frame&, const Verdict& verdict,
               Picoseconds visible) override {
    ++steps_;
    const std::size_t pg = current_stage()->turn[turn_];
    count(result_.pgs[pg], verdict);
    if (advance(verdict)) return ask_for_packet(visible).look_again(visible);
    if (run_.release_to_xon && result_.pgs[0].xoff != 0)
      agenda().post(settled(visible), Rank::edge, actor_, 0);
    else
      finished_ = true;
  }

  // The transmitter was on for one frame, which is on its way: off again.
  void delivered(const std::string&, const Frame&, Picoseconds last_bit) override {
    ++steps_;
    ++released_;
    transmitter().enable(false, agenda().now());
    agenda().post(settled(last_bit), Rank::edge, actor_, 0);
  }

  void level(const std::string&, PortId port, Priority pg, bool xoff, Picoseconds) override {
    const ProbePg& first = run_.pgs[0];
    if (port == first.port && pg == first.pg) first_is_xoff_ = xoff;
  }

 private:
  [[nodiscard]] const Chip& chip() const { return network_.switch_at(0).chip(); }
  [[nodiscard]] Agenda& agenda() { return network_.agenda(); }
  [[nodiscard]] MacTx& transmitter() { return network_.switch_at(0).port(run_.egress).tx; }
  [[nodiscard]] const ProbeStage* current_stage() const noexcept {
    return stage_ < run_.stages.size() ? &run_.stages[stage_] : nullptr;
  }
  // When the level after a step that is requested at `time` has reached every block.
  [[nodiscard]] Picoseconds settled(Picoseconds time) const {
    return edges_.later(edges_.time_at_or_after(time), Cycle{chip().admit_latency + 1ULL});
  }

  // The next packet is ready at `when`; returns the host that has it.
  Nic& ask_for_packet(Picoseconds when) {
    const std::size_t pg = current_stage()->turn[turn_];
    const std::size_t port = run_.pgs[pg].port.count();
    ++result_.pgs[pg].sent;
    sources_[port]->ask(when, priority_[pg], run_.packet, static_cast<HostId>(run_.egress.count()));
    return network_.host(port);
  }

  static void count(ProbePgResult& pg, const Verdict& verdict) {
    if (verdict.pfc.xoff && pg.xoff == 0) pg.xoff = pg.sent;
    if (Cells{0} < verdict.placement.headroom) ++pg.headroom;
    if (verdict.admitted() || pg.first_drop != 0) return;
    pg.first_drop = pg.sent;
    pg.reason = verdict.reason;
  }

  // Moves on to the next packet; false when there is none.
  bool advance(const Verdict& verdict) {
    if (verdict.reason == Reason::headroom_pool) {
      result_.pool_was_empty = true;
      if (run_.stop_when_pool_is_empty) return false;
    }
    const bool ends =
        !verdict.admitted() || (current_stage()->until == ProbeUntil::xoff && verdict.pfc.xoff);
    if (ends) {
      ++stage_;
      turn_ = 0;
    } else {
      turn_ = turn_ + 1 == current_stage()->turn.size() ? 0 : turn_ + 1;
    }
    return current_stage() != nullptr;
  }

  // Everything before has taken effect: XON reached, or one more packet is let go.
  void act(Picoseconds now, std::uint32_t, std::uint64_t) override {
    if (!first_is_xoff_) {
      result_.xon_dismiss = released_;
      finished_ = true;
    } else if (released_ == result_.pgs[0].sent) {
      finished_ = true;
    } else {
      transmitter().enable(true, now);
    }
  }

  Network& network_;
  const ProbeRun& run_;
  const ClockEdges edges_;
  const Agenda::ActorId actor_;
  std::vector<OnDemandSource*> sources_;  // by port; the hosts own them
  std::vector<Priority> priority_;        // by PG of the run
  std::size_t stage_{0}, turn_{0};
  std::uint64_t released_{0};
  std::uint64_t steps_{0};  // packets answered: shows that the test still moves
  bool first_is_xoff_{false};
  bool finished_{false};
  ProbeResult result_;
};

ProbeRun make_run(std::vector<ProbePg> pgs, PortId egress, Bytes packet) {
  ProbeRun run;
  run.pgs = std::move(pgs);
  run.egress = egress;
  run.packet = packet;
  return run;
}

void add_one_after_the_other(ProbeRun& run, ProbeUntil until) {
  for (std::size_t i = 0; i < run.pgs.size(); ++i) run.stages.push_back({{i}, until});
}

void check_port(const Chip& chip, PortId port, const char* key) {
  if (port.count() < chip.ports.size()) return;
  throw ConfigError{key, std::to_string(port.count()),
                    "must be a port from 0 to " + std::to_string(chip.ports.size() - 1)};
}

}  // namespace

ProbeRun probe_each_to_first_drop(std::vector<ProbePg> pgs, PortId egress, Bytes packet) {
  ProbeRun run = make_run(std::move(pgs), egress, packet);
  add_one_after_the_other(run, ProbeUntil::refused);
  return run;
}

ProbeRun probe_each_to_xoff(std::vector<ProbePg> pgs, PortId egress, Bytes packet) {
  ProbeRun run = make_run(std::move(pgs), egress, packet);
  add_one_after_the_other(run, ProbeUntil::xoff);
  return run;
}

ProbeRun probe_each_to_xoff_then_headroom(std::vector<ProbePg> pgs, PortId egress, Bytes packet) {
  ProbeRun run = probe_each_to_xoff(std::move(pgs), egress, packet);
  add_one_after_the_other(run, ProbeUntil::refused);
  run.stop_when_pool_is_empty = true;
  return run;
}

ProbeRun probe_equal_fill(std::vector<ProbePg> pgs, PortId egress, Bytes packet) {
  ProbeRun run = make_run(std::move(pgs), egress, packet);
  ProbeStage all;
  for (std::size_t i = 0; i < run.pgs.size(); ++i) all.turn.push_back(i);
  all.until = ProbeUntil::xoff;
  run.stages.push_back(std::move(all));
  return run;
}

ProbeRun probe_to_xon(ProbePg pg, PortId egress, Bytes packet) {
  ProbeRun run = probe_each_to_xoff({pg}, egress, packet);
  run.release_to_xon = true;
  return run;
}

void check_probe_packet(const Chip& chip, Bytes packet) {
  if (min_frame_bytes <= packet && packet <= chip.mtu) return;
  throw ConfigError{"packet", std::to_string(packet.count()) + " B",
                    "must be from " + std::to_string(min_frame_bytes.count()) +
                        " B to the MTU of the chip, " + std::to_string(chip.mtu.count()) + " B"};
}

ProbeResult run_probe(const Chip& chip, const ProbeRun& run) {
  for (const ProbePg& pg : run.pgs) check_port(chip, pg.port, "port");
  check_port(chip, run.egress, "egress");
  check_probe_packet(chip, run.packet);
  check_probe_size(chip, run);
  Network network{bench_of(chip)};
  ProbeDriver driver{network, run};
  while (!driver.finished()) {
    const std::uint64_t before = driver.steps();
    network.run_until(network.now() + probe_slice);
    // A packet takes far less than a slice, so a slice without an answer is the end of answers.
    if (!driver.finished() && driver.steps() == before)
      throw ModelError("silicon probe: no verdict on a packet since " +
                       std::to_string(network.now().count()) + " ps");
  }
  return driver.result();
}

std::string to_text(const ProbeResult& result) {
  std::ostringstream text;
  text << result.pool_was_empty << ' ' << result.xon_dismiss.has_value() << ' '
       << result.xon_dismiss.value_or(0) << ' ' << result.pgs.size();
  for (const ProbePgResult& pg : result.pgs)
    text << ' ' << pg.sent << ' ' << pg.xoff << ' ' << pg.first_drop << ' '
         << static_cast<unsigned>(pg.reason) << ' ' << pg.headroom;
  return text.str();
}

ProbeResult probe_result_from(const std::string& text) {
  std::istringstream in{text};
  ProbeResult result;
  bool has_xon = false;
  std::uint64_t xon = 0;
  std::size_t pgs = 0;
  in >> result.pool_was_empty >> has_xon >> xon >> pgs;
  if (has_xon) result.xon_dismiss = xon;
  for (std::size_t i = 0; i < pgs && in; ++i) {
    ProbePgResult pg;
    unsigned reason = 0;
    in >> pg.sent >> pg.xoff >> pg.first_drop >> reason >> pg.headroom;
    pg.reason = static_cast<Reason>(reason);
    result.pgs.push_back(pg);
  }
  if (!in || result.pgs.size() != pgs) throw ModelError("silicon probe: unreadable result");
  return result;
}

}  // namespace weir
