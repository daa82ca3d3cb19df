// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parts that every report page carries unchanged: our own style and script (html/assets) and
// dygraphs.
namespace weir {

extern const char* const report_style;
extern const char* const report_script;
extern const char* const dygraphs_style;
extern const char* const dygraphs_script;

}  // namespace weir
