// SPDX-License-Identifier: Apache-2.0
//
// weir_mmu against the core through DPI-C: settings over APB, random traffic, every verdict and
// every level, mark and early drop compared in its cycle, and every PFC pin against a model of its
// own; settings written while requests go on, counters read over APB, and accesses that must be
// refused. One domain.
//
//   +chip=FILE     chip file; of Ports ports and Lanes lanes
//   +cycles=N      of traffic
//   +seed=N
//
// Golden: the core, through weir_mmu_dpi_pkg; of PFC, pfc_model_pkg.
module weir_mmu_bench #(
  parameter int Ports = 4,
  parameter int Lanes = 2
);
  import weir_mmu_dpi_pkg::*;
  import pfc_model_pkg::*;

  localparam int RowW = $clog2(8 * Ports), PortW = $clog2(Ports), LenW = 8, ByteW = 14, CellW = 17,
                 AxisW = 64, CountW = $clog2(Lanes + 1), Profiles = 6, Pools = 2,
                 WredProfiles = 4, MarkLatency = 3,
                 AdmitLatency = pipeline_latency_pkg::AdmitLatencyLeastDrops;

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
  logic [Lanes-1:0]        arr_valid, arr_xoff, arr_changed, arr_taken, arr_ect, arr_asks, arr_mark;
  logic [Lanes*3-1:0]      arr_reason;
  logic [Lanes*LenW-1:0]   arr_private, arr_shared, arr_headroom;
  logic [Lanes*32-1:0]     arr_threshold;
  logic [8*Ports-1:0]      xoff;
  logic [Ports-1:0]        dep_valid, dep_sent, dep_ect, dep_mark, dep_error;
  logic [Ports*3-1:0]      dep_queue;
  logic [Ports*LenW-1:0]   dep_cells;
  logic [Ports*ByteW-1:0]  dep_bytes;
  logic [Ports-1:0]        pfc_request, pfc_ready, pfc_sends, pfc_start, pfc_valid, pfc_last;
  logic [Ports-1:0]        pfc_take, rx_valid, rx_last, rx_bad;
  logic [Ports*AxisW-1:0]  pfc_data, rx_data;
  logic [Ports*AxisW/8-1:0] pfc_keep, rx_keep;
  logic [8*Ports-1:0]      pause;

  // verilator lint_off PINMISSING
  weir_mmu #(
    .Ports(Ports), .Lanes(Lanes), .Profiles(Profiles), .QueueProfiles(1), .Pools(Pools),
    .EgressPools(1), .CellW(CellW), .AxisW(AxisW), .WredProfiles(WredProfiles), .WredDrops(1),
    .AdmitLatency(AdmitLatency), .MarkLatency(MarkLatency)
  ) u_mmu (
    .clk_i(clk), .rst_ni(rst_n), .init_done_o(init_done),
    .psel_i(psel), .penable_i(penable), .pwrite_i(pwrite), .paddr_i(paddr), .pwdata_i(pwdata),
    .pready_o(pready), .prdata_o(prdata), .pslverr_o(pslverr),
    .rel_waiting_i(rel_waiting), .rel_grant_valid_o(rel_grant), .rel_grant_port_o(rel_port),
    .rel_pg_i(rel_pg), .rel_cells_i(rel_cells), .rel_queue_i(rel_queue), .rel_last_i(rel_last),
    .arr_waiting_i(arr_waiting), .arr_grant_valid_o(arr_grant), .arr_grant_port_o(arr_port),
    .arr_pg_i(arr_pg), .arr_cells_i(arr_cells), .arr_bytes_i(arr_bytes), .arr_queue_i(arr_queue),
    .arr_mask_i('1), .arr_ect_i(arr_ect), .arr_asks_i(arr_asks),
    .rel_valid_o(rel_valid), .rel_pg_o(rel_pg_seen), .rel_xoff_o(rel_xoff),
    .rel_changed_o(rel_changed), .rel_error_o(rel_error),
    .arr_valid_o(arr_valid), .arr_pg_o(arr_pg_seen), .arr_reason_o(arr_reason),
    .arr_private_o(arr_private), .arr_shared_o(arr_shared), .arr_headroom_o(arr_headroom),
    .arr_threshold_o(arr_threshold), .arr_xoff_o(arr_xoff), .arr_changed_o(arr_changed),
    .arr_mask_o(arr_taken), .arr_mark_o(arr_mark), .xoff_o(xoff),
    .dep_valid_i(dep_valid), .dep_sent_i(dep_sent), .dep_queue_i(dep_queue),
    .dep_cells_i(dep_cells), .dep_bytes_i(dep_bytes), .dep_ect_i(dep_ect), .dep_mark_o(dep_mark),
    .dep_error_o(dep_error),
    .pfc_request_o(pfc_request), .pfc_ready_o(pfc_ready), .pfc_sends_o(pfc_sends),
    .pfc_start_i(pfc_start), .m_axis_pfc_tvalid_o(pfc_valid), .m_axis_pfc_tdata_o(pfc_data),
    .m_axis_pfc_tkeep_o(pfc_keep), .m_axis_pfc_tlast_o(pfc_last), .m_axis_pfc_tready_i(pfc_take),
    .s_axis_rx_tdata_i(rx_data), .s_axis_rx_tkeep_i(rx_keep), .s_axis_rx_tvalid_i(rx_valid),
    .s_axis_rx_tlast_i(rx_last), .s_axis_rx_tuser_i(rx_bad), .pause_o(pause)
  );
  // verilator lint_on PINMISSING

  // A packet in the buffer, or on its way into it.
  typedef struct packed {
    logic [RowW-1:0]  pg;
    logic [RowW-1:0]  to_queue;
    logic [LenW-1:0]  cells;
    logic [ByteW-1:0] bytes;
    logic [1:0]       ecn;
    logic             again;  // a reader that is not the last is still to leave
  } packet_t;

  class queue_t;
    packet_t packets[$];
  endclass

  weir_mmu_scoreboard scoreboard;
  packet_t         coming[$], leaving[$];  // that wait in this cycle
  packet_t         judged[$];  // granted arrivals without a verdict yet
  packet_t         held[$];    // that have left their queues
  queue_t          waiting[Ports];  // admitted, in the queues of each port
  longint unsigned cycle, agreed;  // now; the last one in which nothing had differed
  int unsigned     random_state, writes;
  bit              filling;

  always @(posedge clk) if (rst_n) ++cycle;

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

  // Before it has started: the most cells that a count of CellW bits holds, and one more.
  task automatic sizes();
    int unsigned ignored;
    transfer(1'b1, scoreboard.address_of("profile.private", 0), (1 << CellW) - 1, ignored);
    refused(1'b1, scoreboard.address_of("profile.private", 0), 1 << CellW);
    transfer(1'b1, scoreboard.address_of("pool.shared_size", 0), (1 << CellW) - 1, ignored);
    refused(1'b1, scoreboard.address_of("pool.shared_size", 0), 1 << CellW);
  endtask

  // Once the MMU has started: configuration, what is read only, values that are not legal, and where
  // nothing is.
  task automatic refusals();
    refused(1'b1, scoreboard.address_of("pool.shared_size", 0), 1);
    refused(1'b1, scoreboard.address_of("pg.profile", 3), 0);
    refused(1'b1, scoreboard.address_of("port.pause_step", 1), 1);
    refused(1'b1, scoreboard.address_of("profile.headroom", 0), 1);
    refused(1'b1, scoreboard.address_of("chip.ports", 0), 1);
    refused(1'b1, scoreboard.address_of("wred.max", 1), 1);
    refused(1'b1, scoreboard.address_of("port_draw.seed", 0), 1);
    refused(1'b1, scoreboard.address_of("queue_wred.profile", 3), 1);
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
    for (int unsigned block = 0; block <= 32'(csr_map_pkg::QueueWredBlock); ++block) begin
      words = 32'(csr_map_pkg::start_of(4'(block), 24'd1)) / 4;
      for (int unsigned index = 0;
           index < csr_map_pkg::instances_of(4'(block), Ports, 1, Profiles, Pools, 1, 1,
                                             WredProfiles, Ports);
           ++index) begin
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
  function automatic packet_t draw_packet();
    packet_t packet;
    packet.pg       = RowW'(draw(8 * Ports));
    packet.to_queue = RowW'(8 * draw(Ports) + 32'(packet.pg[2:0]));
    case (draw(8))
      0, 1, 2, 3: packet.pg = RowW'(3);  // one group meets its limits more often
      4, 5:       packet.pg = {packet.pg[RowW-1:3], 3'd0};  // and a queue its WRED profile
      default: ;
    endcase
    packet.to_queue[2:0] = packet.pg[2:0];
    if (packet.pg[2:0] == 3'd0) packet.to_queue[RowW-1:4] = '0;
    packet.bytes    = ByteW'(64 + draw(1600));
    packet.cells    = LenW'(scoreboard.cells_of(32'(packet.bytes)));
    packet.ecn      = 2'(draw(4));
    packet.again    = packet.pg[2:0] inside {3'd2, 3'd3, 3'd4} && draw(4) == 0;
    return packet;
  endfunction

  function automatic void offer(bit last_cycles);
    packet_t packet;
    if (draw(200) == 0) filling = !filling;
    arr_waiting = '0;
    rel_waiting = '0;
    coming.delete();
    leaving.delete();
    for (int n = 0; n < Lanes; ++n) begin
      if (leading ? !ending && !is_led_full() : !last_cycles && draw(10) < (filling ? 9 : 3)) begin
        packet = leading ? led_packet() : draw_packet();
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
    for (int n = 0; n < MaxCopies; ++n) queues[n] = 0;
    arr_ect  = Lanes'(draw(1 << Lanes));  // of lanes that are not granted, anything
    arr_asks = '1;
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
      arr_ect[lane]                  = packet.ecn != 2'd0;
      arr_asks[lane]                 = !lossless[packet.pg];
      judged.push_back(packet);
      queues[0] = 32'(packet.to_queue);
      scoreboard.arrival_granted(lane, cycle, 32'(packet.pg), 32'(packet.cells),
                                 32'(packet.bytes), 32'(packet.ecn), queues, 1);
    end
    if (scoreboard.drops != drops) last_drop = cycle;
    drops = scoreboard.drops;
  endfunction

  // ---- Marking ----
  bit              lossless[8*Ports];  // by priority group
  bit              leading;            // lead() chooses what arrives and leaves
  bit              ending;             // and nothing arrives any more
  int unsigned     drops;              // of the scoreboard
  longint unsigned last_drop;          // its cycle
  bit              clear_met_drop;     // a drop was asked for in the last cycle that a clear forgets

  // From a packet that leaves to the pins; `packet.cells` cells of its queue.
  function automatic bit leave_queue(packet_t packet, bit sent);
    int unsigned port;
    port = 32'(packet.to_queue) / 8;
    dep_valid[port]                = 1'b1;
    dep_sent[port]                 = sent;
    dep_queue[3*port +: 3]         = packet.to_queue[2:0];
    dep_cells[LenW*port +: LenW]   = packet.cells;
    dep_bytes[ByteW*port +: ByteW] = packet.bytes;
    dep_ect[port]                  = packet.ecn != 2'd0;
    return scoreboard.left(cycle, 32'(packet.to_queue), 32'(packet.cells), 32'(packet.bytes),
                           32'(packet.ecn), sent);
  endfunction

  // What leaves each port in this cycle: any packet that waits there, now and then more cells than
  // its queue has. Ports where nothing leaves still have ECT on their pins.
  function automatic void depart(bit last_cycles);
    packet_t     packet;
    int unsigned index, held_there;
    dep_valid = '0;
    dep_sent  = '1;
    dep_ect   = '1;
    for (int unsigned port = 0; port < Ports; ++port) begin
      if (waiting[port].packets.size() == 0) continue;
      if (!last_cycles && draw(filling ? 4 : 2) != 0) continue;
      index      = draw(waiting[port].packets.size());
      packet     = waiting[port].packets[index];
      held_there = scoreboard.read32(
          scoreboard.address_of("queue_wred.waiting", 32'(packet.to_queue)), cycle);
      if (held_there != 0 && held_there < 255 && draw(64) == 0) begin
        packet.cells = LenW'(held_there + 1);
        if (!leave_queue(packet, 1'b1)) $fatal(1, "%0d cells leave", packet.cells);
        continue;
      end
      if (leave_queue(packet, draw(8) != 0)) $fatal(1, "%0d cells do not leave", packet.cells);
      waiting[port].packets.delete(index);
      held.push_back(packet);
    end
  endfunction

  // Queue 4 of port 0 is filled with large packets and led to a q whose P is the next draw, or one
  // more and rounded up: where a packet is hit by no more than it takes, or just missed.
  localparam int LedQueue = 4, LedGroup = 12, LedCells = 255;
  longint unsigned led_slope;
  int unsigned     led_min, led_max, polynomial;
  int unsigned     just_hit, just_missed;
  bit              led_fills;

  function automatic packet_t led_packet();
    packet_t packet;
    packet          = '0;
    packet.pg       = RowW'(LedGroup);
    packet.to_queue = RowW'(LedQueue);
    packet.cells    = LenW'(LedCells);
    packet.bytes    = ByteW'(1500);
    packet.ecn      = 2'd2;
    return packet;
  endfunction

  function automatic int unsigned led_cells();
    return scoreboard.read32(scoreboard.address_of("queue_wred.waiting", LedQueue), cycle);
  endfunction

  function automatic bit is_led_full();
    return !led_fills
           || led_cells() + LedCells * (judged.size() + coming.size() + 1) >= led_max;
  endfunction

  function automatic int unsigned next_draw();
    int unsigned state;
    state = scoreboard.read32(scoreboard.address_of("port_draw.state", 0), cycle);
    for (int n = 0; n < 16; ++n) state = (state >> 1) ^ (state[0] ? polynomial : 0);
    return state & 32'hffff;
  endfunction

  // The least q past min, among those that the large packets reach, where a draw just hits, or is just
  // missed; 0: there is none.
  function automatic int unsigned place_of(int unsigned drawn, bit hits);
    longint unsigned product;
    for (int unsigned past = 1; past < led_max - led_min - 2 * LedCells; ++past) begin
      product = longint'(past) * led_slope;
      if (hits ? product >> 25 == 64'(drawn) && product[24]
               : (product + 64'h100_0000) >> 25 == 64'(drawn)) return past;
    end
    return 0;
  endfunction

  // What leaves it in this cycle: one cell for a draw that is no P, else as much as leads to q.
  function automatic void lead();
    packet_t     packet;
    int unsigned q, past, excess, marks;
    dep_valid = '0;
    q         = led_cells();
    past      = place_of(next_draw(), just_hit <= just_missed);
    excess    = past == 0 ? 1 : q - led_min - past;
    led_fills = q < led_min + past + (past == 0 ? 2 : 1);
    if (led_fills) return;
    packet       = led_packet();
    packet.cells = LenW'(excess < LedCells ? excess : LedCells);
    marks        = scoreboard.marks_at_exit;
    void'(leave_queue(packet, excess <= LedCells));
    if (past == 0 || excess > LedCells) return;
    if (scoreboard.marks_at_exit != marks) ++just_hit;
    else ++just_missed;
  endfunction

  // Discards what is left there.
  function automatic void empty_led_queue();
    packet_t     packet;
    int unsigned q;
    dep_valid    = '0;
    q            = led_cells();
    packet       = led_packet();
    packet.cells = LenW'(q < LedCells ? q : LedCells);
    if (q != 0) void'(leave_queue(packet, 1'b0));
  endfunction

  function automatic void marker_settings();
    int unsigned profile;
    for (int n = 0; n < 8 * Ports; ++n)
      lossless[n] = scoreboard.read32(scoreboard.address_of("profile.lossless",
          scoreboard.read32(scoreboard.address_of("pg.profile", n), 0)), 0) != 0;
    profile    = scoreboard.read32(scoreboard.address_of("queue_wred.profile", LedQueue), 0);
    led_min    = scoreboard.read32(scoreboard.address_of("wred.min", profile), 0);
    led_max    = scoreboard.read32(scoreboard.address_of("wred.max", profile), 0);
    led_slope  = {scoreboard.read32(scoreboard.address_of("wred.slope_high", profile), 0),
                  scoreboard.read32(scoreboard.address_of("wred.slope_low", profile), 0)};
    polynomial = scoreboard.read32(scoreboard.address_of("port_draw.polynomial", 0), 0);
  endfunction

  task automatic exact_draws();
    just_hit    = 0;
    just_missed = 0;
    leading     = 1'b1;
    for (int unsigned n = 0; n < 20000 && (just_hit < 3 || just_missed < 3); ++n)
      one_cycle(1'b0, 1'b0);
    if (just_hit < 3 || just_missed < 3) $fatal(1, "no draw was led to");
    ending = 1'b1;
    while (led_cells() != 0 || held.size() != 0 || judged.size() != 0) one_cycle(1'b1, 1'b0);
    {leading, ending} = '0;
  endtask

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
      if (shown.reason != 0) continue;
      if (leading) held.push_back(packet);
      else waiting[32'(packet.to_queue) / 8].packets.push_back(packet);
    end
    scoreboard.marks_seen(cycle, 4096'(arr_mark), 4096'(dep_mark), 4096'(dep_error));
    scoreboard.end_of_cycle(cycle, 4096'(xoff));
  endfunction

  // ---- PFC: what each port must do in each cycle ----
  class mac_t;
    octets_t     octets;   // of a frame that comes in
    int unsigned come;     // of them, in beats before this one
    bit          bad_fcs;
    bit          ends;     // in this cycle
    int unsigned busy;     // cycles until its MAC starts a frame
  endclass

  pfc_port_model port_model[Ports];
  mac_t          mac[Ports];
  octets_t       nothing;  // stays empty
  int unsigned   pfc_compared, pfc_errors, pauses_obeyed, frames_counted;

  function automatic void make_models();
    logic [47:0] address;
    int unsigned map;
    for (int port = 0; port < Ports; ++port) begin
      address[31:0]  = scoreboard.read32(scoreboard.address_of("port.source_mac_low", port), 0);
      address[47:32] = 16'(scoreboard.read32(scoreboard.address_of("port.source_mac_high", port), 0));
      port_model[port] = new(
          longint'(scoreboard.read32(scoreboard.address_of("port.pause_step", port), 0)),
          longint'(scoreboard.read32(scoreboard.address_of("port.response", port), 0)),
          scoreboard.read32(scoreboard.address_of("chip.pfc", 0), 0), 8 * Octets / AxisW, address);
      port_model[port].quanta = scoreboard.read32(scoreboard.address_of("chip.quanta", 0), 0);
      map = scoreboard.read32(scoreboard.address_of("chip.pg_of_priority", 0), 0);
      for (int n = 0; n < 8; ++n) port_model[port].group_of[n] = 32'(map[4*n +: 4]);
      mac[port]        = new;
      mac[port].come   = 0;
      mac[port].ends   = 1'b0;
      mac[port].busy   = 0;
    end
  endfunction

  // Mostly PFC; each of its errors now and then.
  function automatic void draw_frame(int port);
    logic [15:0] times[8];
    octets_t     octets;
    int unsigned kind, at;
    for (int n = 0; n < 8; ++n) times[n] = 16'(draw(1 << draw(17)));
    octets            = pfc_frame(48'h0200_0000_0009, 8'(draw(256)), times);
    kind              = draw(16);
    mac[port].bad_fcs = kind == 6;
    at                = kind == 0 ? draw(6) : 12 + draw(4);
    if (kind <= 1) octets[at] = octets[at] ^ 8'(1 << draw(8));  // address; type, opcode
    if (kind == 2) begin
      at = 1 + draw(63);
      while (octets.size() > at) void'(octets.pop_back());
    end
    if (kind == 3) repeat (1 + draw(100)) octets.push_back(8'(draw(256)));
    if (kind == 4) octets[16] = 8'(draw(256));                      // reserved
    if (kind == 5) octets[34 + draw(26)] = 8'(draw(256));
    mac[port].octets = octets;
    mac[port].come   = 0;
  endfunction

  // Pins of the MACs in this cycle: beats that come in, with gaps, and beats that are taken.
  function automatic void drive_macs();
    int unsigned at;
    {rx_data, rx_keep, rx_valid, rx_last, rx_bad} = '0;
    for (int port = 0; port < Ports; ++port) begin
      pfc_take[port] = draw(4) != 0;
      mac[port].ends = 1'b0;
      if (mac[port].octets.size() == 0 && draw(40) == 0) draw_frame(port);
      if (mac[port].octets.size() == 0 || draw(8) == 0) continue;
      for (int n = 0; n < AxisW / 8; ++n) begin
        at = mac[port].come + n;
        if (at >= mac[port].octets.size()) break;
        rx_data[AxisW*port + 8*n +: 8]  = mac[port].octets[at];
        rx_keep[AxisW/8*port + n]       = 1'b1;
      end
      mac[port].come += AxisW / 8;
      mac[port].ends  = mac[port].come >= mac[port].octets.size();
      rx_valid[port]  = 1'b1;
      rx_last[port]   = mac[port].ends;
      rx_bad[port]    = mac[port].ends && mac[port].bad_fcs;
    end
  endfunction

  function automatic void same(string pin, int port, logic [63:0] shown, logic [63:0] wanted);
    ++pfc_compared;
    if (shown === wanted) return;
    ++pfc_errors;
    if (pfc_errors <= 32'(MaxShown))
      $display("cycle %0d port %0d: %s is %h, expected %h", cycle, port, pin, shown, wanted);
  endfunction

  // A verdict of this cycle turned a level of the port.
  function automatic bit is_turned(int port);
    is_turned = 1'b0;
    for (int lane = 0; lane < Lanes; ++lane) begin
      if (rel_valid[lane] && rel_changed[lane]
          && 32'(rel_pg_seen[lane*RowW + 3 +: PortW]) == port) is_turned = 1'b1;
      if (arr_valid[lane] && arr_changed[lane]
          && 32'(arr_pg_seen[lane*RowW + 3 +: PortW]) == port) is_turned = 1'b1;
    end
  endfunction

  function automatic bit draw_start(int port);
    if (mac[port].busy != 0) begin
      --mac[port].busy;
      return draw(32) == 0;  // a start without a frame: it must be ignored
    end
    if (!pfc_request[port]) return draw(32) == 0;
    mac[port].busy = draw(2) * draw(12);
    return 1'b1;
  endfunction

  function automatic void compare_beat(int port);
    logic [AxisW-1:0] wanted;
    for (int n = 0; n < AxisW / 8; ++n)
      wanted[8*n +: 8] = port_model[port].frame[AxisW/8*port_model[port].beat + n];
    same("m_axis_pfc_tdata_o", port, 64'(pfc_data[AxisW*port +: AxisW]), 64'(wanted));
    same("m_axis_pfc_tkeep_o", port, 64'(pfc_keep[AxisW/8*port +: AxisW/8]), 64'hff);
    same("m_axis_pfc_tlast_o", port, 64'(pfc_last[port]), 64'(port_model[port].last()));
  endfunction

  // Compares the PFC pins of this cycle; then what the edge that ends it does.
  function automatic void check_pfc();
    logic [7:0] paused;
    for (int port = 0; port < Ports; ++port) begin
      port_model[port].settle(cycle, xoff[8*port +: 8], is_turned(port));
      paused = port_model[port].paused(cycle);
      same("pfc_request_o", port, 64'(pfc_request[port]), 64'(port_model[port].request()));
      same("pfc_ready_o", port, 64'(pfc_ready[port]), 64'(port_model[port].ready(pfc_take[port])));
      same("pfc_sends_o", port, 64'(pfc_sends[port]), 64'(port_model[port].sends()));
      same("pause_o", port, 64'(pause[8*port +: 8]), 64'(paused));
      same("m_axis_pfc_tvalid_o", port, 64'(pfc_valid[port]), 64'(port_model[port].sending));
      if (pfc_valid[port] && port_model[port].sending) compare_beat(port);
      if (paused != '0) ++pauses_obeyed;
      pfc_start[port] = draw_start(port);
      port_model[port].clock(cycle, pfc_start[port], pfc_take[port]);
      if (!mac[port].ends) continue;
      void'(port_model[port].receive(cycle + 1, mac[port].octets, mac[port].bad_fcs));
      mac[port].octets = nothing;
    end
  endfunction

  // The counters count what was sent and received, and something was.
  task automatic check_frames();
    int unsigned value, sent, received;
    sent     = 0;
    received = 0;
    for (int port = 0; port < Ports; ++port) begin
      transfer(1'b0, scoreboard.address_of("port.pfc_frames_sent", port), 0, value);
      same("port.pfc_frames_sent", port, 64'(value), 64'(port_model[port].frames_sent));
      sent += value;
      transfer(1'b0, scoreboard.address_of("port.pfc_frames_received", port), 0, value);
      same("port.pfc_frames_received", port, 64'(value), 64'(port_model[port].frames_received));
      received += value;
    end
    frames_counted += sent * received;
    if (pauses_obeyed == 0) $fatal(1, "no class has been paused by a frame");
  endtask

  function automatic void clear_frames();
    for (int port = 0; port < Ports; ++port) port_model[port].clear(cycle);
  endfunction

  // ---- Registers that software writes while requests go on ----
  typedef enum {Idle, Setup, Access} apb_t;
  apb_t        apb;
  int unsigned apb_address, apb_value, clears_at_drop;
  int unsigned original[int unsigned];  // by address: the setting of the chip file

  // A setting and a legal value, every third time that of the chip file; or a clear of the counters.
  // What a clear leaves of drops depends on their cycle: after one that has met a drop no other comes
  // before the counters are compared.
  function automatic void draw_write();
    int unsigned profile, which;
    profile = draw(Profiles);
    which   = draw(clear_met_drop ? 5 : 8);
    if (which >= 5) begin
      apb_address = scoreboard.address_of("chip.clear_stats", 0);
      apb_value   = 1;
      return;
    end
    if (which == 4) begin
      apb_address = scoreboard.address_of("chip.quanta", 0);
      apb_value   = 1 + draw(1 << (1 + draw(12)));
    end else if (which == 3) begin
      apb_address = scoreboard.address_of("profile.alpha", profile);
      apb_value   = (draw(17) << 16) | (1 + draw((1 << (1 + draw(16))) - 1));
    end else begin
      apb_address = scoreboard.address_of(which == 0 ? "profile.static_limit"
                                          : which == 1 ? "profile.xon" : "profile.xon_offset",
                                          profile);
      apb_value   = draw(16) == 0 ? 1 << 24 : draw(1 << draw(10));  // up to the most that is legal
    end
    if (original.exists(apb_address) == 0)
      original[apb_address] = scoreboard.read32(apb_address, cycle);
    if (draw(3) == 0) apb_value = original[apb_address];
  endfunction

  // The pins of this cycle.
  function automatic void drive_apb(bit more);
    if (apb == Setup) begin
      apb     = Access;
      penable = 1'b1;
    end else if (apb == Idle && more && draw(60) == 0) begin
      draw_write();
      apb     = Setup;
      psel    = 1'b1;
      penable = 1'b0;
      pwrite  = 1'b1;
      paddr   = apb_address[23:0];
      pwdata  = apb_value;
    end
  endfunction

  // What is written acts on the requests of the cycle that answers.
  function automatic void take_write();
    if (apb != Access || !pready) return;
    if (pslverr) $fatal(1, "cycle %0d: register %06x refuses %08x", cycle, apb_address, apb_value);
    scoreboard.write32(apb_address, cycle, apb_value);
    if (apb_address == scoreboard.address_of("chip.quanta", 0))
      for (int port = 0; port < Ports; ++port) port_model[port].quanta = apb_value;
    if (apb_address == scoreboard.address_of("chip.clear_stats", 0)) begin
      clear_frames();
      clear_met_drop = last_drop + 1 == cycle;
      if (clear_met_drop) ++clears_at_drop;
    end
    ++writes;
    apb = Idle;
  endfunction

  // In the cycle after it.
  function automatic void end_apb();
    if (apb != Idle) return;
    psel    = 1'b0;
    penable = 1'b0;
  endfunction

  // Random traffic, with writes or without, then `draining` cycles in which the buffer drains.
  task automatic traffic(input int unsigned cycles, input int unsigned draining, input bit writing);
    clear_met_drop = 1'b0;
    for (int unsigned n = 0; n < cycles + draining; ++n)
      one_cycle(n >= cycles, writing && n < cycles);
    @(negedge clk);
    rel_waiting = '0;
    dep_valid   = '0;
    end_apb();
    {pfc_start, pfc_take, rx_data, rx_keep, rx_valid, rx_last, rx_bad} = '0;
  endtask

  task automatic one_cycle(input bit last_cycles, input bit writing);
    @(negedge clk);
    offer(last_cycles);
    drive_macs();
    end_apb();
    drive_apb(writing);
    #1;
    take_write();
    scoreboard.begin_cycle(cycle);
    if (ending) empty_led_queue();
    else if (leading) lead();
    else depart(last_cycles);
    grant();
    #1;
    sample();
    check_pfc();
    if (scoreboard.errors + pfc_errors == 0) agreed = cycle;
    if (cycle > agreed + 50) $fatal(1, "weir_mmu differs");
  endtask

  // From a reset on: settings, traffic twice with a clear of the counters between, all compared.
  // `writing`: settings are written while requests go on.
  task automatic life(input string chip, input int unsigned cycles, input bit writing);
    int unsigned ignored;
    scoreboard = new(chip);
    if (scoreboard.ports != Ports || scoreboard.lanes != Lanes || scoreboard.domains != 1)
      $fatal(1, "%s: needs %0d ports, %0d lanes, one domain", chip, Ports, Lanes);
    {psel, penable, pwrite, paddr, pwdata, rel_waiting, arr_waiting} = '0;
    {rel_pg, rel_queue, rel_cells, rel_last, arr_pg, arr_queue, arr_cells, arr_bytes} = '0;
    {arr_ect, arr_asks, dep_valid, dep_sent, dep_queue, dep_cells, dep_bytes, dep_ect} = '0;
    {pfc_start, pfc_take, rx_data, rx_keep, rx_valid, rx_last, rx_bad} = '0;
    make_models();
    marker_settings();
    for (int port = 0; port < Ports; ++port) waiting[port] = new;
    drops = 0;
    agreed = cycle;
    held.delete();
    judged.delete();
    original.delete();
    apb     = Idle;
    filling = 1'b1;
    rst_n   = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (!init_done) @(negedge clk);
    sizes();
    each_register(1'b1);
    transfer(1'b1, scoreboard.address_of("chip.start", 0), 1, ignored);
    refusals();
    exact_draws();
    traffic(cycles / 2, 1000, writing);
    check_frames();
    each_register(1'b0);
    transfer(1'b1, scoreboard.address_of("chip.clear_stats", 0), 1, ignored);
    scoreboard.write32(scoreboard.address_of("chip.clear_stats", 0), cycle, 1);
    clear_frames();
    each_register(1'b0);
    traffic(cycles / 2, 1000, writing);
    check_frames();
    each_register(1'b0);
    scoreboard.report();
  endtask

  initial begin
    string       chip;
    int unsigned cycles;
    if ($value$plusargs("chip=%s", chip) == 0) $fatal(1, "no +chip");
    if ($value$plusargs("cycles=%d", cycles) == 0) cycles = 20000;
    if ($value$plusargs("seed=%d", random_state) == 0) random_state = 1;
    cycle = 0;
    life(chip, cycles, 1'b0);
    // A reset while cells are held: nothing of them is left.
    filling = 1'b1;
    traffic(2000, 0, 1'b0);
    if (scoreboard.errors != 0) $fatal(1, "weir_mmu differs");
    // One in fifteen does not meet a drop with a clear.
    for (int unsigned n = 0; n < 4 && (n == 0 || clears_at_drop == 0); ++n)
      life(chip, cycles, 1'b1);
    $display("PFC: compared %0d, %0d wrong; %0d writes while requests went on", pfc_compared,
             pfc_errors, writes);
    if (pfc_errors != 0 || writes == 0 || frames_counted == 0)
      $fatal(1, "PFC differs, or nothing was written or counted");
    if (clears_at_drop == 0) $fatal(1, "no clear has met a drop");
    $finish;
  end

endmodule
