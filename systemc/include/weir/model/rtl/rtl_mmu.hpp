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
#include "weir/model/rtl/rtl_pins.hpp"
#include "weir/model/rtl/rtl_request.hpp"
#include "weir/model/rtl/rtl_verdict.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir {

/// A beat of a frame stream: its first `count` octets are valid.
struct RtlBeat {
  std::array<std::uint8_t, weir_pkg::MaxAxisW / 8> octets{};
  std::size_t count{0};
  bool last{false};
  bool bad_fcs{false};  ///< FCS error of the frame that ends here; on receive only.
};

/// One instance of the Verilated weir_mmu, driven at its pins, one clock edge at a time.
///
/// In each cycle: set_waiting(), settle(), read the grants, put the granted requests on requests(),
/// clock(). What is on the verdict pins then belongs to the cycle that has begun.
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

  /// Numbers of requests of `port` that wait in this cycle.
  void set_waiting(DomainId domain, PortId port, std::uint32_t releases, std::uint32_t arrivals);
  void clear_waiting();
  /// Lets the combinational outputs follow the inputs of this cycle.
  void settle();
  /// The pins, for requests of this cycle (LockstepEngine::present); clock() clears these.
  [[nodiscard]] RtlPins& requests() noexcept {
    presented_ = true;
    return pins_;
  }
  /// The clock edge that ends this cycle.
  void clock();
  /// Cycles since start().
  [[nodiscard]] std::uint64_t cycle() const noexcept { return cycle_; }

  /// In this cycle the MAC of `port` starts a frame.
  void start_pfc(std::size_t port);
  /// Whether `port` takes beats, from this cycle on.
  void take_beats(std::size_t port, bool takes) {
    pins_.set(MmuPin::m_axis_pfc_tready_i, port, takes ? 1 : 0);
  }
  /// In this cycle a beat comes in at `port`.
  void receive(std::size_t port, const RtlBeat& beat);
  /// Octets of a full beat.
  [[nodiscard]] std::size_t beat_octets() const noexcept { return beat_; }

  /// One APB transfer, as many cycles as it takes, without requests. Errors: ModelError when the
  /// RTL answers with an error or not at all.
  void write(std::uint64_t address, std::uint32_t value);
  [[nodiscard]] std::uint32_t read(std::uint64_t address);
  /// Begins a write while requests go on. Each clock() moves it on; it is done when busy() is
  /// false.
  void begin_write(std::uint64_t address, std::uint32_t value);
  [[nodiscard]] bool busy() const noexcept { return transfer_ != Transfer::none; }
  /// Whether the transfer ends in this cycle: what was written acts on the requests of this cycle.
  /// Range: settled pins.
  [[nodiscard]] bool answers() const {
    return transfer_ == Transfer::access && pins_.get(MmuPin::pready_o) != 0;
  }
  /// Whether the answer is an error (PSLVERR). Range: answers().
  [[nodiscard]] bool refuses() const { return pins_.get(MmuPin::pslverr_o) != 0; }

  /// Register writes in order, as address and value.
  using Words = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  /// What start() writes: every setting that `target` shows.
  [[nodiscard]] Words settings(const RegisterTarget& target) const;
  /// Address of a register; the RTL may have more domains than the chip.
  [[nodiscard]] std::uint64_t address_of(const RegisterBlock& block, const Register& reg,
                                         std::size_t index) const;
  [[nodiscard]] const RtlPins& pins() const noexcept { return pins_; }

  /// Reads instance `index` of a register of one or two words.
  [[nodiscard]] std::uint64_t read(const RegisterBlock& block, const Register& reg,
                                   std::size_t index);

  [[nodiscard]] const weir_rtl_shape& shape() const noexcept { return library_.shape(); }

  /// Takes the changes of a moment as text of a value change dump. Units: half cycles since
  /// start(); clk_i rises at even ones.
  using WaveTaker = std::function<void(std::uint64_t half_cycle, std::string_view changes)>;
  /// From now on every change goes to `taker`. Returns the header of the value change dump.
  [[nodiscard]] std::string open_wave(WaveTaker taker);
  void close_wave();
  [[nodiscard]] bool waving() const noexcept { return wave_taker_ && !wave_is_paused_; }

  /// While it lives, nothing goes to the taker of the wave. A read of all registers takes thousands
  /// of cycles, which would push what a user looks for out of the window.
  class WavePause {
   public:
    explicit WavePause(RtlMmu& rtl) : rtl_{rtl} { rtl_.wave_is_paused_ = true; }
    ~WavePause() { rtl_.wave_is_paused_ = false; }
    WavePause(const WavePause&) = delete;
    WavePause& operator=(const WavePause&) = delete;

   private:
    RtlMmu& rtl_;
  };

 private:
  enum class Transfer : std::uint8_t { none, setup, access };

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
  const std::size_t lanes_, beat_;
  RtlPins pins_;
  std::vector<MmuPin> request_pins_;  // of the data of granted requests
  Transfer transfer_{Transfer::none};
  bool transfer_failed_{false}, waiting_set_{false}, presented_{false}, frames_move_{false};
  std::uint32_t read_data_{0};
  std::uint64_t cycle_{0};
  WaveTaker wave_taker_;
  bool wave_is_paused_{false};
  std::string wave_text_;  // of the moment
};

}  // namespace weir
