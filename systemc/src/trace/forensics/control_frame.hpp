// SPDX-License-Identifier: Apache-2.0
// A MAC control frame of a capture: what it says, and what is wrong with it.
#pragma once
#include <optional>
#include <vector>

#include "weir/config/format/capture_file.hpp"
#include "weir/core/pfc/pfc_frame.hpp"
#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {

struct ControlFrame {
  std::optional<PfcFrame> pfc;   ///< None: no receiver obeys it as PFC.
  std::vector<PfcFault> faults;  ///< Each once.
};

/// Range: a frame of type `mac_control_type`, after any tags.
[[nodiscard]] ControlFrame check_control_frame(const CapturedFrame& frame,
                                               const EthernetHeader& header);

}  // namespace weir
