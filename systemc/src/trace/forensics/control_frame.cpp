// SPDX-License-Identifier: Apache-2.0
#include "forensics/control_frame.hpp"

#include <algorithm>
#include <variant>

#include "weir/core/ethernet.hpp"

namespace weir {
namespace {

// Offsets from the type on, and lengths; before the type are two addresses.
constexpr std::size_t addresses = 12, opcode_at = 2, enable_at = 4, times_at = 6, end_of_times = 22;
constexpr std::uint64_t group_bit = std::uint64_t{1} << 40;
constexpr std::uint64_t control_address = [] {
  std::uint64_t address = 0;
  for (const std::uint8_t octet : mac_control_address) address = address << 8 | octet;
  return address;
}();

std::uint16_t number16(const std::vector<std::uint8_t>& octets, std::size_t at) {
  return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}

bool fcs_is_good(const std::vector<std::uint8_t>& octets) {
  return frame_check_sequence(octets.data(), octets.size() - fcs_octets) ==
         fcs_in(octets.data(), octets.size());
}

/// The frame with the length on the wire, and its octets without FCS.
struct Bare {
  std::vector<std::uint8_t> octets;
  std::uint64_t length;
  bool good_fcs{true};
};

// Many cards hand over the FCS without saying so: it is known by its value.
Bare without_fcs(const CapturedFrame& frame) {
  Bare bare{frame.octets, frame.length};
  const bool whole = frame.octets.size() + (frame.fcs == 0 ? fcs_octets : 0) == frame.length;
  const bool said = frame.fcs == fcs_octets && whole && fcs_octets < bare.octets.size();
  const bool unsaid =
      frame.fcs == 0 && frame.octets.size() == pfc_frame_bytes.count() && fcs_is_good(frame.octets);
  if (!said && !unsaid) return bare;
  bare.good_fcs = fcs_is_good(bare.octets);
  bare.octets.resize(bare.octets.size() - fcs_octets);
  if (unsaid) bare.length = pfc_frame_bytes.count();
  return bare;
}

// As a receiver sees it: cut to the fields, without tags, with the FCS that belongs to it.
PfcFrameBytes receivable(const std::vector<std::uint8_t>& octets, std::size_t type_at) {
  PfcFrameBytes frame{};
  std::copy_n(octets.begin(), addresses, frame.begin());
  std::copy_n(octets.begin() + static_cast<std::ptrdiff_t>(type_at), end_of_times,
              frame.begin() + addresses);
  put_fcs(frame.data(), frame.size());
  return frame;
}

void check_fields(const std::vector<std::uint8_t>& octets, std::size_t type_at,
                  std::vector<PfcFault>& faults) {
  if (octets[type_at + enable_at] != 0) faults.push_back(PfcFault::reserved_octet);
  const std::uint8_t enable = octets[type_at + enable_at + 1];
  if (enable == 0) faults.push_back(PfcFault::no_class);
  bool stray = false;
  for (std::size_t n = 0; n < priorities; ++n)
    stray = stray || ((enable >> n & 1U) == 0 && number16(octets, type_at + times_at + 2 * n) != 0);
  if (stray) faults.push_back(PfcFault::stray_time);
  if (std::any_of(octets.begin() + static_cast<std::ptrdiff_t>(type_at + end_of_times),
                  octets.end(), [](std::uint8_t octet) { return octet != 0; }))
    faults.push_back(PfcFault::padding);
}

}  // namespace

ControlFrame check_control_frame(const CapturedFrame& frame, const EthernetHeader& header) {
  ControlFrame control;
  const Bare bare = without_fcs(frame);
  const std::size_t type_at = header.type_at;
  if (!bare.good_fcs) control.faults.push_back(PfcFault::bad_fcs);
  if (header.source & group_bit) control.faults.push_back(PfcFault::group_source);
  if (bare.octets.size() < type_at + enable_at) {
    control.faults.push_back(PfcFault::cut_off);
    return control;
  }
  const std::uint16_t opcode = number16(bare.octets, type_at + opcode_at);
  if (opcode == pause_opcode) control.faults.push_back(PfcFault::pause_of_all);
  if (opcode != pause_opcode && opcode != pfc_opcode)
    control.faults.push_back(PfcFault::unknown_opcode);
  if (bare.length != pfc_frame_bytes.count()) control.faults.push_back(PfcFault::wrong_length);
  if (opcode != pfc_opcode) return control;
  if (header.destination != control_address) control.faults.push_back(PfcFault::wrong_address);
  const bool tagged = type_at != addresses;
  if (tagged) control.faults.push_back(PfcFault::tagged);
  if (bare.octets.size() < type_at + end_of_times) {
    control.faults.push_back(PfcFault::cut_off);
    return control;
  }
  check_fields(bare.octets, type_at, control.faults);
  if (tagged || !bare.good_fcs) return control;
  const DecodeResult decoded = decode(receivable(bare.octets, type_at));
  if (const PfcFrame* const pfc = std::get_if<PfcFrame>(&decoded)) control.pfc = *pfc;
  return control;
}

}  // namespace weir
