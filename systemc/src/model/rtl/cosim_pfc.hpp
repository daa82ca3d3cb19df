// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "weir/core/pfc/pause_timer.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/core/pfc/pfc_generator.hpp"
#include "weir/core/random.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"
#include "weir/model/switch/port_counters.hpp"

namespace weir {

/// A pin of a port that says something else than the core.
struct PinDifference {
  std::size_t port{0};
  const char* pin{""};
  std::uint64_t expected{0}, actual{0};
};

/// The PFC pins of weir_mmu for Cosim: random MACs that send its frames and bring it others, and
/// the core's generators and pause timers, which say what each pin must be in each cycle.
///
/// MACs are busy, start frames unasked and hold back beats. Frames that come in are PFC of any
/// classes and times, and what a receiver must not obey: wrong address, type and opcode, short,
/// long, bad FCS, reserved bits set.
///
/// Timing:  a frame whose last beat is taken by an edge has its last bit there.
/// Source:  docs/design/contract.md, 3.
class CosimPfc {
 public:
  CosimPfc(const Chip& chip, const weir_rtl_shape& shape, std::uint64_t seed);

  void reset();
  /// The inputs of a cycle: frames that come in, where beats are taken.
  void drive(RtlMmu& rtl);
  /// With all pins of the cycle settled: compares them, and starts frames. `levels`: XOFF of each
  /// PG, bit n of byte p; `changed`: bit p % 64 of word p / 64, a verdict of this cycle changed
  /// one.
  std::optional<PinDifference> step(RtlMmu& rtl, const std::vector<std::uint8_t>& levels,
                                    const std::vector<std::uint64_t>& changed, Quanta quanta,
                                    std::vector<PortCounters>& counters);

  /// Counts the frames that the last edge took: step() does so when it begins the next cycle.
  void count_received(std::vector<PortCounters>& counters);

  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  [[nodiscard]] std::uint64_t received() const noexcept { return received_; }

 private:
  using Octets = std::vector<std::uint8_t>;
  struct Port {
    PfcGenerator generator;
    SwitchPauseTimer timer;
    std::deque<bool> changes;  // of the last cycles, the newest last
    bool requested{false}, takes{true};
    std::optional<PfcFrameBytes> sending{};
    std::size_t beats_sent{0};
    Octets coming{};
    std::size_t come{0};                 // octets of it
    std::optional<PfcFrame> received{};  // at the edge that began this cycle
    std::uint64_t busy{0};               // cycles until its MAC may start a frame
  };
  /// What the core says of a port in a cycle.
  struct Expected {
    bool request{false}, ready{true};
    std::uint8_t classes{0};
  };

  [[nodiscard]] Octets draw_frame();
  void drive_port(RtlMmu& rtl, std::size_t index);
  [[nodiscard]] Expected expect(Port& port, std::uint8_t levels, bool changed, Picoseconds edge);
  [[nodiscard]] bool same(std::size_t index, const char* pin, std::uint64_t expected,
                          std::uint64_t actual);
  void compare(RtlMmu& rtl, std::size_t index, const Expected& expected, Picoseconds edge);
  void compare_beat(RtlMmu& rtl, std::size_t index);
  [[nodiscard]] bool draw_start(Port& port, bool request);
  void end_cycle(Port& port, const std::optional<PfcFrame>& started, Picoseconds next_edge);

  const Chip chip_;
  const std::size_t latency_, beat_;
  RandomStream random_;
  std::vector<Port> ports_;
  std::uint64_t cycles_left_{0}, share_{0};  // of the present mix: percent of cycles with a frame
  std::optional<PinDifference> difference_;
  std::uint64_t compared_{0}, sent_{0}, received_{0};
};

}  // namespace weir
