// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "weir/core/chip_memory.hpp"
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
  return {{"chip.lanes", &Shape::lanes, chip.lanes},
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
void require_limit(const PipelineLatency& row, std::uint32_t value) {
  if (row.rtl_least <= value && value <= row.rtl_greatest) return;
  throw ConfigError(fmt::format("chip.{}", row.key), std::to_string(value),
                    fmt::format("must be {} to {} with RTL (--backend rtl or lockstep)",
                                row.rtl_least, row.rtl_greatest));
}

void require_limits(const Chip& chip) {
  if (chip.lanes != 1 && chip.lanes != 2 && chip.lanes != 4 && chip.lanes != 8)
    throw ConfigError(
        "chip.lanes", std::to_string(chip.lanes),
        "must be 1, 2, 4 or 8 with RTL (--backend rtl or lockstep); what another number "
        "of lanes changes: docs/guide/cosimulation.md");
  if (!chip.wred_profiles.empty())
    throw ConfigError("wred", chip.wred_profiles.front().name,
                      "must not be there with RTL (--backend rtl or lockstep): weir_mmu neither "
                      "marks nor drops early");
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
  handle_.reset(dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
    if (handle != nullptr) dlclose(handle);
  });
  if (!handle_) throw ConfigError("--rtl", path, fmt::format("{} ({})", made_by, dlerror()));
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
    } catch (const ConfigError&) {  // of another version, perhaps: none of ours
    }
  }
  throw ConfigError("--rtl", "none",
                    fmt::format("no RTL library of the program is large enough for this chip; "
                                "build one with: {} (the program then finds it)",
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
