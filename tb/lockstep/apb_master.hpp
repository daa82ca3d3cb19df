// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/csr_reference.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/mmu_reference.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/random.hpp"
#include "weir/model/registers/register_map.hpp"

namespace weir::test {

/// APB master of a Verilated weir_mmu: configures it, then reads and writes at random, legal and
/// illegal accesses. In each cycle: drive(), compare(), end().
template <class Model>
class ApbMaster {
 public:
  ApbMaster(Scoreboard& board, const RtlShape& shape) : board_{board}, shape_{shape} {
    if (shape.wred_profiles != 0) of_marker_ = board_.point("marker read while requests go on");
  }

  /// Starts again after a reset: settings in random order, mixed with accesses that must be
  /// refused; then chip.start.
  void reset(MmuReference& mmu, RandomStream& random) {
    board_.hit_if(transfer_.has_value(), reset_in_transfer_);
    transfer_.reset();
    enabled_ = false;
    gap_ = static_cast<unsigned>(random.uniform(30));
    mmu_ = &mmu;
    csr_ = std::make_unique<CsrReference>(shape_, mmu);
    program_.clear();
    write_settings(random);
    program_.push_back({true, address("chip.start"), 0});
    program_.push_back({true, address("chip.start"), 1});
    for (std::size_t port = 0; port < shape_.ports; ++port)  // as long as most cells are free
      program_.push_back(threshold_read(port * priorities + mmu.chip.pg_of_priority[0]));
  }

  /// Once configured, whether to read only, so that no counter is cleared.
  void only_read(bool only) noexcept { only_reads_ = only; }

  /// Reads every register once, in random order, at most `most` of them.
  void read_all(RandomStream& random, std::size_t most) {
    std::vector<ApbAccess> reads;
    for (const RegisterBlock& block : register_map())
      for (std::size_t index = 0; index < block.instances(mmu_->chip); ++index)
        for (const Register& reg : block.registers)
          for (unsigned word = 0; word < reg.words; ++word)
            reads.push_back({false, at(block, reg, index, word), 0});
    for (std::size_t n = 0; n < reads.size() && n < most; ++n) {
      std::swap(reads[n], reads[n + random.uniform(reads.size() - n)]);
      program_.push_back(reads[n]);
    }
  }
  [[nodiscard]] bool program_done() const { return program_.empty() && !transfer_; }

  /// Inputs of cycle `now`. `pg`, `queue`: those that a request has just used.
  void drive(Model& rtl, RandomStream& random, std::uint64_t now, std::size_t pg,
             std::size_t queue) {
    if (transfer_ && !enabled_) {
      enabled_ = true;
    } else if (!transfer_ && gap_ != 0) {
      --gap_;
    } else if (!transfer_) {
      transfer_ = next(random, pg, queue);
      enabled_ = false;
    }
    rtl.psel_i = transfer_.has_value();
    rtl.penable_i = transfer_ && enabled_;
    if (transfer_) {
      rtl.pwrite_i = transfer_->write;
      rtl.paddr_i = transfer_->address;
      rtl.pwdata_i = transfer_->data;
    }
    const unsigned setting_rows = 16U << (shape_.ports > 1 ? bits_for(shape_.ports) : 1U);
    csr_->begin(now, transfer_, now >= setting_rows);
  }

  void compare(const Model& rtl) {
    board_.compare(ready_, csr_->ready() && enabled_, rtl.pready_o);
    board_.compare(error_, csr_->error(), rtl.pslverr_o);
    board_.compare(data_, csr_->data(), rtl.prdata_o, transfer_ ? transfer_->address : 0);
  }

  void end(RandomStream& random, bool requests) {
    if (csr_->ready()) {
      cover(requests);
      transfer_.reset();
      gap_ = static_cast<unsigned>(random.uniform(4) != 0 ? 0 : random.uniform(12));
    }
    csr_->end();
  }

  [[nodiscard]] bool started() const { return csr_->started(); }
  void put(std::ostream& text) const {
    if (transfer_)
      text << "APB " << (transfer_->write ? "write " : "read ") << std::hex << transfer_->address
           << " data " << transfer_->data << std::dec << "; ";
  }

 private:
  static std::uint32_t address(const char* name, std::size_t index = 0) {
    return static_cast<std::uint32_t>(register_address(name, index).value());
  }
  static std::uint32_t at(const RegisterBlock& block, const Register& reg, std::size_t index,
                          unsigned word = 0) {
    return static_cast<std::uint32_t>(block.base + index * block.stride + reg.offset + 4 * word);
  }

