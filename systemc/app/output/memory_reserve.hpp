// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// Holds some memory that the first std::bad_alloc gives back, so that what cleans up after it
/// (drafts that are removed, destructors that allocate, the message) finds some. Call it once.
void keep_memory_reserve();

}  // namespace weir
