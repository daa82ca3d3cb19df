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
// This module has the access as a whole: csr_decode says which register it is, csr_settings has
// those that software sets, csr_reads asks the domains for those of priority groups, queues and
// pools, csr_pfc_frames counts, and csr_answer has what goes back.
//
// PSLVERR answers, and nothing has changed: no register there, an address that is no multiple of 4,
// a write to what is read only, a value that is not legal, a number of cells that CellW bits cannot
// hold. Registers counted at the MACs, outside of the MMU, read as 0.
//
// Units:   as docs/reference/registers.md.
// Latency: registers of its own 5 cycles from PSEL to PREADY, 6 of a port and writes, counters some
//          more; waits for init_done_i and its own memory. pfc_sent_i, pfc_received_i: in the
//          counter a walk over the ports and a cycle later, in what a read shows at once.
// Memory:  that of csr_pfc_frames and csr_ports.
// Golden:  systemc/src/model/registers/csr.cpp and register_map.cpp, compared by tb/lockstep.
// Source:  docs/design/contract.md, 3 and 4; AMBA 3 APB.
module csr #(
  parameter int Ports         = 8,   // 1 .. MaxPorts
  parameter int Domains       = 1,   // memory domains, 1 .. MaxDomains
  parameter int Lanes         = 1,   // arrivals, and releases, per domain and cycle: 1 .. MaxLanes
  parameter int Profiles      = 2,   // 1 .. MaxProfiles
  parameter int QueueProfiles = 1,   // 1 .. MaxProfiles
  parameter int Pools         = 1,   // ingress pools, 1 .. MaxPools, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. MaxPools, at most 8 a port
  parameter int CellW         = 17,  // bits of a count of cells, 1 .. MaxCellW
  parameter int StatW         = 48,  // bits of a counter, 14 .. MaxStatW
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // shown in chip.admit
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,    // shown in chip.pfc
  parameter int ThresholdLag  = 0,   // shown in chip.threshold_lag
  parameter int MarkLatency   = pipeline_latency_pkg::MarkLatencyUsual,   // shown in chip.mark
  parameter int WredProfiles  = 0,   // 0 .. MaxProfiles
  parameter int RowW          = $clog2(Ports * 8),                     // derived: do not override
  parameter int WredWords     = (WredProfiles > 0) ? WredProfiles : 1, // derived: do not override
  parameter int WredMapW      = $clog2(WredWords + 1)                  // derived: do not override
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
  output logic [Ports*32-1:0]                           source_fcs_o,  // as csr_ports has them

  // Settings of marking, as csr_wred has them
  output logic [WredWords*wred_pkg::ProfileBits-1:0]    cfg_wred_o,
  output logic [Ports*8*WredMapW-1:0]                   wred_map_o,
  output logic [Ports*16-1:0]                           polynomial_o,
  output logic [Ports-1:0]                              seed_load_o,
  output logic [wred_pkg::StateW-1:0]                   seed_o,

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

  // Reads of marking: of a queue, or of the draws of its port
  output logic                                          mark_rd_valid_o,
  output logic [RowW-1:0]                               mark_rd_row_o,
  output logic                                          mark_rd_state_o,
  output logic [wred_pkg::FieldW-1:0]                   mark_rd_field_o,
  input  logic                                          mark_rd_valid_i,
  input  logic [63:0]                                   mark_rd_data_i,

  // PFC frames of each port, a strobe for each
  input  logic [Ports-1:0]                              pfc_sent_i,
  input  logic [Ports-1:0]                              pfc_received_i
);

  localparam int PortW   = (Ports > 1) ? $clog2(Ports) : 1;
  localparam int DomainW = (Domains > 1) ? $clog2(Domains) : 1;

  typedef enum logic [3:0] {
    Idle, Find, Divide, Subtract, Check, Act, Update, Taken, Fetch, Fetched, Setting, Done
  } state_e;

  // ---- State ----
  state_e             state_d, state_q;
  logic [23:0]        address_q;
  logic               write_q, started_q, starting_q;
  logic [31:0]        wdata_q;
  logic [7:0]         profile_q;   // that is being taken over
  logic [Domains-1:0] taken_q, taken;
  logic [63:0]        value;       // what has been read so far

  logic busy, find, divide, subtract, look, act, fetch, fetched, done;
  assign busy     = state_q != Idle;
  assign find     = state_q == Find;
  assign divide   = state_q == Divide;
  assign subtract = state_q == Subtract;
  assign look     = state_q == Check;
  assign act      = state_q == Act;
  assign fetch    = state_q == Fetch;
  assign fetched  = state_q == Fetched;
  assign done     = state_q == Done;

  // ---- Which register it is ----
  logic [3:0]  block;
  logic [5:0]  word, low_word;
  logic [23:0] index;
  logic [2:0]  access;
  logic        refused, wide, high_word;

  csr_decode #(
    .Ports(Ports), .Domains(Domains), .Profiles(Profiles), .QueueProfiles(QueueProfiles),
    .Pools(Pools), .EgressPools(EgressPools), .WredProfiles(WredProfiles), .CellW(CellW)
  ) u_decode (
    .clk_i, .rst_ni,
    .busy_i     (busy),
    .address_i  (address_q),
    .write_i    (write_q),
    .wdata_i    (wdata_q),
    .started_i  (started_q),
    .find_i     (find),
    .divide_i   (divide),
    .subtract_i (subtract),
    .look_i     (look),
    .block_o    (block),
    .index_o    (index),
    .word_o     (word),
    .access_o   (access),
    .wide_o     (wide),
    .high_word_o(high_word),
    .low_word_o (low_word),
    .refused_o  (refused)
  );

  // ---- Registers of its own ----
  logic [31:0]        set_value, setting;
  logic [RowW-1:0]    row_of_pair;
  logic [DomainW-1:0] domain_of_pair, domain_of_port;
  logic               settings_done, of_port;

  csr_settings #(
    .Ports(Ports), .Domains(Domains), .Lanes(Lanes), .Profiles(Profiles),
    .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools),
    .AdmitLatency(AdmitLatency), .PfcLatency(PfcLatency), .ThresholdLag(ThresholdLag),
    .MarkLatency(MarkLatency), .WredProfiles(WredProfiles)
  ) u_settings (
    .clk_i, .rst_ni,
    .init_done_o     (settings_done),
    .look_i          (look),
    .act_i           (act),
    .block_i         (block),
    .word_i          (word),
    .index_i         (index),
    .wdata_i         (wdata_q),
    .started_i       (started_q),
    .value_o         (set_value),
    .setting_o       (setting),
    .row_of_pair_o   (row_of_pair),
    .domain_of_pair_o(domain_of_pair),
    .domain_of_port_o(domain_of_port),
    .cfg_profile_o, .cfg_pool_o, .cfg_queue_profile_o, .cfg_egress_pool_o,
    .pg_of_class_o, .quanta_o, .step_o, .response_o, .source_o, .source_fcs_o,
    .cfg_wred_o, .wred_map_o, .polynomial_o, .seed_load_o, .seed_o
  );

  logic [StatW-1:0] frames_sent, frames_received;
  csr_pfc_frames #(.Ports(Ports), .StatW(StatW)) u_pfc_frames (
    .clk_i, .rst_ni,
    .clear_i   (clear_stats_o),
    .sent_i    (pfc_sent_i),
    .received_i(pfc_received_i),
    .read_i    (subtract),
    .port_i    (PortW'(index)),
    .sent_o    (frames_sent),
    .received_o(frames_received)
  );

  logic [63:0] local_value;
  always_comb begin
    local_value = 64'(set_value);
    if (look && block == csr_map_pkg::PortBlock) case (word)
      csr_map_pkg::PortPfcFramesSent, csr_map_pkg::PortPfcFramesSent + 6'd1:
        local_value = 64'(frames_sent);
      csr_map_pkg::PortPfcFramesReceived, csr_map_pkg::PortPfcFramesReceived + 6'd1:
        local_value = 64'(frames_received);
      default: local_value = '0;
    endcase
  end
  assign of_port = block == csr_map_pkg::PortBlock && access == csr_map_pkg::Cfg;

  // ---- Registers that a domain holds ----
  logic        of_domain, of_marker, answered, last_domain;
  logic [63:0] joined;

  csr_reads #(.Ports(Ports), .Domains(Domains), .StatW(StatW)) u_reads (
    .clk_i, .rst_ni,
    .block_i         (block),
    .word_i          (word),
    .index_i         (index),
    .access_i        (access),
    .high_word_i     (high_word),
    .low_word_i      (low_word),
    .row_of_pair_i   (row_of_pair),
    .domain_of_pair_i(domain_of_pair),
    .domain_of_port_i(domain_of_port),
    .of_domain_o     (of_domain),
    .look_i          (look),
    .fetch_i         (fetch && !of_marker),
    .fetched_i       (fetched && !of_marker),
    .value_i         (value),
    .joined_o        (joined),
    .answered_o      (answered),
    .last_o          (last_domain),
    .rd_valid_o, .rd_select_o, .rd_addr_o, .rd_valid_i, .rd_data_i
  );

  // ---- Registers that a marker holds ----
  if (WredProfiles > 0) begin : gen_marker
    assign of_marker = access == csr_map_pkg::Ro &&
        (block == csr_map_pkg::QueueWredBlock || block == csr_map_pkg::PortDrawBlock);
  end else begin : gen_no_marker
    assign of_marker = 1'b0;
  end
  assign mark_rd_valid_o = fetch && of_marker;
  assign mark_rd_state_o = block == csr_map_pkg::PortDrawBlock;
  assign mark_rd_row_o   = mark_rd_state_o ? RowW'({index, 3'd0}) : RowW'(index);
  assign mark_rd_field_o = word[2:1];  // as wred_pkg counts fields

  // ---- The answer ----
  logic [63:0] value_d;
  logic        value_load, kept;

  always_comb begin
    value_d    = joined;
    value_load = fetched && answered;
    if (look) begin
      value_d    = of_domain ? '0 : local_value;
      value_load = 1'b1;
    end else if (state_q == Setting) begin
      value_d    = 64'(setting);
      value_load = 1'b1;
    end else if (of_marker) begin
      value_d    = mark_rd_data_i;
      value_load = fetched && mark_rd_valid_i;
    end
  end

  csr_answer u_answer (
    .clk_i, .rst_ni,
    .address_i   (address_q),
    .write_i     (write_q),
    .block_i     (block),
    .word_i      (word),
    .wide_i      (wide),
    .high_word_i (high_word),
    .load_i      (look),
    .refused_i   (refused),
    .value_load_i(value_load),
    .value_i     (value_d),
    .value_o     (value),
    .kept_o      (kept),
    .done_i      (done),
    .penable_i, .pready_o, .prdata_o, .pslverr_o
  );

  // ---- What happens next ----
  logic takes_profile, starts, all_taken;
  assign takes_profile = block == csr_map_pkg::ProfileBlock && access == csr_map_pkg::Rw;
  assign starts = block == csr_map_pkg::ChipBlock && word == csr_map_pkg::ChipStart &&
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
        else if (of_domain || of_marker) state_d = Fetch;
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
        if (answered) state_d = Fetch;
        if ((answered && last_domain) || (of_marker && mark_rd_valid_i)) state_d = Done;
      end
      default:  state_d = Idle;
    endcase
  end

  assign cfg_update_o         = state_q == Update;
  assign cfg_update_profile_o = profile_q;
  assign started_o            = started_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      address_q  <= '0;
      write_q    <= 1'b0;
      started_q  <= 1'b0;
      starting_q <= 1'b0;
      wdata_q    <= '0;
      profile_q  <= '0;
      taken_q    <= '0;
    end else if (state_q != Idle || psel_i) begin
      state_q <= state_d;
      case (state_q)
        Idle: begin
          address_q <= paddr_i;
          write_q   <= pwrite_i;
          wdata_q   <= pwdata_i;
        end
        Check: profile_q <= 8'(index);
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
        default: ;
      endcase
    end
  end

  // ---- What a write does outside of the registers ----
  assign map_we_o      = act && (block == csr_map_pkg::PgBlock || map_queue_o);
  assign map_queue_o   = block == csr_map_pkg::QueueBlock;
  assign map_addr_o    = rd_addr_o;
  assign map_data_o    = wdata_q[7:0] + 8'd1;  // none is all ones
  assign clear_stats_o = act && block == csr_map_pkg::ChipBlock &&
                         word == csr_map_pkg::ChipClearStats && wdata_q[0];

  // The parts check the other parameters.
  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
  end

endmodule
