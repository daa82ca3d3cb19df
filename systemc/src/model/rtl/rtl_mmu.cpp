// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_mmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/model/rtl/index_width.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

constexpr unsigned reason_w = 3, threshold_w = 32;
constexpr std::uint64_t max_idle_cycles = 10'000'000;  // cycles until the RTL counts as dead

Cells cells_of(std::uint64_t value) { return Cells{static_cast<std::uint32_t>(value)}; }

}  // namespace

RtlMmu::RtlMmu(const RtlLibrary& library, const Chip& chip, const std::string& name)
    : library_{library},
      api_{library_.api()},
      chip_{chip},
      rtl_{(library.require_fits(chip), api_.create(name.c_str()))},
      lanes_{shape().lanes},
      ports_{shape().ports},
      beat_{shape().axis_width / 8},
      count_w_{index_width(shape().lanes + 1)},
      port_w_{index_width(shape().ports)},
      pg_w_{index_width(std::uint64_t{shape().ports} * priorities)},
      cell_w_{shape().cell_width},
      len_w_{shape().len_width},
      byte_w_{shape().byte_width},
      copies_{shape().copies} {
  pins_ = api_.pins(rtl_, &pin_count_);
  bind_pins();
}

void RtlMmu::bind_pins() {
  struct Binding {
    RtlPin* pin;
    const char* name;
  };
  const Binding bindings[]{{&clk_, "clk_i"},
                           {&rst_n_, "rst_ni"},
                           {&init_done_, "init_done_o"},
                           {&psel_, "psel_i"},
                           {&penable_, "penable_i"},
                           {&pwrite_, "pwrite_i"},
                           {&paddr_, "paddr_i"},
                           {&pwdata_, "pwdata_i"},
                           {&pready_, "pready_o"},
                           {&prdata_, "prdata_o"},
                           {&pslverr_, "pslverr_o"},
                           {&arr_waiting_, "arr_waiting_i"},
                           {&rel_waiting_, "rel_waiting_i"},
                           {&arr_grant_valid_, "arr_grant_valid_o"},
                           {&arr_grant_port_, "arr_grant_port_o"},
                           {&rel_grant_valid_, "rel_grant_valid_o"},
                           {&rel_grant_port_, "rel_grant_port_o"},
                           {&rel_pg_, "rel_pg_i"},
                           {&rel_cells_, "rel_cells_i"},
                           {&rel_queue_, "rel_queue_i"},
                           {&rel_last_, "rel_last_i"},
                           {&arr_pg_, "arr_pg_i"},
                           {&arr_cells_, "arr_cells_i"},
                           {&arr_bytes_, "arr_bytes_i"},
                           {&arr_queue_, "arr_queue_i"},
                           {&arr_mask_, "arr_mask_i"},
                           {&rel_valid_, "rel_valid_o"},
                           {&rel_out_pg_, "rel_pg_o"},
                           {&rel_xoff_, "rel_xoff_o"},
                           {&rel_changed_, "rel_changed_o"},
                           {&rel_error_, "rel_error_o"},
                           {&arr_valid_, "arr_valid_o"},
                           {&arr_out_pg_, "arr_pg_o"},
                           {&arr_reason_, "arr_reason_o"},
                           {&arr_private_, "arr_private_o"},
                           {&arr_shared_, "arr_shared_o"},
                           {&arr_headroom_, "arr_headroom_o"},
                           {&arr_threshold_, "arr_threshold_o"},
                           {&arr_xoff_, "arr_xoff_o"},
                           {&arr_changed_, "arr_changed_o"},
                           {&arr_out_mask_, "arr_mask_o"},
                           {&xoff_, "xoff_o"},
                           {&pfc_request_, "pfc_request_o"},
                           {&pfc_start_, "pfc_start_i"},
                           {&pfc_ready_, "pfc_ready_o"},
                           {&pfc_sends_, "pfc_sends_o"},
                           {&pfc_data_, "m_axis_pfc_tdata_o"},
                           {&pfc_keep_, "m_axis_pfc_tkeep_o"},
                           {&pfc_valid_, "m_axis_pfc_tvalid_o"},
                           {&pfc_takes_, "m_axis_pfc_tready_i"},
                           {&pfc_last_, "m_axis_pfc_tlast_o"},
                           {&rx_data_, "s_axis_rx_tdata_i"},
                           {&rx_keep_, "s_axis_rx_tkeep_i"},
                           {&rx_valid_, "s_axis_rx_tvalid_i"},
                           {&rx_last_, "s_axis_rx_tlast_i"},
                           {&rx_bad_fcs_, "s_axis_rx_tuser_i"},
                           {&pause_, "pause_o"}};
  for (const Binding& binding : bindings) *binding.pin = pin(binding.name);
}

