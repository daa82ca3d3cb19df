// SPDX-License-Identifier: Apache-2.0
//
// Which PFC frame a port owes its peer, and when: remembers what was last sent, no more.
//
// A frame says `quanta` for the classes in XOFF and 0 for those that are XON but were last sent
// another value. It is built from the levels of the cycle in which the MAC starts it, so a class
// that went XOFF and back while the MAC was busy costs nothing. The refresh timer is a register of
// quanta x 2^15, half of the quanta, that loses step_i a clock edge.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and speed.
// Latency: a level is part of a frame started in the same cycle. request_o rises PfcLatency cycles
//          after changed_i, and ceil(quanta x 2^15 / step_i) cycles after a start whose frame told
//          XOFF. The frame's first beat is valid in the cycle after start_i.
// Golden:  systemc/include/weir/core/pfc_generator.hpp (build, refresh) and pfc_frame.hpp (octets),
//          compared every cycle by tb/lockstep.
// Source:  DESIGN section 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_generator #(
  parameter int PfcLatency = 2,  // cycles from changed_i to request_o: 0 .. 64
  parameter int AxisW      = 512 // bits of a beat: 64, 128, 256 or 512
) (
  input  logic               clk_i,
  input  logic               rst_ni,               // asynchronous, active low

  // Levels of the port, as of the verdicts of this cycle
  input  logic [7:0]         xoff_i,               // bit n: priority group n is XOFF
  input  logic               changed_i,            // some level changed, even if twice
  input  logic [8*3-1:0]     pg_of_class_i,        // priority group of each class

  // Configuration; source_i and step_i are static
  input  logic [15:0]        quanta_i,             // 1 .. 65535, of the frames from now on
  input  logic [31:0]        step_i,               // >= 1
  input  logic [47:0]        source_i,             // station address, first octet in [47:40]

  // Transmitting MAC
  output logic               request_o,            // a frame is owed
  input  logic               start_i,              // it starts now; counts with request_o and ready
  output logic               start_ready_o,        // 0: beats of the frame before are still here
  output logic [7:0]         start_enable_o,       // its class-enable vector; 0: nothing to say
  output logic [7:0]         start_xoff_o,         // the classes it gives quanta_i

  // The frame, octet n of a beat in [8n+7:8n], FCS included
  output logic [AxisW-1:0]   m_axis_pfc_tdata_o,
  output logic [AxisW/8-1:0] m_axis_pfc_tkeep_o,
  output logic               m_axis_pfc_tvalid_o,
  input  logic               m_axis_pfc_tready_i,
  output logic               m_axis_pfc_tlast_o
);

  localparam int Beats   = 512 / AxisW;
  localparam int BeatW   = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int DelayW  = (PfcLatency > 0) ? PfcLatency : 1;
  localparam int FcsAt   = 480;         // bits of the frame before its FCS
  localparam int FieldAt = 6*8;        // source address, type, opcode, vector and times
  localparam int FieldW  = 28*8;       // all behind them is 0

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

  // Pieces of the frame as they lie in it. None is wider than 64 bits: a wide variable of a function
  // costs simulation time even where the function is not called.
  function automatic logic [47:0] on_wire(input logic [47:0] source);
    for (int n = 0; n < 6; n++) on_wire[8*n +: 8] = source[8*(5-n) +: 8];
  endfunction

  function automatic logic [63:0] times(input logic [3:0] xoff, input logic [15:0] quanta);
    times = '0;
    for (int n = 0; n < 4; n++) begin
      if (xoff[n]) times[16*n +: 16] = {quanta[7:0], quanta[15:8]};
    end
  endfunction

  function automatic logic [31:0] fcs(input logic [47:0] source, input logic [7:0] enable,
                                      input logic [63:0] low_times, input logic [63:0] high_times);
    for (int j = 0; j < 32; j++) begin
      fcs[j] = FcsOfConstants[j] ^ (^(source & FcsColumn[j*FieldW +: 48])) ^
               (^(enable & FcsColumn[j*FieldW + 88 +: 8])) ^
               (^(low_times & FcsColumn[j*FieldW + 96 +: 64])) ^
               (^(high_times & FcsColumn[j*FieldW + 160 +: 64]));
    end
  endfunction

  function automatic logic [31:0] less_a_step(input logic [31:0] timer, input logic [31:0] step);
    less_a_step = (timer > step) ? timer - step : 32'b0;
  endfunction

  // ---- What is owed ----
  // An idle port has nothing to look at: guards, here and below, save simulation time.
  logic        check, requested_q, refresh, look, start;
  logic [7:0]  classes, sent_q;
  logic [31:0] timer_q;

  if (PfcLatency == 0) begin : gen_check_now
    assign check = changed_i;
  end else begin : gen_check_later
    logic [DelayW-1:0] changed_q;
    assign check = changed_q[DelayW-1];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        changed_q <= '0;
      end else begin
        changed_q <= DelayW'({changed_q, changed_i});
      end
    end
  end

  assign refresh = (sent_q != '0) && (timer_q == '0);
  assign look    = check || requested_q || refresh;

  always_comb begin
    classes        = '0;
    request_o      = 1'b0;
    start_enable_o = '0;
    start_xoff_o   = '0;
    start          = 1'b0;
    if (look) begin
      for (int n = 0; n < 8; n++) classes[n] = xoff_i[pg_of_class_i[3*n +: 3]];
      request_o = requested_q || refresh || classes != sent_q;
      if (request_o) begin
        start_enable_o = classes | sent_q;
        start_xoff_o   = classes;
        start          = start_i && start_ready_o;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      requested_q <= 1'b0;
      sent_q      <= '0;
      timer_q     <= '0;
    end else begin
      if (look) requested_q <= !start && (requested_q || (check && classes != sent_q));
      if (start) begin
        sent_q  <= classes;
        timer_q <= less_a_step({1'b0, quanta_i, 15'b0}, step_i);
      end else if (timer_q != '0) begin
        timer_q <= less_a_step(timer_q, step_i);
      end
    end
  end

  // ---- The frame that is being sent ----
  logic             valid_q, last_beat;
  logic [BeatW-1:0] beat_q;
  logic [7:0]       enable_q, xoff_q;
  logic [15:0]      quanta_q;
  logic [31:0]      fcs_q;
  logic [63:0]      low_times, high_times;

  assign last_beat     = beat_q == BeatW'(Beats - 1);
  assign start_ready_o = !valid_q || (m_axis_pfc_tready_i && last_beat);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      beat_q   <= '0;
      enable_q <= '0;
      xoff_q   <= '0;
      quanta_q <= '0;
      fcs_q    <= '0;
    end else begin
      if (valid_q && m_axis_pfc_tready_i) begin
        valid_q <= !last_beat;
        beat_q  <= last_beat ? '0 : beat_q + 1'b1;
      end
      if (start && start_enable_o != '0) begin
        valid_q  <= 1'b1;
        enable_q <= start_enable_o;
        xoff_q   <= start_xoff_o;
        quanta_q <= quanta_i;
        fcs_q    <= fcs(on_wire(source_i), start_enable_o, times(start_xoff_o[3:0], quanta_i),
                        times(start_xoff_o[7:4], quanta_i));
      end
    end
  end

  always_comb begin
    low_times  = '0;
    high_times = '0;
    if (valid_q) begin
      low_times  = times(xoff_q[3:0], quanta_q);
      high_times = times(xoff_q[7:4], quanta_q);
    end
  end

  // Words of 64 bits; a beat has Words of them.
  localparam int Words = AxisW / 64;

  for (genvar w = 0; w < Words; w++) begin : gen_word
    logic [2:0]  number;
    logic [63:0] word;
    assign number = 3'(3'(beat_q) * 3'(Words) + 3'(w));
    always_comb begin
      word = '0;
      if (valid_q) begin
        case (number)
          3'd0: word = {source_i[39:32], source_i[47:40], Address};
          3'd1: word = {TypeAndOpcode, source_i[7:0], source_i[15:8], source_i[23:16], source_i[31:24]};
          3'd2: word = {low_times[47:0], enable_q, 8'b0};
          3'd3: word = {high_times[47:0], low_times[63:48]};
          3'd4: word = {48'b0, high_times[63:48]};
          3'd7: word = {fcs_q, 32'b0};
          default: word = '0;
        endcase
      end
    end
    assign m_axis_pfc_tdata_o[64*w +: 64] = word;
  end

  assign m_axis_pfc_tkeep_o  = '1;
  assign m_axis_pfc_tvalid_o = valid_q;
  assign m_axis_pfc_tlast_o  = last_beat;

  initial begin
    if (PfcLatency < 0 || PfcLatency > 64) begin
      $fatal(1, "PfcLatency = %0d: must be 0 to 64", PfcLatency);
    end
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
  end

endmodule
