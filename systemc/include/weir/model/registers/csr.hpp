// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <systemc>
#include <tlm>
#include <vector>

#include "weir/core/scheduling/clock_edges.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/registers/register_map.hpp"

namespace weir {

/// Control and status registers of a switch: a TLM-2.0 base-protocol target in front of the map.
///
/// Reads show the state after everything up to and including the moment of the access. A write is
/// seen at the next clock edge and acts on requests of the cycle after it; the call's delay is
/// advanced to that moment, so a later access of the same initiator finds it done.
///
/// The low word of a 64-bit counter latches its high word for the next read of that word.
///
/// Errors:  response codes: address error (unaligned, or nothing there), command error (write to a
///          read-only register), byte enable error, burst error (not exactly one word), generic
///          error (an illegal value); nothing has changed then.
/// Timing:  b_transport() waits for the delay it is given, so call it from a thread. A bound socket
///          keeps the agenda from running ahead of the kernel; an unbound one costs nothing.
/// Source:  docs/design/contract.md, 3 and 4; the map is register_map.hpp.
class Csr final : public sc_core::sc_module, private Actor {
 public:
  tlm_utils::simple_target_socket_optional<Csr> socket{"socket"};

  Csr(const sc_core::sc_module_name& name, const RegisterTarget& target, Agenda& agenda);

 private:
  struct Write {
    RegisterWord where;
    std::uint32_t value{0};
  };

  void end_of_elaboration() override;
  void act(Picoseconds now, std::uint32_t what, std::uint64_t argument) override;
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& transaction);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);

  [[nodiscard]] tlm::tlm_response_status read(std::uint64_t address, unsigned char* data);
  [[nodiscard]] tlm::tlm_response_status write(std::uint64_t address, const unsigned char* data,
                                               sc_core::sc_time& delay);
  [[nodiscard]] std::uint64_t value_of(const RegisterWord& where);

  RegisterTarget target_;
  Agenda& agenda_;
  Agenda::ActorId actor_;
  const ClockEdges edges_;
  std::deque<Write> pending_;  // in the order in which they take effect
  std::uint64_t latched_for_;  // address of the high word that is latched
  std::uint32_t latched_{0};
};

}  // namespace weir