RtlMmu::~RtlMmu() {
  close_wave();
  api_.destroy(rtl_);
}

RtlPin RtlMmu::pin(const char* name) const {
  for (std::uint32_t i = 0; i < pin_count_; ++i)
    if (std::strcmp(pins_[i].name, name) == 0) return {pins_[i].data, pins_[i].bytes};
  throw ModelError(fmt::format("{} has no pin {}", library_.path(), name));
}

void RtlMmu::start(const RegisterTarget& target) {
  rst_n_.set(0, 1, 0);
  clear_waiting();
  clear_requests();
  psel_.set(0, 1, 0);
  penable_.set(0, 1, 0);
  transfer_ = Transfer::none;
  for (int i = 0; i < 4; ++i) clock();
  rst_n_.set(0, 1, 1);
  for (std::uint64_t waited = 0; init_done_.get(0, 1) == 0; ++waited) {
    if (waited == max_idle_cycles) throw ModelError(library_.path() + ": init_done_o never rises");
    clock();
  }
  configure(target);
  cycle_ = 0;
}

// Addresses and meanings are those of this map.
void RtlMmu::require_map() {
  const std::uint64_t address = register_address("chip.map_version").value();
  const std::uint32_t built = read(address);
  if (built == register_map_version) return;
  throw ConfigError(
      "--rtl", fmt::format("{} (register map {})", library_.path(), built),
      fmt::format("must have register map {}: build it again from this version's rtl/",
                  register_map_version));
}

void RtlMmu::configure(const RegisterTarget& target) {
  require_map();
  for (const auto& [address, value] : settings(target)) write(address, value);
}

// Every setting that the model shows and the RTL takes; last of all, chip.start.
RtlMmu::Words RtlMmu::settings(const RegisterTarget& target) const {
  Words words;
  for (const RegisterBlock& block : register_map())
    for (const Register& reg : block.registers) {
      const bool setting = reg.access == RegisterAccess::cfg || reg.access == RegisterAccess::rw;
      if (!setting || reg.outside) continue;
      for (std::size_t index = 0; index < block.instances(chip_); ++index)
        words.emplace_back(address_of(block, reg, index),
                           static_cast<std::uint32_t>(reg.read(target, index)));
    }
  words.emplace_back(register_address("chip.start").value(), 1);
  return words;
}

// The RTL may have more domains than the chip: rows of (something, domain) then lie further apart.
std::uint64_t RtlMmu::address_of(const RegisterBlock& block, const Register& reg,
                                 std::size_t index) const {
  const bool by_domain = std::find(block.counts.begin(), block.counts.end(),
                                   RegisterCount::domains) != block.counts.end();
  if (by_domain) index = index / chip_.domains * shape().domains + index % chip_.domains;
  return block.base + index * block.stride + reg.offset;
}

std::uint64_t RtlMmu::read(const RegisterBlock& block, const Register& reg, std::size_t index) {
  const std::uint64_t address = address_of(block, reg, index);
  const std::uint64_t low = read(address);
  return reg.words == 1 ? low : low | std::uint64_t{read(address + 4)} << 32;
}

void RtlMmu::set_waiting(std::size_t domain, std::size_t port, std::uint32_t releases,
                         std::uint32_t arrivals) {
  const std::size_t at = (domain * ports_ + port) * count_w_;
  const auto most = static_cast<std::uint32_t>(lanes_);
  rel_waiting_.set(at, count_w_, std::min(releases, most));
  arr_waiting_.set(at, count_w_, std::min(arrivals, most));
  waiting_set_ = true;
}

void RtlMmu::clear_waiting() {
  if (!waiting_set_) return;
  rel_waiting_.clear();
  arr_waiting_.clear();
  waiting_set_ = false;
}

void RtlMmu::settle() { api_.eval(rtl_); }

