// SPDX-License-Identifier: Apache-2.0
#include "weir/model/mmu/mmu_blocks.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/policy_overrides.hpp"
#include "weir/config/scenario/scenario_file.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/mmu/admission_rules_unit.hpp"
#include "weir/model/mmu/dynamic_threshold_unit.hpp"
#include "weir/model/mmu/egress_accounting_unit.hpp"
#include "weir/model/mmu/headroom_sizer_unit.hpp"
#include "weir/model/mmu/ingress_accounting_unit.hpp"
#include "weir/model/mmu/pfc_state_unit.hpp"
#include "weir/model/mmu/stats_counters_unit.hpp"
#include "weir/model/network/network.hpp"
#include "weir/model/probe/run_in_child.hpp"
#include "weir/trace/summary/conservation.hpp"
#include "weir/trace/summary/summary.hpp"
#include "weir/trace/summary/summary_json.hpp"

namespace weir::mmu_blocks_test {
namespace {

/// What observers read of an MMU at every step, folded into a number.
class StepDigest final : public Observer {
 public:
  [[nodiscard]] bool wants_details() const override { return true; }
  void stepped(const std::string&, const Mmu& mmu, PgIndex pg, Picoseconds edge) override {
    ++steps_;
    const PoolIndex row = mmu.settings_of(pg).pool_domain;
    const Placement& held = mmu.ingress().pg(pg);
    const PoolUse& use = mmu.ingress().pool(row);
    const PgCounters& counters = mmu.stats().pg(pg);
    for (const Cells cells :
         {held.private_cells, held.shared, held.headroom, use.private_cells, use.shared,
          use.headroom, counters.shared_watermark, counters.limit_at_peak,
          mmu.stats().pool(row).total,
          mmu.threshold(pg, ClockEdges{mmu.chip().clock}.cycle_at_or_after(edge))})
      fold(cells.count());
    fold(counters.packets);
    fold(counters.xoff_entered);
    fold(mmu.pfc().xoff(pg) ? 1 : 0);
    const EgressPoolIndex end{mmu.chip().egress_pools.size() * mmu.chip().domains};
    for (EgressPoolIndex pool; pool < end; ++pool) fold(mmu.egress().pool_shared(pool).count());
  }
  [[nodiscard]] std::string text() const {
    return std::to_string(steps_) + " steps, digest " + std::to_string(digest_) + "\n";
  }

 private:
  void fold(std::uint64_t value) { digest_ = (digest_ ^ value) * 0x100'0000'01b3ULL; }

  std::uint64_t digest_{0xcbf2'9ce4'8422'2325ULL}, steps_{0};
};

struct Case {
  std::string name, scenario;
  std::vector<std::string> overrides;
};

/// summary.json of a run, after what was seen at its steps.
std::string outcome(const Case& of, const MmuBackend& backend) {
  return run_in_child([&] {
    const Scenario scenario =
        load_scenario("vectors/scenarios/" + of.scenario + ".toml", of.overrides);
    StepDigest digest;
    Network network{scenario, 0, backend};
    network.watch(digest);
    network.run_until(scenario.until);
    network.finish();
    check_conservation(network);
    return digest.text() + to_json(summarize(network));
  });
}

/// A user's own block: it inherits a built-in one, whose core class is then not handed out.
template <class Unit>
class Inherited final : public Unit {
 public:
  using Unit::Unit;
};

template <class Unit, class Interface>
void replace(BlockMaker<Interface>& maker) {
  maker = [](const char* name, const MmuSettings& settings) {
    return std::make_unique<Inherited<Unit>>(name, settings);
  };
}

// Every block comes from a maker. Sizer, generator and receiver are the built-in classes, which
// `through_interfaces` makes the others call as they call a user's.
MmuBackend with_replaced_blocks() {
  MmuBackend backend;
  backend.blocks.through_interfaces = true;
  replace<IngressAccountingUnit>(backend.blocks.ingress_accounting);
  replace<DynamicThresholdUnit>(backend.blocks.dynamic_threshold);
  replace<AdmissionRulesUnit>(backend.blocks.admission);
  replace<EgressAccountingUnit>(backend.blocks.egress_accounting);
  replace<PfcStateUnit>(backend.blocks.pfc_state);
  replace<StatsCountersUnit>(backend.blocks.stats_counters);
  backend.blocks.headroom_sizer = [](const char* name, const Chip& chip) {
    return std::make_unique<HeadroomSizerUnit>(name, chip);
  };
  backend.blocks.pfc_generator = [](const char* name, const SwitchContext& context) {
    return std::make_unique<PfcGeneratorUnit>(name, context);
  };
  backend.blocks.pfc_receiver = [](const char* name, const SwitchContext& context) {
    return std::make_unique<PfcReceiverUnit>(name, context);
  };
  return backend;
}

MmuBackend through_interfaces() {
  MmuBackend backend;
  backend.blocks.through_interfaces = true;
  return backend;
}

class MmuBlocksOf : public testing::TestWithParam<Case> {};

TEST_P(MmuBlocksOf, GiveTheSameBytesWhenEveryCallGoesThroughTheInterfaces) {
  const std::string direct = outcome(GetParam(), {});
  EXPECT_NE(direct.find("\"delivered_packets\""), std::string::npos) << "an empty summary";
  EXPECT_NE(direct.substr(0, 2), "0 ") << "no step was seen";
  EXPECT_EQ(outcome(GetParam(), through_interfaces()), direct);
}

TEST_P(MmuBlocksOf, GiveTheSameBytesWhenEveryOneIsReplaced) {
  EXPECT_EQ(outcome(GetParam(), with_replaced_blocks()), outcome(GetParam(), {}));
}

/// A block that counts the calls of one function of its interface, and hands out its core class if
/// it is to.
template <class Unit>
class Counted : public Unit {
 public:
  Counted(const char* name, const MmuSettings& settings, std::uint64_t& calls, bool hands_out)
      : Unit{name, settings}, calls_{calls}, hands_out_{hands_out} {}
  [[nodiscard]] decltype(std::declval<Unit&>().core()) core() override {
    return hands_out_ ? &this->core_class() : Unit::core();
  }

