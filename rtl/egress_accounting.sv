// SPDX-License-Identifier: Apache-2.0
//
// Counters of the lossy egress queues, for the cells of one memory domain: what every queue holds in
// its minimum and in the shared part of its egress pool, and the sums of every pool.
//
// The stages are those of ingress_accounting: a queue of a release or of a copy of an arrival is a
// step. Copies are judged as the queues stand before any copy of their packet; they are charged in
// order. What depends on the last arrival of the step before is worked out for both outcomes.
//
// Units:   cells. A count stays below 2^CellW. S_e may pass B_e: free cells are then negative.
// Range:   unlimited queues are not counted: their cells come in as 0. A release of more than the
//          queue holds changes nothing and is told (rel_error_o).
// Latency: as ingress_accounting.
// Memory:  queue rows: Lanes + Lanes*Copies + 1 read ports, Lanes + Lanes*Copies write ports; pools
//          are flip-flops.
// Golden:  systemc/include/weir/core/egress_accounting.hpp, compared every cycle by tb/lockstep.
// Source:  DESIGN section 2.
module egress_accounting #(
  parameter int Ports  = 8,                                      // 1 .. 4096
  parameter int Lanes  = 1,                                      // releases, and arrivals: 1, 2 or 4
  parameter int Copies = 1,                                      // queues of a packet: 1 .. 8
  parameter int Pools  = 1,                                      // egress pools, 1 .. 256
  parameter int CellW  = 17,                                     // bits of a count of cells, 8 to 24
  parameter int LenW   = 8,                                      // bits of the cells of a packet
  parameter int RowW   = $clog2(Ports * 8),                      // derived: do not override
  parameter int PoolW  = (Pools > 1) ? $clog2(Pools) : 1,        // derived: do not override
  parameter int FreeW  = weir_pkg::LimitW + $clog2(Copies) + 2   // derived: do not override
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,         // asynchronous, active low
  output logic                              init_done_o,    // memory cleared
  input  logic                              load_i,         // no request yet: free cells follow B_e
  input  logic [Pools*weir_pkg::LimitW-1:0] pool_shared_i,  // B_e

  // Cycle t. Copy c of lane k at [(k*Copies + c)*W +: W].
  input  logic [Lanes*RowW-1:0]             rel_queue_i,
  input  logic [Lanes*Copies*RowW-1:0]      arr_queue_i,

  // Cycle t + 1.
  input  logic [Lanes*LenW-1:0]             rel_cells_i,    // 0 where nothing is freed
  input  logic [Lanes*PoolW-1:0]            rel_pool_i,
  input  logic [Lanes*Copies*weir_pkg::LimitW-1:0] arr_limit_i,  // minimum of the queue

  // Cycle t + 2: before the arrivals of the cycle. The domain adds what earlier lanes charge.
  output logic [Lanes*Copies*CellW-1:0]     arr_shared_o,   // w_q
  output logic [Lanes*Copies*weir_pkg::LimitW-1:0] arr_room_o,  // minimum less what is in it
  output logic [Pools*FreeW-1:0]            free_o,         // B_e - S_e, signed

  // Cycle t + 2: decisions. A copy is charged where chg_maybe_i and chg_admit_i are set, the latter
  // being known late.
  input  logic [Lanes*Copies*PoolW-1:0]     chg_pool_i,
  input  logic [Lanes*LenW-1:0]             chg_cells_i,
  input  logic [Lanes*Copies-1:0]           chg_maybe_i,
  input  logic [Lanes-1:0]                  chg_admit_i,

  // Cycle t + 3.
  output logic [Lanes-1:0]                  rel_error_o,
  output logic [Lanes*Copies*CellW-1:0]     held_minimum_o, // after the copy
  output logic [Lanes*Copies*CellW-1:0]     held_shared_o,

  // Cycle t + 2: B_e - S_e after the step before, for csr.
  output logic [Pools*FreeW-1:0]            end_free_o,

  // A row for csr, in the cycle after: without the steps under way.
  input  logic [RowW-1:0]                   rd_queue_i,
  output logic [2*CellW-1:0]                rd_row_o        // {shared, minimum}
);

  localparam int LimitW = weir_pkg::LimitW;
  localparam int Slots  = Lanes * Copies;
  localparam int Steps  = Lanes + Slots;   // of a cycle: releases, then copies of arrivals
  localparam int Width  = 2 * CellW;       // {shared, minimum}
  localparam int SumsW  = Pools * FreeW;
  localparam int Last   = Lanes - 1;
  localparam int RoomsW = Slots * LimitW;

  // ---- t
  logic [Steps*RowW-1:0]  queue, queue1_q, queue2_q;
  logic [Steps*Steps-1:0] same0_d, same1_d, same2_d;
  logic [Steps*Steps-1:0] same_q, before_q, older_q;  // x*Steps + y: x has the queue of y, y of ...
  logic [Steps*Steps-1:0] same2_q;
  logic [Steps*Width-1:0] memory_row;

  assign queue = {arr_queue_i, rel_queue_i};

  always_comb begin
    for (int x = 0; x < Steps; x++) begin
      for (int y = 0; y < Steps; y++) begin
        same0_d[x*Steps + y] = queue[x*RowW +: RowW] == queue[y*RowW +: RowW];
        same1_d[x*Steps + y] = queue[x*RowW +: RowW] == queue1_q[y*RowW +: RowW];
        same2_d[x*Steps + y] = queue[x*RowW +: RowW] == queue2_q[y*RowW +: RowW];
      end
    end
  end

  // ---- t + 2: charge, for both outcomes of the last lane.
  logic [Steps*Width-1:0]   row2_q;      // releases: after; copies: before
  logic [RoomsW-1:0]        room2_q;     // minimum less what is in it, before
  logic [Lanes-1:0]         rel_error2_q;
  logic [SumsW-1:0]         sums_q;
  logic [2*Steps*Width-1:0] rows2;       // after, by outcome
  logic [2*SumsW-1:0]       sums2;
  logic [Steps*Width-1:0]   row2_d;

  for (genvar o = 0; o < 2; o++) begin : gen_charge
    logic [Steps*Width-1:0] rows;
    logic [SumsW-1:0]       sums;
    logic [RoomsW-1:0]      rooms;
    always_comb begin
      logic [Width-1:0]  row;
      logic [LimitW-1:0] room;
      logic [LenW-1:0]   cells, reserved, rest;
      logic              charged;
      rows     = row2_q;
      sums     = sums_q;
      rooms    = room2_q;
      row      = '0;
      room     = '0;
      cells    = '0;
      reserved = '0;
      rest     = '0;
      charged  = 1'b0;
      for (int s = 0; s < Slots; s++) begin
        row  = row2_q[(Lanes+s)*Width +: Width];
        room = room2_q[s*LimitW +: LimitW];
        for (int y = 0; y < Slots; y++) begin
          if (y < s && same2_q[(Lanes+s)*Steps + Lanes + y]) begin
            row  = rows[(Lanes+y)*Width +: Width];
            room = rooms[y*LimitW +: LimitW];
          end
        end
        charged  = chg_maybe_i[s] && ((s / Copies == Last) ? o == 1 : chg_admit_i[s / Copies]);
        cells    = charged ? chg_cells_i[(s/Copies)*LenW +: LenW] : '0;
        reserved = (LimitW'(cells) < room) ? cells : LenW'(room);
        rest     = cells - reserved;
        row      = {row[CellW +: CellW] + CellW'(rest), row[0 +: CellW] + CellW'(reserved)};
        room     = room - LimitW'(reserved);
        for (int p = 0; p < Pools; p++) begin
          if (chg_pool_i[s*PoolW +: PoolW] == PoolW'(p)) begin
            sums[p*FreeW +: FreeW] = sums[p*FreeW +: FreeW] - FreeW'(rest);
          end
        end
        rows[(Lanes+s)*Width +: Width] = row;
        rooms[s*LimitW +: LimitW]      = room;
      end
    end
    assign rows2[o*Steps*Width +: Steps*Width] = rows;
    assign sums2[o*SumsW +: SumsW]             = sums;
  end

  assign row2_d = chg_admit_i[Last] ? rows2[Steps*Width +: Steps*Width] : rows2[0 +: Steps*Width];

  // ---- t + 1: release, for both outcomes of the last arrival that is being decided.
  logic [Steps*Width-1:0] row3_q;
  localparam int NextW = Steps*Width + SumsW + Lanes + RoomsW;
  logic [2*NextW-1:0] next;
  logic [NextW-1:0]   next_d;

  for (genvar o = 0; o < 2; o++) begin : gen_outcome
    logic [Steps*Width-1:0] rows;
    logic [SumsW-1:0]       sums;
    logic [Lanes-1:0]       errors;
    logic [RoomsW-1:0]      rooms;

    always_comb begin
      logic [Width-1:0] row;
      logic [CellW-1:0] cells, shared, minimum;
      logic             error;
      rows    = memory_row;
      sums    = sums2[o*SumsW +: SumsW];
      errors  = '0;
      rooms   = '0;
      row     = '0;
      cells   = '0;
      shared  = '0;
      minimum = '0;
      error   = 1'b0;
      for (int x = 0; x < Steps; x++) begin
        row = memory_row[x*Width +: Width];
        for (int y = 0; y < Steps; y++) begin
          if (older_q[x*Steps + y]) row = row3_q[y*Width +: Width];
        end
        for (int y = 0; y < Steps; y++) begin
          if (before_q[x*Steps + y]) row = rows2[(o*Steps + y)*Width +: Width];
        end
        for (int y = 0; y < Lanes; y++) begin
          if (y < x && same_q[x*Steps + y]) row = rows[y*Width +: Width];
        end
        if (x < Lanes) begin
          cells   = CellW'(rel_cells_i[(x%Lanes)*LenW +: LenW]);
          error   = (CellW+1)'(row[0 +: CellW]) + (CellW+1)'(row[CellW +: CellW]) < (CellW+1)'(cells);
          errors[x%Lanes] = error;
          shared  = (cells < row[CellW +: CellW]) ? cells : row[CellW +: CellW];
          minimum = cells - shared;
          if (error) begin
            shared  = '0;
            minimum = '0;
          end
          row = {row[CellW +: CellW] - shared, row[0 +: CellW] - minimum};
          for (int p = 0; p < Pools; p++) begin
            if (rel_pool_i[(x%Lanes)*PoolW +: PoolW] == PoolW'(p)) begin
              sums[p*FreeW +: FreeW] = sums[p*FreeW +: FreeW] + FreeW'(shared);
            end
          end
        end else begin
          rooms[((x+Slots-Lanes)%Slots)*LimitW +: LimitW] =
              arr_limit_i[((x+Slots-Lanes)%Slots)*LimitW +: LimitW] - LimitW'(row[0 +: CellW]);
        end
        rows[x*Width +: Width] = row;
      end
    end

    assign next[o*NextW +: NextW] = {rooms, errors, sums, rows};
  end

  assign next_d = chg_admit_i[Last] ? next[NextW +: NextW] : next[0 +: NextW];

  // ---- Registers
  logic [SumsW-1:0] sums_load, end_free_q;
  logic [Lanes-1:0] rel_error3_q;

  always_comb begin
    for (int p = 0; p < Pools; p++) begin
      sums_load[p*FreeW +: FreeW] = FreeW'(pool_shared_i[p*LimitW +: LimitW]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue1_q     <= '0;
      queue2_q     <= '0;
      same_q       <= '0;
      before_q     <= '0;
      older_q      <= '0;
      same2_q      <= '0;
      row2_q       <= '0;
      row3_q       <= '0;
      room2_q      <= '0;
      sums_q       <= '0;
      rel_error2_q <= '0;
      rel_error3_q <= '0;
      end_free_q   <= '0;
    end else begin
      queue1_q     <= queue;
      queue2_q     <= queue1_q;
      same_q       <= same0_d;
      before_q     <= same1_d;
      older_q      <= same2_d;
      same2_q      <= same_q;
      row3_q       <= row2_d;
      rel_error3_q <= rel_error2_q;
      {room2_q, rel_error2_q, sums_q, row2_q} <= next_d;
      end_free_q   <= chg_admit_i[Last] ? sums2[SumsW +: SumsW] : sums2[0 +: SumsW];
      if (load_i) begin
        sums_q     <= sums_load;
        end_free_q <= sums_load;
      end
    end
  end

  assign arr_room_o  = room2_q;
  assign free_o      = sums_q;
  assign end_free_o  = end_free_q;
  assign rel_error_o = rel_error3_q;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign arr_shared_o[s*CellW +: CellW]   = row2_q[(Lanes+s)*Width + CellW +: CellW];
    assign held_minimum_o[s*CellW +: CellW] = row3_q[(Lanes+s)*Width +: CellW];
    assign held_shared_o[s*CellW +: CellW]  = row3_q[(Lanes+s)*Width + CellW +: CellW];
  end

  // A row that did not change may be written again: no need to know which step is valid.
  row_memory #(
    .Rows(Ports * 8), .Width(Width), .Reads(Steps + 1), .Writes(Steps)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .init_done_o,
    .rd_row_i  ({rd_queue_i, queue}),
    .rd_data_o ({rd_row_o, memory_row}),
    .wr_valid_i({Steps{1'b1}}),
    .wr_row_i  (queue2_q),
    .wr_data_i (row2_d)
  );

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Lanes != 1 && Lanes != 2 && Lanes != 4) $fatal(1, "Lanes = %0d: must be 1, 2 or 4", Lanes);
    if (Copies < 1 || Copies > 8) $fatal(1, "Copies = %0d: must be 1 to 8", Copies);
    if (Pools < 1 || Pools > 256) $fatal(1, "Pools = %0d: must be 1 to 256", Pools);
    if (CellW < 8 || CellW > 24) $fatal(1, "CellW = %0d: must be 8 to 24", CellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW", LenW);
  end

endmodule
