/* SPDX-License-Identifier: Apache-2.0 */
/* A Verilated weir_mmu for a program in C: its pins by name. */
#ifndef RTL_H
#define RTL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bit i of a pin is bit i % 8 of byte i / 8. */
typedef struct rtl_pin {
  const char* name;
  uint8_t* data;
  uint32_t bytes;
} rtl_pin;

/* All pins of the one weir_mmu of this program, and how many there are. */
const rtl_pin* rtl_pins(uint32_t* count);

/* Outputs, and flops if clk_i rose, follow the inputs. */
void rtl_eval(void);

#ifdef __cplusplus
}
#endif

#endif
