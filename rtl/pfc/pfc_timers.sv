// SPDX-License-Identifier: Apache-2.0
//
// The eight quanta timers of each port, and the classes that they pause.
//
// A timer holds quanta x 2^16; each clock edge subtracts step_i, down to 0. A class is paused while
// its timer runs, from response_i cycles after the load that started the pause; a load while it
// runs continues the same pause.
//
// No register counts down: a port adds up its steps while a timer of it runs, and a class keeps the
// sum with which its timer is 0. A frame is known in the cycle after its last beat, in which its
// values take the place of those in the registers.
//
// Units:   quanta of 512 bit times; step_i in 2^-16 quanta a clock. Port p at [p*W +: W].
// Latency: a frame is in pause_o in the cycle of take_i. XON and expiry release at once.
// Golden:  systemc/include/weir/core/pfc/pause_timer.hpp (CycleTimeBase), compared every cycle by
//          tb/lockstep as a part of pfc_receiver.
// Source:  docs/design/contract.md, 3; 802.1Qbb.
module pfc_timers #(
  parameter int Ports     = 1,  // 1 .. MaxPorts
  parameter int ResponseW = 16  // width of the response time: 1 .. 32
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,      // asynchronous, active low
  input  logic [Ports*32-1:0]        step_i,      // >= 1; static while a timer runs
  input  logic [Ports*ResponseW-1:0] response_i,  // static: cycles from last bit to the pause
  input  logic [Ports-1:0]           take_i,      // a PFC frame has ended with the edge before
  input  logic [Ports*8-1:0]         enable_i,    // its classes
  input  logic [Ports*128-1:0]       times_i,     // quanta of class n at [128*p + 16*n +: 16]
  output logic [Ports*8-1:0]         pause_o      // bit 8*p + n: class n may not start a frame
);

  localparam int SumW = 33;  // a timer has 32 bits, a difference of sums also a sign

  logic                         some_move;         // else no timer runs, and nothing changes
  logic [Ports-1:0]             moves;
  logic [Ports*8-1:0]           ran_q;             // in the cycle before
  logic [Ports*8-1:0]           loads, starts, runs, waits, waits_d, waits_q;
  logic [Ports*SumW-1:0]        sum_q;             // of the steps, while something moves
  logic [Ports*8*SumW-1:0]      end_q;             // the sum with which the timer is 0
  logic [Ports*ResponseW-1:0]   edges_q;           // counted likewise
  logic [Ports*8*ResponseW-1:0] wait_end_q;        // edges_q of the last cycle of the wait

  assign some_move = take_i != '0 || ran_q != '0;
  assign pause_o   = runs & ~waits;

  // The guards save simulation time.
  always_comb begin
    logic [ResponseW-1:0] response, edges;
    logic [SumW-1:0]      past;     // the sum less that with which the timer is 0
    logic                 running;  // still, without the frame
    response = '0;
    edges    = '0;
    past     = '0;
    running  = 1'b0;
    moves    = '0;
    loads    = '0;
    starts   = '0;
    runs     = '0;
    waits    = '0;
    waits_d  = '0;
    if (some_move) for (int p = 0; p < Ports; p++) begin
      moves[p] = take_i[p] || ran_q[8*p +: 8] != '0;
      if (moves[p]) begin
        loads[8*p +: 8] = enable_i[8*p +: 8] & {8{take_i[p]}};
        response        = response_i[ResponseW*p +: ResponseW];
        edges           = edges_q[ResponseW*p +: ResponseW];
        for (int k = 0; k < 8; k++) begin
          past    = sum_q[SumW*p +: SumW] - end_q[SumW*(8*p + k) +: SumW];
          running = ran_q[8*p + k] && past[SumW-1];
          starts[8*p + k]  = loads[8*p + k] && !running;
          runs[8*p + k]    = loads[8*p + k] ? times_i[16*(8*p + k) +: 16] != '0 : running;
          waits[8*p + k]   = starts[8*p + k] ? response != '0 : waits_q[8*p + k];
          waits_d[8*p + k] = waits[8*p + k] &&
                             (starts[8*p + k] ? response != ResponseW'(1) :
                              wait_end_q[ResponseW*(8*p + k) +: ResponseW] != edges);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ran_q      <= '0;
      waits_q    <= '0;
      sum_q      <= '0;
      end_q      <= '0;
      edges_q    <= '0;
      wait_end_q <= '0;
    end else if (some_move) begin
      ran_q   <= runs;
      waits_q <= waits_d;
      for (int p = 0; p < Ports; p++) begin
        if (moves[p]) begin
          sum_q[SumW*p +: SumW]             <= sum_q[SumW*p +: SumW] + SumW'(step_i[32*p +: 32]);
          edges_q[ResponseW*p +: ResponseW] <= edges_q[ResponseW*p +: ResponseW] + 1'b1;
          for (int k = 0; k < 8; k++) begin
            if (loads[8*p + k]) begin
              end_q[SumW*(8*p + k) +: SumW] <= sum_q[SumW*p +: SumW] +
                                               {1'b0, times_i[16*(8*p + k) +: 16], 16'b0};
            end
            if (starts[8*p + k]) begin
              wait_end_q[ResponseW*(8*p + k) +: ResponseW] <=
                  edges_q[ResponseW*p +: ResponseW] + response_i[ResponseW*p +: ResponseW] -
                  ResponseW'(1);
            end
          end
        end
      end
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (ResponseW < 1 || ResponseW > 32) $fatal(1, "ResponseW = %0d: must be 1 to 32", ResponseW);
  end

endmodule
