// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/mmu.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/rtl/rtl_library.hpp"

namespace weir {

/// A packet as the pins of weir_mmu say it.
struct RtlArrival {
  std::uint32_t pg{0}, cells{0}, bytes{0};
  std::array<std::uint32_t, 8> queue{};
  std::uint8_t mask{1};  ///< Bit n: queue[n] is meant.
};
struct RtlRelease {
  std::uint32_t pg{0}, cells{0}, queue{0};
  bool last{true};
};

/// What comes out `admit` cycles later.
struct RtlArrivalVerdict {
  std::uint32_t pg{0};
  Verdict verdict;
  std::uint8_t mask{0};  ///< Queues that took the packet.
};
struct RtlReleaseVerdict {
  std::uint32_t pg{0};
  PfcLevel level;
  bool error{false};  ///< More was released than held; nothing has changed.
};

/// A beat of a frame stream: the first `count` octets count.
struct RtlBeat {
  std::array<std::uint8_t, 64> octets{};
  std::size_t count{0};
  bool last{false};
  bool bad_fcs{false};  ///< Of the frame that ends here; received ones only.
};

/// One instance of the Verilated weir_mmu, driven at its pins, one clock edge at a time.
///
/// In each cycle: set_waiting() what waits, settle(), read the grants, present() the granted
/// requests, clock(). What is on the verdict pins then belongs to the cycle that has begun.
///
/// Units:   as the pins: whole cells, bytes; PG and queue = port * 8 + number.
/// Errors:  the constructor throws ConfigError when the RTL cannot hold the chip, ModelError when
///          the RTL never gets ready or refuses its configuration.
/// Timing:  cycle 0 is the first cycle after configuration; every cycle is clocked.
/// Source:  docs/design/contract.md, 3 and 4.
class RtlMmu {
 public:
  RtlMmu(const RtlLibrary& library, const Chip& chip, const std::string& name);
  ~RtlMmu();
  RtlMmu(const RtlMmu&) = delete;
  RtlMmu& operator=(const RtlMmu&) = delete;

  /// Resets, waits until the memories are cleared, writes every setting that `target` shows through
  /// the register map, starts.
  void start(const RegisterTarget& target);

  void set_waiting(std::size_t domain, std::size_t port, std::uint32_t releases,
                   std::uint32_t arrivals);
  void clear_waiting();
  void settle();
  /// The port that lane `lane` is granted in this cycle; none.
  [[nodiscard]] std::optional<std::size_t> granted_release(std::size_t domain,
                                                           std::size_t lane) const;
  [[nodiscard]] std::optional<std::size_t> granted_arrival(std::size_t domain,
                                                           std::size_t lane) const;
  void present(std::size_t domain, std::size_t lane, const RtlRelease& request);
  void present(std::size_t domain, std::size_t lane, const RtlArrival& request);
  void clock();
  /// Cycles since start().
  [[nodiscard]] std::uint64_t cycle() const noexcept { return cycle_; }

  [[nodiscard]] bool any_verdict() const noexcept { return arr_valid_.any() || rel_valid_.any(); }
  [[nodiscard]] std::optional<RtlReleaseVerdict> released(std::size_t domain,
                                                          std::size_t lane) const;
  [[nodiscard]] std::optional<RtlArrivalVerdict> arrived(std::size_t domain,
                                                         std::size_t lane) const;
  [[nodiscard]] bool xoff(std::size_t pg) const { return xoff_.get(pg, 1) != 0; }

  /// Whether xoff_o says `levels`, bit i % 8 of byte i / 8 for PG i. Range: at most its own length.
  [[nodiscard]] bool same_levels(const std::vector<std::uint8_t>& levels) const {
    return std::memcmp(xoff_.data(), levels.data(), levels.size()) == 0;
  }

  /// PFC frames that `port` sends: one is owed; a MAC may start one; it would not be empty.
  [[nodiscard]] bool pfc_request(std::size_t port) const { return pfc_request_.get(port, 1) != 0; }
  [[nodiscard]] bool pfc_ready(std::size_t port) const { return pfc_ready_.get(port, 1) != 0; }
  [[nodiscard]] bool pfc_sends(std::size_t port) const { return pfc_sends_.get(port, 1) != 0; }
  /// The beat on the pins, if one is valid.
  [[nodiscard]] std::optional<RtlBeat> pfc_beat(std::size_t port) const;
  /// In this cycle the MAC of `port` starts a frame.
  void start_pfc(std::size_t port);
  /// Whether `port` takes beats, from this cycle on.
  void take_beats(std::size_t port, bool takes) { pfc_takes_.set(port, 1, takes ? 1 : 0); }
  /// In this cycle a beat comes in at `port`.
  void receive(std::size_t port, const RtlBeat& beat);
  /// Classes that may not start a frame at `port`, bit n = priority n.
  [[nodiscard]] std::uint8_t paused(std::size_t port) const {
    return static_cast<std::uint8_t>(pause_.get(port * priorities, priorities));
  }
  /// Octets of a full beat.
  [[nodiscard]] std::size_t beat_octets() const noexcept { return beat_; }

