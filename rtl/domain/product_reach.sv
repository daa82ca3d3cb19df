// SPDX-License-Identifier: Apache-2.0
//
// Whether a count lies at or below a limit T = floor(product / 2^m) + constant, the product being
// known: one sum of four counts, whose sign answers. threshold_reach does it from the factors.
//
// Units:   cells.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/policies/dynamic_threshold.hpp, as part of weir_domain.
// Source:  docs/design/contract.md, 2.
module product_reach #(
  parameter int CellW = 17                                          // 1 .. MaxCellW
) (
  input  logic [weir_pkg::ProductW-1:0] product_i,   // n * (B - S), 0 when S >= B
  input  logic [weir_pkg::AlphaMW-1:0]  slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]   constant_i,
  input  logic [CellW-1:0]              held_i,
  input  logic [weir_pkg::LimitW-1:0]   plus_i,
  output logic                          reaches_o    // held + plus <= T
);

  localparam int LeftW = weir_pkg::ProductW + 2;

  logic [LeftW-1:0] left;
  logic             unused_left;
  assign left        = (LeftW'(product_i) >> slope_m_i) + LeftW'(constant_i) - LeftW'(held_i) -
                       LeftW'(plus_i);
  assign reaches_o   = !left[LeftW-1];
  assign unused_left = ^left[LeftW-2:0];

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
