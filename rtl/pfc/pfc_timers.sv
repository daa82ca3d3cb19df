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

  // With this sum the timer that runs until `last` is 0.
  function automatic logic has_ended(input logic [SumW-1:0] sum, input logic [SumW-1:0] last);
    logic [SumW-1:0] past;
    past      = sum - last;
    has_ended = !past[SumW-1];
  endfunction

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

  // ---- A class: its timer, and its wait for the response ----
  for (genvar n = 0; n < 8; n++) begin : gen_class
    logic                 loads, still_runs, starts;
    logic [15:0]          quanta;
    logic [SumW-1:0]      end_q;       // the sum with which the timer is 0
    logic [ResponseW-1:0] wait_end_q;  // the count of edges that ends the wait

    assign loads  = take_i && fields[n];
    assign quanta = {fields[8 + 16*n +: 8], fields[16 + 16*n +: 8]};
    assign starts = loads && !still_runs;

    // A timer that runs means one continuous pause: a load lets its wait go on.
    assign near[n]    = runs_q[n] && look_q && sum_q[SumW-1:FarW] == end_q[SumW-1:FarW];
    assign still_runs = runs_q[n] && !(look_q && has_ended(sum_q, end_q));
    assign runs_d[n]  = loads ? quanta != '0 : still_runs;
    assign waits_d[n] = starts ? response_i != '0 :
                        waits_q[n] && still_runs && wait_end_q != edges_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        end_q      <= '0;
        wait_end_q <= '0;
      end else if (loads) begin
        end_q <= sum_q + {1'b0, quanta, 16'b0};
        if (starts) wait_end_q <= edges_q + response_i;
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
