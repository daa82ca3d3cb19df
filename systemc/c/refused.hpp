// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

#include "weir_mmu.h"

namespace weir::c {

/// A call that is refused. It never leaves the library.
class Refused : public std::runtime_error {
 public:
  Refused(weir_mmu_status status, const std::string& text)
      : std::runtime_error{text}, status_{status} {}
  [[nodiscard]] weir_mmu_status status() const noexcept { return status_; }

 private:
  weir_mmu_status status_;
};

/// Throws unless low <= value <= high.
inline void require_range(const char* what, std::uint64_t value, std::uint64_t low,
                          std::uint64_t high) {
  if (low <= value && value <= high) return;
  throw Refused{WEIR_MMU_RANGE, std::string{what} + " = " + std::to_string(value) +
                                    ": must be from " + std::to_string(low) + " to " +
                                    std::to_string(high)};
}

/// `*pointer`; throws for null.
template <class T>
[[nodiscard]] T& given(const char* what, T* pointer) {
  if (pointer == nullptr) throw Refused{WEIR_MMU_NULL, std::string{what} + " is a null pointer"};
  return *pointer;
}

inline void require_size(const char* what, std::uint64_t size, std::uint64_t expected) {
  if (size == expected) return;
  throw Refused{WEIR_MMU_SIZE, std::string{what} + " = " + std::to_string(size) + ": must be " +
                                   std::to_string(expected) + " in version " +
                                   std::to_string(WEIR_MMU_VERSION_MAJOR) + "." +
                                   std::to_string(WEIR_MMU_VERSION_MINOR)};
}

/// The same of a structure that says its own size.
template <class T>
[[nodiscard]] T& sized(const char* what, T* pointer) {
  require_size((std::string{what} + "->size").c_str(), given(what, pointer).size, sizeof(T));
  return *pointer;
}

}  // namespace weir::c
