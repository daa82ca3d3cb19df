// SPDX-License-Identifier: Apache-2.0
//
// The XOFF level of every priority group (PG): after each step, XOFF is evaluated first (arrivals
// only), then XON, never while the XOFF condition holds. A PG that holds no cells is never XOFF.
//
// Steps of a cycle are releases in lane order, then arrivals in lane order. T is the threshold
// recomputed after the step; a PG keeps its level where no step is valid. Lossy PGs are not valid.
//
// Units:   cells.
// Latency: xoff_o, level_o and changed_o belong to the steps of the same cycle; the levels are
//          registers, xoff_o shows them with the steps applied.
// Memory:  one flip-flop a PG.
// Golden:  systemc/include/weir/core/pfc_state.hpp, compared every cycle by tb/lockstep.
// Source:  DESIGN section 2; [DSH] for on_headroom and the rule `paper`.
module pfc_state #(
  parameter int Ports = 8,                   // 1 .. 4096
  parameter int Lanes = 1,                   // releases, and arrivals: 1, 2 or 4
  parameter int CellW = 17,                  // bits of a count of cells
  parameter int RowW  = $clog2(Ports * 8)    // derived: do not override
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,        // asynchronous, active low
  // Steps x = 0 .. 2*Lanes-1: releases, then arrivals, at [x*W +: W].
  input  logic [2*Lanes-1:0]                  valid_i,       // a step at a lossless PG
  input  logic [2*Lanes*RowW-1:0]             pg_i,
  input  logic [2*Lanes-1:0]                  pressed_i,     // a cell went to headroom, or refused
  input  logic [2*Lanes-1:0]                  full_i,        // private segment full
  input  logic [2*Lanes-1:0]                  empty_i,       // holds no cells
  input  logic [2*Lanes*CellW-1:0]            shared_i,      // w
  input  logic [2*Lanes-1:0]                  in_headroom_i, // holds cells in headroom
  input  logic [2*Lanes-1:0]                  below_i,       // w < T
  input  logic [2*Lanes*weir_pkg::ThresholdW-1:0] threshold_i,  // T
  input  logic [2*Lanes*weir_pkg::LimitW-1:0] xon_i,
  input  logic [2*Lanes*weir_pkg::LimitW-1:0] xon_offset_i,
  input  logic [2*Lanes-1:0]                  trigger_i,     // 0 on_crossing, 1 on_headroom
  input  logic [2*Lanes-1:0]                  rule_i,        // 0 sai, 1 paper
  output logic [2*Lanes-1:0]                  level_o,       // XOFF after the step; 0 if not valid
  output logic [2*Lanes-1:0]                  changed_o,
  output logic [Ports*8-1:0]                  xoff_o         // level of every PG
);

  localparam int LimitW     = weir_pkg::LimitW;
  localparam int ThresholdW = weir_pkg::ThresholdW;
  localparam int Steps      = 2 * Lanes;

  // What the step asks for; the level itself only enters at the end.
  logic [Steps-1:0] due, resume;
  for (genvar x = 0; x < Steps; x++) begin : gen_step
    logic [LimitW-1:0]   held, xon;
    logic [ThresholdW:0] reach;   // w + xon_offset
    logic                sai, paper;
    assign held      = LimitW'(shared_i[x*CellW +: CellW]);
    assign xon       = xon_i[x*LimitW +: LimitW];
    assign reach     = (ThresholdW+1)'(held) + (ThresholdW+1)'(xon_offset_i[x*LimitW +: LimitW]);
    assign due[x]    = pressed_i[x] || (trigger_i[x] == weir_pkg::XoffOnCrossing && full_i[x] &&
                                        !below_i[x]);
    assign sai       = held <= xon || reach <= {1'b0, threshold_i[x*ThresholdW +: ThresholdW]};
    assign paper     = held < xon || held == '0;
    assign resume[x] = !due[x] && !in_headroom_i[x] &&
                       ((rule_i[x] == weir_pkg::XonPaper) ? paper : sai);
  end

  logic [Ports*8-1:0] xoff_d, xoff_q;
  always_comb begin
    xoff_d    = xoff_q;
    level_o   = '0;
    changed_o = '0;
    for (int x = 0; x < Steps; x++) begin
      if (valid_i[x]) begin
        level_o[x]   = !empty_i[x] && ((x >= Lanes && due[x]) ||
                                       (xoff_d[pg_i[x*RowW +: RowW]] && !resume[x]));
        changed_o[x] = level_o[x] != xoff_d[pg_i[x*RowW +: RowW]];
        xoff_d[pg_i[x*RowW +: RowW]] = level_o[x];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      xoff_q <= '0;
    end else begin
      xoff_q <= xoff_d;
    end
  end

  assign xoff_o = xoff_d;

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Lanes != 1 && Lanes != 2 && Lanes != 4) $fatal(1, "Lanes = %0d: must be 1, 2 or 4", Lanes);
    if (CellW < 1 || CellW > 24) $fatal(1, "CellW = %0d: must be 1 to 24", CellW);
  end

endmodule
