// SPDX-License-Identifier: Apache-2.0
// What a shared library with one Verilated block of the MMU (dynamic_threshold, pfc_generator and
// so on, or a user's module with its ports) offers.
//
// Made by scripts/rtl/make-backend --block; loaded by class RtlBlockLibrary. All of it is plain C,
// so that library and program may come from different compilers. One thread at a time may call it.
#pragma once
#include <cstdint>

extern "C" {

enum { weir_block_abi = 1 };

struct weir_block_parameter {
  const char* name;
  uint32_t value;
};

// A pin where the simulation keeps it: bit i is bit i % 8 of byte i / 8; bits beyond `bits` are 0
// and must stay so.
struct weir_block_pin {
  const char* name;
  uint8_t* data;
  uint32_t bytes, bits;
  uint32_t input;  // 1, or 0: an output
};

// Takes `length` characters of text; `user` as given with it.
typedef void weir_block_write(void* user, const char* text, uint64_t length);

struct weir_block;  // one instance

struct weir_block_api {
  uint32_t abi;
  const char* module;
  const struct weir_block_parameter* parameters;
  uint64_t parameter_count;
  struct weir_block* (*create)(const char* name);
  void (*destroy)(struct weir_block*);
  // All pins; `count` says how many. Valid until destroy().
  const struct weir_block_pin* (*pins)(struct weir_block*, uint32_t* count);
  // Combinational outputs, and flops if clk_i rose, follow the inputs.
  void (*eval)(struct weir_block*);
  // Waveform, as in rtl_plugin.hpp.
  void (*wave_open)(struct weir_block*, weir_block_write* write, void* user);
  void (*wave_dump)(struct weir_block*, uint64_t time);
  void (*wave_close)(struct weir_block*);
};

// The one symbol of the library.
const struct weir_block_api* weir_block_api_v1(void);
}
