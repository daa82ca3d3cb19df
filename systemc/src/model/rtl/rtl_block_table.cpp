// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rtl_block_makers.hpp"
#include "weir/core/errors.hpp"
#include "weir/model/rtl/rtl_block_unit.hpp"

namespace weir {
namespace {

/// A block that RTL can replace: its module, and where its maker goes.
struct RtlBlockRow {
  const char* name;
  bool (*taken)(const MmuBlocks&);
  void (*use)(MmuBlocks&, const RtlBlockLibrary&);
};

const RtlBlockRow block_rows[]{
    {"dynamic_threshold", [](const MmuBlocks& blocks) { return bool{blocks.dynamic_threshold}; },
     [](MmuBlocks& blocks, const RtlBlockLibrary& library) {
       blocks.dynamic_threshold = [library](const char* name, const MmuSettings& settings) {
         return make_dynamic_threshold_rtl(name, settings, library);
       };
     }},
    {"pfc_generator", [](const MmuBlocks& blocks) { return bool{blocks.pfc_generator}; },
     [](MmuBlocks& blocks, const RtlBlockLibrary& library) {
       blocks.pfc_generator = [library](const char* name, const SwitchContext& parent) {
         return make_pfc_generator_rtl(name, {library, parent, "pfc_generator"});
       };
     }},
    {"pfc_receiver", [](const MmuBlocks& blocks) { return bool{blocks.pfc_receiver}; },
     [](MmuBlocks& blocks, const RtlBlockLibrary& library) {
       blocks.pfc_receiver = [library](const char* name, const SwitchContext& parent) {
         return make_pfc_receiver_rtl(name, {library, parent, "pfc_receiver"});
       };
     }},
    {"pfc_state", [](const MmuBlocks& blocks) { return bool{blocks.pfc_state}; },
     [](MmuBlocks& blocks, const RtlBlockLibrary& library) {
       blocks.pfc_state = [library](const char* name, const MmuSettings& settings) {
         return make_pfc_state_rtl(name, settings, library);
       };
     }},
};

}  // namespace

std::vector<std::string> rtl_block_names() {
  std::vector<std::string> names;
  for (const RtlBlockRow& row : block_rows) names.emplace_back(row.name);
  return names;
}

void use_rtl_block(MmuBlocks& blocks, const RtlBlockLibrary& library) {
  for (const RtlBlockRow& row : block_rows) {
    if (library.block() != row.name) continue;
    if (row.taken(blocks))
      throw ConfigError("--block", library.path(),
                        fmt::format("must be given once for {}", row.name));
    return row.use(blocks, library);
  }
  throw ConfigError(
      "--block", fmt::format("{} ({})", library.path(), library.block()),
      fmt::format("must be built from one of {}", fmt::join(rtl_block_names(), ", ")));
}

}  // namespace weir
