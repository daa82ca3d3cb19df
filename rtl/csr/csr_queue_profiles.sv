// SPDX-License-Identifier: Apache-2.0
//
// Registers of the profiles of queues: block `queue_profile` of the register map. All domains have
// the same.
//
// Units:   cells, as docs/reference/registers.md.
// Latency: value_o in the same cycle; a write is in cfg_queue_profile_o in the cycle after it.
// Memory:  flip-flops, QueueProfiles x QueueProfileBits of weir_pkg.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_queue_profiles #(
  parameter int QueueProfiles = 1   // 1 .. MaxProfiles
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
  output logic [31:0] value_o,  // 0 unless it is looked at and of this block

  output logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] cfg_queue_profile_o
);

  localparam int QueueProfileBits = weir_pkg::QueueProfileBits;
  localparam int LimitW           = weir_pkg::LimitW;
  localparam int PolicyW          = weir_pkg::PolicyW;
  localparam int AlphaNW          = weir_pkg::AlphaNW;
  localparam int AlphaMW          = weir_pkg::AlphaMW;
  localparam int PoolIndexW       = weir_pkg::PoolIndexW;

  logic mine;
  assign mine = block_i == csr_map_pkg::QueueProfileBlock;

  // ---- The word of profile `index_i`: a field of it ----
  logic [QueueProfileBits-1:0] word;
  logic [31:0]                 field;

  always_comb begin
    word = '0;
    if (mine && look_i) begin
      for (int n = 0; n < QueueProfiles; n++) begin
        word = word | (cfg_queue_profile_o[n*QueueProfileBits +: QueueProfileBits] &
                       {QueueProfileBits{index_i == 24'(n)}});
      end
    end
  end

  always_comb begin
    case (word_i)
      csr_map_pkg::QueueProfilePool:    field = 32'(word[weir_pkg::QueuePool +: PoolIndexW]);
      csr_map_pkg::QueueProfileMinimum: field = 32'(word[weir_pkg::QueueMinimum +: LimitW]);
      csr_map_pkg::QueueProfilePolicy:  field = 32'(word[weir_pkg::LinePolicy +: PolicyW]);
      csr_map_pkg::QueueProfileAlpha: begin
        field = {16'(word[weir_pkg::LineAlphaM +: AlphaMW]), word[weir_pkg::LineAlphaN +: AlphaNW]};
      end
      csr_map_pkg::QueueProfileStaticLimit: field = 32'(word[weir_pkg::LineStatic +: LimitW]);
      csr_map_pkg::QueueProfilePartition:   field = 32'(word[weir_pkg::LinePartition +: LimitW]);
      default:                              field = '0;
    endcase
  end

  assign value_o = look_i ? field : '0;

  // ---- What a write of the word at word_i loads ----
  logic [QueueProfileBits-1:0] loads, written;

  always_comb begin
    loads = '0;
    case (word_i)
      csr_map_pkg::QueueProfilePool:    loads[weir_pkg::QueuePool +: PoolIndexW] = '1;
      csr_map_pkg::QueueProfileMinimum: loads[weir_pkg::QueueMinimum +: LimitW]  = '1;
      csr_map_pkg::QueueProfilePolicy:  loads[weir_pkg::LinePolicy +: PolicyW]   = '1;
      csr_map_pkg::QueueProfileAlpha: begin
        loads[weir_pkg::LineAlphaN +: AlphaNW] = '1;
        loads[weir_pkg::LineAlphaM +: AlphaMW] = '1;
      end
      csr_map_pkg::QueueProfileStaticLimit: loads[weir_pkg::LineStatic +: LimitW] = '1;
      default:                              loads[weir_pkg::LinePartition +: LimitW] = '1;
    endcase
  end

  always_comb begin
    written = '0;
    written[weir_pkg::QueuePool +: PoolIndexW] = wdata_i[PoolIndexW-1:0];
    written[weir_pkg::QueueMinimum +: LimitW]  = wdata_i[LimitW-1:0];
    written[weir_pkg::LinePolicy +: PolicyW]   = wdata_i[PolicyW-1:0];
    written[weir_pkg::LineAlphaN +: AlphaNW]   = wdata_i[AlphaNW-1:0];
    written[weir_pkg::LineAlphaM +: AlphaMW]   = wdata_i[16 +: AlphaMW];
    written[weir_pkg::LineStatic +: LimitW]    = wdata_i[LimitW-1:0];
    written[weir_pkg::LinePartition +: LimitW] = wdata_i[LimitW-1:0];
  end

  logic unused_bits;  // no field is wider than LimitW
  assign unused_bits = &{1'b0, wdata_i};

  // ---- What is stored ----
  for (genvar n = 0; n < QueueProfiles; n++) begin : gen_profile
    logic                        load;
    logic [QueueProfileBits-1:0] word_q;
    assign load = act_i && mine && index_i == 24'(n);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        word_q <= '0;
      end else if (load) begin
        for (int b = 0; b < QueueProfileBits; b++) if (loads[b]) word_q[b] <= written[b];
      end
    end

    assign cfg_queue_profile_o[n*QueueProfileBits +: QueueProfileBits] = word_q;
  end

  initial begin
    if (QueueProfiles < 1 || QueueProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "QueueProfiles = %0d: must be 1 to %0d", QueueProfiles, weir_pkg::MaxProfiles);
  end

endmodule
