// SPDX-License-Identifier: Apache-2.0
//
// Counters of the PFC frames that each port has sent and received: each port notes its own, and a
// walk over the ports adds them up in a memory.
//
// A port cannot note more frames than a walk takes cycles. The width of a note is a power of 2, so
// that no port's place is a product.
//
// Units:   frames.
// Latency: a frame is in what a read shows in the cycle after its strobe, in the memory after a
//          walk over the ports and a cycle. read_i of cycle t shows the frames before cycle t, in
//          t + 1.
//          clear_i of cycle t forgets all frames up to cycle t.
// Memory:  Ports (at least 2) x 2*StatW, two reads and one write a cycle.
// Golden:  a part of csr.
// Source:  docs/design/contract.md, 4.
module csr_pfc_frames #(
  parameter int Ports = 8,   // 1 .. MaxPorts
  parameter int StatW = 48,  // bits of a counter, which wraps: 14 .. MaxStatW
  parameter int PortW = (Ports > 1) ? $clog2(Ports) : 1  // derived: do not override
) (
  input  logic             clk_i,
  input  logic             rst_ni,      // asynchronous, active low
  input  logic             clear_i,
  input  logic [Ports-1:0] sent_i,      // a strobe for each port
  input  logic [Ports-1:0] received_i,
  input  logic             read_i,
  input  logic [PortW-1:0] port_i,
  output logic [StatW-1:0] sent_o,      // of the port read one cycle before
  output logic [StatW-1:0] received_o
);

  localparam int NoteW = 1 << $clog2($clog2(Ports + 1) + 1);
  localparam int Rows  = (Ports > 1) ? Ports : 2;

  logic [Ports-1:0]       new_sent_q, new_received_q;  // of the cycle before, not yet noted
  logic [Ports*NoteW-1:0] sent_d, sent_q, received_d, received_q;  // notes
  logic [PortW-1:0]       walk_d, walk_q;
  logic                   noted_d, noted_q;            // some port may have noted something
  logic                   some_new, moves;
  logic [NoteW-1:0]       sent_now, received_now, sent_shown_q, received_shown_q;
  logic [2*StatW-1:0]     frames;

  assign some_new = new_sent_q != '0 || new_received_q != '0;
  assign moves    = some_new || noted_q;

  // ---- What each port notes ----
  always_comb begin
    sent_d     = '0;
    received_d = '0;
    if (!clear_i && moves) begin
      for (int p = 0; p < Ports; p++) begin
        sent_d[p*NoteW +: NoteW]     = NoteW'(new_sent_q[p]);
        received_d[p*NoteW +: NoteW] = NoteW'(new_received_q[p]);
        if (!noted_q || walk_q != PortW'(p)) begin
          sent_d[p*NoteW +: NoteW]     = NoteW'(new_sent_q[p]) + sent_q[p*NoteW +: NoteW];
          received_d[p*NoteW +: NoteW] = NoteW'(new_received_q[p]) + received_q[p*NoteW +: NoteW];
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sent_q     <= '0;
      received_q <= '0;
    end else if (moves) begin
      sent_q     <= sent_d;
      received_q <= received_d;
    end
  end

  // ---- The walk ----
  always_comb begin
    sent_now     = '0;
    received_now = '0;
    walk_d       = walk_q;
    noted_d      = some_new;
    if (noted_q) begin
      sent_now     = sent_q[walk_q*NoteW +: NoteW];
      received_now = received_q[walk_q*NoteW +: NoteW];
      walk_d       = (walk_q == PortW'(Ports - 1)) ? '0 : walk_q + PortW'(1);
      noted_d      = some_new || sent_q != '0 || received_q != '0;
    end
  end

  counter_memory #(.Rows(Rows), .Fields(2), .CountW(StatW), .AmountW(NoteW)) u_frames (
    .clk_i, .rst_ni, .clear_i,
    .valid_i   (noted_q && !clear_i),
    .row_i     (walk_q),
    .amount_i  ({received_now, sent_now}),
    .rd_valid_i(read_i),
    .rd_row_i  (port_i),
    .rd_data_o (frames)
  );

  // A read shows the memory and, of the same cycle, what was noted and not yet added.
  assign sent_o     = frames[0 +: StatW] + StatW'(sent_shown_q);
  assign received_o = frames[StatW +: StatW] + StatW'(received_shown_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      new_sent_q       <= '0;
      new_received_q   <= '0;
      walk_q           <= '0;
      noted_q          <= 1'b0;
      sent_shown_q     <= '0;
      received_shown_q <= '0;
    end else begin
      new_sent_q     <= clear_i ? '0 : sent_i;
      new_received_q <= clear_i ? '0 : received_i;
      walk_q         <= walk_d;
      noted_q        <= noted_d;
      if (read_i) begin
        sent_shown_q     <= NoteW'(new_sent_q[port_i]) + sent_q[port_i*NoteW +: NoteW];
        received_shown_q <= NoteW'(new_received_q[port_i]) + received_q[port_i*NoteW +: NoteW];
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (StatW < 14 || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be 14 to %0d", StatW, weir_pkg::MaxStatW);
  end

endmodule
