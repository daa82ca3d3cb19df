// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "weir/model/rtl/rtl_block_plugin.hpp"

namespace weir {

/// A shared library with one Verilated block of the MMU (rtl_block_plugin.hpp).
///
/// Errors:  ConfigError when it cannot be loaded or is no library of a block.
/// Source:  docs/guide/custom-module.md.
class RtlBlockLibrary {
 public:
  /// Loads the file at `path`.
  explicit RtlBlockLibrary(const std::string& path);

  [[nodiscard]] const weir_block_api& api() const noexcept { return *api_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Name of the block of the MMU that it replaces.
  [[nodiscard]] std::string block() const { return api_->module; }
  /// Value of the RTL parameter `name`. Errors: ConfigError when the library has none of that name.
  [[nodiscard]] std::uint32_t parameter(const char* name) const;

 private:
  std::string path_;
  std::shared_ptr<void> handle_;
  const weir_block_api* api_{nullptr};
};

}  // namespace weir
