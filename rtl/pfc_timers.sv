// SPDX-License-Identifier: Apache-2.0
//
// Eight quanta timers of each port of a few, and the classes that they block.
//
// A timer is a register of quanta x 2^16 that loses step_i a clock edge and stays at 0. A class is
// blocked while its timer runs, from response_i cycles after the load that started the pause; a load
// while it runs continues the same pause. What is told of a port below holds for each.
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
  localparam int FieldW   = 8 + 8*16;
  localparam int ClassW   = 32 + ResponseW;
  localparam int PortW    = 8 * ClassW;

  // {wait, timer} of a class after a clock edge. The wait: edges until the class may be blocked.
  function automatic logic [ClassW-1:0] moved(input logic [ClassW-1:0] held, input logic load,
                                              input logic [15:0] quanta, input logic [31:0] step,
                                              input logic [ResponseW-1:0] response);
    // verilator no_inline_task
    logic [31:0]          timer;
    logic [ResponseW-1:0] left;
    timer = held[31:0];
    left  = held[ClassW-1:32];
    timer = (timer < step) ? '0 : timer - step;  // one adder: the borrow is the comparison
    left  = (left != '0) ? left - 1'b1 : '0;
    // A timer that runs means one continuous pause: its wait goes on.
    moved = {(load && timer == '0) ? response : left, load ? {quanta, 16'b0} : timer};
  endfunction

  // Class-enable vector and times. A frame of one beat has them all there; others are gathered.
  logic [Ports*FieldW-1:0] kept_q;        // of the beats before
  logic [Ports*PortW-1:0]  state_q;
  logic [Ports*8-1:0]      pause_q;
  logic [Ports-1:0]        runs_q;        // some timer of the port runs
  logic                    unused_octets; // what no field has

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_timers
    logic [Ports*PortW-1:0]  state;
    logic [Ports*8-1:0]      pause;
    logic [Ports-1:0]        runs;
    logic [Ports*FieldW-1:0] kept;
    logic [FieldW-1:0]       fields;      // of one port, as the next two
    logic [PortW-1:0]        held;
    logic [7:0]              busy, blocked;
    if (!rst_ni) begin
      state_q <= '0;
      pause_q <= '0;
      runs_q  <= '0;
      kept_q  <= '0;
    end else if ((valid_i | runs_q) != '0) begin
      state   = state_q;
      pause   = '0;          // of a port of which no timer runs
      runs    = runs_q;
      kept    = kept_q;
      fields  = '0;
      held    = '0;
      busy    = '0;
      blocked = '0;
      for (int p = 0; p < Ports; p++) begin
        if (valid_i[p] || runs[p]) begin
          fields = kept[p*FieldW +: FieldW];
          for (int n = 0; n < FieldW/8; n++) begin
            if (Beats == 1 || (valid_i[p] &&
                beat_i[p*BeatW +: BeatW] == BeatW'((EnableAt + n) / KeepW))) begin
              fields[8*n +: 8] = data_i[p*AxisW + 8*((EnableAt + n) % KeepW) +: 8];
            end
          end
          if (Beats > 1) kept[p*FieldW +: FieldW] = fields;
          if (take_i[p] || runs[p]) begin
            held = state[p*PortW +: PortW];
            for (int n = 0; n < 8; n++) begin
              held[n*ClassW +: ClassW] =
                  moved(held[n*ClassW +: ClassW], take_i[p] && fields[n],
                        {fields[8 + 16*n +: 8], fields[16 + 16*n +: 8]},
                        step_i[32*p +: 32], response_i[ResponseW*p +: ResponseW]);
              busy[n]    = held[n*ClassW +: 32] != '0;
              blocked[n] = busy[n] && held[n*ClassW + 32 +: ResponseW] == '0;
            end
            state[p*PortW +: PortW] = held;
            pause[8*p +: 8]         = blocked;
            runs[p]                 = busy != '0;
          end
        end
      end
      state_q <= state;
      pause_q <= pause;
      runs_q  <= runs;
      kept_q  <= kept;
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
