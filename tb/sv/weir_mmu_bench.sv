// SPDX-License-Identifier: Apache-2.0
//
// weir_mmu against the core through DPI-C: settings over APB, random traffic, every verdict and
// every level compared in its cycle, PFC frames against the levels, counters read over APB, and
// accesses that must be refused. One domain.
//
//   +chip=FILE     chip file; of Ports ports and Lanes lanes
//   +cycles=N      of traffic
//   +seed=N
//
// Golden: the core, through weir_mmu_dpi_pkg.
module weir_mmu_bench #(
  parameter int Ports = 4,
  parameter int Lanes = 2
);
  import weir_mmu_dpi_pkg::*;

  localparam int RowW = $clog2(8 * Ports), PortW = $clog2(Ports), LenW = 8, ByteW = 14, AxisW = 64,
                 CountW = $clog2(Lanes + 1), Profiles = 6, Pools = 2;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;

  logic               init_done, psel, penable, pwrite, pready, pslverr;
  logic [23:0]        paddr;
  logic [31:0]        pwdata, prdata;
  logic [Ports*CountW-1:0] rel_waiting, arr_waiting;
  logic [Lanes-1:0]        rel_grant, arr_grant, rel_last;
  logic [Lanes*PortW-1:0]  rel_port, arr_port;
  logic [Lanes*RowW-1:0]   rel_pg, rel_queue, arr_pg, arr_queue;
  logic [Lanes*LenW-1:0]   rel_cells, arr_cells;
  logic [Lanes*ByteW-1:0]  arr_bytes;
  logic [Lanes-1:0]        rel_valid, rel_xoff, rel_changed, rel_error;
  logic [Lanes*RowW-1:0]   rel_pg_seen, arr_pg_seen;
  logic [Lanes-1:0]        arr_valid, arr_xoff, arr_changed, arr_taken;
  logic [Lanes*3-1:0]      arr_reason;
  logic [Lanes*LenW-1:0]   arr_private, arr_shared, arr_headroom;
  logic [Lanes*32-1:0]     arr_threshold;
  logic [8*Ports-1:0]      xoff;
  logic [Ports-1:0]        pfc_request, pfc_ready, pfc_sends, pfc_start, pfc_valid, pfc_last;
  logic [Ports*AxisW-1:0]  pfc_data;

  // Frames are sent at once. None comes: pause timers are not part of the reference.
  // verilator lint_off PINMISSING
  weir_mmu #(
    .Ports(Ports), .Lanes(Lanes), .Profiles(Profiles), .QueueProfiles(1), .Pools(Pools),
    .EgressPools(1), .AxisW(AxisW)
  ) u_mmu (
    .clk_i(clk), .rst_ni(rst_n), .init_done_o(init_done),
    .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr), .pwdata_i(pwdata),
    .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
    .rel_waiting_i(rel_waiting), .rel_grant_valid_o(rel_grant), .rel_grant_port_o(rel_port),
    .rel_pg_i(rel_pg), .rel_cells_i(rel_cells), .rel_queue_i(rel_queue), .rel_last_i(rel_last),
    .arr_waiting_i(arr_waiting), .arr_grant_valid_o(arr_grant), .arr_grant_port_o(arr_port),
    .arr_pg_i(arr_pg), .arr_cells_i(arr_cells), .arr_bytes_i(arr_bytes), .arr_queue_i(arr_queue),
    .arr_mask_i('1),
    .rel_valid_o(rel_valid), .rel_pg_o(rel_pg_seen), .rel_xoff_o(rel_xoff),
    .rel_changed_o(rel_changed), .rel_error_o(rel_error),
    .arr_valid_o(arr_valid), .arr_pg_o(arr_pg_seen), .arr_reason_o(arr_reason),
    .arr_private_o(arr_private), .arr_shared_o(arr_shared), .arr_headroom_o(arr_headroom),
    .arr_threshold_o(arr_threshold), .arr_xoff_o(arr_xoff), .arr_changed_o(arr_changed),
    .arr_mask_o(arr_taken), .xoff_o(xoff),
    .pfc_request_o(pfc_request), .pfc_ready_o(pfc_ready), .pfc_sends_o(pfc_sends),
    .pfc_start_i(pfc_start), .m_axis_pfc_tvalid_o(pfc_valid), .m_axis_pfc_tdata_o(pfc_data),
    .m_axis_pfc_tlast_o(pfc_last), .m_axis_pfc_tready_i('1), .s_axis_rx_tdata_i('0),
    .s_axis_rx_tkeep_i('0), .s_axis_rx_tvalid_i('0), .s_axis_rx_tlast_i('0), .s_axis_rx_tuser_i('0)
  );
  // verilator lint_on PINMISSING

  // A packet in the buffer, or on its way into it.
  typedef struct packed {
    logic [RowW-1:0]  pg;
    logic [RowW-1:0]  to_queue;
    logic [LenW-1:0]  cells;
    logic [ByteW-1:0] bytes;
    logic             again;  // a reader that is not the last is still to leave
  } packet_t;

  weir_mmu_scoreboard scoreboard;
  packet_t         coming[$], leaving[$];  // that wait in this cycle
  packet_t         judged[$];  // granted arrivals without a verdict yet
  packet_t         held[$];    // admitted
  longint unsigned cycle;
  int unsigned     random_state;
  bit              filling;

  // The same draws in every simulator.
  function automatic int unsigned draw(int unsigned below);
    random_state = random_state * 32'd1664525 + 32'd1013904223;
    return (random_state >> 8) % below;
  endfunction

  task automatic access(input bit write, input int unsigned address, input int unsigned value,
                        output int unsigned answer, output bit error);
    @(negedge clk);
    psel    = 1'b1;
    penable = 1'b0;
    pwrite  = write;
    paddr   = address[23:0];
    pwdata  = value;
    @(negedge clk);
    penable = 1'b1;
    #1;
    while (!pready) begin
      @(negedge clk);
      #1;
    end
    answer = prdata;
    error  = pslverr;
    @(negedge clk);
    psel    = 1'b0;
    penable = 1'b0;
  endtask

  task automatic transfer(input bit write, input int unsigned address, input int unsigned value,
                          output int unsigned answer);
    bit error;
    access(write, address, value, answer, error);
    if (error) $fatal(1, "the register at %06x refuses", address);
  endtask

  task automatic refused(input bit write, input int unsigned address, input int unsigned value);
    int unsigned ignored;
    bit          error;
    access(write, address, value, ignored, error);
    if (!error) $fatal(1, "the register at %06x takes %08x", address, value);
  endtask

  // Once the MMU has started: configuration, what is read only, values that are not legal, and where
  // nothing is.
  task automatic refusals();
    refused(1'b1, scoreboard.address_of("pool.shared_size", 0), 1);
    refused(1'b1, scoreboard.address_of("pg.profile", 3), 0);
    refused(1'b1, scoreboard.address_of("port.pause_step", 1), 1);
    refused(1'b1, scoreboard.address_of("profile.headroom", 0), 1);
    refused(1'b1, scoreboard.address_of("chip.ports", 0), 1);
    refused(1'b1, scoreboard.address_of("pg.shared", 0), 0);
    refused(1'b1, scoreboard.address_of("chip.quanta", 0), 0);
    refused(1'b1, scoreboard.address_of("chip.quanta", 0), 32'h10000);
    refused(1'b1, scoreboard.address_of("profile.alpha", 0), 32'h10000);
    refused(1'b0, scoreboard.address_of("chip.ports", 0) + 1, 0);
    refused(1'b0, scoreboard.address_of("port.rate", 0) + 32'h40 * Ports, 0);
  endtask

  // Writes to each word that software configures what the core has, or compares each word with the
  // core. Counters of PFC frames are not of the core: check_frames().
  task automatic each_register(input bit write);
    int unsigned address, value, words;
    logic [2:0]  may;
    for (int unsigned block = 0; block <= 32'(csr_map_pkg::QueueStatsBlock); ++block) begin
      words = 32'(csr_map_pkg::start_of(4'(block), 24'd1)) / 4;
      for (int unsigned index = 0;
           index < csr_map_pkg::instances_of(4'(block), Ports, 1, Profiles, Pools, 1, 1); ++index) begin
        for (int unsigned word = 0; word < words && word < 64; ++word) begin
          may     = csr_map_pkg::access_of(4'(block), 6'(word));
          address = 32'(csr_map_pkg::base_of(4'(block)))
                    + 32'(csr_map_pkg::start_of(4'(block), 24'(index))) + 4 * word;
          if (write && (may == csr_map_pkg::Cfg || may == csr_map_pkg::Rw)) begin
            transfer(1'b1, address, scoreboard.read32(address, 0), value);
          end else if (!write && may != csr_map_pkg::Nothing && may != csr_map_pkg::W1c
                       && may != csr_map_pkg::W1s && may != csr_map_pkg::Outside
                       && block != 32'(csr_map_pkg::ChipBlock)
                       && !(block == 32'(csr_map_pkg::PortBlock) && may == csr_map_pkg::Ro)) begin
            transfer(1'b0, address, 0, value);
            scoreboard.compare_register(address, cycle, value);
          end
        end
      end
    end
  endtask

  // New requests: bursts that fill the buffer, then longer times in which it drains.
  function automatic void offer(bit last_cycles);
    packet_t packet;
    if (draw(200) == 0) filling = !filling;
    arr_waiting = '0;
    rel_waiting = '0;
    coming.delete();
    leaving.delete();
    for (int n = 0; n < Lanes; ++n) begin
      if (!last_cycles && draw(10) < (filling ? 9 : 3)) begin
        packet.pg       = RowW'(draw(8 * Ports));
        if (draw(2) == 0) packet.pg = RowW'(3);  // one group meets its limits more often
        packet.to_queue = RowW'(8 * draw(Ports) + 32'(packet.pg[2:0]));
        packet.bytes    = ByteW'(64 + draw(1600));
        packet.cells    = LenW'(scoreboard.cells_of(32'(packet.bytes)));
        packet.again    = packet.pg[2:0] inside {3'd2, 3'd3, 3'd4} && draw(4) == 0;
        coming.push_back(packet);
        arr_waiting[packet.pg[RowW-1:3]*CountW +: CountW] += CountW'(1);
      end
      if (held.size() != 0 && draw(10) < (last_cycles ? 10 : filling ? 4 : 7)) begin
        packet = held.pop_front();
        leaving.push_back(packet);
        rel_waiting[packet.to_queue[RowW-1:3]*CountW +: CountW] += CountW'(1);
      end
    end
  endfunction

  // The grants of this cycle: data for the RTL, and the same steps for the core. What is not granted
  // waits on: releases at the head, arrivals as new draws.
  function automatic void grant();
    queues_t queues;
    packet_t packet;
    for (int n = 0; n < MostCopies; ++n) queues[n] = 0;
    for (int lane = 0; lane < Lanes; ++lane) begin
      if (!rel_grant[lane]) continue;
      for (int n = 0; n < leaving.size(); ++n) begin
        if (leaving[n].to_queue[RowW-1:3] != rel_port[lane*PortW +: PortW]) continue;
        packet = leaving[n];
        leaving.delete(n);
        break;
      end
      rel_pg[lane*RowW +: RowW]    = packet.pg;
      rel_queue[lane*RowW +: RowW] = packet.to_queue;
      rel_cells[lane*LenW +: LenW] = packet.cells;
      rel_last[lane]               = !packet.again;
      scoreboard.release_granted(lane, cycle, 32'(packet.pg), 32'(packet.cells),
                                 32'(packet.to_queue), !packet.again);
      if (packet.again) begin
        packet.again = 1'b0;
        held.push_back(packet);
      end
    end
    while (leaving.size() != 0) held.push_front(leaving.pop_back());
    for (int lane = 0; lane < Lanes; ++lane) begin
      if (!arr_grant[lane]) continue;
      for (int n = 0; n < coming.size(); ++n) begin
        if (coming[n].pg[RowW-1:3] != arr_port[lane*PortW +: PortW]) continue;
        packet = coming[n];
        coming.delete(n);
        break;
      end
      arr_pg[lane*RowW +: RowW]      = packet.pg;
      arr_queue[lane*RowW +: RowW]   = packet.to_queue;
      arr_cells[lane*LenW +: LenW]   = packet.cells;
      arr_bytes[lane*ByteW +: ByteW] = packet.bytes;
      judged.push_back(packet);
      queues[0] = 32'(packet.to_queue);
      scoreboard.arrival_granted(lane, cycle, 32'(packet.pg), 32'(packet.cells),
                                 32'(packet.bytes), queues, 1);
    end
  endfunction

  function automatic void sample();
    verdict_t shown;
    packet_t  packet;
    for (int lane = 0; lane < Lanes; ++lane) begin
      if (!rel_valid[lane]) continue;
      shown         = '0;
      shown.slot    = lane;
      shown.due     = cycle;
      shown.pg      = 32'(rel_pg_seen[lane*RowW +: RowW]);
      shown.xoff    = rel_xoff[lane];
      shown.changed = rel_changed[lane];
      shown.reason  = 32'(rel_error[lane]);
      scoreboard.seen(shown);
    end
    for (int lane = 0; lane < Lanes; ++lane) begin
      if (!arr_valid[lane]) continue;
      shown                = '0;
      shown.is_arrival     = 1'b1;
      shown.slot           = lane;
      shown.due            = cycle;
      shown.pg             = 32'(arr_pg_seen[lane*RowW +: RowW]);
      shown.reason         = 32'(arr_reason[lane*3 +: 3]);
      shown.private_cells  = 32'(arr_private[lane*LenW +: LenW]);
      shown.shared_cells   = 32'(arr_shared[lane*LenW +: LenW]);
      shown.headroom_cells = 32'(arr_headroom[lane*LenW +: LenW]);
      shown.threshold      = arr_threshold[lane*32 +: 32];
      shown.taken          = 8'(arr_taken[lane]);
      shown.xoff           = arr_xoff[lane];
      shown.changed        = arr_changed[lane];
      scoreboard.seen(shown);
      packet = judged.pop_front();
      if (shown.reason == 0) held.push_back(packet);
    end
    scoreboard.end_of_cycle(cycle, 4096'(xoff));
  endfunction

  // PFC frames: octets 0 to 5 the group address, 12 to 15 type and opcode, 17 the classes that are
  // enabled, from 18 on their times, at the end the FCS.
  logic [8*64-1:0] frame[Ports];
  logic [7:0]      at_start[Ports][$];  // levels when a frame starts, until it is whole
  logic [7:0]      last_sent[Ports];    // classes that the last frame has paused
  int unsigned     frames[Ports];
  int unsigned     quanta;

  function automatic logic [31:0] fcs_of(logic [8*64-1:0] octets);
    fcs_of = '1;
    for (int n = 0; n < 8 * 60; ++n)
      fcs_of = (fcs_of >> 1) ^ ((fcs_of[0] ^ octets[n]) ? 32'hedb88320 : '0);
    fcs_of = ~fcs_of;
  endfunction

  function automatic void check_frame(int port, logic [8*64-1:0] octets);
    logic [7:0]  classes;
    logic [15:0] wanted, shown;
    classes = at_start[port].pop_front();
    if (octets[8*6-1:0] != 48'h01_00_00_c2_80_01 || octets[8*12 +: 32] != 32'h01_01_08_88
        || octets[8*16 +: 8] != '0 || octets[8*60 +: 32] != fcs_of(octets))
      $fatal(1, "cycle %0d port %0d: no PFC frame: %h", cycle, port, octets);
    if (octets[8*17 +: 8] != (classes | last_sent[port]))
      $fatal(1, "cycle %0d port %0d: enables %b, expected %b", cycle, port, octets[8*17 +: 8],
             classes | last_sent[port]);
    for (int n = 0; n < 8; ++n) begin
      wanted = classes[n] ? 16'(quanta) : '0;
      shown  = {octets[8*(18+2*n) +: 8], octets[8*(19+2*n) +: 8]};
      if (shown != wanted)
        $fatal(1, "cycle %0d port %0d class %0d: %0d quanta, expected %0d", cycle, port, n, shown,
               wanted);
    end
    last_sent[port] = classes;
    ++frames[port];
  endfunction

  // Every frame that is owed starts in this cycle, with the levels of now.
  function automatic void send_frames();
    pfc_start = pfc_request & pfc_ready;
    for (int port = 0; port < Ports; ++port) begin
      if (pfc_start[port] && pfc_sends[port]) at_start[port].push_back(xoff[8*port +: 8]);
      if (pfc_valid[port]) begin
        frame[port] = {pfc_data[AxisW*port +: AxisW], frame[port][8*64-1:AxisW]};
        if (pfc_last[port]) check_frame(port, frame[port]);
      end
    end
  endfunction

  // The last frame of each port has said what the levels are, and the counters count frames.
  task automatic check_frames();
    int unsigned value, total;
    total = 0;
    for (int port = 0; port < Ports; ++port) begin
      if (last_sent[port] != xoff[8*port +: 8] || at_start[port].size() != 0)
        $fatal(1, "port %0d: the last frame paused %b, the levels are %b", port, last_sent[port],
               xoff[8*port +: 8]);
      transfer(1'b0, scoreboard.address_of("port.pfc_frames_sent", port), 0, value);
      if (value != frames[port])
        $fatal(1, "port %0d: %0d frames are counted, %0d were sent", port, value, frames[port]);
      total += value;
    end
    if (total == 0) $fatal(1, "no PFC frame was sent");
  endtask

  // Random traffic, then time in which the buffer drains.
  task automatic traffic(input int unsigned cycles);
    for (int unsigned n = 0; n < cycles + 1000; ++n) begin
      @(negedge clk);
      offer(n >= cycles);
      #1;
      grant();
      #1;
      sample();
      send_frames();
      ++cycle;
    end
    @(negedge clk);
    rel_waiting = '0;
    pfc_start   = '0;
  endtask

  initial begin
    string       chip;
    int unsigned cycles, ignored;
    if ($value$plusargs("chip=%s", chip) == 0) $fatal(1, "no +chip");
    if ($value$plusargs("cycles=%d", cycles) == 0) cycles = 20000;
    if ($value$plusargs("seed=%d", random_state) == 0) random_state = 1;
    scoreboard = new(chip);
    if (scoreboard.ports != Ports || scoreboard.lanes != Lanes || scoreboard.domains != 1)
      $fatal(1, "%s: needs %0d ports, %0d lanes, one domain", chip, Ports, Lanes);
    {psel, penable, pwrite, paddr, pwdata, rel_waiting, arr_waiting} = '0;
    {rel_pg, rel_queue, rel_cells, rel_last, arr_pg, arr_queue, arr_cells, arr_bytes} = '0;
    pfc_start = '0;
    for (int port = 0; port < Ports; ++port) begin
      last_sent[port] = '0;
      frames[port]    = 0;
    end
    quanta  = scoreboard.read32(scoreboard.address_of("chip.quanta", 0), 0);
    cycle   = 0;
    filling = 1'b1;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (!init_done) @(negedge clk);
    each_register(1'b1);
    transfer(1'b1, scoreboard.address_of("chip.start", 0), 1, ignored);
    refusals();
    traffic(cycles / 2);
    check_frames();
    each_register(1'b0);
    // The counters start again, on both sides.
    transfer(1'b1, scoreboard.address_of("chip.clear_stats", 0), 1, ignored);
    scoreboard.write32(scoreboard.address_of("chip.clear_stats", 0), cycle, 1);
    for (int port = 0; port < Ports; ++port) frames[port] = 0;
    each_register(1'b0);
    traffic(cycles / 2);
    check_frames();
    each_register(1'b0);
    scoreboard.report();
    $finish;
  end

endmodule
