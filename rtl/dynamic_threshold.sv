// SPDX-License-Identifier: Apache-2.0
//
// Limit T of the shared part of a priority group or queue: a line in the free cells,
// T = floor(n/2^m * free_i) + constant, and whether what is held lies below it.
//
// The comparison does not wait for T: held < T exactly if held < constant, or if
// (held + 1 - constant) * 2^m <= n * free_i.
//
// Units:   cells, rounded down. threshold_o saturates at 2^32 - 1; free_i up to 2^24, as n up to
//          65535 and m up to 16. n = 0 gives the policies with a fixed T.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/dynamic_threshold.hpp, compared every cycle by tb/lockstep.
// Source:  DESIGN section 2; Choudhury and Hahne 1998 [CH98].
module dynamic_threshold #(
  parameter int CellW = 17                          // bits of a count of cells, 1 to 24
) (
  input  logic [weir_pkg::LimitW-1:0]     free_i,     // B - S, 0 when S >= B
  input  logic [weir_pkg::AlphaNW-1:0]    slope_n_i,
  input  logic [weir_pkg::AlphaMW-1:0]    slope_m_i,
  input  logic [weir_pkg::LimitW-1:0]     constant_i,
  input  logic [CellW-1:0]                held_i,     // w
  output logic [weir_pkg::ThresholdW-1:0] threshold_o,
  output logic                            below_o     // w < T
);

  localparam int LimitW   = weir_pkg::LimitW;
  localparam int ProductW = LimitW + weir_pkg::AlphaNW;
  localparam int MaxShift = 16;

  logic [ProductW-1:0] product, slope;
  logic [ProductW:0]   line;
  assign product     = ProductW'(free_i) * ProductW'(slope_n_i);
  assign slope       = product >> slope_m_i;
  assign line        = {1'b0, slope} + (ProductW + 1)'(constant_i);
  assign threshold_o = (|line[ProductW:weir_pkg::ThresholdW]) ? '1 : line[weir_pkg::ThresholdW-1:0];

  // need = held + 1 - constant: what the sloping part must reach. Not positive: T is above anyway.
  localparam int DiffW = LimitW + MaxShift + 2;
  logic [LimitW+1:0] need;
  logic [DiffW-1:0]  scaled, left;
  logic              unused_left;
  assign need    = (LimitW + 2)'(held_i) + (LimitW + 2)'(1) - (LimitW + 2)'(constant_i);
  assign scaled  = DiffW'(need[LimitW:0]) << slope_m_i;
  assign left    = DiffW'(product) - scaled;
  assign below_o = need[LimitW+1] || need == '0 || !left[DiffW-1];
  assign unused_left = &{1'b0, left[DiffW-2:0]};

  initial begin
    if (CellW < 1 || CellW > 24) $fatal(1, "CellW = %0d: must be 1 to 24", CellW);
  end

endmodule
