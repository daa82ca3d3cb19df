// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/arrival_arbiter.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/step_traffic.hpp"
#include "weir/model/mmu_backend.hpp"
#include "weir/model/rtl_library.hpp"
#include "weir/model/rtl_mmu.hpp"

namespace weir {

/// Random requests, for core and RTL alike, on a user's chip: every grant, verdict and XOFF level
/// is compared in every cycle; every register at the end and before each reset in the middle.
///
/// Requests wait at the ports, as many as a draw says, and the arbiters choose. Settings of
/// profiles are written while cells are held, between requests.
///
/// Units:   cycles of requests; those of register transfers are not counted.
/// Errors:  RtlDifference at the first difference: cycle, port, PG, what, expected, actual.
///          ConfigError when the RTL cannot hold the chip.
/// Timing:  what is drawn depends on chip and seed alone.
/// Source:  DESIGN sections 6 and 7; docs/cosimulation.md.
class Cosim {
 public:
  Cosim(const Chip& chip, const RtlLibrary& library, std::uint64_t seed);
  ~Cosim();

  /// So many cycles more.
  void run(std::uint64_t cycles);
  /// All that is asked for comes out, and every register is compared.
  void finish();

  /// Cycles so far.
  [[nodiscard]] std::uint64_t cycles() const noexcept { return cycles_; }
  /// Values compared so far, and requests that were made.
  [[nodiscard]] std::uint64_t compared() const noexcept { return compared_; }
  [[nodiscard]] std::uint64_t arrivals() const noexcept { return arrivals_; }
  [[nodiscard]] std::uint64_t releases() const noexcept { return releases_; }

  /// All over again from the start; the cycles [first, last) go into a VCD file: what a difference
  /// looked like. Nothing is compared. Errors: ModelError where the file cannot be written.
  void write_wave(const std::string& path, std::uint64_t first, std::uint64_t last);

 private:
  struct Registers;
  struct ExpectedArrival {
    std::uint64_t due{0};
    std::uint32_t pg{0};
    Verdict verdict;
    std::uint8_t mask{0};
  };
  struct ExpectedRelease {
    std::uint64_t due{0};
    std::uint32_t pg{0};
    PfcLevel level;
  };
  struct Domain {
    explicit Domain(std::size_t ports)
        : arrivals{ports}, releases{ports}, arriving(ports), leaving(ports) {}
    ArrivalArbiter arrivals, releases;
    std::vector<std::deque<ArrivalStep>> arriving;  ///< By port.
    std::vector<std::deque<ReleaseStep>> leaving;
    std::size_t waiting{0};
    std::deque<ExpectedArrival> verdicts;
    std::deque<ExpectedRelease> freed;
  };

  void begin();
  void restart();
  void cycle();
  void draw(std::size_t domain);
  void tell_waiting(std::size_t domain);
  void grant_releases(std::size_t domain);
  void grant_arrivals(std::size_t domain);
  void check_releases(std::size_t domain);
  void check_arrivals(std::size_t domain);
  void check_levels();
  void check_registers();
  void drain();
  void write_setting();
  [[nodiscard]] bool idle() const;
  void same(std::uint32_t pg, const char* what, std::uint64_t expected, std::uint64_t actual);
  void same_grant(std::size_t domain, std::size_t lane, const char* what, std::size_t expected,
                  std::optional<std::size_t> actual);
  [[noreturn]] void differ(const std::string& where, const std::string& what,
                           const std::string& expected, const std::string& actual) const;

  Chip chip_;  ///< With the settings as written.
  const Chip original_;
  const RtlLibrary library_;
  std::unique_ptr<Registers> registers_;
  std::unique_ptr<RtlMmu> rtl_;
  std::unique_ptr<Mmu> mmu_;
  const std::uint64_t seed_;
  std::unique_ptr<StepTraffic> traffic_;
  std::vector<Domain> domains_;
  std::vector<std::uint8_t> levels_;
  std::uint64_t cycles_{0}, compared_{0}, arrivals_{0}, releases_{0};
  bool drawing_{true}, comparing_{true};
};

}  // namespace weir
