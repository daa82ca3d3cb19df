// SPDX-License-Identifier: Apache-2.0
#pragma once

// What pages carry unchanged: our own styles and scripts (html/assets) and dygraphs.
namespace weir::assets {

extern const char* const page_style;  ///< Of every page.
extern const char* const report_style;
extern const char* const sweep_style;
extern const char* const dygraphs_style;
extern const char* const report_script;
extern const char* const sweep_script;
extern const char* const dygraphs_script;
/// The digests of these scripts, as a content-security policy names them: no other script runs.
extern const char* const script_digests;

}  // namespace weir::assets
