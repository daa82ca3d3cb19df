// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lockstep/domain_chip.hpp"
#include "lockstep/mmu_reference.hpp"
#include "weir/core/random.hpp"
#include "weir/model/registers/register_map.hpp"

namespace weir::test {

/// One APB transfer.
struct ApbAccess {
  bool write{false};
  std::uint32_t address{0}, data{0};
};

/// A word that `reg` accepts, all fields random. An index that must be below a count is usually too
/// large.
inline std::uint32_t legal_word(RandomStream& random, const Register& reg) {
  std::uint64_t word = 0;
  for (const LegalField& field : reg.legal)
    word |= (field.least + random.uniform(std::uint64_t{field.most} - field.least + 1))
            << field.low;
  return static_cast<std::uint32_t>(word);
}

/// The answers of csr of a weir_mmu, cycle by cycle: values and access rights from the model's
/// register map, and the cycles that csr.sv takes for each step of a transfer.
///
/// In each cycle: begin(), then read the outputs, then end() after the cycle's requests are judged.
class CsrReference {
 public:
  enum class Kind : std::uint8_t { refused, kept, local, setting, of_domain, of_marker, write };

  CsrReference(const RtlShape& shape, MmuReference& mmu) : shape_{shape}, mmu_{mmu} {}

  /// Begins cycle `now`. `asked`: the transfer on the pins, if any; `ready`: the memories are
  /// cleared.
  void begin(std::uint64_t now, const std::optional<ApbAccess>& asked, bool ready) {
    now_ = now;
    ++step_;
    if (!busy_ && asked_) {  // accepted at the previous edge
      busy_ = true;
      step_ = 1;
    }
    asked_.reset();
    if (!busy_) {
      if (asked && ready) asked_ = access_ = *asked;
      return;
    }
    if (step_ == 3) frames_ = mmu_.shelf.counters;
    if (step_ == check_step) look();
    if (step_ > check_step) act();
  }

  [[nodiscard]] bool ready() const { return busy_ && step_ == done_at_; }
  [[nodiscard]] bool error() const { return ready() && kind_ == Kind::refused; }
  [[nodiscard]] std::uint32_t data() const {
    if (!ready() || access_.write || kind_ == Kind::refused) return 0;
    return kind_ == Kind::kept ? kept_ : word_of(value_, where_->word);
  }
  /// Whether the chip is started, so that requests are granted.
  [[nodiscard]] bool started() const { return started_; }

  /// The edge that ends the cycle.
  void end() {
    if (!busy_) return;
    if (taking_ && step_ == check_step + 2) {  // requests of the next cycle use it
      for (std::size_t d = 0; d < mmu_.domains.size(); ++d) {
        RegisterTarget target = mmu_.target(d, now_);
        where_->reg->write(target, where_->index, access_.data);
      }
      taking_ = false;
    }
    if (!ready()) return;
    keep();
    busy_ = false;
    step_ = done_at_ = 0;
  }

  // ---- For coverage.
  [[nodiscard]] bool busy() const { return busy_; }
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::optional<RegisterWord>& where() const { return where_; }

 private:
  static constexpr unsigned check_step = 4;

  static std::uint32_t word_of(std::uint64_t value, unsigned word) {
    return static_cast<std::uint32_t>(word == 0 ? value : value >> 32);
  }

  // The cycle in which the address is decoded.
  void look() {
    where_ = access_.address % 4 == 0 ? find_register(mmu_.chip, access_.address) : std::nullopt;
    kind_ = kind_of_access();
    value_ = 0;
    taking_ = false;
    switch (kind_) {
      case Kind::refused:
      case Kind::kept:
        done_at_ = check_step + 1;
        break;
      case Kind::local:
        value_ = local_value();
        done_at_ = check_step + 1;
        break;
      case Kind::setting:
        value_ = shown();
        done_at_ = check_step + 2;
        break;
      case Kind::of_domain:
        first_ = first_domain();
        last_ = every_domain() ? mmu_.domains.size() - 1 : first_;
        done_at_ = check_step + 1 + fetch_cycles() * static_cast<unsigned>(last_ - first_ + 1);
        break;
      case Kind::of_marker:
        done_at_ = check_step + 4;
        break;
      case Kind::write:
        done_at_ = check_step + 2 + cycles_to_take();
    }
  }

  [[nodiscard]] Kind kind_of_access() const {
    if (!where_) return Kind::refused;
    if (access_.write) return may_write() ? Kind::write : Kind::refused;
    if (kept_for_ == access_.address) return Kind::kept;
    const auto block = where_->block->name;
    const RegisterAccess access = where_->reg->access;
    if (block == "pg" || block == "pg_stats" || block == "queue_stats" || block == "queue")
      return Kind::of_domain;
    if ((block == "pool" || block == "egress_pool") && access == RegisterAccess::ro)
      return Kind::of_domain;
    if ((block == "queue_wred" || block == "port_draw") && access == RegisterAccess::ro)
      return Kind::of_marker;
    return block == "port" && access == RegisterAccess::cfg ? Kind::setting : Kind::local;
  }
  [[nodiscard]] bool may_write() const {
    const Register& reg = *where_->reg;
    if (reg.access == RegisterAccess::ro || reg.outside) return false;
    if (reg.access == RegisterAccess::cfg && started_) return false;
    return is_legal(reg, mmu_.chip, access_.data) && !too_many_cells();
  }
  // The RTL was built for counts of this many bits.
  [[nodiscard]] bool too_many_cells() const {
    const auto block = where_->block->name, reg = where_->reg->name;
    const bool sized = (block == "profile" && (reg == "private" || reg == "headroom")) ||
                       (block == "queue_profile" && reg == "minimum") ||
                       ((block == "pool" || block == "egress_pool") &&
                        (reg == "shared_size" || reg == "headroom_size"));
    return sized && access_.data >> shape_.cell_w != 0;
  }

