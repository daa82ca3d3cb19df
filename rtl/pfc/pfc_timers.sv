// SPDX-License-Identifier: Apache-2.0
//
// Eight quanta timers of each port of a few, and the classes that they block.
//
// A timer is quanta x 2^16 that lose step_i a clock edge and stay at 0. A class is blocked while
// its timer runs, from response_i cycles after the load that started the pause; a load while it
// runs continues the same pause. The description below is per port.
//
// No register counts down: a port adds up its steps while a timer of it runs, and a class keeps the
// sum with which its timer is 0. A port checks its timers only when one can end within the present
// window of the sum, 2^FarW steps, and after each edge with which the sum enters a new window.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock.
// Latency: a frame acts at the clock edge that takes its last beat: pause_o shows it in the cycle
//          after that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pause_timer.hpp (CycleTimeBase), compared every cycle by
//          tb/lockstep as a part of pfc_receiver.
// Source:  docs/design/contract.md, 3; 802.1Qbb.
module pfc_timers #(
  parameter int Ports     = 8,   // 1 .. 4096; port p of width W lies at [p*W +: W]
  parameter int AxisW     = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW = 16,  // width of the response time: 1 .. 32
  parameter int BeatW     = $clog2(512 / AxisW + 1)  // derived: do not override
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,      // asynchronous, active low
  input  logic [Ports*32-1:0]        step_i,      // >= 1; static while a timer runs
  input  logic [Ports*ResponseW-1:0] response_i,  // cycles from the last bit to the blocking
  input  logic [Ports*AxisW-1:0]     data_i,      // a beat, octet n in [8n+7:8n]
  input  logic [Ports-1:0]           valid_i,     // it is valid
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
  localparam int FarW     = 21;           // a window: sums that differ in no bit from FarW on

  // With this sum the timer that runs until `last` is 0.
  function automatic logic has_ended(input logic [SumW-1:0] sum, input logic [SumW-1:0] last);
    logic [SumW-1:0] past;
    past      = sum - last;
    has_ended = !past[SumW-1];
  endfunction

  // Octet n of the fields as the beat of its place has it.
  function automatic logic [7:0] field(input int n, input logic [BeatW-1:0] beat,
                                       input logic [7:0] octet, input logic [7:0] kept);
    field = (Beats == 1 || beat == BeatW'((EnableAt + n) / KeepW)) ? octet : kept;
  endfunction

  logic [Ports*FieldW-1:0]      gathered;      // class-enable vector and times, as far as they came
  logic [Ports*SumW-1:0]        sum_q;         // of the steps up to this edge
  logic [Ports-1:0]             look_q;        // some timer may end with this edge
  logic [Ports*8-1:0]           runs_q;        // the timers of the classes
  logic [Ports*8*SumW-1:0]      end_q;         // the sum with which each is 0
  logic [ResponseW-1:0]         edges_q;       // counted while a timer runs or a frame is taken
  logic [Ports*8-1:0]           waits_q;       // classes that wait for the response
  logic [Ports*8*ResponseW-1:0] wait_end_q;    // the count of edges that ends it
  logic [Ports*8-1:0]           pause_q;
  logic                         unused_inputs; // what no field has, and one beat

  // A frame of one beat has all fields there; those of others are gathered.
  if (Beats == 1) begin : gen_one_beat
    assign gathered = '0;
  end else begin : gen_beats
    logic [Ports*FieldW-1:0] kept_q;
    assign gathered = kept_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin : p_gather
      logic [Ports*FieldW-1:0] kept;
      if (!rst_ni) begin
        kept_q <= '0;
      end else if (valid_i != '0) begin
        kept = kept_q;
        for (int p = 0; p < Ports; p++) begin
          if (valid_i[p]) begin
            for (int n = 0; n < Octets; n++) begin
              kept[p*FieldW + 8*n +: 8] =
                  field(n, beat_i[p*BeatW +: BeatW],
                        data_i[p*AxisW + 8*((EnableAt + n) % KeepW) +: 8],
                        kept_q[p*FieldW + 8*n +: 8]);
            end
          end
        end
        kept_q <= kept;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_timers
    logic [Ports*SumW-1:0]        sum;
    logic [Ports-1:0]             look;
    logic [Ports*8-1:0]           runs, waits;
    logic [7:0]                   near;        // of one port
    logic [Ports*8*SumW-1:0]      last;
    logic [Ports*8*ResponseW-1:0] wait_end;
    logic [FieldW-1:0]            fields;      // of one port
    if (!rst_ni) begin
      sum_q      <= '0;
      look_q     <= '0;
      runs_q     <= '0;
      end_q      <= '0;
      edges_q    <= '0;
      waits_q    <= '0;
      wait_end_q <= '0;
      pause_q    <= '0;
    end else if (take_i != '0 || runs_q != '0) begin
      // The sums grow; in a new window all timers of a port are checked.
      sum  = sum_q;
      look = '0;
      for (int p = 0; p < Ports; p++) begin
        if (take_i[p] || runs_q[8*p +: 8] != '0) begin
          sum[p*SumW +: SumW] = sum_q[p*SumW +: SumW] + SumW'(step_i[32*p +: 32]);
          look[p] = sum[p*SumW + FarW +: SumW-FarW] != sum_q[p*SumW + FarW +: SumW-FarW];
        end
      end

      // Expiry: while a timer can end in this window, they are checked in each cycle.
      runs = runs_q;
      near = '0;
      if (look_q != '0) begin
        for (int p = 0; p < Ports; p++) begin
          if (look_q[p]) begin
            for (int n = 0; n < 8; n++) begin
              near[n] = runs_q[8*p + n] && sum_q[p*SumW + FarW +: SumW-FarW] ==
                        end_q[(8*p + n)*SumW + FarW +: SumW-FarW];
              if (has_ended(sum_q[p*SumW +: SumW], end_q[(8*p + n)*SumW +: SumW])) begin
                runs[8*p + n] = 1'b0;
              end
            end
            if (near != '0) look[p] = 1'b1;
          end
        end
      end

      waits = waits_q & runs;
      if (waits_q != '0) begin
        for (int k = 0; k < Ports*8; k++) begin
          if (wait_end_q[k*ResponseW +: ResponseW] == edges_q) waits[k] = 1'b0;
        end
      end

      // Loads. A timer that runs means one continuous pause: its wait goes on.
      if (take_i != '0) begin
        last     = end_q;
        wait_end = wait_end_q;
        fields   = '0;
        for (int p = 0; p < Ports; p++) begin
          if (take_i[p]) begin
            look[p] = 1'b1;
            for (int n = 0; n < Octets; n++) begin
              fields[8*n +: 8] = field(n, beat_i[p*BeatW +: BeatW],
                                       data_i[p*AxisW + 8*((EnableAt + n) % KeepW) +: 8],
                                       gathered[p*FieldW + 8*n +: 8]);
            end
            for (int n = 0; n < 8; n++) begin
              if (fields[n]) begin
                if (!runs[8*p + n]) begin
                  waits[8*p + n] = response_i[p*ResponseW +: ResponseW] != '0;
                  wait_end[(8*p + n)*ResponseW +: ResponseW] =
                      edges_q + response_i[p*ResponseW +: ResponseW];
                end
                runs[8*p + n] = fields[8 + 16*n +: 16] != '0;
                last[(8*p + n)*SumW +: SumW] = sum_q[p*SumW +: SumW] +
                    {1'b0, fields[8 + 16*n +: 8], fields[16 + 16*n +: 8], 16'b0};
              end
            end
          end
        end
        end_q      <= last;
        wait_end_q <= wait_end;
      end
      sum_q   <= sum;
      look_q  <= look;
      runs_q  <= runs;
      edges_q <= edges_q + 1'b1;
      waits_q <= waits;
      pause_q <= runs & ~waits;
    end
  end
  assign pause_o       = pause_q;
  assign unused_inputs = &{1'b0, data_i, valid_i};

  initial begin
    if (Ports < 1 || Ports > 4096) $fatal(1, "Ports = %0d: must be 1 to 4096", Ports);
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
  end

endmodule
