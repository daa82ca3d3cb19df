// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// The register map as the SystemVerilog package rtl/pkg/csr_map_pkg.sv: names, offsets and access
/// of every register, and what may be written.
[[nodiscard]] std::string registers_systemverilog();

}  // namespace weir
