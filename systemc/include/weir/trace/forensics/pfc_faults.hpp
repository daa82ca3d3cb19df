// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace weir {

/// What a finding is about.
enum class PfcFault : std::uint8_t {
  wrong_address,
  unknown_opcode,
  cut_off,
  wrong_length,
  tagged,
  bad_fcs,
  group_source,
  reserved_octet,
  padding,
  pause_of_all,
  no_class,
  stray_time,
  late_frames,
  unheeded_xon,
  by_timer,
  still_paused,
  storm,
  passed_on,
  circle,
  resolved_circle,
  no_direction,
};

/// One row of the table of findings.
struct PfcFaultRow {
  PfcFault fault;
  std::string_view name;
  bool bad;  ///< Breaks the standard or stops traffic; else a note.
  std::string_view text;
};
/// All of them, the only place of their names; docs/guide/pfc.md lists them.
[[nodiscard]] const std::vector<PfcFaultRow>& pfc_faults();
[[nodiscard]] const PfcFaultRow& row_of(PfcFault fault);

}  // namespace weir
