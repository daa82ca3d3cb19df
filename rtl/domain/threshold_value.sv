// SPDX-License-Identifier: Apache-2.0
//
// A limit from its product: T = floor(product / 2^m) + constant.
//
// Units:   cells, rounded down; saturates at 2^32 - 1.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/policies/dynamic_threshold.hpp, as part of dynamic_threshold.
// Source:  docs/design/contract.md, 2.
module threshold_value (
  input  logic [weir_pkg::ProductW-1:0]   product_i,  // n * (B - S)
  input  logic [weir_pkg::AlphaMW-1:0]    slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]     constant_i,
  output logic [weir_pkg::ThresholdW-1:0] threshold_o
);

  localparam int ProductW = weir_pkg::ProductW;

  logic [ProductW:0] line;
  assign line        = {1'b0, product_i >> slope_m_i} + (ProductW + 1)'(constant_i);
  assign threshold_o = (|line[ProductW:weir_pkg::ThresholdW]) ? '1 : line[weir_pkg::ThresholdW-1:0];

endmodule
