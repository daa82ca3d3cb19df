// SPDX-License-Identifier: Apache-2.0
//
// Which PFC frame a port owes its peer, and when: remembers what was last sent, no more.
//
// A frame says `quanta` for the classes in XOFF and 0 for those that are XON but were last sent
// another value. It is built from the levels of the cycle in which the MAC starts it, so a class
// that went XOFF and back while the MAC was busy costs nothing. The refresh timer is a register of
// quanta x 2^15, half of the quanta, that loses step_i a clock edge.
//
// Which steps of this cycle turn a level comes last of all in the cycle: what is owed is worked out
// from the levels before them, and a turn inverts the classes of its priority group.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and
//          speed.
// Latency: a level is part of a frame started in the same cycle. request_o rises PfcLatency cycles
//          after a turn, and ceil(quanta x 2^15 / step_i) cycles after a start whose frame said
//          XOFF. The frame's first beat is valid in the cycle after start_i.
// Golden:  systemc/include/weir/core/pfc/pfc_generator.hpp (build, refresh) and pfc_frame.hpp
//          (octets), compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_generator #(
  parameter int Steps       = 2,   // of a cycle, that may turn a level: 1 .. 2048
  parameter int PfcLatency  = pipeline_latency_pkg::PfcLatencyUsual,  // from a turn to request_o
  parameter int AxisW       = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int FcsInStream = 1    // 1: the frame is 64 octets; 0: 60, the MAC appends the FCS
) (
  input  logic               clk_i,
  input  logic               rst_ni,         // asynchronous, active low

  // Levels of the priority groups (PGs) of the port: before the verdicts of this cycle, and what
  // these do to them. A PG that is turned twice is what it was, and yet has changed.
  input  logic [7:0]         xoff_i,
  input  logic [Steps-1:0]   turn_i,         // the step turned the level of a PG of this port
  input  logic [Steps*3-1:0] turn_pg_i,      // its number
  input  logic [8*3-1:0]     pg_of_class_i,  // number of the PG of each class

  // Configuration; source_i and step_i are static
  input  logic [15:0]        quanta_i,       // 1 .. 65535, of the frames from now on
  input  logic [31:0]        step_i,         // >= 1
  input  logic [47:0]        source_i,       // station address, first octet in [47:40]

  // Transmitting MAC
  output logic               request_o,      // a frame is owed
  input  logic               start_i,        // starts now; counts with request_o, ready
  output logic               start_ready_o,  // 0: beats of the frame before are here
  output logic               start_sends_o,  // it has something to say

  // The frame, octet n of a beat in [8n+7:8n]
  output logic [AxisW-1:0]   m_axis_pfc_tdata_o,
  output logic [AxisW/8-1:0] m_axis_pfc_tkeep_o,
  output logic               m_axis_pfc_tvalid_o,
  input  logic               m_axis_pfc_tready_i,
  output logic               m_axis_pfc_tlast_o
);

  localparam int Beats     = 512 / AxisW;
  localparam int BeatW     = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int KeepW     = AxisW / 8;
  localparam logic [KeepW-1:0] FullBeat = '1;
  localparam int TimerW    = 31;         // half of the quanta: 16 bits, 15 after the point
  localparam int FcsOctets = 4;
  localparam int FcsAt     = 480;        // bits of the frame before its FCS
  localparam int FieldAt   = 6*8;        // source address, type, opcode, vector and times
  localparam int FieldW    = 28*8;       // all after them is 0

  localparam logic [47:0] Address       = 48'h01_00_00_c2_80_01;  // 01-80-C2-00-00-01
  localparam logic [31:0] TypeAndOpcode = 32'h01_01_08_88;        // 0x8808, 0x0101
  localparam logic [31:0] FcsPolynomial = 32'hedb8_8320;          // first bit on the wire is lowest

  // Part j, bit n: bit n of the fields counts for bit j of the FCS. So each is one XOR tree.
  function automatic logic [32*FieldW-1:0] fcs_columns(input logic [31:0] polynomial);
    logic [31:0] row;
    fcs_columns = '0;
    row = polynomial;
    for (int n = FcsAt - 1; n >= FieldAt; n--) begin
      if (n < FieldAt + FieldW) begin
        for (int j = 0; j < 32; j++) fcs_columns[j*FieldW + n - FieldAt] = row[j];
      end
      row = (row >> 1) ^ (row[0] ? polynomial : 32'b0);
    end
  endfunction

  // The FCS of a frame whose fields are 0.
  function automatic logic [31:0] fcs_of_constants(input logic [31:0] polynomial);
    fcs_of_constants = '1;
    for (int n = 0; n < FcsAt; n++) begin
      if (n < 48) fcs_of_constants[0] = fcs_of_constants[0] ^ Address[n];
      fcs_of_constants = (fcs_of_constants >> 1) ^ (fcs_of_constants[0] ? polynomial : 32'b0);
    end
    fcs_of_constants = ~fcs_of_constants;
  endfunction

  localparam logic [32*FieldW-1:0] FcsColumn      = fcs_columns(FcsPolynomial);
  localparam logic [31:0]          FcsOfConstants = fcs_of_constants(FcsPolynomial);

  // ---- What is owed ----
  logic              changed;                           // some level of the port, even if twice
  logic              check, refresh, look, may_start;
  logic              differs;                           // from what was last sent
  logic              requested_d, requested_q;
  logic              telling_d, telling_q;              // the last frame said XOFF
  logic              runs_d, runs_q;                    // the timer is not 0
  logic [TimerW-1:0] half, timer_d, timer_q;
  logic [7:0]        sent_d, sent_q;                    // classes that were last sent XOFF

  assign changed = turn_i != '0;

  if (PfcLatency < 1) begin : gen_check_now
    assign check = changed;
  end else begin : gen_check_later
    logic [PfcLatency-1:0] changed_q;
    assign check = changed_q[PfcLatency-1];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        changed_q <= '0;
      end else begin
        changed_q <= PfcLatency'({changed_q, changed});
      end
    end
  end

  // may_start does not wait for the turns and serves where a start without a request would change
  // nothing: the classes are then those that were last sent, and no frame comes.
  assign refresh   = telling_q && !runs_q;
  assign look      = check || requested_q || refresh;
  assign may_start = look && start_i && start_ready_o;

  logic [7:0]         levels;   // of the classes, before the turns
  logic [Steps*8-1:0] same;     // classes of the number of the step's PG
  logic [7:0]         flips, classes;

  // A port that owes nothing has nothing to look at: the guard saves simulation time.
  always_comb begin
    levels = '0;
    same   = '0;
    if (look) begin
      for (int n = 0; n < 8; n++) begin
        levels[n] = xoff_i[pg_of_class_i[3*n +: 3]];
        for (int s = 0; s < Steps; s++) begin
          same[8*s + n] = turn_pg_i[3*s +: 3] == pg_of_class_i[3*n +: 3];
        end
      end
    end
  end

  // Computed unconditionally: an enable here would add a logic level after the turns.
  always_comb begin
    flips = '0;
    for (int s = 0; s < Steps; s++) begin
      if (turn_i[s]) flips = flips ^ same[8*s +: 8];
    end
  end
  assign classes = levels ^ flips;
  assign differs = look && ((levels ^ sent_q) ^ flips) != '0;

  assign request_o     = requested_q || refresh || differs;
  assign start_sends_o = (requested_q && telling_q) || refresh || differs;

  assign half = {quanta_i, 15'b0};

  always_comb begin
    requested_d = !may_start && (requested_q || (check && differs));
    telling_d   = telling_q;
    sent_d      = sent_q;
    runs_d      = runs_q;
    timer_d     = timer_q;
    if (runs_q) begin
      runs_d  = 32'(timer_q) > step_i;
      timer_d = runs_d ? timer_q - step_i[TimerW-1:0] : '0;
    end
    if (may_start) begin
      sent_d    = classes;
      telling_d = classes != '0;
    end
    if (may_start && request_o) begin
      runs_d  = 32'(half) > step_i;
      timer_d = runs_d ? half - step_i[TimerW-1:0] : '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      requested_q <= 1'b0;
      telling_q   <= 1'b0;
      runs_q      <= 1'b0;
      sent_q      <= '0;
      timer_q     <= '0;
    end else if (look || runs_q) begin
      requested_q <= requested_d;
      telling_q   <= telling_d;
      runs_q      <= runs_d;
      sent_q      <= sent_d;
      timer_q     <= timer_d;
    end
  end

  // ---- The frame that is being sent ----
  logic             valid_d, valid_q, last_beat;
  logic [BeatW-1:0] beat_d, beat_q;
  logic [7:0]       enable_d, enable_q, xoff_q;
  logic [15:0]      quanta_q;

  assign last_beat     = Beats == 1 || beat_q == BeatW'(Beats - 1);
  assign start_ready_o = !valid_q || (m_axis_pfc_tready_i && last_beat);
  assign enable_d      = sent_q | classes;

  always_comb begin
    valid_d = valid_q;
    beat_d  = beat_q;
    if (valid_q && m_axis_pfc_tready_i) begin
      valid_d = !last_beat;
      beat_d  = last_beat ? '0 : beat_q + 1'b1;
    end
    if (may_start) valid_d = start_sends_o;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      beat_q   <= '0;
      enable_q <= '0;
      xoff_q   <= '0;
      quanta_q <= '0;
    end else begin
      valid_q <= valid_d;
      beat_q  <= beat_d;
      if (may_start) begin
        enable_q <= enable_d;
        xoff_q   <= classes;
        quanta_q <= quanta_i;
      end
    end
  end

  // Pieces of the frame as they lie in it
  logic [47:0]       source;
  logic [127:0]      times;
  logic [FieldW-1:0] fields;  // source address to times
  logic [31:0]       fcs;     // in the last beat of a frame, where the stream has it
  logic [511:0]      frame;   // as on the wire; padding is 0

  assign source = {source_i[7:0], source_i[15:8], source_i[23:16],
                   source_i[31:24], source_i[39:32], source_i[47:40]};

  always_comb begin
    times              = '0;
    fields             = '0;
    fcs                = '0;
    frame              = '0;
    m_axis_pfc_tdata_o = '0;
    if (valid_q) begin
      for (int n = 0; n < 8; n++) begin
        if (xoff_q[n]) times[16*n +: 16] = {quanta_q[7:0], quanta_q[15:8]};
      end
      fields = {times, enable_q, 8'b0, TypeAndOpcode, source};
      if (FcsInStream == 1 && last_beat) begin
        for (int j = 0; j < 32; j++) begin
          fcs[j] = FcsOfConstants[j] ^ (^(fields & FcsColumn[j*FieldW +: FieldW]));
        end
      end
      frame = {fcs, {(FcsAt - FieldAt - FieldW){1'b0}}, fields, Address};
      m_axis_pfc_tdata_o = AxisW'(frame >> (32'(beat_q) * AxisW));
    end
  end

  assign m_axis_pfc_tkeep_o  = (FcsInStream == 1 || !last_beat) ? FullBeat :
                               FullBeat >> FcsOctets;
  assign m_axis_pfc_tvalid_o = valid_q;
  assign m_axis_pfc_tlast_o  = last_beat;

  initial begin
    if (Steps < 1 || Steps > 2048) $fatal(1, "Steps = %0d: must be 1 to 2048", Steps);
    if (PfcLatency < pipeline_latency_pkg::PfcLatencyLeast ||
        PfcLatency > pipeline_latency_pkg::PfcLatencyGreatest) begin
      $fatal(1, "PfcLatency = %0d: must be %0d to %0d", PfcLatency,
             pipeline_latency_pkg::PfcLatencyLeast, pipeline_latency_pkg::PfcLatencyGreatest);
    end
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (FcsInStream != 0 && FcsInStream != 1) begin
      $fatal(1, "FcsInStream = %0d: must be 0 or 1", FcsInStream);
    end
  end

endmodule
