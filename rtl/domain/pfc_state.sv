// SPDX-License-Identifier: Apache-2.0
//
// The XOFF level of every priority group (PG): after each step, XOFF is evaluated first (arrivals
// only), then XON, never while the XOFF condition holds. A PG that holds no cells is never XOFF.
//
// Steps of a cycle are releases in lane order, then arrivals in lane order. T is the threshold
// recomputed after the step; a PG keeps its level where no step is valid. Arrivals at lossy PGs are
// not.
//
// Units:   cells.
// Latency: xoff_o, level_o and changed_o belong to the steps of the same cycle; the levels are
//          registers, xoff_o shows them with the steps applied.
// Memory:  one flip-flop a PG.
// Golden:  systemc/include/weir/core/pfc/pfc_state.hpp, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2; [DSH] for on_headroom and the rule `paper`.
module pfc_state #(
  parameter int Ports = 8,                   // 1 .. MaxPorts
  parameter int Lanes = 1,                   // releases, and arrivals: 1 .. MaxLanes
  parameter int CellW = 17,                  // bits of a count of cells
  parameter int RowW  = $clog2(Ports * 8)    // derived: do not override
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,        // asynchronous, active low
  // Steps x = 0 .. 2*Lanes-1: releases, then arrivals, at [x*W +: W].
  input  logic [2*Lanes-1:0]                  valid_i,       // a step; no arrival at a lossy PG
  input  logic [2*Lanes*RowW-1:0]             pg_i,
  input  logic [2*Lanes-1:0]                  pressed_i,     // a cell went to headroom, or refused
  input  logic [2*Lanes-1:0]                  full_i,        // private segment full
  input  logic [2*Lanes-1:0]                  empty_i,       // holds no cells
  input  logic [2*Lanes*CellW-1:0]            shared_i,      // w
  input  logic [2*Lanes-1:0]                  in_headroom_i, // holds cells in headroom
  input  logic [2*Lanes-1:0]                  below_i,       // w < T
  input  logic [2*Lanes-1:0]                  reached_i,     // w + xon_offset <= T
  input  logic [2*Lanes*weir_pkg::LimitW-1:0] xon_i,
  input  logic [2*Lanes-1:0]                  trigger_i,     // 0 on_crossing, 1 on_headroom
  input  logic [2*Lanes-1:0]                  rule_i,        // 0 sai, 1 paper
  output logic [2*Lanes-1:0]                  level_o,       // XOFF after the step; 0 if not valid
  output logic [2*Lanes-1:0]                  changed_o,
  output logic [Ports*8-1:0]                  xoff_o,        // level of every PG
  output logic [Ports*8-1:0]                  before_o       // before the steps
);

  localparam int LimitW = weir_pkg::LimitW;
  localparam int Steps  = 2 * Lanes;

  // The next level is computed for every result of the comparisons with T, which arrive late; the
  // present level arrives later still and selects.
  logic [Steps-1:0] set, stays, leaves;  // XON becomes XOFF, XOFF remains, XOFF ends
  for (genvar x = 0; x < Steps; x++) begin : gen_step
    logic [LimitW-1:0] held, xon;
    logic              low, paper, holds;
    logic [1:0]        due;     // XOFF condition, by below_i
    logic [1:0]        begins;  // XOFF whatever it was, by below_i
    logic [3:0]        kept;    // not resumed, by {reached_i, below_i}
    logic [3:0]        stay, leave;
    assign held   = LimitW'(shared_i[x*CellW +: CellW]);
    assign xon    = xon_i[x*LimitW +: LimitW];
    assign low    = held <= xon;
    assign paper  = rule_i[x] == weir_pkg::XonPaper;
    assign holds  = valid_i[x] && !empty_i[x];
    assign due[1] = pressed_i[x];
    assign due[0] = pressed_i[x] || (trigger_i[x] == weir_pkg::XoffOnCrossing && full_i[x]);
    assign begins = due & {2{holds && x >= Lanes}};
    for (genvar c = 0; c < 4; c++) begin : gen_case
      assign kept[c]  = due[c % 2] || in_headroom_i[x] ||
                        (paper ? held >= xon && held != '0 : !low && c < 2);
      assign stay[c]  = kept[c] && holds;
      assign leave[c] = valid_i[x] && !stay[c];
    end
    assign set[x]    = below_i[x] ? begins[1] : begins[0];
    assign stays[x]  = reached_i[x] ? (below_i[x] ? stay[3] : stay[2])
                                    : (below_i[x] ? stay[1] : stay[0]);
    assign leaves[x] = reached_i[x] ? (below_i[x] ? leave[3] : leave[2])
                                    : (below_i[x] ? leave[1] : leave[0]);
  end

  logic [Ports*8-1:0] xoff_d, xoff_q;
  always_comb begin
    logic [Ports*8-1:0] here;
    logic               level;
    here      = '0;
    xoff_d    = xoff_q;
    level_o   = '0;
    changed_o = '0;
    level     = 1'b0;
    for (int x = 0; x < Steps; x++) begin
      level = xoff_q[pg_i[x*RowW +: RowW]];
      for (int y = 0; y < Steps; y++) begin
        if (y < x && valid_i[y] && pg_i[y*RowW +: RowW] == pg_i[x*RowW +: RowW]) begin
          level = level_o[y];
        end
      end
      level_o[x]   = level ? stays[x] : set[x];
      changed_o[x] = level ? leaves[x] : set[x];
      if (valid_i[x]) begin
        here                       = '0;
        here[pg_i[x*RowW +: RowW]] = 1'b1;
        xoff_d                     = (xoff_d & ~here) | (here & {(Ports*8){level_o[x]}});
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

  assign xoff_o   = xoff_d;
  assign before_o = xoff_q;

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
