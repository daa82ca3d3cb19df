// SPDX-License-Identifier: Apache-2.0
//
// Names that the blocks of the MMU share: codes, and where each setting is in a configuration
// word. Constants only.
//
// Units:   cells, unless said otherwise; a bit offset belongs to the field of the same name.
// Golden:  systemc/include/weir/core/accounting/admission.hpp (Reason), core/chip.hpp (rules,
//          triggers), core/policies/sharing_policy.hpp (numbers of the policies).
// Source:  docs/design/contract.md, 2.
package weir_pkg;

  localparam int Priorities = 8;  // PGs and queues of a port: index = port * 8 + number

  // The most that a parameter of a module may be, and the least where that is not 1.
  localparam int MaxPorts    = 4096;
  localparam int MaxDomains  = 256;
  localparam int MaxLanes    = 64;
  localparam int MaxCopies   = 8;
  localparam int MaxPools    = 256;
  localparam int MaxProfiles = 255;
  localparam int MaxCellW    = 24;
  localparam int MaxByteW    = 32;
  localparam int MaxStatW    = 64;
  localparam int MinAxisW    = 64;                      // of a beat, a power of two
  localparam int MaxAxisW    = 512;
  localparam int MaxSlots    = MaxDomains * MaxLanes;   // arrivals of a cycle
  localparam int MaxSteps    = 2 * MaxSlots;            // releases too
  localparam int MaxPackets  = MaxSlots * MaxCopies;

  // Why a packet was admitted or refused.
  localparam int ReasonW = 3;
  localparam logic [2:0] ReasonAdmitted        = 3'd0;
  localparam logic [2:0] ReasonSharedThreshold = 3'd1;
  localparam logic [2:0] ReasonSharedPool      = 3'd2;
  localparam logic [2:0] ReasonHeadroomLimit   = 3'd3;
  localparam logic [2:0] ReasonHeadroomPool    = 3'd4;
  localparam logic [2:0] ReasonEgressQueue     = 3'd5;
  localparam logic [2:0] ReasonWred            = 3'd6;  // ahead of a domain, which has the others
  localparam int Reasons = 6;

  // Where the cells of a packet go that private does not take.
  localparam logic [1:0] ToNone     = 2'd0;  // the packet is refused
  localparam logic [1:0] ToShared   = 2'd1;
  localparam logic [1:0] ToHeadroom = 2'd2;

  // Threshold policies.
  localparam logic [1:0] PolicyDynamic      = 2'd0;
  localparam logic [1:0] PolicyStatic       = 2'd1;
  localparam logic [1:0] PolicySharing      = 2'd2;
  localparam logic [1:0] PolicyPartitioning = 2'd3;

  localparam logic XoffOnCrossing = 1'b0;
  localparam logic XoffOnHeadroom = 1'b1;
  localparam logic XonSai         = 1'b0;
  localparam logic XonPaper       = 1'b1;

  // Widths of fields. A count of cells goes up to 2^24 inclusive.
  localparam int LimitW     = 25;
  localparam int AlphaNW    = 16;
  localparam int AlphaMW    = 5;
  localparam int PoolIndexW = 8;
  localparam int PolicyW    = 2;
  localparam int ProductW   = LimitW + AlphaNW;  // n * (B - S)
  localparam int ThresholdW = 32;  // T saturates at 2^32 - 1

  // A threshold setting, the same in the words of profiles and queue profiles.
  localparam int LinePolicy    = 0;
  localparam int LineAlphaN    = LinePolicy + PolicyW;     // alpha = n / 2^m
  localparam int LineAlphaM    = LineAlphaN + AlphaNW;
  localparam int LineStatic    = LineAlphaM + AlphaMW;
  localparam int LinePartition = LineStatic + LimitW;      // floor(B / sharers)
  localparam int LineBits      = LinePartition + LimitW;

  // Word of a profile.
  localparam int ProfileLine      = 0;
  localparam int ProfilePool      = LineBits;
  localparam int ProfilePrivate   = ProfilePool + PoolIndexW;
  localparam int ProfileHeadroom  = ProfilePrivate + LimitW;
  localparam int ProfileXon       = ProfileHeadroom + LimitW;
  localparam int ProfileXonOffset = ProfileXon + LimitW;
  localparam int ProfileLossless  = ProfileXonOffset + LimitW;
  localparam int ProfileTrigger   = ProfileLossless + 1;
  localparam int ProfileRule      = ProfileTrigger + 1;
  localparam int ProfileBits      = ProfileRule + 1;

  // Word of an ingress pool.
  localparam int PoolShared    = 0;                        // B
  localparam int PoolHeadroom  = PoolShared + LimitW;      // H
  localparam int PoolDedicated = PoolHeadroom + LimitW;
  localparam int PoolBits      = PoolDedicated + 1;

  // Word of a queue profile.
  localparam int QueueLine        = 0;
  localparam int QueuePool        = LineBits;
  localparam int QueueMinimum     = QueuePool + PoolIndexW;
  localparam int QueueProfileBits = QueueMinimum + LimitW;

  // Word of an egress pool.
  localparam int EgressShared   = 0;                       // B_e
  localparam int EgressPoolBits = EgressShared + LimitW;

  // What csr reads of a domain: rd_select_i = {table, field}, the field being the offset of the
  // register in its block of the register map, in words. rd_addr_i counts PGs, queues or pools.
  // A read of cycle t shows the domain after the requests of the cycles before t.
  localparam int TableW  = 3;
  localparam int FieldW  = 5;
  localparam int SelectW = TableW + FieldW;
  localparam int ReadW   = 64;
  localparam logic [2:0] TablePgStats    = 3'd0;  // as stats_counters
  localparam logic [2:0] TableQueueStats = 3'd1;  // as stats_counters
  localparam logic [2:0] TablePool       = 3'd2;  // csr_map_pkg Pool*: what is held; watermarks
  localparam logic [2:0] TablePg         = 3'd3;  // csr_map_pkg Pg*; profile: 0 none, k + 1
  localparam logic [2:0] TableQueue      = 3'd4;  // QueueField*
  localparam logic [2:0] TableEgressPool = 3'd5;  // EgressPoolField*
  localparam logic [2:0] TableDomain     = 3'd6;  // 0 releases of more than was held
  // Fields of the two tables that are no block of the register map.
  localparam logic [4:0] QueueFieldMinimum     = 5'd0;
  localparam logic [4:0] QueueFieldShared      = 5'd1;
  localparam logic [4:0] QueueFieldProfile     = 5'd2;
  localparam logic [4:0] EgressPoolFieldShared = 5'd0;

endpackage
