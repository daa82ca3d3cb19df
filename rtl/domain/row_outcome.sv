// SPDX-License-Identifier: Apache-2.0
//
// The steps at the rows of a memory in one cycle, for one outcome of the arrival before them that
// is still being decided: releases in their order, then what the arrivals find. One pipeline under
// both accountings: a queue is a row without headroom, its minimum in the place of private cells.
//
// What the last arrival charges in this outcome comes as addends (charge_i), so that nothing waits
// for its sum.
//
// Units:   cells. A row is {headroom, shared, private}.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, egress_accounting.hpp, as
//          part of them.
// Source:  docs/design/contract.md, 2.
module row_outcome #(
  parameter int Releases = 1,   // of a cycle, 1 and up
  parameter int Arrivals = 1,   // after them, 1 and up
  parameter int CellW    = 17,  // bits of a count of cells
  parameter int LenW     = 8,   // bits of the cells of a packet
  parameter int Steps    = Releases + Arrivals,  // derived: do not override
  parameter int Width    = 3 * CellW,            // derived: do not override
  parameter int AddW     = 3 * LenW              // derived: do not override
) (
  input  logic [Steps*Width-1:0]              row_i,       // what each step finds (row_forward)
  input  logic [Steps-1:0]                    open_i,      // and whether the charge is to be added
  input  logic [AddW-1:0]                     charge_i,
  input  logic [Steps*Steps-1:0]              same_i,      // row_hazards
  input  logic [Releases*LenW-1:0]            rel_cells_i,
  input  logic [Arrivals*LenW-1:0]            arr_cells_i,
  input  logic [Arrivals*weir_pkg::LimitW-1:0] arr_limit_i,  // of the private segment

  // Releases: the row before with its addends, how far it goes (row_release), the row after.
  output logic [Releases*Width-1:0]           found_o,
  output logic [Releases*AddW-1:0]            add_o,
  output logic [Releases-1:0]                 past_headroom_o,
  output logic [Releases-1:0]                 past_shared_o,
  output logic [Releases-1:0]                 error_o,
  output logic [Releases*Width-1:0]           released_o,

  // Arrivals: the row after the releases; room and rest of the private segment (segment_room).
  output logic [Arrivals*Width-1:0]           row_o,
  output logic [Arrivals*weir_pkg::LimitW-1:0] room_o,
  output logic [Arrivals*LenW-1:0]            rest_o
);

  localparam int LimitW = weir_pkg::LimitW;
  // With none at least one, so that the check below is reached and names it.
  localparam int RowsW  = ((Releases > 0) ? Releases : 1) * Width;

  // Rows after the releases before release x, at place x. Split, because a simulator takes a whole
  // vector for a loop.
  logic [(Releases+1)*RowsW-1:0] after /* verilator split_var */;
  assign after[0 +: RowsW] = '0;
  for (genvar x = 0; x < Releases; x++) begin : gen_release
    logic [Releases*Width-1:0] earlier;
    logic [Width-1:0]          row, left;
    logic [AddW-1:0]           add;
    assign earlier = after[x*RowsW +: RowsW];
    always_comb begin
      row = row_i[x*Width +: Width];
      add = charge_i & {AddW{open_i[x]}};
      for (int y = 0; y < x; y++) begin
        if (same_i[x*Steps + y]) begin
          row = earlier[y*Width +: Width];
          add = '0;
        end
      end
    end
    row_release #(.CellW(CellW), .LenW(LenW)) u_release (
      .row_i(row), .add_i(add), .cells_i(rel_cells_i[x*LenW +: LenW]), .row_o(left),
      .past_headroom_o(past_headroom_o[x]), .past_shared_o(past_shared_o[x]), .error_o(error_o[x])
    );
    assign found_o[x*Width +: Width] = row;
    assign add_o[x*AddW +: AddW]     = add;
    for (genvar y = 0; y < Releases; y++) begin : gen_after
      assign after[((x+1)*Releases + y)*Width +: Width] =
          (y == x) ? left : earlier[y*Width +: Width];
    end
  end
  assign released_o = after[Releases*RowsW +: RowsW];

  for (genvar k = 0; k < Arrivals; k++) begin : gen_arrival
    // The row, or what a release in the same cycle found there, and what it takes from it.
    logic [Width-1:0] row, left;
    logic [AddW-1:0]  add;
    logic [LenW-1:0]  gone;
    logic             past, same;
    always_comb begin
      row  = row_i[(Releases+k)*Width +: Width];
      add  = charge_i & {AddW{open_i[Releases+k]}};
      gone = '0;
      past = 1'b0;
      same = 1'b0;
      left = '0;
      for (int y = 0; y < Releases; y++) begin
        if (same_i[(Releases+k)*Steps + y]) begin
          row  = found_o[y*Width +: Width];
          add  = add_o[y*AddW +: AddW];
          gone = rel_cells_i[y*LenW +: LenW];
          past = past_shared_o[y];
          same = 1'b1;
          left = released_o[y*Width +: Width];
        end
      end
    end
    assign row_o[k*Width +: Width] = same ? left : {
        row[2*CellW +: CellW] + CellW'(add[2*LenW +: LenW]),
        row[CellW +: CellW] + CellW'(add[LenW +: LenW]),
        row[0 +: CellW] + CellW'(add[0 +: LenW])};
    segment_room #(.CellW(CellW), .LenW(LenW)) u_room (
      .limit_i(arr_limit_i[k*LimitW +: LimitW]), .cells_i(arr_cells_i[k*LenW +: LenW]),
      .top_i(row[2*CellW +: CellW]), .upper_i(row[CellW +: CellW]), .held_i(row[0 +: CellW]),
      .add_upper_i(add[2*LenW +: LenW] | add[LenW +: LenW]), .add_held_i(add[0 +: LenW]),
      .gone_i(gone), .less_i(past), .room_o(room_o[k*LimitW +: LimitW]),
      .rest_o(rest_o[k*LenW +: LenW])
    );
  end

  initial begin
    if (Releases < 1) $fatal(1, "Releases = %0d: must be 1 or more", Releases);
    if (Arrivals < 1) $fatal(1, "Arrivals = %0d: must be 1 or more", Arrivals);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
