// SPDX-License-Identifier: Apache-2.0
//
// Room in the reserved segment of a row, the private cells of a priority group or the minimum of a
// queue, and the cells of a packet that do not fit there. A release in the same cycle may take from
// the segment: both cases are ready before it is known which.
//
// Units:   cells.
// Range:   the segment never holds more than limit_i.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, egress_accounting.hpp, as
//          part of them.
// Source:  docs/design/contract.md, 2.
module segment_room #(
  parameter int CellW = 17,                    // bits of a count of cells
  parameter int LenW  = 8,                     // bits of the cells of a packet
  parameter int MoreW = weir_pkg::LimitW + 2   // derived: do not override
) (
  input  logic [weir_pkg::LimitW-1:0] limit_i,      // of the segment
  input  logic [LenW-1:0]             cells_i,      // of the packet
  input  logic [CellW-1:0]            top_i,        // the row before the release: other segments
  input  logic [CellW-1:0]            upper_i,
  input  logic [CellW-1:0]            held_i,       // and this one
  input  logic [LenW-1:0]             add_upper_i,  // to be added to the others, and to this one
  input  logic [LenW-1:0]             add_held_i,
  input  logic [LenW-1:0]             gone_i,       // cells of the release
  input  logic                        less_i,       // it takes all of the others, the rest here
  output logic [weir_pkg::LimitW-1:0] room_o,       // limit less what is held after the release
  output logic [LenW-1:0]             rest_o        // cells of the packet beyond that
);

  localparam int LimitW = weir_pkg::LimitW;

  logic [MoreW-1:0] limit, packet, top, upper, held, add_upper, add_held, gone;
  assign limit     = MoreW'(limit_i);
  assign packet    = MoreW'(cells_i);
  assign top       = MoreW'(top_i);
  assign upper     = MoreW'(upper_i);
  assign held      = MoreW'(held_i);
  assign add_upper = MoreW'(add_upper_i);
  assign add_held  = MoreW'(add_held_i);
  assign gone      = MoreW'(gone_i);

  // Room and rest, without and with cells gone from here.
  logic [MoreW-1:0] room_same, room_less, rest_same, rest_less, rest;
  logic             unused_room;
  assign room_less = gone - top - upper - held - add_upper - add_held + limit;
  assign rest_less = top + upper + held + add_upper + add_held - gone + packet - limit;
  assign room_same = limit - held - add_held;
  assign rest_same = packet - limit + held + add_held;

  assign room_o = less_i ? room_less[LimitW-1:0] : room_same[LimitW-1:0];
  assign rest   = less_i ? rest_less : rest_same;
  assign rest_o = rest[MoreW-1] ? '0 : rest[LenW-1:0];
  assign unused_room = ^{room_same[MoreW-1:LimitW], room_less[MoreW-1:LimitW], rest[MoreW-2:LenW]};

  initial begin
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
