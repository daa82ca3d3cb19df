// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace weir {

/// From here on what the SystemC kernel reports goes to stderr, a line each, and nothing to stdout,
/// which belongs to results. Errors of the kernel are exceptions as before.
void kernel_messages_to_stderr();

}  // namespace weir