  [[nodiscard]] bool every_domain() const { return where_->block->name == "queue_stats"; }
  [[nodiscard]] std::size_t first_domain() const {
    const auto block = where_->block->name;
    if (block == "pool" || block == "egress_pool") return where_->index % mmu_.domains.size();
    // Before the start all domains have the same settings.
    if (started_ && (block == "pg" || block == "pg_stats"))
      return mmu_.domain_of(where_->index / priorities);
    return 0;
  }
  [[nodiscard]] unsigned fetch_cycles() const { return shape_.admit + 3; }
  // Cycles until every domain has loaded a profile; at the start, one profile after the other.
  [[nodiscard]] unsigned cycles_to_take() {
    const auto block = where_->block->name, reg = where_->reg->name;
    if (block == "chip" && reg == "start" && (access_.data & 1U) != 0 && !started_)
      return shape_.profiles;
    taking_ = block == "profile" && where_->reg->access == RegisterAccess::rw && started_;
    return taking_ ? 1 : 0;
  }

  // Cycles after look().
  void act() {
    if (kind_ == Kind::of_domain) fetch();
    if (kind_ == Kind::of_marker) fetch_of_marker();
    if (kind_ != Kind::write) return;
    const auto reg = where_->reg->name;
    if (step_ == check_step + 1 && !started_ && where_->reg->access != RegisterAccess::w1s)
      written_[access_.address] = access_.data;
    if (step_ == check_step + 2) {
      if (reg == "clear_stats" && (access_.data & 1U) != 0) clear();
      if (reg == "quanta") set_quanta();
    }
    if (reg == "start" && ready() && (access_.data & 1U) != 0) started_ = true;
  }

  void clear() {
    for (auto& domain : mmu_.domains) domain->mmu.clear_stats();
    mmu_.shelf.counters.assign(mmu_.shelf.counters.size(), PortCounters{});
  }
  void set_quanta() {
    RegisterTarget target = mmu_.target(0, now_);
    where_->reg->write(target, 0, access_.data);
    mmu_.pfc.set_quanta(Quanta{static_cast<std::uint16_t>(access_.data)});
  }

  // A domain is read every fetch_cycles(), with its state after the requests of earlier cycles.
  void fetch() {
    const unsigned since = step_ - check_step - 1;
    if (since % fetch_cycles() != 0 || ready()) return;
    const std::size_t domain = first_ + since / fetch_cycles();
    const std::uint64_t part =
        started_ ? where_->reg->read(mmu_.target(domain, now_), where_->index) : shown();
    if (!every_domain())
      value_ = part;
    else if (where_->reg->words == 2)
      value_ += part;
    else
      value_ = std::max(value_, part);
  }

  // What a queue has counted and holds, when it is asked; the state of the draws, when it answers.
  void fetch_of_marker() {
    const bool draws = where_->block->name == "port_draw";
    if (!draws && step_ == check_step + 1)
      value_ = mmu_.marks->counter(where_->reg->name, QueueIndex{where_->index}, now_);
    if (draws && step_ == check_step + 3)
      value_ = started_ ? mmu_.marks->state(where_->index) : seed_written();
  }
  // Before the start the state is the seed, and before that it is 1.
  [[nodiscard]] std::uint32_t seed_written() const {
    const auto seed = register_address("port_draw.seed", where_->index).value();
    const auto found = written_.find(static_cast<std::uint32_t>(seed));
    return found == written_.end() ? 1 : found->second;
  }

  [[nodiscard]] std::uint64_t local_value() {
    if (where_->reg->outside) return 0;
    if (where_->block->name == "port") {
      const PortCounters& port = frames_[where_->index];
      return where_->reg->name == "pfc_frames_sent" ? port.pfc_frames_sent
                                                    : port.pfc_frames_received;
    }
    if (where_->reg->name == "start") return started_ ? 1 : 0;
    return shown();
  }
  // Before the start a setting reads as what was written, or 0.
  [[nodiscard]] std::uint64_t shown() {
    const RegisterAccess access = where_->reg->access;
    const bool setting = access == RegisterAccess::cfg || access == RegisterAccess::rw;
    if (started_ || !setting) return where_->reg->read(mmu_.target(0, now_), where_->index);
    const auto found = written_.find(access_.address);
    if (found != written_.end()) return found->second;
    return where_->reg->name == "profile" ? 0xffff'ffffU : 0;
  }

  // Keeps the high word of a counter for the next read of that word.
  void keep() {
    if (access_.write || kind_ == Kind::refused) return;
    if (where_->reg->words == 2 && where_->word == 0) {
      kept_for_ = access_.address + 4;
      kept_ = word_of(value_, 1);
    } else if (kind_ == Kind::kept) {
      kept_for_ = nothing_kept;
    }
  }

  static constexpr std::uint32_t nothing_kept = ~std::uint32_t{0};

  const RtlShape& shape_;
  MmuReference& mmu_;
  std::uint64_t now_{0};
  std::optional<ApbAccess> asked_;
  ApbAccess access_;
  bool busy_{false}, started_{false}, taking_{false};
  unsigned step_{0}, done_at_{0};
  Kind kind_{Kind::refused};
  std::optional<RegisterWord> where_;
  std::uint64_t value_{0};
  std::size_t first_{0}, last_{0};
  std::vector<PortCounters> frames_;
  std::unordered_map<std::uint32_t, std::uint32_t> written_;
  std::uint32_t kept_for_{nothing_kept}, kept_{0};
};

}  // namespace weir::test
