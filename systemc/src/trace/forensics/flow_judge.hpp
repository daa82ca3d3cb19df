// SPDX-License-Identifier: Apache-2.0
// What is wrong with the pauses of a capture.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "weir/trace/forensics/pfc_forensics.hpp"

namespace weir {

class FlowJudge {
 public:
  /// `storm`: as in PfcAssumptions. Findings are added to `findings`.
  FlowJudge(const std::vector<PfcStation>& stations, std::optional<Picoseconds> storm,
            std::vector<PfcFinding>& findings)
      : stations_{stations}, storm_{storm}, findings_{findings} {}

  /// The shortest pause without XON that is a storm.
  [[nodiscard]] Picoseconds storm_of(const PfcStation& paused) const;
  /// Findings of each flow, then circles of several. Flows are finished.
  void add_all(const std::vector<PfcFlow>& flows);

 private:
  void add(PfcFault fault, const PfcFlow& flow, std::uint64_t count, Picoseconds first,
           std::string detail);
  void judge(const PfcFlow& flow);
  void add_circles();
  void add_resolved_circles(const std::vector<PfcFlow>& flows);

  const std::vector<PfcStation>& stations_;
  const std::optional<Picoseconds> storm_;
  std::vector<PfcFinding>& findings_;
};

}  // namespace weir