std::optional<std::size_t> RtlMmu::granted_release(std::size_t domain, std::size_t lane) const {
  const std::size_t at = slot(domain, lane);
  if (rel_grant_valid_.get(at, 1) == 0) return std::nullopt;
  return rel_grant_port_.get(at * port_w_, port_w_);
}

std::optional<std::size_t> RtlMmu::granted_arrival(std::size_t domain, std::size_t lane) const {
  const std::size_t at = slot(domain, lane);
  if (arr_grant_valid_.get(at, 1) == 0) return std::nullopt;
  return arr_grant_port_.get(at * port_w_, port_w_);
}

void RtlMmu::present(std::size_t domain, std::size_t lane, const RtlRelease& request) {
  const std::size_t at = slot(domain, lane);
  rel_pg_.set(at * pg_w_, pg_w_, request.pg);
  rel_cells_.set(at * len_w_, len_w_, request.cells);
  rel_queue_.set(at * pg_w_, pg_w_, request.queue);
  rel_last_.set(at, 1, request.last ? 1 : 0);
  presented_ = true;
}

void RtlMmu::present(std::size_t domain, std::size_t lane, const RtlArrival& request) {
  const std::size_t at = slot(domain, lane);
  arr_pg_.set(at * pg_w_, pg_w_, request.pg);
  arr_cells_.set(at * len_w_, len_w_, request.cells);
  arr_bytes_.set(at * byte_w_, byte_w_, request.bytes);
  for (unsigned copy = 0; copy < copies_; ++copy)
    arr_queue_.set((at * copies_ + copy) * pg_w_, pg_w_, request.queue[copy]);
  arr_mask_.set(at * copies_, copies_, request.mask);
  presented_ = true;
}

std::optional<RtlBeat> RtlMmu::pfc_beat(std::size_t port) const {
  if (pfc_valid_.get(port, 1) == 0) return std::nullopt;
  RtlBeat beat;
  std::copy_n(pfc_data_.data() + port * beat_, beat_, beat.octets.begin());
  while (beat.count < beat_ && pfc_keep_.get(port * beat_ + beat.count, 1) != 0) ++beat.count;
  beat.last = pfc_last_.get(port, 1) != 0;
  return beat;
}

void RtlMmu::start_pfc(std::size_t port) {
  pfc_start_.set(port, 1, 1);
  frames_move_ = true;
}

void RtlMmu::receive(std::size_t port, const RtlBeat& beat) {
  std::copy_n(beat.octets.begin(), beat_, rx_data_.data() + port * beat_);
  for (std::size_t octet = 0; octet < beat_; ++octet)
    rx_keep_.set(port * beat_ + octet, 1, octet < beat.count ? 1 : 0);
  rx_valid_.set(port, 1, 1);
  rx_last_.set(port, 1, beat.last ? 1 : 0);
  rx_bad_fcs_.set(port, 1, beat.bad_fcs ? 1 : 0);
  frames_move_ = true;
}

void RtlMmu::clear_requests() {
  for (RtlPin* pin : {&rel_pg_, &rel_cells_, &rel_queue_, &rel_last_, &arr_pg_, &arr_cells_,
                      &arr_bytes_, &arr_queue_, &arr_mask_})
    pin->clear();
  presented_ = false;
  if (!frames_move_) return;
  for (RtlPin* pin : {&pfc_start_, &rx_data_, &rx_keep_, &rx_valid_, &rx_last_, &rx_bad_fcs_})
    pin->clear();
  frames_move_ = false;
}

// One cycle: the inputs settle, the edge that ends the cycle, and what the next one begins with.
void RtlMmu::clock() {
  if (presented_ || frames_move_ || waiting_set_ || busy() || waving()) api_.eval(rtl_);
  if (waving()) dump_wave(2 * cycle_ + 1);
  const bool ready = busy() && pready_.get(0, 1) != 0;
  clk_.set(0, 1, 1);
  api_.eval(rtl_);
  if (waving()) dump_wave(2 * cycle_ + 2);
  clk_.set(0, 1, 0);
  clear_waiting();
  if (presented_ || frames_move_) clear_requests();
  if (busy()) move_transfer(ready);
  api_.eval(rtl_);
  ++cycle_;
}

