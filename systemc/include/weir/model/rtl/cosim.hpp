// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/mmu.hpp"
#include "weir/core/scheduling/arrival_arbiter.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/mmu/mmu_backend.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/rtl_library.hpp"
#include "weir/model/rtl/rtl_mmu.hpp"

namespace weir {

class CosimMarks;
class CosimPfc;
class MarkEngine;
struct RegisterShelf;

/// Random requests, for core and RTL alike, on a user's chip: every grant, verdict, XOFF level and
/// PFC pin is compared in every cycle; every register at the end and before resets.
///
/// Requests wait at the ports, as many as a draw says, and the arbiters choose. PFC frames come in
/// and are sent (CosimPfc). Where the chip has WRED profiles, packets are dropped and marked, and
/// leave their queues (CosimMarks). Registers are written while requests go on: alpha, limits, XON
/// settings, the quanta, clear_stats. Now and then all is reset in the middle.
///
/// Units:   cycles of requests; those of resets are not counted.
/// Errors:  RtlDifference at the first difference: cycle, port, PG, what, expected, actual.
///          ConfigError when the RTL cannot hold the chip.
/// Timing:  what is drawn depends on chip and seed alone.
/// Source:  docs/design/contract.md, 6 and 7; docs/guide/cosimulation.md.
class Cosim {
 public:
  Cosim(const Chip& chip, const RtlLibrary& library, std::uint64_t seed);
  ~Cosim();

  /// Runs `cycles` more cycles. Errors: RtlDifference.
  void run(std::uint64_t cycles);
  /// Runs until all that was requested has come out, then compares every register. Errors:
  /// RtlDifference.
  void finish();

  /// Cycles of requests so far.
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }
  /// Values compared so far.
  [[nodiscard]] std::uint64_t compared() const noexcept;
  /// Arrivals so far.
  [[nodiscard]] std::uint64_t arrivals() const noexcept { return arrivals_; }
  /// Releases so far.
  [[nodiscard]] std::uint64_t releases() const noexcept { return releases_; }
  /// PFC frames sent so far.
  [[nodiscard]] std::uint64_t frames_sent() const noexcept;
  /// PFC frames received so far.
  [[nodiscard]] std::uint64_t frames_received() const noexcept;
  /// Register writes so far.
  [[nodiscard]] std::uint64_t writes() const noexcept { return writes_; }
  /// Packets marked by WRED so far.
  [[nodiscard]] std::uint64_t marked() const noexcept;
  /// Packets dropped by WRED so far.
  [[nodiscard]] std::uint64_t wred_dropped() const noexcept;

  /// Runs again from the start and writes the cycles [first, last) into a VCD file, to show a
  /// difference. Nothing is compared. Units: ps, from cycle 0. Errors: ConfigError where the file
  /// cannot be written.
  void write_wave(const std::string& path, std::uint64_t first, std::uint64_t last);

  /// Runs again from the start for `cycles` cycles without a reset, and writes tables for another
  /// simulator: PREFIX.setup.csv, PREFIX.cycles.csv and PREFIX.held.csv (vectors/mmu/README.md).
  /// Errors: ConfigError where a file cannot be written; RtlDifference at a difference.
  void write_vector(const std::string& prefix, std::uint64_t cycles);

 private:
  struct Domain {
    explicit Domain(std::size_t ports)
        : arrivals{ports}, releases{ports}, arriving(ports), leaving(ports) {}
    ArrivalArbiter arrivals, releases;
    std::vector<std::deque<ArrivalStep>> arriving;  ///< By port.
    std::vector<std::deque<ReleaseStep>> leaving;
    std::size_t waiting{0};
  };
  /// A register that software may write while packets are held.
  struct Setting {
    const RegisterBlock* block{nullptr};
    const Register* reg{nullptr};
    std::size_t index{0};
    std::uint32_t original{0};
  };
  struct Write {
    const Setting* setting{nullptr};
    std::uint32_t value{0};
    std::uint64_t waited{0};
  };

  void begin();
  void restart();
  void reset_now_and_then();
  void cycle();
  void draw(DomainId domain);
  void drive_waiting(DomainId domain);
  void grant_releases(DomainId domain);
  void grant_arrivals(DomainId domain);
  void move_frames();
  void check_verdicts();
  void check_registers();
  void drain();
  void list_settings();
  void begin_write();
  void take_write();
  [[nodiscard]] std::uint32_t draw_value(const Setting& setting);
  [[nodiscard]] bool idle() const;
  void same(const LockstepValue& value);
  [[noreturn]] void differ(const LockstepDifference& difference) const;
  void write_setup(const std::string& path);
  void write_held(const std::string& path);

  const Chip chip_;
  const RtlLibrary library_;
  std::unique_ptr<RegisterShelf> registers_;
  std::unique_ptr<RtlMmu> rtl_;
  std::unique_ptr<Mmu> mmu_;
  const std::uint64_t seed_;
  std::unique_ptr<StepTraffic> traffic_;
  std::unique_ptr<CosimPfc> pfc_;
  std::unique_ptr<CosimMarks> marks_;     // none: the chip has no WRED profile
  std::unique_ptr<MarkEngine> no_marks_;  // then all answers are 0
  std::vector<Domain> domains_;
  std::unique_ptr<LockstepEngine> engine_;
  std::vector<QueueIndex> taken_;  // scratch: queues that took a packet
  std::vector<Setting> settings_;  // that are written at random
  std::optional<Write> writing_;
  std::function<void()> taker_;  // of the pins of each cycle
  std::uint64_t cycles_{0}, compared_{0}, arrivals_{0}, releases_{0}, writes_{0};
  std::uint64_t marked_{0}, dropped_{0};  // by WRED
  bool drawing_{true}, comparing_{true};
};

}  // namespace weir
