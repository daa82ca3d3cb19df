// SPDX-License-Identifier: Apache-2.0
//
// Reads of the registers that the domains hold: which domain has the value, what it is asked, and
// how the values of several domains make one.
//
// A priority group is read in the domain of its port, a pool in its own; a queue is counted in each
// domain: counters add up and wrap at 2^StatW, watermarks are the greatest.
//
// Units:   as docs/reference/registers.md.
// Latency: of_domain_o in the same cycle; rd_select_o and rd_addr_o from the cycle after look_i on;
//          joined_o, answered_o and last_o in the cycle of the answer.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_reads #(
  parameter int Ports   = 8,   // 1 .. MaxPorts
  parameter int Domains = 1,   // memory domains, 1 .. MaxDomains
  parameter int StatW   = 48,  // bits of a counter, 14 .. MaxStatW
  parameter int RowW    = $clog2(Ports * 8),                   // derived: do not override
  parameter int DomainW = (Domains > 1) ? $clog2(Domains) : 1  // derived: do not override
) (
  input  logic        clk_i,
  input  logic        rst_ni,       // asynchronous, active low

  // The register
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic [23:0] index_i,
  input  logic [2:0]  access_i,
  input  logic        high_word_i,  // of a register of 64 bits
  input  logic [5:0]  low_word_i,
  input  logic [RowW-1:0]    row_of_pair_i,
  input  logic [DomainW-1:0] domain_of_pair_i,
  input  logic [DomainW-1:0] domain_of_port_i,
  output logic        of_domain_o,  // a domain holds it

  // Its read, step by step
  input  logic        look_i,       // it is decided what will be asked
  input  logic        fetch_i,      // a domain is asked
  input  logic        fetched_i,    // its answer is awaited
  input  logic [63:0] value_i,      // of the domains before, 0 at first
  output logic [63:0] joined_o,     // with this one
  output logic        answered_o,
  output logic        last_o,       // no domain is asked after this one

  output logic [Domains-1:0]                 rd_valid_o,
  output logic [weir_pkg::SelectW-1:0]       rd_select_o,
  output logic [RowW-1:0]                    rd_addr_o,
  input  logic [Domains-1:0]                 rd_valid_i,
  input  logic [Domains*weir_pkg::ReadW-1:0] rd_data_i
);

  localparam int ReadW = weir_pkg::ReadW;

  // ---- Where it is held ----
  logic               every_domain, greatest;  // of a queue; and a mark
  logic [2:0]         table_of;
  logic [4:0]         field;
  logic [RowW-1:0]    row;
  logic [DomainW-1:0] first_domain;

  always_comb begin
    of_domain_o  = 1'b0;
    table_of     = weir_pkg::TablePg;
    field        = high_word_i ? low_word_i[4:0] : word_i[4:0];
    row          = RowW'(index_i);
    first_domain = domain_of_port_i;
    case (block_i)
      csr_map_pkg::PgBlock: of_domain_o = 1'b1;
      csr_map_pkg::PgStatsBlock: begin
        of_domain_o = 1'b1;
        table_of    = weir_pkg::TablePgStats;
      end
      csr_map_pkg::QueueStatsBlock: begin
        of_domain_o  = 1'b1;
        table_of     = weir_pkg::TableQueueStats;
        first_domain = '0;
      end
      csr_map_pkg::QueueBlock: begin
        of_domain_o  = 1'b1;
        table_of     = weir_pkg::TableQueue;
        field        = weir_pkg::QueueFieldProfile;
        first_domain = '0;
      end
      csr_map_pkg::PoolBlock: begin
        of_domain_o  = access_i == csr_map_pkg::Ro;
        table_of     = weir_pkg::TablePool;
        row          = row_of_pair_i;
        first_domain = domain_of_pair_i;
      end
      csr_map_pkg::EgressPoolBlock: begin
        of_domain_o  = access_i == csr_map_pkg::Ro;
        table_of     = weir_pkg::TableEgressPool;
        field        = weir_pkg::EgressPoolFieldShared;
        row          = row_of_pair_i;
        first_domain = domain_of_pair_i;
      end
      default: of_domain_o = 1'b0;
    endcase
  end

  logic unused_bits;  // of instances and words that no domain has
  assign unused_bits = &{1'b0, index_i, low_word_i};

  assign every_domain = block_i == csr_map_pkg::QueueStatsBlock;
  assign greatest     = every_domain && word_i >= csr_map_pkg::QueueStatsSharedWatermark;

  // ---- Asking ----
  logic [weir_pkg::SelectW-1:0] select_q;
  logic [RowW-1:0]              row_q;
  logic [DomainW-1:0]           domain_q;   // that is being read
  logic [Domains-1:0]           asked;
  logic [ReadW-1:0]             part;
  assign rd_select_o = select_q;
  assign rd_addr_o   = row_q;
  assign rd_valid_o  = fetch_i ? asked : '0;
  assign answered_o  = fetched_i && (rd_valid_i & asked) != '0;
  assign last_o      = !every_domain || domain_q == DomainW'(Domains - 1);

  always_comb begin
    asked = '0;
    part  = '0;
    if (fetch_i || fetched_i) begin
      for (int d = 0; d < Domains; d++) begin
        asked[d] = domain_q == DomainW'(d);
        part = part | (rd_data_i[d*ReadW +: ReadW] & {ReadW{asked[d]}});
      end
    end
    joined_o = value_i + part;
    if (greatest) joined_o = (value_i < part) ? part : value_i;
    // Counters of several domains wrap together.
    if (every_domain && !greatest) joined_o = 64'(joined_o[StatW-1:0]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      select_q <= '0;
      row_q    <= '0;
      domain_q <= '0;
    end else if (look_i) begin
      select_q <= {table_of, field};
      row_q    <= row;
      domain_q <= first_domain;
    end else if (answered_o) begin
      domain_q <= domain_q + DomainW'(1);
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
    if (StatW < 14 || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be 14 to %0d", StatW, weir_pkg::MaxStatW);
  end

endmodule
