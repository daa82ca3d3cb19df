// SPDX-License-Identifier: Apache-2.0
//
// Which PFC frame each port owes its peer, and when: remembers what was last sent, no more.
//
// One module for all ports, so that a simulator passes all idle ports with one look: only a port
// with a change, a start or a running timer is touched. The description below is per port.
//
// A frame says `quanta` for the classes in XOFF and 0 for those that are XON but were last sent
// another value. It is built from the levels of the cycle in which the MAC starts it, so a class
// that went XOFF and back while the MAC was busy costs nothing. The refresh timer is a register of
// quanta x 2^15, half of the quanta, that loses step_i a clock edge.
//
// Which steps of this cycle turn a level comes last of all in the cycle: what a port owes is worked
// out from the levels before them, and a turn inverts the classes of its priority group.
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
  parameter int Ports      = 1,   // 1 .. 4096; port p of width W lies at [p*W +: W]
  parameter int Steps      = 2,   // of a cycle, that may turn a level: 1 .. 2048
  parameter int PfcLatency = pipeline_latency_pkg::PfcLatencyUsual,  // from a turn to request_o
  parameter int AxisW      = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int RowW       = $clog2(Ports * 8)  // derived: do not override
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,               // asynchronous, active low

  // Levels of the priority groups (PGs), port * 8 + number: before the verdicts of this cycle, and
  // what these do to them. A PG that is turned twice is what it was, and yet has changed.
  input  logic [Ports*8-1:0]       xoff_i,
  input  logic [Steps-1:0]         turn_i,               // the step turned the level of its PG
  input  logic [Steps*RowW-1:0]    turn_pg_i,
  input  logic [8*3-1:0]           pg_of_class_i,        // number of the PG of each class

  // Configuration; source_i and step_i are static
  input  logic [15:0]              quanta_i,             // 1 .. 65535, of the frames from now on
  input  logic [Ports*32-1:0]      step_i,               // >= 1
  input  logic [Ports*48-1:0]      source_i,             // station address, first octet in [47:40]

  // Transmitting MAC
  output logic [Ports-1:0]         request_o,            // a frame is owed
  input  logic [Ports-1:0]         start_i,              // starts now; counts with request_o, ready
  output logic [Ports-1:0]         start_ready_o,        // 0: beats of the frame before are here
  output logic [Ports-1:0]         start_sends_o,        // it has something to say
  output logic [Ports*8-1:0]       start_enable_o,       // its class-enable vector
  output logic [Ports*8-1:0]       start_xoff_o,         // the classes it gives quanta_i

  // The frame, octet n of a beat in [8n+7:8n], FCS included
  output logic [Ports*AxisW-1:0]   m_axis_pfc_tdata_o,
  output logic [Ports*AxisW/8-1:0] m_axis_pfc_tkeep_o,
  output logic [Ports-1:0]         m_axis_pfc_tvalid_o,
  input  logic [Ports-1:0]         m_axis_pfc_tready_i,
  output logic [Ports-1:0]         m_axis_pfc_tlast_o
);

  localparam int Beats   = 512 / AxisW;
  localparam int BeatW   = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int PortW   = (Ports > 1) ? $clog2(Ports) : 1;
  localparam int FcsAt   = 480;         // bits of the frame before its FCS
  localparam int FieldAt = 6*8;        // source address, type, opcode, vector and times
  localparam int FieldW  = 28*8;       // all after them is 0

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

  // The FCS of a frame with its constant octets alone.
  function automatic logic [31:0] fcs_of_constants(input logic [31:0] polynomial);
    fcs_of_constants = '1;
    for (int n = 0; n < FcsAt; n++) begin
      if (n < 48) fcs_of_constants[0] = fcs_of_constants[0] ^ Address[n];
      if (n >= 96 && n < 128) fcs_of_constants[0] = fcs_of_constants[0] ^ TypeAndOpcode[n - 96];
      fcs_of_constants = (fcs_of_constants >> 1) ^ (fcs_of_constants[0] ? polynomial : 32'b0);
    end
    fcs_of_constants = ~fcs_of_constants;
  endfunction

  localparam logic [32*FieldW-1:0] FcsColumn      = fcs_columns(FcsPolynomial);
  localparam logic [31:0]          FcsOfConstants = fcs_of_constants(FcsPolynomial);

  // Pieces of the frame as they lie in it. None is wider than 64 bits: a wide variable of a
  // function costs simulation time even where the function is not called.
  function automatic logic [47:0] on_wire(input logic [47:0] source);
    on_wire = {source[7:0], source[15:8], source[23:16],
               source[31:24], source[39:32], source[47:40]};
  endfunction

  function automatic logic [63:0] times(input logic [3:0] xoff, input logic [15:0] quanta);
    times = {4{quanta[7:0], quanta[15:8]}} &
            {{16{xoff[3]}}, {16{xoff[2]}}, {16{xoff[1]}}, {16{xoff[0]}}};
  endfunction

  function automatic logic [31:0] fcs_of(input logic [47:0] source, input logic [7:0] enable,
                                         input logic [63:0] low_times,
                                         input logic [63:0] high_times);
    // verilator no_inline_task
    for (int j = 0; j < 32; j++) begin
      fcs_of[j] = FcsOfConstants[j] ^ (^(source & FcsColumn[j*FieldW +: 48])) ^
               (^(enable & FcsColumn[j*FieldW + 88 +: 8])) ^
               (^(low_times & FcsColumn[j*FieldW + 96 +: 64])) ^
               (^(high_times & FcsColumn[j*FieldW + 160 +: 64]));
    end
  endfunction

  function automatic logic [31:0] less_a_step(input logic [31:0] timer, input logic [31:0] step);
    less_a_step = (timer > step) ? timer - step : 32'b0;
  endfunction

  // ---- What is owed ----
  logic [Ports-1:0]    changed;                         // some level of the port, even if twice
  logic [Ports-1:0]    check, refresh, look, may_start;
  logic [Ports-1:0]    differs;                         // from what was last sent
  logic [Ports-1:0]    requested_q, telling_q, runs_q;  // telling_q: the last frame said XOFF
  logic [Ports*8-1:0]  classes, sent_q;
  logic [Ports*32-1:0] timer_q;                         // runs: it is not 0

  always_comb begin
    changed = '0;
    for (int s = 0; s < Steps; s++) begin
      if (turn_i[s]) changed[PortW'(turn_pg_i[s*RowW +: RowW] >> 3)] = 1'b1;
    end
  end

  if (PfcLatency < 1) begin : gen_check_now
    assign check = changed;
  end else begin : gen_check_later
    logic [PfcLatency*Ports-1:0] changed_q;
    assign check = changed_q[(PfcLatency-1)*Ports +: Ports];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        changed_q <= '0;
      end else begin
        changed_q <= (PfcLatency*Ports)'({changed_q, changed});
      end
    end
  end

  // may_start does not wait for the turns and serves where a start without a request would change
  // nothing: the classes are then those that were last sent, and no frame comes.
  assign refresh   = telling_q & ~runs_q;
  assign look      = check | requested_q | refresh;
  assign may_start = look & start_i & start_ready_o;

  logic [Ports*8-1:0]     levels;          // of the classes, before the turns
  logic [7:0]             of_port;         // of its PGs
  logic [8*Ports-1:0]     gap, gap_after;  // bit n*Ports + p: class n of p was last sent another
  logic [Steps*8-1:0]     same;            // classes of the number of the step's PG
  logic [Steps*Ports-1:0] at;              // its port, if that is looked at

  always_comb begin
    levels  = '0;
    of_port = '0;
    gap     = '0;
    same    = '0;
    at      = '0;
    if (look != '0) begin
      for (int s = 0; s < Steps; s++) begin
        for (int n = 0; n < 8; n++) begin
          same[8*s + n] = turn_pg_i[s*RowW +: 3] == pg_of_class_i[3*n +: 3];
        end
        at[s*Ports +: Ports] = look & (Ports'(1) << (turn_pg_i[s*RowW +: RowW] >> 3));
      end
      for (int p = 0; p < Ports; p++) begin
        if (look[p]) begin
          of_port = xoff_i[8*p +: 8];
          for (int n = 0; n < 8; n++) begin
            levels[8*p + n]  = of_port[pg_of_class_i[3*n +: 3]];
            gap[n*Ports + p] = levels[8*p + n] ^ sent_q[8*p + n];
          end
        end
      end
    end
  end

  // Computed unconditionally: an enable here would add a logic level after the turns.
  always_comb begin
    classes   = levels;
    gap_after = gap;
    for (int s = 0; s < Steps; s++) begin
      if (turn_i[s]) begin
        for (int n = 0; n < 8; n++) begin
          gap_after[n*Ports +: Ports] = gap_after[n*Ports +: Ports] ^
                                        (at[s*Ports +: Ports] & {Ports{same[8*s + n]}});
        end
        for (int p = 0; p < Ports; p++) begin
          if (at[s*Ports + p]) classes[8*p +: 8] = classes[8*p +: 8] ^ same[8*s +: 8];
        end
      end
    end
  end

  assign differs = ((gap_after[0*Ports +: Ports] | gap_after[1*Ports +: Ports]) |
                    (gap_after[2*Ports +: Ports] | gap_after[3*Ports +: Ports])) |
                   ((gap_after[4*Ports +: Ports] | gap_after[5*Ports +: Ports]) |
                    (gap_after[6*Ports +: Ports] | gap_after[7*Ports +: Ports]));

  assign request_o     = requested_q | refresh | differs;
  assign start_sends_o = (requested_q & telling_q) | refresh | differs;

  always_comb begin
    start_enable_o = '0;
    start_xoff_o   = '0;
    if (request_o != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (request_o[p]) begin
          start_enable_o[8*p +: 8] = classes[8*p +: 8] | sent_q[8*p +: 8];
          start_xoff_o[8*p +: 8]   = classes[8*p +: 8];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_owed
    logic [Ports-1:0]    requested, telling, runs;
    logic [Ports*8-1:0]  sent;
    logic [Ports*32-1:0] timer;
    if (!rst_ni) begin
      requested_q <= '0;
      telling_q   <= '0;
      runs_q      <= '0;
      sent_q      <= '0;
      timer_q     <= '0;
    end else if ((look | runs_q) != '0) begin
      requested = (requested_q & ~may_start) | (check & ~may_start & differs);
      telling   = telling_q;
      runs      = runs_q;
      sent      = sent_q;
      timer     = timer_q;
      for (int p = 0; p < Ports; p++) begin
        if (runs_q[p]) begin
          timer[32*p +: 32] = less_a_step(timer_q[32*p +: 32], step_i[32*p +: 32]);
          if (timer_q[32*p +: 32] <= step_i[32*p +: 32]) runs[p] = 1'b0;
        end
      end
      if (may_start != '0) begin
        for (int p = 0; p < Ports; p++) begin
          if (may_start[p]) begin
            sent[8*p +: 8] = classes[8*p +: 8];
            telling[p]     = classes[8*p +: 8] != '0;
          end
          if (may_start[p] && request_o[p]) begin
            runs[p]           = {1'b0, quanta_i, 15'b0} > step_i[32*p +: 32];
            timer[32*p +: 32] = less_a_step({1'b0, quanta_i, 15'b0}, step_i[32*p +: 32]);
          end
        end
      end
      requested_q <= requested;
      telling_q   <= telling;
      runs_q      <= runs;
      sent_q      <= sent;
      timer_q     <= timer;
    end
  end

  // ---- The frame that is being sent ----
  logic [Ports-1:0]       valid_q, last_beat;
  logic [Ports*BeatW-1:0] beat_q;
  logic [Ports*8-1:0]     enable_q, xoff_q;
  logic [Ports*16-1:0]    quanta_q;
  logic [Ports*32-1:0]    fcs;  // in the last beat of a frame

  if (Beats == 1) begin : gen_one_beat
    assign last_beat = '1;
  end else begin : gen_beats
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign last_beat[p] = beat_q[p*BeatW +: BeatW] == BeatW'(Beats - 1);
    end
  end
  assign start_ready_o = ~valid_q | (m_axis_pfc_tready_i & last_beat);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_frame
    logic [Ports-1:0]       valid;
    logic [Ports*BeatW-1:0] beat;
    logic [Ports*8-1:0]     enable, xoff;
    logic [Ports*16-1:0]    quanta;
    if (!rst_ni) begin
      valid_q  <= '0;
      beat_q   <= '0;
      enable_q <= '0;
      xoff_q   <= '0;
      quanta_q <= '0;
    end else if ((valid_q | may_start) != '0) begin
      valid  = valid_q;
      beat   = beat_q;
      enable = enable_q;
      xoff   = xoff_q;
      quanta = quanta_q;
      for (int p = 0; p < Ports; p++) begin
        if (valid[p] && m_axis_pfc_tready_i[p]) begin
          valid[p]               = !last_beat[p];
          beat[p*BeatW +: BeatW] = last_beat[p] ? '0 : beat[p*BeatW +: BeatW] + 1'b1;
        end
        if (may_start[p]) begin
          valid[p]           = start_sends_o[p];
          enable[8*p +: 8]   = sent_q[8*p +: 8] | classes[8*p +: 8];
          xoff[8*p +: 8]     = classes[8*p +: 8];
          quanta[16*p +: 16] = quanta_i;
        end
      end
      valid_q  <= valid;
      beat_q   <= beat;
      enable_q <= enable;
      xoff_q   <= xoff;
      quanta_q <= quanta;
    end
  end

  // The sums of all ports in one process would keep a synthesizer busy for minutes.
  localparam int GroupPorts = 8;

  for (genvar first = 0; first < Ports; first = first + GroupPorts) begin : gen_group
    localparam int Size = (Ports - first < GroupPorts) ? Ports - first : GroupPorts;
    logic [Size-1:0]    ends;
    logic [Size*32-1:0] sum;
    assign ends                     = valid_q[first +: Size] & last_beat[first +: Size];
    assign fcs[32*first +: 32*Size] = sum;

    always_comb begin
      sum = '0;
      if (ends != '0) begin
        for (int p = 0; p < Size; p++) begin
          if (ends[p]) begin
            sum[32*p +: 32] =
                fcs_of(on_wire(source_i[48*(first + p) +: 48]), enable_q[8*(first + p) +: 8],
                       times(xoff_q[8*(first + p) +: 4], quanta_q[16*(first + p) +: 16]),
                       times(xoff_q[8*(first + p) + 4 +: 4], quanta_q[16*(first + p) +: 16]));
          end
        end
      end
    end
  end

  logic [511:0] frame;  // of the port that is looked at, as on the wire; padding is 0

  always_comb begin
    m_axis_pfc_tdata_o = '0;
    frame              = '0;
    if (valid_q != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (valid_q[p]) begin
          frame = {fcs[32*p +: 32], {(FcsAt - FieldAt - FieldW){1'b0}},
                   times(xoff_q[8*p + 4 +: 4], quanta_q[16*p +: 16]),
                   times(xoff_q[8*p +: 4], quanta_q[16*p +: 16]),
                   enable_q[8*p +: 8], 8'b0, TypeAndOpcode,
                   on_wire(source_i[48*p +: 48]), Address};
          m_axis_pfc_tdata_o[p*AxisW +: AxisW] =
              AxisW'(frame >> (32'(beat_q[p*BeatW +: BeatW]) * AxisW));
        end
      end
    end
  end

  assign m_axis_pfc_tkeep_o  = '1;
  assign m_axis_pfc_tvalid_o = valid_q;
  assign m_axis_pfc_tlast_o  = last_beat;

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Steps < 1 || Steps > 2048) $fatal(1, "Steps = %0d: must be 1 to 2048", Steps);
    if (PfcLatency < pipeline_latency_pkg::PfcLatencyLeast ||
        PfcLatency > pipeline_latency_pkg::PfcLatencyGreatest) begin
      $fatal(1, "PfcLatency = %0d: must be %0d to %0d", PfcLatency,
             pipeline_latency_pkg::PfcLatencyLeast, pipeline_latency_pkg::PfcLatencyGreatest);
    end
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
  end

endmodule
