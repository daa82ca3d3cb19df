// SPDX-License-Identifier: Apache-2.0
// A library for --rtl that is wrong in one output: the one of WEIR_RIGHT_LIBRARY, with bit 0 of pin
// WEIR_WRONG_PIN inverted once requests have been granted for a while. The RTL itself never sees
// the inverted bit: it is put back before each evaluation.
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "weir/model/rtl/rtl_plugin.hpp"

namespace {

constexpr uint64_t grants_before = 50;

const weir_rtl_api* right{nullptr};
weir_rtl_api wrong{};
uint8_t* wrong_octet{nullptr};
const weir_rtl_pin* granted{nullptr};  // arr_grant_valid_o
uint64_t grants{0};
bool inverted{false};

weir_rtl* create(const char* name) {
  weir_rtl* const rtl = right->create(name);
  uint32_t count = 0;
  const weir_rtl_pin* const pins = right->pins(rtl, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (std::strcmp(pins[i].name, std::getenv("WEIR_WRONG_PIN")) == 0) wrong_octet = pins[i].data;
    if (std::strcmp(pins[i].name, "arr_grant_valid_o") == 0) granted = pins + i;
  }
  grants = 0;
  inverted = false;
  return rtl;
}

void invert() {
  *wrong_octet ^= 1U;
  inverted = !inverted;
}

void eval(weir_rtl* rtl) {
  if (inverted) invert();
  right->eval(rtl);
  grants += granted->data[0] != 0 ? 1 : 0;
  if (grants >= grants_before) invert();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const weir_rtl_api* weir_rtl_api_v1() {
  void* const library = dlopen(std::getenv("WEIR_RIGHT_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  using Entry = const weir_rtl_api* (*)();
  right = reinterpret_cast<Entry>(dlsym(library, "weir_rtl_api_v1"))();
  wrong = *right;
  wrong.create = create;
  wrong.eval = eval;
  return &wrong;
}
