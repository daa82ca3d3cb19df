// SPDX-License-Identifier: Apache-2.0
//
// What the WRED profile of a queue asks of one packet while q cells wait: nothing below min, a
// certain hit from max on, a draw between.
//
// A packet that comes is asked where the profile drops, it is not lossless, and it cannot be marked
// instead; one that enters, or leaves, where the profile marks there and it is ECT.
//
// Units:   cells.
// Range:   min <= max.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/congestion/ecn_marker.hpp, as part of ecn_marker.
// Source:  docs/blocks/ecn_marker.md.
module wred_question #(
  parameter int Profiles = 4,                    // 1 .. MaxProfiles
  parameter int CellW    = 17,                   // bits of a count of cells, 1 .. MaxCellW
  parameter int MapW     = (Profiles > 0) ? $clog2(Profiles + 1) : 1 // derived: do not override
) (
  input  logic [Profiles*wred_pkg::ProfileBits-1:0] profiles_i,
  input  logic                                      valid_i,
  input  logic [MapW-1:0]                           profile_i,   // of the queue: its number + 1
  input  logic                                      comes_i,     // it asks whether it is dropped
  input  logic                                      enters_i,    // it was admitted; else it leaves
  input  logic                                      ect_i,       // its transport takes marks
  input  logic                                      lossless_i,  // and it is of a lossless PG
  input  logic [CellW-1:0]                          q_i,         // cells that wait
  output logic                                      sure_o,      // it is hit
  output logic                                      draws_o,     // a draw decides
  output logic [CellW-1:0]                          past_min_o,  // where it draws: q - min
  output logic [wred_pkg::SlopeW-1:0]               slope_o
);

  localparam int LimitW = weir_pkg::LimitW;
  localparam int Bits   = wred_pkg::ProfileBits;

  logic [Bits-1:0]   word;
  logic [LimitW-1:0] min, max, past_min;
  logic              marks, drops, at_enqueue, asks, from_min, from_max, unused_past_min;

  always_comb begin
    word = '0;
    if (valid_i) begin
      for (int n = 0; n < Profiles; n++) begin
        if (profile_i == MapW'(n + 1)) word = word | profiles_i[n*Bits +: Bits];
      end
    end
  end
  assign min        = word[wred_pkg::ProfileMin +: LimitW];
  assign max        = word[wred_pkg::ProfileMax +: LimitW];
  assign slope_o    = word[wred_pkg::ProfileSlope +: wred_pkg::SlopeW];
  assign marks      = word[wred_pkg::ProfileMark];
  assign drops      = word[wred_pkg::ProfileDrop];
  assign at_enqueue = word[wred_pkg::ProfileAtEnqueue];

  // A queue without a profile neither marks nor drops: its word is 0.
  assign asks = comes_i ? drops && !lossless_i && !(marks && ect_i) :
                marks && ect_i && at_enqueue == enters_i;

  assign from_min = LimitW'(q_i) >= min;
  assign from_max = LimitW'(q_i) >= max;
  assign past_min = LimitW'(q_i) - min;
  assign sure_o   = asks && from_max;
  assign draws_o  = asks && from_min && !from_max;
  assign past_min_o      = past_min[CellW-1:0];
  assign unused_past_min = ^past_min;

  initial begin
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (wred_pkg::LimitW != LimitW)
      $fatal(1, "wred_pkg::LimitW = %0d: must be that of weir_pkg, %0d", wred_pkg::LimitW, LimitW);
  end

endmodule
