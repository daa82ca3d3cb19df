// SPDX-License-Identifier: Apache-2.0
// What a shared library with Verilated RTL (weir_mmu, or a user's module with its ports) offers.
//
// Made by scripts/rtl/make-backend; loaded by class RtlLibrary. All of it is plain C, so that
// library and program may come from different compilers. One thread at a time may call it.
#pragma once
#include <cstdint>

#include "weir/model/rtl/mmu_pins.hpp"  // weir_rtl_shape

extern "C" {

enum { weir_rtl_abi = 4 };

// A pin where the simulation keeps it: bit i is bit i % 8 of byte i / 8; bits beyond the port are
// 0 and must stay so.
struct weir_rtl_pin {
  const char* name;  // as in weir_mmu
  uint8_t* data;
  uint32_t bytes;
};

// Takes `length` characters of text; `user` as given with it.
typedef void weir_rtl_write(void* user, const char* text, uint64_t length);

struct weir_rtl;  // one instance of the RTL

struct weir_rtl_api {
  struct weir_rtl_shape shape;
  struct weir_rtl* (*create)(const char* name);  // its scope in a waveform
  void (*destroy)(struct weir_rtl*);
  // All pins; `count` says how many. Valid until destroy().
  const struct weir_rtl_pin* (*pins)(struct weir_rtl*, uint32_t* count);
  // Combinational outputs, and flops if clk_i rose, follow the inputs.
  void (*eval)(struct weir_rtl*);
  // Waveform: text of a value change dump (IEEE 1364) goes to `write`, from wave_open() the header,
  // from wave_dump() what has changed since the last one, all of it before the call returns. Times
  // ascend; their unit is the caller's.
  void (*wave_open)(struct weir_rtl*, weir_rtl_write* write, void* user);
  void (*wave_dump)(struct weir_rtl*, uint64_t time);
  void (*wave_close)(struct weir_rtl*);
};

// The one symbol of the library.
const struct weir_rtl_api* weir_rtl_api_v1(void);
}
