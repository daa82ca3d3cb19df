// SPDX-License-Identifier: Apache-2.0
#include "weir/model/registers/csr.hpp"

#include <cstring>

namespace weir {
namespace {

constexpr unsigned word_bytes = 4;
constexpr std::uint64_t nothing_latched = ~std::uint64_t{0};

std::uint32_t word_of(std::uint64_t value, unsigned word) {
  return static_cast<std::uint32_t>(word == 0 ? value : value >> 32);
}

Picoseconds kernel_now() { return Picoseconds{sc_core::sc_time_stamp().value()}; }

// What every access must look like, apart from its address.
tlm::tlm_response_status shape_of(const tlm::tlm_generic_payload& transaction) {
  if (transaction.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (transaction.get_data_length() != word_bytes || transaction.get_streaming_width() < word_bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (transaction.get_address() % word_bytes != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool moves_data = transaction.is_read() || transaction.is_write();
  if (moves_data && transaction.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

Csr::Csr(const sc_core::sc_module_name& name, const RegisterTarget& target, Agenda& agenda)
    : sc_core::sc_module{name},
      target_{target},
      agenda_{agenda},
      actor_{agenda.enroll(*this)},
      edges_{target.mmu.chip().clock},
      latched_for_{nothing_latched} {
  socket.register_b_transport(this, &Csr::b_transport);
  socket.register_transport_dbg(this, &Csr::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &Csr::get_direct_mem_ptr);
}

// An initiator reads at kernel time: nothing may have happened beyond it.
void Csr::end_of_elaboration() {
  if (socket.size() != 0) agenda_.limit_lookahead(Picoseconds{0});
}

void Csr::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }
  agenda_.catch_up();
  tlm::tlm_response_status status = shape_of(transaction);
  if (status == tlm::TLM_OK_RESPONSE) {
    if (transaction.is_read())
      status = read(transaction.get_address(), transaction.get_data_ptr());
    else if (transaction.is_write())
      status = write(transaction.get_address(), transaction.get_data_ptr(), delay);
  }
  transaction.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE || transaction.is_write()) return;
  const auto where = find_register(target_.mmu.chip(), transaction.get_address());
  transaction.set_dmi_allowed(where && where->block->memory != nullptr);
}

std::uint64_t Csr::value_of(const RegisterWord& where) {
  target_.now = edges_.cycle_at_or_after(kernel_now());
  return where.reg->read(target_, where.index);
}

tlm::tlm_response_status Csr::read(std::uint64_t address, unsigned char* data) {
  const auto where = find_register(target_.mmu.chip(), address);
  if (!where) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::uint64_t value = value_of(*where);
  std::uint32_t word = word_of(value, where->word);
  if (where->reg->words == 2 && where->word == 0) {
    latched_for_ = address + word_bytes;
    latched_ = word_of(value, 1);
  } else if (address == latched_for_) {
    word = latched_;
    latched_for_ = nothing_latched;
  }
  std::memcpy(data, &word, word_bytes);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Csr::write(std::uint64_t address, const unsigned char* data,
                                    sc_core::sc_time& delay) {
  const auto where = find_register(target_.mmu.chip(), address);
  if (!where) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (where->reg->write == nullptr) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  std::uint32_t value = 0;
  std::memcpy(&value, data, word_bytes);
  if (!is_legal(*where->reg, target_.mmu.chip(), value)) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const Picoseconds now = kernel_now();
  const Picoseconds effect = edges_.later(edges_.time_at_or_after(now), Cycle{1});
  pending_.push_back({*where, value});
  agenda_.post(effect, Rank::input, actor_, 0);  // before the requests of that edge
  delay = sc_core::sc_time::from_value((effect - now).count());
  return tlm::TLM_OK_RESPONSE;
}

void Csr::act(Picoseconds now, std::uint32_t, std::uint64_t) {
  target_.now = edges_.cycle_at_or_after(now);
  const Write write = pending_.front();
  pending_.pop_front();
  write.where.reg->write(target_, write.where.index, write.value);
}

// Shows what is there now, word by word, as far as there are registers; changes nothing.
unsigned int Csr::transport_dbg(tlm::tlm_generic_payload& transaction) {
  if (!transaction.is_read() || transaction.get_address() % word_bytes != 0) return 0;
  if (transaction.get_data_ptr() == nullptr) return 0;
  unsigned int done = 0;
  for (; done + word_bytes <= transaction.get_data_length(); done += word_bytes) {
    const auto where = find_register(target_.mmu.chip(), transaction.get_address() + done);
    if (!where) break;
    const std::uint32_t word = word_of(value_of(*where), where->word);
    std::memcpy(transaction.get_data_ptr() + done, &word, word_bytes);
  }
  return done;
}

// Counters lie in host memory as the map says, least significant byte first.
bool Csr::get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_start_address(transaction.get_address());
  dmi.set_end_address(transaction.get_address());
  dmi.allow_none();
  const std::uint64_t aligned = transaction.get_address() / word_bytes * word_bytes;
  const auto where = find_register(target_.mmu.chip(), aligned);
  if (!where || where->block->memory == nullptr) return false;
  if (transaction.is_write() || !tlm::host_has_little_endianness()) return false;
  const RegisterBlock& block = *where->block;
  // The interface has no pointer to const; read is all that is allowed.
  dmi.set_dmi_ptr(static_cast<unsigned char*>(const_cast<void*>(block.memory(target_.mmu))));
  dmi.set_start_address(block.base);
  dmi.set_end_address(block.base + block.instances(target_.mmu.chip()) * block.stride - 1);
  dmi.allow_read();
  return true;
}

}  // namespace weir
