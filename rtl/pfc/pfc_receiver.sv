// SPDX-License-Identifier: Apache-2.0
//
// Which of the eight classes of each port may not start a frame, as the PFC frames of its peer ask.
//
// One module for all ports, so that a simulator passes all idle ports with one look: only a port
// with a beat or a running timer is touched. The description below is per port.
//
// Every frame of the port comes by; a PFC frame loads the timers of its enabled classes, any other
// is counted by the first reason why it is none. The timers are those of pfc_timers.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and
//          speed.
// Latency: a frame acts at the clock edge that takes its last beat, the edge at or after its last
//          bit: pause_o shows it in the cycle after that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pfc_frame.hpp (decode) and pause_timer.hpp
//          (CycleTimeBase), compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_receiver #(
  parameter int Ports     = 1,   // 1 .. 4096; port p of width W lies at [p*W +: W]
  parameter int AxisW     = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW = 16,  // width of the response time: 1 .. 32
  parameter int CountW    = 32   // width of a frame counter; it stays at its maximum: 1 .. 64
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,            // asynchronous, active low

  // Configuration, static
  input  logic [Ports*32-1:0]        step_i,            // >= 1
  input  logic [Ports*ResponseW-1:0] response_i,        // cycles from the last bit to the blocking

  // Frames from the MAC, octet n of a beat in [8n+7:8n], FCS included; always accepted. All beats
  // of a frame but the last are full; the last one has at least octet 0 and no gaps.
  input  logic [Ports*AxisW-1:0]     s_axis_rx_tdata_i,
  input  logic [Ports*AxisW/8-1:0]   s_axis_rx_tkeep_i,
  input  logic [Ports-1:0]           s_axis_rx_tvalid_i,
  input  logic [Ports-1:0]           s_axis_rx_tlast_i,
  input  logic [Ports-1:0]           s_axis_rx_tuser_i, // with the last beat: bad FCS

  output logic [Ports*8-1:0]         pause_o,           // bit n: class n may not start a frame

  // One frame has ended: a strobe, its verdict, and how many of each verdict there were
  output logic [Ports-1:0]           stat_frame_o,
  output logic [Ports*3-1:0]         stat_verdict_o,    // 0 PFC, or 1 + the error of decode()
  output logic [Ports*7*CountW-1:0]  stat_count_o       // part v: frames of verdict v
);

  localparam int KeepW = AxisW / 8;
  localparam int Beats = 64 / KeepW;           // of a PFC frame
  localparam int BeatW = $clog2(Beats + 1);

  // Verdicts, in the order in which a receiver looks.
  localparam logic [2:0] Pfc = 3'd0, TooShort = 3'd1, BadFcs = 3'd2, NotMacControl = 3'd3,
                         WrongAddress = 3'd4, WrongOpcode = 3'd5, TooLong = 3'd6;

  // Where the fields lie, in octets of the frame. No field's octets are split but the times'.
  localparam int TypeAt   = 12;                // type and opcode
  localparam logic [47:0] Address = 48'h01_00_00_c2_80_01;  // 01-80-C2-00-00-01
  localparam logic [15:0] MacControl = 16'h08_88, PfcOpcode = 16'h01_01;

  localparam int TypeBeat = TypeAt / KeepW;
  localparam int TypeBit  = 8 * (TypeAt % KeepW);

  // An idle port has nothing to look at: the guards save simulation time. For the same reason no
  // function has a variable of more than 64 bits.

  // ---- Parse ----
  // {opcode, type, address are those of PFC}, as far as the beats up to this one show.
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

  logic [Ports*BeatW-1:0] beat_q;              // beats before this one; Beats also means more
  logic [Ports*3-1:0]     header_d, header_q, verdict;
  logic [Ports-1:0]       frame_end, take;
  logic                   unused_octets;       // source, padding; keep without gaps

  assign unused_octets = &{1'b0, s_axis_rx_tdata_i, s_axis_rx_tkeep_i};
  assign frame_end     = s_axis_rx_tvalid_i & s_axis_rx_tlast_i;

  always_comb begin
    header_d = '0;
    verdict  = '0;
    take     = '0;
    if (s_axis_rx_tvalid_i != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (s_axis_rx_tvalid_i[p]) begin
          header_d[3*p +: 3] = header(beat_q[p*BeatW +: BeatW], header_q[3*p +: 3],
                                      s_axis_rx_tdata_i[p*AxisW +: 48],
                                      s_axis_rx_tdata_i[p*AxisW + TypeBit +: 32]);
          verdict[3*p +: 3]  = verdict_of(beat_q[p*BeatW +: BeatW],
                                          s_axis_rx_tkeep_i[p*KeepW + KeepW-1],
                                          s_axis_rx_tuser_i[p], header_d[3*p +: 3]);
          take[p]            = s_axis_rx_tlast_i[p] && verdict[3*p +: 3] == Pfc;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_parse
    logic [Ports*BeatW-1:0] beat;
    logic [Ports*3-1:0]     told;
    if (!rst_ni) begin
      beat_q   <= '0;
      header_q <= '0;
    end else if (s_axis_rx_tvalid_i != '0) begin
      beat = beat_q;
      told = header_q;
      for (int p = 0; p < Ports; p++) begin
        if (s_axis_rx_tvalid_i[p]) begin
          told[3*p +: 3] = header_d[3*p +: 3];
          if (s_axis_rx_tlast_i[p]) begin
            beat[p*BeatW +: BeatW] = '0;
          end else if (beat[p*BeatW +: BeatW] != BeatW'(Beats)) begin
            beat[p*BeatW +: BeatW] = beat[p*BeatW +: BeatW] + 1'b1;
          end
        end
      end
      beat_q   <= beat;
      header_q <= told;
    end
  end

  // ---- Timers ----
  // In groups: a simulator passes the idle ports of one with one look, and a synthesizer maps one
  // group for all.
  localparam int GroupPorts = 8;

  for (genvar first = 0; first < Ports; first = first + GroupPorts) begin : gen_group
    localparam int Size = (Ports - first < GroupPorts) ? Ports - first : GroupPorts;
    pfc_timers #(.Ports(Size), .AxisW(AxisW), .ResponseW(ResponseW)) u_timers (
      .clk_i, .rst_ni,
      .step_i    (step_i[32*first +: 32*Size]),
      .response_i(response_i[ResponseW*first +: ResponseW*Size]),
      .data_i    (s_axis_rx_tdata_i[AxisW*first +: AxisW*Size]),
      .valid_i   (s_axis_rx_tvalid_i[first +: Size]),
      .beat_i    (beat_q[BeatW*first +: BeatW*Size]),
      .take_i    (take[first +: Size]),
      .pause_o   (pause_o[8*first +: 8*Size])
    );
  end

  // ---- Counters ----
  logic [Ports*7*CountW-1:0] count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin : p_count
    logic [Ports*7*CountW-1:0] count;
    logic [Ports*3-1:0]        last;
    logic [CountW-1:0]         frames;         // of this verdict, with this one: one adder a port
    if (!rst_ni) begin
      count_q        <= '0;
      stat_verdict_o <= '0;
    end else if (frame_end != '0) begin
      count  = count_q;
      last   = stat_verdict_o;
      frames = '0;
      for (int p = 0; p < Ports; p++) begin
        if (frame_end[p]) begin
          frames         = '0;                 // a port does not wait for the one before
          last[3*p +: 3] = verdict[3*p +: 3];
          for (int v = 0; v < 7; v++) begin
            if (verdict[3*p +: 3] == 3'(v)) frames = count_q[(7*p + v)*CountW +: CountW];
          end
          if (frames != '1) frames = frames + 1'b1;
          for (int v = 0; v < 7; v++) begin
            if (verdict[3*p +: 3] == 3'(v)) count[(7*p + v)*CountW +: CountW] = frames;
          end
        end
      end
      count_q        <= count;
      stat_verdict_o <= last;
    end
  end
  assign stat_count_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stat_frame_o <= '0;
    end else begin
      stat_frame_o <= frame_end;
    end
  end

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
    if (CountW < 1 || CountW > 64) $fatal(1, "CountW = %0d: must be 1 to 64", CountW);
  end

endmodule
