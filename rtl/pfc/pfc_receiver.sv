// SPDX-License-Identifier: Apache-2.0
//
// Which of the eight classes of each port may not start a frame, as the PFC frames of its peer ask.
//
// Every frame of a port passes here; a PFC frame loads the timers of its enabled classes, any other
// is reported with the first reason why it is none. The timers are those of pfc_timers. All inputs
// end in registers: in the cycle after the last beat it is known what the frame is.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and
//          speed. Port p at [p*W +: W].
// Latency: a frame acts at the clock edge that takes its last beat, the edge at or after its last
//          bit: pause_o shows it in the cycle after that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pfc_frame.hpp (decode) and pause_timer.hpp
//          (CycleTimeBase), compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_receiver #(
  parameter int Ports       = 1,   // 1 .. MaxPorts
  parameter int AxisW       = 512, // bits of a beat: 2^n, MinAxisW .. MaxAxisW
  parameter int ResponseW   = 16,  // width of the response time: 1 .. 32
  parameter int FcsInStream = 1    // 1: a PFC frame is 64 octets; 0: 60, the MAC strips the FCS
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,             // asynchronous, active low

  // Configuration, static
  input  logic [Ports*32-1:0]        step_i,             // >= 1
  input  logic [Ports*ResponseW-1:0] response_i,         // cycles from the last bit to the pause

  // Frames from the MACs, octet n of a beat in [8n+7:8n]; always accepted. All beats of a frame but
  // the last are full; the last one has at least octet 0 and no gaps.
  input  logic [Ports*AxisW-1:0]     s_axis_rx_tdata_i,
  input  logic [Ports*AxisW/8-1:0]   s_axis_rx_tkeep_i,
  input  logic [Ports-1:0]           s_axis_rx_tvalid_i,
  input  logic [Ports-1:0]           s_axis_rx_tlast_i,
  input  logic [Ports-1:0]           s_axis_rx_tuser_i,  // with the last beat: bad FCS

  output logic [Ports*8-1:0]         pause_o,            // bit n: class n may not start a frame

  // One frame has ended in the cycle before: strobes, and the verdict
  output logic [Ports-1:0]           stat_frame_o,
  output logic [Ports-1:0]           stat_pfc_o,         // it was a PFC frame
  output logic [Ports*3-1:0]         stat_verdict_o      // 0 PFC, or 1 + the error of decode()
);

  localparam int KeepW     = AxisW / 8;
  localparam int Beats     = 64 / KeepW;       // of a PFC frame, with its FCS or without
  localparam int BeatW     = $clog2(Beats + 1);
  localparam int FcsOctets = 4;
  localparam int LastAt    = (FcsInStream == 1) ? KeepW - 1 : KeepW - 1 - FcsOctets;

  // Verdicts, in the order in which a receiver looks.
  localparam logic [2:0] Pfc = 3'd0, TooShort = 3'd1, BadFcs = 3'd2, NotMacControl = 3'd3,
                         WrongAddress = 3'd4, WrongOpcode = 3'd5, TooLong = 3'd6;

  // Beat and bit of each field; none is in two beats.
  localparam int TypeBeat   = pfc_frame_pkg::TypeAt / KeepW;
  localparam int TypeBit    = 8 * (pfc_frame_pkg::TypeAt % KeepW);
  localparam int EnableBeat = pfc_frame_pkg::EnableAt / KeepW;
  localparam int EnableBit  = 8 * (pfc_frame_pkg::EnableAt % KeepW);
  localparam int TimesAt    = pfc_frame_pkg::TimesAt;

  // ---- Parse ----
  logic [Ports*BeatW-1:0] beat_d, beat_q;       // beats before this one; Beats also means more
  logic [Ports*3-1:0]     header_d, header_q;   // {opcode, type, address} are those of PFC, so far
  logic [Ports*3-1:0]     verdict_d, verdict_q;
  logic [Ports-1:0]       pfc_d, pfc_q, ended_q;
  logic                   some_beat;
  logic                   unused_octets;        // source, padding; keep without gaps
  assign some_beat     = s_axis_rx_tvalid_i != '0;
  assign unused_octets = &{1'b0, s_axis_rx_tdata_i, s_axis_rx_tkeep_i};

  // Only a valid beat is loaded. The guards save simulation time.
  always_comb begin
    logic [BeatW-1:0] beat;
    logic [2:0]       header;
    logic             last, longer;  // the beat with the end of a PFC frame; octets after it
    beat_d    = '0;
    header_d  = '0;
    verdict_d = '0;
    pfc_d     = '0;
    beat      = '0;
    header    = '0;
    last      = 1'b0;
    longer    = 1'b0;
    if (some_beat) for (int p = 0; p < Ports; p++) begin
      if (s_axis_rx_tvalid_i[p]) begin
        beat   = beat_q[BeatW*p +: BeatW];
        header = header_q[3*p +: 3];
        last   = beat == BeatW'(Beats - 1) && s_axis_rx_tkeep_i[KeepW*p + LastAt];
        longer = beat == BeatW'(Beats) ||
                 (FcsInStream == 0 && s_axis_rx_tkeep_i[KeepW*p + (LastAt + 1) % KeepW]);
        if (beat == '0) begin
          header[0] = s_axis_rx_tdata_i[AxisW*p +: 48] == pfc_frame_pkg::Address;
        end
        if (beat == BeatW'(TypeBeat)) begin
          header[1] = s_axis_rx_tdata_i[AxisW*p + TypeBit +: 16] == pfc_frame_pkg::MacControl;
          header[2] = s_axis_rx_tdata_i[AxisW*p + TypeBit + 16 +: 16] == pfc_frame_pkg::Opcode;
        end
        header_d[3*p +: 3] = header;
        if (!s_axis_rx_tlast_i[p]) begin
          beat_d[BeatW*p +: BeatW] = (beat == BeatW'(Beats)) ? beat : beat + 1'b1;
        end
        verdict_d[3*p +: 3] = !(last || beat == BeatW'(Beats)) ? TooShort :
                              s_axis_rx_tuser_i[p]             ? BadFcs :
                              !header[1]                       ? NotMacControl :
                              !header[0]                       ? WrongAddress :
                              !header[2]                       ? WrongOpcode :
                              longer                           ? TooLong : Pfc;
        pfc_d[p] = verdict_d[3*p +: 3] == Pfc;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ended_q <= '0;
      pfc_q   <= '0;
    end else begin
      ended_q <= s_axis_rx_tvalid_i & s_axis_rx_tlast_i;
      pfc_q   <= pfc_d & s_axis_rx_tlast_i;
    end
  end
  assign stat_frame_o   = ended_q;
  assign stat_pfc_o     = pfc_q;
  assign stat_verdict_o = verdict_q;

  // ---- What is kept of the frames, and the timers ----
  // Class-enable vector and times are kept before it is known whether the frame is PFC.
  logic [Ports*8-1:0]   enable_q;
  logic [Ports*128-1:0] times_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q    <= '0;
      header_q  <= '0;
      verdict_q <= '0;
      enable_q  <= '0;
      times_q   <= '0;
    end else if (some_beat) begin
      for (int p = 0; p < Ports; p++) begin
        if (s_axis_rx_tvalid_i[p]) begin
          beat_q[BeatW*p +: BeatW] <= beat_d[BeatW*p +: BeatW];
          header_q[3*p +: 3]       <= header_d[3*p +: 3];
          if (s_axis_rx_tlast_i[p]) verdict_q[3*p +: 3] <= verdict_d[3*p +: 3];
          if (beat_q[BeatW*p +: BeatW] == BeatW'(EnableBeat)) begin
            enable_q[8*p +: 8] <= s_axis_rx_tdata_i[AxisW*p + EnableBit +: 8];
          end
          for (int n = 0; n < 8; n++) begin
            if (beat_q[BeatW*p +: BeatW] == BeatW'((TimesAt + 2*n) / KeepW)) begin
              times_q[128*p + 16*n + 8 +: 8] <=
                  s_axis_rx_tdata_i[AxisW*p + 8*((TimesAt + 2*n) % KeepW) +: 8];
              times_q[128*p + 16*n +: 8]     <=
                  s_axis_rx_tdata_i[AxisW*p + 8*((TimesAt + 2*n) % KeepW) + 8 +: 8];
            end
          end
        end
      end
    end
  end

  pfc_timers #(.Ports(Ports), .ResponseW(ResponseW)) u_timers (
    .clk_i, .rst_ni, .step_i, .response_i,
    .take_i  (pfc_q),
    .enable_i(enable_q),
    .times_i (times_q),
    .pause_o
  );

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (AxisW < weir_pkg::MinAxisW || AxisW > weir_pkg::MaxAxisW ||
        (AxisW & (AxisW - 1)) != 0) begin
      $fatal(1, "AxisW = %0d: must be a power of two from %0d to %0d", AxisW, weir_pkg::MinAxisW,
             weir_pkg::MaxAxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
    if (FcsInStream != 0 && FcsInStream != 1) begin
      $fatal(1, "FcsInStream = %0d: must be 0 or 1", FcsInStream);
    end
  end

endmodule
