// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "weir/config/sonic/sonic_import.hpp"

// What `weir probe --qos-params` has to do.
namespace weir {

struct ProbeQosOptions {
  std::string folder, against, out;
  SonicOptions sonic;
  unsigned jobs{1};
  bool json{false};
};

/// Counts what the QoS tests of sonic-mgmt count on the switch of a SONiC folder; prints it as a
/// qos_params file, or writes it, or compares it with one. Returns the exit code.
/// Errors: as read_sonic(), import_sonic() and count_qos().
[[nodiscard]] int probe_qos(const ProbeQosOptions& options);

}  // namespace weir
