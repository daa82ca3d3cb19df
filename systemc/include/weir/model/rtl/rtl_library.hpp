// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "weir/core/chip.hpp"
#include "weir/core/units.hpp"
#include "weir/model/rtl/rtl_plugin.hpp"

namespace weir {

/// A shared library with Verilated RTL of an MMU (rtl_plugin.hpp).
///
/// Errors:  ConfigError when it cannot be loaded, is none of ours, or cannot hold the chip.
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

/// One pin of an instance of the RTL.
class RtlPin {
 public:
  RtlPin() = default;
  RtlPin(std::uint8_t* data, std::size_t bytes) noexcept : data_{data}, bytes_{bytes} {}

  /// `width` (1 .. 56) bits from bit `from` on. Range: within the pin.
  [[nodiscard]] std::uint64_t get(std::size_t from, unsigned width) const noexcept {
    const std::size_t first = from / 8, last = (from + width - 1) / 8;
    std::uint64_t word = 0;
    for (std::size_t i = first; i <= last; ++i) word |= std::uint64_t{data_[i]} << 8 * (i - first);
    return word >> from % 8 & mask(width);
  }
  void set(std::size_t from, unsigned width, std::uint64_t value) noexcept {
    const std::size_t first = from / 8, last = (from + width - 1) / 8;
    const std::uint64_t ones = mask(width) << from % 8, bits = value << from % 8 & ones;
    for (std::size_t i = first; i <= last; ++i) {
      const unsigned shift = static_cast<unsigned>(8 * (i - first));
      data_[i] = static_cast<std::uint8_t>((data_[i] & ~(ones >> shift)) | bits >> shift);
    }
  }
  void clear() noexcept { std::memset(data_, 0, bytes_); }
  [[nodiscard]] bool any() const noexcept {
    for (std::size_t i = 0; i < bytes_; ++i)
      if (data_[i] != 0) return true;
    return false;
  }
  [[nodiscard]] std::uint8_t* data() noexcept { return data_; }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  [[nodiscard]] static constexpr std::uint64_t mask(unsigned width) noexcept {
    return (std::uint64_t{1} << width) - 1;
  }

  std::uint8_t* data_{nullptr};
  std::size_t bytes_{0};
};

}  // namespace weir
