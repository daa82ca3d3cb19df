// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stimulus.hpp"

namespace weir::mutants {

/// Leaves the random inputs as they are.
template <class Bench>
struct Shape {
  explicit Shape(Random&) noexcept {}
  void drive(Bench&, unsigned) noexcept {}
};

}  // namespace weir::mutants
