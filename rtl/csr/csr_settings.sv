// SPDX-License-Identifier: Apache-2.0
//
// All registers that software sets, block by block, and the settings as the MMU sees them.
//
// Units:   as docs/reference/registers.md.
// Latency: value_o and the places in the same cycle, setting_o in the next one; a write is in the
//          outputs in the cycle after it.
// Memory:  that of csr_ports.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_settings #(
  parameter int Ports         = 8,   // 1 .. MaxPorts
  parameter int Domains       = 1,   // memory domains, 1 .. MaxDomains
  parameter int Lanes         = 1,   // arrivals, and releases, per domain and cycle: 1 .. MaxLanes
  parameter int Profiles      = 2,   // 1 .. MaxProfiles
  parameter int QueueProfiles = 1,   // 1 .. MaxProfiles
  parameter int Pools         = 1,   // ingress pools, 1 .. MaxPools, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. MaxPools, at most 8 a port
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // shown in chip.admit
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,    // shown in chip.pfc
  parameter int ThresholdLag  = pipeline_latency_pkg::ThresholdLagUsual,  // chip.threshold_lag
  parameter int MarkLatency   = pipeline_latency_pkg::MarkLatencyUsual,   // shown in chip.mark
  parameter int WredProfiles  = 0,   // 0 .. MaxProfiles
  parameter int RowW          = $clog2(Ports * 8),                   // derived: do not override
  parameter int DomainW       = (Domains > 1) ? $clog2(Domains) : 1, // derived: do not override
  parameter int WredWords     = (WredProfiles > 0) ? WredProfiles : 1, // derived: do not override
  parameter int WredMapW      = $clog2(WredWords + 1)                // derived: do not override
) (
  input  logic        clk_i,
  input  logic        rst_ni,       // asynchronous, active low
  output logic        init_done_o,  // the memory of port settings is cleared

  // The register, which exists: looked at, or written with a value that is legal
  input  logic        look_i,
  input  logic        act_i,
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic [23:0] index_i,
  input  logic [31:0] wdata_i,
  input  logic        started_i,
  output logic [31:0] value_o,      // 0 unless it is looked at and in flip-flops here
  output logic [31:0] setting_o,    // a setting of a port

  // Where the register leads in the domains
  output logic [RowW-1:0]    row_of_pair_o,     // pool and domain of an instance of a pool block
  output logic [DomainW-1:0] domain_of_pair_o,
  output logic [DomainW-1:0] domain_of_port_o,  // domain of its port

  // Settings, as levels; as in csr
  output logic [Domains*Profiles*weir_pkg::ProfileBits-1:0]       cfg_profile_o,
  output logic [Domains*Pools*weir_pkg::PoolBits-1:0]             cfg_pool_o,
  output logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0]     cfg_queue_profile_o,
  output logic [Domains*EgressPools*weir_pkg::EgressPoolBits-1:0] cfg_egress_pool_o,
  output logic [8*3-1:0]                                          pg_of_class_o,
  output logic [15:0]                                             quanta_o,
  output logic [Ports*32-1:0]                                     step_o,
  output logic [Ports*24-1:0]                                     response_o,
  output logic [Ports*48-1:0]                                     source_o,
  output logic [Ports*32-1:0]                                     source_fcs_o,
  output logic [WredWords*wred_pkg::ProfileBits-1:0]              cfg_wred_o,
  output logic [Ports*8*WredMapW-1:0]                             wred_map_o,
  output logic [Ports*16-1:0]                                     polynomial_o,
  output logic [Ports-1:0]                                        seed_load_o,
  output logic [wred_pkg::StateW-1:0]                             seed_o
);

  // Each value is 0 unless it is the one.
  logic [31:0] chip_value, profile_value, queue_profile_value, pool_value, wred_value;
  assign value_o = chip_value | profile_value | queue_profile_value | pool_value | wred_value;

  csr_chip #(
    .Ports(Ports), .Domains(Domains), .Lanes(Lanes), .Profiles(Profiles),
    .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools),
    .AdmitLatency(AdmitLatency), .PfcLatency(PfcLatency), .ThresholdLag(ThresholdLag),
    .MarkLatency(MarkLatency), .WredProfiles(WredProfiles)
  ) u_chip (
    .clk_i, .rst_ni,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .wdata_i,
    .started_i,
    .value_o  (chip_value),
    .pg_of_class_o,
    .quanta_o
  );

  csr_profiles #(.Domains(Domains), .Profiles(Profiles)) u_profiles (
    .clk_i, .rst_ni,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .index_i,
    .wdata_i,
    .value_o(profile_value),
    .cfg_profile_o
  );

  csr_queue_profiles #(.QueueProfiles(QueueProfiles)) u_queue_profiles (
    .clk_i, .rst_ni,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .index_i,
    .wdata_i,
    .value_o(queue_profile_value),
    .cfg_queue_profile_o
  );

  csr_pools #(
    .Ports(Ports), .Domains(Domains), .Pools(Pools), .EgressPools(EgressPools)
  ) u_pools (
    .clk_i, .rst_ni,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .index_i,
    .wdata_i,
    .value_o (pool_value),
    .row_o   (row_of_pair_o),
    .domain_o(domain_of_pair_o),
    .cfg_pool_o,
    .cfg_egress_pool_o
  );

  csr_ports #(.Ports(Ports), .Domains(Domains)) u_ports (
    .clk_i, .rst_ni,
    .init_done_o,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .index_i,
    .wdata_i,
    .setting_o,
    .domain_o (domain_of_port_o),
    .step_o,
    .response_o,
    .source_o,
    .source_fcs_o
  );

  csr_wred #(.Ports(Ports), .Profiles(WredProfiles)) u_wred (
    .clk_i, .rst_ni,
    .look_i,
    .act_i,
    .block_i,
    .word_i,
    .index_i,
    .wdata_i,
    .value_o(wred_value),
    .cfg_wred_o,
    .map_o  (wred_map_o),
    .polynomial_o,
    .load_o (seed_load_o),
    .seed_o
  );

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
    if (Pools < 1 || Pools > Ports * 8 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d, at most one for each priority group", Pools,
             weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > Ports * 8 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d, at most one for each queue", EgressPools,
             weir_pkg::MaxPools);
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
