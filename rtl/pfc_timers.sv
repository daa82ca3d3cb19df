// SPDX-License-Identifier: Apache-2.0
//
// Eight quanta timers of each port of a few, and the classes that they block.
//
// A timer is quanta x 2^16 that lose step_i a clock edge and stay at 0. A class is blocked while its
// timer runs, from response_i cycles after the load that started the pause; a load while it runs
// continues the same pause. What is told of a port below holds for each.
//
// No register counts down: a port adds up its steps, and a class keeps the sum at which its timer is
// 0. Classes are looked at while one of them is near its end, or when the sum comes near another.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock.
// Latency: a frame acts at the clock edge that takes its last beat: pause_o shows it in the cycle
//          behind that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pause_timer.hpp (CycleTimeBase), compared every cycle by
//          tb/lockstep as a part of pfc_receiver.
// Source:  DESIGN section 3; 802.1Qbb.
module pfc_timers #(
  parameter int Ports     = 8,   // 1 .. 4096; port p of width W lies at [p*W +: W]
  parameter int AxisW     = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW = 16,  // width of the response time: 1 .. 32
  parameter int BeatW     = $clog2(512 / AxisW + 1)  // derived: do not override
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,      // asynchronous, active low
  input  logic [Ports*32-1:0]        step_i,      // >= 1
  input  logic [Ports*ResponseW-1:0] response_i,  // cycles from the last bit to the blocking
  input  logic [Ports*AxisW-1:0]     data_i,      // a beat, octet n in [8n+7:8n]
  input  logic [Ports-1:0]           valid_i,     // it stands there
  input  logic [Ports*BeatW-1:0]     beat_i,      // beats of the frame before it
  input  logic [Ports-1:0]           take_i,      // and it is the last one of a PFC frame
  output logic [Ports*8-1:0]         pause_o      // bit n: class n may not start a frame
);

  localparam int KeepW    = AxisW / 8;
  localparam int Beats    = 64 / KeepW;   // of a PFC frame
  localparam int EnableAt = 17;           // octet of the class-enable vector; eight times follow
  localparam int Octets   = 1 + 8*2;
  localparam int FieldW   = 8 * Octets;
  localparam int SumW     = 33;           // a timer has 32 bits, a difference of sums also a sign
  localparam int FarW     = 21;           // a stretch: sums that differ in no bit from FarW on

  // With this sum the timer that runs until `last` is 0.
  function automatic logic ends(input logic [SumW-1:0] sum, input logic [SumW-1:0] last);
    logic [SumW-1:0] past;
    past = sum - last;
    ends = !past[SumW-1];
  endfunction

  logic [Ports*FieldW-1:0]      kept_q;        // class-enable vector and times, as far as they came
  logic [Ports*SumW-1:0]        sum_q;         // of the steps up to this edge
  logic [Ports-1:0]             look_q;        // some timer may end with this edge
  logic [Ports*8-1:0]           runs_q;        // the timers of the classes
  logic [Ports*8*SumW-1:0]      last_q;        // the sum with which each is 0
  logic [ResponseW-1:0]         edge_q;        // number of this edge
  logic [Ports*8-1:0]           waits_q;       // classes that wait for the response
  logic [Ports*8*ResponseW-1:0] open_q;        // the number of the edge that ends it
  logic [Ports*8-1:0]           pause_q;
  logic                         unused_octets; // what no field has

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_timers
    logic [Ports*FieldW-1:0]      kept;
    logic [Ports*SumW-1:0]        sum;
    logic [Ports-1:0]             look;
    logic [Ports*8-1:0]           runs, waits;
    logic [7:0]                   near;        // of one port
    logic [Ports*8*SumW-1:0]      last;
    logic [Ports*8*ResponseW-1:0] open;
    logic [FieldW-1:0]            fields;      // of one port
    if (!rst_ni) begin
      kept_q  <= '0;
      sum_q   <= '0;
      look_q  <= '0;
      runs_q  <= '0;
      last_q  <= '0;
      edge_q  <= '0;
      waits_q <= '0;
      open_q  <= '0;
      pause_q <= '0;
    end else if ((Beats == 1 ? take_i : valid_i) != '0 || runs_q != '0) begin
      // The sums grow; with a new stretch all timers of a port are looked at.
      sum  = sum_q;
      look = '0;
      for (int p = 0; p < Ports; p++) begin
        if (take_i[p] || runs_q[8*p +: 8] != '0) begin
          sum[p*SumW +: SumW] = sum_q[p*SumW +: SumW] + SumW'(step_i[32*p +: 32]);
          look[p] = sum[p*SumW + FarW +: SumW-FarW] != sum_q[p*SumW + FarW +: SumW-FarW];
        end
      end

      // Expiry: as long as a timer ends in this stretch, they are looked at in each cycle.
      runs = runs_q;
      near = '0;
      if (look_q != '0) begin
        for (int p = 0; p < Ports; p++) begin
          if (look_q[p]) begin
            for (int n = 0; n < 8; n++) begin
              near[n] = runs_q[8*p + n] && sum_q[p*SumW + FarW +: SumW-FarW] ==
                        last_q[(8*p + n)*SumW + FarW +: SumW-FarW];
              if (ends(sum_q[p*SumW +: SumW], last_q[(8*p + n)*SumW +: SumW])) runs[8*p + n] = 1'b0;
            end
            if (near != '0) look[p] = 1'b1;
          end
        end
      end

      waits = waits_q & runs;
      if (waits_q != '0) begin
        for (int k = 0; k < Ports*8; k++) begin
          if (open_q[k*ResponseW +: ResponseW] == edge_q) waits[k] = 1'b0;
        end
      end

      // Loads. A frame of one beat has all fields there; those of others are gathered.
      if ((Beats == 1 ? take_i : valid_i) != '0) begin
        kept   = kept_q;
        last   = last_q;
        open   = open_q;
        fields = '0;
        for (int p = 0; p < Ports; p++) begin
          if (valid_i[p]) begin
            fields = kept[p*FieldW +: FieldW];
            for (int n = 0; n < Octets; n++) begin
              if (Beats == 1 || beat_i[p*BeatW +: BeatW] == BeatW'((EnableAt + n) / KeepW)) begin
                fields[8*n +: 8] = data_i[p*AxisW + 8*((EnableAt + n) % KeepW) +: 8];
              end
            end
            if (Beats > 1) kept[p*FieldW +: FieldW] = fields;
            if (take_i[p]) begin
              look[p] = 1'b1;
              for (int n = 0; n < 8; n++) begin
                if (fields[n]) begin
                  // A timer that runs means one continuous pause: its wait goes on.
                  if (!runs[8*p + n]) begin
                    waits[8*p + n] = response_i[p*ResponseW +: ResponseW] != '0;
                    open[(8*p + n)*ResponseW +: ResponseW] =
                        edge_q + response_i[p*ResponseW +: ResponseW];
                  end
                  runs[8*p + n] = fields[8 + 16*n +: 16] != '0;
                  last[(8*p + n)*SumW +: SumW] = sum_q[p*SumW +: SumW] +
                      {1'b0, fields[8 + 16*n +: 8], fields[16 + 16*n +: 8], 16'b0};
                end
              end
            end
          end
        end
        kept_q <= kept;
        last_q <= last;
        open_q <= open;
      end
      sum_q   <= sum;
      look_q  <= look;
      runs_q  <= runs;
      edge_q  <= edge_q + 1'b1;
      waits_q <= waits;
      pause_q <= runs & ~waits;
    end
  end
  assign pause_o       = pause_q;
  assign unused_octets = &{1'b0, data_i};

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
  end

endmodule