  void write_settings(RandomStream& random) {
    const RegisterTarget target = mmu_->target(0, 0);
    std::vector<ApbAccess> last;
    for (const RegisterBlock& block : register_map())
      for (const Register& reg : block.registers) {
        const bool setting = reg.access == RegisterAccess::cfg || reg.access == RegisterAccess::rw;
        for (std::size_t index = 0; setting && index < block.instances(mmu_->chip); ++index) {
          // With many ports, access fewer registers of each, to save time.
          if (random.uniform(shape_.ports <= 8 ? 3 : 8) == 0)
            try_first(random, reg, at(block, reg, index));
          last.push_back(
              {true, at(block, reg, index), static_cast<std::uint32_t>(reg.read(target, index))});
        }
      }
    for (std::size_t n = 0; n < last.size(); ++n) {  // in random order
      std::swap(last[n], last[n + random.uniform(last.size() - n)]);
      program_.push_back(last[n]);
      if (random.uniform(8) == 0) program_.push_back({false, last[n].address, 0});
    }
  }
  // A legal or illegal value before the register gets its final one.
  void try_first(RandomStream& random, const Register& reg, std::uint32_t address) {
    program_.push_back({true, address, edge_of(random, reg)});
    program_.push_back({false, address, 0});
  }
  std::uint32_t edge_of(RandomStream& random, const Register& reg) const {
    const LegalField& field = reg.legal[random.uniform(reg.legal.size())];
    const auto low = [&](std::uint64_t value) {
      return static_cast<std::uint32_t>((value & low_bits(field.width)) << field.low);
    };
    switch (random.uniform(10)) {
      case 0:
        return low(field.least);
      case 1:
        return low(field.most);
      case 2:
        return low(std::uint64_t{field.least} - 1);
      case 3:
        return low(std::uint64_t{field.most} + 1);
      case 4:
        return 1U << random.uniform(25);
      case 5:  // the RTL has this many bits for cells
        return (1U << shape_.cell_w) - static_cast<std::uint32_t>(random.uniform(2));
      case 6:
        return static_cast<std::uint32_t>(random.next());
      case 7:  // likewise, of any magnitude
        return static_cast<std::uint32_t>(random.next() >> 32 >> random.uniform(32));
      default:
        return legal_word(random, reg);
    }
  }

  ApbAccess next(RandomStream& random, std::size_t pg, std::size_t queue) {
    if (!program_.empty()) {
      const ApbAccess access = program_.front();
      program_.pop_front();
      return access;
    }
    if (only_reads_) return remembered(touched(random, pg, queue));
    // With a marker often: what it forgets depends on the cycle of the packet.
    if (mmu_->marks && random.uniform(24) == 0) return {true, address("chip.clear_stats"), 1};
    const std::uint64_t kind = random.uniform(100);
    if (kind < 5) return profile_write(random);
    if (kind < 7) return {true, address("chip.quanta"), quanta(random)};
    if (kind < 8)
      return {true, address("chip.clear_stats"), static_cast<std::uint32_t>(random.uniform(4))};
    if (kind < 14) return anything(random);
    if (kind < 20 && last_read_ != 0) return {false, last_read_ + 4, 0};  // perhaps a high word
    return remembered(touched(random, pg, queue));
  }
  ApbAccess remembered(ApbAccess read) {
    last_read_ = read.address;
    return read;
  }

  ApbAccess touched(RandomStream& random, std::size_t pg, std::size_t queue) const {
    if (mmu_->marks && random.uniform(3) == 0) return of_marker(random, queue);
    constexpr std::array<const char*, 6> names{"pg",   "pg_stats",    "queue_stats",
                                               "pool", "egress_pool", "port"};
    const char* name = names[random.uniform(names.size())];
    const auto& map = register_map();
    const RegisterBlock& block = *std::find_if(
        map.begin(), map.end(), [&](const RegisterBlock& b) { return b.name == name; });
    const Register& reg = block.registers[random.uniform(block.registers.size())];
    std::size_t index = random.uniform(block.instances(mmu_->chip));
    if (block.by_priority) index = name[0] == 'q' ? queue : pg;
    if (block.by_priority && random.uniform(4) == 0)  // also of another port
      index = random.uniform(shape_.ports) * priorities + index % priorities;
    if (block.name == "pg" && random.uniform(2) == 0) return threshold_read(index);
    return {false, at(block, reg, index), 0};
  }
  ApbAccess of_marker(RandomStream& random, std::size_t queue) const {
    if (random.uniform(4) == 0)
      return {false, address("port_draw.state", random.uniform(shape_.ports)), 0};
    const auto row = random.uniform(wred_counter_table.size() + 1);
    const std::string name{row == wred_counter_table.size() ? "waiting"
                                                            : wred_counter_table[row].name};
    return {false, address(("queue_wred." + name).c_str(), queue), 0};
  }
  // Reads T, the widest value.
  static ApbAccess threshold_read(std::size_t pg) {
    return {false, address("pg.threshold", pg), 0};
  }

