// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "weir/config/scenario/nic_spec.hpp"
#include "weir/core/index.hpp"
#include "weir/core/pfc/pfc_watchdog.hpp"
#include "weir/model/interfaces.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/observer.hpp"
#include "weir/model/switch/mac_tx.hpp"
#include "weir/model/switch/port_counters.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// The PFC watchdogs of a switch, one for each port and class that is watched.
///
/// In a storm, action `drop` switches the lossless mode of the class off at that port: the peer's
/// pauses have no effect; what waits for the peer or comes for it is dropped after the MMU, what
/// comes from it before the MMU. `forward` only ignores the pauses, `alert` only reports.
///
/// It sits between the receiving MACs of its ports and the MMU.
///
/// Timing:  exact and without polling: it looks when a PAUSE comes, and when the condition would be
///          met. A frame counts by its last bit. Its tasks are the PFC receiver's, after the PFC
///          frames of the same moment. Ports that are not watched cost nothing.
/// Source:  the decision is core/pfc/pfc_watchdog.hpp.
class PfcWatchdogUnit final : public sc_core::sc_module, public PauseWatchIf, public MmuRequestIf {
 public:
  sc_core::sc_export<PauseWatchIf> pauses{"pauses"};
  sc_core::sc_export<MmuRequestIf> request{"request"};  ///< Requests of the MACs of watched ports.
  sc_core::sc_port<MmuRequestIf> mmu{"mmu"};

  PfcWatchdogUnit(const sc_core::sc_module_name& name, const SwitchContext& parent,
                  const std::vector<PfcWatchdogSpec>& specs, PfcReceiverBlock& receiver);

  /// The transmitting MAC of `port`. Before the simulation starts, for every watched port.
  void attach(PortId port, MacTx& mac) { ports_[port.count()].mac = &mac; }
  [[nodiscard]] bool watches(PortId port) const noexcept {
    return ports_[port.count()].classes != 0;
  }

  void pfc_obeyed(PortId port, const PfcFrame& frame, Picoseconds now) override;
  void watch(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void arrival(Frame& frame, Picoseconds last_bit) override;
  void release(const ReleaseTicket& ticket, PortId egress, Picoseconds last_byte) override {
    mmu_->release(ticket, egress, last_byte);
  }

  [[nodiscard]] std::uint64_t storms() const noexcept { return storms_; }
  [[nodiscard]] std::uint64_t restored() const noexcept { return restored_; }

 private:
  // In the order of one moment; arrival_task + n: at port n.
  enum Task : std::uint32_t { look_task = 1U << 16, arrival_task = 0 };
  using WatchedIndex = Index<struct WatchedTag>;  ///< port x 8 + class
  struct Watched {
    PfcWatchdog watchdog;
    WatchdogAction action;
    std::optional<Picoseconds> look_at;
  };
  struct Port {
    MacTx* mac{nullptr};
    std::uint8_t classes{0};                 // watched
    std::uint8_t unpausable{0}, dropped{0};  // by their storms
  };

  void end_of_elaboration() override { mmu_ = mmu[0]; }
  void look(PortId port, Priority priority, Picoseconds now);
  void apply(PortId id, Priority priority, bool storm, Picoseconds now);
  void pass(Frame& frame, Picoseconds now);

  const std::array<std::uint8_t, priorities> queue_of_priority_;
  PfcReceiverBlock& receiver_;
  std::vector<PortCounters>& counters_;
  const Observers& observers_;
  const std::string& switch_name_;
  MmuRequestIf* mmu_{nullptr};
  std::vector<Port> ports_;
  IndexedVector<WatchedIndex, std::optional<Watched>> watched_;
  std::uint64_t storms_{0}, restored_{0};
};

}  // namespace weir
