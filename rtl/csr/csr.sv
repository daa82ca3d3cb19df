// SPDX-License-Identifier: Apache-2.0
//
// Control and status registers of the MMU: an APB slave in front of the register map.
//
//   1. After reset every CFG register is 0 (maps: none) and no request is taken.
//   2. Software writes the CFG and RW registers in any order, then 1 to chip.start: started_o rises
//      when every domain has taken its profiles over. From then on CFG registers are read only.
//   3. An RW write of a profile holds PREADY until every domain has taken it over.
//   4. A write acts on the requests of the cycle in which PREADY is high, and of later ones.
//   5. The low word of a 64-bit counter keeps its high word for the next read of that word.
//
// PSLVERR answers, and nothing has changed: no register there, an address that is no multiple of 4,
// a write to what is read only, a value that is not legal, a number of cells that CellW bits cannot
// hold. Registers counted at the MACs, outside of the MMU, read as 0.
//
// Units:   as docs/reference/registers.md.
// Latency: registers of its own 5 cycles from PSEL to PREADY, 6 of a port and writes, counters some
//          more; waits for init_done_i and its own memory. pfc_sent_i, pfc_received_i: in the
//          counter a walk over the ports and a cycle later, in what a read shows at once.
// Memory:  Ports x 2*StatW for the counted PFC frames, two reads and one write a cycle; 16 words a
//          port, ports rounded up to a power of two, for settings, one read and one write.
// Golden:  systemc/src/model/registers/csr.cpp and register_map.cpp, compared by tb/lockstep.
// Source:  docs/design/contract.md, 3 and 4; AMBA 3 APB.
module csr #(
  parameter int Ports         = 8,   // 1 .. 4096
  parameter int Domains       = 1,   // memory domains, 1 .. 256
  parameter int Lanes         = 1,   // arrivals, and releases, per domain and cycle: 1, 2 or 4
  parameter int Profiles      = 2,   // 1 .. 255
  parameter int QueueProfiles = 1,   // 1 .. 255
  parameter int Pools         = 1,   // ingress pools, 1 .. 256, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. 256, at most 8 a port
  parameter int CellW         = 17,  // bits of a count of cells, 1 .. 24
  parameter int StatW         = 48,  // bits of a counter, 14 .. 64
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // shown in chip.admit
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,    // shown in chip.pfc
  parameter int ThresholdLag  = 0,   // shown in chip.threshold_lag
  parameter int RowW          = $clog2(Ports * 8)  // derived: do not override
) (
  input  logic        clk_i,
  input  logic        rst_ni,                 // asynchronous, active low
  input  logic        init_done_i,            // the memories of all domains are cleared

  // APB
  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  logic [23:0] paddr_i,                // bytes
  input  logic [31:0] pwdata_i,
  output logic        pready_o,
  output logic [31:0] prdata_o,
  output logic        pslverr_o,

  // Settings, as levels; layouts in weir_pkg. Domain d has its profiles and pools at d.
  output logic                                          started_o,
  output logic [Domains*Profiles*weir_pkg::ProfileBits-1:0] cfg_profile_o,
  output logic [Domains*Pools*weir_pkg::PoolBits-1:0]   cfg_pool_o,
  output logic [QueueProfiles*weir_pkg::QueueProfileBits-1:0] cfg_queue_profile_o,
  output logic [Domains*EgressPools*weir_pkg::EgressPoolBits-1:0] cfg_egress_pool_o,
  output logic [8*3-1:0]                                pg_of_class_o, // PG of each priority
  output logic [15:0]                                   quanta_o,
  output logic [Ports*32-1:0]                           step_o,        // of pause timers
  output logic [Ports*24-1:0]                           response_o,    // cycles
  output logic [Ports*48-1:0]                           source_o,      // station addresses

  // To all domains: the RW fields of a profile have changed; a profile of a PG or queue; clear
  output logic                                          cfg_update_o,
  output logic [7:0]                                    cfg_update_profile_o,
  input  logic [Domains-1:0]                            cfg_taken_i,
  output logic                                          map_we_o,
  output logic                                          map_queue_o,   // 1: of a queue
  output logic [RowW-1:0]                               map_addr_o,
  output logic [7:0]                                    map_data_o,    // 0 none, k + 1: profile k
  output logic                                          clear_stats_o,

  // Reads of a domain
  output logic [Domains-1:0]                            rd_valid_o,
  output logic [weir_pkg::SelectW-1:0]                  rd_select_o,
  output logic [RowW-1:0]                               rd_addr_o,
  input  logic [Domains-1:0]                            rd_valid_i,
  input  logic [Domains*weir_pkg::ReadW-1:0]            rd_data_i,

  // PFC frames of each port, a strobe for each
  input  logic [Ports-1:0]                              pfc_sent_i,
  input  logic [Ports-1:0]                              pfc_received_i
);

  localparam int ProfileBits      = weir_pkg::ProfileBits;
  localparam int PoolBits         = weir_pkg::PoolBits;
  localparam int QueueProfileBits = weir_pkg::QueueProfileBits;
  localparam int EgressPoolBits   = weir_pkg::EgressPoolBits;
  localparam int LimitW           = weir_pkg::LimitW;
  localparam int PolicyW          = weir_pkg::PolicyW;
  localparam int AlphaNW          = weir_pkg::AlphaNW;
  localparam int AlphaMW          = weir_pkg::AlphaMW;
  localparam int PoolIndexW       = weir_pkg::PoolIndexW;
  localparam int PortW            = (Ports > 1) ? $clog2(Ports) : 1;
  localparam int DomainW          = (Domains > 1) ? $clog2(Domains) : 1;

  localparam logic [31:0] MostCells = (CellW >= 25) ? '1 : (32'd1 << CellW) - 32'd1;

  typedef enum logic [3:0] {
    Idle, Find, Divide, Subtract, Check, Act, Update, Taken, Fetch, Fetched, Setting, Done
  } state_e;

  // ---- State ----
  state_e             state_d, state_q;
  logic [23:0]        address_q, behind_q, index_q;
  logic               write_q, error_q, started_q, starting_q;
  logic [31:0]        wdata_q;
  logic [3:0]         block, block_q;
  logic [5:0]         word_q;
  logic [7:0]         profile_q;   // that is being taken over
  logic [Domains-1:0] taken_q, taken;
  logic [DomainW-1:0] domain_q;    // that is being read
  logic [63:0]        value_q;     // what has been read so far
  logic               high_valid_q;
  logic [23:0]        high_for_q;  // address of the high word that is kept
  logic [31:0]        high_q;

  // ---- Settings ----
  // Each domain has its own copy of the profiles: they differ in LinePartition only.
  logic [Domains*Profiles*ProfileBits-1:0]   profiles_q;
  logic [QueueProfiles*QueueProfileBits-1:0] queue_profiles_q;
  logic [Domains*Pools*PoolBits-1:0]         pools_q;       // domain by domain
  logic [Domains*EgressPools*EgressPoolBits-1:0] egress_pools_q;
  logic [Ports*DomainW-1:0]                  domain_of_port_q;
  logic [15:0]                               cell_q, overhead_q, mtu_q;
  logic [13:0]                               clock_q;
  logic [20:0]                               fifo_q;

  // ---- Where the address leads ----
  // Nothing to look at while no access is under way: guards, here and below, save simulation time.
  logic       busy, look, act;
  logic [7:0] offset;
  assign busy = state_q != Idle;
  assign look = state_q == Check;

  logic [2:0] access;
  logic       refused, wide, high_word, sized;
  logic [5:0] low_word;
  assign low_word = {word_q[5:1], 1'b0};

  always_comb begin
    block     = '0;
    offset    = '0;
    access    = csr_map_pkg::Nothing;
    wide      = 1'b0;
    high_word = 1'b0;
    if (busy) begin
      block     = csr_map_pkg::block_of(address_q);
      offset    = 8'(behind_q - csr_map_pkg::start_of(block_q, index_q));
      access    = csr_map_pkg::access_of(block_q, word_q);
      wide      = csr_map_pkg::is_low_word(block_q, word_q);
      high_word = word_q[0] && csr_map_pkg::is_low_word(block_q, low_word);
    end
  end

  always_comb begin
    sized = 1'b0;  // registers whose cells must fit CellW bits
    case (block_q)
      csr_map_pkg::ProfileBlock:
        sized = word_q == csr_map_pkg::ProfilePrivate || word_q == csr_map_pkg::ProfileHeadroom;
      csr_map_pkg::PoolBlock, csr_map_pkg::EgressPoolBlock: sized =
          word_q == csr_map_pkg::PoolSharedSize || word_q == csr_map_pkg::PoolHeadroomSize;
      csr_map_pkg::QueueProfileBlock: sized = word_q == csr_map_pkg::QueueProfileMinimum;
      default: sized = 1'b0;
    endcase
    refused = error_q || access == csr_map_pkg::Nothing;
    if (write_q && look) begin
      if (access == csr_map_pkg::Ro || access == csr_map_pkg::Outside) refused = 1'b1;
      if (access == csr_map_pkg::Cfg && started_q) refused = 1'b1;
      if (!csr_map_pkg::is_legal(block_q, word_q, wdata_q, 32'(Domains), 32'(Profiles),
                                 32'(Pools), 32'(QueueProfiles), 32'(EgressPools))) begin
        refused = 1'b1;
      end
      if (sized && wdata_q > MostCells) refused = 1'b1;
    end
  end

  // Row and domain of (something, domain) pairs: index = row * Domains + domain.
  localparam int Pairs = ((Pools > EgressPools) ? Pools : EgressPools) * Domains;
  logic [RowW-1:0]    row_of_pair;
  logic [DomainW-1:0] domain_of_pair;
  always_comb begin
    row_of_pair    = '0;
    domain_of_pair = '0;
    if (look) begin
      for (int n = 0; n < Pairs; n++) begin
        row_of_pair    = row_of_pair | (RowW'(n / Domains) & {RowW{index_q == 24'(n)}});
        domain_of_pair = domain_of_pair | (DomainW'(n % Domains) & {DomainW{index_q == 24'(n)}});
      end
    end
  end

  // ---- Local values: the words that `index` leads to, then the field ----
  logic [ProfileBits-1:0]      profile_word;
  logic [LimitW-1:0]           partition_word;
  logic [QueueProfileBits-1:0] queue_profile_word;
  logic [PoolBits-1:0]         pool_word;
  logic [EgressPoolBits-1:0]   egress_pool_word;
  logic [DomainW-1:0]          domain_of_port;
  logic [63:0]                 frames_sent, frames_received;
  logic [Ports-1:0]            domain_bits;
  logic [23:0]                 port;  // that the register belongs to
  assign port = (block_q == csr_map_pkg::PortBlock) ? index_q : index_q >> 3;

  always_comb begin
    profile_word       = '0;
    partition_word     = '0;
    queue_profile_word = '0;
    pool_word          = '0;
    egress_pool_word   = '0;
    domain_of_port     = '0;
    domain_bits        = '0;
    if (look) begin
      for (int n = 0; n < Profiles; n++) begin
        profile_word = profile_word |
            (profiles_q[n*ProfileBits +: ProfileBits] & {ProfileBits{index_q == 24'(n)}});
      end
      for (int n = 0; n < Profiles*Domains; n++) begin
        partition_word = partition_word | ({LimitW{index_q == 24'(n)}} &
            profiles_q[((n % Domains)*Profiles + n/Domains)*ProfileBits + weir_pkg::LinePartition
                       +: LimitW]);
      end
      for (int n = 0; n < QueueProfiles; n++) begin
        queue_profile_word = queue_profile_word | ({QueueProfileBits{index_q == 24'(n)}} &
            queue_profiles_q[n*QueueProfileBits +: QueueProfileBits]);
      end
      for (int n = 0; n < Domains*Pools; n++) begin
        pool_word = pool_word | ({PoolBits{index_q == 24'(n)}} &
            pools_q[((n % Domains)*Pools + n/Domains)*PoolBits +: PoolBits]);
      end
      for (int n = 0; n < Domains*EgressPools; n++) begin
        egress_pool_word = egress_pool_word | ({EgressPoolBits{index_q == 24'(n)}} &
            egress_pools_q[((n % Domains)*EgressPools + n/Domains)*EgressPoolBits
                           +: EgressPoolBits]);
      end
      for (int b = 0; b < DomainW; b++) begin
        for (int n = 0; n < Ports; n++) begin
          domain_bits[n] = domain_of_port_q[n*DomainW + b] && port == 24'(n);
        end
        domain_of_port[b] = |domain_bits;
      end
    end
  end

  function automatic logic [31:0] alpha_value(input logic [AlphaNW-1:0] n,
                                              input logic [AlphaMW-1:0] m);
    alpha_value = {16'(m), 16'(n)};
  endfunction

  logic [63:0] chip_value, profile_value, queue_profile_value, pool_value, port_value, local_value;

  always_comb begin
    chip_value = '0;
    if (look) case (word_q)
      csr_map_pkg::ChipId:            chip_value = 64'(csr_map_pkg::Id);
      csr_map_pkg::ChipVersion:       chip_value = 64'(csr_map_pkg::Version);
      csr_map_pkg::ChipMapVersion:    chip_value = 64'(csr_map_pkg::MapVersion);
      csr_map_pkg::ChipPorts:         chip_value = 64'(Ports);
      csr_map_pkg::ChipDomains:       chip_value = 64'(Domains);
      csr_map_pkg::ChipLanes:         chip_value = 64'(Lanes);
      csr_map_pkg::ChipCell:          chip_value = 64'(cell_q);
      csr_map_pkg::ChipCellOverhead:  chip_value = 64'(overhead_q);
      csr_map_pkg::ChipClock:         chip_value = 64'(clock_q);
      csr_map_pkg::ChipAdmit:         chip_value = 64'(AdmitLatency);
      csr_map_pkg::ChipPfc:           chip_value = 64'(PfcLatency);
      csr_map_pkg::ChipThresholdLag:  chip_value = 64'(ThresholdLag);
      csr_map_pkg::ChipMtu:           chip_value = 64'(mtu_q);
      csr_map_pkg::ChipProfiles:      chip_value = 64'(Profiles);
      csr_map_pkg::ChipPools:         chip_value = 64'(Pools);
      csr_map_pkg::ChipPortFifo:      chip_value = 64'(fifo_q);
      csr_map_pkg::ChipQuanta:        chip_value = 64'(quanta_o);
      csr_map_pkg::ChipStart:         chip_value = 64'(started_q);
      csr_map_pkg::ChipQueueProfiles: chip_value = 64'(QueueProfiles);
      csr_map_pkg::ChipEgressPools:   chip_value = 64'(EgressPools);
      csr_map_pkg::ChipPgOfPriority: begin
        for (int n = 0; n < 8; n++) chip_value[4*n +: 3] = pg_of_class_o[3*n +: 3];
      end
      default:                        chip_value = '0;
    endcase
  end

  always_comb begin
    profile_value = '0;
    if (look) case (word_q)
      csr_map_pkg::ProfileLossless:
        profile_value = 64'(profile_word[weir_pkg::ProfileLossless]);
      csr_map_pkg::ProfilePool:
        profile_value = 64'(profile_word[weir_pkg::ProfilePool +: PoolIndexW]);
      csr_map_pkg::ProfilePrivate:
        profile_value = 64'(profile_word[weir_pkg::ProfilePrivate +: LimitW]);
      csr_map_pkg::ProfileHeadroom:
        profile_value = 64'(profile_word[weir_pkg::ProfileHeadroom +: LimitW]);
      csr_map_pkg::ProfilePolicy:
        profile_value = 64'(profile_word[weir_pkg::LinePolicy +: PolicyW]);
      csr_map_pkg::ProfileAlpha:
        profile_value = 64'(alpha_value(profile_word[weir_pkg::LineAlphaN +: AlphaNW],
                                        profile_word[weir_pkg::LineAlphaM +: AlphaMW]));
      csr_map_pkg::ProfileStaticLimit:
        profile_value = 64'(profile_word[weir_pkg::LineStatic +: LimitW]);
      csr_map_pkg::ProfileXon:
        profile_value = 64'(profile_word[weir_pkg::ProfileXon +: LimitW]);
      csr_map_pkg::ProfileXonOffset:
        profile_value = 64'(profile_word[weir_pkg::ProfileXonOffset +: LimitW]);
      csr_map_pkg::ProfileXoffTrigger:
        profile_value = 64'(profile_word[weir_pkg::ProfileTrigger]);
      csr_map_pkg::ProfileXonRule:
        profile_value = 64'(profile_word[weir_pkg::ProfileRule]);
      default: profile_value = '0;
    endcase
    queue_profile_value = '0;
    if (look) case (word_q)
      csr_map_pkg::QueueProfilePool:
        queue_profile_value = 64'(queue_profile_word[weir_pkg::QueuePool +: PoolIndexW]);
      csr_map_pkg::QueueProfileMinimum:
        queue_profile_value = 64'(queue_profile_word[weir_pkg::QueueMinimum +: LimitW]);
      csr_map_pkg::QueueProfilePolicy:
        queue_profile_value = 64'(queue_profile_word[weir_pkg::LinePolicy +: PolicyW]);
      csr_map_pkg::QueueProfileAlpha: queue_profile_value =
          64'(alpha_value(queue_profile_word[weir_pkg::LineAlphaN +: AlphaNW],
                          queue_profile_word[weir_pkg::LineAlphaM +: AlphaMW]));
      csr_map_pkg::QueueProfileStaticLimit:
        queue_profile_value = 64'(queue_profile_word[weir_pkg::LineStatic +: LimitW]);
      csr_map_pkg::QueueProfilePartition:
        queue_profile_value = 64'(queue_profile_word[weir_pkg::LinePartition +: LimitW]);
      default: queue_profile_value = '0;
    endcase
    pool_value = '0;
    if (look) case (word_q)
      csr_map_pkg::PoolSharedSize:
        pool_value = 64'(pool_word[weir_pkg::PoolShared +: LimitW]);
      csr_map_pkg::PoolHeadroomSize:
        pool_value = 64'(pool_word[weir_pkg::PoolHeadroom +: LimitW]);
      csr_map_pkg::PoolDedicated: pool_value = 64'(pool_word[weir_pkg::PoolDedicated]);
      default: pool_value = '0;
    endcase
    port_value = '0;
    if (look) case (word_q)
      csr_map_pkg::PortPfcFramesSent, csr_map_pkg::PortPfcFramesSent + 6'd1:
        port_value = frames_sent;
      csr_map_pkg::PortPfcFramesReceived, csr_map_pkg::PortPfcFramesReceived + 6'd1:
        port_value = frames_received;
      default: port_value = '0;
    endcase
    local_value = '0;
    if (look) begin
      case (block_q)
        csr_map_pkg::ChipBlock:         local_value = chip_value;
        csr_map_pkg::ProfileBlock:      local_value = profile_value;
        csr_map_pkg::PartitionBlock:    local_value = 64'(partition_word);
        csr_map_pkg::QueueProfileBlock: local_value = queue_profile_value;
        csr_map_pkg::PoolBlock:         local_value = pool_value;
        csr_map_pkg::EgressPoolBlock:
          local_value = 64'(egress_pool_word[weir_pkg::EgressShared +: LimitW]);
        csr_map_pkg::PortBlock:         local_value = port_value;
        default:                        local_value = '0;
      endcase
    end
  end

  // ---- Values that a domain holds ----
  logic               of_domain, of_port, every_domain, greatest;
  logic [2:0]         table_of;
  logic [4:0]         field;
  logic [RowW-1:0]    row;
  logic [DomainW-1:0] first_domain;

  always_comb begin
    of_domain    = 1'b0;
    table_of     = weir_pkg::TablePg;
    field        = high_word ? low_word[4:0] : word_q[4:0];
    row          = RowW'(index_q);
    first_domain = domain_of_port;
    case (block_q)
      csr_map_pkg::PgBlock: of_domain = 1'b1;
      csr_map_pkg::PgStatsBlock: begin
        of_domain = 1'b1;
        table_of  = weir_pkg::TablePgStats;
      end
      csr_map_pkg::QueueStatsBlock: begin
        of_domain    = 1'b1;
        table_of     = weir_pkg::TableQueueStats;
        first_domain = '0;
      end
      csr_map_pkg::QueueBlock: begin
        of_domain    = 1'b1;
        table_of     = weir_pkg::TableQueue;
        field        = weir_pkg::QueueFieldProfile;
        first_domain = '0;
      end
      csr_map_pkg::PoolBlock: begin
        of_domain    = access == csr_map_pkg::Ro;
        table_of     = weir_pkg::TablePool;
        row          = row_of_pair;
        first_domain = domain_of_pair;
      end
      csr_map_pkg::EgressPoolBlock: begin
        of_domain    = access == csr_map_pkg::Ro;
        table_of     = weir_pkg::TableEgressPool;
        field        = weir_pkg::EgressPoolFieldShared;
        row          = row_of_pair;
        first_domain = domain_of_pair;
      end
      default: of_domain = 1'b0;
    endcase
  end

  // Settings of ports are read from a memory; those that act are in registers as well.
  logic [31:0]      setting;
  logic             settings_done;
  logic [PortW-1:0] setting_port;
  assign setting_port = PortW'(index_q);
  assign of_port = block_q == csr_map_pkg::PortBlock && access == csr_map_pkg::Cfg;

  row_memory #(.Rows(16 << PortW), .Width(32)) u_settings (
    .clk_i, .rst_ni,
    .init_done_o(settings_done),
    .rd_row_i   ({setting_port, word_q[3:0]}),
    .rd_data_o  (setting),
    .wr_valid_i (act && of_port),
    .wr_row_i   ({setting_port, word_q[3:0]}),
    .wr_data_i  (wdata_q)
  );

  // A queue is counted in each domain: counters add up, high-water marks are the greatest.
  assign every_domain = block_q == csr_map_pkg::QueueStatsBlock;
  assign greatest     = every_domain && word_q >= csr_map_pkg::QueueStatsSharedWatermark;

  logic [weir_pkg::SelectW-1:0] select_q;
  logic [RowW-1:0]              row_q;
  logic [63:0]                  part, joined;
  logic                         last_domain;
  assign rd_select_o = select_q;
  assign rd_addr_o   = row_q;
  assign last_domain = !every_domain || domain_q == DomainW'(Domains - 1);

  always_comb begin
    rd_valid_o = '0;
    part       = '0;
    if (state_q == Fetch || state_q == Fetched) begin
      for (int d = 0; d < Domains; d++) begin
        rd_valid_o[d] = state_q == Fetch && domain_q == DomainW'(d);
        part = part | (rd_data_i[d*weir_pkg::ReadW +: weir_pkg::ReadW] &
                       {weir_pkg::ReadW{domain_q == DomainW'(d)}});
      end
    end
    joined = value_q + part;
    if (greatest) joined = (value_q < part) ? part : value_q;
    // Counters of several domains wrap together.
    if (every_domain && !greatest) joined = 64'(joined[StatW-1:0]);
  end

  // ---- The answer ----
  logic [63:0] answer;
  logic        kept;
  assign kept = high_valid_q && high_for_q == address_q;

  always_comb begin
    answer = value_q;
    if (block_q == csr_map_pkg::QueueBlock ||
        (block_q == csr_map_pkg::PgBlock && word_q == csr_map_pkg::PgProfile)) begin
      answer = (value_q == '0) ? 64'h0000_0000_ffff_ffff : value_q - 64'd1;
    end
  end

  assign pready_o  = state_q == Done && penable_i;
  assign pslverr_o = pready_o && error_q;

  always_comb begin
    prdata_o = '0;
    if (pready_o && !error_q && !write_q) begin
      if (kept) begin
        prdata_o = high_q;
      end else begin
        prdata_o = high_word ? answer[63:32] : answer[31:0];
      end
    end
  end

  // ---- What happens next ----
  logic takes_profile, starts, all_taken;
  assign takes_profile = block_q == csr_map_pkg::ProfileBlock && access == csr_map_pkg::Rw;
  assign starts = block_q == csr_map_pkg::ChipBlock && word_q == csr_map_pkg::ChipStart &&
                  wdata_q[0] && !started_q;
  assign taken     = taken_q | cfg_taken_i;
  assign all_taken = &taken;

  always_comb begin
    state_d = state_q;
    case (state_q)
      Idle:     if (psel_i && init_done_i && settings_done) state_d = Find;
      Find:     state_d = Divide;
      Divide:   state_d = Subtract;
      Subtract: state_d = Check;
      Check: begin
        if (refused || (!write_q && kept)) state_d = Done;
        else if (write_q) state_d = Act;
        else if (of_domain) state_d = Fetch;
        else if (of_port) state_d = Setting;
        else state_d = Done;
      end
      Act: begin
        state_d = Done;
        if (starts || (takes_profile && started_q)) state_d = Update;
      end
      Update, Taken: begin
        state_d = Taken;
        if (all_taken) state_d = Done;
        if (all_taken && starting_q && profile_q != 8'(Profiles - 1)) state_d = Update;
      end
      Setting:  state_d = Done;
      Fetch:    state_d = Fetched;
      Fetched: begin
        for (int d = 0; d < Domains; d++) begin
          if (domain_q == DomainW'(d) && rd_valid_i[d]) begin
            state_d = Fetch;
            if (last_domain) state_d = Done;
          end
        end
      end
      default:  state_d = Idle;
    endcase
  end

  assign cfg_update_o         = state_q == Update;
  assign cfg_update_profile_o = profile_q;
  assign started_o            = started_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= Idle;
      address_q    <= '0;
      behind_q     <= '0;
      index_q      <= '0;
      write_q      <= 1'b0;
      error_q      <= 1'b0;
      started_q    <= 1'b0;
      starting_q   <= 1'b0;
      wdata_q      <= '0;
      block_q      <= '0;
      word_q       <= '0;
      profile_q    <= '0;
      taken_q      <= '0;
      domain_q     <= '0;
      value_q      <= '0;
      high_valid_q <= 1'b0;
      high_for_q   <= '0;
      high_q       <= '0;
      select_q     <= '0;
      row_q        <= '0;
    end else if (state_q != Idle || psel_i) begin
      state_q <= state_d;
      case (state_q)
        Idle: begin
          address_q <= paddr_i;
          write_q   <= pwrite_i;
          wdata_q   <= pwdata_i;
          error_q   <= 1'b0;
        end
        Find: begin
          block_q  <= block;
          behind_q <= address_q - csr_map_pkg::base_of(block);
        end
        Divide: index_q <= csr_map_pkg::index_of(block_q, behind_q);
        Subtract: begin
          word_q  <= offset[7:2];
          error_q <= offset[1:0] != '0 || 32'(index_q) >=
              csr_map_pkg::instances_of(block_q, 32'(Ports), 32'(Domains), 32'(Profiles),
                                        32'(Pools), 32'(QueueProfiles), 32'(EgressPools));
        end
        Check: begin
          error_q   <= refused;
          value_q   <= of_domain ? '0 : local_value;
          select_q  <= {table_of, field};
          row_q     <= row;
          domain_q  <= first_domain;
          profile_q <= 8'(index_q);
        end
        Act: begin
          taken_q    <= '0;
          starting_q <= starts;
          if (starts) profile_q <= '0;
        end
        Update, Taken: begin
          taken_q <= taken;
          if (all_taken) begin
            taken_q   <= '0;
            profile_q <= profile_q + 8'd1;
            if (starting_q && profile_q == 8'(Profiles - 1)) started_q <= 1'b1;
          end
        end
        Fetched: begin
          if (rd_valid_i[domain_q]) begin
            value_q  <= joined;
            domain_q <= domain_q + DomainW'(1);
          end
        end
        Setting: value_q <= 64'(setting);
        Done: begin
          if (!error_q && !write_q) begin
            if (wide) begin
              high_valid_q <= 1'b1;
              high_for_q   <= address_q + 24'd4;
              high_q       <= answer[63:32];
            end else if (kept) begin
              high_valid_q <= 1'b0;
            end
          end
        end
        default: ;
      endcase
    end
  end

  // ---- Writes ----
  assign act           = state_q == Act;
  assign map_we_o      = act && (block_q == csr_map_pkg::PgBlock ||
                                 block_q == csr_map_pkg::QueueBlock);
  assign map_queue_o   = block_q == csr_map_pkg::QueueBlock;
  assign map_addr_o    = row_q;
  assign map_data_o    = wdata_q[7:0] + 8'd1;  // none is all ones
  assign clear_stats_o = act && block_q == csr_map_pkg::ChipBlock &&
                         word_q == csr_map_pkg::ChipClearStats && wdata_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cell_q        <= '0;
      overhead_q    <= '0;
      clock_q       <= '0;
      mtu_q         <= '0;
      fifo_q        <= '0;
      quanta_o      <= '0;
      pg_of_class_o <= '0;
    end else if (act && block_q == csr_map_pkg::ChipBlock) begin
      case (word_q)
        csr_map_pkg::ChipCell:         cell_q     <= wdata_q[15:0];
        csr_map_pkg::ChipCellOverhead: overhead_q <= wdata_q[15:0];
        csr_map_pkg::ChipClock:        clock_q    <= wdata_q[13:0];
        csr_map_pkg::ChipMtu:          mtu_q      <= wdata_q[15:0];
        csr_map_pkg::ChipPortFifo:     fifo_q     <= wdata_q[20:0];
        csr_map_pkg::ChipQuanta:       quanta_o   <= wdata_q[15:0];
        csr_map_pkg::ChipPgOfPriority: begin
          for (int n = 0; n < 8; n++) pg_of_class_o[3*n +: 3] <= wdata_q[4*n +: 3];
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      profiles_q <= '0;
    end else if (act && block_q == csr_map_pkg::PartitionBlock) begin
      for (int n = 0; n < Profiles*Domains; n++) begin
        if (index_q == 24'(n)) begin
          profiles_q[((n % Domains)*Profiles + n/Domains)*ProfileBits + weir_pkg::LinePartition
                     +: LimitW] <= wdata_q[LimitW-1:0];
        end
      end
    end else if (act && block_q == csr_map_pkg::ProfileBlock) begin
      for (int n = 0; n < Domains*Profiles; n++) begin
        if (index_q == 24'(n % Profiles)) begin
          case (word_q)
            csr_map_pkg::ProfileLossless:
              profiles_q[n*ProfileBits + weir_pkg::ProfileLossless] <= wdata_q[0];
            csr_map_pkg::ProfilePool:
              profiles_q[n*ProfileBits + weir_pkg::ProfilePool +: PoolIndexW] <=
                  wdata_q[PoolIndexW-1:0];
            csr_map_pkg::ProfilePrivate:
              profiles_q[n*ProfileBits + weir_pkg::ProfilePrivate +: LimitW] <=
                  wdata_q[LimitW-1:0];
            csr_map_pkg::ProfileHeadroom:
              profiles_q[n*ProfileBits + weir_pkg::ProfileHeadroom +: LimitW] <=
                  wdata_q[LimitW-1:0];
            csr_map_pkg::ProfilePolicy:
              profiles_q[n*ProfileBits + weir_pkg::LinePolicy +: PolicyW] <= wdata_q[PolicyW-1:0];
            csr_map_pkg::ProfileAlpha: begin
              profiles_q[n*ProfileBits + weir_pkg::LineAlphaN +: AlphaNW] <= wdata_q[AlphaNW-1:0];
              profiles_q[n*ProfileBits + weir_pkg::LineAlphaM +: AlphaMW] <= wdata_q[16 +: AlphaMW];
            end
            csr_map_pkg::ProfileStaticLimit:
              profiles_q[n*ProfileBits + weir_pkg::LineStatic +: LimitW] <= wdata_q[LimitW-1:0];
            csr_map_pkg::ProfileXon:
              profiles_q[n*ProfileBits + weir_pkg::ProfileXon +: LimitW] <= wdata_q[LimitW-1:0];
            csr_map_pkg::ProfileXonOffset:
              profiles_q[n*ProfileBits + weir_pkg::ProfileXonOffset +: LimitW] <=
                  wdata_q[LimitW-1:0];
            csr_map_pkg::ProfileXoffTrigger:
              profiles_q[n*ProfileBits + weir_pkg::ProfileTrigger] <= wdata_q[0];
            csr_map_pkg::ProfileXonRule:
              profiles_q[n*ProfileBits + weir_pkg::ProfileRule] <= wdata_q[0];
            default: ;
          endcase
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      queue_profiles_q <= '0;
    end else if (act && block_q == csr_map_pkg::QueueProfileBlock) begin
      for (int n = 0; n < QueueProfiles; n++) begin
        if (index_q == 24'(n)) begin
          case (word_q)
            csr_map_pkg::QueueProfilePool:
              queue_profiles_q[n*QueueProfileBits + weir_pkg::QueuePool +: PoolIndexW] <=
                  wdata_q[PoolIndexW-1:0];
            csr_map_pkg::QueueProfileMinimum:
              queue_profiles_q[n*QueueProfileBits + weir_pkg::QueueMinimum +: LimitW] <=
                  wdata_q[LimitW-1:0];
            csr_map_pkg::QueueProfilePolicy:
              queue_profiles_q[n*QueueProfileBits + weir_pkg::LinePolicy +: PolicyW] <=
                  wdata_q[PolicyW-1:0];
            csr_map_pkg::QueueProfileAlpha: begin
              queue_profiles_q[n*QueueProfileBits + weir_pkg::LineAlphaN +: AlphaNW] <=
                  wdata_q[AlphaNW-1:0];
              queue_profiles_q[n*QueueProfileBits + weir_pkg::LineAlphaM +: AlphaMW] <=
                  wdata_q[16 +: AlphaMW];
            end
            csr_map_pkg::QueueProfileStaticLimit:
              queue_profiles_q[n*QueueProfileBits + weir_pkg::LineStatic +: LimitW] <=
                  wdata_q[LimitW-1:0];
            csr_map_pkg::QueueProfilePartition:
              queue_profiles_q[n*QueueProfileBits + weir_pkg::LinePartition +: LimitW] <=
                  wdata_q[LimitW-1:0];
            default: ;
          endcase
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pools_q        <= '0;
      egress_pools_q <= '0;
    end else if (act) begin
      for (int n = 0; n < Domains*Pools; n++) begin
        if (block_q == csr_map_pkg::PoolBlock && index_q == 24'(n)) begin
          case (word_q)
            csr_map_pkg::PoolSharedSize:
              pools_q[((n % Domains)*Pools + n/Domains)*PoolBits + weir_pkg::PoolShared +: LimitW]
                  <= wdata_q[LimitW-1:0];
            csr_map_pkg::PoolHeadroomSize:
              pools_q[((n % Domains)*Pools + n/Domains)*PoolBits + weir_pkg::PoolHeadroom +: LimitW]
                  <= wdata_q[LimitW-1:0];
            default:
              pools_q[((n % Domains)*Pools + n/Domains)*PoolBits + weir_pkg::PoolDedicated]
                  <= wdata_q[0];
          endcase
        end
      end
      for (int n = 0; n < Domains*EgressPools; n++) begin
        if (block_q == csr_map_pkg::EgressPoolBlock && index_q == 24'(n)) begin
          egress_pools_q[((n % Domains)*EgressPools + n/Domains)*EgressPoolBits +
                         weir_pkg::EgressShared +: LimitW] <= wdata_q[LimitW-1:0];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      domain_of_port_q <= '0;
      step_o     <= '0;
      response_o <= '0;
      source_o   <= '0;
    end else if (act && block_q == csr_map_pkg::PortBlock) begin
      for (int n = 0; n < Ports; n++) begin
        if (index_q == 24'(n)) begin
          case (word_q)
            csr_map_pkg::PortRate: ;
            csr_map_pkg::PortDomain: domain_of_port_q[n*DomainW +: DomainW] <= wdata_q[DomainW-1:0];
            csr_map_pkg::PortResponse:     response_o[n*24 +: 24] <= wdata_q[23:0];
            csr_map_pkg::PortPauseStep:    step_o[n*32 +: 32] <= wdata_q;
            csr_map_pkg::PortSourceMacLow: source_o[n*48 +: 32] <= wdata_q;
            default:                       source_o[n*48 + 32 +: 16] <= wdata_q[15:0];
          endcase
        end
      end
    end
  end

  // ---- Settings as the domains see them ----
  assign cfg_profile_o       = profiles_q;
  assign cfg_pool_o          = pools_q;
  assign cfg_queue_profile_o = queue_profiles_q;
  assign cfg_egress_pool_o   = egress_pools_q;

  // ---- PFC frames: each port notes its own, and a walk over the ports adds them up ----
  // More frames than a walk takes cycles; a power of 2, so that no port's place is a product.
  localparam int NoteW = 1 << $clog2($clog2(Ports + 1) + 1);
  localparam int Rows  = (Ports > 1) ? Ports : 2;

  logic [Ports-1:0]       new_sent_q, new_received_q;  // of the cycle before, not yet noted
  logic [Ports*NoteW-1:0] sent_q, received_q;
  logic [PortW-1:0]       walk_q;
  logic                   noted_q;  // some port may have noted something
  logic                   count_read;
  assign count_read = state_q == Subtract;
  logic [NoteW-1:0]       sent_now, received_now, sent_shown_q, received_shown_q;
  logic [2*StatW-1:0]     frames;

  always_comb begin
    sent_now     = '0;
    received_now = '0;
    if (noted_q) begin
      sent_now     = sent_q[walk_q*NoteW +: NoteW];
      received_now = received_q[walk_q*NoteW +: NoteW];
    end
  end

  counter_memory #(.Rows(Rows), .Fields(2), .CountW(StatW), .AmountW(NoteW)) u_frames (
    .clk_i, .rst_ni,
    .clear_i   (clear_stats_o),
    .valid_i   (noted_q && !clear_stats_o),
    .row_i     (walk_q),
    .amount_i  ({received_now, sent_now}),
    .rd_valid_i(count_read),
    .rd_row_i  (PortW'(index_q)),
    .rd_data_o (frames)
  );

  // A read shows the memory and, of the same cycle, what was noted and not yet added.
  assign frames_sent     = 64'(StatW'(frames[0 +: StatW] + StatW'(sent_shown_q)));
  assign frames_received = 64'(StatW'(frames[StatW +: StatW] + StatW'(received_shown_q)));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_sent_q     <= '0;
      new_received_q <= '0;
      sent_q         <= '0;
      received_q     <= '0;
      walk_q         <= '0;
      noted_q        <= 1'b0;
      sent_shown_q     <= '0;
      received_shown_q <= '0;
    end else begin
      new_sent_q     <= clear_stats_o ? '0 : pfc_sent_i;
      new_received_q <= clear_stats_o ? '0 : pfc_received_i;
      if (noted_q) begin
        sent_q[walk_q*NoteW +: NoteW]     <= '0;
        received_q[walk_q*NoteW +: NoteW] <= '0;
        walk_q <= (walk_q == PortW'(Ports - 1)) ? '0 : walk_q + PortW'(1);
      end
      if (new_sent_q != '0 || new_received_q != '0) begin
        for (int n = 0; n < Ports; n++) begin
          if (new_sent_q[n]) begin
            sent_q[n*NoteW +: NoteW] <= NoteW'(1) +
                ((noted_q && walk_q == PortW'(n)) ? '0 : sent_q[n*NoteW +: NoteW]);
          end
          if (new_received_q[n]) begin
            received_q[n*NoteW +: NoteW] <= NoteW'(1) +
                ((noted_q && walk_q == PortW'(n)) ? '0 : received_q[n*NoteW +: NoteW]);
          end
        end
        noted_q <= 1'b1;
      end else if (noted_q) begin
        noted_q <= sent_q != '0 || received_q != '0;
      end
      if (clear_stats_o) begin
        sent_q     <= '0;
        received_q <= '0;
      end
      if (count_read) begin
        sent_shown_q     <= NoteW'(new_sent_q[PortW'(index_q)]) +
                            sent_q[PortW'(index_q)*NoteW +: NoteW];
        received_shown_q <= NoteW'(new_received_q[PortW'(index_q)]) +
                            received_q[PortW'(index_q)*NoteW +: NoteW];
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (Domains < 1 || Domains > 256) $fatal(1, "Domains = %0d: must be 1 to 256", Domains);
    if (Lanes != 1 && Lanes != 2 && Lanes != 4) $fatal(1, "Lanes = %0d: must be 1, 2 or 4", Lanes);
    if (Profiles < 1 || Profiles > 255) $fatal(1, "Profiles = %0d: must be 1 to 255", Profiles);
    if (QueueProfiles < 1 || QueueProfiles > 255) begin
      $fatal(1, "QueueProfiles = %0d: must be 1 to 255", QueueProfiles);
    end
    if (Pools < 1 || Pools > Ports * 8 || Pools > 256) begin
      $fatal(1, "Pools = %0d: must be 1 to 256, at most one for each priority group", Pools);
    end
    if (EgressPools < 1 || EgressPools > Ports * 8 || EgressPools > 256) begin
      $fatal(1, "EgressPools = %0d: must be 1 to 256, at most one for each queue", EgressPools);
    end
    if (CellW < 1 || CellW > 24) $fatal(1, "CellW = %0d: must be 1 to 24", CellW);
    if (StatW < 14 || StatW > 64) $fatal(1, "StatW = %0d: must be 14 to 64", StatW);
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
  end

endmodule
