// SPDX-License-Identifier: Apache-2.0
//
// Whether a count lies at or below a limit T = floor(n * free / 2^m) + constant, without waiting
// for T: held + plus <= T exactly if (held + plus - constant) * 2^m <= n * free, whatever the sign.
//
// It is one sum, of the rows of the product and of the three counts, each shifted by itself: they
// are reduced together before the only carry runs.
//
// Units:   cells; free_i up to 2^24, as n up to 65535 and m up to 16.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/policies/dynamic_threshold.hpp, as part of dynamic_threshold.
// Source:  docs/design/contract.md, 2.
module threshold_reach #(
  parameter int CellW = 17                                          // 1 .. MaxCellW
) (
  input  logic [weir_pkg::LimitW-1:0]  free_i,      // B - S, 0 when S >= B
  input  logic [weir_pkg::AlphaNW-1:0] slope_n_i,
  input  logic [weir_pkg::AlphaMW-1:0] slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]  constant_i,
  input  logic [CellW-1:0]             held_i,
  input  logic [weir_pkg::LimitW-1:0]  plus_i,
  output logic                         reaches_o    // held + plus <= T
);

  localparam int LeftW = weir_pkg::ProductW + 2;

  logic [LeftW-1:0] held, plus, constant, left;
  logic             unused_left;
  assign held        = LeftW'(held_i) << slope_m_i;
  assign plus        = LeftW'(plus_i) << slope_m_i;
  assign constant    = LeftW'(constant_i) << slope_m_i;
  assign left        = LeftW'(free_i) * LeftW'(slope_n_i) + constant - held - plus;
  assign reaches_o   = !left[LeftW-1];
  assign unused_left = ^left[LeftW-2:0];

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
