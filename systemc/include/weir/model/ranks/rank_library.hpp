// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "weir/model/ranks/rank_transport.hpp"

namespace weir {

/// The library of ranks (MPI and METIS), opened once for the whole process.
///
/// Errors: ConfigError that names what to install where it cannot be opened.
[[nodiscard]] const RankLibraryTable& rank_library();

}  // namespace weir