 protected:
  std::uint64_t& calls_;

 private:
  const bool hands_out_;
};
struct CountedIngress final : Counted<IngressAccountingUnit> {
  using Counted::Counted;
  void charge(PgIndex pg, PoolIndex row, const Placement& cells, Cycle now) override {
    ++calls_;
    Counted::charge(pg, row, cells, now);
  }
};
struct CountedThreshold final : Counted<DynamicThresholdUnit> {
  using Counted::Counted;
  [[nodiscard]] Cells limit(PgIndex pg, Cells used, Cycle now) const override {
    ++calls_;
    return Counted::limit(pg, used, now);
  }
};
struct CountedRules final : Counted<AdmissionRulesUnit> {
  using Counted::Counted;
  [[nodiscard]] Decision decide(PgIndex pg, const PgSettings& settings, const Placement& held,
                                const PoolUse& use, Cells threshold, Cells n, Cycle now) override {
    ++calls_;
    return Counted::decide(pg, settings, held, use, threshold, n, now);
  }
};
struct CountedEgress final : Counted<EgressAccountingUnit> {
  using Counted::Counted;
  void charge(QueueIndex queue, DomainId domain, Cells n) override {
    ++calls_;
    Counted::charge(queue, domain, n);
  }
};
struct CountedLevels final : Counted<PfcStateUnit> {
  using Counted::Counted;
  PfcLevel after_arrival(PgIndex pg, const PgSettings& settings, const Placement& held,
                         Cells threshold, bool pressed) override {
    ++calls_;
    return Counted::after_arrival(pg, settings, held, threshold, pressed);
  }
};
struct CountedCounters final : Counted<StatsCountersUnit> {
  using Counted::Counted;
  void admitted(PgIndex pg, Bytes length, const Placement& held, PoolIndex row, const PoolUse& use,
                Cells threshold) override {
    ++calls_;
    Counted::admitted(pg, length, held, row, use, threshold);
  }
};

template <class Unit, class Interface>
void count(BlockMaker<Interface>& maker, std::uint64_t& calls, bool hands_out) {
  maker = [&calls, hands_out](const char* name, const MmuSettings& settings) {
    return std::make_unique<Unit>(name, settings, calls, hands_out);
  };
}

/// The blocks whose interfaces are called in a run of packets.
std::string called(bool through_interfaces, bool hands_out) {
  return run_in_child([&] {
    std::uint64_t ingress{0}, threshold{0}, rules{0}, egress{0}, levels{0}, counters{0};
    MmuBackend backend;
    backend.blocks.through_interfaces = through_interfaces;
    count<CountedIngress>(backend.blocks.ingress_accounting, ingress, hands_out);
    count<CountedThreshold>(backend.blocks.dynamic_threshold, threshold, hands_out);
    count<CountedRules>(backend.blocks.admission, rules, hands_out);
    count<CountedEgress>(backend.blocks.egress_accounting, egress, hands_out);
    count<CountedLevels>(backend.blocks.pfc_state, levels, hands_out);
    count<CountedCounters>(backend.blocks.stats_counters, counters, hands_out);
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star16_dt_trident2.toml",
                                            {"scenario.until=100 us"});
    Network network{scenario, 0, backend};
    network.run_until(scenario.until);
    std::string names;
    if (ingress != 0) names += "ingress ";
    if (threshold != 0) names += "threshold ";
    if (rules != 0) names += "rules ";
    if (egress != 0) names += "egress ";
    if (levels != 0) names += "levels ";
    if (counters != 0) names += "counters ";
    return names;
  });
}

TEST(MmuBlocks, InterfacesAreCalledInARunThroughThemAndWhereAUsersClassInheritsABlock) {
  const std::string all = "ingress threshold rules egress levels counters ";
  EXPECT_EQ(called(true, true), all);
  EXPECT_EQ(called(false, false), all);
  EXPECT_EQ(called(false, true), "") << "core classes that are handed out are called directly";
}

std::vector<Case> cases() {
  std::vector<Case> cases{
      {"Incast", "incast_star16_dt_trident2", {}},
      {"Lag", "incast_star4_dt_late_xoff", {"switch.tor.chip.threshold_lag=7 cycles"}},
      {"Domains", "incast_star16_dt_tomahawk1", {}},
      {"Lossy", "lossy_mix_star8_dt_trident2", {"scenario.until=1 ms"}},
      {"Flood", "flooding_fig4_dt_trident2", {"scenario.until=2 ms"}},
      {"Broadcast", "broadcast_fig4_dt_trident2_lossy_group", {"scenario.until=1 ms"}},
      {"Watchdog", "storm_clos4_dt_both_watchdogs", {"scenario.until=2 ms"}},
      {"Loop", "loop_ring2_dt_watchdog", {"scenario.until=2 ms"}},
      {"Static", "slow_receiver_star4_static_small_pages", {"scenario.until=1 ms"}},
      {"HeadroomPool", "incast64_star8_dt_standard_headroom", {"scenario.until=1 ms"}},
      {"Marks", "incast_star33_dt_dcqcn", {"scenario.until=200 us"}},
      {"MarksAtEnqueue", "paused_star2_dt_marks_at_enqueue", {}},
      {"EarlyDrops",
       "incast_star9_lossy_dcqcn",
       {"scenario.until=400 us", "switch.tor.wred.ecn.mark=false",
        "switch.tor.wred.ecn.drop=true"}},
  };
  for (const PolicyRow& row : policy_table()) {
    const std::string name{row.name};
    cases.push_back({"Pg_" + name, "burst_star20_dsh_tomahawk",
                     test::policy_overrides(row, "switch.tor.profile.lossless.")});
    if (!row.for_lossy) continue;
    cases.push_back({"Queue_" + name, "lossy_burst_star20_dsh_tomahawk",
                     test::policy_overrides(row, "switch.tor.queue.lossy.")});
    cases.back().overrides.emplace_back("switch.tor.queue.lossy.alpha=1");
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, MmuBlocksOf, testing::ValuesIn(cases()),
                         [](const auto& of) { return of.param.name; });

/// T = so many cells, whatever is in use; no limit at egress.
class FixedThreshold final : public MmuBlock<DynamicThresholdIf> {
 public:
  FixedThreshold(const char* name, Cells limit) : MmuBlock{name}, limit_{limit} {}
  [[nodiscard]] Cells limit(PgIndex, Cells, Cycle) const override { return limit_; }
  [[nodiscard]] Cells queue_limit(QueueIndex, DomainId, Cells, Cycle) const override {
    return Cells{0xffff'ffffU};
  }

 private:
  const Cells limit_;
};

const Case fault_bench{"fault bench", "incast_star4_dt_late_xoff", {}};

TEST(MmuBlocks, ARuleOfAUsersOwnDecidesInTheRunningNetwork) {
  Case fixed = fault_bench;
  fixed.overrides = {"switch.tor.profile.lossless.policy=static",
                     "switch.tor.profile.lossless.limit=40 cells",
                     "switch.tor.profile.lossy.limit=40 cells"};
  MmuBackend own;
  own.blocks.dynamic_threshold = [](const char* name, const MmuSettings&) {
    return std::make_unique<FixedThreshold>(name, Cells{40});
  };
  const auto drops_and_pauses = [](const std::string& text) {
    const std::size_t at = text.find("\"totals\"");
    return text.substr(at, text.find('}', at) - at);
  };
  const std::string replaced = drops_and_pauses(outcome(fault_bench, own));
  EXPECT_EQ(replaced, drops_and_pauses(outcome(fixed, {})));
  EXPECT_NE(replaced, drops_and_pauses(outcome(fault_bench, {}))) << "the rule made no difference";
}

TEST(MmuBlocks, TheOthersSeeTheLimitOfAReplacedRule) {
  const std::string limit = run_in_child([] {
    MmuBackend own;
    own.blocks.dynamic_threshold = [](const char* name, const MmuSettings&) {
      return std::make_unique<FixedThreshold>(name, Cells{40});
    };
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml", {});
    Network network{scenario, 0, own};
    network.run_until(Picoseconds{100'000'000});
    return std::to_string(network.switch_at(0).mmu.threshold(PgIndex{3}).count());
  });
  EXPECT_EQ(limit, "40");
}

TEST(MmuBlocks, AnMmuShowsTheLimitOfNowWhereItDependsOnTime) {
  const std::string limits = run_in_child([] {
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml",
                                            {"switch.tor.chip.threshold_lag=50 cycles"});
    Network network{scenario, 0, {}};
    network.run_until(Picoseconds{40'000'000});
    const MmuModel& mmu = network.switch_at(0).mmu;
    const Cells used = mmu.ingress_accounting->shared_seen(
        mmu.core().settings_of(PgIndex{3}).pool_domain,
        ClockEdges{mmu.core().chip().clock}.cycle_at_or_after(network.agenda().now()));
    return std::to_string(mmu.threshold(PgIndex{3}).count()) + ' ' +
           std::to_string(mmu.core().settings_of(PgIndex{3}).threshold.at(used).count()) + ' ' +
           std::to_string(mmu.core().settings_of(PgIndex{3}).threshold.at(Cells{}).count());
  });
  std::istringstream text{limits};
  std::uint64_t shown = 0, now = 0, empty = 0;
  text >> shown >> now >> empty;
  EXPECT_EQ(shown, now);
  EXPECT_LT(shown, empty) << "T of an empty pool, as in cycle 0";
}

/// No cell goes to headroom.
class NoHeadroom final : public MmuBlock<AdmissionIf> {
 public:
  explicit NoHeadroom(const char* name) : MmuBlock{name} {}
  [[nodiscard]] Decision decide(PgIndex, const PgSettings& settings, const Placement& held,
                                const PoolUse& use, Cells threshold, Cells n, Cycle) override {
    PgSettings without = settings;
    without.headroom_limit = Cells{0};
    return weir::decide(without, held, use, threshold, n);
  }
};

TEST(MmuBlocks, AnAdmissionOfAUsersOwnDecidesInTheRunningNetwork) {
  MmuBackend own;
  own.blocks.admission = [](const char* name, const MmuSettings&) {
    return std::make_unique<NoHeadroom>(name);
  };
  const auto of_totals = [](const std::string& text, const std::string& metric) {
    const std::string key = "\"" + metric + "\": ";
    return std::stoull(text.substr(text.find(key, text.find("\"totals\"")) + key.size()));
  };
  const std::string built_in = outcome(fault_bench, {}), without = outcome(fault_bench, own);
  EXPECT_GT(of_totals(built_in, "peak_headroom_cells"), 0U);
  EXPECT_EQ(of_totals(without, "peak_headroom_cells"), 0U);
  EXPECT_GT(of_totals(without, "lossless_drops"), of_totals(built_in, "lossless_drops"));
}

/// Answers the same to every packet.
class SameAnswer final : public MmuBlock<AdmissionIf> {
 public:
  SameAnswer(const char* name, const Decision& answer) : MmuBlock{name}, answer_{answer} {}
  [[nodiscard]] Decision decide(PgIndex, const PgSettings&, const Placement&, const PoolUse&, Cells,
                                Cells, Cycle) override {
    return answer_;
  }

 private:
  const Decision answer_;
};

TEST(MmuBlocks, AnAdmissionThatLosesOrMakesCellsIsFoundAtOnce) {
  const auto refused = [](const Decision& answer) {
    MmuBackend own;
    own.blocks.admission = [answer](const char* name, const MmuSettings&) {
      return std::make_unique<SameAnswer>(name, answer);
    };
    try {
      static_cast<void>(outcome(fault_bench, own));
    } catch (const ModelError& error) {
      return std::string{error.what()};
    }
    return std::string{"no error"};
  };
  const Cells none{0}, one{1}, many{1'000'000};
  const std::vector<Decision> answers{{Reason::admitted, {none, none, none}},
                                      {Reason::admitted, {none, many, none}},
                                      {Reason::admitted, {many, none, none}},
                                      {Reason::shared_pool, {none, one, none}},
                                      {Reason::egress_queue, {}},
                                      {Reason::wred, {}},
                                      {static_cast<Reason>(reasons), {}}};
  for (const Decision& answer : answers)
    EXPECT_NE(refused(answer).find("tor.mmu.admission_rules in cycle "), std::string::npos)
        << refused(answer);
}

/// Asks a sizer while the model runs.
struct Asking final : sc_core::sc_module {
  sc_core::sc_port<HeadroomSizerIf> sizer{"sizer"};
  Cells answer;

  SC_HAS_PROCESS(Asking);
  explicit Asking(const sc_core::sc_module_name& name) : sc_module{name} { SC_THREAD(ask); }
  void ask() {
    wait(10, sc_core::SC_US);
    answer = sizer->need("worst_case", PortId{0}, Millimetres{300'000}).cells;
  }
};

TEST(MmuBlocks, TheHeadroomSizerAnswersThroughItsExportWhileTheModelRuns) {
  const std::string cells = run_in_child([] {
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml", {});
    Network network{scenario, 0, {}};
    Asking asking{"asking"};
    asking.sizer.bind(network.switch_at(0).mmu.headroom_sizer->state);
    network.run_until(Picoseconds{20'000'000});
    return std::to_string(asking.answer.count()) + " of " +
           std::to_string(
               network.switch_at(0).mmu.core().settings_of(PgIndex{3}).headroom_limit.count());
  });
  const std::size_t middle = cells.find(" of ");
  EXPECT_NE(cells.substr(0, middle), "0");
  EXPECT_EQ(cells.substr(0, middle), cells.substr(middle + 4));
}

TEST(MmuBlocks, HeadroomIsSizedWhenTheMmuIsElaborated) {
  const std::string cells = run_in_child([] {
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml", {});
    Network network{scenario, 0, {}};
    const MmuModel& mmu = network.switch_at(0).mmu;
    const Cells of_cable =
        mmu.headroom_sizer->need("worst_case", PortId{0}, Millimetres{300'000}).cells;
    return std::to_string(mmu.core().settings_of(PgIndex{3}).headroom_limit.count()) + ' ' +
           std::to_string(of_cable.count()) + ' ' +
           std::to_string(scenario.switches[0].chip.profiles.front().headroom.count());
  });
  std::istringstream text{cells};
  std::uint64_t built = 0, asked = 0, configured = 0;
  text >> built >> asked >> configured;
  EXPECT_NE(built, 0U);
  EXPECT_EQ(built, asked);
  EXPECT_EQ(built, configured);
}

/// Every lossless profile gets the same few cells.
class FewCells final : public HeadroomSizerUnit {
 public:
  FewCells(const char* name, const Chip& chip) : HeadroomSizerUnit{name, chip} {
    for (const Profile& profile : chip.profiles)
      cells_.push_back(profile.lossless ? Cells{7} : Cells{0});
  }
  [[nodiscard]] IndexedVector<ProfileIndex, Cells> profiles() const override { return cells_; }

 private:
  IndexedVector<ProfileIndex, Cells> cells_;
};

TEST(MmuBlocks, AnMmuIsBuiltWithTheHeadroomOfAReplacedSizer) {
  const std::string cells = run_in_child([] {
    MmuBackend own;
    own.blocks.headroom_sizer = [](const char* name, const Chip& chip) {
      return std::make_unique<FewCells>(name, chip);
    };
    const Scenario scenario = load_scenario("vectors/scenarios/incast_star4_dt_late_xoff.toml", {});
    Network network{scenario, 0, own};
    return std::to_string(
        network.switch_at(0).mmu.core().settings_of(PgIndex{3}).headroom_limit.count());
  });
  EXPECT_EQ(cells, "7");
}

/// Never has a frame to send.
class SilentGenerator final : public PfcGeneratorBlock {
 public:
  explicit SilentGenerator(const char* name) : PfcGeneratorBlock{name} {}
  void level(PortId, Priority, bool, Picoseconds) override {}
  void port_level(PortId, bool, Picoseconds) override {}
  std::optional<PfcFrame> start_frame(PortId, Picoseconds) override { return std::nullopt; }
  void set_quanta(Quanta) override {}
  [[nodiscard]] Quanta quanta() const override { return Quanta{0}; }
};

TEST(MmuBlocks, AGeneratorOfAUsersOwnSaysWhatThePeersHear) {
  MmuBackend own;
  own.blocks.pfc_generator = [](const char* name, const SwitchContext&) {
    return std::make_unique<SilentGenerator>(name);
  };
  const std::string silent = "\n    \"pauses_sent\": 0,";  // of the totals
  EXPECT_EQ(outcome(fault_bench, {}).find(silent), std::string::npos);
  EXPECT_NE(outcome(fault_bench, own).find(silent), std::string::npos);
}

/// Obeys no PAUSE.
class DeafReceiver final : public PfcReceiverBlock {
 public:
  DeafReceiver(const char* name, const SwitchContext& parent)
      : PfcReceiverBlock{name}, counters_{parent.counters} {}
  void receive(Frame& frame, PortId port, Picoseconds last_bit) override {
    counters_[port.count()].count_received(frame.pfc, last_bit);
    frame.release();
  }
  [[nodiscard]] std::uint8_t paused(PortId, Picoseconds) override { return 0; }
  [[nodiscard]] std::optional<Picoseconds> next_change(PortId, Picoseconds) override {
    return std::nullopt;
  }
  [[nodiscard]] PauseTimes pause_times(PortId, Priority, Picoseconds) const override { return {}; }
  [[nodiscard]] std::optional<Picoseconds> paused_since(PortId, Priority,
                                                        Picoseconds) const override {
    return std::nullopt;
  }
  void clear_times(Picoseconds) override {}
  void post_watch(Picoseconds, std::uint32_t, std::uint64_t) override {}

 private:
  std::vector<PortCounters>& counters_;
};

TEST(MmuBlocks, AReceiverOfAUsersOwnDecidesWhatIsObeyed) {
  const Case slow{"slow", "slow_receiver_star4_dt_small_pages", {"scenario.until=1 ms"}};
  MmuBackend own;
  own.blocks.pfc_receiver = [](const char* name, const SwitchContext& parent) {
    return std::make_unique<DeafReceiver>(name, parent);
  };
  const std::string obeyed = outcome(slow, {}), deaf = outcome(slow, own);
  EXPECT_NE(obeyed, deaf);
}

/// Hands every request on.
class Passing final : public MmuBlock<MmuStepIf> {
 public:
  Passing(const char* name, AdmissionUnit& admission) : MmuBlock{name}, admission_{admission} {}
  void arrive(Frame& frame, Picoseconds edge) override { admission_.arrive(frame, edge); }
  void release(const ReleaseTicket& ticket, Picoseconds edge) override {
    admission_.release(ticket, edge);
  }

 private:
  AdmissionUnit& admission_;
};

TEST(MmuBlocks, ADecisionOfAUsersOwnGetsTheRequestsOfTheArbiter) {
  MmuBackend own;
  own.blocks.decision = [](const char* name, AdmissionUnit& admission) {
    return std::make_unique<Passing>(name, admission);
  };
  EXPECT_EQ(outcome(fault_bench, own), outcome(fault_bench, {}));
  own.kind = BackendKind::lockstep;
  EXPECT_THROW(static_cast<void>(outcome(fault_bench, own)), ConfigError);
}

TEST(MmuBlocks, ReplacedBlocksAreRefusedWhereTheRtlDecidesAlone) {
  MmuBackend backend = with_replaced_blocks();
  backend.kind = BackendKind::rtl;
  EXPECT_THROW(static_cast<void>(outcome(fault_bench, backend)), ConfigError);
  MmuBackend rules_alone;
  replace<AdmissionRulesUnit>(rules_alone.blocks.admission);
  rules_alone.kind = BackendKind::rtl;
  EXPECT_THROW(static_cast<void>(outcome(fault_bench, rules_alone)), ConfigError);
}

}  // namespace
}  // namespace weir::mmu_blocks_test
