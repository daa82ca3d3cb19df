// SPDX-License-Identifier: Apache-2.0
//
// PFC of one port: what it owes its peer, and what its peer asks of it.
//
// Units:   as pfc_generator and pfc_receiver.
// Latency: theirs. sent_o in the cycle in which a frame starts, received_o in that after the last
//          beat of a PFC frame.
// Golden:  that of pfc_generator and pfc_receiver, compared by tb/lockstep as a part of weir_mmu.
// Source:  docs/design/contract.md, 3; 802.1Qbb.
module pfc_port #(
  parameter int Steps       = 2,   // of a cycle, that may turn a level: 1 .. 2048
  parameter int PfcLatency  = pipeline_latency_pkg::PfcLatencyUsual,  // from a turn to request_o
  parameter int AxisW       = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW   = 24,  // width of the response time: 1 .. 32
  parameter int FcsInStream = 1    // frames have their FCS: 0 or 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,         // asynchronous, active low

  // Levels of the priority groups of the port before the verdicts of this cycle, and their turns
  input  logic [7:0]           xoff_i,
  input  logic [Steps-1:0]     turn_i,
  input  logic [Steps*3-1:0]   turn_pg_i,
  input  logic [8*3-1:0]       pg_of_class_i,  // number of the PG of each class

  // Configuration
  input  logic [15:0]          quanta_i,
  input  logic [31:0]          step_i,         // >= 1
  input  logic [ResponseW-1:0] response_i,
  input  logic [47:0]          source_i,       // station address

  // Transmitting MAC
  output logic                 request_o,
  input  logic                 start_i,
  output logic                 start_ready_o,
  output logic                 start_sends_o,
  output logic [AxisW-1:0]     m_axis_pfc_tdata_o,
  output logic [AxisW/8-1:0]   m_axis_pfc_tkeep_o,
  output logic                 m_axis_pfc_tvalid_o,
  input  logic                 m_axis_pfc_tready_i,
  output logic                 m_axis_pfc_tlast_o,

  // Receiving MAC
  input  logic [AxisW-1:0]     s_axis_rx_tdata_i,
  input  logic [AxisW/8-1:0]   s_axis_rx_tkeep_i,
  input  logic                 s_axis_rx_tvalid_i,
  input  logic                 s_axis_rx_tlast_i,
  input  logic                 s_axis_rx_tuser_i,
  output logic [7:0]           pause_o,

  // For counters: strobes
  output logic                 sent_o,         // a PFC frame starts
  output logic                 received_o      // a PFC frame has ended
);

  logic       frame_end;
  logic [2:0] verdict;
  assign sent_o     = start_i && start_ready_o && start_sends_o;
  assign received_o = frame_end && verdict == 3'd0;

  pfc_generator #(
    .Steps(Steps), .PfcLatency(PfcLatency), .AxisW(AxisW), .FcsInStream(FcsInStream)
  ) u_generator (
    .clk_i, .rst_ni, .xoff_i, .turn_i, .turn_pg_i, .pg_of_class_i, .quanta_i, .step_i, .source_i,
    .request_o, .start_i, .start_ready_o, .start_sends_o,
    .m_axis_pfc_tdata_o, .m_axis_pfc_tkeep_o, .m_axis_pfc_tvalid_o, .m_axis_pfc_tready_i,
    .m_axis_pfc_tlast_o
  );

  pfc_receiver #(
    .AxisW(AxisW), .ResponseW(ResponseW), .FcsInStream(FcsInStream)
  ) u_receiver (
    .clk_i, .rst_ni, .step_i, .response_i,
    .s_axis_rx_tdata_i, .s_axis_rx_tkeep_i, .s_axis_rx_tvalid_i, .s_axis_rx_tlast_i,
    .s_axis_rx_tuser_i, .pause_o,
    .stat_frame_o  (frame_end),
    .stat_verdict_o(verdict)
  );

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
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
    if (FcsInStream != 0 && FcsInStream != 1) begin
      $fatal(1, "FcsInStream = %0d: must be 0 or 1", FcsInStream);
    end
  end

endmodule
