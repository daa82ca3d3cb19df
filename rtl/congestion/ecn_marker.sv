// SPDX-License-Identifier: Apache-2.0
//
// Marking and early drop at the eight egress queues of a port: counts the cells that wait in each
// queue with a WRED profile, and answers packets that come, enter and leave.
//
// Packets of a cycle act in their order, the one that leaves last. One that comes asks whether it
// is dropped, and changes nothing; one that was admitted enters, and is perhaps marked; one that
// leaves sees the q after it. Queues without a profile are not looked at.
//
// Units:   cells, bytes; P, draws and slopes count 2^-16. Counters wrap at 2^StatW.
// Range:   a queue holds less than 2^CellW cells; a profile of a queue does not change while cells
//          wait there.
// Latency: an answer to cycle t is in cycle t + 2. A read of cycle t shows what waits before it,
//          and the answers before it; data in cycle t + 2. clear_i of cycle t forgets the answers
//          of cycles before t, of those who have their bit set.
// Memory:  see counter_memory: one of eight rows for each packet that may come, one for the one
//          that leaves. Flip-flops: 8 * CellW for q, 32 for the draws.
// Golden:  systemc/include/weir/core/congestion/ecn_marker.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/blocks/ecn_marker.md; RFC 3168, RFC 7567.
module ecn_marker #(
  parameter int Domains  = 1,                     // from which packets come, 1 .. MaxPackets
  parameter int Lanes    = 1,                     // packets of a domain and cycle: 1 .. MaxLanes
  parameter int Profiles = 4,                     // 1 .. MaxProfiles
  parameter int CellW    = 17,                    // bits of a count of cells, 1 .. MaxCellW
  parameter int LenW     = 8,                     // bits of the cells of a packet, 1 .. CellW
  parameter int ByteW    = 14,                    // bits of a packet's length, 1 .. MaxByteW
  parameter int StatW    = 48,                    // bits of a counter, ByteW .. MaxStatW
  // At least 1, so that the checks below are reached and name what is illegal.
  parameter int Slots    = (Domains > 0) ? Domains * Lanes : 1,          // derived: do not override
  parameter int MapW     = (Profiles > 0) ? $clog2(Profiles + 1) : 1     // derived: do not override
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,  // asynchronous, active low

  // Settings
  input  logic [Profiles*wred_pkg::ProfileBits-1:0] cfg_profile_i,
  input  logic [8*MapW-1:0]                         map_i,  // of each queue: 0 none, k + 1: k
  input  logic [wred_pkg::StateW-1:0]               polynomial_i,  // its highest bit is set
  input  logic                                      load_i,        // the state becomes seed_i
  input  logic [wred_pkg::StateW-1:0]               seed_i,        // not 0

  // Packets that come; slot k at [k*W +: W].
  input  logic [Slots-1:0]                          arr_valid_i,
  input  logic [Slots-1:0]                          arr_enters_i,    // 1: admitted; 0: asks first
  input  logic [Slots*3-1:0]                        arr_queue_i,
  input  logic [Slots*LenW-1:0]                     arr_cells_i,
  input  logic [Slots*ByteW-1:0]                    arr_bytes_i,
  input  logic [Slots-1:0]                          arr_ect_i,
  input  logic [Slots-1:0]                          arr_lossless_i,
  output logic [Slots-1:0]                          arr_hit_o,       // dropped; marked if it enters

  // The packet that leaves
  input  logic                                      dep_valid_i,
  input  logic                                      dep_sent_i,      // 0: discarded, asks nothing
  input  logic [2:0]                                dep_queue_i,
  input  logic [LenW-1:0]                           dep_cells_i,
  input  logic [ByteW-1:0]                          dep_bytes_i,
  input  logic                                      dep_ect_i,
  output logic                                      dep_mark_o,
  output logic                                      dep_error_o,     // more than waits: no change

  // Counters
  input  logic [Slots:0]                            clear_i,  // of each slot; last, who leaves
  input  logic                                      rd_valid_i,
  input  logic [2:0]                                rd_queue_i,
  input  logic [wred_pkg::FieldW-1:0]               rd_field_i,      // wred_pkg Field*
  output logic                                      rd_valid_o,
  output logic [63:0]                               rd_data_o,
  output logic [wred_pkg::StateW-1:0]               state_o          // of the draws
);

  localparam int Steps  = Slots + 1;  // the last one leaves
  localparam int DrawW  = wred_pkg::DrawW;
  localparam int SlopeW = wred_pkg::SlopeW;

  // ---- Stage 0: q, and what is asked
  logic [Steps-1:0]       valid, ect, moves, sure_d, draws_d;
  logic [Steps*3-1:0]     queue;
  logic [Steps*ByteW-1:0] bytes;
  logic [Slots-1:0]       enters;
  logic [Steps*CellW-1:0] after;          // what its queue holds then, of one that moves
  logic [Steps*CellW-1:0] past_min_d;
  logic [Steps*SlopeW-1:0] slope_d;
  logic [Steps*DrawW-1:0] draw_d;
  logic [8*CellW-1:0]     waiting_d, waiting_q;
  logic                   overdrawn;

  assign valid  = {dep_valid_i, arr_valid_i};
  assign queue  = {dep_queue_i, arr_queue_i};
  assign bytes  = {dep_bytes_i, arr_bytes_i};
  assign ect    = {dep_ect_i && dep_sent_i, arr_ect_i};
  assign enters = arr_valid_i & arr_enters_i;

  for (genvar x = 0; x < Steps; x++) begin : gen_step
    logic [CellW-1:0] base, earlier, found, q;
    logic [MapW-1:0]  profile;
    logic             known, asks, comes, entering, lossless;

    // The cells of earlier packets are added up before the row is read: they have few bits.
    always_comb begin
      base    = '0;
      earlier = '0;
      profile = '0;
      if (valid[x]) begin
        base    = waiting_q[queue[x*3 +: 3]*CellW +: CellW];
        profile = map_i[queue[x*3 +: 3]*MapW +: MapW];
        for (int j = 0; j < Slots; j++) begin
          if (j < x && enters[j] && arr_queue_i[j*3 +: 3] == queue[x*3 +: 3]) begin
            earlier = earlier + CellW'(arr_cells_i[j*LenW +: LenW]);
          end
        end
      end
    end
    assign found = base + earlier;
    assign known = profile != '0;
    assign after[x*CellW +: CellW] = (x < Slots) ?
        found + CellW'(arr_cells_i[(x % Slots)*LenW +: LenW]) : found - CellW'(dep_cells_i);

    if (x < Slots) begin : gen_arrival
      assign q        = found;
      assign asks     = known;
      assign moves[x] = known && enters[x];
      assign comes    = !arr_enters_i[x];
      assign entering = arr_enters_i[x];
      assign lossless = arr_lossless_i[x];
    end else begin : gen_departure
      assign overdrawn = known && found < CellW'(dep_cells_i);
      assign q         = after[x*CellW +: CellW];
      assign asks      = known && !overdrawn;
      assign moves[x]  = known && !overdrawn;
      assign comes     = 1'b0;
      assign entering  = 1'b0;
      assign lossless  = 1'b0;
    end

    wred_question #(.Profiles(Profiles), .CellW(CellW)) u_question (
      .profiles_i(cfg_profile_i), .valid_i(asks), .profile_i(profile), .comes_i(comes),
      .enters_i(entering), .ect_i(ect[x]), .lossless_i(lossless), .q_i(q), .sure_o(sure_d[x]),
      .draws_o(draws_d[x]), .past_min_o(past_min_d[x*CellW +: CellW]),
      .slope_o(slope_d[x*SlopeW +: SlopeW])
    );
  end

  // The last packet of a queue knows what the earlier ones have added.
  always_comb begin
    waiting_d = waiting_q;
    for (int x = 0; x < Steps; x++) begin
      if (moves[x]) begin
        waiting_d[queue[x*3 +: 3]*CellW +: CellW] = after[x*CellW +: CellW];
      end
    end
  end

  wred_draws #(.Draws(Steps)) u_draws (
    .clk_i, .rst_ni, .polynomial_i, .load_i, .seed_i, .take_i(draws_d), .draw_o(draw_d), .state_o
  );

  // ---- Stage 1: P, and the answer
  logic [Steps-1:0] sure_q, draws_q, hit_d, hit_q;
  logic             overdrawn_q, error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waiting_q   <= '0;
      sure_q      <= '0;
      draws_q     <= '0;
      hit_q       <= '0;
      overdrawn_q <= 1'b0;
      error_q     <= 1'b0;
    end else begin
      if (moves != '0) waiting_q <= waiting_d;
      sure_q      <= sure_d;
      draws_q     <= draws_d;
      hit_q       <= hit_d;
      overdrawn_q <= overdrawn;
      error_q     <= overdrawn_q;
    end
  end
  assign arr_hit_o   = hit_q[0 +: Slots];
  assign dep_mark_o  = hit_q[Slots];
  assign dep_error_o = error_q;

  // ---- A packet on its way through the stages, and its counters
  logic [Steps*StatW-1:0] marked, marked_bytes;
  logic [Slots*StatW-1:0] dropped;
  for (genvar x = 0; x < Steps; x++) begin : gen_count
    localparam int Fields = (x < Slots) ? 3 : 2;  // one that leaves is not dropped
    logic [CellW-1:0]        past_min_q;
    logic [SlopeW-1:0]       slope_q;
    logic [DrawW-1:0]        draw_q;
    logic [2:0]              queue_q, queue_q2;
    logic [ByteW-1:0]        bytes_q, bytes_q2;
    logic [Fields*ByteW-1:0] amount;
    logic [Fields*StatW-1:0] counts;

    wred_hit #(.CellW(CellW)) u_hit (
      .sure_i(sure_q[x]), .draws_i(draws_q[x]), .past_min_i(past_min_q), .slope_i(slope_q),
      .draw_i(draw_q), .hit_o(hit_d[x])
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        past_min_q <= '0;
        slope_q    <= '0;
        draw_q     <= '0;
        queue_q    <= '0;
        queue_q2   <= '0;
        bytes_q    <= '0;
        bytes_q2   <= '0;
      end else begin
        if (draws_d[x]) begin
          past_min_q <= past_min_d[x*CellW +: CellW];
          slope_q    <= slope_d[x*SlopeW +: SlopeW];
          draw_q     <= draw_d[x*DrawW +: DrawW];
        end
        if (sure_d[x] || draws_d[x]) begin
          queue_q <= queue[x*3 +: 3];
          bytes_q <= bytes[x*ByteW +: ByteW];
        end
        if (hit_d[x]) begin
          queue_q2 <= queue_q;
          bytes_q2 <= bytes_q;
        end
      end
    end

    if (x < Slots) begin : gen_arrival
      logic enters_q, enters_q2;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          enters_q  <= 1'b0;
          enters_q2 <= 1'b0;
        end else begin
          if (sure_d[x] || draws_d[x]) enters_q <= enters[x];
          if (hit_d[x]) enters_q2 <= enters_q;
        end
      end
      assign amount = {ByteW'(!enters_q2), enters_q2 ? bytes_q2 : {ByteW{1'b0}}, ByteW'(enters_q2)};
      assign dropped[x*StatW +: StatW] = counts[(Fields-1)*StatW +: StatW];
    end else begin : gen_departure
      assign amount = {bytes_q2, ByteW'(1)};
    end
    assign marked[x*StatW +: StatW]       = counts[0 +: StatW];
    assign marked_bytes[x*StatW +: StatW] = counts[StatW +: StatW];

    counter_memory #(.Rows(8), .Fields(Fields), .CountW(StatW), .AmountW(ByteW)) u_counts (
      .clk_i, .rst_ni,
      .clear_i(clear_i[x]), .valid_i(hit_q[x]), .row_i(queue_q2), .amount_i(amount),
      .rd_valid_i, .rd_row_i(rd_queue_i), .rd_data_o(counts)
    );
  end

  // ---- Reads
  logic                        read_q, rd_valid_q;
  logic [wred_pkg::FieldW-1:0] field_q;
  logic [CellW-1:0]            shown_d, shown_q;
  logic [StatW-1:0]            count;
  logic [63:0]                 data_d, data_q;

  assign shown_d = waiting_q[rd_queue_i*CellW +: CellW];
  always_comb begin
    count = '0;
    if (read_q) begin
      for (int x = 0; x < Steps; x++) begin
        case (field_q)
          wred_pkg::FieldMarkedPackets: count = count + marked[x*StatW +: StatW];
          wred_pkg::FieldMarkedBytes:   count = count + marked_bytes[x*StatW +: StatW];
          default: if (x < Slots) count = count + dropped[(x%Slots)*StatW +: StatW];
        endcase
      end
    end
  end
  assign data_d     = (field_q == wred_pkg::FieldWaiting) ? 64'(shown_q) : 64'(count);
  assign rd_valid_o = rd_valid_q;
  assign rd_data_o  = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q     <= 1'b0;
      rd_valid_q <= 1'b0;
      field_q    <= '0;
      shown_q    <= '0;
      data_q     <= '0;
    end else begin
      read_q     <= rd_valid_i;
      rd_valid_q <= read_q;
      if (rd_valid_i) begin
        field_q <= rd_field_i;
        shown_q <= shown_d;
      end
      if (read_q) data_q <= data_d;
    end
  end

  initial begin
    if (Domains < 1 || Domains > weir_pkg::MaxPackets)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxPackets);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
    if (ByteW < 1 || ByteW > weir_pkg::MaxByteW)
      $fatal(1, "ByteW = %0d: must be 1 to %0d", ByteW, weir_pkg::MaxByteW);
    if (StatW < ByteW || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be ByteW to %0d", StatW, weir_pkg::MaxStatW);
  end

endmodule
