// SPDX-License-Identifier: Apache-2.0
#include "weir/model/rtl/rtl_block_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

#include "rtl/shared_library.hpp"
#include "weir/core/errors.hpp"

namespace weir {
namespace {

constexpr const char* block_made_by =
    "must be a library that scripts/rtl/make-backend --block has made";

}  // namespace

RtlBlockLibrary::RtlBlockLibrary(const std::string& path) : path_{path} {
  handle_ = open_library("--block", path, block_made_by);
  using Entry = const weir_block_api* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle_.get(), "weir_block_api_v1"));
  if (entry == nullptr) throw ConfigError("--block", path, block_made_by);
  api_ = entry();
  if (api_->abi != weir_block_abi)
    throw ConfigError("--block", fmt::format("{} (interface {})", path, api_->abi),
                      fmt::format("must have interface {}: build it again with this version's "
                                  "scripts/rtl/make-backend",
                                  int{weir_block_abi}));
}

std::uint32_t RtlBlockLibrary::parameter(const char* name) const {
  for (std::uint64_t i = 0; i < api_->parameter_count; ++i)
    if (std::strcmp(api_->parameters[i].name, name) == 0) return api_->parameters[i].value;
  throw ConfigError("--block", path_, fmt::format("must be built with the parameter {}", name));
}

}  // namespace weir
