// SPDX-License-Identifier: Apache-2.0
//
// Replays a vector of vectors/mmu on weir_mmu in a second simulator: the settings through APB, then
// all pins cycle by cycle, then the registers at the end. scripts/rtl/icarus turns the tables into
// numbers: the pins of a cycle as one number each way, in the order of the columns.
//
//   +setup=FILE    address value
//   +cycles=FILE   cycle inputs outputs care      care: bits of the outputs that are compared
//   +held=FILE     address value
//
// Units:   as the pins. Golden: the core; vectors/mmu/README.md.
module replay_mmu #(
  parameter int Ports         = 4,
  parameter int Domains       = 1,
  parameter int Lanes         = 1,
  parameter int Copies        = 1,
  parameter int Profiles      = 2,
  parameter int QueueProfiles = 1,
  parameter int Pools         = 1,
  parameter int EgressPools   = 1,
  parameter int CellW         = 17,
  parameter int LenW          = 8,
  parameter int ByteW         = 14,
  parameter int StatW         = 48,
  parameter int AdmitLatency  = pipeline_latency_pkg::AdmitLatencyUsual,
  parameter int PfcLatency    = pipeline_latency_pkg::PfcLatencyUsual,
  parameter int ThresholdLag  = 0,
  parameter int AxisW         = 64
);

  localparam int RowW    = $clog2(Ports * 8);
  localparam int PortW   = (Ports > 1) ? $clog2(Ports) : 1;
  localparam int CountW  = $clog2(Lanes + 1);
  localparam int Slots   = Domains * Lanes;
  localparam int WaitW   = Domains * Ports * CountW;
  localparam int StreamW = Ports * (AxisW + AxisW / 8 + 3);
  localparam int InW     = 3 + 24 + 32 + WaitW + Slots * (2 * RowW + LenW + 1) + WaitW +
                           Slots * (RowW + LenW + ByteW + Copies * (RowW + 1)) + 2 * Ports +
                           StreamW;
  localparam int OutW    = 2 + 2 * Slots * (1 + PortW) + Slots * (RowW + 4) +
                           Slots * (RowW + 3 + 3 * LenW + 32 + 3 + Copies) + 8 * Ports + 3 * Ports +
                           Ports * (AxisW + AxisW / 8 + 2) + 8 * Ports;

  logic             clk = 1'b0, rst_n = 1'b0;
  logic [InW-1:0]   in = '0;
  logic             setup = 1'b1, s_psel = 1'b0, s_penable = 1'b0, s_pwrite = 1'b0;
  logic [23:0]      s_paddr = '0;
  logic [31:0]      s_pwdata = '0;
  always #5 clk = ~clk;

  // Inputs, in the order of the columns.
  logic                          psel, penable, pwrite;
  logic [23:0]                   paddr;
  logic [31:0]                   pwdata;
  logic [WaitW-1:0]              rel_waiting, arr_waiting;
  logic [Slots*RowW-1:0]         rel_pg, rel_queue, arr_pg;
  logic [Slots*LenW-1:0]         rel_cells, arr_cells;
  logic [Slots-1:0]              rel_last;
  logic [Slots*ByteW-1:0]        arr_bytes;
  logic [Slots*Copies*RowW-1:0]  arr_queue;
  logic [Slots*Copies-1:0]       arr_mask;
  logic [Ports-1:0]              pfc_start, tready, rx_valid, rx_last, rx_user;
  logic [Ports*AxisW-1:0]        rx_data;
  logic [Ports*AxisW/8-1:0]      rx_keep;
  assign {psel, penable, pwrite, paddr, pwdata, rel_waiting, rel_pg, rel_cells, rel_queue, rel_last,
          arr_waiting, arr_pg, arr_cells, arr_bytes, arr_queue, arr_mask, pfc_start, tready,
          rx_data, rx_keep, rx_valid, rx_last, rx_user} = in;

  // X on all unused fields: lanes without a grant, copies without a queue, streams without a beat.
  logic [Slots*RowW-1:0]         x_rel_pg, x_rel_queue, x_arr_pg;
  logic [Slots*LenW-1:0]         x_rel_cells, x_arr_cells;
  logic [Slots-1:0]              x_rel_last;
  logic [Slots*ByteW-1:0]        x_arr_bytes;
  logic [Slots*Copies*RowW-1:0]  x_arr_queue;
  logic [Slots*Copies-1:0]       x_arr_mask;
  logic [Ports-1:0]              x_rx_last, x_rx_user;
  logic [Ports*AxisW-1:0]        x_rx_data;
  logic [Ports*AxisW/8-1:0]      x_rx_keep;
  always_comb begin
    for (int k = 0; k < Slots; k++) begin
      x_rel_pg[k*RowW +: RowW]       = rel_grant_valid[k] ? rel_pg[k*RowW +: RowW] : 'x;
      x_rel_queue[k*RowW +: RowW]    = rel_grant_valid[k] ? rel_queue[k*RowW +: RowW] : 'x;
      x_rel_cells[k*LenW +: LenW]    = rel_grant_valid[k] ? rel_cells[k*LenW +: LenW] : 'x;
      x_rel_last[k]                  = rel_grant_valid[k] ? rel_last[k] : 1'bx;
      x_arr_pg[k*RowW +: RowW]       = arr_grant_valid[k] ? arr_pg[k*RowW +: RowW] : 'x;
      x_arr_cells[k*LenW +: LenW]    = arr_grant_valid[k] ? arr_cells[k*LenW +: LenW] : 'x;
      x_arr_bytes[k*ByteW +: ByteW]  = arr_grant_valid[k] ? arr_bytes[k*ByteW +: ByteW] : 'x;
      x_arr_mask[k*Copies +: Copies] = arr_grant_valid[k] ? arr_mask[k*Copies +: Copies] : 'x;
    end
    for (int c = 0; c < Slots * Copies; c++) begin
      x_arr_queue[c*RowW +: RowW] =
          (arr_grant_valid[c/Copies] && arr_mask[c]) ? arr_queue[c*RowW +: RowW] : 'x;
    end
    for (int p = 0; p < Ports; p++) begin
      x_rx_data[p*AxisW +: AxisW]     = rx_valid[p] ? rx_data[p*AxisW +: AxisW] : 'x;
      x_rx_keep[p*AxisW/8 +: AxisW/8] = rx_valid[p] ? rx_keep[p*AxisW/8 +: AxisW/8] : 'x;
      x_rx_last[p]                    = rx_valid[p] ? rx_last[p] : 1'bx;
      x_rx_user[p]                    = (rx_valid[p] && rx_last[p]) ? rx_user[p] : 1'bx;
    end
  end

  // Outputs.
  logic                          init_done, pready, pslverr;
  logic [31:0]                   prdata;
  logic [Slots-1:0]              rel_grant_valid, arr_grant_valid, rel_valid, rel_xoff, rel_changed,
                                 rel_error, arr_valid, arr_xoff, arr_changed;
  logic [Slots*PortW-1:0]        rel_grant_port, arr_grant_port;
  logic [Slots*RowW-1:0]         rel_pg_o, arr_pg_o;
  logic [Slots*3-1:0]            arr_reason;
  logic [Slots*LenW-1:0]         arr_private, arr_shared, arr_headroom;
  logic [Slots*32-1:0]           arr_threshold;
  logic [Slots*Copies-1:0]       arr_mask_o;
  logic [Ports*8-1:0]            xoff, pause;
  logic [Ports-1:0]              pfc_request, pfc_ready, pfc_sends, tvalid, tlast;
  logic [Ports*AxisW-1:0]        tdata;
  logic [Ports*AxisW/8-1:0]      tkeep;
  logic [OutW-1:0]               out;
  assign out = {pready, pslverr, rel_grant_valid, rel_grant_port, arr_grant_valid, arr_grant_port,
                rel_valid, rel_pg_o, rel_xoff, rel_changed, rel_error, arr_valid, arr_pg_o,
                arr_reason, arr_private, arr_shared, arr_headroom, arr_threshold, arr_xoff,
                arr_changed, arr_mask_o, xoff, pfc_request, pfc_ready, pfc_sends, tvalid, tdata,
                tkeep, tlast, pause};

  weir_mmu #(
    .Ports(Ports), .Domains(Domains), .Lanes(Lanes), .Copies(Copies), .Profiles(Profiles),
    .QueueProfiles(QueueProfiles), .Pools(Pools), .EgressPools(EgressPools), .CellW(CellW),
    .LenW(LenW), .ByteW(ByteW), .StatW(StatW), .AdmitLatency(AdmitLatency),
    .PfcLatency(PfcLatency), .ThresholdLag(ThresholdLag), .AxisW(AxisW)
  ) u_mmu (
    .clk_i(clk), .rst_ni(rst_n), .init_done_o(init_done),
    .psel_i(setup ? s_psel : psel), .penable_i(setup ? s_penable : penable),
    .pwrite_i(setup ? s_pwrite : pwrite), .paddr_i(setup ? s_paddr : paddr),
    .pwdata_i(setup ? s_pwdata : pwdata), .pready_o(pready), .prdata_o(prdata),
    .pslverr_o(pslverr),
    .rel_waiting_i(rel_waiting), .rel_grant_valid_o(rel_grant_valid),
    .rel_grant_port_o(rel_grant_port), .rel_pg_i(x_rel_pg), .rel_cells_i(x_rel_cells),
    .rel_queue_i(x_rel_queue), .rel_last_i(x_rel_last), .arr_waiting_i(arr_waiting),
    .arr_grant_valid_o(arr_grant_valid), .arr_grant_port_o(arr_grant_port), .arr_pg_i(x_arr_pg),
    .arr_cells_i(x_arr_cells), .arr_bytes_i(x_arr_bytes), .arr_queue_i(x_arr_queue),
    .arr_mask_i(x_arr_mask), .rel_valid_o(rel_valid), .rel_pg_o(rel_pg_o), .rel_xoff_o(rel_xoff),
    .rel_changed_o(rel_changed), .rel_error_o(rel_error), .arr_valid_o(arr_valid),
    .arr_pg_o(arr_pg_o), .arr_reason_o(arr_reason), .arr_private_o(arr_private),
    .arr_shared_o(arr_shared), .arr_headroom_o(arr_headroom), .arr_threshold_o(arr_threshold),
    .arr_xoff_o(arr_xoff), .arr_changed_o(arr_changed), .arr_mask_o(arr_mask_o), .xoff_o(xoff),
    .pfc_request_o(pfc_request), .pfc_start_i(pfc_start), .pfc_ready_o(pfc_ready),
    .pfc_sends_o(pfc_sends), .m_axis_pfc_tdata_o(tdata), .m_axis_pfc_tkeep_o(tkeep),
    .m_axis_pfc_tvalid_o(tvalid), .m_axis_pfc_tready_i(tready), .m_axis_pfc_tlast_o(tlast),
    .s_axis_rx_tdata_i(x_rx_data), .s_axis_rx_tkeep_i(x_rx_keep), .s_axis_rx_tvalid_i(rx_valid),
    .s_axis_rx_tlast_i(x_rx_last), .s_axis_rx_tuser_i(x_rx_user), .pause_o(pause)
  );

  string            name;
  int               file, cycle, compared = 0, wrong = 0;
  logic [31:0]      address, value;
  logic [InW-1:0]   next;
  logic [OutW-1:0]  expected, care;

  // One APB transfer, until its response.
  task automatic transfer(input logic write);
    @(negedge clk);
    s_psel    = 1'b1;
    s_penable = 1'b0;
    s_pwrite  = write;
    s_paddr   = address[23:0];
    s_pwdata  = value;
    @(negedge clk);
    s_penable = 1'b1;
    #1;
    while (!pready) begin
      @(negedge clk);
      #1;
    end
    if (pslverr) $fatal(1, "the register at %06x refuses", address);
  endtask

  task automatic end_transfer;
    @(negedge clk);
    s_psel    = 1'b0;
    s_penable = 1'b0;
  endtask

  initial begin
    if (!$value$plusargs("setup=%s", name)) $fatal(1, "no +setup");
    file = $fopen(name, "r");
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (!init_done) @(negedge clk);
    while ($fscanf(file, "%h %h", address, value) == 2) begin
      transfer(1'b1);
      end_transfer;
    end
    if (!$value$plusargs("cycles=%s", name)) $fatal(1, "no +cycles");
    file = $fopen(name, "r");
    setup = 1'b0;
    while ($fscanf(file, "%d %h %h %h", cycle, next, expected, care) == 4) begin
      @(negedge clk);
      in = next;
      #4;
      compared = compared + 1;
      if (((out ^ expected) & care) !== '0) begin
        $display("cycle %0d: outputs %h, expected %h, care %h", cycle, out, expected, care);
        $fatal(1, "the replay differs");
      end
    end
    @(negedge clk);
    in    = '0;
    setup = 1'b1;
    if (!$value$plusargs("held=%s", name)) $fatal(1, "no +held");
    file = $fopen(name, "r");
    while ($fscanf(file, "%h %h", address, value) == 2) begin
      transfer(1'b0);
      compared = compared + 1;
      if (prdata !== value) begin
        wrong = wrong + 1;
        $display("register %06x: %h, expected %h", address, prdata, value);
      end
      end_transfer;
    end
    $display("replay: compared %0d, %0d wrong", compared, wrong);
    if (wrong != 0 || compared == 0) $fatal(1, "the replay differs");
    $finish;
  end

  initial begin
    #10000000 $fatal(1, "the replay does not end");
  end

endmodule
