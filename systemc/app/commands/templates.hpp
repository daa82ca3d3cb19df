// SPDX-License-Identifier: Apache-2.0
#pragma once

// The files of docs/guide/first, which weir new writes.
namespace weir::templates {

extern const char* const chip;
extern const char* const scenario;
extern const char* const sweep;

}  // namespace weir::templates
