// SPDX-License-Identifier: Apache-2.0
//
// What the PFC block of a port must do in each cycle, from docs/blocks/pfc_generator.md, pause_timer.md
// and pfc_frame.md: the C interface of the core has no PFC blocks.
//
// Units: cycles; a timer is quanta x 2^16 and loses `step` a cycle.
package pfc_model_pkg;

  localparam int Octets = 64;

  typedef logic [7:0] octets_t[$];

  function automatic logic [31:0] fcs_of(octets_t octets, int count);
    fcs_of = '1;
    for (int n = 0; n < count; ++n) begin
      for (int bit_n = 0; bit_n < 8; ++bit_n)
        fcs_of = (fcs_of >> 1) ^ ((fcs_of[0] ^ octets[n][bit_n]) ? 32'hedb88320 : '0);
    end
    fcs_of = ~fcs_of;
  endfunction

  // A PFC frame of 64 octets, its FCS with them.
  function automatic octets_t pfc_frame(logic [47:0] source, logic [7:0] enable,
                                        logic [15:0] times[8]);
    logic [47:0] head;
    logic [31:0] type_and_opcode, fcs;
    pfc_frame       = {};
    head            = 48'h0180_c200_0001;
    type_and_opcode = 32'h8808_0101;
    for (int n = 5; n >= 0; --n) pfc_frame.push_back(head[8*n +: 8]);
    for (int n = 5; n >= 0; --n) pfc_frame.push_back(source[8*n +: 8]);
    for (int n = 3; n >= 0; --n) pfc_frame.push_back(type_and_opcode[8*n +: 8]);
    pfc_frame.push_back('0);
    pfc_frame.push_back(enable);
    for (int n = 0; n < 8; ++n) begin
      pfc_frame.push_back(times[n][15:8]);
      pfc_frame.push_back(times[n][7:0]);
    end
    while (pfc_frame.size() < Octets - 4) pfc_frame.push_back('0);
    fcs = fcs_of(pfc_frame, Octets - 4);
    for (int n = 0; n < 4; ++n) pfc_frame.push_back(fcs[8*n +: 8]);
  endfunction

  // One port: what it sends, and what stops it.
  class pfc_port_model;
    longint unsigned step, response;
    int unsigned     latency, beats;
    int unsigned     quanta;
    logic [47:0]     source;
    int unsigned     group_of[8];  // priority group of each class

    // What is owed.
    logic [63:0]     changes;      // bit n: a level changed n + 1 cycles ago
    logic [7:0]      classes, sent;
    bit              requested, refresh;
    longint unsigned refresh_at;
    // The frame that is being sent.
    bit              sending;
    int unsigned     beat, frames_sent, frames_received;
    longint unsigned received_at;  // the edge of the last frame that was counted
    octets_t         frame;
    // Pauses.
    longint unsigned begins[8], ends[8];

    function new(longint unsigned step_, longint unsigned response_, int unsigned latency_,
                 int unsigned beats_, logic [47:0] source_);
      step            = step_;
      response        = response_;
      latency         = latency_;
      beats           = beats_;
      source          = source_;
      changes         = '0;
      sent            = '0;
      classes         = '0;
      requested       = 1'b0;
      refresh         = 1'b0;
      refresh_at      = 0;
      sending         = 1'b0;
      beat            = 0;
      frames_sent     = 0;
      frames_received = 0;
      received_at     = 0;
      for (int n = 0; n < 8; ++n) begin
        begins[n]  = 0;
        ends[n] = 0;
      end
    endfunction

    // Levels of the priority groups as of the verdicts of this cycle; `changed`: one turned a level.
    function void settle(longint unsigned cycle, logic [7:0] levels, bit changed);
      bit looks;
      for (int n = 0; n < 8; ++n) classes[n] = levels[group_of[n]];
      looks     = latency == 0 ? changed : changes[latency-1];
      changes   = {changes[62:0], changed};
      requested = requested || (looks && classes != sent);
      refresh   = sent != '0 && cycle >= refresh_at;
    endfunction

    function bit request();
      return requested || refresh;
    endfunction

    function bit ready(bit tready);
      return !sending || (tready && beat == beats - 1);
    endfunction

    function bit sends();
      return request() && (classes | sent) != '0;
    endfunction

    function bit last();
      return beat == beats - 1;
    endfunction

    // The edge that ends the cycle: the MAC starts a frame, or takes a beat.
    function void clock(longint unsigned cycle, bit start, bit tready);
      bit          starts, says;
      logic [15:0] times[8];
      starts = start && request() && ready(tready);
      says   = sends();
      if (sending && tready) begin
        sending = !last();
        beat    = sending ? beat + 1 : 0;
      end
      if (!starts) return;
      requested = 1'b0;
      if (!says) return;
      for (int n = 0; n < 8; ++n) times[n] = classes[n] ? 16'(quanta) : '0;
      frame      = pfc_frame(source, classes | sent, times);
      sent       = classes;
      refresh_at = cycle + ((longint'(quanta) << 15) + step - 1) / step;
      sending    = 1'b1;
      beat       = 0;
      ++frames_sent;
    endfunction

    // Edge `edge_at` takes the last beat of a frame; `bad_fcs` as the MAC says. Whether it is PFC.
    function bit receive(longint unsigned edge_at, octets_t octets, bit bad_fcs);
      logic [47:0] address;
      logic [15:0] time_of;
      if (octets.size() != Octets || bad_fcs) return 1'b0;
      for (int n = 0; n < 6; ++n) address[8*(5-n) +: 8] = octets[n];
      if (address != 48'h0180_c200_0001) return 1'b0;
      if ({octets[12], octets[13], octets[14], octets[15]} != 32'h8808_0101) return 1'b0;
      for (int n = 0; n < 8; ++n) begin
        time_of = {octets[18+2*n], octets[19+2*n]};
        if (octets[17][n]) load(n, edge_at, time_of);
      end
      ++frames_received;
      received_at = edge_at;
      return 1'b1;
    endfunction

    function void load(int n, longint unsigned edge_at, logic [15:0] time_of);
      bit running;
      running = edge_at < ends[n];
      if (time_of == '0) begin
        if (running) ends[n] = edge_at;
        return;
      end
      if (!running) begins[n] = edge_at + response;
      ends[n] = edge_at + ((longint'(time_of) << 16) + step - 1) / step;
    endfunction

    // A clear that is answered in a cycle acts in the one before, in which a frame that has just ended
    // is not counted yet.
    function void clear(longint unsigned cycle);
      frames_sent     = 0;
      frames_received = received_at == cycle ? 1 : 0;
    endfunction

    // Classes that may not start a frame in a cycle.
    function logic [7:0] paused(longint unsigned cycle);
      for (int n = 0; n < 8; ++n) paused[n] = begins[n] <= cycle && cycle < ends[n];
    endfunction
  endclass

endpackage
