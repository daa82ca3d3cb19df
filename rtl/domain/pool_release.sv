// SPDX-License-Identifier: Apache-2.0
//
// What a release at a row (row_release) does to the sums of its pool. All outcomes are computed in
// parallel and selected late; what the sums have just been charged comes as addends.
//
// Units:   cells. The sums are {private, headroom, free}, free cells being B - S.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, as part of
//          ingress_accounting.
// Source:  docs/design/contract.md, 2.
module pool_release #(
  parameter int CellW = 17,  // bits of a count of cells
  parameter int LenW  = 8,   // bits of the cells of a packet
  parameter int SumsW = weir_pkg::LimitW + 2 * CellW  // derived: do not override
) (
  input  logic [SumsW-1:0]   sums_i,
  input  logic [3*LenW-1:0]  add_i,            // to the sums, as row_add_i to the row
  input  logic [3*CellW-1:0] row_i,            // before the release: {headroom, shared, private}
  input  logic [3*LenW-1:0]  row_add_i,
  input  logic [LenW-1:0]    cells_i,
  input  logic               hit_i,            // the release is of this pool, and no error
  input  logic               past_headroom_i,  // as row_release says
  input  logic               past_shared_i,
  output logic [SumsW-1:0]   sums_o
);

  localparam int LimitW = weir_pkg::LimitW;

  logic [LimitW-1:0] free, sum_headroom, sum_private, add_headroom, add_shared, add_private;
  logic [LimitW-1:0] headroom, shared, row_headroom, row_shared, cells;
  logic              unused_row;
  assign free         = sums_i[0 +: LimitW];
  assign sum_headroom = LimitW'(sums_i[LimitW +: CellW]);
  assign sum_private  = LimitW'(sums_i[LimitW + CellW +: CellW]);
  assign add_private  = LimitW'(add_i[0 +: LenW]);
  assign add_shared   = LimitW'(add_i[LenW +: LenW]);
  assign add_headroom = LimitW'(add_i[2*LenW +: LenW]);
  assign shared       = LimitW'(row_i[CellW +: CellW]);
  assign headroom     = LimitW'(row_i[2*CellW +: CellW]);
  assign row_shared   = LimitW'(row_add_i[LenW +: LenW]);
  assign row_headroom = LimitW'(row_add_i[2*LenW +: LenW]);
  assign cells        = LimitW'(cells_i);
  assign unused_row   = ^{row_i[0 +: CellW], row_add_i[0 +: LenW]};

  // Free cells: what the headroom leaves goes from shared, or all of shared does. Headroom: all
  // cells come from it, or all of it goes. Private: what headroom and shared leave goes.
  logic [LimitW-1:0] free_part, free_all, headroom_part, headroom_all, private_part;
  assign free_part     = cells - headroom - row_headroom + free - add_shared;
  assign private_part  = headroom + shared - cells + (row_headroom | row_shared) + sum_private +
                         add_private;
  // The sums are associated differently on purpose: synthesis would compute a common part with an
  // adder of its own, which lengthens both paths.
  assign free_all      = shared + free - add_shared + row_shared;
  assign headroom_part = add_headroom - cells + sum_headroom;
  assign headroom_all  = sum_headroom - headroom - row_headroom + add_headroom;

  logic [LimitW-1:0] free_same, headroom_same, private_same;
  assign free_same     = free - add_shared;
  assign headroom_same = sum_headroom + add_headroom;
  assign private_same  = sum_private + add_private;

  assign sums_o[0 +: LimitW] = (hit_i && past_shared_i)   ? free_all  :
                               (hit_i && past_headroom_i) ? free_part : free_same;
  assign sums_o[LimitW +: CellW] = !hit_i          ? headroom_same[CellW-1:0] :
                                   past_headroom_i ? headroom_all[CellW-1:0] :
                                                     headroom_part[CellW-1:0];
  assign sums_o[LimitW + CellW +: CellW] =
      (hit_i && past_shared_i) ? private_part[CellW-1:0] : private_same[CellW-1:0];

  if (CellW < LimitW) begin : gen_narrow
    logic unused_high;
    assign unused_high = ^{headroom_same[LimitW-1:CellW], private_same[LimitW-1:CellW],
                           headroom_part[LimitW-1:CellW], headroom_all[LimitW-1:CellW],
                           private_part[LimitW-1:CellW]};
  end

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
