// SPDX-License-Identifier: Apache-2.0
//
// The last stage of a step of a memory domain: T of each arrival, XOFF of each priority group (PG)
// that the step touches, judged with the S after it, and what the arrivals' cells went to.
//
// Units:   cells; arr_threshold_o saturates at 2^32 - 1.
// Latency: 0; levels are registers of pfc_state.
// Golden:  systemc/include/weir/core/pfc/pfc_state.hpp, as part of weir_domain.
// Source:  docs/design/contract.md, 2 and 3.
module xoff_stage #(
  parameter int Ports = 8,   // 1 .. MaxPorts
  parameter int Lanes = 1,   // 1 .. MaxLanes
  parameter int CellW = 17,  // 8 .. MaxCellW
  parameter int LenW  = 8,   // 1 .. CellW
  parameter int RowW  = $clog2(Ports * 8),  // derived: do not override
  parameter int Steps = 2 * Lanes           // derived: do not override
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,  // asynchronous, active low

  // The steps: releases in lane order, then arrivals.
  input  logic [Lanes-1:0]                      rel_valid_i,
  input  logic [Lanes-1:0]                      rel_error_i,  // of the PG: nothing has changed
  input  logic [Lanes-1:0]                      arr_valid_i,
  input  logic [Steps*RowW-1:0]                 pg_i,
  input  logic [Lanes-1:0]                      arr_lossless_i,
  input  logic [Steps*weir_pkg::AlphaMW-1:0]    slope_m_i,
  input  logic [Steps*weir_pkg::LimitW-1:0]     constant_i,
  input  logic [Steps*weir_pkg::LimitW-1:0]     private_limit_i,
  input  logic [Steps*weir_pkg::LimitW-1:0]     xon_i,
  input  logic [Steps*weir_pkg::LimitW-1:0]     xon_offset_i,
  input  logic [Steps-1:0]                      trigger_i,
  input  logic [Steps-1:0]                      rule_i,

  // What they hold after it, and n * (B - S); of arrivals also before it.
  input  logic [Steps*CellW-1:0]                private_i,
  input  logic [Steps*CellW-1:0]                shared_i,
  input  logic [Steps*CellW-1:0]                headroom_i,
  input  logic [Steps*weir_pkg::ProductW-1:0]   after_i,
  input  logic [Lanes*weir_pkg::ProductW-1:0]   product_i,
  input  logic [Lanes*2-1:0]                    to_i,  // 0 refused, 1 shared, 2 headroom
  input  logic [Lanes*LenW-1:0]                 to_private_i,
  input  logic [Lanes*LenW-1:0]                 rest_i,

  output logic [Lanes*LenW-1:0]                 arr_private_o,
  output logic [Lanes*LenW-1:0]                 arr_shared_o,
  output logic [Lanes*LenW-1:0]                 arr_headroom_o,
  output logic [Lanes*weir_pkg::ThresholdW-1:0] arr_threshold_o,
  output logic [Steps-1:0]                      level_o,
  output logic [Steps-1:0]                      changed_o,
  output logic [Ports*8-1:0]                    xoff_o,
  output logic [Ports*8-1:0]                    xoff_before_o
);

  localparam int LimitW     = weir_pkg::LimitW;
  localparam int AlphaMW    = weir_pkg::AlphaMW;
  localparam int ProductW   = weir_pkg::ProductW;
  localparam int ThresholdW = weir_pkg::ThresholdW;

  logic [Steps-1:0] valid, pressed, full, empty, in_headroom, below, reached;
  for (genvar x = 0; x < Steps; x++) begin : gen_step
    product_reach #(.CellW(CellW)) u_resume (
      .product_i(after_i[x*ProductW +: ProductW]), .slope_m_i(slope_m_i[x*AlphaMW +: AlphaMW]),
      .constant_i(constant_i[x*LimitW +: LimitW]), .held_i(shared_i[x*CellW +: CellW]),
      .plus_i(xon_offset_i[x*LimitW +: LimitW]), .reaches_o(reached[x])
    );
    product_reach #(.CellW(CellW)) u_below (
      .product_i(after_i[x*ProductW +: ProductW]), .slope_m_i(slope_m_i[x*AlphaMW +: AlphaMW]),
      .constant_i(constant_i[x*LimitW +: LimitW]), .held_i(shared_i[x*CellW +: CellW]),
      .plus_i(LimitW'(1)), .reaches_o(below[x])
    );
    assign full[x]        = LimitW'(private_i[x*CellW +: CellW]) ==
                            private_limit_i[x*LimitW +: LimitW];
    assign in_headroom[x] = headroom_i[x*CellW +: CellW] != '0;
    assign empty[x]       = private_i[x*CellW +: CellW] == '0 &&
                            shared_i[x*CellW +: CellW] == '0 && !in_headroom[x];
  end

  // A lossy PG is never XOFF: a release leaves it so.
  assign valid[0 +: Lanes]   = rel_valid_i & ~rel_error_i;
  assign pressed[0 +: Lanes] = '0;
  for (genvar k = 0; k < Lanes; k++) begin : gen_arrival
    logic [1:0] to;
    assign to = to_i[k*2 +: 2];
    threshold_value u_threshold (
      .product_i(product_i[k*ProductW +: ProductW]),
      .slope_m_i(slope_m_i[(Lanes+k)*AlphaMW +: AlphaMW]),
      .constant_i(constant_i[(Lanes+k)*LimitW +: LimitW]),
      .threshold_o(arr_threshold_o[k*ThresholdW +: ThresholdW])
    );
    assign valid[Lanes+k]   = arr_valid_i[k] && arr_lossless_i[k];
    assign pressed[Lanes+k] = to == weir_pkg::ToNone || (to[1] && rest_i[k*LenW +: LenW] != '0);
    assign arr_private_o[k*LenW +: LenW]  = (to != '0) ? to_private_i[k*LenW +: LenW] : '0;
    assign arr_shared_o[k*LenW +: LenW]   = to[0] ? rest_i[k*LenW +: LenW] : '0;
    assign arr_headroom_o[k*LenW +: LenW] = to[1] ? rest_i[k*LenW +: LenW] : '0;
  end

  pfc_state #(.Ports(Ports), .Lanes(Lanes), .CellW(CellW)) u_pfc_state (
    .clk_i, .rst_ni, .valid_i(valid), .pg_i, .pressed_i(pressed), .full_i(full), .empty_i(empty),
    .shared_i, .in_headroom_i(in_headroom), .below_i(below), .reached_i(reached), .xon_i,
    .trigger_i, .rule_i, .level_o, .changed_o, .xoff_o, .before_o(xoff_before_o)
  );

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
