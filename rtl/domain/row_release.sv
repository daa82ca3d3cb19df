// SPDX-License-Identifier: Apache-2.0
//
// A release at one row: headroom gives first, then shared, then private. What the row has just been
// charged comes as addends, so that nothing waits for its sum.
//
// Units:   cells. The row is {headroom, shared, private}; each sum with its addend below 2^CellW.
// Range:   not both headroom and shared have an addend. A release of more than the row
//          holds changes nothing and is reported.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, as part of
//          ingress_accounting.
// Source:  docs/design/contract.md, 2.
module row_release #(
  parameter int CellW = 17,  // bits of a count of cells
  parameter int LenW  = 8,   // bits of the cells of a packet
  parameter int DiffW = CellW + 3  // derived: do not override
) (
  input  logic [3*CellW-1:0] row_i,
  input  logic [3*LenW-1:0]  add_i,            // to be added to the row
  input  logic [LenW-1:0]    cells_i,
  output logic [3*CellW-1:0] row_o,
  output logic               past_headroom_o,  // more than the headroom goes
  output logic               past_shared_o,    // and more than headroom and shared
  output logic               error_o           // more than all: nothing goes
);

  logic [CellW-1:0] headroom, shared, private_cells;
  logic [LenW-1:0]  add_headroom, add_shared, add_private;
  assign {add_headroom, add_shared, add_private} = add_i;
  assign private_cells = row_i[0 +: CellW];
  assign shared        = row_i[CellW +: CellW];
  assign headroom      = row_i[2*CellW +: CellW];

  // What the headroom, headroom and shared, and all would keep; below 0 when they cannot.
  logic [DiffW-1:0] add_upper, keep_headroom, keep_shared, keep_all;
  assign add_upper     = DiffW'(add_headroom) | DiffW'(add_shared);
  assign keep_headroom = DiffW'(headroom) + DiffW'(add_headroom) - DiffW'(cells_i);
  assign keep_shared   = DiffW'(shared) + DiffW'(headroom) + add_upper - DiffW'(cells_i);
  assign keep_all      = DiffW'(private_cells) + DiffW'(add_private) + DiffW'(shared) +
                         DiffW'(headroom) + add_upper - DiffW'(cells_i);

  logic [CellW-1:0] all_headroom, all_shared, all_private;
  assign all_headroom = headroom + CellW'(add_headroom);
  assign all_shared   = shared + CellW'(add_shared);
  assign all_private  = private_cells + CellW'(add_private);

  assign error_o         = keep_all[DiffW-1];
  assign past_headroom_o = keep_headroom[DiffW-1] && !error_o;
  assign past_shared_o   = keep_shared[DiffW-1] && !error_o;

  logic [CellW-1:0] left_headroom, left_shared, left_private;
  assign left_headroom = keep_headroom[DiffW-1] ? '0 : keep_headroom[CellW-1:0];
  assign left_shared   = keep_shared[DiffW-1]   ? '0 :
                         keep_headroom[DiffW-1] ? keep_shared[CellW-1:0] : all_shared;
  assign left_private  = keep_shared[DiffW-1] ? keep_all[CellW-1:0] : all_private;
  assign row_o         = error_o ? {all_headroom, all_shared, all_private}
                                 : {left_headroom, left_shared, left_private};

  logic unused_keep;
  assign unused_keep = ^{keep_headroom[DiffW-2:CellW], keep_shared[DiffW-2:CellW],
                         keep_all[DiffW-2:CellW]};

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
