// SPDX-License-Identifier: Apache-2.0
//
// Which register an address is, and whether an access to it is refused.
//
// In three steps, one state of csr each: the block, the instance, the word. Their constants are in
// csr_map_pkg, which is made from the table of registers.
//
// Units:   as docs/reference/registers.md.
// Latency: block_o in the cycle after find_i, index_o in that after divide_i, word_o in that after
//          subtract_i; the other outputs belong to them, refused_o to the cycle of look_i.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_decode #(
  parameter int Ports         = 8,   // 1 .. MaxPorts
  parameter int Domains       = 1,   // 1 .. MaxDomains
  parameter int Profiles      = 2,   // 1 .. MaxProfiles
  parameter int QueueProfiles = 1,   // 1 .. MaxProfiles
  parameter int Pools         = 1,   // 1 .. MaxPools
  parameter int EgressPools   = 1,   // 1 .. MaxPools
  parameter int WredProfiles  = 0,   // 0 .. MaxProfiles
  parameter int CellW         = 17   // bits of a count of cells, 1 .. MaxCellW
) (
  input  logic        clk_i,
  input  logic        rst_ni,      // asynchronous, active low

  // The access: steady while busy_i
  input  logic        busy_i,
  input  logic [23:0] address_i,   // bytes
  input  logic        write_i,
  input  logic [31:0] wdata_i,
  input  logic        started_i,   // CFG registers are read only
  input  logic        find_i,      // its steps
  input  logic        divide_i,
  input  logic        subtract_i,
  input  logic        look_i,

  output logic [3:0]  block_o,
  output logic [23:0] index_o,     // instance of the block
  output logic [5:0]  word_o,      // of the instance
  output logic [2:0]  access_o,    // what software may do with it
  output logic        wide_o,      // the low word of a register of 64 bits
  output logic        high_word_o, // the high one
  output logic [5:0]  low_word_o,  // the low word of the pair
  output logic        refused_o
);

  localparam int WredPorts = (WredProfiles > 0) ? Ports : 0;
  localparam logic [31:0] MaxCells = (CellW >= 25) ? '1 : (32'd1 << CellW) - 32'd1;

  logic [3:0]  block, block_q;
  logic [23:0] in_block_q, index_q;  // in_block_q: bytes after the first register of the block
  logic [7:0]  offset;
  logic [5:0]  word_q;
  logic        missing_d, missing_q, sized;
  assign block_o    = block_q;
  assign index_o    = index_q;
  assign word_o     = word_q;
  assign low_word_o = {word_q[5:1], 1'b0};

  // Nothing to look at while no access is under way: the guards save simulation time.
  always_comb begin
    block       = '0;
    offset      = '0;
    missing_d   = 1'b0;
    access_o    = csr_map_pkg::Nothing;
    wide_o      = 1'b0;
    high_word_o = 1'b0;
    if (busy_i) begin
      block       = csr_map_pkg::block_of(address_i);
      offset      = 8'(in_block_q - csr_map_pkg::start_of(block_q, index_q));
      missing_d   = offset[1:0] != '0 || 32'(index_q) >=
          csr_map_pkg::instances_of(block_q, 32'(Ports), 32'(Domains), 32'(Profiles), 32'(Pools),
                                    32'(QueueProfiles), 32'(EgressPools), 32'(WredProfiles),
                                    32'(WredPorts));
      access_o    = csr_map_pkg::access_of(block_q, word_q);
      wide_o      = csr_map_pkg::is_low_word(block_q, word_q);
      high_word_o = word_q[0] && csr_map_pkg::is_low_word(block_q, low_word_o);
    end
  end

  always_comb begin
    case (block_q)  // registers whose cells must fit CellW bits
      csr_map_pkg::ProfileBlock:
        sized = word_q == csr_map_pkg::ProfilePrivate || word_q == csr_map_pkg::ProfileHeadroom;
      csr_map_pkg::PoolBlock, csr_map_pkg::EgressPoolBlock: sized =
          word_q == csr_map_pkg::PoolSharedSize || word_q == csr_map_pkg::PoolHeadroomSize;
      csr_map_pkg::QueueProfileBlock: sized = word_q == csr_map_pkg::QueueProfileMinimum;
      default: sized = 1'b0;
    endcase
    refused_o = missing_q || access_o == csr_map_pkg::Nothing;
    if (write_i && look_i) begin
      if (access_o == csr_map_pkg::Ro || access_o == csr_map_pkg::Outside) refused_o = 1'b1;
      if (access_o == csr_map_pkg::Cfg && started_i) refused_o = 1'b1;
      if (!csr_map_pkg::is_legal(block_q, word_q, wdata_i, 32'(Domains), 32'(Profiles),
                                 32'(Pools), 32'(QueueProfiles), 32'(EgressPools),
                                 32'(WredProfiles))) begin
        refused_o = 1'b1;
      end
      if (sized && wdata_i > MaxCells) refused_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      block_q    <= '0;
      in_block_q <= '0;
      index_q    <= '0;
      word_q     <= '0;
      missing_q  <= 1'b0;
    end else begin
      if (find_i) begin
        block_q    <= block;
        in_block_q <= address_i - csr_map_pkg::base_of(block);
      end
      if (divide_i) index_q <= csr_map_pkg::index_of(block_q, in_block_q);
      if (subtract_i) begin
        word_q    <= offset[7:2];
        missing_q <= missing_d;
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
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
    if (WredProfiles < 0 || WredProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "WredProfiles = %0d: must be 0 to %0d", WredProfiles, weir_pkg::MaxProfiles);
    if (CellW < 1 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 1 to %0d", CellW, weir_pkg::MaxCellW);
  end

endmodule
