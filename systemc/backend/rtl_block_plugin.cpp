// SPDX-License-Identifier: Apache-2.0
// One Verilated block of the MMU, or a user's module with its ports, as the interface of
// rtl_block_plugin.hpp.
#include "weir/model/rtl/rtl_block_plugin.hpp"

#include <cstdint>
#include <vector>

#include "Vweir_block.h"
#include "rtl_instance.hpp"
#include "weir_block_pins.hpp"  // for_each_block_pin(), from the ports of the Verilated class
#include "weir_block_shape.hpp"

struct weir_block {
  explicit weir_block(const char* name) : rtl{name} {}

  RtlInstance<Vweir_block> rtl;
  std::vector<weir_block_pin> pins;
};

namespace {

weir_block* create(const char* name) {
  auto* block = new weir_block{name};
  for_each_block_pin(
      block->rtl.model(), [block](const char* pin, bool input, unsigned bits, auto& port) {
        block->pins.push_back(
            {pin, reinterpret_cast<uint8_t*>(&port), sizeof(port), bits, input ? 1U : 0U});
      });
  return block;
}

void destroy(weir_block* block) { delete block; }

const weir_block_pin* pins(weir_block* block, uint32_t* count) {
  *count = static_cast<uint32_t>(block->pins.size());
  return block->pins.data();
}

void eval(weir_block* block) { block->rtl.eval(); }

void wave_open(weir_block* block, weir_block_write* write, void* user) {
  block->rtl.wave_open(write, user);
}

void wave_dump(weir_block* block, uint64_t time) { block->rtl.wave_dump(time); }

void wave_close(weir_block* block) { block->rtl.wave_close(); }

const weir_block_api api{weir_block_abi,
                         weir_block_module,
                         weir_block_parameters_built,
                         sizeof weir_block_parameters_built / sizeof weir_block_parameters_built[0],
                         create,
                         destroy,
                         pins,
                         eval,
                         wave_open,
                         wave_dump,
                         wave_close};

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir_block_api* weir_block_api_v1() {
  return &api;
}
