// SPDX-License-Identifier: Apache-2.0
//
// Registers of the profiles of priority groups, and of their partitions: blocks `profile` and
// `partition` of the register map.
//
// All domains have the same profiles but for the partition, floor(B / sharers), which each has of
// its own: it is stored once a domain, everything else once. A write replaces one field of the word
// that it reads, so there is one multiplexer for both.
//
// Units:   cells, as docs/reference/registers.md.
// Latency: value_o in the same cycle; a write is in cfg_profile_o in the cycle after it.
// Memory:  flip-flops, Profiles x 159 + Domains*Profiles x 25.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_profiles #(
  parameter int Domains  = 1,  // memory domains, 1 .. MaxDomains
  parameter int Profiles = 2   // 1 .. MaxProfiles
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
  output logic [31:0] value_o,  // 0 unless it is looked at and of these blocks

  output logic [Domains*Profiles*weir_pkg::ProfileBits-1:0] cfg_profile_o  // domain by domain
);

  localparam int ProfileBits = weir_pkg::ProfileBits;
  localparam int LimitW      = weir_pkg::LimitW;
  localparam int PolicyW     = weir_pkg::PolicyW;
  localparam int AlphaNW     = weir_pkg::AlphaNW;
  localparam int AlphaMW     = weir_pkg::AlphaMW;
  localparam int PoolIndexW  = weir_pkg::PoolIndexW;
  // The partition splits a word in two, which all domains share.
  localparam int LowBits     = weir_pkg::LinePartition;
  localparam int HighAt      = weir_pkg::LineBits;
  localparam int HighBits    = ProfileBits - HighAt;

  logic of_profile, of_partition;
  assign of_profile   = block_i == csr_map_pkg::ProfileBlock;
  assign of_partition = block_i == csr_map_pkg::PartitionBlock;

  // ---- The word that `index_i` leads to ----
  // Nothing to look at without an access: the guards save simulation time.
  logic [ProfileBits-1:0] word;
  logic [LimitW-1:0]      partition;

  always_comb begin
    word      = '0;
    partition = '0;
    if (of_profile && look_i) begin
      for (int n = 0; n < Profiles; n++) begin
        word = word | (cfg_profile_o[n*ProfileBits +: ProfileBits] &
                       {ProfileBits{index_i == 24'(n)}});
      end
    end
    if (of_partition && look_i) begin
      for (int n = 0; n < Profiles*Domains; n++) begin
        partition = partition | ({LimitW{index_i == 24'(n)}} &
            cfg_profile_o[((n % Domains)*Profiles + n/Domains)*ProfileBits +
                          weir_pkg::LinePartition +: LimitW]);
      end
    end
  end

  // ---- One field of it ----
  logic [31:0] field;

  always_comb begin
    case (word_i)
      csr_map_pkg::ProfileLossless: field = 32'(word[weir_pkg::ProfileLossless]);
      csr_map_pkg::ProfilePool:     field = 32'(word[weir_pkg::ProfilePool +: PoolIndexW]);
      csr_map_pkg::ProfilePrivate:  field = 32'(word[weir_pkg::ProfilePrivate +: LimitW]);
      csr_map_pkg::ProfileHeadroom: field = 32'(word[weir_pkg::ProfileHeadroom +: LimitW]);
      csr_map_pkg::ProfilePolicy:   field = 32'(word[weir_pkg::LinePolicy +: PolicyW]);
      csr_map_pkg::ProfileAlpha: begin
        field = {16'(word[weir_pkg::LineAlphaM +: AlphaMW]), word[weir_pkg::LineAlphaN +: AlphaNW]};
      end
      csr_map_pkg::ProfileStaticLimit: field = 32'(word[weir_pkg::LineStatic +: LimitW]);
      csr_map_pkg::ProfileXon:         field = 32'(word[weir_pkg::ProfileXon +: LimitW]);
      csr_map_pkg::ProfileXonOffset:   field = 32'(word[weir_pkg::ProfileXonOffset +: LimitW]);
      csr_map_pkg::ProfileXoffTrigger: field = 32'(word[weir_pkg::ProfileTrigger]);
      csr_map_pkg::ProfileXonRule:     field = 32'(word[weir_pkg::ProfileRule]);
      default:                         field = '0;
    endcase
  end

  assign value_o = look_i ? field | 32'(partition) : '0;

  // ---- What a write of the word at word_i loads ----
  logic [ProfileBits-1:0] loads, written;

  always_comb begin
    loads = '0;
    case (word_i)
      csr_map_pkg::ProfileLossless: loads[weir_pkg::ProfileLossless]               = 1'b1;
      csr_map_pkg::ProfilePool:     loads[weir_pkg::ProfilePool +: PoolIndexW]     = '1;
      csr_map_pkg::ProfilePrivate:  loads[weir_pkg::ProfilePrivate +: LimitW]      = '1;
      csr_map_pkg::ProfileHeadroom: loads[weir_pkg::ProfileHeadroom +: LimitW]     = '1;
      csr_map_pkg::ProfilePolicy:   loads[weir_pkg::LinePolicy +: PolicyW]         = '1;
      csr_map_pkg::ProfileAlpha: begin
        loads[weir_pkg::LineAlphaN +: AlphaNW] = '1;
        loads[weir_pkg::LineAlphaM +: AlphaMW] = '1;
      end
      csr_map_pkg::ProfileStaticLimit: loads[weir_pkg::LineStatic +: LimitW]       = '1;
      csr_map_pkg::ProfileXon:         loads[weir_pkg::ProfileXon +: LimitW]       = '1;
      csr_map_pkg::ProfileXonOffset:   loads[weir_pkg::ProfileXonOffset +: LimitW] = '1;
      csr_map_pkg::ProfileXoffTrigger: loads[weir_pkg::ProfileTrigger]             = 1'b1;
      default:                         loads[weir_pkg::ProfileRule]                = 1'b1;
    endcase
  end

  always_comb begin
    written = '0;
    written[weir_pkg::ProfileLossless]               = wdata_i[0];
    written[weir_pkg::ProfilePool +: PoolIndexW]     = wdata_i[PoolIndexW-1:0];
    written[weir_pkg::ProfilePrivate +: LimitW]      = wdata_i[LimitW-1:0];
    written[weir_pkg::ProfileHeadroom +: LimitW]     = wdata_i[LimitW-1:0];
    written[weir_pkg::LinePolicy +: PolicyW]         = wdata_i[PolicyW-1:0];
    written[weir_pkg::LineAlphaN +: AlphaNW]         = wdata_i[AlphaNW-1:0];
    written[weir_pkg::LineAlphaM +: AlphaMW]         = wdata_i[16 +: AlphaMW];
    written[weir_pkg::LineStatic +: LimitW]          = wdata_i[LimitW-1:0];
    written[weir_pkg::ProfileXon +: LimitW]          = wdata_i[LimitW-1:0];
    written[weir_pkg::ProfileXonOffset +: LimitW]    = wdata_i[LimitW-1:0];
    written[weir_pkg::ProfileTrigger]                = wdata_i[0];
    written[weir_pkg::ProfileRule]                   = wdata_i[0];
  end

  logic unused_bits;  // the partition of the word is stored elsewhere, no field exceeds LimitW
  assign unused_bits = &{1'b0, word, loads, written, wdata_i};

  // ---- What is stored ----
  for (genvar n = 0; n < Profiles; n++) begin : gen_profile
    logic                load;
    logic [LowBits-1:0]  low_q;
    logic [HighBits-1:0] high_q;
    assign load = act_i && of_profile && index_i == 24'(n);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        low_q  <= '0;
        high_q <= '0;
      end else if (load) begin
        for (int b = 0; b < LowBits; b++) if (loads[b]) low_q[b] <= written[b];
        for (int b = 0; b < HighBits; b++) if (loads[HighAt + b]) high_q[b] <= written[HighAt + b];
      end
    end

    for (genvar d = 0; d < Domains; d++) begin : gen_domain
      assign cfg_profile_o[(d*Profiles + n)*ProfileBits +: LowBits]           = low_q;
      assign cfg_profile_o[(d*Profiles + n)*ProfileBits + HighAt +: HighBits] = high_q;
    end
  end

  for (genvar n = 0; n < Profiles*Domains; n++) begin : gen_partition
    localparam int Place = (n % Domains)*Profiles + n/Domains;
    logic              load;
    logic [LimitW-1:0] cells_q;
    assign load = act_i && of_partition && index_i == 24'(n);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cells_q <= '0;
      end else if (load) begin
        cells_q <= wdata_i[LimitW-1:0];
      end
    end

    assign cfg_profile_o[Place*ProfileBits + weir_pkg::LinePartition +: LimitW] = cells_q;
  end

  initial begin
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
  end

endmodule
