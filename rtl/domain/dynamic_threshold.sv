// SPDX-License-Identifier: Apache-2.0
//
// Limit T of the shared part of a priority group or queue: a line in the free cells,
// T = floor(n/2^m * free_i) + constant, and whether what is held lies below it.
//
// The comparison does not wait for T (threshold_reach). weir_domain takes the parts: it keeps the
// product and finishes T a cycle later.
//
// Units:   cells, rounded down. threshold_o saturates at 2^32 - 1; free_i up to 2^24, as n up to
//          65535 and m up to 16. n = 0 gives the policies with a fixed T.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/policies/dynamic_threshold.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/design/contract.md, 2; Choudhury and Hahne 1998 [CH98].
module dynamic_threshold #(
  parameter int CellW = 17                          // bits of a count of cells, 1 to MaxCellW
) (
  input  logic [weir_pkg::LimitW-1:0]     free_i,     // B - S, 0 when S >= B
  input  logic [weir_pkg::AlphaNW-1:0]    slope_n_i,
  input  logic [weir_pkg::AlphaMW-1:0]    slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]     constant_i,
  input  logic [CellW-1:0]                held_i,     // w
  output logic [weir_pkg::ThresholdW-1:0] threshold_o,
  output logic                            below_o     // w < T
);

  localparam int ProductW = weir_pkg::ProductW;

  logic [ProductW-1:0] product;
  assign product = ProductW'(free_i) * ProductW'(slope_n_i);

  threshold_value u_value (.product_i(product), .slope_m_i, .constant_i, .threshold_o);

  threshold_reach #(.CellW(CellW)) u_below (
    .free_i, .slope_n_i, .slope_m_i, .constant_i, .held_i, .plus_i(weir_pkg::LimitW'(1)),
    .reaches_o(below_o)
  );

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
