// SPDX-License-Identifier: Apache-2.0
//
// Counters of the ingress side of one memory domain: what every priority group (PG) holds in its
// private, shared and headroom segments, and the sums of every pool.
//
// A cycle of requests is a step in three stages; releases come before arrivals, in lane order:
//
//   t      rows of both kinds are read, and compared with the PGs of the two steps under way
//   t + 1  releases: headroom gives first, then shared, then private. The arrivals of the step
//          before are decided in this same cycle: all that follows from them is worked out for each
//          outcome of the last of them (refused, to shared, to headroom), and chosen at the end
//   t + 2  rows, rest and free cells of the arrivals stand in registers; their placement comes in
//   t + 3  rows and sums after every step of the cycle are out; the memory has them
//
// A row comes from the latest of: the steps before it in its own cycle; those of the step in stage
// t + 2; the rows written last (stage t + 3); the memory.
//
// Units:   cells. A count and a sum of a pool stay below 2^CellW.
// Range:   a placement must fit, as admission sees to. A release of more than the PG holds changes
//          nothing and is told (rel_error_o).
// Latency: as above.
// Memory:  PG rows: 2*Lanes + 1 read ports, 2*Lanes write ports; pools are flip-flops.
// Golden:  systemc/include/weir/core/ingress_accounting.hpp, compared every cycle by tb/lockstep.
// Source:  DESIGN section 2.
module ingress_accounting #(
  parameter int Ports        = 8,                               // 1 .. 4096
  parameter int Lanes        = 1,                               // releases, and arrivals: 1, 2 or 4
  parameter int Pools        = 1,                               // 1 .. 256
  parameter int CellW        = 17,                              // bits of a count of cells, 8 to 24
  parameter int LenW         = 8,                               // bits of the cells of a packet
  parameter int ThresholdLag = 0,                               // cycles by which T sees S late
  parameter int RowW         = $clog2(Ports * 8),               // derived: do not override
  parameter int PoolW        = (Pools > 1) ? $clog2(Pools) : 1  // derived: do not override
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,          // asynchronous, active low
  output logic                              init_done_o,     // memory cleared
  input  logic                              load_i,          // no request yet: free cells follow B
  input  logic [Pools*weir_pkg::LimitW-1:0] pool_shared_i,   // B

  // Cycle t.
  input  logic [Lanes*RowW-1:0]             rel_pg_i,
  input  logic [Lanes*RowW-1:0]             arr_pg_i,

  // Cycle t + 1.
  input  logic [Lanes*LenW-1:0]             rel_cells_i,     // 0 where nothing is freed
  input  logic [Lanes*PoolW-1:0]            rel_pool_i,
  input  logic [Lanes*LenW-1:0]             arr_cells_i,
  input  logic [Lanes*weir_pkg::LimitW-1:0] arr_limit_i,     // phi of the PG

  // Cycle t + 2: before the arrivals of the cycle. The domain adds what earlier lanes charge.
  output logic [Lanes*CellW-1:0]            arr_shared_o,
  output logic [Lanes*CellW-1:0]            arr_headroom_o,
  output logic [Lanes*weir_pkg::LimitW-1:0] arr_room_o,      // phi - private
  output logic [Lanes*LenW-1:0]             arr_private_o,   // what the private segment would take
  output logic [Lanes*LenW-1:0]             arr_rest_o,      // and what is left then
  output logic [Lanes-1:0]                  arr_empty_o,     // the PG holds nothing
  output logic [Pools*weir_pkg::LimitW-1:0] free_o,          // B - S
  output logic [Pools*weir_pkg::LimitW-1:0] seen_o,          // B - S as T sees it with a lag
  output logic [Pools*CellW-1:0]            headroom_sum_o,  // Hp

  // Cycle t + 2: decisions.
  input  logic [Lanes*PoolW-1:0]            chg_pool_i,
  input  logic [Lanes*2-1:0]                chg_to_i,        // 0 refused, 1 to shared, 2 to headroom
  input  logic [Lanes*LenW-1:0]             chg_private_i,   // parts of the packet
  input  logic [Lanes*LenW-1:0]             chg_rest_i,

  // Cycle t + 3: after each step.
  output logic [Lanes-1:0]                  rel_error_o,
  output logic [2*Lanes*CellW-1:0]          held_private_o,  // releases first, then arrivals
  output logic [2*Lanes*CellW-1:0]          held_shared_o,
  output logic [2*Lanes*CellW-1:0]          held_headroom_o,
  output logic [2*Lanes*weir_pkg::LimitW-1:0] held_free_o,   // B - S of the PG's pool
  output logic [Lanes*CellW-1:0]            sum_private_o,   // sums of the pool, arrivals only
  output logic [Lanes*CellW-1:0]            sum_shared_o,
  output logic [Lanes*CellW-1:0]            sum_headroom_o,

  // Cycle t + 2: sums after the step before, for csr.
  output logic [Pools*weir_pkg::LimitW-1:0] end_free_o,
  output logic [Pools*CellW-1:0]            end_headroom_o,
  output logic [Pools*CellW-1:0]            end_private_o,

  // A row for csr, in the cycle after: without the steps under way.
  input  logic [RowW-1:0]                   rd_pg_i,
  output logic [3*CellW-1:0]                rd_row_o         // {headroom, shared, private}
);

  localparam int LimitW   = weir_pkg::LimitW;
  localparam int Steps    = 2 * Lanes;      // of a cycle: releases, then arrivals
  localparam int Width    = 3 * CellW;      // {headroom, shared, private}
  localparam int PoolRowW = LimitW + 2 * CellW;  // {private, headroom, free}
  localparam int SumsW    = Pools * PoolRowW;

  // ---- t: rows are read; who else is under way?
  logic [Steps*RowW-1:0]  pg, pg1_q, pg2_q;  // 1: of the step in t + 1, 2: in t + 2
  logic [Steps*Steps-1:0] same0_d, same1_d, same2_d;
  logic [Steps*Steps-1:0] same_q, before_q, older_q;  // x*Steps + y: x has the PG of y, y of ...
  logic [Steps*Steps-1:0] same2_q;
  logic [Steps*Width-1:0] memory_row;

  assign pg = {arr_pg_i, rel_pg_i};

  always_comb begin
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        same0_d[x*Steps + y] = pg[x*RowW +: RowW] == pg[y*RowW +: RowW];
        same1_d[x*Steps + y] = pg[x*RowW +: RowW] == pg1_q[y*RowW +: RowW];
        same2_d[x*Steps + y] = pg[x*RowW +: RowW] == pg2_q[y*RowW +: RowW];
      end
    end
  end

  // ---- t + 2: charge. Lane k adds to its row as the lanes before have left it.
  logic [Steps*Width-1:0]  row2_q;      // releases: after; arrivals: before
  logic [Lanes*LimitW-1:0] rel_free2_q;
  logic [Lanes-1:0]        rel_error2_q;
  logic [SumsW-1:0]        sums_q;      // before the arrivals
  logic [3*Width-1:0]      last_row;    // of the last lane, by outcome
  logic [3*SumsW-1:0]      last_sums;
  logic [Steps*Width-1:0]  row2_d;      // after
  logic [Lanes*PoolRowW-1:0] charged_sums;
  logic [SumsW-1:0]        sums_end_d;

  function automatic logic [Width-1:0] charged_row(input logic [Width-1:0] held,
                                                   input logic [LenW-1:0] to_private,
                                                   input logic [LenW-1:0] rest, input logic [1:0] to);
    charged_row = held;
    if (to != 2'd0) charged_row[0 +: CellW] = held[0 +: CellW] + CellW'(to_private);
    if (to == 2'd1) charged_row[CellW +: CellW] = held[CellW +: CellW] + CellW'(rest);
    if (to == 2'd2) charged_row[2*CellW +: CellW] = held[2*CellW +: CellW] + CellW'(rest);
  endfunction

  function automatic logic [PoolRowW-1:0] charged_pool(input logic [PoolRowW-1:0] sums,
                                                       input logic [LenW-1:0] to_private,
                                                       input logic [LenW-1:0] rest,
                                                       input logic [1:0] to);
    charged_pool = sums;
    if (to == 2'd1) charged_pool[0 +: LimitW] = sums[0 +: LimitW] - LimitW'(rest);
    if (to == 2'd2) charged_pool[LimitW +: CellW] = sums[LimitW +: CellW] + CellW'(rest);
    if (to != 2'd0) begin
      charged_pool[LimitW+CellW +: CellW] = sums[LimitW+CellW +: CellW] + CellW'(to_private);
    end
  endfunction

  localparam int Last = Lanes - 1;
  logic [1:0] last_to;
  assign last_to = chg_to_i[Last*2 +: 2];

  always_comb begin
    logic [Width-1:0]    row;
    logic [PoolRowW-1:0] pool;
    row2_d       = row2_q;
    last_row     = '0;
    last_sums    = '0;
    charged_sums = '0;
    sums_end_d   = sums_q;
    row          = '0;
    pool         = '0;
    for (int k = 0; k < Lanes; k++) begin
      row = row2_q[(Lanes+k)*Width +: Width];
      for (int j = 0; j < Lanes; j++) begin
        if (j < k && same2_q[(Lanes+k)*Steps + Lanes + j]) row = row2_d[(Lanes+j)*Width +: Width];
      end
      pool = '0;
      for (int p = 0; p < Pools; p++) begin
        if (chg_pool_i[k*PoolW +: PoolW] == PoolW'(p)) pool = sums_end_d[p*PoolRowW +: PoolRowW];
      end
      if (k == Last) begin
        for (int o = 0; o < 3; o++) begin
          last_row[o*Width +: Width] = charged_row(row, chg_private_i[k*LenW +: LenW],
                                                   chg_rest_i[k*LenW +: LenW], 2'(o));
          for (int p = 0; p < Pools; p++) begin
            last_sums[(o*Pools+p)*PoolRowW +: PoolRowW] =
                (chg_pool_i[k*PoolW +: PoolW] == PoolW'(p)) ?
                charged_pool(sums_end_d[p*PoolRowW +: PoolRowW], chg_private_i[k*LenW +: LenW],
                             chg_rest_i[k*LenW +: LenW], 2'(o)) :
                sums_end_d[p*PoolRowW +: PoolRowW];
          end
        end
        sums_end_d = (last_to == 2'd2) ? last_sums[2*SumsW +: SumsW] :
                     (last_to == 2'd1) ? last_sums[SumsW +: SumsW]   : last_sums[0 +: SumsW];
        row        = (last_to == 2'd2) ? last_row[2*Width +: Width]  :
                     (last_to == 2'd1) ? last_row[Width +: Width]    : last_row[0 +: Width];
        for (int p = 0; p < Pools; p++) begin
          if (chg_pool_i[k*PoolW +: PoolW] == PoolW'(p)) pool = sums_end_d[p*PoolRowW +: PoolRowW];
        end
      end else begin
        row  = charged_row(row, chg_private_i[k*LenW +: LenW], chg_rest_i[k*LenW +: LenW],
                           chg_to_i[k*2 +: 2]);
        pool = charged_pool(pool, chg_private_i[k*LenW +: LenW], chg_rest_i[k*LenW +: LenW],
                            chg_to_i[k*2 +: 2]);
        for (int p = 0; p < Pools; p++) begin
          if (chg_pool_i[k*PoolW +: PoolW] == PoolW'(p)) sums_end_d[p*PoolRowW +: PoolRowW] = pool;
        end
      end
      row2_d[(Lanes+k)*Width +: Width]        = row;
      charged_sums[k*PoolRowW +: PoolRowW] = pool;
    end
  end

  // ---- t + 1: release, for each outcome of the last arrival that is being decided.
  logic [Steps*Width-1:0] row3_q;       // rows of the step in t + 3
  logic [Steps*Width-1:0] known;        // rows that do not depend on the last arrival
  always_comb begin
    known = memory_row;
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        if (older_q[x*Steps + y]) known[x*Width +: Width] = row3_q[y*Width +: Width];
      end
      for (int y = 0; y < Steps - 1; y++) begin
        if (before_q[x*Steps + y]) known[x*Width +: Width] = row2_d[y*Width +: Width];
      end
    end
  end

  localparam int ArrW = 2 * LenW + LimitW + 1;                       // {empty, room, rest, private}
  localparam int NextW = Steps*Width + SumsW + Lanes*(LimitW + 1 + ArrW);
  logic [3*NextW-1:0] next;
  logic [NextW-1:0]   next_d;

  for (genvar o = 0; o < 3; o++) begin : gen_outcome
    logic [Steps*Width-1:0]  rows;
    logic [SumsW-1:0]        sums;
    logic [Lanes*LimitW-1:0] frees;
    logic [Lanes-1:0]        errors;
    logic [Lanes*ArrW-1:0]   arrivals;

    always_comb begin
      logic [Width-1:0]  row;
      logic [CellW+1:0]  total, upper;   // all; headroom and shared
      logic [CellW-1:0]  cells, headroom, shared, gone_private;
      logic [LimitW-1:0] room;
      logic [LenW-1:0]   taken;
      logic              error, fits;
      rows         = known;
      sums         = last_sums[o*SumsW +: SumsW];
      frees        = '0;
      errors       = '0;
      arrivals     = '0;
      row          = '0;
      total        = '0;
      upper        = '0;
      cells        = '0;
      headroom     = '0;
      shared       = '0;
      gone_private = '0;
      room         = '0;
      taken        = '0;
      error        = 1'b0;
      fits         = 1'b0;
      for (int x = 0; x < Steps; x++) begin
        row = before_q[x*Steps + Steps - 1] ? last_row[o*Width +: Width]
                                            : known[x*Width +: Width];
        for (int y = 0; y < Lanes; y++) begin
          if (y < x && same_q[x*Steps + y]) row = rows[y*Width +: Width];
        end
        if (x < Lanes) begin
          cells        = CellW'(rel_cells_i[(x%Lanes)*LenW +: LenW]);
          upper        = (CellW+2)'(row[2*CellW +: CellW]) + (CellW+2)'(row[CellW +: CellW]);
          total        = upper + (CellW+2)'(row[0 +: CellW]);
          error        = total < (CellW+2)'(cells);
          errors[x%Lanes] = error;
          headroom     = row[2*CellW +: CellW];
          shared       = row[CellW +: CellW];
          gone_private = '0;
          if (cells <= headroom) begin
            headroom = cells;
            shared   = '0;
          end else if ((CellW+2)'(cells) <= upper) begin
            shared = cells - headroom;
          end else begin
            gone_private = CellW'((CellW+2)'(cells) - upper);
          end
          if (error) begin
            headroom     = '0;
            shared       = '0;
            gone_private = '0;
          end
          row = {row[2*CellW +: CellW] - headroom, row[CellW +: CellW] - shared,
                 row[0 +: CellW] - gone_private};
          for (int p = 0; p < Pools; p++) begin
            if (rel_pool_i[(x%Lanes)*PoolW +: PoolW] == PoolW'(p)) begin
              sums[p*PoolRowW +: LimitW] = sums[p*PoolRowW +: LimitW] + LimitW'(shared);
              sums[p*PoolRowW + LimitW +: CellW] = sums[p*PoolRowW + LimitW +: CellW] - headroom;
              sums[p*PoolRowW + LimitW + CellW +: CellW] =
                  sums[p*PoolRowW + LimitW + CellW +: CellW] - gone_private;
              frees[(x%Lanes)*LimitW +: LimitW] = sums[p*PoolRowW +: LimitW];
            end
          end
        end else begin
          room  = arr_limit_i[(x%Lanes)*LimitW +: LimitW] - LimitW'(row[0 +: CellW]);
          fits  = LimitW'(arr_cells_i[(x%Lanes)*LenW +: LenW]) < room;
          taken = fits ? arr_cells_i[(x%Lanes)*LenW +: LenW] : room[LenW-1:0];
          arrivals[(x%Lanes)*ArrW +: ArrW] =
              {row == '0, room, arr_cells_i[(x%Lanes)*LenW +: LenW] - taken, taken};
        end
        rows[x*Width +: Width] = row;
      end
    end

    assign next[o*NextW +: NextW] = {arrivals, errors, frees, sums, rows};
  end

  assign next_d = (last_to == 2'd2) ? next[2*NextW +: NextW] :
                  (last_to == 2'd1) ? next[NextW +: NextW]   : next[0 +: NextW];

  // ---- Registers
  logic [SumsW-1:0]          sums_load;
  logic [Lanes*ArrW-1:0]     arrivals_q;
  logic [Lanes*PoolRowW-1:0] charged_sums_q;
  logic [Lanes*LimitW-1:0]   rel_free3_q;
  logic [Lanes-1:0]          rel_error3_q;
  logic [Lanes*LimitW-1:0]   pool_limit_q, pool_limit_d;

  always_comb begin
    sums_load    = '0;
    pool_limit_d = '0;
    for (int p = 0; p < Pools; p++) begin
      sums_load[p*PoolRowW +: LimitW] = pool_shared_i[p*LimitW +: LimitW];
      for (int k = 0; k < Lanes; k++) begin
        if (chg_pool_i[k*PoolW +: PoolW] == PoolW'(p)) begin
          pool_limit_d[k*LimitW +: LimitW] = pool_shared_i[p*LimitW +: LimitW];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pg1_q          <= '0;
      pg2_q          <= '0;
      same_q         <= '0;
      before_q       <= '0;
      older_q        <= '0;
      same2_q        <= '0;
      row2_q         <= '0;
      row3_q         <= '0;
      sums_q         <= '0;
      rel_free2_q    <= '0;
      rel_free3_q    <= '0;
      rel_error2_q   <= '0;
      rel_error3_q   <= '0;
      arrivals_q     <= '0;
      charged_sums_q <= '0;
      pool_limit_q   <= '0;
    end else begin
      pg1_q          <= pg;
      pg2_q          <= pg1_q;
      same_q         <= same0_d;
      before_q       <= same1_d;
      older_q        <= same2_d;
      same2_q        <= same_q;
      row3_q         <= row2_d;
      rel_free3_q    <= rel_free2_q;
      rel_error3_q   <= rel_error2_q;
      charged_sums_q <= charged_sums;
      pool_limit_q   <= pool_limit_d;
      {arrivals_q, rel_error2_q, rel_free2_q, sums_q, row2_q} <= next_d;
      if (load_i) sums_q <= sums_load;
    end
  end

  // S at the end of a cycle, late by ThresholdLag cycles. Before the first request, S was 0.
  logic [SumsW-1:0] end_sums_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_sums_q <= '0;
    end else begin
      end_sums_q <= load_i ? sums_load : sums_end_d;
    end
  end
  for (genvar p = 0; p < Pools; p++) begin : gen_pool
    assign free_o[p*LimitW +: LimitW]        = sums_q[p*PoolRowW +: LimitW];
    assign headroom_sum_o[p*CellW +: CellW] = sums_q[p*PoolRowW + LimitW +: CellW];
    assign end_free_o[p*LimitW +: LimitW]   = end_sums_q[p*PoolRowW +: LimitW];
    assign end_headroom_o[p*CellW +: CellW] = end_sums_q[p*PoolRowW + LimitW +: CellW];
    assign end_private_o[p*CellW +: CellW]  = end_sums_q[p*PoolRowW + LimitW + CellW +: CellW];
  end

  if (ThresholdLag == 0) begin : gen_live
    assign seen_o = free_o;
  end else if (ThresholdLag == 1) begin : gen_before
    assign seen_o = end_free_o;
  end else begin : gen_lag
    localparam int Late = (ThresholdLag > 1) ? ThresholdLag - 1 : 1;
    logic [Late*Pools*LimitW-1:0] late_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        late_q <= '0;
      end else if (load_i) begin
        late_q <= {Late{pool_shared_i}};
      end else begin
        late_q <= (Late*Pools*LimitW)'({late_q, end_free_o});
      end
    end
    assign seen_o = late_q[(Late-1)*Pools*LimitW +: Pools*LimitW];
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [ArrW-1:0]     arrival;
    logic [Width-1:0]    row;
    logic [PoolRowW-1:0] sums;
    logic                unused_row;
    assign arrival = arrivals_q[k*ArrW +: ArrW];
    assign row     = row2_q[(Lanes+k)*Width +: Width];
    assign sums    = charged_sums_q[k*PoolRowW +: PoolRowW];
    assign arr_private_o[k*LenW +: LenW]    = arrival[0 +: LenW];
    assign arr_rest_o[k*LenW +: LenW]       = arrival[LenW +: LenW];
    assign arr_room_o[k*LimitW +: LimitW]   = arrival[2*LenW +: LimitW];
    assign arr_empty_o[k]                   = arrival[ArrW-1];
    assign arr_shared_o[k*CellW +: CellW]   = row[CellW +: CellW];
    assign arr_headroom_o[k*CellW +: CellW] = row[2*CellW +: CellW];
    assign unused_row                       = ^row[0 +: CellW];
    assign sum_shared_o[k*CellW +: CellW]   =
        CellW'(pool_limit_q[k*LimitW +: LimitW] - sums[0 +: LimitW]);
    assign sum_headroom_o[k*CellW +: CellW] = sums[LimitW +: CellW];
    assign sum_private_o[k*CellW +: CellW]  = sums[LimitW + CellW +: CellW];
    assign held_free_o[k*LimitW +: LimitW]  = rel_free3_q[k*LimitW +: LimitW];
    assign held_free_o[(Lanes+k)*LimitW +: LimitW] = sums[0 +: LimitW];
  end

  for (genvar x = 0; x < Steps; x++) begin : gen_held
    assign held_private_o[x*CellW +: CellW]  = row3_q[x*Width +: CellW];
    assign held_shared_o[x*CellW +: CellW]   = row3_q[x*Width + CellW +: CellW];
    assign held_headroom_o[x*CellW +: CellW] = row3_q[x*Width + 2*CellW +: CellW];
  end
  assign rel_error_o = rel_error3_q;

  // A row that did not change may be written again: no need to know which step is valid.
  row_memory #(
    .Rows(Ports * 8), .Width(Width), .Reads(Steps + 1), .Writes(Steps)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .init_done_o,
    .rd_row_i  ({rd_pg_i, pg}),
    .rd_data_o ({rd_row_o, memory_row}),
    .wr_valid_i({Steps{1'b1}}),
    .wr_row_i  (pg2_q),
    .wr_data_i (row2_d)
  );

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Lanes != 1 && Lanes != 2 && Lanes != 4) $fatal(1, "Lanes = %0d: must be 1, 2 or 4", Lanes);
    if (Pools < 1 || Pools > 256) $fatal(1, "Pools = %0d: must be 1 to 256", Pools);
    if (CellW < 8 || CellW > 24) $fatal(1, "CellW = %0d: must be 8 to 24", CellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW", LenW);
    if (ThresholdLag < 0) $fatal(1, "ThresholdLag = %0d: must be 0 or more", ThresholdLag);
  end

endmodule
