// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "rtl/shared_library.hpp"
#include "weir/core/chip_memory.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr const char* made_by = "must be a library that scripts/rtl/make-backend has made";

// Where the libraries of this program lie: build tree, then installed.
std::vector<fs::path> folders() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program / "../lib/weir", program / "../lib/x86_64-linux-gnu/weir",
          program / "../../lib/weir"};
}

// Those that lie there, in the order of folders and names.
std::vector<fs::path> libraries() {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders()) {
    std::error_code ignored;
    std::vector<fs::path> here;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, ignored})
      if (entry.path().extension() == ".so") here.push_back(entry.path().lexically_normal());
    std::sort(here.begin(), here.end());
    files.insert(files.end(), here.begin(), here.end());
  }
  return files;
}

// The widest value that a field of so many bits holds, and the least bits for a value.
std::uint64_t max_of_bits(std::uint32_t bits) { return (std::uint64_t{1} << bits) - 1; }
std::uint32_t bits_for(std::uint64_t value) {
  std::uint32_t bits = 1;
  while (max_of_bits(bits) < value) ++bits;
  return bits;
}

// What a count of cells must reach, in any domain.
std::uint64_t max_cells(const Chip& chip) {
  std::uint64_t cells = 0;
  for (std::size_t d = 0; d < chip.domains; ++d)
    cells = std::max(cells, cells_taken(chip, DomainId{static_cast<std::uint8_t>(d)}));
  return cells;
}

/// What a chip needs of a parameter of weir_mmu.
struct Need {
  const char* what;
  std::uint32_t weir_rtl_shape::*built;
  std::uint64_t wanted;

  [[nodiscard]] const RtlParameter& parameter() const {
    return *std::find_if(std::begin(rtl_parameters), std::end(rtl_parameters),
                         [this](const RtlParameter& row) { return row.built == built; });
  }
  /// Whether a library with `value` serves.
  [[nodiscard]] bool met_by(std::uint64_t value) const {
    return parameter().exactly ? value == wanted : wanted <= value;
  }
};

// In the order in which a user would look at them.
std::vector<Need> needs_of(const Chip& chip) {
  using Shape = weir_rtl_shape;
  std::vector<Need> needs{
      {"chip.lanes", &Shape::lanes, chip.lanes},
      {"chip.ports", &Shape::ports, chip.ports.size()},
      {"chip.domains", &Shape::domains, chip.domains},
      {"number of profiles", &Shape::profiles, chip.profiles.size()},
      {"number of queue profiles", &Shape::queue_profiles, chip.queue_profiles.size()},
      {"number of pools", &Shape::pools, chip.ingress_pools.size()},
      {"number of egress pools", &Shape::egress_pools, chip.egress_pools.size()},
      {"chip.admit", &Shape::admit_latency, chip.admit_latency},
      {"chip.pfc", &Shape::pfc_latency, chip.pfc_latency},
      {"chip.threshold_lag", &Shape::threshold_lag, chip.threshold_lag},
      {"bits of chip.mtu in bytes", &Shape::byte_width, bits_for(chip.mtu.count())},
      {"bits of chip.mtu in cells", &Shape::len_width, bits_for(chip.cells(chip.mtu).count())},
      {"bits of the cells of a domain", &Shape::cell_width, bits_for(max_cells(chip))}};
  if (chip.wred_profiles.empty()) return needs;
  needs.push_back({"number of WRED profiles", &Shape::wred_profiles, chip.wred_profiles.size()});
  needs.push_back({"drops of WRED profiles", &Shape::wred_drops, drops_early(chip) ? 1U : 0U});
  needs.push_back({"chip.mark", &Shape::mark_latency, chip.mark_latency});
  return needs;
}

// The command that makes a library for the chip: lanes, ports, and what is not as usual.
std::string make_command(const Chip& chip) {
  std::string command = "scripts/rtl/make-backend";
  for (const Need& need : needs_of(chip)) {
    const bool always =
        need.built == &weir_rtl_shape::lanes || need.built == &weir_rtl_shape::ports;
    if (always || !need.met_by(need.parameter().usual))
      command += fmt::format(" --{} {}", need.parameter().option, need.wanted);
  }
  return command;
}

const Need* first_unmet(const std::vector<Need>& needs, const weir_rtl_shape& built) {
  for (const Need& need : needs)
    if (!need.met_by(built.*need.built)) return &need;
  return nullptr;
}

