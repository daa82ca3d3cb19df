// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_mmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/core/errors.hpp"
#include "weir/model/registers/register_settings.hpp"

namespace weir {
namespace {

constexpr std::uint64_t max_idle_cycles = 10'000'000;  // cycles until the RTL counts as dead

}  // namespace

RtlMmu::RtlMmu(const RtlLibrary& library, const Chip& chip, const std::string& name)
    : library_{library},
      api_{library_.api()},
      chip_{chip},
      rtl_{(library.require_fits(chip), api_.create(name.c_str()))},
      lanes_{shape().lanes},
      beat_{shape().axis_width / 8},
      pins_{shape()} {
  bind_pins();
}

void RtlMmu::bind_pins() {
  std::uint32_t count = 0;
  const weir_rtl_pin* const built = api_.pins(rtl_, &count);
  for (std::size_t i = 0; i < mmu_pin_count; ++i) {
    const MmuPinRow& row = mmu_pins[i];
    const weir_rtl_pin* const found =
        std::find_if(built, built + count,
                     [&](const weir_rtl_pin& pin) { return std::strcmp(pin.name, row.name) == 0; });
    if (found == built + count)
      throw ModelError(fmt::format("{} has no pin {}", library_.path(), row.name));
    pins_[static_cast<MmuPin>(i)] = {found->data, found->bytes};
    if (row.kind == MmuPinKind::request || row.kind == MmuPinKind::copy ||
        row.kind == MmuPinKind::marker)
      request_pins_.push_back(static_cast<MmuPin>(i));
  }
}

RtlMmu::~RtlMmu() {
  close_wave();
  api_.destroy(rtl_);
}

void RtlMmu::start(const RegisterTarget& target) {
  pins_.set(MmuPin::rst_ni, 0, 0);
  clear_waiting();
  clear_requests();
  pins_.set(MmuPin::psel_i, 0, 0);
  pins_.set(MmuPin::penable_i, 0, 0);
  transfer_ = Transfer::none;
  for (int i = 0; i < 4; ++i) clock();
  pins_.set(MmuPin::rst_ni, 0, 1);
  for (std::uint64_t waited = 0; pins_.get(MmuPin::init_done_o) == 0; ++waited) {
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

void RtlMmu::set_waiting(DomainId domain, PortId port, std::uint32_t releases,
                         std::uint32_t arrivals) {
  const std::size_t at = domain.count() * shape().ports + port.count();
  const auto most = static_cast<std::uint32_t>(lanes_);
  pins_.set(MmuPin::rel_waiting_i, at, std::min(releases, most));
  pins_.set(MmuPin::arr_waiting_i, at, std::min(arrivals, most));
  waiting_set_ = true;
}

void RtlMmu::clear_waiting() {
  if (!waiting_set_) return;
  pins_[MmuPin::rel_waiting_i].clear();
  pins_[MmuPin::arr_waiting_i].clear();
  waiting_set_ = false;
}

void RtlMmu::settle() { api_.eval(rtl_); }

void RtlMmu::start_pfc(std::size_t port) {
  pins_.set(MmuPin::pfc_start_i, port, 1);
  frames_move_ = true;
}

void RtlMmu::receive(std::size_t port, const RtlBeat& beat) {
  std::copy_n(beat.octets.begin(), beat_, pins_[MmuPin::s_axis_rx_tdata_i].data() + port * beat_);
  RtlPin& keep = pins_[MmuPin::s_axis_rx_tkeep_i];
  for (std::size_t octet = 0; octet < beat_; ++octet)
    keep.set(port * beat_ + octet, 1, octet < beat.count ? 1 : 0);
  pins_.set(MmuPin::s_axis_rx_tvalid_i, port, 1);
  pins_.set(MmuPin::s_axis_rx_tlast_i, port, beat.last ? 1 : 0);
  pins_.set(MmuPin::s_axis_rx_tuser_i, port, beat.bad_fcs ? 1 : 0);
  frames_move_ = true;
}

void RtlMmu::clear_requests() {
  for (const MmuPin pin : request_pins_) pins_[pin].clear();
  presented_ = false;
  if (!frames_move_) return;
  for (const MmuPin pin :
       {MmuPin::pfc_start_i, MmuPin::s_axis_rx_tdata_i, MmuPin::s_axis_rx_tkeep_i,
        MmuPin::s_axis_rx_tvalid_i, MmuPin::s_axis_rx_tlast_i, MmuPin::s_axis_rx_tuser_i})
    pins_[pin].clear();
  frames_move_ = false;
}

// One cycle: the inputs settle, the edge that ends the cycle, and what the next one begins with.
void RtlMmu::clock() {
  if (presented_ || frames_move_ || waiting_set_ || busy() || waving()) api_.eval(rtl_);
  if (waving()) dump_wave(2 * cycle_ + 1);
  const bool ready = busy() && pins_.get(MmuPin::pready_o) != 0;
  pins_.set(MmuPin::clk_i, 0, 1);
  api_.eval(rtl_);
  if (waving()) dump_wave(2 * cycle_ + 2);
  pins_.set(MmuPin::clk_i, 0, 0);
  clear_waiting();
  if (presented_ || frames_move_) clear_requests();
  if (busy()) move_transfer(ready);
  api_.eval(rtl_);
  ++cycle_;
}

void RtlMmu::begin_write(std::uint64_t address, std::uint32_t value) {
  pins_.set(MmuPin::psel_i, 0, 1);
  pins_.set(MmuPin::penable_i, 0, 0);
  pins_.set(MmuPin::pwrite_i, 0, 1);
  pins_.set(MmuPin::paddr_i, 0, address);
  pins_.set(MmuPin::pwdata_i, 0, value);
  transfer_ = Transfer::setup;
}

// Called at the edge: the setup cycle is over, or an access cycle, which ends it when ready.
void RtlMmu::move_transfer(bool ready) {
  if (transfer_ == Transfer::setup) {
    pins_.set(MmuPin::penable_i, 0, 1);
    transfer_ = Transfer::access;
    return;
  }
  if (!ready) return;
  pins_.set(MmuPin::psel_i, 0, 0);
  pins_.set(MmuPin::penable_i, 0, 0);
  transfer_ = Transfer::none;
}

void RtlMmu::finish_transfer(std::uint64_t address) {
  for (std::uint64_t waited = 0; busy(); ++waited) {
    if (waited == max_idle_cycles)
      throw ModelError(
          fmt::format("{}: no answer at register address 0x{:06x}", library_.path(), address));
    api_.eval(rtl_);
    if (transfer_ == Transfer::access && pins_.get(MmuPin::pready_o) != 0) {
      transfer_failed_ = pins_.get(MmuPin::pslverr_o) != 0;
      read_data_ = static_cast<std::uint32_t>(pins_.get(MmuPin::prdata_o));
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
  pins_.set(MmuPin::pwrite_i, 0, 0);
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
  if (wave_taker_) api_.wave_close(rtl_);
  wave_taker_ = nullptr;
}

}  // namespace weir
