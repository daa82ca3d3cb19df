// SPDX-License-Identifier: Apache-2.0
#include "text/exit_codes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weir {
namespace {

std::string paragraph(const ExitCodes& codes) {
  std::string text = fmt::format("Exit codes:\n  0 {}\n", codes.good);
  if (!codes.failed.empty()) text += fmt::format("  1 {}\n", codes.failed);
  text += fmt::format("  {} {}\n", usage_error, codes.refused);
  text += fmt::format(
      "  {} an error of the model or of the machine (an output that cannot be written, no "
      "memory)\n",
      model_error);
  if (!codes.signal.empty()) text += fmt::format("  {}\n", codes.signal);
  return text + '\n';
}

}  // namespace

std::string with_exit_codes(const std::string& footer, const ExitCodes& codes) {
  const std::string_view heading = "Example";
  std::size_t at = 0;
  if (footer.rfind(heading, 0) != 0) {
    at = std::min(footer.find(fmt::format("\n\n{}", heading)), footer.size() - 2) + 2;
  }
  return footer.substr(0, at) + paragraph(codes) + footer.substr(at);
}

}  // namespace weir
