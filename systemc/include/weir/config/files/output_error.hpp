// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/core/errors.hpp"

namespace weir {

/// An output cannot be written, as on a full disk: no fault of the model, but the end of the
/// command as one.
class OutputError : public ModelError {
 public:
  using ModelError::ModelError;
};

}  // namespace weir
