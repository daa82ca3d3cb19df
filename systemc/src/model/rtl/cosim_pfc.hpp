// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/pfc_reference.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// The PFC pins of weir_mmu for Cosim: random MACs that send its frames and bring it others, and
/// the reference of what each pin must be (PfcReference).
///
/// MACs are busy, start frames unasked and delay beats. Frames that come in are PFC of any
/// classes and times, and what a receiver must not obey: wrong address, type and opcode, short,
/// long, bad FCS, reserved bits set.
///
/// Timing:  a frame whose last beat is taken by an edge has its last bit there.
/// Source:  docs/design/contract.md, 3.
class CosimPfc {
 public:
  CosimPfc(const Chip& chip, const RtlMmu& rtl, std::uint64_t seed);

  void reset();
  /// The inputs of a cycle: frames that come in, where beats are taken.
  void drive(RtlMmu& rtl);
  /// With all pins of the cycle settled: compares them and starts frames. Returns the first
  /// difference. Range: `lockstep` has compared the verdicts of this cycle.
  std::optional<LockstepDifference> step(RtlMmu& rtl, const LockstepEngine& lockstep, Quanta quanta,
                                         std::vector<PortCounters>& counters);

  /// Counts the frames that the last edge took: step() does so when it begins the next cycle.
  void count_received(std::vector<PortCounters>& counters);

  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  [[nodiscard]] std::uint64_t received() const noexcept { return received_; }

 private:
  using Octets = std::vector<std::uint8_t>;
  struct Port {
    bool takes{true};
    Octets coming{};
    std::size_t come{0};                 // octets of it
    bool ended{false};                   // with the beat of this cycle
    std::optional<PfcFrame> received{};  // at the edge that began this cycle
    std::uint64_t busy{0};               // cycles until its MAC may start a frame
  };

  [[nodiscard]] Octets draw_frame();
  void drive_port(RtlMmu& rtl, std::size_t index);
  void compare(const RtlMmu& rtl, const LockstepEngine& lockstep);
  [[nodiscard]] bool draw_start(Port& port, bool request);
  void end_port(RtlMmu& rtl, std::size_t index, std::vector<PortCounters>& counters);
  void take_frame(Port& port, std::size_t index, std::uint64_t edge);

  const Chip chip_;
  const std::size_t beat_;
  const bool fcs_in_stream_;
  PfcReference reference_;
  PfcReference::Ports takes_;
  RandomStream random_;
  std::vector<Port> ports_;
  std::uint64_t cycles_left_{0}, share_{0};  // of the present mix: percent of cycles with a frame
  std::optional<LockstepDifference> difference_;
  std::uint64_t compared_{0}, sent_{0}, received_{0};
};

}  // namespace weir
