// SPDX-License-Identifier: Apache-2.0
//
// The ingress admission rules and the queue mask for one packet: private first, the rest to shared
// if w < T and S + rest <= B, else to headroom if it fits eta and the pool, else refused.
//
// Limited queues that refuse a copy leave the mask; with no copy left the packet is refused.
// below_i and queue_below_i are known late: all else is ready for either.
//
// Units:   cells. S + rest <= B comes in as rest <= free (B - S).
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/admission.hpp, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2, steps 1 to 4.
module admission #(
  parameter int Copies = 1,   // queues of a packet: 1 .. MaxCopies
  parameter int CellW  = 17,  // bits of a count of cells
  parameter int LenW   = 8    // bits of the cells of a packet
) (
  input  logic                           valid_i,
  input  logic [LenW-1:0]                rest_i,            // cells that private does not take
  input  logic                           below_i,           // w < T
  input  logic [weir_pkg::LimitW-1:0]    free_i,            // B - S
  input  logic [CellW-1:0]               headroom_i,        // held by the PG
  input  logic [CellW-1:0]               headroom_sum_i,    // Hp
  input  logic [weir_pkg::LimitW-1:0]    headroom_limit_i,  // eta
  input  logic [weir_pkg::LimitW-1:0]    headroom_pool_i,   // H
  input  logic                           dedicated_i,       // no limit H
  input  logic [Copies-1:0]              queue_mask_i,      // queues that the packet names
  input  logic [Copies-1:0]              queue_limited_i,
  input  logic [Copies-1:0]              queue_fits_i,      // the whole packet fits the minimum
  input  logic [Copies-1:0]              queue_below_i,     // w_q < T_q
  output logic [weir_pkg::ReasonW-1:0]   reason_o,
  output logic [1:0]                     to_o,              // where rest goes: weir_pkg::To...
  output logic                           admitted_o,        // valid and admitted
  output logic [Copies-1:0]              queue_accepts_o,   // of the mask, whatever the verdict
  output logic [Copies-1:0]              queue_refused_o    // by its limit
);

  localparam int LimitW = weir_pkg::LimitW;

  logic fits_shared, no_rest, over_limit, over_pool, no_headroom, left, shared, headroom;
  assign no_rest     = rest_i == '0;
  assign fits_shared = LimitW'(rest_i) <= free_i;
  assign no_headroom = headroom_limit_i == '0;
  assign over_limit  =
      (LimitW+1)'(headroom_limit_i) < (LimitW+1)'(headroom_i) + (LimitW+1)'(rest_i);
  assign over_pool   = !dedicated_i && (LimitW+1)'(headroom_pool_i) <
                                       (LimitW+1)'(headroom_sum_i) + (LimitW+1)'(rest_i);

  assign queue_accepts_o = queue_mask_i & (~queue_limited_i | queue_fits_i | queue_below_i) &
                           {Copies{valid_i}};
  assign queue_refused_o = queue_mask_i & {Copies{valid_i}} & ~queue_accepts_o;
  assign left            = |queue_accepts_o;

  assign headroom   = valid_i && !no_headroom && !over_limit && !over_pool;
  assign shared     = no_rest || (below_i && fits_shared);
  assign admitted_o = left && (shared || headroom);
  assign to_o       = {left && !shared && headroom, left && shared};
  assign reason_o   = !valid_i     ? weir_pkg::ReasonAdmitted :
                      !left        ? weir_pkg::ReasonEgressQueue :
                      shared       ? weir_pkg::ReasonAdmitted :
                      no_headroom  ? (below_i ? weir_pkg::ReasonSharedPool :
                                                weir_pkg::ReasonSharedThreshold) :
                      over_limit   ? weir_pkg::ReasonHeadroomLimit :
                      over_pool    ? weir_pkg::ReasonHeadroomPool : weir_pkg::ReasonAdmitted;

  initial begin
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW", LenW);
  end

endmodule
