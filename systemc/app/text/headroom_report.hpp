// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/headroom/headroom_budget.hpp"
#include "weir/core/headroom/headroom_sizer.hpp"

// What `weir headroom` has to say, apart from how it was asked.
namespace weir {

/// One method, and what it means for the chip where its memory is known.
struct SizedMethod {
  const HeadroomMethod* method{nullptr};
  HeadroomResult result;
  std::optional<HeadroomBudget> budget;
};

struct DcqcnReport {
  Bytes flight;
  std::uint32_t beta{8};
  DcqcnThresholds thresholds;
};

struct HeadroomReport {
  HeadroomPort port;
  std::string chip;                 ///< Name of the chip file's chip; empty without one.
  std::optional<Cells> configured;  ///< Headroom that the chip file gives the port's first class.
  std::vector<SizedMethod> methods;
  std::optional<HeadroomPlan> plan;  ///< Its `headroom` is that of no method in particular.
  std::optional<DcqcnReport> dcqcn;
};

/// As text: every term with its source.
[[nodiscard]] std::string to_text(const HeadroomReport& report);
/// For programs: sizes, cells and times as plain integers, units in the names.
[[nodiscard]] std::string to_json(const HeadroomReport& report);

}  // namespace weir
