// SPDX-License-Identifier: Apache-2.0
// The Verilated weir_mmu, or a user's module with the same ports, as the interface of
// rtl_plugin.hpp.
#include "weir/model/rtl/rtl_plugin.hpp"

#include <cstdint>
#include <vector>

#include "Vweir_mmu.h"
#include "rtl_instance.hpp"
#include "rtl_shape.hpp"

struct weir_rtl {
  explicit weir_rtl(const char* name) : rtl{name} {}

  RtlInstance<Vweir_mmu> rtl;
  std::vector<weir_rtl_pin> pins;
};

namespace {

weir_rtl* create(const char* name) {
  auto* rtl = new weir_rtl{name};
  weir::for_each_pin(rtl->rtl.model(), [rtl](weir::MmuPin pin, auto& port) {
    rtl->pins.push_back({weir::row_of(pin).name, reinterpret_cast<uint8_t*>(&port), sizeof(port)});
  });
  return rtl;
}

void destroy(weir_rtl* rtl) { delete rtl; }

const weir_rtl_pin* pins(weir_rtl* rtl, uint32_t* count) {
  *count = static_cast<uint32_t>(rtl->pins.size());
  return rtl->pins.data();
}

void eval(weir_rtl* rtl) { rtl->rtl.eval(); }

void wave_open(weir_rtl* rtl, weir_rtl_write* write, void* user) {
  rtl->rtl.wave_open(write, user);
}

void wave_dump(weir_rtl* rtl, uint64_t time) { rtl->rtl.wave_dump(time); }

void wave_close(weir_rtl* rtl) { rtl->rtl.wave_close(); }

const weir_rtl_api api{
    weir_rtl_shape_built, create, destroy, pins, eval, wave_open, wave_dump, wave_close};

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir_rtl_api* weir_rtl_api_v1() {
  return &api;
}
