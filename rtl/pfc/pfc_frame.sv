// SPDX-License-Identifier: Apache-2.0
//
// The PFC frames that ports are sending, beat by beat.
//
//   frame = address, source, type, opcode, vector, times, padding, FCS
//   FCS   = that of the constants ^ what source, vector and times contribute
//
// The times are the quanta or 0, so what they contribute is one of two values a class, which all
// ports share.
//
// Units:   quanta of 512 bit times; octet n of a beat in [8n+7:8n]. Port p at [p*W +: W].
// Latency: 0 from valid_i. began_i is in the first cycle of a frame, in which quanta_fcs_i counts.
// Golden:  systemc/include/weir/core/pfc/pfc_frame.hpp (octets), compared every cycle by
//          tb/lockstep as a part of pfc_generator.
// Source:  802.1Qbb; 802.3 Annex 31D.
module pfc_frame #(
  parameter int Ports       = 1,   // 1 .. MaxPorts
  parameter int AxisW       = 512, // bits of a beat: 2^n, MinAxisW .. MaxAxisW
  parameter int FcsInStream = 1    // 1: the frame is 64 octets; 0: 60, the MAC appends the FCS
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,         // asynchronous, active low
  input  logic [8*3-1:0]           pg_of_class_i,  // priority group (PG) of each class
  input  logic [Ports*48-1:0]      source_i,       // station address, first octet in [47:40]
  input  logic [Ports*32-1:0]      source_fcs_i,   // what it contributes to the FCS
  input  logic [8*32-1:0]          quanta_fcs_i,   // what quanta_i contribute at each class
  input  logic [Ports-1:0]         began_i,
  input  logic [Ports-1:0]         valid_i,        // a beat is on the stream; else it is 0
  input  logic [Ports-1:0]         ready_i,        // it is taken
  input  logic [Ports*8-1:0]       enable_i,       // vector and XOFF, by PG; all static while valid
  input  logic [Ports*8-1:0]       xoff_i,
  input  logic [Ports*16-1:0]      quanta_i,       // of the frame
  output logic [Ports*AxisW-1:0]   data_o,
  output logic [Ports*AxisW/8-1:0] keep_o,
  output logic [Ports-1:0]         last_o
);

  localparam int Beats     = 512 / AxisW;
  localparam int BeatW     = (Beats > 1) ? $clog2(Beats) : 1;
  localparam int KeepW     = AxisW / 8;
  localparam int FcsOctets = 4;
  localparam logic [KeepW-1:0] FullBeat = '1;

  localparam int FieldW   = pfc_frame_pkg::FieldW;
  localparam int EnableAt = 8 * (pfc_frame_pkg::EnableAt - pfc_frame_pkg::SourceAt);
  localparam int Padding  = 8 * (pfc_frame_pkg::FcsAt - pfc_frame_pkg::SourceAt) - FieldW;
  localparam logic [32*FieldW-1:0] FcsColumn =
      pfc_frame_pkg::fcs_columns(pfc_frame_pkg::Polynomial);
  localparam logic [31:0] FcsOfConstants =
      pfc_frame_pkg::fcs_of_constants(pfc_frame_pkg::Polynomial);

  // ---- Which beat ----
  logic [Ports*BeatW-1:0] beat;
  if (Beats == 1) begin : gen_one_beat
    logic unused_ready;
    assign unused_ready = ^ready_i;
    assign beat         = '0;
  end else begin : gen_beats
    logic [Ports*BeatW-1:0] beat_q;
    assign beat = beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        beat_q <= '0;
      end else begin
        for (int p = 0; p < Ports; p++) begin
          if (valid_i[p] && ready_i[p]) begin
            beat_q[BeatW*p +: BeatW] <= beat_q[BeatW*p +: BeatW] + 1'b1;
          end
        end
      end
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    assign last_o[p] = beat[BeatW*p +: BeatW] == BeatW'(Beats - 1);
    assign keep_o[KeepW*p +: KeepW] = (FcsInStream == 1 || !last_o[p]) ? FullBeat :
                                      FullBeat >> FcsOctets;
  end

  // ---- Its octets ----
  logic [Ports*32-1:0] fcs_now, fcs_q;

  // The guards save simulation time.
  always_comb begin
    logic [7:0]   named, paused;  // PGs
    logic [7:0]   enable, xoff;   // of their classes
    logic [47:0]  source;
    logic [127:0] times;
    logic [31:0]  fcs;
    named   = '0;
    paused  = '0;
    enable  = '0;
    xoff    = '0;
    source  = '0;
    times   = '0;
    fcs     = '0;
    fcs_now = fcs_q;
    data_o  = '0;
    if (valid_i != '0) for (int p = 0; p < Ports; p++) begin
      if (valid_i[p]) begin
        for (int n = 0; n < 6; n++) source[8*n +: 8] = source_i[48*p + 40 - 8*n +: 8];
        named  = enable_i[8*p +: 8];
        paused = xoff_i[8*p +: 8];
        fcs    = FcsOfConstants ^ source_fcs_i[32*p +: 32];
        for (int n = 0; n < 8; n++) begin
          enable[n] = named[pg_of_class_i[3*n +: 3]];
          xoff[n]   = paused[pg_of_class_i[3*n +: 3]];
          times[16*n +: 16] = {quanta_i[16*p +: 8], quanta_i[16*p + 8 +: 8]} & {16{xoff[n]}};
          fcs = fcs ^ (quanta_fcs_i[32*n +: 32] & {32{xoff[n]}});
        end
        for (int j = 0; j < 32; j++) begin
          fcs[j] = fcs[j] ^ (^(enable & FcsColumn[j*FieldW + EnableAt +: 8]));
        end
        fcs_now[32*p +: 32] = fcs;
        if (Beats > 1 || !began_i[p]) fcs = fcs_q[32*p +: 32];
        if (FcsInStream == 0) fcs = '0;
        data_o[AxisW*p +: AxisW] =
            AxisW'({fcs, {Padding{1'b0}}, times, enable, 8'b0, pfc_frame_pkg::Opcode,
                    pfc_frame_pkg::MacControl, source, pfc_frame_pkg::Address} >>
                   (32'(beat[BeatW*p +: BeatW]) * AxisW));
      end
    end
  end

  // Quanta written while a beat waits are those of later frames.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fcs_q <= '0;
    end else if (began_i != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (began_i[p]) fcs_q[32*p +: 32] <= fcs_now[32*p +: 32];
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (AxisW < weir_pkg::MinAxisW || AxisW > weir_pkg::MaxAxisW ||
        (AxisW & (AxisW - 1)) != 0) begin
      $fatal(1, "AxisW = %0d: must be a power of two from %0d to %0d", AxisW, weir_pkg::MinAxisW,
             weir_pkg::MaxAxisW);
    end
    if (FcsInStream != 0 && FcsInStream != 1) begin
      $fatal(1, "FcsInStream = %0d: must be 0 or 1", FcsInStream);
    end
  end

endmodule
