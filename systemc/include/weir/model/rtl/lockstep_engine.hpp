// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "weir/core/index.hpp"
#include "weir/model/rtl/rtl_pins.hpp"
#include "weir/model/rtl/rtl_request.hpp"
#include "weir/model/rtl/rtl_verdict.hpp"

namespace weir {

/// A part of a pin: what the core expects there, and what the RTL has.
struct LockstepValue {
  MmuPin pin;
  std::size_t part{0};  ///< Index; of xoff_o: the first of up to eight ports.
  std::uint64_t expected{0}, actual{0};
  PgIndex pg{};       ///< PG of the verdict, on pins of verdicts.
  bool counts{true};  ///< False: no valid bit is set, so it means nothing.
};

/// A difference in words.
struct LockstepDifference {
  std::string where;  ///< "port 3, PG 4", "domain 0, lane 1"
  std::string what, expected, actual;

  /// The difference as text: "in cycle 7, port 3, PG 4: rel_xoff_o: expected 1, actual 0".
  [[nodiscard]] std::string in_cycle(std::uint64_t cycle) const;
};

/// The lockstep of core and weir_mmu (or a weir_domain): what the pins of grants, verdicts and
/// levels must say in each cycle, for requests of any source. There are three: random draws
/// (tb/lockstep), `weir cosim`, a running switch (RtlMmuUnit).
///
/// In each cycle, pins settled: present() what the arbiters of the core grant and compare_grants();
/// expect() what the core decides of it; then, from the edge on that ends the cycle,
/// compare_verdicts() and compare_levels() of the next one.
///
/// What is compared goes to `same(LockstepValue)`, which counts it and throws where both differ.
/// If it does not throw, the RTL is followed without a comparison.
///
/// Range:   parts of at most 56 bits.
/// Source:  docs/design/contract.md, 3 and 6.
class LockstepEngine {
 public:
  static constexpr MmuPin grant_pins[]{MmuPin::rel_grant_valid_o, MmuPin::rel_grant_port_o,
                                       MmuPin::arr_grant_valid_o, MmuPin::arr_grant_port_o};

  /// Compares the domains below `domains_end` and the ports below `ports_end`. `pins` is borrowed.
  LockstepEngine(const weir_rtl_shape& shape, DomainId domains_end, PortId ports_end,
                 const RtlPins& pins)
      : pins_{pins},
        lanes_{shape.lanes},
        ports_{ports_end.count()},
        domains_(domains_end.count()),
        levels_((ports_ + 7) / 8 * 8),
        changed_((ports_ + 63) / 64) {}

  /// Forgets all requests and verdicts; every level is XON.
  void reset() {
    for (Domain& domain : domains_) domain = {};
    std::fill(levels_.begin(), levels_.end(), std::uint8_t{0});
    std::fill(changed_.begin(), changed_.end(), std::uint64_t{0});
  }

  // ---- Requests of this cycle.
  /// Puts a granted request on the next lane of its domain. Range: `pins` are those of the engine.
  template <class Request>
  void present(RtlPins& pins, DomainId domain, PortId port, const Request& request) {
    std::vector<std::size_t>& granted = granted_of<Request>(domains_[domain.count()]);
    weir::present(pins, domain.count() * lanes_ + granted.size(), request);
    granted.push_back(port.count());
  }
  /// Compares the grants with what was presented.
  template <class Same>
  void compare_grants(Same&& same) const {
    for (std::size_t d = 0; d < domains_.size(); ++d)
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        const std::size_t slot = d * lanes_ + lane;
        compare_grant(domains_[d].release_ports, lane, slot, MmuPin::rel_grant_valid_o,
                      MmuPin::rel_grant_port_o, same);
        compare_grant(domains_[d].arrival_ports, lane, slot, MmuPin::arr_grant_valid_o,
                      MmuPin::arr_grant_port_o, same);
      }
  }
  /// Forgets the grants, because the cycle is over.
  void clear_grants() noexcept {
    for (Domain& domain : domains_) {
      domain.release_ports.clear();
      domain.arrival_ports.clear();
    }
  }

  // ---- Verdicts.
  /// Expects the core's verdict as the next one of a domain and kind, in cycle `due`.
  template <class Verdict>
  void expect(DomainId domain, std::uint64_t due, const Verdict& verdict) {
    due_of<Verdict>(domains_[domain.count()]).push_back({due, verdict, true});
  }
  /// Expects a verdict that no core has judged, in cycle `due`: its PG is known, and that it is no
  /// error.
  template <class Verdict>
  void expect_any(DomainId domain, std::uint64_t due, PgIndex pg) {
    Verdict verdict;
    verdict.pg = pg;
    due_of<Verdict>(domains_[domain.count()]).push_back({due, verdict, false});
  }
  [[nodiscard]] bool nothing_expected() const noexcept {
    return std::all_of(domains_.begin(), domains_.end(), [](const Domain& domain) {
      return domain.releases.empty() && domain.arrivals.empty();
    });
  }
  /// Whether no verdict is due in cycle `now` and the RTL shows none.
  [[nodiscard]] bool quiet(std::uint64_t now) const noexcept;

