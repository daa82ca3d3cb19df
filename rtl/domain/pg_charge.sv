// SPDX-License-Identifier: Apache-2.0
//
// What the arrivals of a step charge to their priority groups and pools, lane after lane: each adds
// to its row as the lanes before have left it. Where the last one goes comes late: each of its
// outcomes is ready before it is known which.
//
// Units:   cells. A row is {headroom, shared, private}, the sums of a pool are
//          {private, headroom, free}.
// Range:   what is charged fits, as admission sees to.
// Latency: none.
// Memory:  none.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, as part of
//          ingress_accounting.
// Source:  docs/design/contract.md, 2.
module pg_charge #(
  parameter int Lanes = 1,   // arrivals of a cycle: 1 .. MaxLanes
  parameter int Pools = 1,   // 1 .. MaxPools
  parameter int CellW = 17,  // bits of a count of cells
  parameter int LenW  = 8,   // bits of the cells of a packet
  parameter int PoolW    = (Pools > 1) ? $clog2(Pools) : 1,  // derived: do not override
  parameter int Steps    = 2 * Lanes,                        // derived: do not override
  parameter int Width    = 3 * CellW,                        // derived: do not override
  parameter int PoolRowW = weir_pkg::LimitW + 2 * CellW,     // derived: do not override
  parameter int SumsW    = Pools * PoolRowW                  // derived: do not override
) (
  input  logic [Lanes*Width-1:0]    row_i,        // of the arrivals' PGs, before all of them
  input  logic [SumsW-1:0]          sums_i,
  input  logic [Steps*Steps-1:0]    same_i,       // row_hazards, of the releases first
  input  logic [Lanes*PoolW-1:0]    pool_i,
  input  logic [Lanes*2-1:0]        to_i,         // 0 refused, 1 shared, 2 headroom
  input  logic [Lanes*LenW-1:0]     private_i,    // parts of the packet
  input  logic [Lanes*LenW-1:0]     rest_i,
  output logic [Lanes*Width-1:0]    row_o,        // after each arrival
  output logic [Lanes*PoolRowW-1:0] pool_o,       // of its pool, after it
  output logic [SumsW-1:0]          sums_o,       // after all
  output logic [Width-1:0]          open_row_o,   // before the last arrival
  output logic [SumsW-1:0]          open_sums_o
);

  localparam int LimitW = weir_pkg::LimitW;
  localparam int Last   = Lanes - 1;

  function automatic logic [Width-1:0] charged_row(input logic [Width-1:0] held,
                                                   input logic [LenW-1:0] to_private,
                                                   input logic [LenW-1:0] rest,
                                                   input logic [1:0] to);
    charged_row = held;
    if (to != weir_pkg::ToNone) charged_row[0 +: CellW] = held[0 +: CellW] + CellW'(to_private);
    if (to == weir_pkg::ToShared) charged_row[CellW +: CellW] = held[CellW +: CellW] + CellW'(rest);
    if (to == weir_pkg::ToHeadroom) begin
      charged_row[2*CellW +: CellW] = held[2*CellW +: CellW] + CellW'(rest);
    end
  endfunction

  function automatic logic [PoolRowW-1:0] charged_pool(input logic [PoolRowW-1:0] sums,
                                                       input logic [LenW-1:0] to_private,
                                                       input logic [LenW-1:0] rest,
                                                       input logic [1:0] to);
    charged_pool = sums;
    if (to == weir_pkg::ToShared) charged_pool[0 +: LimitW] = sums[0 +: LimitW] - LimitW'(rest);
    if (to == weir_pkg::ToHeadroom) begin
      charged_pool[LimitW +: CellW] = sums[LimitW +: CellW] + CellW'(rest);
    end
    if (to != weir_pkg::ToNone) begin
      charged_pool[LimitW+CellW +: CellW] = sums[LimitW+CellW +: CellW] + CellW'(to_private);
    end
  endfunction

  // The last lane: each outcome is ready before it is known which.
  logic [1:0]            last_to;
  logic [3*Width-1:0]    last_row;
  logic [3*PoolRowW-1:0] last_pool;
  assign last_to = to_i[Last*2 +: 2];
  always_comb begin
    logic [Width-1:0]    row;
    logic [PoolRowW-1:0] pool;
    row_o       = row_i;
    pool_o      = '0;
    sums_o      = sums_i;
    open_row_o  = '0;
    open_sums_o = '0;
    last_row    = '0;
    last_pool   = '0;
    row         = '0;
    pool        = '0;
    for (int k = 0; k < Lanes; k++) begin
      row = row_i[k*Width +: Width];
      for (int j = 0; j < Lanes; j++) begin
        if (j < k && same_i[(Lanes+k)*Steps + Lanes + j]) row = row_o[j*Width +: Width];
      end
      pool = '0;
      for (int p = 0; p < Pools; p++) begin
        if (pool_i[k*PoolW +: PoolW] == PoolW'(p)) pool = sums_o[p*PoolRowW +: PoolRowW];
      end
      if (k == Last) begin
        open_row_o  = row;
        open_sums_o = sums_o;
        for (int o = 0; o < 3; o++) begin
          last_row[o*Width +: Width] = charged_row(row, private_i[k*LenW +: LenW],
                                                   rest_i[k*LenW +: LenW], 2'(o));
          last_pool[o*PoolRowW +: PoolRowW] = charged_pool(pool, private_i[k*LenW +: LenW],
                                                           rest_i[k*LenW +: LenW], 2'(o));
        end
        row  = last_to[1] ? last_row[2*Width +: Width] :
               last_to[0] ? last_row[Width +: Width]   : last_row[0 +: Width];
        pool = last_to[1] ? last_pool[2*PoolRowW +: PoolRowW] :
               last_to[0] ? last_pool[PoolRowW +: PoolRowW]   : last_pool[0 +: PoolRowW];
      end else begin
        row  = charged_row(row, private_i[k*LenW +: LenW], rest_i[k*LenW +: LenW],
                           to_i[k*2 +: 2]);
        pool = charged_pool(pool, private_i[k*LenW +: LenW], rest_i[k*LenW +: LenW],
                            to_i[k*2 +: 2]);
      end
      for (int p = 0; p < Pools; p++) begin
        if (pool_i[k*PoolW +: PoolW] == PoolW'(p)) sums_o[p*PoolRowW +: PoolRowW] = pool;
      end
      row_o[k*Width +: Width]        = row;
      pool_o[k*PoolRowW +: PoolRowW] = pool;
    end
  end

  initial begin
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
  end

endmodule