// What no library can be made for.
void require_limit(const PipelineLatency& row, std::uint32_t value, bool drops = false) {
  const std::uint32_t least = drops ? row.rtl_least_drops() : row.rtl_least;
  if (least <= value && value <= row.rtl_greatest) return;
  throw ConfigError(fmt::format("chip.{}", row.key), std::to_string(value),
                    fmt::format("must be {} to {} with RTL (--backend rtl or lockstep){}", least,
                                row.rtl_greatest, drops ? " where a WRED profile drops" : ""));
}

// A queue has cells of all domains, which weir_mmu counts in MaxCellW bits.
void require_marking(const Chip& chip) {
  constexpr std::uint64_t max = (std::uint64_t{1} << weir_pkg::MaxCellW) - 1;
  std::uint64_t cells = 0;
  for (std::size_t d = 0; d < chip.domains; ++d)
    cells += cells_taken(chip, DomainId{static_cast<std::uint8_t>(d)});
  if (max < cells)
    throw ConfigError("cells of all domains", std::to_string(cells),
                      fmt::format("must be up to {} with [wred] and RTL (--backend rtl or "
                                  "lockstep)",
                                  max));
  if ((chip.draw_polynomial & 0xffffU) != 0)
    throw ConfigError("draw.polynomial", fmt::format("0x{:08x}", chip.draw_polynomial),
                      "must have 0 in its lower 16 bits with RTL (--backend rtl or lockstep)");
  require_limit(pipeline::mark, chip.mark_latency);
  if (drops_early(chip)) require_limit(pipeline::admit, chip.admit_latency, true);
}

void require_lanes(std::uint32_t lanes) {
  if (weir_pkg::MaxLanes < lanes)
    throw ConfigError(
        "chip.lanes", std::to_string(lanes),
        fmt::format("must be 1 to {} with RTL (--backend rtl or lockstep)", weir_pkg::MaxLanes));
}

void require_limits(const Chip& chip) {
  require_lanes(chip.lanes);
  if (!chip.wred_profiles.empty()) require_marking(chip);
  require_limit(pipeline::admit, chip.admit_latency);
  require_limit(pipeline::pfc, chip.pfc_latency);
  require_limit(pipeline::threshold_lag, chip.threshold_lag);
}

void require_policy(const std::string& table, const ThresholdSetting& setting) {
  const PolicyRow& policy = row_of(setting.policy);
  if (policy.in_rtl) return;
  std::vector<std::string> names = policy_names(true);
  const std::string last = names.back();
  names.pop_back();
  throw ConfigError(table + ".policy", std::string{policy.name},
                    fmt::format("must be {} or {} with RTL (--backend rtl or lockstep)",
                                fmt::join(names, ", "), last));
}

void require_policies(const Chip& chip) {
  for (const Profile& profile : chip.profiles)
    require_policy("profile." + profile.name, profile.threshold);
  for (const QueueProfile& profile : chip.queue_profiles)
    require_policy("queue." + profile.name, profile.threshold);
}

}  // namespace

RtlLibrary::RtlLibrary(const std::string& path) : path_{path} {
  handle_ = open_library("--rtl", path, made_by);
  using Entry = const weir_rtl_api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle_.get(), "weir_rtl_api_v1"));
  if (entry == nullptr) throw ConfigError("--rtl", path, made_by);
  api_ = entry();
  if (api_->shape.abi != weir_rtl_abi)
    throw ConfigError("--rtl", fmt::format("{} (interface {})", path, api_->shape.abi),
                      fmt::format("must have interface {}: build it again with this version's "
                                  "scripts/rtl/make-backend",
                                  int{weir_rtl_abi}));
}

RtlLibrary RtlLibrary::for_chip(const Chip& chip) {
  require_limits(chip);
  require_policies(chip);
  const std::vector<Need> needs = needs_of(chip);
  for (const fs::path& file : libraries()) {
    try {
      RtlLibrary library{file.string()};
      if (first_unmet(needs, library.shape()) == nullptr) return library;
    } catch (const ConfigError&) {  // perhaps of another version
    }
  }
  throw ConfigError(
      "--rtl", "none",
      fmt::format("no RTL library of the program is large enough for this chip; "
                  "build one with, in the source tree: {} (the program then finds it)",
                  make_command(chip)));
}

void RtlLibrary::require_fits(const Chip& chip) const {
  require_limits(chip);
  require_policies(chip);
  const std::vector<Need> needs = needs_of(chip);
  const Need* const unmet = first_unmet(needs, shape());
  if (unmet == nullptr) return;
  throw ConfigError(unmet->what, std::to_string(unmet->wanted),
                    fmt::format("the RTL of {} has {}; make one that holds the chip with: {}",
                                path_, shape().*unmet->built, make_command(chip)));
}

}  // namespace weir