  ApbAccess profile_write(RandomStream& random) const {
    const auto low = [&](std::uint64_t below) {
      return static_cast<std::uint32_t>(random.uniform(below));
    };
    const std::size_t index = random.uniform(mmu_->chip.profiles.size());
    const auto write = [&](const char* name, std::uint32_t value) -> ApbAccess {
      return {true, static_cast<std::uint32_t>(register_address(name, 0).value() + index * 0x40U),
              value};
    };
    switch (random.uniform(5)) {
      case 0: {
        const Alpha alpha = Alpha::power_of_two(static_cast<int>(random.uniform(16)) - 8);
        return write("profile.alpha", alpha.numerator | std::uint32_t{alpha.shift} << 16);
      }
      case 1:
        return write("profile.static_limit", mark(random, 150));
      case 2:
        return write("profile.xon", mark(random, 40));
      case 3:
        return write("profile.xon_offset", mark(random, 40));
      default:
        return write("profile.alpha", (1U + low(65535)) | low(18) << 16);
    }
  }
  // A number of cells, usually below `below`.
  static std::uint32_t mark(RandomStream& random, std::uint64_t below) {
    return static_cast<std::uint32_t>(random.uniform(8) != 0
                                          ? random.uniform(below)
                                          : random.next() >> (40 + random.uniform(24)));
  }
  static std::uint32_t quanta(RandomStream& random) {
    switch (random.uniform(8)) {
      case 0:
        return static_cast<std::uint32_t>(random.uniform(70'000));
      case 1:
        return static_cast<std::uint32_t>(1 + random.uniform(4));
      default:
        return static_cast<std::uint32_t>(1 + random.uniform(300));
    }
  }
  ApbAccess anything(RandomStream& random) const {
    const auto& map = register_map();
    const RegisterBlock& block = map[random.uniform(map.size())];
    const Register& reg = block.registers[random.uniform(block.registers.size())];
    const std::size_t instances = block.instances(mmu_->chip);  // none: where nothing is
    const std::uint32_t address = at(block, reg, instances == 0 ? 0 : random.uniform(instances));
    switch (random.uniform(6)) {
      case 0:
        return {false, static_cast<std::uint32_t>(random.uniform(1U << 24)), 0};
      case 1:
        return {true, address + static_cast<std::uint32_t>(random.uniform(4)), 0};
      case 2:  // all ones, which most settings refuse: a legal value would spoil the run
        return {true, address, reg.access == RegisterAccess::rw ? 0xffff'ffffU : 1U};
      default:
        return {false, address, 0};
    }
  }

  void cover(bool requests) {
    using Kind = CsrReference::Kind;
    const Kind kind = csr_->kind();
    const bool write = transfer_->write;
    board_.hit_if(kind == Kind::refused && write, refused_write_);
    board_.hit_if(kind == Kind::refused && !write, refused_read_);
    board_.hit_if(kind == Kind::kept, kept_);
    board_.hit_if(kind == Kind::of_domain && requests, domain_read_);
    board_.hit_if(kind == Kind::setting, setting_);
    if (of_marker_) board_.hit_if(kind == Kind::of_marker && requests, *of_marker_);
    if (kind != Kind::write || !started()) return;
    const auto block = csr_->where()->block->name, reg = csr_->where()->reg->name;
    board_.hit_if(block == "profile" && requests, profile_);
    board_.hit_if(reg == "quanta", quanta_);
    board_.hit_if(reg == "clear_stats" && (transfer_->data & 1U) != 0 && requests, clear_);
    board_.hit_if(reg == "start", start_again_);
  }

  Scoreboard& board_;
  const RtlShape& shape_;
  MmuReference* mmu_{nullptr};
  std::unique_ptr<CsrReference> csr_;
  std::deque<ApbAccess> program_;
  std::optional<ApbAccess> transfer_;
  bool enabled_{false}, only_reads_{false};
  unsigned gap_{0};
  std::uint32_t last_read_{0};

  using Point = Scoreboard::Point;
  const Scoreboard::Output ready_{board_.output("pready_o")}, error_{board_.output("pslverr_o")},
      data_{board_.output("prdata_o")};
  const Point refused_write_{board_.point("register write refused")},
      refused_read_{board_.point("register read refused")},
      kept_{board_.point("high word read as kept")},
      domain_read_{board_.point("state read while requests go on")},
      setting_{board_.point("port setting read")},
      profile_{board_.point("profile written while requests go on")},
      quanta_{board_.point("quanta written")},
      clear_{board_.point("counters cleared while requests go on")},
      start_again_{board_.point("chip.start written again")},
      reset_in_transfer_{board_.point("reset within a register access")};
  std::optional<Point> of_marker_;
};

}  // namespace weir::test
