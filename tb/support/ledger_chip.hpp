// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "checkers/ledger.hpp"
#include "weir/core/chip.hpp"

namespace weir::test {

/// The same chip in the ledger's own words. The one place where core and ledger meet on settings.
[[nodiscard]] ledger::Chip ledger_chip(const Chip& chip);

}  // namespace weir::test
