// SPDX-License-Identifier: Apache-2.0
//
// The draws of a port: a Galois LFSR of 32 bits that shifts right, sixteen shifts a draw,
// s = (s >> 1) ^ (s[0] ? polynomial : 0). A draw is the low half of the new state.
//
// The draws of one cycle are made in order of their index; an index that does not draw passes the
// state on to the next.
//
// Units:   draws count 2^-16.
// Range:   a state is never 0 where the polynomial has its highest bit.
// Latency: none; state_o is the state before the draws of the cycle. Depth: sixteen stages of an
//          AND and an XOR a draw, and the draws of a cycle follow each other. Where the low half of
//          polynomial_i is tied to 0, as the usual one has it, a step is one XOR tree.
// Memory:  none.
// Golden:  systemc/include/weir/core/congestion/ecn_marker.hpp (DrawStep), as part of ecn_marker.
// Source:  docs/blocks/ecn_marker.md.
module wred_draws #(
  parameter int Draws = 2  // of a cycle: 1 and up
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,        // asynchronous, active low
  input  logic [wred_pkg::StateW-1:0]      polynomial_i,  // its taps, the highest bit set
  input  logic                             load_i,        // the state becomes seed_i
  input  logic [wred_pkg::StateW-1:0]      seed_i,        // not 0
  input  logic [Draws-1:0]                 take_i,        // which indices draw
  output logic [Draws*wred_pkg::DrawW-1:0] draw_o,        // what they draw; 0 of the others
  output logic [wred_pkg::StateW-1:0]      state_o
);

  localparam int StateW = wred_pkg::StateW;
  localparam int DrawW  = wred_pkg::DrawW;

  function automatic logic [StateW-1:0] step(input logic [StateW-1:0] from,
                                             input logic [StateW-1:0] polynomial);
    step = from;
    for (int n = 0; n < DrawW; n++) step = (step >> 1) ^ (step[0] ? polynomial : {StateW{1'b0}});
  endfunction

  logic [StateW-1:0] state_d, state_q, state;

  always_comb begin
    state  = state_q;
    draw_o = '0;
    if (take_i != '0) begin
      for (int k = 0; k < Draws; k++) begin
        if (take_i[k]) begin
          state = step(state, polynomial_i);
          draw_o[k*DrawW +: DrawW] = state[DrawW-1:0];
        end
      end
    end
    state_d = load_i ? seed_i : state;
  end
  assign state_o = state_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StateW'(1);
    end else begin
      state_q <= state_d;
    end
  end

  initial begin
    if (Draws < 1) $fatal(1, "Draws = %0d: must be 1 or more", Draws);
  end

endmodule
