// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "weir/core/errors.hpp"

namespace weir {
namespace {

namespace fs = std::filesystem;

constexpr const char* made_by = "must be a library that scripts/make-rtl-backend has made";

std::string file_name(std::uint32_t lanes) { return fmt::format("libweir_mmu_l{}.so", lanes); }

// Where the libraries of this program lie: build tree, then installed.
std::vector<fs::path> folders() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {program / "../lib/weir", program / "../lib/x86_64-linux-gnu/weir",
          program / "../../lib/weir"};
}

// The widest value that a field of so many bits holds.
std::uint64_t most_in(std::uint32_t bits) { return (std::uint64_t{1} << bits) - 1; }

std::string make_command(const Chip& chip) {
  return fmt::format(
      "make one with: scripts/make-rtl-backend --lanes {} --ports {} --domains {} "
      "--pools {} --profiles {} --admit {} --threshold-lag {}, and name it by --rtl",
      chip.lanes, chip.ports.size(), chip.domains,
      std::max<std::size_t>(chip.ingress_pools.size(), 1),
      std::max<std::size_t>(chip.profiles.size(), 1), chip.admit_latency, chip.threshold_lag);
}

void require_lanes(const Chip& chip) {
  if (chip.lanes == 1 || chip.lanes == 2 || chip.lanes == 4) return;
  throw ConfigError("chip.lanes", std::to_string(chip.lanes),
                    "must be 1, 2 or 4 with RTL (--backend rtl or lockstep)");
}

// Policies of one line in S, by a number of the register map; the RTL has no other.
void require_policy(const std::string& table, const ThresholdSetting& setting) {
  if (policy_rule(setting.policy) == PolicyRule::line) return;
  throw ConfigError(table + ".policy", setting.policy,
                    "must be dynamic, static, complete_sharing or complete_partitioning with RTL "
                    "(--backend rtl or lockstep)");
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
  if (!handle_) throw ConfigError("--rtl", path, std::string{made_by} + " (" + dlerror() + ")");
  using Entry = const weir_rtl_api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle_.get(), "weir_rtl_api_v1"));
  if (entry == nullptr) throw ConfigError("--rtl", path, made_by);
  api_ = entry();
  if (api_->shape.abi != weir_rtl_abi)
    throw ConfigError("--rtl", fmt::format("{} (interface {})", path, api_->shape.abi),
                      fmt::format("must have interface {}: make it anew", int{weir_rtl_abi}));
}

RtlLibrary RtlLibrary::for_chip(const Chip& chip) {
  require_lanes(chip);
  require_policies(chip);
  for (const fs::path& folder : folders()) {
    const fs::path file = folder / file_name(chip.lanes);
    std::error_code ignored;
    if (fs::exists(file, ignored)) return RtlLibrary{file.lexically_normal().string()};
  }
  throw ConfigError(
      "--rtl", "none",
      fmt::format("{} is not beside the program; {}", file_name(chip.lanes), make_command(chip)));
}

void RtlLibrary::require_fits(const Chip& chip) const {
  require_lanes(chip);
  require_policies(chip);
  const weir_rtl_shape& built = shape();
  const auto require = [&](bool fits, const char* what, std::uint64_t wanted, std::uint64_t has) {
    if (fits) return;
    throw ConfigError(what, std::to_string(wanted),
                      fmt::format("the RTL of {} has {}; {}", path_, has, make_command(chip)));
  };
  const auto at_most = [&](const char* what, std::uint64_t wanted, std::uint64_t has) {
    require(wanted <= has, what, wanted, has);
  };
  const auto same = [&](const char* what, std::uint64_t wanted, std::uint64_t has) {
    require(wanted == has, what, wanted, has);
  };
  same("chip.lanes", chip.lanes, built.lanes);
  at_most("chip.ports", chip.ports.size(), built.ports);
  at_most("chip.domains", chip.domains, built.domains);
  at_most("number of profiles", chip.profiles.size(), built.profiles);
  at_most("number of queue profiles", chip.queue_profiles.size(), built.queue_profiles);
  at_most("number of pools", chip.ingress_pools.size(), built.pools);
  at_most("number of egress pools", chip.egress_pools.size(), built.egress_pools);
  same("chip.admit", chip.admit_latency, built.admit_latency);
  same("chip.threshold_lag", chip.threshold_lag, built.threshold_lag);
  at_most("chip.mtu in bytes", chip.mtu.count(), most_in(built.byte_width));
  at_most("chip.mtu in cells", chip.cells(chip.mtu).count(), most_in(built.len_width));
  for (const Pool& pool : chip.ingress_pools)
    at_most(("pool." + pool.name + ".size in cells").c_str(), pool.shared.count(),
            most_in(built.cell_width));
}

}  // namespace weir
