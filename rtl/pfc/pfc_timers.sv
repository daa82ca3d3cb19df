// SPDX-License-Identifier: Apache-2.0
//
// The eight quanta timers of a port, and the classes that they block.
//
// A timer is quanta x 2^16 that lose step_i a clock edge and stay at 0. A class is blocked while
// its timer runs, from response_i cycles after the load that started the pause; a load while it
// runs continues the same pause.
//
// No register counts down: the port adds up its steps while a timer of it runs, and a class keeps
// the sum with which its timer is 0. The port checks its timers only when one can end within the
// present window of the sum, 2^FarW steps, and after each edge with which the sum enters a new one.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock.
// Latency: a frame acts at the clock edge that takes its last beat: pause_o shows it in the cycle
//          after that edge. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pause_timer.hpp (CycleTimeBase), compared every cycle by
//          tb/lockstep as a part of pfc_receiver.
// Source:  docs/design/contract.md, 3; 802.1Qbb.
module pfc_timers #(
  parameter int AxisW     = 512, // bits of a beat: 64, 128, 256 or 512
  parameter int ResponseW = 16,  // width of the response time: 1 .. 32
  parameter int BeatW     = $clog2(512 / AxisW + 1)  // derived: do not override
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,      // asynchronous, active low
  input  logic [31:0]          step_i,      // >= 1; static while a timer runs
  input  logic [ResponseW-1:0] response_i,  // cycles from the last bit to the blocking
  input  logic [AxisW-1:0]     data_i,      // a beat, octet n in [8n+7:8n]
  input  logic                 valid_i,     // it is valid
  input  logic [BeatW-1:0]     beat_i,      // beats of the frame before it
  input  logic                 take_i,      // and it is the last one of a PFC frame
  output logic [7:0]           pause_o      // bit n: class n may not start a frame
);

  localparam int KeepW    = AxisW / 8;
  localparam int Beats    = 64 / KeepW;   // of a PFC frame
  localparam int EnableAt = 17;           // octet of the class-enable vector; eight times follow
  localparam int Octets   = 1 + 8*2;
  localparam int FieldW   = 8 * Octets;
  localparam int SumW     = 33;           // a timer has 32 bits, a difference of sums also a sign
  localparam int FarW     = 21;           // a window: sums that differ in no bit from FarW on

  // ---- Class-enable vector and times, as far as they have come ----
  logic [FieldW-1:0] fields;
  logic              unused_inputs;  // what no field has, and one beat
  assign unused_inputs = &{1'b0, data_i, valid_i, beat_i};

  // A frame of one beat has all fields there; those of others are gathered.
  for (genvar n = 0; n < Octets; n++) begin : gen_octet
    logic [7:0] octet;
    assign octet = data_i[8*((EnableAt + n) % KeepW) +: 8];
    if (Beats == 1) begin : gen_one_beat
      assign fields[8*n +: 8] = octet;
    end else begin : gen_beats
      logic       here;              // this beat has the octet
      logic [7:0] kept_q;
      assign here             = beat_i == BeatW'((EnableAt + n) / KeepW);
      assign fields[8*n +: 8] = here ? octet : kept_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          kept_q <= '0;
        end else if (valid_i && here) begin
          kept_q <= octet;
        end
      end
    end
  end

  // ---- The sum of the steps ----
  logic                 moves;            // where nothing is loaded and no timer runs, nothing does
  logic [SumW-1:0]      sum_d, sum_q;     // of the steps up to this edge
  logic                 look_d, look_q;   // some timer may end with this edge
  logic [7:0]           near;             // timers that end within the present window
  logic [7:0]           runs_d, runs_q;   // the timers of the classes
  logic [7:0]           waits_d, waits_q; // classes that wait for the response
  logic [7:0]           pause_q;
  logic [ResponseW-1:0] edges_q;          // counted while a timer runs or a frame is taken

  assign moves   = take_i || runs_q != '0;
  assign pause_o = pause_q;

  always_comb begin
    sum_d  = sum_q + SumW'(step_i);
    look_d = take_i || (look_q && near != '0) || sum_d[SumW-1:FarW] != sum_q[SumW-1:FarW];
  end

  // ---- The classes: a timer each, and its wait for the response ----
  logic [7:0]                loads, starts, still_runs;
  logic [8*SumW-1:0]         past;        // the sum less that with which the timer is 0
  logic [8*SumW-1:0]         end_q;       // the sum with which the timer is 0
  logic [8*ResponseW-1:0]    wait_end_q;  // the count of edges that ends the wait

  // Where nothing moves, no timer runs: the guard saves simulation time.
  always_comb begin
    near       = '0;
    past       = '0;
    loads      = '0;
    still_runs = '0;
    starts     = '0;
    runs_d     = '0;
    waits_d    = '0;
    if (moves) begin
      for (int n = 0; n < 8; n++) begin
        near[n] = runs_q[n] && look_q &&
                  sum_q[SumW-1:FarW] == end_q[SumW*n + FarW +: SumW - FarW];
        // A timer that runs means one continuous pause: a load lets its wait go on.
        past[SumW*n +: SumW] = sum_q - end_q[SumW*n +: SumW];
        still_runs[n] = runs_q[n] && !(look_q && !past[SumW*n + SumW - 1]);
        loads[n]      = take_i && fields[n];
        starts[n]     = loads[n] && !still_runs[n];
        runs_d[n]     = loads[n] ? fields[8 + 16*n +: 16] != '0 : still_runs[n];
        waits_d[n]    = starts[n] ? response_i != '0 :
                        waits_q[n] && still_runs[n] &&
                        wait_end_q[ResponseW*n +: ResponseW] != edges_q;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      end_q      <= '0;
      wait_end_q <= '0;
    end else if (take_i) begin
      for (int n = 0; n < 8; n++) begin
        if (loads[n]) begin
          end_q[SumW*n +: SumW] <= sum_q + {1'b0, fields[8 + 16*n +: 8], fields[16 + 16*n +: 8],
                                            16'b0};
        end
        if (starts[n]) wait_end_q[ResponseW*n +: ResponseW] <= edges_q + response_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_q   <= '0;
      look_q  <= 1'b0;
      runs_q  <= '0;
      edges_q <= '0;
      waits_q <= '0;
      pause_q <= '0;
    end else if (moves) begin
      sum_q   <= sum_d;
      look_q  <= look_d;
      runs_q  <= runs_d;
      edges_q <= edges_q + 1'b1;
      waits_q <= waits_d;
      pause_q <= runs_d & ~waits_d;
    end
  end

  initial begin
    if (AxisW != 64 && AxisW != 128 && AxisW != 256 && AxisW != 512) begin
      $fatal(1, "AxisW = %0d: must be 64, 128, 256 or 512", AxisW);
    end
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
  end

endmodule
