// SPDX-License-Identifier: Apache-2.0
//
// Counters of the ingress side of one memory domain: what every priority group (PG) holds in its
// private, shared and headroom segments, and the sums of every pool.
//
// A cycle of requests is a step in three stages; releases come before arrivals, in lane order:
//
//   t      rows of both kinds are read, and compared with the PGs of the two steps under way
//   t + 1  releases: headroom gives first, then shared, then private (row_release). The arrivals of
//          the step before are decided in this same cycle: all that follows from them is worked out
//          for each outcome of the last of them (refused, to shared, to headroom), its charge being
//          one more addend, and chosen at the end
//   t + 2  rows, rest and free cells of the arrivals are in registers; their placement comes in
//   t + 3  rows and sums after every step of the cycle are out; the memory has them
//
// A row comes from the latest of: the steps before it in its own cycle; those of the step in stage
// t + 2; the memory, which shows what is being written. A step writes its row if it changes it.
//
// Units:   cells. A count and a sum of a pool stay below 2^CellW.
// Range:   a placement must fit, as admission sees to. A release of more than the PG holds changes
//          nothing and is reported (rel_error_o).
// Latency: as above.
// Memory:  PG rows: row_memory of 2*Lanes + 1 reads, 2*Lanes writes; pools are flip-flops.
// Golden:  systemc/include/weir/core/accounting/ingress_accounting.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/design/contract.md, 2.
module ingress_accounting #(
  parameter int Ports        = 8,                               // 1 .. MaxPorts
  parameter int Lanes        = 1,                               // for each kind: 1 .. MaxLanes
  parameter int Pools        = 1,                               // 1 .. MaxPools
  parameter int CellW        = 17,                              // bits of a count, 8 .. MaxCellW
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
  output logic [Lanes*weir_pkg::LimitW-1:0] rel_free_o,      // B - S of the pool after each release
  output logic [Pools*weir_pkg::LimitW-1:0] free_o,          // B - S
  output logic [Pools*weir_pkg::LimitW-1:0] seen_o,          // B - S as T sees it with a lag
  output logic [Pools*CellW-1:0]            headroom_sum_o,  // Hp

  // Cycle t + 2: decisions.
  input  logic [Lanes*PoolW-1:0]            chg_pool_i,
  input  logic [Lanes*2-1:0]                chg_to_i,        // 0 refused, 1 shared, 2 headroom
  input  logic [Lanes*LenW-1:0]             chg_private_i,   // parts of the packet
  input  logic [Lanes*LenW-1:0]             chg_rest_i,

  // Cycle t + 3: after each step.
  output logic [Lanes-1:0]                  rel_error_o,
  output logic [2*Lanes*CellW-1:0]          held_private_o,  // releases first, then arrivals
  output logic [2*Lanes*CellW-1:0]          held_shared_o,
  output logic [2*Lanes*CellW-1:0]          held_headroom_o,
  output logic [Lanes*CellW-1:0]            sum_private_o,   // sums of the pool, arrivals only
  output logic [Lanes*CellW-1:0]            sum_shared_o,
  output logic [Lanes*CellW-1:0]            sum_headroom_o,

  // Cycle t + 2: sums after the step before, for csr.
  output logic [Pools*weir_pkg::LimitW-1:0] end_free_o,
  output logic [Pools*CellW-1:0]            end_headroom_o,
  output logic [Pools*CellW-1:0]            end_private_o,

  // A row for csr, in the cycle after: with the step that is in t + 2.
  input  logic [RowW-1:0]                   rd_pg_i,
  output logic [3*CellW-1:0]                rd_row_o         // {headroom, shared, private}
);

  localparam int LimitW   = weir_pkg::LimitW;
  localparam int Steps    = 2 * Lanes;      // of a cycle: releases, then arrivals
  localparam int Width    = 3 * CellW;      // {headroom, shared, private}
  localparam int PoolRowW = LimitW + 2 * CellW;  // {private, headroom, free}
  localparam int SumsW    = ((Pools > 0) ? Pools : 1) * PoolRowW;  // 0 is refused by name

  // ---- t: rows are read; who else is under way?
  logic [Steps*RowW-1:0]  pg, pg2;           // 2: of the step in t + 2
  logic [Steps*Steps-1:0] same1, previous1, same2;
  logic [Steps*Width-1:0] memory_row;

  assign pg = {arr_pg_i, rel_pg_i};

  row_hazards #(.Steps(Steps), .RowW(RowW)) u_hazards (
    .clk_i, .rst_ni, .row_i(pg), .same_o(same1), .previous_o(previous1),
    .same2_o(same2), .row2_o(pg2)
  );

  // ---- t + 2: charge. Lane k adds to its row as the lanes before have left it.
  logic [Lanes*Width-1:0]  rel_row2_q;  // after the releases
  logic [Lanes*Width-1:0]  arr_row2_q;  // before the arrivals
  logic [Lanes*LimitW-1:0] rel_free2_q;
  logic [Lanes-1:0]        rel_error2_q;
  logic [SumsW-1:0]        sums_q;      // before the arrivals
  logic [Width-1:0]          open_row;    // before the charge of the last lane
  logic [SumsW-1:0]          open_sums;
  logic [Lanes*Width-1:0]    arr_row2_d;  // after the arrivals
  logic [Lanes*PoolRowW-1:0] charged_sums;
  logic [SumsW-1:0]          sums_end_d;
  localparam int Last = Lanes - 1;
  logic [1:0] last_to;
  assign last_to = chg_to_i[Last*2 +: 2];

  pg_charge #(.Lanes(Lanes), .Pools(Pools), .CellW(CellW), .LenW(LenW)) u_charge (
    .row_i(arr_row2_q), .sums_i(sums_q), .same_i(same2), .pool_i(chg_pool_i), .to_i(chg_to_i),
    .private_i(chg_private_i), .rest_i(chg_rest_i), .row_o(arr_row2_d), .pool_o(charged_sums),
    .sums_o(sums_end_d), .open_row_o(open_row), .open_sums_o(open_sums)
  );

  // ---- t + 1: rows. What does not depend on the last arrival that is being decided is known;
  // where it does, the row before its charge is.
  logic [Steps*Width-1:0] row3_q;       // rows of the step in t + 3
  logic [Steps-1:0]       open;         // the charge of the last arrival is to come
  logic [Steps*Width-1:0] row2;         // of the step in t + 2, the last before its charge
  if (Lanes == 1) begin : gen_one
    assign row2 = {open_row, rel_row2_q};
  end else begin : gen_more
    assign row2 = {open_row, arr_row2_d[0 +: Last*Width], rel_row2_q};
  end
  logic [Steps*Width-1:0] known;
  for (genvar x = 0; x < Steps; x++) begin : gen_known
    row_forward #(.Steps(Steps), .Width(Width)) u_row (
      .memory_i(memory_row[x*Width +: Width]), .previous_i(previous1[x*Steps +: Steps]),
      .previous_rows_i(row2), .row_o(known[x*Width +: Width])
    );
    assign open[x] = previous1[x*Steps + Steps - 1];
  end

  // ---- t + 1: releases, then what the arrivals find, for each outcome o, in its place.
  localparam int ArrW = 2 * LenW + LimitW + 1;  // {empty, room, rest, private}
  localparam int AddW = 3 * LenW;               // {headroom, shared, private}
  localparam int RowsW = Lanes * Width;
  logic [3*RowsW-1:0]        released, rows;    // after the releases: their rows, the arrivals'
  logic [3*Lanes-1:0]        errors;
  logic [3*Lanes*LimitW-1:0] frees;
  logic [3*Lanes*ArrW-1:0]   arrivals;
  logic [3*SumsW-1:0]        sums;
  for (genvar o = 0; o < 3; o++) begin : gen_outcome
    logic [AddW-1:0]         charge;            // of the last arrival in this outcome
    logic [RowsW-1:0]        found;
    logic [Lanes*AddW-1:0]   add;
    logic [Lanes-1:0]        past_headroom, past_shared;
    logic [Lanes*LimitW-1:0] rooms;
    logic [Lanes*LenW-1:0]   rests;
    assign charge = {(o == 2) ? chg_rest_i[Last*LenW +: LenW] : {LenW{1'b0}},
                     (o == 1) ? chg_rest_i[Last*LenW +: LenW] : {LenW{1'b0}},
                     (o != 0) ? chg_private_i[Last*LenW +: LenW] : {LenW{1'b0}}};

    row_outcome #(.Releases(Lanes), .Arrivals(Lanes), .CellW(CellW), .LenW(LenW)) u_outcome (
      .row_i(known), .open_i(open), .charge_i(charge), .same_i(same1), .rel_cells_i, .arr_cells_i,
      .arr_limit_i, .found_o(found), .add_o(add), .past_headroom_o(past_headroom),
      .past_shared_o(past_shared), .error_o(errors[o*Lanes +: Lanes]),
      .released_o(released[o*RowsW +: RowsW]), .row_o(rows[o*RowsW +: RowsW]), .room_o(rooms),
      .rest_o(rests)
    );

    // Sums before release x, at place x.
    logic [(Lanes+1)*SumsW-1:0] sums_at /* verilator split_var */;
    assign sums_at[0 +: SumsW] = open_sums;
    for (genvar x = 0; x < Lanes; x++) begin : gen_release
      for (genvar p = 0; p < Pools; p++) begin : gen_sums
        logic [AddW-1:0] pool_add;
        assign pool_add =
            charge & {AddW{x == 0 && chg_pool_i[Last*PoolW +: PoolW] == PoolW'(p)}};
        pool_release #(.CellW(CellW), .LenW(LenW)) u_pool (
          .sums_i(sums_at[x*SumsW + p*PoolRowW +: PoolRowW]), .add_i(pool_add),
          .row_i(found[x*Width +: Width]), .row_add_i(add[x*AddW +: AddW]),
          .cells_i(rel_cells_i[x*LenW +: LenW]),
          .hit_i(rel_pool_i[x*PoolW +: PoolW] == PoolW'(p) && !errors[o*Lanes + x]),
          .past_headroom_i(past_headroom[x]), .past_shared_i(past_shared[x]),
          .sums_o(sums_at[(x+1)*SumsW + p*PoolRowW +: PoolRowW])
        );
      end
      logic [SumsW-1:0]  sums_after;
      logic [LimitW-1:0] free;
      assign sums_after = sums_at[(x+1)*SumsW +: SumsW];
      always_comb begin
        free = '0;
        for (int p = 0; p < Pools; p++) begin
          if (rel_pool_i[x*PoolW +: PoolW] == PoolW'(p)) begin
            free = sums_after[p*PoolRowW +: LimitW];
          end
        end
      end
      assign frees[(o*Lanes + x)*LimitW +: LimitW] = free;
    end
    assign sums[o*SumsW +: SumsW] = sums_at[Lanes*SumsW +: SumsW];

    for (genvar k = 0; k < Lanes; k++) begin : gen_arrival
      logic [LenW-1:0]   rest;
      logic [LimitW-1:0] room;
      assign rest = rests[k*LenW +: LenW];
      assign room = rooms[k*LimitW +: LimitW];
      assign arrivals[(o*Lanes + k)*ArrW +: ArrW] = {
          rows[o*RowsW + k*Width +: Width] == '0, room, rest,
          (rest == '0) ? arr_cells_i[k*LenW +: LenW] : room[LenW-1:0]};
    end
  end

  // ---- Registers
  logic [SumsW-1:0]          sums_load, sums_d;
  logic [Lanes*ArrW-1:0]     arrivals_d, arrivals_q;
  logic [RowsW-1:0]          rel_row1, arr_row1;
  logic [Lanes*LimitW-1:0]   rel_free1;
  logic [Lanes-1:0]          rel_error1;
  logic [Lanes*PoolRowW-1:0] charged_sums_q;
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

  always_comb begin
    sums_d     = load_i ? sums_load : sums[0 +: SumsW];
    arrivals_d = arrivals[0 +: Lanes*ArrW];
    rel_error1 = errors[0 +: Lanes];
    rel_free1  = frees[0 +: Lanes*LimitW];
    arr_row1   = rows[0 +: RowsW];
    rel_row1   = released[0 +: RowsW];
    for (int o = 1; o < 3; o++) begin  // outcome 2 comes last: to headroom
      if (last_to[o - 1]) begin
        sums_d     = load_i ? sums_load : sums[o*SumsW +: SumsW];
        arrivals_d = arrivals[o*Lanes*ArrW +: Lanes*ArrW];
        rel_error1 = errors[o*Lanes +: Lanes];
        rel_free1  = frees[o*Lanes*LimitW +: Lanes*LimitW];
        arr_row1   = rows[o*RowsW +: RowsW];
        rel_row1   = released[o*RowsW +: RowsW];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rel_row2_q     <= '0;
      arr_row2_q     <= '0;
      row3_q         <= '0;
      sums_q         <= '0;
      rel_free2_q    <= '0;
      rel_error2_q   <= '0;
      rel_error3_q   <= '0;
      arrivals_q     <= '0;
      charged_sums_q <= '0;
      pool_limit_q   <= '0;
    end else begin
      row3_q         <= {arr_row2_d, rel_row2_q};
      rel_error3_q   <= rel_error2_q;
      charged_sums_q <= charged_sums;
      pool_limit_q   <= pool_limit_d;
      rel_row2_q     <= rel_row1;
      arr_row2_q     <= arr_row1;
      rel_free2_q    <= rel_free1;
      rel_error2_q   <= rel_error1;
      arrivals_q     <= arrivals_d;
      sums_q         <= sums_d;
    end
  end

  // S at the end of a cycle, late by ThresholdLag cycles. Before the first request, S was 0.
  logic [SumsW-1:0] end_sums_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_sums_q <= '0;
    end else begin
      end_sums_q <= sums_end_d;
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
    logic [PoolRowW-1:0] pool_sums;
    logic                unused_row;
    assign arrival   = arrivals_q[k*ArrW +: ArrW];
    assign row       = arr_row2_q[k*Width +: Width];
    assign pool_sums = charged_sums_q[k*PoolRowW +: PoolRowW];
    assign arr_private_o[k*LenW +: LenW]    = arrival[0 +: LenW];
    assign arr_rest_o[k*LenW +: LenW]       = arrival[LenW +: LenW];
    assign arr_room_o[k*LimitW +: LimitW]   = arrival[2*LenW +: LimitW];
    assign arr_empty_o[k]                   = arrival[ArrW-1];
    assign arr_shared_o[k*CellW +: CellW]   = row[CellW +: CellW];
    assign arr_headroom_o[k*CellW +: CellW] = row[2*CellW +: CellW];
    assign unused_row                       = ^row[0 +: CellW];
    assign sum_shared_o[k*CellW +: CellW]   =
        CellW'(pool_limit_q[k*LimitW +: LimitW] - pool_sums[0 +: LimitW]);
    assign sum_headroom_o[k*CellW +: CellW] = pool_sums[LimitW +: CellW];
    assign sum_private_o[k*CellW +: CellW]  = pool_sums[LimitW + CellW +: CellW];
  end

  for (genvar x = 0; x < Steps; x++) begin : gen_held
    assign held_private_o[x*CellW +: CellW]  = row3_q[x*Width +: CellW];
    assign held_shared_o[x*CellW +: CellW]   = row3_q[x*Width + CellW +: CellW];
    assign held_headroom_o[x*CellW +: CellW] = row3_q[x*Width + 2*CellW +: CellW];
  end
  assign rel_error_o = rel_error3_q;
  assign rel_free_o  = rel_free2_q;

  // ---- Steps that change their row write it.
  logic [Lanes-1:0] frees2_d, frees2_q;  // the release is of some cells
  logic [Steps-1:0] writes;
  always_comb begin
    for (int k = 0; k < Lanes; k++) begin
      frees2_d[k]       = rel_cells_i[k*LenW +: LenW] != '0;
      writes[Lanes + k] = chg_to_i[k*2 +: 2] != weir_pkg::ToNone;
    end
    writes[0 +: Lanes] = frees2_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frees2_q <= '0;
    end else begin
      frees2_q <= frees2_d;
    end
  end
  row_memory #(
    .Rows(Ports * 8), .Width(Width), .Reads(Steps + 1), .Writes(Steps)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .init_done_o,
    .rd_row_i  ({rd_pg_i, pg}),
    .rd_data_o ({rd_row_o, memory_row}),
    .wr_valid_i(writes),
    .wr_row_i  (pg2),
    .wr_data_i ({arr_row2_d, rel_row2_q})
  );

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW", LenW);
    if (ThresholdLag < 0) $fatal(1, "ThresholdLag = %0d: must be 0 or more", ThresholdLag);
  end

endmodule
