// SPDX-License-Identifier: Apache-2.0
//
// Counters of the lossy egress queues, for the cells of one memory domain: what every queue holds
// in its minimum and in the shared part of its egress pool, and the sums of every pool.
//
// The stages are those of ingress_accounting: a queue of a release or of a copy of an arrival is a
// step. Copies are judged as the queues are before any copy of their packet; they are charged in
// order. What depends on the last arrival of the step before is worked out for both outcomes, the
// charge of its last copy being one more addend.
//
// Units:   cells. A count stays below 2^CellW. S_e may pass B_e: free cells are then negative.
// Range:   unlimited queues are not counted: their cells come in as 0. A release of more than the
//          queue holds changes nothing and is reported (rel_error_o).
// Latency: as ingress_accounting.
// Memory:  queue rows: row_memory of Lanes*(1 + Copies) + 1 reads, one less writes; pools are
//          flip-flops.
// Golden:  systemc/include/weir/core/accounting/egress_accounting.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/design/contract.md, 2.
module egress_accounting #(
  parameter int Ports  = 8,                                      // 1 .. MaxPorts
  parameter int Lanes  = 1,                                      // for each kind: 1 .. MaxLanes
  parameter int Copies = 1,                                      // of a packet: 1 .. MaxCopies
  parameter int Pools  = 1,                                      // egress pools, 1 .. MaxPools
  parameter int CellW  = 17,                                     // bits of a count, 8 to MaxCellW
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
  input  logic [Lanes*LenW-1:0]             arr_cells_i,
  input  logic [Lanes*Copies*weir_pkg::LimitW-1:0] arr_limit_i,  // minimum of the queue

  // Cycle t + 2: before the arrivals of the cycle. The domain adds what earlier lanes charge.
  output logic [Lanes*Copies*CellW-1:0]     arr_shared_o,   // w_q
  output logic [Lanes*Copies*weir_pkg::LimitW-1:0] arr_room_o,  // minimum less what is in it
  output logic [Lanes*Copies*LenW-1:0]      arr_rest_o,     // cells of the packet beyond that
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

  // A row for csr, in the cycle after: with the step that is in t + 2.
  input  logic [RowW-1:0]                   rd_queue_i,
  output logic [2*CellW-1:0]                rd_row_o        // {shared, minimum}
);

  localparam int LimitW = weir_pkg::LimitW;
  localparam int Slots  = Lanes * Copies;
  localparam int Steps  = Lanes + Slots;   // of a cycle: releases, then copies of arrivals
  localparam int Width  = 2 * CellW;       // {shared, minimum}
  localparam int SumsW  = ((Pools > 0) ? Pools : 1) * FreeW;  // 0: stops below, by its name
  localparam int Last   = Lanes - 1;
  localparam int RoomsW = Slots * LimitW;

  // ---- t
  logic [Steps*RowW-1:0]  queue, queue2;           // 2: of the step in t + 2
  logic [Steps*Steps-1:0] same1, previous1, same2;
  logic [Steps*Width-1:0] memory_row;

  assign queue = {arr_queue_i, rel_queue_i};

  row_hazards #(.Steps(Steps), .RowW(RowW)) u_hazards (
    .clk_i, .rst_ni, .row_i(queue), .same_o(same1), .previous_o(previous1),
    .same2_o(same2), .row2_o(queue2)
  );

  // ---- t + 2: charge, for both outcomes of the last lane.
  logic [Lanes*Width-1:0]   rel_row2_q;  // after the releases
  logic [Slots*Width-1:0]   arr_row2_q;  // before the copies
  logic [RoomsW-1:0]        room2_q;     // minimum less what is in it, before
  logic [Slots*LenW-1:0]    rest2_q;     // cells of the packet beyond that
  logic [Lanes-1:0]         rel_error2_q;
  logic [SumsW-1:0]         sums_q;
  logic [2*Slots*Width-1:0] rows2;       // after the copies, by outcome
  logic [2*SumsW-1:0]       sums2;
  logic [2*Width-1:0]       open_row;    // before the charge of the last copy, by outcome
  logic [2*SumsW-1:0]       open_sums;
  logic [2*2*LenW-1:0]      open_charge; // of the last copy: {shared, minimum}
  logic [Steps*Width-1:0]   row2_d;

  for (genvar o = 0; o < 2; o++) begin : gen_charge
    logic [Slots*Width-1:0] rows;
    logic [SumsW-1:0]       sums;
    logic [RoomsW-1:0]      rooms;
    always_comb begin
      logic [Width-1:0]  row;
      logic [LimitW-1:0] room;
      logic [LenW-1:0]   cells, reserved, rest;
      logic              charged;
      rows     = arr_row2_q;
      sums     = sums_q;
      rooms    = room2_q;
      row      = '0;
      room     = '0;
      cells    = '0;
      reserved = '0;
      rest     = '0;
      charged  = 1'b0;
      open_row[o*Width +: Width]        = '0;
      open_sums[o*SumsW +: SumsW]       = '0;
      open_charge[o*2*LenW +: 2*LenW]   = '0;
      for (int s = 0; s < Slots; s++) begin
        row   = arr_row2_q[s*Width +: Width];
        room  = room2_q[s*LimitW +: LimitW];
        cells = chg_cells_i[(s/Copies)*LenW +: LenW];
        rest  = rest2_q[s*LenW +: LenW];
        for (int y = 0; y < Slots; y++) begin
          if (y < s && same2[(Lanes+s)*Steps + Lanes + y]) begin
            row  = rows[y*Width +: Width];
            room = rooms[y*LimitW +: LimitW];
            rest = (LimitW'(cells) < room) ? '0 : cells - LenW'(room);
          end
        end
        charged  = chg_maybe_i[s] && ((s / Copies == Last) ? o == 1 : chg_admit_i[s / Copies]);
        reserved = charged ? ((rest == '0) ? cells : LenW'(room)) : '0;
        rest     = charged ? rest : '0;
        if (s == Slots - 1) begin
          open_row[o*Width +: Width]      = row;
          open_sums[o*SumsW +: SumsW]     = sums;
          open_charge[o*2*LenW +: 2*LenW] = {rest, reserved};
        end
        row      = {row[CellW +: CellW] + CellW'(rest), row[0 +: CellW] + CellW'(reserved)};
        room     = room - LimitW'(reserved);
        for (int p = 0; p < Pools; p++) begin
          if (chg_pool_i[s*PoolW +: PoolW] == PoolW'(p)) begin
            sums[p*FreeW +: FreeW] = sums[p*FreeW +: FreeW] - FreeW'(rest);
          end
        end
        rows[s*Width +: Width]    = row;
        rooms[s*LimitW +: LimitW] = room;
      end
    end
    assign rows2[o*Slots*Width +: Slots*Width] = rows;
    assign sums2[o*SumsW +: SumsW]             = sums;
  end

  assign row2_d = {chg_admit_i[Last] ? rows2[Slots*Width +: Slots*Width] : rows2[0 +: Slots*Width],
                   rel_row2_q};

  // ---- t + 1: releases, then what the copies find, for both outcomes of the last arrival that is
  // being decided. A row has no headroom: shared takes its place, the minimum that of private.
  logic [Slots*Width-1:0] arr_row3_q;
  localparam int AddW   = 2 * LenW;
  localparam int WideW  = 3 * CellW;
  localparam int RestsW = Slots * LenW;
  logic [2*SumsW-1:0]       next_sums;      // after the releases
  logic [2*Lanes*Width-1:0] next_released;  // their rows, those of the copies
  logic [2*Slots*Width-1:0] next_rows;
  logic [2*Lanes-1:0]       next_errors;
  logic [2*RoomsW-1:0]      next_rooms;
  logic [2*RestsW-1:0]      next_rests;
  logic [Slots*LenW-1:0]    copy_cells;
  for (genvar s = 0; s < Slots; s++) begin : gen_cells
    assign copy_cells[s*LenW +: LenW] = arr_cells_i[(s/Copies)*LenW +: LenW];
  end

  for (genvar o = 0; o < 2; o++) begin : gen_outcome
    // Rows as the steps under way leave them; of the last copy, before its charge.
    logic [Steps-1:0]       open;
    logic [Steps*Width-1:0] row2;
    logic [Steps*WideW-1:0] known;
    if (Slots == 1) begin : gen_one
      assign row2 = {open_row[o*Width +: Width], rel_row2_q};
    end else begin : gen_more
      assign row2 = {open_row[o*Width +: Width], rows2[o*Slots*Width +: (Slots-1)*Width],
                     rel_row2_q};
    end
    for (genvar x = 0; x < Steps; x++) begin : gen_known
      row_forward #(.Steps(Steps), .Width(Width)) u_row (
        .memory_i(memory_row[x*Width +: Width]), .previous_i(previous1[x*Steps +: Steps]),
        .previous_rows_i(row2), .row_o(known[x*WideW +: Width])
      );
      assign known[x*WideW + Width +: CellW] = '0;
      assign open[x]                         = previous1[x*Steps + Steps - 1];
    end

    logic [AddW-1:0]         charge;
    logic [Lanes*WideW-1:0]  found, left;  // before and after
    logic [Lanes*3*LenW-1:0] add;
    logic [Lanes-1:0]        past, unused_past;
    logic [Slots*WideW-1:0]  copies_find;
    logic                    unused_headroom;
    assign charge          = open_charge[o*AddW +: AddW];
    assign unused_headroom = ^{found, add, left, copies_find};
    row_outcome #(.Releases(Lanes), .Arrivals(Slots), .CellW(CellW), .LenW(LenW)) u_outcome (
      .row_i(known), .open_i(open), .charge_i({{LenW{1'b0}}, charge}), .same_i(same1),
      .rel_cells_i, .arr_cells_i(copy_cells), .arr_limit_i, .found_o(found), .add_o(add),
      .past_headroom_o(unused_past), .past_shared_o(past), .error_o(next_errors[o*Lanes +: Lanes]),
      .released_o(left), .row_o(copies_find), .room_o(next_rooms[o*RoomsW +: RoomsW]),
      .rest_o(next_rests[o*RestsW +: RestsW])
    );

    // Free cells before release x, at place x.
    logic [(Lanes+1)*SumsW-1:0] sums_at /* verilator split_var */;
    assign sums_at[0 +: SumsW] = open_sums[o*SumsW +: SumsW];
    for (genvar x = 0; x < Lanes; x++) begin : gen_release
      for (genvar p = 0; p < Pools; p++) begin : gen_pool
        logic [FreeW-1:0] free, less, part, all;
        logic             hit;
        assign hit  = rel_pool_i[x*PoolW +: PoolW] == PoolW'(p) && !next_errors[o*Lanes + x];
        assign free = sums_at[x*SumsW + p*FreeW +: FreeW];
        assign less = FreeW'(charge[LenW +: LenW]) &
            {FreeW{x == 0 && chg_pool_i[(Slots-1)*PoolW +: PoolW] == PoolW'(p)}};
        assign part = FreeW'(rel_cells_i[x*LenW +: LenW]) + free - less;
        assign all  = FreeW'(found[x*WideW + CellW +: CellW]) + free - less +
                      FreeW'(add[x*3*LenW + LenW +: LenW]);
        assign sums_at[(x+1)*SumsW + p*FreeW +: FreeW] = !hit ? free - less : past[x] ? all : part;
      end
      assign next_released[(o*Lanes + x)*Width +: Width] = left[x*WideW +: Width];
    end
    assign next_sums[o*SumsW +: SumsW] = sums_at[Lanes*SumsW +: SumsW];
    for (genvar s = 0; s < Slots; s++) begin : gen_copy
      assign next_rows[(o*Slots + s)*Width +: Width] = copies_find[s*WideW +: Width];
    end
  end

  // ---- Registers
  logic [SumsW-1:0]       sums_load, sums_d, end_free_d, end_free_q;
  logic [Lanes-1:0]       rel_error1, rel_error3_q;
  logic [Lanes*Width-1:0] rel_row1;
  logic [Slots*Width-1:0] arr_row1;
  logic [RoomsW-1:0]      room1;
  logic [Slots*LenW-1:0]  rest1;
  logic                   admits;
  assign admits     = chg_admit_i[Last];
  assign sums_d     = load_i ? sums_load :
                      admits ? next_sums[SumsW +: SumsW] : next_sums[0 +: SumsW];
  assign end_free_d = load_i ? sums_load : admits ? sums2[SumsW +: SumsW] : sums2[0 +: SumsW];
  assign rel_row1   = admits ? next_released[Lanes*Width +: Lanes*Width] :
                               next_released[0 +: Lanes*Width];
  assign arr_row1   = admits ? next_rows[Slots*Width +: Slots*Width] : next_rows[0 +: Slots*Width];
  assign rel_error1 = admits ? next_errors[Lanes +: Lanes] : next_errors[0 +: Lanes];
  assign room1      = admits ? next_rooms[RoomsW +: RoomsW] : next_rooms[0 +: RoomsW];
  assign rest1      = admits ? next_rests[RestsW +: RestsW] : next_rests[0 +: RestsW];

  always_comb begin
    for (int p = 0; p < Pools; p++) begin
      sums_load[p*FreeW +: FreeW] = FreeW'(pool_shared_i[p*LimitW +: LimitW]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rel_row2_q   <= '0;
      arr_row2_q   <= '0;
      arr_row3_q   <= '0;
      room2_q      <= '0;
      rest2_q      <= '0;
      sums_q       <= '0;
      rel_error2_q <= '0;
      rel_error3_q <= '0;
      end_free_q   <= '0;
    end else begin
      arr_row3_q   <= row2_d[Lanes*Width +: Slots*Width];
      rel_error3_q <= rel_error2_q;
      rel_row2_q   <= rel_row1;
      arr_row2_q   <= arr_row1;
      rel_error2_q <= rel_error1;
      room2_q      <= room1;
      rest2_q      <= rest1;
      sums_q       <= sums_d;
      end_free_q   <= end_free_d;
    end
  end

  assign arr_room_o  = room2_q;
  assign arr_rest_o  = rest2_q;
  assign free_o      = sums_q;
  assign end_free_o  = end_free_q;
  assign rel_error_o = rel_error3_q;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign arr_shared_o[s*CellW +: CellW]   = arr_row2_q[s*Width + CellW +: CellW];
    assign held_minimum_o[s*CellW +: CellW] = arr_row3_q[s*Width +: CellW];
    assign held_shared_o[s*CellW +: CellW]  = arr_row3_q[s*Width + CellW +: CellW];
  end

  // ---- Steps that change their row write it.
  logic [Lanes-1:0] frees2_d, frees2_q;  // the release is of some cells
  logic [Steps-1:0] writes;
  always_comb begin
    for (int k = 0; k < Lanes; k++) begin
      frees2_d[k] = rel_cells_i[k*LenW +: LenW] != '0;
    end
    writes[0 +: Lanes] = frees2_q;
    for (int s = 0; s < Slots; s++) begin
      writes[Lanes + s] = chg_maybe_i[s] && chg_admit_i[s / Copies];
    end
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
    .rd_row_i  ({rd_queue_i, queue}),
    .rd_data_o ({rd_row_o, memory_row}),
    .wr_valid_i(writes),
    .wr_row_i  (queue2),
    .wr_data_i (row2_d)
  );

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW", LenW);
  end

endmodule
