// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"
#include "weir/model/rtl/rtl_plugin.hpp"

namespace weir {

/// A shared library with Verilated RTL of an MMU (rtl_plugin.hpp).
///
/// Errors:  ConfigError when it cannot be loaded, is no library of an MMU, or cannot hold the chip.
/// Source:  docs/design/contract.md, 4; docs/guide/cosimulation.md.
class RtlLibrary {
 public:
  /// Loads the file at `path`.
  explicit RtlLibrary(const std::string& path);
  /// The library that came with the program for a chip: next to it in the build tree, or installed.
  [[nodiscard]] static RtlLibrary for_chip(const Chip& chip);

  [[nodiscard]] const weir_rtl_shape& shape() const noexcept { return api_->shape; }
  [[nodiscard]] const weir_rtl_api& api() const noexcept { return *api_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Throws ConfigError, naming the first thing that `chip` needs and the RTL was not built for.
  void require_fits(const Chip& chip) const;

 private:
  std::string path_;
  std::shared_ptr<void> handle_;
  const weir_rtl_api* api_{nullptr};
};

}  // namespace weir
