// SPDX-License-Identifier: Apache-2.0
//
// Which of the eight classes of a port may not start a frame, as the PFC frames of its peer ask.
//
// Every frame of the port comes by; a PFC frame loads the timers of its enabled classes, any other
// is counted by the first reason why it is none. A timer is a register of quanta x 2^16 that loses
// step_i a clock edge and stays at 0. A class is blocked while its timer runs, from response_i
// cycles after the load that started the pause; a load while it runs continues the same pause.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and speed.
// Latency: a frame acts at the clock edge that takes its last beat, the edge at or after its last
//          bit: pause_o shows it in the cycle behind that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc_frame.hpp (decode) and pause_timer.hpp (CycleTimeBase),
//          compared every cycle by tb/lockstep.
// Source:  DESIGN section 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_receiver #(
  parameter int AxisW     = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW = 16,  // width of the response time: 1 .. 32
  parameter int CountW    = 32   // width of a frame counter; it stays at its maximum: 1 .. 64
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,            // asynchronous, active low

  // Configuration, static
  input  logic [31:0]          step_i,            // >= 1
  input  logic [ResponseW-1:0] response_i,        // cycles from the last bit to the blocking

  // Frames from the MAC, octet n of a beat in [8n+7:8n], FCS included; always accepted. All beats
  // of a frame but the last are full; the last one has at least octet 0 and no gaps.
  input  logic [AxisW-1:0]     s_axis_rx_tdata_i,
  input  logic [AxisW/8-1:0]   s_axis_rx_tkeep_i,
  input  logic                 s_axis_rx_tvalid_i,
  input  logic                 s_axis_rx_tlast_i,
  input  logic                 s_axis_rx_tuser_i, // with the last beat: bad FCS

  output logic [7:0]           pause_o,           // bit n: class n may not start a frame

  // One frame has ended: a strobe, its verdict, and how many of each verdict there were
  output logic                 stat_frame_o,
  output logic [2:0]           stat_verdict_o,    // 0 PFC, or 1 + the error of the golden decode()
  output logic [7*CountW-1:0]  stat_count_o       // part v: frames of verdict v
);

  localparam int KeepW = AxisW / 8;
  localparam int Beats = 64 / KeepW;           // of a PFC frame
  localparam int BeatW = $clog2(Beats + 1);

  // Verdicts, in the order in which a receiver looks.
  localparam logic [2:0] Pfc = 3'd0, TooShort = 3'd1, BadFcs = 3'd2, NotMacControl = 3'd3,
                         WrongAddress = 3'd4, WrongOpcode = 3'd5, TooLong = 3'd6;

  // Where the fields lie, in octets of the frame. No field's octets are split but the times'.
  localparam int TypeAt   = 12;                // type and opcode
  localparam int EnableAt = 17;                // class-enable vector, then eight times
  localparam int FieldW   = 8 + 8*16;
  localparam logic [47:0] Address = 48'h01_00_00_c2_80_01;  // 01-80-C2-00-00-01
  localparam logic [15:0] MacControl = 16'h08_88, PfcOpcode = 16'h01_01;

  localparam int TypeBeat = TypeAt / KeepW;
  localparam int TypeBit  = 8 * (TypeAt % KeepW);

  // An idle port has nothing to look at: the guards save simulation time. For the same reason no
  // function has a variable of more than 64 bits.

  // ---- Parse ----
  // {opcode, type, address are those of PFC}, as far as the beats up to this one have told.
  function automatic logic [2:0] header(input logic [BeatW-1:0] beat, input logic [2:0] kept,
                                        input logic [47:0] address, input logic [31:0] opcode_type);
    header = kept;
    if (beat == '0) header[0] = address == Address;
    if (beat == BeatW'(TypeBeat)) header[2:1] = {opcode_type[31:16] == PfcOpcode,
                                                 opcode_type[15:0] == MacControl};
  endfunction

  // What a frame is that ends with this beat.
  function automatic logic [2:0] verdict_of(input logic [BeatW-1:0] beat, input logic full,
                                            input logic bad_fcs, input logic [2:0] told);
    if (beat != BeatW'(Beats) && !(beat == BeatW'(Beats - 1) && full)) begin
      verdict_of = TooShort;
    end else if (bad_fcs) begin
      verdict_of = BadFcs;
    end else if (!told[1]) begin
      verdict_of = NotMacControl;
    end else if (!told[0]) begin
      verdict_of = WrongAddress;
    end else if (!told[2]) begin
      verdict_of = WrongOpcode;
    end else if (beat == BeatW'(Beats)) begin
      verdict_of = TooLong;
    end else begin
      verdict_of = Pfc;
    end
  endfunction

  logic [BeatW-1:0]  beat_q;                   // beats before this one; Beats also means more
  logic [2:0]        header_d, header_q;
  logic              frame_end, take;
  logic [2:0]        verdict;
  logic              unused_octets;            // source, padding; keep without gaps

  assign unused_octets = &{1'b0, s_axis_rx_tdata_i, s_axis_rx_tkeep_i};
  assign frame_end     = s_axis_rx_tvalid_i && s_axis_rx_tlast_i;

  always_comb begin
    header_d = header_q;
    verdict  = Pfc;
    take     = 1'b0;
    if (s_axis_rx_tvalid_i) begin
      header_d = header(beat_q, header_q, s_axis_rx_tdata_i[47:0],
                        s_axis_rx_tdata_i[TypeBit +: 32]);
      verdict  = verdict_of(beat_q, s_axis_rx_tkeep_i[KeepW-1], s_axis_rx_tuser_i, header_d);
      take     = s_axis_rx_tlast_i && verdict == Pfc;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q   <= '0;
      header_q <= '0;
    end else if (s_axis_rx_tvalid_i) begin
      header_q <= header_d;
      if (s_axis_rx_tlast_i) begin
        beat_q <= '0;
      end else if (beat_q != BeatW'(Beats)) begin
        beat_q <= beat_q + 1'b1;
      end
    end
  end

  // Class-enable vector and times. A frame of one beat has them all there; others are gathered.
  logic [FieldW-1:0] gathered;

  if (Beats == 1) begin : gen_nothing_gathered
    assign gathered = '0;
  end else begin : gen_gathered
    logic [FieldW-1:0] gathered_q;
    always_comb begin
      gathered = gathered_q;
      for (int n = 0; n < FieldW/8; n++) begin
        if (beat_q == BeatW'((EnableAt + n) / KeepW)) begin
          gathered[8*n +: 8] = s_axis_rx_tdata_i[8*((EnableAt + n) % KeepW) +: 8];
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        gathered_q <= '0;
      end else if (s_axis_rx_tvalid_i) begin
        gathered_q <= gathered;
      end
    end
  end

  // ---- Timers ----
  function automatic logic [ResponseW-1:0] less_one(input logic [ResponseW-1:0] wait_time);
    less_one = (wait_time != '0) ? wait_time - 1'b1 : '0;
  endfunction

  logic [7:0] runs;  // bit n: the timer of class n is not 0

  for (genvar n = 0; n < 8; n++) begin : gen_class
    localparam int EnableBit = (8*EnableAt + n) % AxisW;
    localparam int HighBit   = (8*EnableAt + 8 + 16*n) % AxisW;
    localparam int LowBit    = (8*EnableAt + 16 + 16*n) % AxisW;

    logic [7:0]           high, low;
    assign high = (Beats == 1) ? s_axis_rx_tdata_i[HighBit +: 8] : gathered[8 + 16*n +: 8];
    assign low  = (Beats == 1) ? s_axis_rx_tdata_i[LowBit +: 8] : gathered[16 + 16*n +: 8];

    logic [31:0]          timer_q;
    logic [ResponseW-1:0] wait_q;   // edges until the class may be blocked
    logic                 runs_q, blocked_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        timer_q   <= '0;
        wait_q    <= '0;
        runs_q    <= 1'b0;
        blocked_q <= 1'b0;
      end else if (take || runs != '0) begin
        if (take && ((Beats == 1) ? s_axis_rx_tdata_i[EnableBit] : gathered[n])) begin
          timer_q   <= {high, low, 16'b0};
          runs_q    <= {high, low} != '0;
          // A timer that runs means one continuous pause: its wait goes on.
          wait_q    <= (timer_q > step_i) ? less_one(wait_q) : response_i;
          blocked_q <= {high, low} != '0 &&
                       ((timer_q > step_i) ? less_one(wait_q) == '0 : response_i == '0);
        end else begin
          timer_q   <= (timer_q > step_i) ? timer_q - step_i : '0;
          runs_q    <= timer_q > step_i;
          wait_q    <= less_one(wait_q);
          blocked_q <= timer_q > step_i && less_one(wait_q) == '0;
        end
      end
    end
    assign runs[n]    = runs_q;
    assign pause_o[n] = blocked_q;
  end

  // ---- Counters ----
  for (genvar v = 0; v < 7; v++) begin : gen_count
    logic [CountW-1:0] count_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q <= '0;
      end else if (frame_end) begin
        if (verdict == 3'(v) && count_q != '1) count_q <= count_q + 1'b1;
      end
    end
    assign stat_count_o[CountW*v +: CountW] = count_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_frame_o   <= 1'b0;
      stat_verdict_o <= '0;
    end else begin
      stat_frame_o <= frame_end;
      if (frame_end) stat_verdict_o <= verdict;
    end
  end

  initial begin
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
    if (CountW < 1 || CountW > 64) $fatal(1, "CountW = %0d: must be 1 to 64", CountW);
  end

endmodule
