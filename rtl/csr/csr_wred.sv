// SPDX-License-Identifier: Apache-2.0
//
// Registers of marking and early drop that software sets: block `wred`, the profiles of block
// `queue_wred`, polynomial and seed of block `port_draw` of the register map.
//
// A write of a seed is the state of the port's draws from the cycle after it on. Without profiles
// (Profiles = 0) there is nothing here.
//
// Units:   as docs/reference/registers.md.
// Latency: value_o in the same cycle; a write is in the outputs in the cycle after it.
// Memory:  flip-flops, Profiles x 112, Ports x (48 + 8 x MapW).
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4; docs/blocks/ecn_marker.md.
module csr_wred #(
  parameter int Ports    = 8,  // 1 .. MaxPorts
  parameter int Profiles = 4,  // of WRED, 0 .. MaxProfiles
  parameter int Words    = (Profiles > 0) ? Profiles : 1,  // derived: do not override
  parameter int MapW     = $clog2(Words + 1)               // derived: do not override
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

  output logic [Words*wred_pkg::ProfileBits-1:0] cfg_wred_o,
  output logic [Ports*8*MapW-1:0]                map_o,         // 0 none, k + 1: profile k
  output logic [Ports*16-1:0]                    polynomial_o,  // its upper half
  output logic [Ports-1:0]                       load_o,        // the draws begin with seed_o
  output logic [wred_pkg::StateW-1:0]            seed_o
);

  if (Profiles < 1) begin : gen_none
    logic unused_bits;
    assign unused_bits  = &{1'b0, clk_i, rst_ni, look_i, act_i, block_i, word_i, index_i, wdata_i};
    assign value_o      = '0;
    assign cfg_wred_o   = '0;
    assign map_o        = '0;
    assign polynomial_o = '0;
    assign load_o       = '0;
    assign seed_o       = '0;
  end else begin : gen_some
    localparam int ProfileBits = wred_pkg::ProfileBits;
    localparam int LimitW      = weir_pkg::LimitW;
    localparam int SlopeW      = wred_pkg::SlopeW;
    localparam int ChanceW     = wred_pkg::ChanceW;

    logic of_profile, of_draw, of_map;
    assign of_profile = block_i == csr_map_pkg::WredBlock;
    assign of_draw    = block_i == csr_map_pkg::PortDrawBlock;
    assign of_map     = block_i == csr_map_pkg::QueueWredBlock &&
                        word_i == csr_map_pkg::QueueWredProfile;

    // ---- Profiles
    logic [Profiles*ChanceW-1:0] chance;  // for software to read back
    logic [ProfileBits-1:0]      word;
    logic [ChanceW-1:0]          chance_here;
    logic [31:0]                 profile_value;
    always_comb begin
      word        = '0;
      chance_here = '0;
      if (of_profile && look_i) begin
        for (int n = 0; n < Profiles; n++) begin
          word = word | (cfg_wred_o[n*ProfileBits +: ProfileBits] &
                         {ProfileBits{index_i == 24'(n)}});
          chance_here = chance_here | (chance[n*ChanceW +: ChanceW] &
                                       {ChanceW{index_i == 24'(n)}});
        end
      end
    end
    always_comb begin
      case (word_i)
        csr_map_pkg::WredMin: profile_value = 32'(word[wred_pkg::ProfileMin +: LimitW]);
        csr_map_pkg::WredMax: profile_value = 32'(word[wred_pkg::ProfileMax +: LimitW]);
        csr_map_pkg::WredProbability: profile_value = 32'(chance_here);
        csr_map_pkg::WredControl: profile_value = 32'(word[wred_pkg::ProfileMark +: 3]);
        csr_map_pkg::WredSlopeLow: profile_value = word[wred_pkg::ProfileSlope +: 32];
        default: profile_value = 32'(word[wred_pkg::ProfileSlope + 32 +: SlopeW - 32]);
      endcase
    end
    // What a write of the word at word_i loads
    logic [ProfileBits-1:0] loads, written;
    always_comb begin
      loads = '0;
      case (word_i)
        csr_map_pkg::WredMin:         loads[wred_pkg::ProfileMin +: LimitW]                = '1;
        csr_map_pkg::WredMax:         loads[wred_pkg::ProfileMax +: LimitW]                = '1;
        csr_map_pkg::WredProbability: ;
        csr_map_pkg::WredControl:     loads[wred_pkg::ProfileMark +: 3]                    = '1;
        csr_map_pkg::WredSlopeLow:    loads[wred_pkg::ProfileSlope +: 32]                  = '1;
        default:                      loads[wred_pkg::ProfileSlope + 32 +: SlopeW - 32]    = '1;
      endcase
    end
    always_comb begin
      written = '0;
      written[wred_pkg::ProfileMin +: LimitW]             = wdata_i[LimitW-1:0];
      written[wred_pkg::ProfileMax +: LimitW]             = wdata_i[LimitW-1:0];
      written[wred_pkg::ProfileMark +: 3]                 = wdata_i[2:0];
      written[wred_pkg::ProfileSlope +: 32]               = wdata_i;
      written[wred_pkg::ProfileSlope + 32 +: SlopeW - 32] = wdata_i[SlopeW-33:0];
    end
    for (genvar n = 0; n < Profiles; n++) begin : gen_profile
      logic                   load;
      logic [ProfileBits-1:0] word_q;
      logic [ChanceW-1:0]     chance_q;
      assign load = act_i && of_profile && index_i == 24'(n);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          word_q   <= '0;
          chance_q <= '0;
        end else if (load) begin
          for (int b = 0; b < ProfileBits; b++) if (loads[b]) word_q[b] <= written[b];
          if (word_i == csr_map_pkg::WredProbability) chance_q <= wdata_i[ChanceW-1:0];
        end
      end
      assign cfg_wred_o[n*ProfileBits +: ProfileBits] = word_q;
      assign chance[n*ChanceW +: ChanceW]             = chance_q;
    end

    // ---- Draws of ports, profiles of queues
    logic [Ports*32-1:0] seeds;
    logic [31:0]         draw_value, map_value;
    logic [MapW-1:0]     mapped;
    always_comb begin
      draw_value = '0;
      mapped     = '0;
      if (look_i && of_draw) begin
        for (int p = 0; p < Ports; p++) begin
          if (index_i == 24'(p)) begin
            draw_value = (word_i == csr_map_pkg::PortDrawPolynomial) ?
                {polynomial_o[p*16 +: 16], 16'd0} : seeds[p*32 +: 32];
          end
        end
      end
      if (look_i && of_map) begin
        for (int q = 0; q < Ports * 8; q++) begin
          if (index_i == 24'(q)) mapped = map_o[q*MapW +: MapW];
        end
      end
    end
    assign map_value = (mapped == '0) ? '1 : 32'(mapped) - 32'd1;

    for (genvar p = 0; p < Ports; p++) begin : gen_port
      logic        load, load_q;
      logic [15:0] polynomial_q;
      logic [31:0] seed_q;
      assign load = act_i && of_draw && index_i == 24'(p);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          load_q       <= 1'b0;
          polynomial_q <= '0;
          seed_q       <= '0;
        end else begin
          load_q <= load && word_i == csr_map_pkg::PortDrawSeed;
          if (load && word_i == csr_map_pkg::PortDrawPolynomial) polynomial_q <= wdata_i[31:16];
          if (load && word_i == csr_map_pkg::PortDrawSeed) seed_q <= wdata_i;
        end
      end
      assign polynomial_o[p*16 +: 16] = polynomial_q;
      assign seeds[p*32 +: 32]        = seed_q;
      assign load_o[p]                = load_q;
    end
    logic [31:0] written_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        written_q <= '0;
      end else if (act_i && of_draw) begin
        written_q <= wdata_i;
      end
    end
    assign seed_o = written_q;

    for (genvar q = 0; q < Ports * 8; q++) begin : gen_queue
      logic [MapW-1:0] map_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          map_q <= '0;
        end else if (act_i && of_map && index_i == 24'(q)) begin
          map_q <= wdata_i[MapW-1:0] + MapW'(1);  // none is all ones
        end
      end
      assign map_o[q*MapW +: MapW] = map_q;
    end

    always_comb begin
      value_o = '0;
      if (of_profile) value_o = profile_value;
      if (of_draw)    value_o = draw_value;
      if (of_map)     value_o = map_value;
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Profiles < 0 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 0 to %0d", Profiles, weir_pkg::MaxProfiles);
  end

endmodule
