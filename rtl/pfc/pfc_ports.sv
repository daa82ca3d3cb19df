// SPDX-License-Identifier: Apache-2.0
//
// PFC of all ports: what they owe their peers, and what their peers ask of them.
//
// Units:   as pfc_generator and pfc_receiver. Port p at [p*W +: W].
// Latency: that of pfc_generator and pfc_receiver. sent_o in the cycle in which a frame starts,
//          received_o in that after the last beat of a PFC frame.
// Golden:  that of pfc_generator and pfc_receiver, compared by tb/lockstep as a part of weir_mmu.
// Source:  docs/design/contract.md, 3; 802.1Qbb.
module pfc_ports #(
  parameter int Ports       = 8,   // 1 .. MaxPorts
  parameter int Steps       = 2,   // of a cycle, in all domains: 1 .. MaxSteps
  parameter int PfcLatency  = pipeline_latency_pkg::PfcLatencyUsual,  // from a change to request_o
  parameter int AxisW       = 512, // bits of a beat: 2^n, MinAxisW .. MaxAxisW
  parameter int FcsInStream = 1,   // frames have their FCS: 0 or 1
  parameter int RowW        = $clog2(Ports * 8)  // derived: do not override
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,         // asynchronous, active low

  // Levels of the priority groups (PGs) after the verdicts of this cycle, and what these turned
  input  logic [Ports*8-1:0]       xoff_i,
  input  logic [Steps-1:0]         turn_i,
  input  logic [Steps*RowW-1:0]    turn_pg_i,

  // Configuration
  input  logic [8*3-1:0]           pg_of_class_i,  // number of the PG of each class, at all ports
  input  logic [15:0]              quanta_i,
  input  logic [Ports*32-1:0]      step_i,
  input  logic [Ports*24-1:0]      response_i,
  input  logic [Ports*48-1:0]      source_i,
  input  logic [Ports*32-1:0]      source_fcs_i,

  // Transmitting MACs
  output logic [Ports-1:0]         request_o,
  input  logic [Ports-1:0]         start_i,
  output logic [Ports-1:0]         start_ready_o,
  output logic [Ports-1:0]         start_sends_o,
  output logic [Ports*AxisW-1:0]   m_axis_pfc_tdata_o,
  output logic [Ports*AxisW/8-1:0] m_axis_pfc_tkeep_o,
  output logic [Ports-1:0]         m_axis_pfc_tvalid_o,
  input  logic [Ports-1:0]         m_axis_pfc_tready_i,
  output logic [Ports-1:0]         m_axis_pfc_tlast_o,

  // Receiving MACs
  input  logic [Ports*AxisW-1:0]   s_axis_rx_tdata_i,
  input  logic [Ports*AxisW/8-1:0] s_axis_rx_tkeep_i,
  input  logic [Ports-1:0]         s_axis_rx_tvalid_i,
  input  logic [Ports-1:0]         s_axis_rx_tlast_i,
  input  logic [Ports-1:0]         s_axis_rx_tuser_i,
  output logic [Ports*8-1:0]       pause_o,

  // For counters: strobes
  output logic [Ports-1:0]         sent_o,
  output logic [Ports-1:0]         received_o
);

  // The generator gets the levels before the steps, and the turns, which are known last.
  logic [Ports-1:0]   changed;        // a level of the port, even if it turned twice
  logic [Ports*8-1:0] xoff_q, turned;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      xoff_q <= '0;
    end else begin
      xoff_q <= xoff_i;
    end
  end

  always_comb begin
    logic [Ports*8-1:0] here;
    changed = '0;
    turned  = '0;
    here    = '0;
    for (int s = 0; s < Steps; s++) begin
      if (turn_i[s]) begin
        here   = (Ports*8)'(1) << turn_pg_i[s*RowW +: RowW];
        turned = turned ^ here;
        changed[32'(turn_pg_i[s*RowW +: RowW]) >> 3] = 1'b1;
      end
    end
  end

  pfc_generator #(
    .Ports(Ports), .PfcLatency(PfcLatency), .AxisW(AxisW), .FcsInStream(FcsInStream)
  ) u_generator (
    .clk_i, .rst_ni,
    .xoff_before_i(xoff_q),
    .xoff_turned_i(turned),
    .changed_i    (changed),
    .pg_of_class_i, .quanta_i, .step_i, .source_i, .source_fcs_i,
    .request_o, .start_i, .start_ready_o, .start_sends_o,
    .m_axis_pfc_tdata_o, .m_axis_pfc_tkeep_o, .m_axis_pfc_tvalid_o, .m_axis_pfc_tready_i,
    .m_axis_pfc_tlast_o
  );
  assign sent_o = start_i & start_ready_o & start_sends_o;

  logic [Ports-1:0]   ended;
  logic [Ports*3-1:0] verdict;
  logic               unused_stat;
  assign unused_stat = &{1'b0, ended, verdict};
  pfc_receiver #(
    .Ports(Ports), .AxisW(AxisW), .ResponseW(24), .FcsInStream(FcsInStream)
  ) u_receiver (
    .clk_i, .rst_ni, .step_i, .response_i, .s_axis_rx_tdata_i, .s_axis_rx_tkeep_i,
    .s_axis_rx_tvalid_i, .s_axis_rx_tlast_i, .s_axis_rx_tuser_i, .pause_o,
    .stat_frame_o(ended), .stat_pfc_o(received_o), .stat_verdict_o(verdict)
  );
  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Steps < 1 || Steps > weir_pkg::MaxSteps)
      $fatal(1, "Steps = %0d: must be 1 to %0d", Steps, weir_pkg::MaxSteps);
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
