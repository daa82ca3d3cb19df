// SPDX-License-Identifier: Apache-2.0
//
// Which of the eight classes of a port may not start a frame, as the PFC frames of its peer ask.
//
// Every frame of the port comes by; a PFC frame loads the timers of its enabled classes, any other
// is reported with the first reason why it is none. The timers are those of pfc_timers.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and
//          speed.
// Latency: a frame acts at the clock edge that takes its last beat, the edge at or after its last
//          bit: pause_o shows it in the cycle after that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pfc_frame.hpp (decode) and pause_timer.hpp
//          (CycleTimeBase), compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_receiver #(
  parameter int AxisW       = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW   = 16,  // width of the response time: 1 .. 32
  parameter int FcsInStream = 1    // 1: a PFC frame is 64 octets; 0: 60, the MAC strips the FCS
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,            // asynchronous, active low

  // Configuration, static
  input  logic [31:0]          step_i,            // >= 1
  input  logic [ResponseW-1:0] response_i,        // cycles from the last bit to the blocking

  // Frames from the MAC, octet n of a beat in [8n+7:8n]; always accepted. All beats of a frame but
  // the last are full; the last one has at least octet 0 and no gaps.
  input  logic [AxisW-1:0]     s_axis_rx_tdata_i,
  input  logic [AxisW/8-1:0]   s_axis_rx_tkeep_i,
  input  logic                 s_axis_rx_tvalid_i,
  input  logic                 s_axis_rx_tlast_i,
  input  logic                 s_axis_rx_tuser_i, // with the last beat: bad FCS

  output logic [7:0]           pause_o,           // bit n: class n may not start a frame

  // One frame has ended in the cycle before: a strobe and its verdict
  output logic                 stat_frame_o,
  output logic [2:0]           stat_verdict_o     // 0 PFC, or 1 + the error of decode()
);

  localparam int KeepW     = AxisW / 8;
  localparam int Beats     = 64 / KeepW;       // of a PFC frame, with its FCS or without
  localparam int BeatW     = $clog2(Beats + 1);
  localparam int FcsOctets = 4;
  localparam int LastAt    = (FcsInStream == 1) ? KeepW - 1 : KeepW - 1 - FcsOctets;

  // Verdicts, in the order in which a receiver looks.
  localparam logic [2:0] Pfc = 3'd0, TooShort = 3'd1, BadFcs = 3'd2, NotMacControl = 3'd3,
                         WrongAddress = 3'd4, WrongOpcode = 3'd5, TooLong = 3'd6;

  // Where the fields lie, in octets of the frame. No field's octets are split but the times'.
  localparam int TypeAt   = 12;                // type and opcode
  localparam logic [47:0] Address = 48'h01_00_00_c2_80_01;  // 01-80-C2-00-00-01
  localparam logic [15:0] MacControl = 16'h08_88, PfcOpcode = 16'h01_01;

  localparam int TypeBeat = TypeAt / KeepW;
  localparam int TypeBit  = 8 * (TypeAt % KeepW);

  // An idle port has nothing to look at: the guards save simulation time. So does a text without
  // functions: a simulator writes their variables once for each port.

  // ---- Parse ----
  logic [BeatW-1:0] beat_d, beat_q;            // beats before this one; Beats also means more
  logic [2:0]       header_d, header_q;        // {opcode, type, address} are those of PFC, so far
  logic [2:0]       verdict, verdict_q;
  logic             whole;                     // all octets of a PFC frame are there
  logic             frame_end, frame_q, take, longer;
  logic             unused_octets;             // source, padding; keep without gaps

  assign unused_octets = &{1'b0, s_axis_rx_tdata_i, s_axis_rx_tkeep_i};
  assign frame_end     = s_axis_rx_tvalid_i && s_axis_rx_tlast_i;

  if (FcsInStream == 1) begin : gen_fcs
    assign longer = 1'b0;  // the beat ends with the FCS
  end else begin : gen_no_fcs
    assign longer = s_axis_rx_tkeep_i[LastAt + 1];
  end

  always_comb begin
    header_d = header_q;
    beat_d   = beat_q;
    verdict  = verdict_q;
    take     = 1'b0;
    whole    = 1'b0;
    if (s_axis_rx_tvalid_i) begin
      if (beat_q == '0) header_d[0] = s_axis_rx_tdata_i[47:0] == Address;
      if (beat_q == BeatW'(TypeBeat)) begin
        header_d[1] = s_axis_rx_tdata_i[TypeBit +: 16] == MacControl;
        header_d[2] = s_axis_rx_tdata_i[TypeBit + 16 +: 16] == PfcOpcode;
      end
      if (beat_q != BeatW'(Beats)) beat_d = beat_q + 1'b1;
      if (s_axis_rx_tlast_i) begin
        beat_d = '0;
        whole  = beat_q == BeatW'(Beats) ||
                 (beat_q == BeatW'(Beats - 1) && s_axis_rx_tkeep_i[LastAt]);
        if (!whole) begin
          verdict = TooShort;
        end else if (s_axis_rx_tuser_i) begin
          verdict = BadFcs;
        end else if (!header_d[1]) begin
          verdict = NotMacControl;
        end else if (!header_d[0]) begin
          verdict = WrongAddress;
        end else if (!header_d[2]) begin
          verdict = WrongOpcode;
        end else if (beat_q == BeatW'(Beats) || longer) begin
          verdict = TooLong;
        end else begin
          verdict = Pfc;
        end
        take = verdict == Pfc;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      header_q  <= '0;
      frame_q   <= 1'b0;
      verdict_q <= '0;
    end else begin
      beat_q    <= beat_d;
      header_q  <= header_d;
      frame_q   <= frame_end;
      verdict_q <= verdict;
    end
  end
  assign stat_frame_o   = frame_q;
  assign stat_verdict_o = verdict_q;

  // ---- Timers ----
  pfc_timers #(.AxisW(AxisW), .ResponseW(ResponseW)) u_timers (
    .clk_i, .rst_ni, .step_i, .response_i,
    .data_i (s_axis_rx_tdata_i),
    .valid_i(s_axis_rx_tvalid_i),
    .beat_i (beat_q),
    .take_i (take),
    .pause_o
  );

  initial begin
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
    if (FcsInStream != 0 && FcsInStream != 1) begin
      $fatal(1, "FcsInStream = %0d: must be 0 or 1", FcsInStream);
    end
  end

endmodule
