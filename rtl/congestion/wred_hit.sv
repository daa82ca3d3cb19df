// SPDX-License-Identifier: Apache-2.0
//
// Whether a packet is hit: certainly, or because its draw is below
// P = floor(((q - min) * slope + 2^24) / 2^25).
//
// Units:   cells; P and the draw count 2^-16.
// Range:   P of a slope that was rounded from a probability is at most that probability, so the
//          product has no more than SlopeW bits.
// Latency: none.
// Memory:  none; a multiplier of CellW by 42 bits.
// Golden:  systemc/include/weir/core/congestion/ecn_marker.hpp (WredLine), as part of ecn_marker.
// Source:  docs/blocks/ecn_marker.md.
module wred_hit #(
  parameter int CellW = 17  // bits of a count of cells, 1 .. MaxCellW
) (
  input  logic                        sure_i,
  input  logic                        draws_i,
  input  logic [CellW-1:0]            past_min_i,  // q - min
  input  logic [wred_pkg::SlopeW-1:0] slope_i,
  input  logic [wred_pkg::DrawW-1:0]  draw_i,
  output logic                        hit_o
);

  localparam int SlopeW    = wred_pkg::SlopeW;
  localparam int FractionW = wred_pkg::FractionW;
  localparam int ChanceW   = wred_pkg::ChanceW;
  localparam logic [SlopeW-1:0] Half = SlopeW'(1) << (FractionW - 1);

  logic [SlopeW-1:0]  sum;
  logic [ChanceW-1:0] chance;
  logic               unused_fraction;

  always_comb begin
    sum = '0;
    if (draws_i) sum = SlopeW'(past_min_i) * slope_i + Half;
  end
  assign chance          = sum[FractionW +: ChanceW];
  assign unused_fraction = ^sum[FractionW-1:0];
  assign hit_o           = sure_i || (draws_i && ChanceW'(draw_i) < chance);

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
