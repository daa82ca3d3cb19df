// SPDX-License-Identifier: Apache-2.0
#include "weir/trace/forensics/pfc_faults.hpp"

#include "weir/core/errors.hpp"

namespace weir {

const std::vector<PfcFaultRow>& pfc_faults() {
  static const std::vector<PfcFaultRow> table{
      {PfcFault::wrong_address, "wrong_address", true,
       "PFC to another address than 01-80-C2-00-00-01: no receiver obeys it"},
      {PfcFault::unknown_opcode, "unknown_opcode", true,
       "MAC control with an opcode that is neither PAUSE (0x0001) nor PFC (0x0101)"},
      {PfcFault::cut_off, "cut_off", true,
       "MAC control shorter than its fields: cut off by the capture, or broken"},
      {PfcFault::wrong_length, "wrong_length", true, "a MAC control frame is 64 B with its FCS"},
      {PfcFault::tagged, "tagged", true, "PFC with an 802.1Q tag: MAC control is never tagged"},
      {PfcFault::bad_fcs, "bad_fcs", true, "PFC with a wrong FCS: no receiver obeys it"},
      {PfcFault::group_source, "group_source", true, "the source address is a group address"},
      {PfcFault::reserved_octet, "reserved_octet", true,
       "the upper octet of the class-enable vector is reserved, and must be 0"},
      {PfcFault::padding, "padding", true, "octets after the times are reserved, and must be 0"},
      {PfcFault::pause_of_all, "pause_of_all", false,
       "PAUSE of all classes (opcode 0x0001): the link runs link-level flow control as well"},
      {PfcFault::no_class, "no_class", false, "PFC that enables no class: it does nothing"},
      {PfcFault::stray_time, "stray_time", false,
       "a time of a class that is not enabled: receivers ignore it"},
      {PfcFault::late_frames, "late_frames", true,
       "frames of a paused class start later than the response limit: the PAUSE was lost, spoiled "
       "or "
       "late, or is not obeyed"},
      {PfcFault::unheeded_xon, "unheeded_xon", true,
       "the class goes on only when the timer would have ended: the XON was lost or is not obeyed"},
      {PfcFault::by_timer, "by_timer", false, "pauses that no XON ended, but the timer"},
      {PfcFault::still_paused, "still_paused", false,
       "a class is paused to the end of the capture, for less than a storm: a longer capture shows "
       "whether that pause ends"},
      {PfcFault::storm, "storm", true,
       "a class is paused without a gap and without an XON, by a sender that is not paused itself"},
      {PfcFault::passed_on, "passed_on", true,
       "a class is paused without a gap and without an XON, by a sender that is itself paused"},
      {PfcFault::circle, "circle", true,
       "all senders of such pauses are themselves paused: a deadlock, or its origin is not "
       "captured"},
      {PfcFault::resolved_circle, "resolved_circle", true,
       "senders waited for each other in a circle, each for as long as a storm, before an XON "
       "came: "
       "a deadlock that a watchdog, a reset or lost frames resolved"},
      {PfcFault::no_direction, "no_direction", false,
       "data frames whose direction the capture does not say: they are not judged"}};
  return table;
}

const PfcFaultRow& row_of(PfcFault fault) {
  for (const PfcFaultRow& row : pfc_faults())
    if (row.fault == fault) return row;
  throw ModelError("a finding without a row");
}

}  // namespace weir
