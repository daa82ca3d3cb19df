// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/errors.hpp"

namespace weir {

/// An output cannot be written, as on a full disk. The model is not at fault, but the command ends
/// as after a model error: exit code 3, and no results.
class OutputError : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace weir
