// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/chip.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/mmu.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir_mmu.h"

namespace weir::c {

/// What a number of weir_mmu.h means: core, marker and registers of one chip, asked with the
/// numbers of C.
///
/// Range:  anything; what is out of range, and what the core would take for a broken invariant, is
///         refused before anything changes.
/// Errors: Refused.
class ReferenceMmu final : private PfcGeneratorRegisters, private PfcReceiverRegisters {
 public:
  explicit ReferenceMmu(const Chip& chip);
  ReferenceMmu(const ReferenceMmu&) = delete;
  ReferenceMmu& operator=(const ReferenceMmu&) = delete;
  ~ReferenceMmu() override = default;

  [[nodiscard]] weir_mmu_chip_info chip() const;
  [[nodiscard]] std::uint32_t cells(std::uint32_t bytes) const;

  [[nodiscard]] weir_mmu_verdict arrive(const weir_mmu_arrival& arrival);
  [[nodiscard]] weir_mmu_verdict arrive(const weir_mmu_arrival& arrival, weir_mmu_copy* copies,
                                        std::uint32_t count);
  [[nodiscard]] bool mark(std::uint32_t queue, std::uint32_t cells, std::uint32_t bytes,
                          std::uint32_t ecn, std::uint64_t now);
  void discard(std::uint32_t queue, std::uint32_t cells, std::uint64_t now);
  void enter_later() noexcept { enters_later_ = true; }
  [[nodiscard]] bool enter(std::uint32_t queue, std::uint32_t cells, std::uint32_t bytes,
                           std::uint32_t ecn, std::uint64_t now);
  [[nodiscard]] weir_mmu_level release(const weir_mmu_departure& departure);

  [[nodiscard]] std::uint32_t threshold(std::uint32_t pg, std::uint64_t now) const;
  [[nodiscard]] std::uint32_t queue_threshold(std::uint32_t queue, std::uint32_t domain,
                                              std::uint64_t now) const;
  [[nodiscard]] std::uint8_t xoff_classes(std::uint32_t port) const;
  [[nodiscard]] std::uint64_t counter(const std::string& sai_name, std::uint32_t index) const;

  [[nodiscard]] std::uint32_t register_at(const std::string& name, std::uint32_t index) const;
  [[nodiscard]] std::uint32_t read(std::uint32_t address, std::uint64_t now);
  void write(std::uint32_t address, std::uint64_t now, std::uint32_t value);

  [[nodiscard]] std::vector<weir_mmu_group> snapshot(std::uint64_t now) const;
  [[nodiscard]] std::uint32_t groups() const noexcept;

 private:
  // What the registers show of PFC blocks, of which there are none.
  void set_quanta(Quanta quanta) override { quanta_ = quanta; }
  [[nodiscard]] Quanta quanta() const override { return quanta_; }
  [[nodiscard]] PauseTimes pause_times(PortId, Priority, Picoseconds) const override { return {}; }
  void clear_times(Picoseconds) override {}

  [[nodiscard]] Cycle cycle(std::uint64_t now) const;
  [[nodiscard]] PgIndex group(std::uint32_t pg) const;
  [[nodiscard]] PgIndex used_group(std::uint32_t pg) const;
  [[nodiscard]] QueueIndex queue_of(std::uint32_t queue) const;
  [[nodiscard]] bool is_judged(QueueIndex queue) const noexcept {
    return marker_ && marker_->has_profile(queue);
  }
  [[nodiscard]] bool enters(QueueIndex queue, Cells n, Bytes length, Ecn ecn);
  // A packet at its queue, and not at its group.
  struct QueueStep {
    QueueIndex queue;
    Cells cells;
    Ecn ecn;
  };
  using Require = void (ReferenceMmu::*)(QueueIndex, Cells) const;
  // The step that these arguments ask for, which is the last one from here on. Nothing has changed
  // where one of them is refused, the last by `require`.
  [[nodiscard]] QueueStep step_of(std::uint32_t queue, std::uint32_t cells, std::uint32_t ecn,
                                  std::uint64_t now, Require require);
  void require_waiting(QueueIndex queue, Cells n) const;
  void require_room(QueueIndex queue, Cells n) const;
  void require_held(PgIndex pg, QueueIndex queue, Cells n, bool last) const;
  [[nodiscard]] std::vector<QueueIndex> queues_of(const weir_mmu_copy* copies,
                                                  std::uint32_t count) const;
  [[nodiscard]] weir_mmu_verdict answer(const Verdict& verdict, PgIndex pg) const;
  [[nodiscard]] RegisterWord word_at(std::uint32_t address) const;
  [[nodiscard]] RegisterTarget target(Cycle now);

  Mmu mmu_;
  std::optional<EcnMarker> marker_;  // none: the chip has no WRED profile
  std::optional<PlainMarkerOwner> marker_owner_;
  bool enters_later_{false};
  std::vector<PortCounters> ports_;  // of MACs, of which there are none: all 0
  Quanta quanta_;
  Cycle last_step_;
  std::optional<std::uint64_t> latched_for_;  // address of the high word that is latched
  std::uint32_t latched_{0};
};

}  // namespace weir::c
