// SPDX-License-Identifier: Apache-2.0
//
// Register map of the MMU: made from the table in systemc/src/model/registers/register_map.cpp by
// scripts/doc/registers; do not edit.
//
// Units:   addresses are bytes, words have 32 bit; what a register means is in
//          docs/reference/registers.md.
// Golden:  the table, compared by tb/model/csr_test.cpp and tb/lockstep/csr_test.cpp.
package csr_map_pkg;

  // What software may do with a word; Outside: read only, shows 0, counted at the MACs.
  localparam logic [2:0] Nothing = 3'd0, Ro = 3'd1, Rw = 3'd2, W1c = 3'd3, Cfg = 3'd4,
                         W1s = 3'd5, Outside = 3'd6;

  // Values of chip.id, chip.version and chip.map_version.
  localparam logic [31:0] Id = 32'h57454952, Version = 32'h00000100, MapVersion = 32'd4;

  // Blocks, and the words of their registers.
  localparam logic [3:0] ChipBlock = 4'd0;
  localparam logic [5:0] ChipId = 6'd0;
  localparam logic [5:0] ChipVersion = 6'd1;
  localparam logic [5:0] ChipMapVersion = 6'd2;
  localparam logic [5:0] ChipPorts = 6'd3;
  localparam logic [5:0] ChipDomains = 6'd4;
  localparam logic [5:0] ChipLanes = 6'd5;
  localparam logic [5:0] ChipCell = 6'd6;
  localparam logic [5:0] ChipCellOverhead = 6'd7;
  localparam logic [5:0] ChipClock = 6'd8;
  localparam logic [5:0] ChipAdmit = 6'd9;
  localparam logic [5:0] ChipPfc = 6'd10;
  localparam logic [5:0] ChipThresholdLag = 6'd11;
  localparam logic [5:0] ChipMtu = 6'd12;
  localparam logic [5:0] ChipProfiles = 6'd13;
  localparam logic [5:0] ChipPools = 6'd14;
  localparam logic [5:0] ChipPortFifo = 6'd15;
  localparam logic [5:0] ChipQuanta = 6'd16;
  localparam logic [5:0] ChipClearStats = 6'd17;
  localparam logic [5:0] ChipStart = 6'd18;
  localparam logic [5:0] ChipPgOfPriority = 6'd19;
  localparam logic [5:0] ChipQueueProfiles = 6'd20;
  localparam logic [5:0] ChipEgressPools = 6'd21;
  localparam logic [5:0] ChipMark = 6'd22;
  localparam logic [5:0] ChipWredProfiles = 6'd23;
  localparam logic [3:0] ProfileBlock = 4'd1;
  localparam logic [5:0] ProfileLossless = 6'd0;
  localparam logic [5:0] ProfilePool = 6'd1;
  localparam logic [5:0] ProfilePrivate = 6'd2;
  localparam logic [5:0] ProfileHeadroom = 6'd3;
  localparam logic [5:0] ProfilePolicy = 6'd4;
  localparam logic [5:0] ProfileAlpha = 6'd5;
  localparam logic [5:0] ProfileStaticLimit = 6'd6;
  localparam logic [5:0] ProfileXon = 6'd7;
  localparam logic [5:0] ProfileXonOffset = 6'd8;
  localparam logic [5:0] ProfileXoffTrigger = 6'd9;
  localparam logic [5:0] ProfileXonRule = 6'd10;
  localparam logic [3:0] PartitionBlock = 4'd2;
  localparam logic [5:0] PartitionCells = 6'd0;
  localparam logic [3:0] QueueProfileBlock = 4'd3;
  localparam logic [5:0] QueueProfilePool = 6'd0;
  localparam logic [5:0] QueueProfileMinimum = 6'd1;
  localparam logic [5:0] QueueProfilePolicy = 6'd2;
  localparam logic [5:0] QueueProfileAlpha = 6'd3;
  localparam logic [5:0] QueueProfileStaticLimit = 6'd4;
  localparam logic [5:0] QueueProfilePartition = 6'd5;
  localparam logic [3:0] PoolBlock = 4'd4;
  localparam logic [5:0] PoolSharedSize = 6'd0;
  localparam logic [5:0] PoolHeadroomSize = 6'd1;
  localparam logic [5:0] PoolDedicated = 6'd2;
  localparam logic [5:0] PoolShared = 6'd3;
  localparam logic [5:0] PoolHeadroom = 6'd4;
  localparam logic [5:0] PoolPrivate = 6'd5;
  localparam logic [5:0] PoolSharedWatermark = 6'd6;
  localparam logic [5:0] PoolHeadroomWatermark = 6'd7;
  localparam logic [5:0] PoolTotalWatermark = 6'd8;
  localparam logic [3:0] EgressPoolBlock = 4'd5;
  localparam logic [5:0] EgressPoolSharedSize = 6'd0;
  localparam logic [5:0] EgressPoolShared = 6'd1;
  localparam logic [3:0] PortBlock = 4'd6;
  localparam logic [5:0] PortRate = 6'd0;
  localparam logic [5:0] PortDomain = 6'd1;
  localparam logic [5:0] PortPfcFramesSent = 6'd2;
  localparam logic [5:0] PortPfcFramesReceived = 6'd4;
  localparam logic [5:0] PortOversize = 6'd6;
  localparam logic [5:0] PortNoRoute = 6'd8;
  localparam logic [5:0] PortFifoDrops = 6'd10;
  localparam logic [5:0] PortResponse = 6'd12;
  localparam logic [5:0] PortPauseStep = 6'd13;
  localparam logic [5:0] PortSourceMacLow = 6'd14;
  localparam logic [5:0] PortSourceMacHigh = 6'd15;
  localparam logic [3:0] WredBlock = 4'd7;
  localparam logic [5:0] WredMin = 6'd0;
  localparam logic [5:0] WredMax = 6'd1;
  localparam logic [5:0] WredProbability = 6'd2;
  localparam logic [5:0] WredControl = 6'd3;
  localparam logic [5:0] WredSlopeLow = 6'd4;
  localparam logic [5:0] WredSlopeHigh = 6'd5;
  localparam logic [3:0] PortDrawBlock = 4'd8;
  localparam logic [5:0] PortDrawPolynomial = 6'd0;
  localparam logic [5:0] PortDrawSeed = 6'd1;
  localparam logic [5:0] PortDrawState = 6'd2;
  localparam logic [3:0] PgBlock = 4'd9;
  localparam logic [5:0] PgPrivate = 6'd0;
  localparam logic [5:0] PgShared = 6'd1;
  localparam logic [5:0] PgHeadroom = 6'd2;
  localparam logic [5:0] PgThreshold = 6'd3;
  localparam logic [5:0] PgXoff = 6'd4;
  localparam logic [5:0] PgProfile = 6'd5;
  localparam logic [3:0] PortClassBlock = 4'd10;
  localparam logic [5:0] PortClassTxPackets = 6'd0;
  localparam logic [5:0] PortClassRxPackets = 6'd2;
  localparam logic [5:0] PortClassTxBytes = 6'd4;
  localparam logic [5:0] PortClassRxBytes = 6'd6;
  localparam logic [5:0] PortClassPausesSent = 6'd8;
  localparam logic [5:0] PortClassPausesReceived = 6'd10;
  localparam logic [5:0] PortClassResumesSent = 6'd12;
  localparam logic [5:0] PortClassResumesReceived = 6'd14;
  localparam logic [3:0] PgStatsBlock = 4'd11;
  localparam logic [5:0] PgStatsPackets = 6'd0;
  localparam logic [5:0] PgStatsBytes = 6'd2;
  localparam logic [5:0] PgStatsRefusedSharedThreshold = 6'd6;
  localparam logic [5:0] PgStatsRefusedSharedPool = 6'd8;
  localparam logic [5:0] PgStatsRefusedHeadroomLimit = 6'd10;
  localparam logic [5:0] PgStatsRefusedHeadroomPool = 6'd12;
  localparam logic [5:0] PgStatsRefusedEgressQueue = 6'd14;
  localparam logic [5:0] PgStatsRefusedEmpty = 6'd16;
  localparam logic [5:0] PgStatsXoffEntered = 6'd18;
  localparam logic [5:0] PgStatsSharedWatermark = 6'd20;
  localparam logic [5:0] PgStatsLimitAtPeak = 6'd21;
  localparam logic [5:0] PgStatsHeadroomWatermark = 6'd22;
  localparam logic [5:0] PgStatsTotalWatermark = 6'd23;
  localparam logic [3:0] QueueBlock = 4'd12;
  localparam logic [5:0] QueueProfile = 6'd0;
  localparam logic [3:0] QueueStatsBlock = 4'd13;
  localparam logic [5:0] QueueStatsPackets = 6'd0;
  localparam logic [5:0] QueueStatsBytes = 6'd2;
  localparam logic [5:0] QueueStatsDropped = 6'd4;
  localparam logic [5:0] QueueStatsSharedWatermark = 6'd6;
  localparam logic [5:0] QueueStatsTotalWatermark = 6'd7;
  localparam logic [3:0] QueueWredBlock = 4'd14;
  localparam logic [5:0] QueueWredMarkedPackets = 6'd0;
  localparam logic [5:0] QueueWredMarkedBytes = 6'd2;
  localparam logic [5:0] QueueWredWredDropped = 6'd4;
  localparam logic [5:0] QueueWredWaiting = 6'd6;
  localparam logic [5:0] QueueWredProfile = 6'd7;
  localparam logic [3:0] PortClassHealthBlock = 4'd15;
  localparam logic [5:0] PortClassHealthPauses = 6'd0;
  localparam logic [5:0] PortClassHealthPauseTime = 6'd2;
  localparam logic [5:0] PortClassHealthLongestPause = 6'd4;
  localparam logic [5:0] PortClassHealthIngressDrops = 6'd6;
  localparam logic [5:0] PortClassHealthEgressDrops = 6'd8;

  // The block that an address is in: the last one that does not begin after it.
  function automatic logic [3:0] block_of(input logic [23:0] address);
    block_of = 4'd0;
    if (address >= 24'h100000) block_of = ProfileBlock;
    if (address >= 24'h180000) block_of = PartitionBlock;
    if (address >= 24'h1c0000) block_of = QueueProfileBlock;
    if (address >= 24'h200000) block_of = PoolBlock;
    if (address >= 24'h280000) block_of = EgressPoolBlock;
    if (address >= 24'h300000) block_of = PortBlock;
    if (address >= 24'h340000) block_of = WredBlock;
    if (address >= 24'h380000) block_of = PortDrawBlock;
    if (address >= 24'h400000) block_of = PgBlock;
    if (address >= 24'h600000) block_of = PortClassBlock;
    if (address >= 24'h800000) block_of = PgStatsBlock;
    if (address >= 24'hb00000) block_of = QueueBlock;
    if (address >= 24'hc00000) block_of = QueueStatsBlock;
    if (address >= 24'hd00000) block_of = QueueWredBlock;
    if (address >= 24'he00000) block_of = PortClassHealthBlock;
  endfunction

  // The address of a block's first register.
  function automatic logic [23:0] base_of(input logic [3:0] block);
    case (block)
      ChipBlock: base_of = 24'h000000;
      ProfileBlock: base_of = 24'h100000;
      PartitionBlock: base_of = 24'h180000;
      QueueProfileBlock: base_of = 24'h1c0000;
      PoolBlock: base_of = 24'h200000;
      EgressPoolBlock: base_of = 24'h280000;
      PortBlock: base_of = 24'h300000;
      WredBlock: base_of = 24'h340000;
      PortDrawBlock: base_of = 24'h380000;
      PgBlock: base_of = 24'h400000;
      PortClassBlock: base_of = 24'h600000;
      PgStatsBlock: base_of = 24'h800000;
      QueueBlock: base_of = 24'hb00000;
      QueueStatsBlock: base_of = 24'hc00000;
      QueueWredBlock: base_of = 24'hd00000;
      PortClassHealthBlock: base_of = 24'he00000;
      default: base_of = '0;
    endcase
  endfunction

  // Instance and word of an address `offset` bytes after its block's first register.
  function automatic logic [23:0] index_of(input logic [3:0] block,
                                           input logic [23:0] offset);
    case (block)
      ChipBlock: index_of = offset >> 8;
      ProfileBlock: index_of = offset >> 6;
      PartitionBlock: index_of = offset >> 2;
      QueueProfileBlock: index_of = offset >> 5;
      PoolBlock: index_of = offset >> 6;
      EgressPoolBlock: index_of = offset >> 4;
      PortBlock: index_of = offset >> 6;
      WredBlock: index_of = offset >> 5;
      PortDrawBlock: index_of = offset >> 4;
      PgBlock: index_of = offset >> 5;
      PortClassBlock: index_of = offset >> 6;
      PgStatsBlock: index_of = 24'(((48'(offset) >> 5) * 48'd699051) >> 21);
      QueueBlock: index_of = offset >> 5;
      QueueStatsBlock: index_of = offset >> 5;
      QueueWredBlock: index_of = offset >> 5;
      PortClassHealthBlock: index_of = offset >> 6;
      default: index_of = '0;
    endcase
  endfunction

  // Bytes from the first register of the block to that of instance `index`.
  function automatic logic [23:0] start_of(input logic [3:0] block,
                                           input logic [23:0] index);
    case (block)
      ChipBlock: start_of = index * 24'd256;
      ProfileBlock: start_of = index * 24'd64;
      PartitionBlock: start_of = index * 24'd4;
      QueueProfileBlock: start_of = index * 24'd32;
      PoolBlock: start_of = index * 24'd64;
      EgressPoolBlock: start_of = index * 24'd16;
      PortBlock: start_of = index * 24'd64;
      WredBlock: start_of = index * 24'd32;
      PortDrawBlock: start_of = index * 24'd16;
      PgBlock: start_of = index * 24'd32;
      PortClassBlock: start_of = index * 24'd64;
      PgStatsBlock: start_of = index * 24'd96;
      QueueBlock: start_of = index * 24'd32;
      QueueStatsBlock: start_of = index * 24'd32;
      QueueWredBlock: start_of = index * 24'd32;
      PortClassHealthBlock: start_of = index * 24'd64;
      default: start_of = '0;
    endcase
  endfunction

  // How many instances a block has.
  function automatic logic [31:0] instances_of(
      input logic [3:0] block,
      input logic [31:0] ports,
      input logic [31:0] domains,
      input logic [31:0] profiles,
      input logic [31:0] pools,
      input logic [31:0] queue_profiles,
      input logic [31:0] egress_pools,
      input logic [31:0] wred_profiles,
      input logic [31:0] wred_ports);
    case (block)
      ChipBlock: instances_of = 32'd1;
      ProfileBlock: instances_of = profiles;
      PartitionBlock: instances_of = profiles * domains;
      QueueProfileBlock: instances_of = queue_profiles;
      PoolBlock: instances_of = pools * domains;
      EgressPoolBlock: instances_of = egress_pools * domains;
      PortBlock: instances_of = ports;
      WredBlock: instances_of = wred_profiles;
      PortDrawBlock: instances_of = wred_ports;
      PgBlock: instances_of = 32'd8 * ports;
      PortClassBlock: instances_of = 32'd8 * ports;
      PgStatsBlock: instances_of = 32'd8 * ports;
      QueueBlock: instances_of = 32'd8 * ports;
      QueueStatsBlock: instances_of = 32'd8 * ports;
      QueueWredBlock: instances_of = 32'd8 * wred_ports;
      PortClassHealthBlock: instances_of = 32'd8 * ports;
      default: instances_of = '0;
    endcase
  endfunction

  // What software may do with a word of a block.
  function automatic logic [2:0] access_of(input logic [3:0] block,
                                           input logic [5:0] word);
    case ({block, word})
      {ChipBlock, 6'd0}: access_of = Ro;
      {ChipBlock, 6'd1}: access_of = Ro;
      {ChipBlock, 6'd2}: access_of = Ro;
      {ChipBlock, 6'd3}: access_of = Ro;
      {ChipBlock, 6'd4}: access_of = Ro;
      {ChipBlock, 6'd5}: access_of = Ro;
      {ChipBlock, 6'd6}: access_of = Cfg;
      {ChipBlock, 6'd7}: access_of = Cfg;
      {ChipBlock, 6'd8}: access_of = Cfg;
      {ChipBlock, 6'd9}: access_of = Ro;
      {ChipBlock, 6'd10}: access_of = Ro;
      {ChipBlock, 6'd11}: access_of = Ro;
      {ChipBlock, 6'd12}: access_of = Cfg;
      {ChipBlock, 6'd13}: access_of = Ro;
      {ChipBlock, 6'd14}: access_of = Ro;
      {ChipBlock, 6'd15}: access_of = Cfg;
      {ChipBlock, 6'd16}: access_of = Rw;
      {ChipBlock, 6'd17}: access_of = W1c;
      {ChipBlock, 6'd18}: access_of = W1s;
      {ChipBlock, 6'd19}: access_of = Cfg;
      {ChipBlock, 6'd20}: access_of = Ro;
      {ChipBlock, 6'd21}: access_of = Ro;
      {ChipBlock, 6'd22}: access_of = Ro;
      {ChipBlock, 6'd23}: access_of = Ro;
      {ProfileBlock, 6'd0}: access_of = Cfg;
      {ProfileBlock, 6'd1}: access_of = Cfg;
      {ProfileBlock, 6'd2}: access_of = Cfg;
      {ProfileBlock, 6'd3}: access_of = Cfg;
      {ProfileBlock, 6'd4}: access_of = Cfg;
      {ProfileBlock, 6'd5}: access_of = Rw;
      {ProfileBlock, 6'd6}: access_of = Rw;
      {ProfileBlock, 6'd7}: access_of = Rw;
      {ProfileBlock, 6'd8}: access_of = Rw;
      {ProfileBlock, 6'd9}: access_of = Cfg;
      {ProfileBlock, 6'd10}: access_of = Cfg;
      {PartitionBlock, 6'd0}: access_of = Cfg;
      {QueueProfileBlock, 6'd0}: access_of = Cfg;
      {QueueProfileBlock, 6'd1}: access_of = Cfg;
      {QueueProfileBlock, 6'd2}: access_of = Cfg;
      {QueueProfileBlock, 6'd3}: access_of = Cfg;
      {QueueProfileBlock, 6'd4}: access_of = Cfg;
      {QueueProfileBlock, 6'd5}: access_of = Cfg;
      {PoolBlock, 6'd0}: access_of = Cfg;
      {PoolBlock, 6'd1}: access_of = Cfg;
      {PoolBlock, 6'd2}: access_of = Cfg;
      {PoolBlock, 6'd3}: access_of = Ro;
      {PoolBlock, 6'd4}: access_of = Ro;
      {PoolBlock, 6'd5}: access_of = Ro;
      {PoolBlock, 6'd6}: access_of = Ro;
      {PoolBlock, 6'd7}: access_of = Ro;
      {PoolBlock, 6'd8}: access_of = Ro;
      {EgressPoolBlock, 6'd0}: access_of = Cfg;
      {EgressPoolBlock, 6'd1}: access_of = Ro;
      {PortBlock, 6'd0}: access_of = Cfg;
      {PortBlock, 6'd1}: access_of = Cfg;
      {PortBlock, 6'd2}: access_of = Ro;
      {PortBlock, 6'd3}: access_of = Ro;
      {PortBlock, 6'd4}: access_of = Ro;
      {PortBlock, 6'd5}: access_of = Ro;
      {PortBlock, 6'd6}: access_of = Outside;
      {PortBlock, 6'd7}: access_of = Outside;
      {PortBlock, 6'd8}: access_of = Outside;
      {PortBlock, 6'd9}: access_of = Outside;
      {PortBlock, 6'd10}: access_of = Outside;
      {PortBlock, 6'd11}: access_of = Outside;
      {PortBlock, 6'd12}: access_of = Cfg;
      {PortBlock, 6'd13}: access_of = Cfg;
      {PortBlock, 6'd14}: access_of = Cfg;
      {PortBlock, 6'd15}: access_of = Cfg;
      {WredBlock, 6'd0}: access_of = Cfg;
      {WredBlock, 6'd1}: access_of = Cfg;
      {WredBlock, 6'd2}: access_of = Cfg;
      {WredBlock, 6'd3}: access_of = Cfg;
      {WredBlock, 6'd4}: access_of = Cfg;
      {WredBlock, 6'd5}: access_of = Cfg;
      {PortDrawBlock, 6'd0}: access_of = Cfg;
      {PortDrawBlock, 6'd1}: access_of = Cfg;
      {PortDrawBlock, 6'd2}: access_of = Ro;
      {PgBlock, 6'd0}: access_of = Ro;
      {PgBlock, 6'd1}: access_of = Ro;
      {PgBlock, 6'd2}: access_of = Ro;
      {PgBlock, 6'd3}: access_of = Ro;
      {PgBlock, 6'd4}: access_of = Ro;
      {PgBlock, 6'd5}: access_of = Cfg;
      {PortClassBlock, 6'd0}: access_of = Outside;
      {PortClassBlock, 6'd1}: access_of = Outside;
      {PortClassBlock, 6'd2}: access_of = Outside;
      {PortClassBlock, 6'd3}: access_of = Outside;
      {PortClassBlock, 6'd4}: access_of = Outside;
      {PortClassBlock, 6'd5}: access_of = Outside;
      {PortClassBlock, 6'd6}: access_of = Outside;
      {PortClassBlock, 6'd7}: access_of = Outside;
      {PortClassBlock, 6'd8}: access_of = Outside;
      {PortClassBlock, 6'd9}: access_of = Outside;
      {PortClassBlock, 6'd10}: access_of = Outside;
      {PortClassBlock, 6'd11}: access_of = Outside;
      {PortClassBlock, 6'd12}: access_of = Outside;
      {PortClassBlock, 6'd13}: access_of = Outside;
      {PortClassBlock, 6'd14}: access_of = Outside;
      {PortClassBlock, 6'd15}: access_of = Outside;
      {PgStatsBlock, 6'd0}: access_of = Ro;
      {PgStatsBlock, 6'd1}: access_of = Ro;
      {PgStatsBlock, 6'd2}: access_of = Ro;
      {PgStatsBlock, 6'd3}: access_of = Ro;
      {PgStatsBlock, 6'd6}: access_of = Ro;
      {PgStatsBlock, 6'd7}: access_of = Ro;
      {PgStatsBlock, 6'd8}: access_of = Ro;
      {PgStatsBlock, 6'd9}: access_of = Ro;
      {PgStatsBlock, 6'd10}: access_of = Ro;
      {PgStatsBlock, 6'd11}: access_of = Ro;
      {PgStatsBlock, 6'd12}: access_of = Ro;
      {PgStatsBlock, 6'd13}: access_of = Ro;
      {PgStatsBlock, 6'd14}: access_of = Ro;
      {PgStatsBlock, 6'd15}: access_of = Ro;
      {PgStatsBlock, 6'd16}: access_of = Ro;
      {PgStatsBlock, 6'd17}: access_of = Ro;
      {PgStatsBlock, 6'd18}: access_of = Ro;
      {PgStatsBlock, 6'd19}: access_of = Ro;
      {PgStatsBlock, 6'd20}: access_of = Ro;
      {PgStatsBlock, 6'd21}: access_of = Ro;
      {PgStatsBlock, 6'd22}: access_of = Ro;
      {PgStatsBlock, 6'd23}: access_of = Ro;
      {QueueBlock, 6'd0}: access_of = Cfg;
      {QueueStatsBlock, 6'd0}: access_of = Ro;
      {QueueStatsBlock, 6'd1}: access_of = Ro;
      {QueueStatsBlock, 6'd2}: access_of = Ro;
      {QueueStatsBlock, 6'd3}: access_of = Ro;
      {QueueStatsBlock, 6'd4}: access_of = Ro;
      {QueueStatsBlock, 6'd5}: access_of = Ro;
      {QueueStatsBlock, 6'd6}: access_of = Ro;
      {QueueStatsBlock, 6'd7}: access_of = Ro;
      {QueueWredBlock, 6'd0}: access_of = Ro;
      {QueueWredBlock, 6'd1}: access_of = Ro;
      {QueueWredBlock, 6'd2}: access_of = Ro;
      {QueueWredBlock, 6'd3}: access_of = Ro;
      {QueueWredBlock, 6'd4}: access_of = Ro;
      {QueueWredBlock, 6'd5}: access_of = Ro;
      {QueueWredBlock, 6'd6}: access_of = Ro;
      {QueueWredBlock, 6'd7}: access_of = Cfg;
      {PortClassHealthBlock, 6'd0}: access_of = Outside;
      {PortClassHealthBlock, 6'd1}: access_of = Outside;
      {PortClassHealthBlock, 6'd2}: access_of = Outside;
      {PortClassHealthBlock, 6'd3}: access_of = Outside;
      {PortClassHealthBlock, 6'd4}: access_of = Outside;
      {PortClassHealthBlock, 6'd5}: access_of = Outside;
      {PortClassHealthBlock, 6'd6}: access_of = Outside;
      {PortClassHealthBlock, 6'd7}: access_of = Outside;
      {PortClassHealthBlock, 6'd8}: access_of = Outside;
      {PortClassHealthBlock, 6'd9}: access_of = Outside;
      default: access_of = Nothing;
    endcase
  endfunction

  // Whether a word is the low one of a register of 64 bit.
  function automatic logic is_low_word(input logic [3:0] block, input logic [5:0] word);
    case ({block, word})
      {PortBlock, PortPfcFramesSent}: is_low_word = 1'b1;
      {PortBlock, PortPfcFramesReceived}: is_low_word = 1'b1;
      {PortBlock, PortOversize}: is_low_word = 1'b1;
      {PortBlock, PortNoRoute}: is_low_word = 1'b1;
      {PortBlock, PortFifoDrops}: is_low_word = 1'b1;
      {PortClassBlock, PortClassTxPackets}: is_low_word = 1'b1;
      {PortClassBlock, PortClassRxPackets}: is_low_word = 1'b1;
      {PortClassBlock, PortClassTxBytes}: is_low_word = 1'b1;
      {PortClassBlock, PortClassRxBytes}: is_low_word = 1'b1;
      {PortClassBlock, PortClassPausesSent}: is_low_word = 1'b1;
      {PortClassBlock, PortClassPausesReceived}: is_low_word = 1'b1;
      {PortClassBlock, PortClassResumesSent}: is_low_word = 1'b1;
      {PortClassBlock, PortClassResumesReceived}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsPackets}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsBytes}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedSharedThreshold}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedSharedPool}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedHeadroomLimit}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedHeadroomPool}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedEgressQueue}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsRefusedEmpty}: is_low_word = 1'b1;
      {PgStatsBlock, PgStatsXoffEntered}: is_low_word = 1'b1;
      {QueueStatsBlock, QueueStatsPackets}: is_low_word = 1'b1;
      {QueueStatsBlock, QueueStatsBytes}: is_low_word = 1'b1;
      {QueueStatsBlock, QueueStatsDropped}: is_low_word = 1'b1;
      {QueueWredBlock, QueueWredMarkedPackets}: is_low_word = 1'b1;
      {QueueWredBlock, QueueWredMarkedBytes}: is_low_word = 1'b1;
      {QueueWredBlock, QueueWredWredDropped}: is_low_word = 1'b1;
      {PortClassHealthBlock, PortClassHealthPauses}: is_low_word = 1'b1;
      {PortClassHealthBlock, PortClassHealthPauseTime}: is_low_word = 1'b1;
      {PortClassHealthBlock, PortClassHealthLongestPause}: is_low_word = 1'b1;
      {PortClassHealthBlock, PortClassHealthIngressDrops}: is_low_word = 1'b1;
      {PortClassHealthBlock, PortClassHealthEgressDrops}: is_low_word = 1'b1;
      default: is_low_word = 1'b0;
    endcase
  endfunction

  // Whether a value may be written to a word that takes values.
  function automatic logic is_legal(
      input logic [3:0] block,
      input logic [5:0] word,
      input logic [31:0] value,
      input logic [31:0] domains,
      input logic [31:0] profiles,
      input logic [31:0] pools,
      input logic [31:0] queue_profiles,
      input logic [31:0] egress_pools,
      input logic [31:0] wred_profiles);
    case ({block, word})
      {ChipBlock, ChipCell}: is_legal = value >= 32'd1 && value <= 32'd65535;
      {ChipBlock, ChipCellOverhead}: is_legal = value <= 32'd65535;
      {ChipBlock, ChipClock}: is_legal = value >= 32'd100 && value <= 32'd10000;
      {ChipBlock, ChipMtu}: is_legal = value >= 32'd64 && value <= 32'd65535;
      {ChipBlock, ChipPortFifo}: is_legal = value >= 32'd1 && value <= 32'd1048576;
      {ChipBlock, ChipQuanta}: is_legal = value >= 32'd1 && value <= 32'd65535;
      {ChipBlock, ChipPgOfPriority}: is_legal = value[3:0] <= 4'd7 &&
          value[7:4] <= 4'd7 &&
          value[11:8] <= 4'd7 &&
          value[15:12] <= 4'd7 &&
          value[19:16] <= 4'd7 &&
          value[23:20] <= 4'd7 &&
          value[27:24] <= 4'd7 &&
          value[31:28] <= 4'd7;
      {ProfileBlock, ProfileLossless}: is_legal = value <= 32'd1;
      {ProfileBlock, ProfilePool}: is_legal = value < pools;
      {ProfileBlock, ProfilePrivate}: is_legal = value <= 32'd16777216;
      {ProfileBlock, ProfileHeadroom}: is_legal = value <= 32'd16777216;
      {ProfileBlock, ProfilePolicy}: is_legal = value <= 32'd3;
      {ProfileBlock, ProfileAlpha}: is_legal = value[15:0] >= 16'd1 &&
          value[31:16] <= 16'd16;
      {ProfileBlock, ProfileStaticLimit}: is_legal = value <= 32'd16777216;
      {ProfileBlock, ProfileXon}: is_legal = value <= 32'd16777216;
      {ProfileBlock, ProfileXonOffset}: is_legal = value <= 32'd16777216;
      {ProfileBlock, ProfileXoffTrigger}: is_legal = value <= 32'd1;
      {ProfileBlock, ProfileXonRule}: is_legal = value <= 32'd1;
      {PartitionBlock, PartitionCells}: is_legal = value <= 32'd16777216;
      {QueueProfileBlock, QueueProfilePool}: is_legal = value < egress_pools;
      {QueueProfileBlock, QueueProfileMinimum}: is_legal = value <= 32'd16777216;
      {QueueProfileBlock, QueueProfilePolicy}: is_legal = value <= 32'd3;
      {QueueProfileBlock, QueueProfileAlpha}: is_legal = value[15:0] >= 16'd1 &&
          value[31:16] <= 16'd16;
      {QueueProfileBlock, QueueProfileStaticLimit}: is_legal = value <= 32'd16777216;
      {QueueProfileBlock, QueueProfilePartition}: is_legal = value <= 32'd16777216;
      {PoolBlock, PoolSharedSize}: is_legal = value <= 32'd16777216;
      {PoolBlock, PoolHeadroomSize}: is_legal = value <= 32'd16777216;
      {PoolBlock, PoolDedicated}: is_legal = value <= 32'd1;
      {EgressPoolBlock, EgressPoolSharedSize}: is_legal = value <= 32'd16777216;
      {PortBlock, PortRate}: is_legal = value >= 32'd1000 && value <= 32'd1600000;
      {PortBlock, PortDomain}: is_legal = value <= 32'd255 && value < domains;
      {PortBlock, PortResponse}: is_legal = value <= 32'd16777215;
      {PortBlock, PortPauseStep}: is_legal = value >= 32'd1;
      {PortBlock, PortSourceMacHigh}: is_legal = value <= 32'd65535;
      {WredBlock, WredMin}: is_legal = value <= 32'd16777216;
      {WredBlock, WredMax}: is_legal = value <= 32'd16777216;
      {WredBlock, WredProbability}: is_legal = value <= 32'd65536;
      {WredBlock, WredControl}: is_legal = value <= 32'd7;
      {WredBlock, WredSlopeHigh}: is_legal = value <= 32'd1023;
      {PortDrawBlock, PortDrawPolynomial}: is_legal = value[15:0] <= 16'd0 &&
          value[31:16] >= 16'd32768;
      {PortDrawBlock, PortDrawSeed}: is_legal = value >= 32'd1;
      {PgBlock, PgProfile}: is_legal = (value < profiles || value == '1);
      {QueueBlock, QueueProfile}: is_legal = (value < queue_profiles || value == '1);
      {QueueWredBlock, QueueWredProfile}: is_legal = (value < wred_profiles || value == '1);
      default: is_legal = 1'b1;
    endcase
  endfunction

endpackage
