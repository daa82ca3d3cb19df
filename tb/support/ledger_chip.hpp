// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "checkers/ledger.hpp"
#include "weir/core/chip.hpp"

namespace weir::test {

/// The same chip in the ledger's types. The only place where settings of the core reach the ledger.
[[nodiscard]] ledger::Chip ledger_chip(const Chip& chip);

}  // namespace weir::test
