// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_block.hpp"
#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"
#include "weir/model/switch/switch_context.hpp"

namespace weir {

/// What the instances of one block in one switch share.
struct RtlBlockContext {
  const RtlBlockLibrary& library;
  const SwitchContext& parent;
  const char* block;  ///< Its name in the MMU.
};

/// The instance of a clocked block at one port. It is clocked as far as its unit asks, every cycle,
/// and its outputs are compared until the first difference.
class RtlPort {
 public:
  RtlPort(const RtlBlockContext& context, std::size_t port);
  virtual ~RtlPort() = default;
  RtlPort(const RtlPort&) = delete;
  RtlPort& operator=(const RtlPort&) = delete;

  /// Clocks until `cycle` is the cycle of the inputs. The cycles before the first call are not in
  /// a waveform.
  void run_to(std::uint64_t cycle) {
    rtl_.hide(!used_);
    used_ = true;
    while (cycle_ < cycle && !difference_) clock();
    rtl_.hide(false);
  }
  void run_to(Picoseconds now) { run_to(edges_.cycle_at_or_before(now).count()); }
  /// Some cycles more, for the waveform alone: they are not compared.
  void run_on();

  [[nodiscard]] std::uint64_t cycle() const noexcept { return cycle_; }
  /// Something has happened at the port.
  [[nodiscard]] bool used() const noexcept { return used_; }
  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  /// The first one, and its cycle.
  [[nodiscard]] const std::optional<std::pair<std::uint64_t, LockstepDifference>>& difference()
      const noexcept {
    return difference_;
  }
  [[nodiscard]] RtlWave& wave() noexcept { return rtl_; }

 protected:
  /// One cycle: compares its outputs, the edge that ends it.
  virtual void clock() = 0;

  /// The pins are asked for: resets the block. Errors: ConfigError when it has others.
  void reset();
  void settle() { rtl_.settle(); }
  /// The edge that ends the cycle, and what the next one begins with.
  void rise();
  void same(const char* pin, std::uint64_t expected, std::uint64_t actual, const char* part = "");
  [[nodiscard]] RtlBlock& rtl() noexcept { return rtl_; }
  [[nodiscard]] Picoseconds edge() const noexcept { return edges_.time(Cycle{cycle_}); }

 private:
  const std::size_t port_;
  const ClockEdges edges_;
  RtlBlock rtl_;
  RtlPin clock_pin_, reset_pin_;
  std::uint64_t cycle_{0}, compared_{0};
  bool used_{false};
  std::optional<std::pair<std::uint64_t, LockstepDifference>> difference_;
};

/// The ports of a switch: each is clocked when something happens at it, and every
/// cycles_between_looks cycles, so that a difference is found soon after it came.
class RtlPorts final : private Actor {
 public:
  static constexpr std::uint64_t cycles_between_looks = 64;

  explicit RtlPorts(const RtlBlockContext& context);

  void add(RtlPort& port) { ports_.push_back(&port); }
  /// Throws the earliest difference, if any port has found one. Errors: RtlDifference.
  void check();
  void finish(Picoseconds end);

  [[nodiscard]] const std::optional<RtlDifference>& difference() const noexcept {
    return difference_;
  }
  [[nodiscard]] std::vector<RtlWave*> waves() const;
  [[nodiscard]] std::uint64_t compared() const;

 private:
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void run_to(Picoseconds now);
  [[nodiscard]] const RtlPort* earliest() const;

  Agenda& agenda_;
  Agenda::ActorId actor_;
  const std::string library_, node_;
  const ClockEdges edges_;
  std::vector<RtlPort*> ports_;
  std::optional<RtlDifference> difference_;
};

/// The switch of a block: "tor" of "tor.mmu.pfc_state".
[[nodiscard]] std::string node_of_block(const std::string& name);

/// The text of a difference, and when it was seen.
[[nodiscard]] RtlDifference difference_of(const std::string& library, const std::string& node,
                                          std::uint64_t cycle, const LockstepDifference& difference,
                                          Picoseconds time);

/// Errors: ConfigError when two frames can end or start at a port within one cycle, which the pins
///         of a block cannot say.
void require_one_frame_a_cycle(const RtlBlockContext& context);

}  // namespace weir
