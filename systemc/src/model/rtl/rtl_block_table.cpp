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

/// A block of the step of an MMU: `make` makes it, and its maker is `member`.
template <auto member, auto make>
constexpr RtlBlockRow step_row(const char* block) {
  return {block, [](const MmuBlocks& blocks) { return bool{blocks.*member}; },
          [](MmuBlocks& blocks, const RtlBlockLibrary& library) {
            blocks.*member = [library](const char* name, const MmuSettings& settings) {
              return make(name, settings, library);
            };
          }};
}

const RtlBlockRow block_rows[]{
    step_row<&MmuBlocks::admission, make_admission_rtl>("admission"),
    step_row<&MmuBlocks::dynamic_threshold, make_dynamic_threshold_rtl>("dynamic_threshold"),
    step_row<&MmuBlocks::egress_accounting, make_egress_accounting_rtl>("egress_accounting"),
    step_row<&MmuBlocks::ingress_accounting, make_ingress_accounting_rtl>("ingress_accounting"),
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
    step_row<&MmuBlocks::pfc_state, make_pfc_state_rtl>("pfc_state"),
    step_row<&MmuBlocks::stats_counters, make_stats_counters_rtl>("stats_counters"),
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