std::optional<RtlReleaseVerdict> RtlMmu::released(std::size_t domain, std::size_t lane) const {
  const std::size_t at = slot(domain, lane);
  if (rel_valid_.get(at, 1) == 0) return std::nullopt;
  return RtlReleaseVerdict{static_cast<std::uint32_t>(rel_out_pg_.get(at * pg_w_, pg_w_)),
                           {rel_xoff_.get(at, 1) != 0, rel_changed_.get(at, 1) != 0},
                           rel_error_.get(at, 1) != 0};
}

std::optional<RtlArrivalVerdict> RtlMmu::arrived(std::size_t domain, std::size_t lane) const {
  const std::size_t at = slot(domain, lane);
  if (arr_valid_.get(at, 1) == 0) return std::nullopt;
  RtlArrivalVerdict out;
  out.pg = static_cast<std::uint32_t>(arr_out_pg_.get(at * pg_w_, pg_w_));
  out.verdict.reason = static_cast<Reason>(arr_reason_.get(at * reason_w, reason_w));
  out.verdict.placement = {cells_of(arr_private_.get(at * len_w_, len_w_)),
                           cells_of(arr_shared_.get(at * len_w_, len_w_)),
                           cells_of(arr_headroom_.get(at * len_w_, len_w_))};
  out.verdict.threshold = cells_of(arr_threshold_.get(at * threshold_w, threshold_w));
  out.verdict.pfc = {arr_xoff_.get(at, 1) != 0, arr_changed_.get(at, 1) != 0};
  out.mask = static_cast<std::uint8_t>(arr_out_mask_.get(at * copies_, copies_));
  return out;
}

void RtlMmu::begin_write(std::uint64_t address, std::uint32_t value) {
  psel_.set(0, 1, 1);
  penable_.set(0, 1, 0);
  pwrite_.set(0, 1, 1);
  paddr_.set(0, static_cast<unsigned>(8 * paddr_.bytes() > 32 ? 32 : 24), address);
  pwdata_.set(0, 32, value);
  transfer_ = Transfer::setup;
}

// Called at the edge: the setup cycle is over, or an access cycle, which ends it when ready.
void RtlMmu::move_transfer(bool ready) {
  if (transfer_ == Transfer::setup) {
    penable_.set(0, 1, 1);
    transfer_ = Transfer::access;
    return;
  }
  if (!ready) return;
  psel_.set(0, 1, 0);
  penable_.set(0, 1, 0);
  transfer_ = Transfer::none;
}

void RtlMmu::finish_transfer(std::uint64_t address) {
  for (std::uint64_t waited = 0; busy(); ++waited) {
    if (waited == max_idle_cycles)
      throw ModelError(
          fmt::format("{}: no answer at register address 0x{:06x}", library_.path(), address));
    api_.eval(rtl_);
    if (transfer_ == Transfer::access && pready_.get(0, 1) != 0) {
      transfer_failed_ = pslverr_.get(0, 1) != 0;
      read_data_ = static_cast<std::uint32_t>(prdata_.get(0, 32));
    }
    clock();
  }
  if (!transfer_failed_) return;
  transfer_failed_ = false;
  throw ModelError(fmt::format("{}: error at register address 0x{:06x}", library_.path(), address));
}

void RtlMmu::write(std::uint64_t address, std::uint32_t value) {
  begin_write(address, value);
  finish_transfer(address);
}

std::uint32_t RtlMmu::read(std::uint64_t address) {
  begin_write(address, 0);
  pwrite_.set(0, 1, 0);
  finish_transfer(address);
  return read_data_;
}

std::string RtlMmu::open_wave(WaveTaker taker) {
  wave_taker_ = std::move(taker);
  const auto write = [](void* text, const char* more, std::uint64_t length) {
    static_cast<std::string*>(text)->append(more, length);
  };
  wave_text_.clear();
  api_.wave_open(rtl_, write, &wave_text_);
  return std::exchange(wave_text_, {});
}

void RtlMmu::dump_wave(std::uint64_t half_cycle) {
  api_.wave_dump(rtl_, half_cycle);
  wave_taker_(half_cycle, wave_text_);
  wave_text_.clear();
}

void RtlMmu::close_wave() {
  if (waving()) api_.wave_close(rtl_);
  wave_taker_ = nullptr;
}

}  // namespace weir
