// SPDX-License-Identifier: Apache-2.0
//
// Registers of the chip as a whole: block `chip` of the register map. chip.clear_stats and
// chip.start act in csr, which has no value of theirs but started_i.
//
// Units:   as docs/reference/registers.md.
// Latency: value_o in the same cycle; a write is in the outputs in the cycle after it.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_chip #(
  parameter int Ports         = 8,  // shown, as the others: 1 .. MaxPorts
  parameter int Domains       = 1,  // 1 .. MaxDomains
  parameter int Lanes         = 1,  // 1 .. MaxLanes
  parameter int Profiles      = 2,  // 1 .. MaxProfiles
  parameter int QueueProfiles = 1,  // 1 .. MaxProfiles
  parameter int Pools         = 1,  // 1 .. MaxPools
  parameter int EgressPools   = 1,  // 1 .. MaxPools
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,
  parameter int ThresholdLag  = pipeline_latency_pkg::ThresholdLagUsual,
  parameter int MarkLatency   = pipeline_latency_pkg::MarkLatencyUsual,
  parameter int WredProfiles  = 0   // 0 .. MaxProfiles
) (
  input  logic        clk_i,
  input  logic        rst_ni,   // asynchronous, active low

  // The register, which exists: looked at, or written with a value that is legal
  input  logic        look_i,
  input  logic        act_i,
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic [31:0] wdata_i,
  input  logic        started_i,
  output logic [31:0] value_o,  // 0 unless it is looked at and of this block

  output logic [8*3-1:0] pg_of_class_o,  // PG of each priority
  output logic [15:0]    quanta_o
);

  logic [15:0]    cell_q, overhead_q, mtu_q, quanta_q;
  logic [13:0]    clock_q;
  logic [20:0]    fifo_q;
  logic [8*3-1:0] pg_of_class_q;
  logic           mine;
  assign mine          = block_i == csr_map_pkg::ChipBlock;
  assign pg_of_class_o = pg_of_class_q;
  assign quanta_o      = quanta_q;

  always_comb begin
    value_o = '0;
    if (look_i && mine) case (word_i)
      csr_map_pkg::ChipId:            value_o = csr_map_pkg::Id;
      csr_map_pkg::ChipVersion:       value_o = csr_map_pkg::Version;
      csr_map_pkg::ChipMapVersion:    value_o = csr_map_pkg::MapVersion;
      csr_map_pkg::ChipPorts:         value_o = 32'(Ports);
      csr_map_pkg::ChipDomains:       value_o = 32'(Domains);
      csr_map_pkg::ChipLanes:         value_o = 32'(Lanes);
      csr_map_pkg::ChipCell:          value_o = 32'(cell_q);
      csr_map_pkg::ChipCellOverhead:  value_o = 32'(overhead_q);
      csr_map_pkg::ChipClock:         value_o = 32'(clock_q);
      csr_map_pkg::ChipAdmit:         value_o = 32'(AdmitLatency);
      csr_map_pkg::ChipPfc:           value_o = 32'(PfcLatency);
      csr_map_pkg::ChipThresholdLag:  value_o = 32'(ThresholdLag);
      csr_map_pkg::ChipMtu:           value_o = 32'(mtu_q);
      csr_map_pkg::ChipProfiles:      value_o = 32'(Profiles);
      csr_map_pkg::ChipPools:         value_o = 32'(Pools);
      csr_map_pkg::ChipPortFifo:      value_o = 32'(fifo_q);
      csr_map_pkg::ChipQuanta:        value_o = 32'(quanta_q);
      csr_map_pkg::ChipStart:         value_o = 32'(started_i);
      csr_map_pkg::ChipQueueProfiles: value_o = 32'(QueueProfiles);
      csr_map_pkg::ChipEgressPools:   value_o = 32'(EgressPools);
      csr_map_pkg::ChipMark:          value_o = 32'(MarkLatency);
      csr_map_pkg::ChipWredProfiles:  value_o = 32'(WredProfiles);
      csr_map_pkg::ChipPgOfPriority: begin
        for (int n = 0; n < 8; n++) value_o[4*n +: 3] = pg_of_class_q[3*n +: 3];
      end
      default:                        value_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cell_q        <= '0;
      overhead_q    <= '0;
      clock_q       <= '0;
      mtu_q         <= '0;
      fifo_q        <= '0;
      quanta_q      <= '0;
      pg_of_class_q <= '0;
    end else if (act_i && mine) begin
      case (word_i)
        csr_map_pkg::ChipCell:         cell_q     <= wdata_i[15:0];
        csr_map_pkg::ChipCellOverhead: overhead_q <= wdata_i[15:0];
        csr_map_pkg::ChipClock:        clock_q    <= wdata_i[13:0];
        csr_map_pkg::ChipMtu:          mtu_q      <= wdata_i[15:0];
        csr_map_pkg::ChipPortFifo:     fifo_q     <= wdata_i[20:0];
        csr_map_pkg::ChipQuanta:       quanta_q   <= wdata_i[15:0];
        csr_map_pkg::ChipPgOfPriority: begin
          for (int n = 0; n < 8; n++) pg_of_class_q[3*n +: 3] <= wdata_i[4*n +: 3];
        end
        default: ;
      endcase
    end
  end

  logic unused_bits;  // of the nibbles of a map, the highest one
  assign unused_bits = &{1'b0, wdata_i};

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (QueueProfiles < 1 || QueueProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "QueueProfiles = %0d: must be 1 to %0d", QueueProfiles, weir_pkg::MaxProfiles);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d", EgressPools, weir_pkg::MaxPools);
    if (AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeast ||
        AdmitLatency > pipeline_latency_pkg::AdmitLatencyGreatest) begin
      $fatal(1, "AdmitLatency = %0d: must be %0d to %0d", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeast, pipeline_latency_pkg::AdmitLatencyGreatest);
    end
    if (PfcLatency < pipeline_latency_pkg::PfcLatencyLeast ||
        PfcLatency > pipeline_latency_pkg::PfcLatencyGreatest) begin
      $fatal(1, "PfcLatency = %0d: must be %0d to %0d", PfcLatency,
             pipeline_latency_pkg::PfcLatencyLeast, pipeline_latency_pkg::PfcLatencyGreatest);
    end
    if (ThresholdLag < pipeline_latency_pkg::ThresholdLagLeast ||
        ThresholdLag > pipeline_latency_pkg::ThresholdLagGreatest) begin
      $fatal(1, "ThresholdLag = %0d: must be %0d to %0d", ThresholdLag,
             pipeline_latency_pkg::ThresholdLagLeast, pipeline_latency_pkg::ThresholdLagGreatest);
    end
    if (MarkLatency < pipeline_latency_pkg::MarkLatencyLeast ||
        MarkLatency > pipeline_latency_pkg::MarkLatencyGreatest) begin
      $fatal(1, "MarkLatency = %0d: must be %0d to %0d", MarkLatency,
             pipeline_latency_pkg::MarkLatencyLeast, pipeline_latency_pkg::MarkLatencyGreatest);
    end
    if (WredProfiles < 0 || WredProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "WredProfiles = %0d: must be 0 to %0d", WredProfiles, weir_pkg::MaxProfiles);
  end

endmodule
