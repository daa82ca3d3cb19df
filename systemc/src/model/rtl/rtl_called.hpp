// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rtl_block.hpp"
#include "weir/core/chip.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/index.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/rtl/lockstep_engine.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir {

class CalledRtl;

/// What a chip needs of a parameter of a library.
struct CalledRtlNeed {
  const char* key;     ///< What asks for it, in the words of the chip.
  const char* option;  ///< Of scripts/rtl/make-backend; none: it is always built so.
  const char* parameter;
  std::uint64_t least;
};

/// A block whose RTL answers the calls of an interface. Each call is some edges of a clock of the
/// block's own, while the time of the chip does not move: the MMU needs the answer before the next
/// call of the same cycle. In a waveform these edges follow each other by picoseconds.
///
/// What its instances share: the comparisons with the core, the first difference, the time.
class CalledRtlUnit : public RtlBlockUnit {
 public:
  [[nodiscard]] const std::optional<RtlDifference>& difference() const override {
    return difference_;
  }
  [[nodiscard]] std::string block() const override { return library_.block(); }
  [[nodiscard]] std::vector<RtlWave*> waves() override;
  [[nodiscard]] std::uint64_t compared() const override { return compared_; }
  void follow(const Agenda& agenda) override { agenda_ = &agenda; }
  void finish(Picoseconds) override {}

 protected:
  /// `name`: of the module, in a switch with `chip`.
  CalledRtlUnit(const RtlBlockLibrary& library, const std::string& name, const Chip& chip);

  /// Errors: ConfigError with the command that makes a library for this chip.
  void require(const std::vector<CalledRtlNeed>& needs) const;
  [[nodiscard]] std::uint32_t built(const char* parameter) const {
    return library_.parameter(parameter);
  }
  /// What `make` makes for each memory domain. Errors: ConfigError when CellW bits do not hold the
  /// cells of one.
  template <class Make>
  [[nodiscard]] auto by_domain(const Chip& chip, Make&& make) const {
    std::vector<decltype(make(DomainId{}))> domains;
    for (std::uint32_t d = 0; d < chip.domains; ++d) {
      const DomainId domain{static_cast<DomainId::rep>(d)};
      require_counts(library_, node_, cells_taken(chip, domain));
      domains.push_back(make(domain));
    }
    return domains;
  }

 private:
  friend class CalledRtl;

  /// Errors: RtlDifference, always.
  [[noreturn]] void differ(const std::string& where, const char* pin, std::uint64_t expected,
                           std::uint64_t actual);
  [[nodiscard]] Picoseconds now() const {
    return agenda_ == nullptr ? Picoseconds{} : agenda_->now();
  }

  const RtlBlockLibrary library_;
  const std::string node_;
  const ClockPeriod clock_of_chip_;
  std::vector<CalledRtl*> instances_;
  const Agenda* agenda_{nullptr};
  std::uint64_t compared_{0};
  std::optional<RtlDifference> difference_;
};

/// One instance of such a block: of a switch, or of one of its memory domains.
///
/// A cycle is: inputs are set, settle(), outputs are read and compared, edge(). A call ends with
/// settle(), so that outputs may be read between calls.
class CalledRtl {
 public:
  /// Of the whole switch.
  explicit CalledRtl(CalledRtlUnit& unit);
  CalledRtl(CalledRtlUnit& unit, const Chip& chip, DomainId domain);
  CalledRtl(const CalledRtl&) = delete;
  CalledRtl& operator=(const CalledRtl&) = delete;

  [[nodiscard]] RtlPin input(const char* name, std::uint32_t bits) {
    return rtl_.input(name, bits);
  }
  [[nodiscard]] RtlPin output(const char* name, std::uint32_t bits) {
    return rtl_.output(name, bits);
  }
  /// The pins are asked for: resets the block. Errors: ConfigError when it has others.
  void reset();
  /// Clocks until `done` is 1. Errors: ModelError when it stays 0.
  void wait_for(const RtlPin& done, const char* name);

  void settle();
  void edge();

  /// Counts a comparison. Errors: RtlDifference when both differ.
  template <class Index>
  void same(Index at, const char* pin, std::uint64_t expected, std::uint64_t actual) {
    ++unit_.compared_;
    if (expected != actual) unit_.differ(place_of(at) + domain_, pin, expected, actual);
  }
  /// Counts one, of values that were equal.
  void count() noexcept { ++unit_.compared_; }

 private:
  friend class CalledRtlUnit;

  CalledRtl(CalledRtlUnit& unit, const std::string& path, std::string domain);
  void show();

  CalledRtlUnit& unit_;
  const std::string domain_;  // in the words of a difference, where there are several
  RtlBlock rtl_;
  RtlPin clock_{rtl_.input("clk_i", 1)}, reset_{rtl_.input("rst_ni", 1)};
  Picoseconds shown_;
};

}  // namespace weir
