// SPDX-License-Identifier: Apache-2.0
//
// Marking and early drop of a weir_mmu: an ecn_marker for each port, and what they are asked.
//
// An arrival that WRED may refuse asks in the cycle after its request, before what enters then; one
// that the domains have admitted enters in the cycle of its verdict; the packet that leaves a port
// comes last. So q of a port is that of the packets whose verdict has come and that have not left.
//
//   cycle        t          t+1        t+DropAnswer             t+AdmitLatency    ... +MarkLatency
//   arrival      request    asks       arr_drop_o               enters            arr_mark_o
//   verdict                                                     wred_valid_o
//
// Units:   as in ecn_marker; index of a priority group or queue = port * 8 + number.
// Latency: from t: arr_drop_o DropAnswer, wred_* AdmitLatency; MarkLatency from a verdict to
//          arr_mark_o, from dep_* to dep_mark_o and dep_error_o. clear_i of cycle t forgets the
//          packets that entered, left, or were requested, up to cycle t. A read is answered in two
//          cycles.
// Memory:  that of Ports x ecn_marker.
// Golden:  systemc/include/weir/model/mmu/ecn_marker_unit.hpp; compared by tb/model with core and
//          switch, as a part of weir_mmu.
// Source:  docs/blocks/ecn_marker.md.
module ecn_marking #(
  parameter int Ports        = 8,   // 1 .. MaxPorts
  parameter int Slots        = 1,   // arrivals of a cycle: domains x lanes, 1 .. MaxSlots
  parameter int Copies       = 1,   // queues that one packet may enter: 1 .. MaxCopies
  parameter int Profiles     = 4,   // 1 .. MaxProfiles
  parameter int Drops        = 1,   // 1: arrivals ask, from AdmitLatencyLeastDrops on
  parameter int CellW        = 17,  // bits of the cells of a queue, 1 .. MaxCellW
  parameter int LenW         = 8,   // bits of the cells of a packet, 1 .. CellW
  parameter int ByteW        = 14,  // bits of its length, 1 .. MaxByteW
  parameter int StatW        = 48,  // bits of a counter, ByteW .. MaxStatW
  parameter int AdmitLatency = pipeline_latency_pkg::AdmitLatencyLeastDrops,
  parameter int MarkLatency  = pipeline_latency_pkg::MarkLatencyUsual,
  parameter int RowW         = $clog2(Ports * 8),        // derived: do not override
  parameter int MapW         = $clog2(Profiles + 1)      // derived: do not override
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,  // asynchronous, active low

  // Settings; of a polynomial the upper half, the lower one is 0
  input  logic [Profiles*wred_pkg::ProfileBits-1:0] cfg_profile_i,
  input  logic [Ports*8*MapW-1:0]                   map_i,
  input  logic [Ports*16-1:0]                       polynomial_i,
  input  logic [Ports-1:0]                          load_i,
  input  logic [wred_pkg::StateW-1:0]               seed_i,

  // Requests; slot k at [k*W +: W], copy c of it at [(k*Copies + c)*W +: W]
  input  logic [Slots-1:0]                          arr_valid_i,
  input  logic [Slots-1:0]                          arr_asks_i,     // WRED may refuse it
  input  logic [Slots*RowW-1:0]                     arr_pg_i,
  input  logic [Slots*LenW-1:0]                     arr_cells_i,
  input  logic [Slots*ByteW-1:0]                    arr_bytes_i,
  input  logic [Slots-1:0]                          arr_ect_i,
  input  logic [Slots*Copies*RowW-1:0]              arr_queue_i,    // one that asks: of copy 0
  output logic [Slots-1:0]                          arr_drop_o,

  // Their verdicts
  input  logic [Slots*Copies-1:0]                   taken_i,        // queues that took the packet
  output logic [Slots-1:0]                          wred_valid_o,   // refused here
  output logic [Slots*RowW-1:0]                     wred_pg_o,      // 0 where not refused
  output logic [Slots*Copies-1:0]                   arr_mark_o,

  // The packet that leaves each port
  input  logic [Ports-1:0]                          dep_valid_i,
  input  logic [Ports-1:0]                          dep_sent_i,
  input  logic [Ports*3-1:0]                        dep_queue_i,
  input  logic [Ports*LenW-1:0]                     dep_cells_i,
  input  logic [Ports*ByteW-1:0]                    dep_bytes_i,
  input  logic [Ports-1:0]                          dep_ect_i,
  output logic [Ports-1:0]                          dep_mark_o,
  output logic [Ports-1:0]                          dep_error_o,

  // Counters; the row is steady until the answer
  input  logic                                      clear_i,
  input  logic                                      rd_valid_i,
  input  logic [RowW-1:0]                           rd_row_i,
  input  logic                                      rd_state_i,     // the state of the draws
  input  logic [wred_pkg::FieldW-1:0]               rd_field_i,
  output logic                                      rd_valid_o,
  output logic [63:0]                               rd_data_o
);

  localparam int StateW  = wred_pkg::StateW;
  localparam int Entries = Slots * Copies;
  localparam int Asks    = (Drops == 0) ? 0 : Slots;
  localparam int Packets = Asks + Entries;  // of a cycle, at any port
  localparam int EnterW  = 1 + LenW + ByteW;

  // ---- What enters in this cycle, as it was requested
  logic [Slots*EnterW-1:0]  enter_in, enter;
  logic [Entries*RowW-1:0]  enter_queue;
  for (genvar k = 0; k < Slots; k++) begin : gen_slot
    assign enter_in[k*EnterW +: EnterW] = {arr_ect_i[k], arr_bytes_i[k*ByteW +: ByteW],
                                           arr_cells_i[k*LenW +: LenW]};
  end
  delay_line #(.Width(Slots*EnterW), .Cycles(AdmitLatency)) u_enter (
    .clk_i, .rst_ni, .word_i(enter_in), .word_o(enter)
  );
  delay_line #(.Width(Entries*RowW), .Cycles(AdmitLatency)) u_enter_queue (
    .clk_i, .rst_ni, .word_i(arr_queue_i), .word_o(enter_queue)
  );

  // ---- All packets of a cycle: those that ask, those that enter
  logic [Packets-1:0]       valid, enters, ect;
  logic [Packets*RowW-1:0]  row;
  logic [Packets*LenW-1:0]  cells;
  logic [Packets*ByteW-1:0] bytes;
  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    localparam int At   = Asks + e;
    localparam int From = (e / Copies) * EnterW;
    assign valid[At]                = taken_i[e];
    assign enters[At]               = 1'b1;
    assign ect[At]                  = enter[From + EnterW - 1];
    assign row[At*RowW +: RowW]     = enter_queue[e*RowW +: RowW];
    assign cells[At*LenW +: LenW]   = enter[From +: LenW];
    assign bytes[At*ByteW +: ByteW] = enter[From + LenW +: ByteW];
  end
  if (Drops != 0) begin : gen_asks
    logic [Slots-1:0]      asks_q, ect_q;
    logic [Slots*RowW-1:0] row_d, row_q;
    for (genvar k = 0; k < Slots; k++) begin : gen_ask
      assign row_d[k*RowW +: RowW]   = arr_queue_i[k*Copies*RowW +: RowW];
      assign valid[k]                = asks_q[k];
      assign enters[k]               = 1'b0;
      assign ect[k]                  = ect_q[k];
      assign row[k*RowW +: RowW]     = row_q[k*RowW +: RowW];
      assign cells[k*LenW +: LenW]   = '0;
      assign bytes[k*ByteW +: ByteW] = '0;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        asks_q <= '0;
        ect_q  <= '0;
        row_q  <= '0;
      end else begin
        asks_q <= arr_valid_i & arr_asks_i;
        if (arr_valid_i != '0) begin
          ect_q <= arr_ect_i;
          row_q <= row_d;
        end
      end
    end
  end else begin : gen_no_asks
    logic unused_asks;
    assign unused_asks = &{1'b0, arr_valid_i, arr_asks_i};
  end

  // ---- Clears: a packet is counted two cycles after it entered or left; one that asked, three.
  logic [3:0] clear_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear_q <= '0;
    end else begin
      clear_q <= {clear_q[2:0], clear_i};
    end
  end

  // ---- Ports
  logic [Ports*Packets-1:0]  hits;      // of packet n at port p: n*Ports + p
  logic [Ports-1:0]          marks, errors, answers;
  logic [Ports*64-1:0]       answer;
  logic [Ports*StateW-1:0]   states;
  logic [Packets-1:0]        any_hit;
  logic [Packets:0]          clears;
  if (Drops != 0) begin : gen_late_clear
    assign clears = {{(Entries + 1){clear_q[2]}}, {Slots{clear_q[3]}}};
  end else begin : gen_clear
    assign clears = {(Packets + 1){clear_q[2]}};
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Packets-1:0]   here, hit;
    logic [Packets*3-1:0] number;
    for (genvar n = 0; n < Packets; n++) begin : gen_packet
      assign here[n]           = valid[n] && 32'(row[n*RowW +: RowW]) >> 3 == 32'(p);
      assign number[n*3 +: 3]  = row[n*RowW +: 3];
      assign hits[n*Ports + p] = hit[n];
    end
    ecn_marker #(
      .Domains(Packets), .Lanes(1), .Profiles(Profiles), .CellW(CellW), .LenW(LenW), .ByteW(ByteW),
      .StatW(StatW)
    ) u_marker (
      .clk_i, .rst_ni,
      .cfg_profile_i,
      .map_i         (map_i[p*8*MapW +: 8*MapW]),
      .polynomial_i  ({polynomial_i[p*16 +: 16], 16'd0}),
      .load_i        (load_i[p]),
      .seed_i,
      .arr_valid_i   (here),
      .arr_enters_i  (enters),
      .arr_queue_i   (number),
      .arr_cells_i   (cells),
      .arr_bytes_i   (bytes),
      .arr_ect_i     (ect),
      .arr_lossless_i({Packets{1'b0}}),  // these do not ask
      .arr_hit_o     (hit),
      .dep_valid_i   (dep_valid_i[p]),
      .dep_sent_i    (dep_sent_i[p]),
      .dep_queue_i   (dep_queue_i[p*3 +: 3]),
      .dep_cells_i   (dep_cells_i[p*LenW +: LenW]),
      .dep_bytes_i   (dep_bytes_i[p*ByteW +: ByteW]),
      .dep_ect_i     (dep_ect_i[p]),
      .dep_mark_o    (marks[p]),
      .dep_error_o   (errors[p]),
      .clear_i       (clears),
      .rd_valid_i    (rd_valid_i && 32'(rd_row_i) >> 3 == 32'(p)),
      .rd_queue_i    (rd_row_i[2:0]),
      .rd_field_i,
      .rd_valid_o    (answers[p]),
      .rd_data_o     (answer[p*64 +: 64]),
      .state_o       (states[p*StateW +: StateW])
    );
  end

  // ---- Answers
  for (genvar n = 0; n < Packets; n++) begin : gen_hit
    assign any_hit[n] = |hits[n*Ports +: Ports];
  end
  delay_line #(.Width(Entries), .Cycles(MarkLatency - pipeline_latency_pkg::MarkLatencyLeast))
  u_arr_mark (
    .clk_i, .rst_ni, .word_i(any_hit[Asks +: Entries]), .word_o(arr_mark_o)
  );
  delay_line #(.Width(2*Ports), .Cycles(MarkLatency - pipeline_latency_pkg::MarkLatencyLeast))
  u_dep_mark (
    .clk_i, .rst_ni, .word_i({errors, marks}), .word_o({dep_error_o, dep_mark_o})
  );

  if (Drops != 0) begin : gen_verdict
    localparam int Answer = pipeline_latency_pkg::DropAnswer;
    localparam int Rest = (AdmitLatency > Answer) ? AdmitLatency - Answer : 0;
    logic [Slots*RowW-1:0] pg;
    assign arr_drop_o = any_hit[0 +: Slots];
    delay_line #(.Width(Slots), .Cycles(Rest)) u_wred (
      .clk_i, .rst_ni, .word_i(arr_drop_o), .word_o(wred_valid_o)
    );
    delay_line #(.Width(Slots*RowW), .Cycles(AdmitLatency)) u_pg (
      .clk_i, .rst_ni, .word_i(arr_pg_i), .word_o(pg)
    );
    for (genvar k = 0; k < Slots; k++) begin : gen_pg
      assign wred_pg_o[k*RowW +: RowW] = pg[k*RowW +: RowW] & {RowW{wred_valid_o[k]}};
    end
  end else begin : gen_no_verdict
    logic unused_pg;
    assign unused_pg    = &{1'b0, arr_pg_i, clear_q[3]};
    assign arr_drop_o   = '0;
    assign wred_valid_o = '0;
    assign wred_pg_o    = '0;
  end

  // ---- Reads
  logic              state_d, state_q;
  logic [StateW-1:0] state;
  logic [63:0]       count;
  assign state_d = rd_state_i;
  always_comb begin
    state = '0;
    count = '0;
    if (answers != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (answers[p]) begin
          state = states[p*StateW +: StateW];
          count = answer[p*64 +: 64];
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= 1'b0;
    end else if (rd_valid_i) begin
      state_q <= state_d;
    end
  end
  assign rd_valid_o = answers != '0;
  assign rd_data_o  = state_q ? 64'(state) : count;

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Slots < 1 || Slots > weir_pkg::MaxSlots)
      $fatal(1, "Slots = %0d: must be 1 to %0d", Slots, weir_pkg::MaxSlots);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (Drops != 0 && Drops != 1) $fatal(1, "Drops = %0d: must be 0 or 1", Drops);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
    if (ByteW < 1 || ByteW > weir_pkg::MaxByteW)
      $fatal(1, "ByteW = %0d: must be 1 to %0d", ByteW, weir_pkg::MaxByteW);
    if (StatW < ByteW || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be ByteW to %0d", StatW, weir_pkg::MaxStatW);
    if (AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeast ||
        AdmitLatency > pipeline_latency_pkg::AdmitLatencyGreatest) begin
      $fatal(1, "AdmitLatency = %0d: must be %0d to %0d", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeast, pipeline_latency_pkg::AdmitLatencyGreatest);
    end
    if (Drops == 1 && AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeastDrops) begin
      $fatal(1, "AdmitLatency = %0d: must be %0d or more with Drops", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeastDrops);
    end
    if (MarkLatency < pipeline_latency_pkg::MarkLatencyLeast ||
        MarkLatency > pipeline_latency_pkg::MarkLatencyGreatest) begin
      $fatal(1, "MarkLatency = %0d: must be %0d to %0d", MarkLatency,
             pipeline_latency_pkg::MarkLatencyLeast, pipeline_latency_pkg::MarkLatencyGreatest);
    end
  end

endmodule
