// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "weir/config/sonic/published_headroom.hpp"
#include "weir/model/probe/headroom_grade.hpp"

// What `weir headroom --against` has to say.
namespace weir {

struct GradedHeadroom {
  PublishedHeadroom published;
  HeadroomGrade grade;
};

/// Grades each row; `port` gives what the table does not. Errors: as grade_headroom(), with the
/// line of the row.
[[nodiscard]] std::vector<GradedHeadroom> graded(const std::vector<PublishedHeadroom>& rows,
                                                 const HeadroomPort& port);
[[nodiscard]] std::string grades_text(const std::vector<GradedHeadroom>& rows,
                                      const HeadroomPort& port);
[[nodiscard]] std::string grades_json(const std::vector<GradedHeadroom>& rows,
                                      const HeadroomPort& port);
/// 0 when no row drops, else 1.
[[nodiscard]] int grades_exit_code(const std::vector<GradedHeadroom>& rows);

}  // namespace weir
