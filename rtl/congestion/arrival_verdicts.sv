// SPDX-License-Identifier: Apache-2.0
//
// Verdicts on arrivals, as weir_mmu shows them: those of the domains, and of what WRED refused,
// which no domain has judged. ecn_marking is there if WredProfiles is not 0.
//
// Units:   cells; lane k of all domains at [k*W +: W], copy c of it at [(k*Copies + c)*W +: W].
// Latency: 0 from the verdicts of the domains, that of ecn_marking to the marks.
// Memory:  see ecn_marking.
// Golden:  systemc/include/weir/core/congestion, compared by tb/lockstep as a part of weir_mmu.
// Source:  docs/design/contract.md, 3.
module arrival_verdicts #(
  parameter int Ports        = 8,   // 1 .. MaxPorts
  parameter int Domains      = 1,   // 1 .. MaxDomains
  parameter int Slots        = 1,   // lanes of all domains
  parameter int Copies       = 1,   // 1 .. MaxCopies
  parameter int CellW        = 17,  // 8 .. MaxCellW
  parameter int LenW         = 8,   // 1 .. CellW
  parameter int ByteW        = 14,  // 1 .. MaxByteW
  parameter int StatW        = 48,  // 1 .. MaxStatW
  parameter int AdmitLatency = pipeline_latency_pkg::AdmitLatencyUsual,
  parameter int WredProfiles = 0,   // 0 .. MaxProfiles; 0: nothing is marked
  parameter int WredDrops    = 0,   // 1: WRED may refuse arrivals
  parameter int MarkLatency  = pipeline_latency_pkg::MarkLatencyUsual,
  parameter int RowW         = $clog2(Ports * 8),                      // derived: do not override
  parameter int WredWords    = (WredProfiles > 0) ? WredProfiles : 1,  // derived: do not override
  parameter int WredMapW     = $clog2(WredWords + 1)                   // derived: do not override
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,        // asynchronous, active low

  // Settings, as csr_wred has them
  input  logic [WredWords*wred_pkg::ProfileBits-1:0] cfg_wred_i,
  input  logic [Ports*8*WredMapW-1:0] map_i,
  input  logic [Ports*16-1:0]         polynomial_i,
  input  logic [Ports-1:0]            load_i,
  input  logic [wred_pkg::StateW-1:0] seed_i,

  // Arrivals in the cycle of their grant, and what WRED says to the domains
  input  logic [Slots-1:0]            granted_i,
  input  logic [Slots-1:0]            arr_asks_i,
  input  logic [Slots*RowW-1:0]       arr_pg_i,
  input  logic [Slots*LenW-1:0]       arr_cells_i,
  input  logic [Slots*ByteW-1:0]      arr_bytes_i,
  input  logic [Slots-1:0]            arr_ect_i,
  input  logic [Slots*Copies*RowW-1:0] arr_queue_i,
  output logic [Slots-1:0]            arr_drop_o,    // of DropAnswer cycles before

  // Verdicts of the domains
  input  logic [Slots-1:0]            judged_i,
  input  logic [Slots*RowW-1:0]       judged_pg_i,
  input  logic [Slots*weir_pkg::ReasonW-1:0] judged_reason_i,
  input  logic [Slots*weir_pkg::ThresholdW-1:0] judged_threshold_i,
  input  logic [Slots-1:0]            judged_xoff_i,
  input  logic [Slots*Copies-1:0]     arr_mask_i,    // queues that have taken it

  // All verdicts
  output logic [Slots-1:0]            arr_valid_o,
  output logic [Slots*RowW-1:0]       arr_pg_o,
  output logic [Slots*weir_pkg::ReasonW-1:0] arr_reason_o,
  output logic [Slots*weir_pkg::ThresholdW-1:0] arr_threshold_o,
  output logic [Slots-1:0]            arr_xoff_o,
  output logic [Slots*Copies-1:0]     arr_mark_o,    // MarkLatency later

  // Packets that leave
  input  logic [Ports-1:0]            dep_valid_i,
  input  logic [Ports-1:0]            dep_sent_i,
  input  logic [Ports*3-1:0]          dep_queue_i,
  input  logic [Ports*LenW-1:0]       dep_cells_i,
  input  logic [Ports*ByteW-1:0]      dep_bytes_i,
  input  logic [Ports-1:0]            dep_ect_i,
  output logic [Ports-1:0]            dep_mark_o,    // MarkLatency later
  output logic [Ports-1:0]            dep_error_o,

  // Counters: clears and reads
  input  logic                        clear_i,
  input  logic                        rd_valid_i,
  input  logic [RowW-1:0]             rd_row_i,
  input  logic                        rd_state_i,
  input  logic [wred_pkg::FieldW-1:0] rd_field_i,
  output logic                        rd_valid_o,
  output logic [63:0]                 rd_data_o
);

  localparam int ReasonW    = weir_pkg::ReasonW;
  localparam int ThresholdW = weir_pkg::ThresholdW;

  if (WredProfiles > 0) begin : gen_marking
    // Cells of all domains wait in a queue.
    localparam int AllCellsW = CellW + $clog2(Domains);
    logic [Slots-1:0]      wred;
    logic [Slots*RowW-1:0] wred_pg;
    ecn_marking #(
      .Ports(Ports), .Slots(Slots), .Copies(Copies), .Profiles(WredWords), .Drops(WredDrops),
      .CellW((AllCellsW < 24) ? AllCellsW : 24), .LenW(LenW), .ByteW(ByteW), .StatW(StatW),
      .AdmitLatency(AdmitLatency), .MarkLatency(MarkLatency)
    ) u_marking (
      .clk_i, .rst_ni,
      .cfg_profile_i(cfg_wred_i),
      .map_i, .polynomial_i, .load_i, .seed_i,
      .arr_valid_i  (granted_i),
      .arr_asks_i, .arr_pg_i, .arr_cells_i, .arr_bytes_i, .arr_ect_i, .arr_queue_i, .arr_drop_o,
      .taken_i      (arr_mask_i),
      .wred_valid_o (wred),
      .wred_pg_o    (wred_pg),
      .arr_mark_o,
      .dep_valid_i, .dep_sent_i, .dep_queue_i, .dep_cells_i, .dep_bytes_i, .dep_ect_i,
      .dep_mark_o, .dep_error_o, .clear_i, .rd_valid_i, .rd_row_i, .rd_state_i, .rd_field_i,
      .rd_valid_o, .rd_data_o
    );
    // What WRED refused no domain has judged: its lane was idle there.
    assign arr_valid_o = judged_i | wred;
    assign arr_pg_o    = judged_pg_i | wred_pg;
    assign arr_xoff_o  = judged_xoff_i & ~wred;
    for (genvar k = 0; k < Slots; k++) begin : gen_reason
      assign arr_reason_o[k*ReasonW +: ReasonW] =
          wred[k] ? weir_pkg::ReasonWred : judged_reason_i[k*ReasonW +: ReasonW];
      assign arr_threshold_o[k*ThresholdW +: ThresholdW] =
          judged_threshold_i[k*ThresholdW +: ThresholdW] & {ThresholdW{!wred[k]}};
    end
  end else begin : gen_no_marking
    logic unused_marking;
    assign unused_marking = &{1'b0, clk_i, rst_ni, cfg_wred_i, map_i, polynomial_i, load_i, seed_i,
                              granted_i, arr_asks_i, arr_pg_i, arr_cells_i, arr_bytes_i, arr_ect_i,
                              arr_queue_i, arr_mask_i, dep_valid_i, dep_sent_i, dep_queue_i,
                              dep_cells_i, dep_bytes_i, dep_ect_i, clear_i, rd_valid_i, rd_row_i,
                              rd_state_i, rd_field_i};
    assign arr_drop_o      = '0;
    assign arr_valid_o     = judged_i;
    assign arr_pg_o        = judged_pg_i;
    assign arr_reason_o    = judged_reason_i;
    assign arr_threshold_o = judged_threshold_i;
    assign arr_xoff_o      = judged_xoff_i;
    assign arr_mark_o      = '0;
    assign dep_mark_o      = '0;
    assign dep_error_o     = '0;
    assign rd_valid_o      = 1'b0;
    assign rd_data_o       = '0;
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Domains < 1 || Domains > weir_pkg::MaxDomains)
      $fatal(1, "Domains = %0d: must be 1 to %0d", Domains, weir_pkg::MaxDomains);
    if (Slots < 1 || Slots > weir_pkg::MaxSlots)
      $fatal(1, "Slots = %0d: must be 1 to %0d", Slots, weir_pkg::MaxSlots);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (LenW < 1 || LenW > CellW) $fatal(1, "LenW = %0d: must be 1 to CellW = %0d", LenW, CellW);
    if (ByteW < 1 || ByteW > weir_pkg::MaxByteW)
      $fatal(1, "ByteW = %0d: must be 1 to %0d", ByteW, weir_pkg::MaxByteW);
    if (StatW < 1 || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be 1 to %0d", StatW, weir_pkg::MaxStatW);
    if (AdmitLatency < pipeline_latency_pkg::AdmitLatencyLeast ||
        AdmitLatency > pipeline_latency_pkg::AdmitLatencyGreatest) begin
      $fatal(1, "AdmitLatency = %0d: must be %0d to %0d", AdmitLatency,
             pipeline_latency_pkg::AdmitLatencyLeast, pipeline_latency_pkg::AdmitLatencyGreatest);
    end
    if (WredProfiles < 0 || WredProfiles > weir_pkg::MaxProfiles)
      $fatal(1, "WredProfiles = %0d: must be 0 to %0d", WredProfiles, weir_pkg::MaxProfiles);
    if (WredDrops < 0 || WredDrops > 1) $fatal(1, "WredDrops = %0d: must be 0 or 1", WredDrops);
    if (MarkLatency < pipeline_latency_pkg::MarkLatencyLeast ||
        MarkLatency > pipeline_latency_pkg::MarkLatencyGreatest) begin
      $fatal(1, "MarkLatency = %0d: must be %0d to %0d", MarkLatency,
             pipeline_latency_pkg::MarkLatencyLeast, pipeline_latency_pkg::MarkLatencyGreatest);
    end
  end

endmodule