  /// Compares the verdicts of cycle `now`; calls done(domain, verdict) after each that both have,
  /// in lane order: releases, then arrivals, domain by domain.
  template <class Same, class Done>
  void compare_verdicts(std::uint64_t now, Same&& same, Done&& done) {
    std::fill(changed_.begin(), changed_.end(), std::uint64_t{0});
    for (std::size_t d = 0; d < domains_.size(); ++d) {
      const DomainId domain{static_cast<std::uint8_t>(d)};
      compare_lanes(domains_[d].releases, domain, now, same, done);
      compare_lanes(domains_[d].arrivals, domain, now, same, done);
    }
  }

  // ---- Levels, as of the verdicts so far.
  template <class Same>
  void compare_levels(Same&& same) const {
    const std::uint8_t* const actual = pins_[MmuPin::xoff_o].data();
    for (std::size_t p = 0; p < ports_; p += 8) {
      const std::size_t count = std::min<std::size_t>(8, ports_ - p);
      same(LockstepValue{MmuPin::xoff_o, p, word_at(levels_.data() + p, count),
                         word_at(actual + p, count)});
    }
  }
  [[nodiscard]] bool same_levels() const noexcept {
    return std::memcmp(pins_[MmuPin::xoff_o].data(), levels_.data(), ports_) == 0;
  }
  /// XOFF levels by port; bit n: PG n is XOFF. Padded to a multiple of eight ports.
  [[nodiscard]] const std::vector<std::uint8_t>& levels() const noexcept { return levels_; }
  /// Bit p of word p / 64: a verdict of this cycle changed a level of port p.
  [[nodiscard]] const std::vector<std::uint64_t>& changed() const noexcept { return changed_; }

  /// A difference as text. Range: a value that differs, in the cycle in which it was compared.
  [[nodiscard]] LockstepDifference describe(const LockstepValue& value) const;

 private:
  template <class Verdict>
  struct Due {
    std::uint64_t cycle;
    Verdict verdict;
    bool judged;
  };
  struct Domain {
    std::vector<std::size_t> release_ports, arrival_ports;  // granted in this cycle
    std::deque<Due<RtlReleaseVerdict>> releases;
    std::deque<Due<RtlArrivalVerdict>> arrivals;
  };

  template <class Request>
  static std::vector<std::size_t>& granted_of(Domain& domain) noexcept {
    if constexpr (std::is_same_v<Request, RtlRelease>)
      return domain.release_ports;
    else
      return domain.arrival_ports;
  }
  template <class Verdict>
  static std::deque<Due<Verdict>>& due_of(Domain& domain) noexcept {
    if constexpr (std::is_same_v<Verdict, RtlReleaseVerdict>)
      return domain.releases;
    else
      return domain.arrivals;
  }
  static std::uint64_t word_at(const std::uint8_t* octets, std::size_t count) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, octets, count);
    return word;
  }

  template <class Same>
  void compare_grant(const std::vector<std::size_t>& granted, std::size_t lane, std::size_t slot,
                     MmuPin valid, MmuPin port, Same&& same) const {
    const bool expected = lane < granted.size();
    const std::uint64_t actual = pins_.get(valid, slot);
    same(LockstepValue{valid, slot, expected, actual});
    same(LockstepValue{port, slot, expected ? granted[lane] : 0, pins_.get(port, slot), PgIndex{},
                       expected && actual != 0});
  }

  template <class Verdict, class Same, class Done>
  void compare_lanes(std::deque<Due<Verdict>>& queue, DomainId domain, std::uint64_t now,
                     Same&& same, Done&& done) {
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const std::size_t slot = domain.count() * lanes_ + lane;
      const bool due = !queue.empty() && queue.front().cycle == now;
      const std::uint64_t valid = pins_.get(Verdict::valid, slot);
      if (!due) {
        const PgIndex pg{valid != 0 ? pins_.get(Verdict::pg_pin, slot) : 0};
        same(LockstepValue{Verdict::valid, slot, 0, valid, pg});
        continue;
      }
      const Due<Verdict> next = queue.front();
      queue.pop_front();
      same(LockstepValue{Verdict::valid, slot, 1, valid, next.verdict.pg});
      if (valid == 0) continue;
      const Verdict counts = next.judged ? next.verdict : read_as(next.verdict, slot);
      Verdict::for_each_pin(counts, [&](MmuPin pin, const auto& member) {
        same(LockstepValue{pin, slot, on_pin(member), pins_.get(pin, slot), counts.pg});
      });
      take_level(counts.pg, counts.pfc());
      done(domain, counts);
    }
  }
  // What the RTL says, with what is known of it in its place.
  template <class Verdict>
  [[nodiscard]] Verdict read_as(const Verdict& known, std::size_t slot) const {
    Verdict read;
    Verdict::for_each_pin(
        read, [&](MmuPin pin, auto& member) { from_pin(member, pins_.get(pin, slot)); });
    read.pg = known.pg;
    if constexpr (std::is_same_v<Verdict, RtlReleaseVerdict>) read.error = false;
    return read;
  }
  void take_level(PgIndex pg, const PfcLevel& level) noexcept {
    if (!level.changed) return;
    const std::size_t port = port_of(pg).count();
    const auto bit = static_cast<std::uint8_t>(1U << number_in_port(pg).count());
    levels_[port] =
        static_cast<std::uint8_t>(level.xoff ? levels_[port] | bit : levels_[port] & ~bit);
    changed_[port / 64] |= std::uint64_t{1} << port % 64;
  }

  const RtlPins& pins_;
  const std::size_t lanes_, ports_;
  std::vector<Domain> domains_;
  std::vector<std::uint8_t> levels_;
  std::vector<std::uint64_t> changed_;
};

}  // namespace weir
