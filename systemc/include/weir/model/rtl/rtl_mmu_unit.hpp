// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/mmu/admission_unit.hpp"
#include "weir/model/mmu/ecn_marker_unit.hpp"
#include "weir/model/mmu/marker_twin.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/mark_engine.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"
#include "weir/model/rtl/rtl_wave.hpp"

namespace weir {

/// The Verilated weir_mmu in the place of the core: takes the arbiter's requests to its pins, and
/// its verdicts, when they come out, to the ports and the PFC generator.
///
/// With BackendKind::lockstep the core decides each request as well, and every grant, verdict, XOFF
/// level and, at the end, every register must be the same. Without lockstep, observers see the sums
/// of the RTL's verdicts.
///
/// Where the chip has WRED profiles, the core's marker answers for a frame that leaves, because the
/// frame starts at that moment. The RTL is asked at the next clock edge. Its answers, and what it
/// drops, must be the same with either kind of backend.
///
/// Errors:  ConfigError from the constructor when the RTL cannot hold the chip, and when two
///          packets leave a port in one cycle, of which the RTL takes one. RtlDifference at the
///          first difference; a waveform gets some cycles more.
/// Timing:  the pins are driven in every cycle. A verdict takes effect `admit` cycles after its
///          request, as in the model.
/// Source:  docs/design/contract.md, 4; docs/guide/cosimulation.md.
class RtlMmuUnit final : public sc_core::sc_module,
                         public MmuStepIf,
                         public RtlWave,
                         private MarkerTwinIf,
                         private Actor {
 public:
  sc_core::sc_export<MmuStepIf> step{"step"};

  /// `core`: the MMU that others read. It steps in lockstep; without, it shows what the RTL holds.
  RtlMmuUnit(const sc_core::sc_module_name& name, Mmu& core, const RegisterTarget& registers,
             AdmissionUnit& admission, Agenda& agenda, const MmuBackend& backend,
             const std::string& switch_name);

  [[nodiscard]] bool wants_waiting() const override { return true; }
  void requests_wait(DomainId domain, const ArrivalArbiter& releases,
                     const ArrivalArbiter& arrivals, Picoseconds edge) override;
  void arrive(Frame& frame, Picoseconds edge) override;
  void release(const ReleaseTicket& ticket, Picoseconds edge) override;

  /// Follows the core's marker, so that the RTL is asked as well. Call it before the simulation.
  void follow(EcnMarkerUnit& marker);

  /// Frames of this switch may go to `copies` queues at once.
  /// Errors: ConfigError when the RTL was built for fewer.
  void require_copies(std::size_t copies) const;

  [[nodiscard]] const std::string& wave_name() const override { return switch_name_; }
  [[nodiscard]] std::string open_wave(Taker taker) override;
  void close_wave() override { rtl_->close_wave(); }
  [[nodiscard]] std::size_t wave_parts(std::string_view signal) const override;
  void catch_up(Picoseconds now) override;
  [[nodiscard]] Picoseconds wave_lag() const override;

  /// The difference that it threw; none: none so far. The kernel passes on only the text.
  [[nodiscard]] const std::optional<RtlDifference>& difference() const noexcept {
    return difference_;
  }

  /// Ends the run: clocks until every request is decided; the core then shows what the RTL holds.
  void finish();

 private:
  struct Waiting {
    DomainId domain;
    PortId port;
    std::uint32_t releases{0}, arrivals{0};
  };
  template <class Request>
  struct Granted {
    DomainId domain;
    PortId port;
    Request request;
  };
  /// What the pins say in one cycle.
  struct Inputs {
    std::uint64_t cycle{0};
    bool waiting_known{false};
    std::vector<Waiting> waiting;
    std::vector<Granted<RtlRelease>> releases;
    std::vector<Granted<RtlArrival>> arrivals;
  };
  /// What was requested, until its verdict comes.
  struct AskedRelease {
    PgIndex pg;
    Cells freed;  ///< At ingress.
    QueueIndex queue;
    Cells cells;
  };
  struct AskedArrival {
    Frame* frame{nullptr};
    PgIndex pg;
    std::vector<QueueIndex> queues;    ///< One, or those of its copies.
    std::optional<Verdict> refused{};  ///< By WRED: what the model says of it.
  };
  /// A packet whose mark at enqueue the core has not drawn yet.
  struct Entering {
    std::uint64_t cycle;
    std::size_t part;  ///< Of arr_mark_o.
  };
  struct Domain {
    std::deque<AskedRelease> releases;
    std::deque<AskedArrival> arrivals;
    std::size_t lane{0};  ///< Of the next verdict of an arrival in this cycle.
  };

  // ---- The marker.
  void dropped(Frame& frame, Picoseconds edge) override;
  void entered(QueueIndex queue, Cycle cycle, bool marked) override;
  void left(const MarkerDeparture& packet, Cycle cycle, bool marked) override;
  void note_entries(const AskedArrival& asked, const RtlArrivalVerdict& actual, std::size_t slot);
  void present_departures();
  void compare_marks();
  [[nodiscard]] RtlArrival request_for(const Frame& frame, const ArrivalStep& arrival) const;

  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  Inputs& inputs_at(Picoseconds edge);
  void run_to(std::uint64_t cycle);
  void drive(const Inputs& inputs);
  void run_one_cycle();
  [[nodiscard]] bool in_lockstep() const noexcept { return backend_.kind == BackendKind::lockstep; }
  template <class Verdict>
  void expect(DomainId domain, std::uint64_t cycle, const Verdict& verdict);
  void take_copies(const AskedArrival& asked, const RtlArrivalVerdict& actual);
  void take_verdicts();
  void take(DomainId domain, const RtlReleaseVerdict& actual);
  void take(DomainId domain, const RtlArrivalVerdict& actual);
  void count_arrival(const AskedArrival& asked, const RtlArrivalVerdict& actual, DomainId domain);
  void check_registers();
  void same(const LockstepValue& value);
  [[noreturn]] void differ(const LockstepDifference& difference);
  void run_on();
  void show_arrival(PgIndex pg, const Verdict& verdict);
  void show_release(PgIndex pg, Cells freed, const PfcLevel& level);
  void show_step(PgIndex pg, bool xoff);
  /// The cycle whose requests are answered now.
  [[nodiscard]] Cycle requested() const { return Cycle{rtl_->cycle() - admit_}; }

  Mmu& core_;
  const RegisterTarget registers_;
  AdmissionUnit& admission_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  const MmuBackend backend_;
  const std::string& switch_name_;
  const ClockEdges edges_;
  const std::uint64_t admit_;
  RtlLibrary library_;
  std::unique_ptr<RtlMmu> rtl_;
  LockstepEngine engine_;
  std::deque<Inputs> pending_;  // of cycles that are not clocked yet
  EcnMarkerUnit* marker_{nullptr};
  MarkEngine marks_;
  std::map<std::uint64_t, std::vector<RtlDeparture>> departures_;  // likewise, by cycle
  std::vector<std::deque<Entering>> entering_;                     // by port
  std::vector<Domain> domains_;
  EgressAccounting queues_;  // counted by verdicts: no register shows what queues hold
  std::optional<RtlDifference> difference_;
  IngressAccounting held_;  // rtl: what its verdicts add up to
  MmuState shown_;          // the same, for those who watch
};

}  // namespace weir
