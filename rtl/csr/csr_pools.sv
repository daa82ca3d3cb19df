// SPDX-License-Identifier: Apache-2.0
//
// Registers of the sizes of pools: the CFG registers of blocks `pool` and `egress_pool` of the
// register map; and which pool of which domain an instance of these blocks is. Instance n is pool
// n / Domains of domain n % Domains.
//
// Units:   cells, as docs/reference/registers.md.
// Latency: value_o, row_o and domain_o in the same cycle; a write is in the outputs in the cycle
//          after it.
// Memory:  flip-flops, Domains x (Pools x 51 + EgressPools x 25).
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_pools #(
  parameter int Ports       = 8,  // 1 .. MaxPorts
  parameter int Domains     = 1,  // memory domains, 1 .. MaxDomains
  parameter int Pools       = 1,  // ingress pools, 1 .. MaxPools, at most 8 a port
  parameter int EgressPools = 1,  // 1 .. MaxPools, at most 8 a port
  parameter int RowW        = $clog2(Ports * 8),                   // derived: do not override
  parameter int DomainW     = (Domains > 1) ? $clog2(Domains) : 1  // derived: do not override
) (
  input  logic        clk_i,
  input  logic        rst_ni,   // asynchronous, active low

  // The register, which exists: looked at, or written with a value that is legal
  input  logic        look_i,
  input  logic        act_i,
  input  logic [3:0]  block_i,
  input  logic [5:0]  word_i,
  input  logic [23:0] index_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] value_o,  // 0 unless it is looked at and a size of these blocks

  output logic [RowW-1:0]    row_o,     // pool and domain of the instance that is looked at
  output logic [DomainW-1:0] domain_o,

  // Domain by domain; layouts in weir_pkg
  output logic [Domains*Pools*weir_pkg::PoolBits-1:0]             cfg_pool_o,
  output logic [Domains*EgressPools*weir_pkg::EgressPoolBits-1:0] cfg_egress_pool_o
);

  localparam int PoolBits       = weir_pkg::PoolBits;
  localparam int EgressPoolBits = weir_pkg::EgressPoolBits;
  localparam int LimitW         = weir_pkg::LimitW;

  logic of_pool, of_egress;
  assign of_pool   = block_i == csr_map_pkg::PoolBlock;
  assign of_egress = block_i == csr_map_pkg::EgressPoolBlock;

  localparam int Pairs = ((Pools > EgressPools) ? Pools : EgressPools) * Domains;
  always_comb begin
    row_o    = '0;
    domain_o = '0;
    if (look_i) begin
      for (int n = 0; n < Pairs; n++) begin
        row_o    = row_o | (RowW'(n / Domains) & {RowW{index_i == 24'(n)}});
        domain_o = domain_o | (DomainW'(n % Domains) & {DomainW{index_i == 24'(n)}});
      end
    end
  end

  // ---- The words that `index_i` leads to, and one field of them ----
  logic [PoolBits-1:0]       word;
  logic [EgressPoolBits-1:0] egress_word;
  logic [31:0]               field, egress_field;

  always_comb begin
    word        = '0;
    egress_word = '0;
    if (of_pool && look_i) begin
      for (int n = 0; n < Domains*Pools; n++) begin
        word = word | ({PoolBits{index_i == 24'(n)}} &
            cfg_pool_o[((n % Domains)*Pools + n/Domains)*PoolBits +: PoolBits]);
      end
    end
    if (of_egress && look_i) begin
      for (int n = 0; n < Domains*EgressPools; n++) begin
        egress_word = egress_word | ({EgressPoolBits{index_i == 24'(n)}} &
            cfg_egress_pool_o[((n % Domains)*EgressPools + n/Domains)*EgressPoolBits
                              +: EgressPoolBits]);
      end
    end
  end

  always_comb begin
    case (word_i)
      csr_map_pkg::PoolSharedSize:   field = 32'(word[weir_pkg::PoolShared +: LimitW]);
      csr_map_pkg::PoolHeadroomSize: field = 32'(word[weir_pkg::PoolHeadroom +: LimitW]);
      csr_map_pkg::PoolDedicated:    field = 32'(word[weir_pkg::PoolDedicated]);
      default:                       field = '0;
    endcase
  end
  assign egress_field = 32'(egress_word[weir_pkg::EgressShared +: LimitW]);  // all that is set

  assign value_o = look_i ? field | egress_field : '0;

  // ---- What a write of the word at word_i loads ----
  logic [PoolBits-1:0] loads, written;

  always_comb begin
    loads = '0;
    case (word_i)
      csr_map_pkg::PoolSharedSize:   loads[weir_pkg::PoolShared +: LimitW]   = '1;
      csr_map_pkg::PoolHeadroomSize: loads[weir_pkg::PoolHeadroom +: LimitW] = '1;
      default:                       loads[weir_pkg::PoolDedicated]          = 1'b1;
    endcase
  end

  always_comb begin
    written = '0;
    written[weir_pkg::PoolShared +: LimitW]   = wdata_i[LimitW-1:0];
    written[weir_pkg::PoolHeadroom +: LimitW] = wdata_i[LimitW-1:0];
    written[weir_pkg::PoolDedicated]          = wdata_i[0];
  end

  logic unused_bits;  // no field is wider than LimitW
  assign unused_bits = &{1'b0, wdata_i};

  // ---- What is stored ----
  for (genvar n = 0; n < Domains*Pools; n++) begin : gen_pool
    localparam int Place = (n % Domains)*Pools + n/Domains;
    logic                load;
    logic [PoolBits-1:0] word_q;
    assign load = act_i && of_pool && index_i == 24'(n);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        word_q <= '0;
      end else if (load) begin
        for (int b = 0; b < PoolBits; b++) if (loads[b]) word_q[b] <= written[b];
      end
    end

    assign cfg_pool_o[Place*PoolBits +: PoolBits] = word_q;
  end

  for (genvar n = 0; n < Domains*EgressPools; n++) begin : gen_egress_pool
    localparam int Place = (n % Domains)*EgressPools + n/Domains;
    logic                      load;
    logic [EgressPoolBits-1:0] word_q;
    assign load = act_i && of_egress && index_i == 24'(n);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        word_q <= '0;
      end else if (load) begin
        word_q <= wdata_i[EgressPoolBits-1:0];
      end
    end

    assign cfg_egress_pool_o[Place*EgressPoolBits +: EgressPoolBits] = word_q;
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
    if (Pools < 1 || Pools > Ports * 8 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d, at most one for each priority group", Pools,
             weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > Ports * 8 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d, at most one for each queue", EgressPools,
             weir_pkg::MaxPools);
  end

endmodule