  /// One APB transfer, as many cycles as it takes, without requests. Errors: ModelError when the
  /// RTL answers with an error or not at all.
  void write(std::uint64_t address, std::uint32_t value);
  [[nodiscard]] std::uint32_t read(std::uint64_t address);
  /// A write while requests go on: begun here, done when busy() ends; each clock() moves it on.
  void begin_write(std::uint64_t address, std::uint32_t value);
  [[nodiscard]] bool busy() const noexcept { return transfer_ != Transfer::none; }
  /// The transfer ends in this cycle: what was written acts on its requests. Range: settled pins.
  [[nodiscard]] bool answers() const {
    return transfer_ == Transfer::access && pready_.get(0, 1) != 0;
  }
  /// What answers says no.
  [[nodiscard]] bool refuses() const { return pslverr_.get(0, 1) != 0; }

  /// What start() writes, in order: every setting that `target` shows, as address and value.
  using Words = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  [[nodiscard]] Words settings(const RegisterTarget& target) const;
  /// Address of a register; the RTL may have more domains than the chip.
  [[nodiscard]] std::uint64_t address_of(const RegisterBlock& block, const Register& reg,
                                         std::size_t index) const;
  /// A pin by its name in weir_mmu. Errors: ModelError when the library has none.
  [[nodiscard]] RtlPin pin(const char* name) const;

  /// A register of one or two words by its place in the map of `chip`.
  [[nodiscard]] std::uint64_t read(const RegisterBlock& block, const Register& reg,
                                   std::size_t index);

  [[nodiscard]] const weir_rtl_shape& shape() const noexcept { return library_.shape(); }

  /// Takes the changes of a moment as text of a value change dump. Units: half cycles since
  /// start(); clk_i rises at even ones.
  using WaveTaker = std::function<void(std::uint64_t half_cycle, std::string_view changes)>;
  /// From now on every change goes to `taker`. Returns the header of the value change dump.
  [[nodiscard]] std::string open_wave(WaveTaker taker);
  void close_wave();
  [[nodiscard]] bool waving() const noexcept { return bool{wave_taker_}; }

 private:
  enum class Transfer : std::uint8_t { none, setup, access };

  [[nodiscard]] std::size_t slot(std::size_t domain, std::size_t lane) const noexcept {
    return domain * lanes_ + lane;
  }
  void clear_requests();
  void move_transfer(bool ready);
  void finish_transfer(std::uint64_t address);
  void dump_wave(std::uint64_t half_cycle);
  void configure(const RegisterTarget& target);
  void bind_pins();
  void require_map();

  const RtlLibrary library_;
  const weir_rtl_api& api_;
  const Chip chip_;
  weir_rtl* rtl_;
  const weir_rtl_pin* pins_{nullptr};
  std::uint32_t pin_count_{0};
  std::size_t lanes_, ports_, beat_;
  unsigned count_w_, port_w_, pg_w_, cell_w_, len_w_, byte_w_, copies_;
  RtlPin clk_, rst_n_, init_done_;
  RtlPin psel_, penable_, pwrite_, paddr_, pwdata_, pready_, prdata_, pslverr_;
  RtlPin arr_waiting_, rel_waiting_, arr_grant_valid_, arr_grant_port_, rel_grant_valid_,
      rel_grant_port_;
  RtlPin rel_pg_, rel_cells_, rel_queue_, rel_last_;
  RtlPin arr_pg_, arr_cells_, arr_bytes_, arr_queue_, arr_mask_;
  RtlPin rel_valid_, rel_out_pg_, rel_xoff_, rel_changed_, rel_error_;
  RtlPin arr_valid_, arr_out_pg_, arr_reason_, arr_private_, arr_shared_, arr_headroom_,
      arr_threshold_, arr_xoff_, arr_changed_, arr_out_mask_;
  RtlPin xoff_;
  RtlPin pfc_request_, pfc_start_, pfc_ready_, pfc_sends_, pfc_data_, pfc_keep_, pfc_valid_,
      pfc_takes_, pfc_last_;
  RtlPin rx_data_, rx_keep_, rx_valid_, rx_last_, rx_bad_fcs_, pause_;
  Transfer transfer_{Transfer::none};
  bool transfer_failed_{false}, waiting_set_{false}, presented_{false}, frames_move_{false};
  std::uint32_t read_data_{0};
  std::uint64_t cycle_{0};
  WaveTaker wave_taker_;
  std::string wave_text_;  // of the moment
};

}  // namespace weir
