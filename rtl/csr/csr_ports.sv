// SPDX-License-Identifier: Apache-2.0
//
// Registers of the settings of ports: the CFG registers of block `port` of the register map.
//
// All of them are read from a memory; those that act are in flip-flops as well. A new
// station address updates the FCS of the PFC frames of its port incrementally: only the bits that
// differ from the old word, which the memory shows in the cycle of the write, are XORed in.
//
// Units:   as docs/reference/registers.md; step_o in 2^-16 quanta a clock, response_o in cycles.
// Latency: setting_o in the cycle after its register is looked at, domain_o in the same one; a
//          write is in the outputs in the cycle after it.
// Memory:  16 words a port, ports rounded up to a power of two, one read and one write a cycle;
//          flip-flops, Ports x (136 + DomainW).
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_ports #(
  parameter int Ports   = 8,  // 1 .. MaxPorts
  parameter int Domains = 1,  // memory domains, 1 .. MaxDomains
  parameter int DomainW = (Domains > 1) ? $clog2(Domains) : 1  // derived: do not override
) (
  input  logic        clk_i,
  input  logic        rst_ni,   // asynchronous, active low
  output logic        init_done_o,

  // The register, which exists: looked at, or written with a value that is legal
  input  logic        look_i,
  input  logic        act_i,
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic [23:0] index_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] setting_o,

  output logic [DomainW-1:0]  domain_o,    // of the port that the register belongs to
  output logic [Ports*32-1:0] step_o,      // of pause timers
  output logic [Ports*24-1:0] response_o,
  output logic [Ports*48-1:0] source_o,    // station addresses
  output logic [Ports*32-1:0] source_fcs_o // what they contribute to the FCS of a frame
);

  localparam int PortW = (Ports > 1) ? $clog2(Ports) : 1;

  logic                     writes;
  logic [PortW-1:0]         setting_port;
  assign writes       = act_i && block_i == csr_map_pkg::PortBlock;
  assign setting_port = PortW'(index_i);

  row_memory #(.Rows(16 << PortW), .Width(32)) u_settings (
    .clk_i, .rst_ni, .init_done_o,
    .rd_row_i  ({setting_port, word_i[3:0]}),
    .rd_data_o (setting_o),
    .wr_valid_i(writes),
    .wr_row_i  ({setting_port, word_i[3:0]}),
    .wr_data_i (wdata_i)
  );

  // ---- The FCS of frames from a station address ----
  localparam int FieldW = pfc_frame_pkg::FieldW;
  localparam logic [32*FieldW-1:0] FcsColumn =
      pfc_frame_pkg::fcs_columns(pfc_frame_pkg::Polynomial);

  logic [31:0] differs, fcs_change;
  logic [47:0] source;     // bits of the address that differ, as they lie in a frame
  assign differs = setting_o ^ wdata_i;

  always_comb begin
    source     = '0;
    fcs_change = '0;
    if (writes) begin
      if (word_i == csr_map_pkg::PortSourceMacLow)
        source[47:16] = {differs[7:0], differs[15:8], differs[23:16], differs[31:24]};
      if (word_i == csr_map_pkg::PortSourceMacHigh)
        source[15:0] = {differs[7:0], differs[15:8]};
      for (int j = 0; j < 32; j++) fcs_change[j] = ^(source & FcsColumn[j*FieldW +: 48]);
    end
  end

  // ---- What acts ----
  logic [Ports*DomainW-1:0] domain_q;
  logic [Ports*32-1:0]      step_q, source_fcs_q;
  logic [Ports*24-1:0]      response_q;
  logic [Ports*48-1:0]      source_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      domain_q     <= '0;
      step_q       <= '0;
      response_q   <= '0;
      source_q     <= '0;
      source_fcs_q <= '0;
    end else if (writes) begin
      for (int n = 0; n < Ports; n++) begin
        if (index_i == 24'(n)) begin
          source_fcs_q[n*32 +: 32] <= source_fcs_q[n*32 +: 32] ^ fcs_change;
          case (word_i)
            csr_map_pkg::PortRate: ;
            csr_map_pkg::PortDomain:       domain_q[n*DomainW +: DomainW] <= wdata_i[DomainW-1:0];
            csr_map_pkg::PortResponse:     response_q[n*24 +: 24]         <= wdata_i[23:0];
            csr_map_pkg::PortPauseStep:    step_q[n*32 +: 32]             <= wdata_i;
            csr_map_pkg::PortSourceMacLow: source_q[n*48 +: 32]           <= wdata_i;
            default:                       source_q[n*48 + 32 +: 16]      <= wdata_i[15:0];
          endcase
        end
      end
    end
  end
  assign step_o       = step_q;
  assign response_o   = response_q;
  assign source_o     = source_q;
  assign source_fcs_o = source_fcs_q;

  // ---- The domain of a port; an instance of the blocks by PG is of port index / 8 ----
  logic [23:0]      port;
  logic [Ports-1:0] domain_bits;
  assign port = (block_i == csr_map_pkg::PortBlock) ? index_i : index_i >> 3;

  always_comb begin
    domain_o    = '0;
    domain_bits = '0;
    if (look_i) begin
      for (int b = 0; b < DomainW; b++) begin
        for (int n = 0; n < Ports; n++) begin
          domain_bits[n] = domain_q[n*DomainW + b] && port == 24'(n);
        end
        domain_o[b] = |domain_bits;
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
  end

endmodule
