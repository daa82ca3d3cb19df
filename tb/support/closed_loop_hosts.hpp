// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "weir/model/network/network.hpp"

namespace weir::test {

/// One saturated queue: host i sends through port i to a slower port of its own.
struct Sender {
  Picoseconds start;
  Picoseconds period;  ///< From packet to packet; 0: as fast as verdicts arrive.
};

/// The textbook's Dynamic Threshold on the running model: each queue fills from one host that stops
/// exactly at its XOFF (one packet in flight, no headroom, a link without delay), resumes at its
/// XON, and drains through a port of its own at 10G.
struct DynamicThresholdBench {
  Alpha alpha;
  Cells pool;
  std::vector<Sender> senders;

  static constexpr std::uint64_t packet_bytes = 100;  ///< Also of a cell: one cell a packet.
  static constexpr Picoseconds drain_period{96'000};  ///< 100 B, preamble and gap at 10G.

  [[nodiscard]] Chip chip() const {
    Chip chip;
    chip.name = "dynamic threshold bench";
    chip.cell = Bytes{packet_bytes};
    chip.ports.resize(2 * senders.size());
    for (std::size_t i = 0; i < chip.ports.size(); ++i) {
      PortSetting& port = chip.ports[i];
      port.rate = BitRate{i < senders.size() ? 100'000'000'000ULL : 10'000'000'000ULL};
      port.response = quanta_time(response_limit(port.rate), port.rate);
    }
    chip.ingress_pools = {{"lossless", pool, Cells{0}, true}};
    Profile profile;
    profile.name = "lossless";
    profile.lossless = true;
    profile.threshold = {Policy::dynamic, alpha, Cells{0}, {}};
    chip.profiles = {profile};
    chip.profile_of_pg.assign(chip.ports.size() * priorities, ProfileIndex{0});
    chip.profile_of_queue.resize(chip.ports.size() * priorities);
    chip.lanes = default_lanes(chip);
    return chip;
  }

  [[nodiscard]] Scenario scenario(Picoseconds until) const {
    Scenario scenario;
    scenario.name = "dynamic threshold";
    scenario.until = until;
    scenario.switches.push_back({"switch", chip()});
    const std::vector<PortSetting> ports = scenario.switches[0].chip.ports;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      HostSpec host;
      host.name = "host[" + std::to_string(i) + "]";
      host.rate = ports[i].rate;
      host.obeys_pfc = false;
      scenario.hosts.push_back(host);
      LinkSpec link;
      link.a = {true, i, PortId{0}};
      link.b = {false, 0, PortId{static_cast<std::uint16_t>(i)}};
      scenario.links.push_back(link);
    }
    return scenario;
  }
};

/// Drives the senders of a bench. Derive to watch the verdicts.
class ClosedLoopHosts : public Observer {
 public:
  static constexpr Priority priority{3};

  ClosedLoopHosts(Network& network, const DynamicThresholdBench& bench)
      : network_{network}, senders_{bench.senders} {
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      auto source = std::make_unique<OnDemand>();
      sources_.push_back(source.get());
      source->packet = {senders_[i].start, Bytes{DynamicThresholdBench::packet_bytes},
                        static_cast<HostId>(senders_.size() + i), priority};
      source->pending = true;
      network.host(i).add_source(std::move(source), 0);
    }
    network.watch(*this);
  }

  /// w of the queue of host i, in cells.
  [[nodiscard]] std::uint64_t shared(std::size_t i) const {
    return network_.switch_at(0).mmu.core().ingress().pg(pg_of(i)).shared.count();
  }
  /// S
  [[nodiscard]] std::uint64_t shared_of_all() const {
    return network_.switch_at(0).mmu.core().ingress().pool(PoolIndex{0}).shared.count();
  }

  [[nodiscard]] bool wants_verdicts() const override { return true; }
  void verdict(const std::string&, const Frame& frame, const Verdict& verdict,
               Picoseconds visible) override {
    const std::size_t i = frame.source;
    if (verdict.pfc.xoff)
      at_xoff(i);
    else
      ask(i, std::max(visible, sources_[i]->packet.created + senders_[i].period));
  }
  void level(const std::string&, PortId port, Priority pg, bool xoff, Picoseconds now) override {
    if (!xoff && pg == priority) ask(port.count(), now);
  }

 protected:
  /// The queue of host i has just gone XOFF; its host is paused until XON.
  virtual void at_xoff(std::size_t i) = 0;

 private:
  struct OnDemand final : Source {
    SourcePacket packet;
    bool pending{false};
    [[nodiscard]] Picoseconds ready_at() const noexcept override {
      return pending ? packet.created : never;
    }
    [[nodiscard]] Priority priority() const noexcept override { return packet.priority; }
    SourcePacket take(Picoseconds) override {
      pending = false;
      return packet;
    }
  };

  [[nodiscard]] static PgIndex pg_of(std::size_t i) noexcept {
    return pg_index(PortId{static_cast<std::uint16_t>(i)}, priority);
  }
  void ask(std::size_t i, Picoseconds when) {
    sources_[i]->packet.created = when;
    sources_[i]->pending = true;
    network_.host(i).look_again(when);
  }

  Network& network_;
  const std::vector<Sender> senders_;
  std::vector<OnDemand*> sources_;  // owned by the hosts
};

}  // namespace weir::test
