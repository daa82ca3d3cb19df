// SPDX-License-Identifier: Apache-2.0
//
// Which PFC frame each port owes its peer, and when: remembers what was last sent, no more.
//
// A frame says `quanta` for the classes in XOFF and 0 for those that are XON but were last sent
// another value. It is built from the levels of the cycle in which the MAC starts it, so a class
// that went XOFF and back while the MAC was busy costs nothing. Levels are kept by priority group
// (PG), and become those of the classes in the frame. The refresh timer is a register of
// quanta x 2^15, half of the quanta, that loses step_i a clock edge; it is kept negative, so that
// the carry ends it.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock: one RTL for any clock and
//          speed. Port p at [p*W +: W]; a state of one bit is a vector of the ports.
// Latency: a level is part of a frame started in the same cycle. request_o rises PfcLatency cycles
//          after a change, and ceil(quanta x 2^15 / step_i) cycles after a start whose frame said
//          XOFF. The frame's first beat is valid in the cycle after start_i.
// Golden:  systemc/include/weir/core/pfc/pfc_generator.hpp (build, refresh) and pfc_frame.hpp
//          (octets), compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3; 802.1Qbb; 802.3 Annex 31D.
module pfc_generator #(
  parameter int Ports       = 1,   // 1 .. MaxPorts
  parameter int PfcLatency  = pipeline_latency_pkg::PfcLatencyUsual,  // from a change to request_o
  parameter int AxisW       = 512, // bits of a beat: 2^n, MinAxisW .. MaxAxisW
  parameter int FcsInStream = 1    // 1: the frame is 64 octets; 0: 60, the MAC appends the FCS
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,        // asynchronous, active low

  // Levels of all PGs before the verdicts of this cycle, and those that the verdicts turn. A PG
  // that they turn twice is what it was, and yet has changed.
  input  logic [Ports*8-1:0]       xoff_before_i,
  input  logic [Ports*8-1:0]       xoff_turned_i,
  input  logic [Ports-1:0]         changed_i,     // of some PG of the port

  // Configuration, static but for the quanta
  input  logic [8*3-1:0]           pg_of_class_i, // number of the PG of each class, at all ports
  input  logic [15:0]              quanta_i,      // 1 .. 65535, of the frames from now on
  input  logic [Ports*32-1:0]      step_i,        // >= 1
  input  logic [Ports*48-1:0]      source_i,      // station address, first octet in [47:40]
  input  logic [Ports*32-1:0]      source_fcs_i,  // what it contributes to the FCS

  // Transmitting MACs
  output logic [Ports-1:0]         request_o,     // a frame is owed
  input  logic [Ports-1:0]         start_i,       // starts now; counts with request_o, ready
  output logic [Ports-1:0]         start_ready_o, // 0: beats of the frame before are here
  output logic [Ports-1:0]         start_sends_o, // it has something to say

  // The frames, octet n of a beat in [8n+7:8n]
  output logic [Ports*AxisW-1:0]   m_axis_pfc_tdata_o,
  output logic [Ports*AxisW/8-1:0] m_axis_pfc_tkeep_o,
  output logic [Ports-1:0]         m_axis_pfc_tvalid_o,
  input  logic [Ports-1:0]         m_axis_pfc_tready_i,
  output logic [Ports-1:0]         m_axis_pfc_tlast_o
);

  localparam int TimerW = 32;             // half of the quanta: 16 bits, 15 after the point; sign

  // ---- What is owed ----
  logic [Ports-1:0]   check, refresh, may_start;
  logic [Ports-1:0]   compares;                  // the levels count now
  logic [Ports-1:0]   differs;                   // from what was last sent
  logic [Ports-1:0]   requested_d, requested_q;
  logic [Ports-1:0]   known_to_send;             // whatever the levels are
  logic [Ports-1:0]   pausing_q;                 // the last frame said XOFF
  logic [Ports-1:0]   valid_d, valid_q;          // a frame is being sent
  logic [Ports-1:0]   last_beat;
  logic [7:0]         pg_has_class;
  logic [Ports*8-1:0] level;                     // of the PGs that a class has
  logic [Ports*8-1:0] sent_q;                    // PGs that were last sent XOFF

  delay_line #(.Width(Ports), .Cycles(PfcLatency)) u_check (
    .clk_i, .rst_ni, .word_i(changed_i), .word_o(check)
  );

  always_comb begin
    pg_has_class = '0;
    for (int n = 0; n < 8; n++) pg_has_class[pg_of_class_i[3*n +: 3]] = 1'b1;
  end

  // What the verdicts turn is known last, so it chooses between what is known before.
  logic [Ports*8-1:0] has_class, was;              // levels
  logic [Ports*8-1:0] differ, if_turned;           // where they differ; where they would
  logic [Ports*8-1:0] differ_now;
  assign compares   = check | requested_q;
  assign has_class  = {Ports{pg_has_class}};
  assign was        = xoff_before_i & has_class;
  assign differ     = was ^ sent_q;
  assign if_turned  = ~differ & has_class;
  assign differ_now = (differ & ~xoff_turned_i) | (if_turned & xoff_turned_i);
  assign level      = was ^ (xoff_turned_i & has_class);
  always_comb begin
    for (int p = 0; p < Ports; p++) differs[p] = differ_now[8*p +: 8] != '0;
  end

  // may_start does not wait for the levels and serves where a start without a request would change
  // nothing: they are then those that were last sent, and no frame comes.
  assign may_start     = (compares | refresh) & start_i & start_ready_o;
  assign request_o     = requested_q | refresh | (check & differs);
  assign start_ready_o = ~valid_q | (m_axis_pfc_tready_i & last_beat);
  assign known_to_send = (requested_q & pausing_q) | refresh;
  assign start_sends_o = known_to_send | (compares & differs);
  assign requested_d   = ~may_start & (requested_q | (check & differs));
  assign valid_d       = (may_start & known_to_send) | (may_start & compares & differs) |
                         (~may_start & valid_q & ~(m_axis_pfc_tready_i & last_beat));

  // ---- The refresh ----
  logic [Ports-1:0]        runs;                 // the timer: it is not 0, and it matters
  logic [Ports-1:0]        ends;                 // with this edge
  logic [Ports-1:0]        began_q;              // with the edge before: its quanta are in quanta_q
  logic [Ports-1:0]        due_d, due_q;
  logic [Ports*16-1:0]     quanta_q;             // of the last frame
  logic [Ports*TimerW-1:0] left_d, left_q;       // negative; meant while the timer runs

  assign runs    = pausing_q & ~due_q;
  assign refresh = pausing_q & (due_q | ends);
  assign due_d   = ~may_start & (due_q | ends);

  // The guards save simulation time; what nothing needs stays.
  always_comb begin
    ends   = '0;
    left_d = left_q;
    if (runs != '0) for (int p = 0; p < Ports; p++) begin
      if (runs[p]) begin
        {ends[p], left_d[TimerW*p +: TimerW]} =
            {1'b0, began_q[p] ? ~{1'b0, quanta_q[16*p +: 16], 15'b0} : left_q[TimerW*p +: TimerW]} +
            {1'b0, step_i[32*p +: 32]} + (TimerW+1)'(began_q[p]);
      end
    end
  end

  // ---- The frames that are being sent ----
  logic [Ports*8-1:0] enable_q;                  // by PG
  logic [8*32-1:0]    quanta_fcs;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      requested_q <= '0;
      due_q       <= '0;
      valid_q     <= '0;
      began_q     <= '0;
      left_q      <= '0;
    end else begin
      requested_q <= requested_d;
      due_q       <= due_d;
      valid_q     <= valid_d;
      began_q     <= may_start & request_o;
      left_q      <= left_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pausing_q <= '0;
      sent_q    <= '0;
      enable_q  <= '0;
      quanta_q  <= '0;
    end else if (may_start != '0) begin
      for (int p = 0; p < Ports; p++) begin
        if (may_start[p]) begin
          pausing_q[p]         <= level[8*p +: 8] != '0;
          sent_q[8*p +: 8]     <= level[8*p +: 8];
          enable_q[8*p +: 8]   <= level[8*p +: 8] | sent_q[8*p +: 8];
          quanta_q[16*p +: 16] <= quanta_i;
        end
      end
    end
  end

  pfc_quanta_fcs u_quanta_fcs (.clk_i, .rst_ni, .quanta_i, .fcs_o(quanta_fcs));

  pfc_frame #(.Ports(Ports), .AxisW(AxisW), .FcsInStream(FcsInStream)) u_frame (
    .clk_i, .rst_ni, .pg_of_class_i, .source_i, .source_fcs_i,
    .quanta_fcs_i(quanta_fcs),
    .began_i     (began_q),
    .valid_i     (valid_q),
    .ready_i     (m_axis_pfc_tready_i),
    .enable_i    (enable_q),
    .xoff_i      (sent_q),
    .quanta_i    (quanta_q),
    .data_o      (m_axis_pfc_tdata_o),
    .keep_o      (m_axis_pfc_tkeep_o),
    .last_o      (last_beat)
  );
  assign m_axis_pfc_tvalid_o = valid_q;
  assign m_axis_pfc_tlast_o  = last_beat;

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (PfcLatency < pipeline_latency_pkg::PfcLatencyLeast ||
        PfcLatency > pipeline_latency_pkg::PfcLatencyGreatest) begin
      $fatal(1, "PfcLatency = %0d: must be %0d to %0d", PfcLatency,
             pipeline_latency_pkg::PfcLatencyLeast, pipeline_latency_pkg::PfcLatencyGreatest);
    end
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
