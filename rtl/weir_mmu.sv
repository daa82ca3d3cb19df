// SPDX-License-Identifier: Apache-2.0
//
// The MMU of a switch: which packet gets which buffer cell, and when the upstream must PAUSE. One
// weir_domain for each memory domain, arbiters that give its lanes to the ports, PFC of all ports,
// and the registers.
//
//   reset --> memories are cleared --> init_done_o --> software configures through APB, then writes
//   chip.start --> requests are granted
//
// A request: the frames' FIFOs are outside and show how many requests of each port wait (more than
// Lanes count as Lanes). Grants answer in the same cycle, and in that same cycle the data of the
// granted requests are on the lanes. AdmitLatency cycles later the verdicts come out.
//
//   cycle               t            t+1           ...        t + AdmitLatency
//   arr_waiting_i       p: 1         p: 0
//   arr_grant_port_o    p
//   arr_pg_i ...        of p
//   arr_reason_o ...                                          verdict; xoff_o as after it
//   pfc_request_o                                             PfcLatency later, if a level changed
//   arr_mark_o                                                MarkLatency later, of those taken
//
// A cycle of a domain is its releases in lane order, then its arrivals in lane order, as so many
// sequential steps. Arrivals wait at their ingress port, releases at their egress port; both belong
// to the domain of the ingress port, which holds the cells. Arrivals must come in their own domain.
//
// Units:   cells, unless said otherwise; index of a priority group or queue = port * 8 + number.
//          Lane k of domain d at [(d*Lanes + k)*W +: W], copy c of it at [((d*Lanes + k)*Copies +
//          c)*W].
// Latency: AdmitLatency from request to verdict, PfcLatency from verdict to frame request,
//          MarkLatency from a verdict to arr_mark_o and from dep_* to dep_mark_o.
// Memory:  see weir_domain, csr and ecn_marking, which is there if WredProfiles is not 0.
// Golden:  systemc/include/weir/core/mmu.hpp, arrival_arbiter.hpp, pfc_generator.hpp,
//          pause_timer.hpp, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2 and 3.
module weir_mmu #(
  parameter int Ports         = 8,   // 1 .. MaxPorts
  parameter int Domains       = 1,   // memory domains, each with its own cells: 1 .. MaxDomains
  parameter int Lanes         = 1,   // arrivals, and releases, per domain and cycle: 1 .. MaxLanes
  parameter int Copies        = 1,   // queues that one packet may enter: 1 .. MaxCopies
  parameter int Profiles      = 4,   // of priority groups, 1 .. MaxProfiles
  parameter int QueueProfiles = 2,   // 1 .. MaxProfiles
  parameter int Pools         = 1,   // ingress pools, 1 .. MaxPools, at most 8 a port
  parameter int EgressPools   = 1,   // 1 .. MaxPools, at most 8 a port
  parameter int CellW         = 17,  // all cells of a domain fit in so many bits; 8 .. MaxCellW
  parameter int LenW          = 8,   // bits of the cells of a packet: the longest fits; 1 .. CellW
  parameter int ByteW         = 14,  // bits of the length of a packet in bytes, 1 .. MaxByteW
  parameter int StatW         = 48,  // bits of a counter, which wraps; 32 .. MaxStatW
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,  // from request to verdict
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,    // ... to frame request
  parameter int ThresholdLag  = 0,   // cycles by which T sees S late, 0 .. 1024
  parameter int WredProfiles  = 0,   // 0 .. MaxProfiles; 0: nothing is marked
  parameter int WredDrops     = 0,   // 1: WRED may refuse arrivals, from AdmitLatencyLeastDrops on
  parameter int MarkLatency   = pipeline_latency_pkg::MarkLatencyUsual,  // until an answer
  parameter int AxisW         = 512, // bits of a beat: 2^n, MinAxisW .. MaxAxisW
  parameter int FcsInStream   = 1,   // 1: frames have their FCS; 0: the MAC appends and strips it
  parameter int RowW          = $clog2(Ports * 8),                 // derived: do not override
  parameter int PortW         = (Ports > 1) ? $clog2(Ports) : 1,   // derived: do not override
  parameter int CountW        = $clog2(Lanes + 1),                 // derived: do not override
  parameter int Slots         = Domains * Lanes                    // derived: do not override
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,              // asynchronous, active low
  output logic                        init_done_o,         // memories are cleared

  // Registers: APB; addresses and meanings in docs/reference/registers.md
  input  logic                        psel_i,
  input  logic                        penable_i,
  input  logic                        pwrite_i,
  input  logic [23:0]                 paddr_i,
  input  logic [31:0]                 pwdata_i,
  output logic                        pready_o,
  output logic [31:0]                 prdata_o,
  output logic                        pslverr_o,

  // Releases: what waits at each egress port of each domain, grants, data
  input  logic [Domains*Ports*CountW-1:0] rel_waiting_i,   // part d*Ports + port
  output logic [Slots-1:0]            rel_grant_valid_o,
  output logic [Slots*PortW-1:0]      rel_grant_port_o,
  input  logic [Slots*RowW-1:0]       rel_pg_i,            // PG that the packet came in by
  input  logic [Slots*LenW-1:0]       rel_cells_i,
  input  logic [Slots*RowW-1:0]       rel_queue_i,         // queue that it has left through
  input  logic [Slots-1:0]            rel_last_i,          // last reader of the packet

  // Arrivals: the same by ingress port
  input  logic [Domains*Ports*CountW-1:0] arr_waiting_i,
  output logic [Slots-1:0]            arr_grant_valid_o,
  output logic [Slots*PortW-1:0]      arr_grant_port_o,
  input  logic [Slots*RowW-1:0]       arr_pg_i,
  input  logic [Slots*LenW-1:0]       arr_cells_i,
  input  logic [Slots*ByteW-1:0]      arr_bytes_i,
  input  logic [Slots*Copies*RowW-1:0] arr_queue_i,        // queues it is bound for, all different
  input  logic [Slots*Copies-1:0]     arr_mask_i,          // which of them are meant
  input  logic [Slots-1:0]            arr_ect_i,           // its transport takes marks
  input  logic [Slots-1:0]            arr_asks_i,          // WRED at queue of copy 0 may drop it

  // Verdicts
  output logic [Slots-1:0]            rel_valid_o,
  output logic [Slots*RowW-1:0]       rel_pg_o,
  output logic [Slots-1:0]            rel_xoff_o,          // level after the step; 0 at an error
  output logic [Slots-1:0]            rel_changed_o,       // the step changed it
  output logic [Slots-1:0]            rel_error_o,         // more than was held: nothing changed
  output logic [Slots-1:0]            arr_valid_o,
  output logic [Slots*RowW-1:0]       arr_pg_o,
  output logic [Slots*weir_pkg::ReasonW-1:0] arr_reason_o, // 0: admitted
  output logic [Slots*LenW-1:0]       arr_private_o,       // where its cells went
  output logic [Slots*LenW-1:0]       arr_shared_o,
  output logic [Slots*LenW-1:0]       arr_headroom_o,
  output logic [Slots*weir_pkg::ThresholdW-1:0] arr_threshold_o, // T that the admission used
  output logic [Slots-1:0]            arr_xoff_o,
  output logic [Slots-1:0]            arr_changed_o,
  output logic [Slots*Copies-1:0]     arr_mask_o,          // queues that have taken it
  output logic [Slots*Copies-1:0]     arr_mark_o,          // MarkLatency later: it is marked
  output logic [Ports*8-1:0]          xoff_o,              // level of each priority group

  // The packet that leaves each port, in the cycle in which the port chooses it
  input  logic [Ports-1:0]            dep_valid_i,
  input  logic [Ports-1:0]            dep_sent_i,          // 0: discarded, asks nothing
  input  logic [Ports*3-1:0]          dep_queue_i,         // of the port
  input  logic [Ports*LenW-1:0]       dep_cells_i,
  input  logic [Ports*ByteW-1:0]      dep_bytes_i,
  input  logic [Ports-1:0]            dep_ect_i,
  output logic [Ports-1:0]            dep_mark_o,          // MarkLatency later: it is marked
  output logic [Ports-1:0]            dep_error_o,         // likewise: more than waits, no change

  // PFC frames to send: the MAC of a port starts one when its wire is free
  output logic [Ports-1:0]            pfc_request_o,       // a frame is owed
  input  logic [Ports-1:0]            pfc_start_i,         // it starts now; counts with pfc_ready_o
  output logic [Ports-1:0]            pfc_ready_o,         // the frame before has left its register
  output logic [Ports-1:0]            pfc_sends_o,         // a frame would be sent, not nothing
  output logic [Ports*AxisW-1:0]      m_axis_pfc_tdata_o,
  output logic [Ports*AxisW/8-1:0]    m_axis_pfc_tkeep_o,
  output logic [Ports-1:0]            m_axis_pfc_tvalid_o,
  input  logic [Ports-1:0]            m_axis_pfc_tready_i,
  output logic [Ports-1:0]            m_axis_pfc_tlast_o,

  // Frames received, always taken; those that are PFC set the pause timers
  input  logic [Ports*AxisW-1:0]      s_axis_rx_tdata_i,
  input  logic [Ports*AxisW/8-1:0]    s_axis_rx_tkeep_i,
  input  logic [Ports-1:0]            s_axis_rx_tvalid_i,
  input  logic [Ports-1:0]            s_axis_rx_tlast_i,
  input  logic [Ports-1:0]            s_axis_rx_tuser_i,   // with the last beat: bad FCS
  output logic [Ports*8-1:0]          pause_o              // class may not start a frame
);

  localparam int ProfileBits      = weir_pkg::ProfileBits;
  localparam int PoolBits         = weir_pkg::PoolBits;
  localparam int QueueProfileBits = weir_pkg::QueueProfileBits;
  localparam int EgressPoolBits   = weir_pkg::EgressPoolBits;
  localparam int ProfileW         = (Profiles > 1) ? $clog2(Profiles) : 1;
  // Of a domain; with none of them at least one, so that the check of it is reached and names it.
  localparam int ProfilesW        = ((Profiles > 0) ? Profiles : 1) * ProfileBits;
  localparam int PoolsW           = ((Pools > 0) ? Pools : 1) * PoolBits;
  localparam int EgressPoolsW     = ((EgressPools > 0) ? EgressPools : 1) * EgressPoolBits;
  localparam int WredWords        = (WredProfiles > 0) ? WredProfiles : 1;
  localparam int WredMapW         = $clog2(WredWords + 1);
  localparam int MapW = $clog2(((Profiles > QueueProfiles) ? Profiles : QueueProfiles) + 1);

  // ---- Registers ----
  logic                                       started;  // only once init_done_o is 1
  logic [Domains-1:0]                         init_done;
  logic [Domains*Profiles*ProfileBits-1:0]    cfg_profile;
  logic [Domains*Pools*PoolBits-1:0]          cfg_pool;
  logic [QueueProfiles*QueueProfileBits-1:0]  cfg_queue_profile;
  logic [Domains*EgressPools*EgressPoolBits-1:0] cfg_egress_pool;
  logic [8*3-1:0]                             pg_of_class;
  logic [15:0]                                quanta;
  logic [Ports*32-1:0]                        step;
  logic [Ports*24-1:0]                        response;
  logic [Ports*48-1:0]                        source;
  logic [Ports*32-1:0]                        source_fcs;
  logic                                       cfg_update, map_we, map_queue, clear_stats;
  logic [7:0]                                 cfg_update_profile, map_data;
  logic [RowW-1:0]                            map_addr;
  logic [Domains-1:0]                         cfg_taken, rd_valid, rd_answer;
  logic [weir_pkg::SelectW-1:0]               rd_select;
  logic [RowW-1:0]                            rd_addr;
  logic [Domains*weir_pkg::ReadW-1:0]         rd_data;
  logic [Ports-1:0]                           pfc_sent, pfc_received;
  logic [WredWords*wred_pkg::ProfileBits-1:0] cfg_wred;
  logic [Ports*8*WredMapW-1:0]                wred_map;
  logic [Ports*16-1:0]                        polynomial;
  logic [Ports-1:0]                           seed_load;
  logic [wred_pkg::StateW-1:0]                seed;
  logic                                       mark_rd_valid, mark_rd_state, mark_rd_answer;
  logic [RowW-1:0]                            mark_rd_row;
  logic [wred_pkg::FieldW-1:0]                mark_rd_field;
  logic [63:0]                                mark_rd_data;

  assign init_done_o = &init_done;

  csr #(
    .Ports(Ports), .Domains(Domains), .Lanes(Lanes), .Profiles(Profiles),
    .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools), .CellW(CellW),
    .StatW(StatW), .AdmitLatency(AdmitLatency), .PfcLatency(PfcLatency),
    .ThresholdLag(ThresholdLag), .MarkLatency(MarkLatency), .WredProfiles(WredProfiles)
  ) u_csr (
    .clk_i, .rst_ni,
    .init_done_i         (init_done_o),
    .psel_i, .penable_i, .pwrite_i, .paddr_i, .pwdata_i, .pready_o, .prdata_o, .pslverr_o,
    .started_o           (started),
    .cfg_profile_o       (cfg_profile),
    .cfg_pool_o          (cfg_pool),
    .cfg_queue_profile_o (cfg_queue_profile),
    .cfg_egress_pool_o   (cfg_egress_pool),
    .pg_of_class_o       (pg_of_class),
    .quanta_o            (quanta),
    .step_o              (step),
    .response_o          (response),
    .source_o            (source),
    .source_fcs_o        (source_fcs),
    .cfg_wred_o          (cfg_wred),
    .wred_map_o          (wred_map),
    .polynomial_o        (polynomial),
    .seed_load_o         (seed_load),
    .seed_o              (seed),
    .cfg_update_o        (cfg_update),
    .cfg_update_profile_o(cfg_update_profile),
    .cfg_taken_i         (cfg_taken),
    .map_we_o            (map_we),
    .map_queue_o         (map_queue),
    .map_addr_o          (map_addr),
    .map_data_o          (map_data),
    .clear_stats_o       (clear_stats),
    .rd_valid_o          (rd_valid),
    .rd_select_o         (rd_select),
    .rd_addr_o           (rd_addr),
    .rd_valid_i          (rd_answer),
    .rd_data_i           (rd_data),
    .mark_rd_valid_o     (mark_rd_valid),
    .mark_rd_row_o       (mark_rd_row),
    .mark_rd_state_o     (mark_rd_state),
    .mark_rd_field_o     (mark_rd_field),
    .mark_rd_valid_i     (mark_rd_answer),
    .mark_rd_data_i      (mark_rd_data),
    .pfc_sent_i          (pfc_sent),
    .pfc_received_i      (pfc_received)
  );

  // ---- Memory domains ----
  logic [Domains*Ports*8-1:0] domain_xoff;
  logic [Slots-1:0]           arr_drop;     // of the arrivals DropAnswer cycles before
  logic [Slots-1:0]           judged;       // verdicts of the domains
  logic [Slots*RowW-1:0]      judged_pg;
  logic [Slots*weir_pkg::ReasonW-1:0] judged_reason;
  logic [Slots*weir_pkg::ThresholdW-1:0] judged_threshold;
  logic [Slots-1:0]           judged_xoff;

  for (genvar d = 0; d < Domains; d++) begin : gen_domain
    arrival_arbiter #(.Ports(Ports), .Lanes(Lanes)) u_release_arbiter (
      .clk_i, .rst_ni,
      .enable_i (started),
      .waiting_i(rel_waiting_i[d*Ports*CountW +: Ports*CountW]),
      .valid_o  (rel_grant_valid_o[d*Lanes +: Lanes]),
      .port_o   (rel_grant_port_o[d*Lanes*PortW +: Lanes*PortW])
    );
    arrival_arbiter #(.Ports(Ports), .Lanes(Lanes)) u_arrival_arbiter (
      .clk_i, .rst_ni,
      .enable_i (started),
      .waiting_i(arr_waiting_i[d*Ports*CountW +: Ports*CountW]),
      .valid_o  (arr_grant_valid_o[d*Lanes +: Lanes]),
      .port_o   (arr_grant_port_o[d*Lanes*PortW +: Lanes*PortW])
    );
    weir_domain #(
      .Ports(Ports), .Lanes(Lanes), .Copies(Copies), .Profiles(Profiles),
      .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools), .CellW(CellW),
      .LenW(LenW), .ByteW(ByteW), .StatW(StatW), .AdmitLatency(AdmitLatency),
      .ThresholdLag(ThresholdLag), .Drops(WredDrops)
    ) u_domain (
      .clk_i, .rst_ni,
      .init_done_o         (init_done[d]),
      .cfg_profile_i       (cfg_profile[d*Profiles*ProfileBits +: ProfilesW]),
      .cfg_pool_i          (cfg_pool[d*Pools*PoolBits +: PoolsW]),
      .cfg_queue_profile_i (cfg_queue_profile),
      .cfg_egress_pool_i   (cfg_egress_pool[d*EgressPools*EgressPoolBits +: EgressPoolsW]),
      .cfg_update_i        (cfg_update),
      .cfg_update_profile_i(cfg_update_profile[ProfileW-1:0]),
      .cfg_taken_o         (cfg_taken[d]),
      .map_we_i            (map_we),
      .map_queue_i         (map_queue),
      .map_addr_i          (map_addr),
      .map_data_i          (map_data[MapW-1:0]),
      .clear_stats_i       (clear_stats),
      .rel_valid_i         (rel_grant_valid_o[d*Lanes +: Lanes]),
      .rel_pg_i            (rel_pg_i[d*Lanes*RowW +: Lanes*RowW]),
      .rel_cells_i         (rel_cells_i[d*Lanes*LenW +: Lanes*LenW]),
      .rel_queue_i         (rel_queue_i[d*Lanes*RowW +: Lanes*RowW]),
      .rel_last_i          (rel_last_i[d*Lanes +: Lanes]),
      .rel_valid_o         (rel_valid_o[d*Lanes +: Lanes]),
      .rel_pg_o            (rel_pg_o[d*Lanes*RowW +: Lanes*RowW]),
      .rel_xoff_o          (rel_xoff_o[d*Lanes +: Lanes]),
      .rel_changed_o       (rel_changed_o[d*Lanes +: Lanes]),
      .rel_error_o         (rel_error_o[d*Lanes +: Lanes]),
      .arr_valid_i         (arr_grant_valid_o[d*Lanes +: Lanes]),
      .arr_pg_i            (arr_pg_i[d*Lanes*RowW +: Lanes*RowW]),
      .arr_cells_i         (arr_cells_i[d*Lanes*LenW +: Lanes*LenW]),
      .arr_bytes_i         (arr_bytes_i[d*Lanes*ByteW +: Lanes*ByteW]),
      .arr_queue_i         (arr_queue_i[d*Lanes*Copies*RowW +: Lanes*Copies*RowW]),
      .arr_mask_i          (arr_mask_i[d*Lanes*Copies +: Lanes*Copies]),
      .arr_drop_i          (arr_drop[d*Lanes +: Lanes]),
      .arr_valid_o         (judged[d*Lanes +: Lanes]),
      .arr_pg_o            (judged_pg[d*Lanes*RowW +: Lanes*RowW]),
      .arr_reason_o        (judged_reason[d*Lanes*weir_pkg::ReasonW +: Lanes*weir_pkg::ReasonW]),
      .arr_private_o       (arr_private_o[d*Lanes*LenW +: Lanes*LenW]),
      .arr_shared_o        (arr_shared_o[d*Lanes*LenW +: Lanes*LenW]),
      .arr_headroom_o      (arr_headroom_o[d*Lanes*LenW +: Lanes*LenW]),
      .arr_threshold_o     (judged_threshold[d*Lanes*weir_pkg::ThresholdW +:
                                             Lanes*weir_pkg::ThresholdW]),
      .arr_xoff_o          (judged_xoff[d*Lanes +: Lanes]),
      .arr_changed_o       (arr_changed_o[d*Lanes +: Lanes]),
      .arr_mask_o          (arr_mask_o[d*Lanes*Copies +: Lanes*Copies]),
      .xoff_o              (domain_xoff[d*Ports*8 +: Ports*8]),
      .rd_valid_i          (rd_valid[d]),
      .rd_select_i         (rd_select),
      .rd_addr_i           (rd_addr),
      .rd_valid_o          (rd_answer[d]),
      .rd_data_o           (rd_data[d*weir_pkg::ReadW +: weir_pkg::ReadW])
    );
  end

  logic unused_bits;
  assign unused_bits = &{1'b0, cfg_update_profile, map_data};
  // A priority group has cells in the domain of its port only: elsewhere it is never XOFF.
  always_comb begin
    xoff_o = '0;
    for (int d = 0; d < Domains; d++) xoff_o = xoff_o | domain_xoff[d*Ports*8 +: Ports*8];
  end

  // ---- Marking and early drop ----
  arrival_verdicts #(
    .Ports(Ports), .Domains(Domains), .Slots(Slots), .Copies(Copies), .CellW(CellW), .LenW(LenW),
    .ByteW(ByteW), .StatW(StatW), .AdmitLatency(AdmitLatency), .WredProfiles(WredProfiles),
    .WredDrops(WredDrops), .MarkLatency(MarkLatency)
  ) u_verdicts (
    .clk_i, .rst_ni,
    .cfg_wred_i        (cfg_wred),
    .map_i             (wred_map),
    .polynomial_i      (polynomial),
    .load_i            (seed_load),
    .seed_i            (seed),
    .granted_i         (arr_grant_valid_o),
    .arr_asks_i, .arr_pg_i, .arr_cells_i, .arr_bytes_i, .arr_ect_i, .arr_queue_i,
    .arr_drop_o        (arr_drop),
    .judged_i          (judged),
    .judged_pg_i       (judged_pg),
    .judged_reason_i   (judged_reason),
    .judged_threshold_i(judged_threshold),
    .judged_xoff_i     (judged_xoff),
    .arr_mask_i        (arr_mask_o),
    .arr_valid_o, .arr_pg_o, .arr_reason_o, .arr_threshold_o, .arr_xoff_o, .arr_mark_o,
    .dep_valid_i, .dep_sent_i, .dep_queue_i, .dep_cells_i, .dep_bytes_i, .dep_ect_i,
    .dep_mark_o, .dep_error_o,
    .clear_i           (clear_stats),
    .rd_valid_i        (mark_rd_valid),
    .rd_row_i          (mark_rd_row),
    .rd_state_i        (mark_rd_state),
    .rd_field_i        (mark_rd_field),
    .rd_valid_o        (mark_rd_answer),
    .rd_data_o         (mark_rd_data)
  );

  // ---- PFC ----
  pfc_ports #(
    .Ports(Ports), .Steps(2 * Slots), .PfcLatency(PfcLatency), .AxisW(AxisW),
    .FcsInStream(FcsInStream)
  ) u_pfc (
    .clk_i, .rst_ni,
    .xoff_i       (xoff_o),
    .turn_i       ({arr_changed_o, rel_changed_o}),
    .turn_pg_i    ({arr_pg_o, rel_pg_o}),
    .pg_of_class_i(pg_of_class),
    .quanta_i     (quanta),
    .step_i       (step),
    .response_i   (response),
    .source_i     (source),
    .source_fcs_i (source_fcs),
    .request_o    (pfc_request_o),
    .start_i      (pfc_start_i),
    .start_ready_o(pfc_ready_o),
    .start_sends_o(pfc_sends_o),
    .m_axis_pfc_tdata_o, .m_axis_pfc_tkeep_o, .m_axis_pfc_tvalid_o, .m_axis_pfc_tready_i,
    .m_axis_pfc_tlast_o, .s_axis_rx_tdata_i, .s_axis_rx_tkeep_i, .s_axis_rx_tvalid_i,
    .s_axis_rx_tlast_i, .s_axis_rx_tuser_i, .pause_o,
    .sent_o       (pfc_sent),
    .received_o   (pfc_received)
  );

  // The parts check the other parameters.
  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (StatW < 32 || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be 32 to %0d", StatW, weir_pkg::MaxStatW);
    if (WredDrops < 0 || WredDrops > 1 || (WredDrops == 1 && WredProfiles < 1))
      $fatal(1, "WredDrops = %0d: must be 0, or 1 with WredProfiles", WredDrops);
    if (WredDrops == 1 && AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeastDrops)
      $fatal(1, "AdmitLatency = %0d: must be %0d or more with WredDrops", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeastDrops);
  end

endmodule
