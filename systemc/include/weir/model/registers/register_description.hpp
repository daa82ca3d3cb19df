// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// The register map of the RTL as SystemRDL 2.0, rtl/weir_mmu.rdl: an addrmap whose parameters are
/// those of weir_mmu that the number of registers and the value of a constant one depend on. Reset
/// values are those of the RTL; a counter of 64 bit is two registers, NAME and NAME_high.
[[nodiscard]] std::string registers_systemrdl();
/// The same map as a table, rtl/weir_mmu.registers.csv: a row for each register, in the form of
/// RFC 4180. Instance i of a block is at base + i * stride. Resets are those of the model, as in
/// docs/reference/registers.md.
[[nodiscard]] std::string registers_csv();

}  // namespace weir
