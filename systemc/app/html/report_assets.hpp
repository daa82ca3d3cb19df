// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands in every report page as it is: our own style and script (systemc/report) and
// dygraphs.
namespace weir {

extern const char* const report_style;
extern const char* const report_script;
extern const char* const dygraphs_style;
extern const char* const dygraphs_script;

}  // namespace weir
