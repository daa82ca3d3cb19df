// SPDX-License-Identifier: Apache-2.0
// A library for --block that is wrong in one output: the one of WEIR_RIGHT_LIBRARY, with bit 0 of
// pin WEIR_WRONG_PIN inverted from cycle WEIR_WRONG_CYCLE on; of a block without a clock, from that
// evaluation on. The RTL itself never sees the inverted bit: it is put back before each evaluation.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "weir/model/rtl/rtl_block_plugin.hpp"

namespace {

/// What is known of an instance.
struct Watched {
  const weir_block_pin* clock{nullptr};
  const weir_block_pin* reset{nullptr};
  uint8_t* wrong{nullptr};
  uint64_t count{0};  // of rising edges since reset, or of evaluations
  bool high{false}, inverted{false};
};

const weir_block_api* right{nullptr};
weir_block_api wrong{};
std::map<weir_block*, Watched> instances;

weir_block* create(const char* name) {
  weir_block* const block = right->create(name);
  uint32_t count = 0;
  const weir_block_pin* const pins = right->pins(block, &count);
  Watched& watched = instances[block];
  for (uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(pins[i].name, std::getenv("WEIR_WRONG_PIN")) == 0) watched.wrong = pins[i].data;
    if (std::strcmp(pins[i].name, "clk_i") == 0) watched.clock = pins + i;
    if (std::strcmp(pins[i].name, "rst_ni") == 0) watched.reset = pins + i;
  }
  return block;
}

void invert(Watched& watched) {
  *watched.wrong ^= 1U;
  watched.inverted = !watched.inverted;
}

void eval(weir_block* block) {
  Watched& watched = instances[block];
  if (watched.inverted) invert(watched);
  right->eval(block);
  if (watched.clock == nullptr) {
    ++watched.count;
  } else {
    const bool high = watched.clock->data[0] != 0;
    if (high && !watched.high && watched.reset->data[0] != 0) ++watched.count;
    watched.high = high;
  }
  if (watched.count >= std::strtoull(std::getenv("WEIR_WRONG_CYCLE"), nullptr, 10)) invert(watched);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir_block_api* weir_block_api_v1() {
  void* const library = dlopen(std::getenv("WEIR_RIGHT_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  using Entry = const weir_block_api* (*)();
  right = reinterpret_cast<Entry>(dlsym(library, "weir_block_api_v1"))();
  wrong = *right;
  wrong.create = create;
  wrong.eval = eval;
  return &wrong;
}
