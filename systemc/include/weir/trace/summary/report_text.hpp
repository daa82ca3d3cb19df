// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace weir {

/// What a History has recorded, as JSON.
struct ReportText {
  std::string file;      ///< report.json (docs/guide/report.md).
  std::string sections;  ///< The same without the points of values over time.
  std::string charts;    ///< The values over time, in an object: what the script of the page draws.
};

}  // namespace weir
