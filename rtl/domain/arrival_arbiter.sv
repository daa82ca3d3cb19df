// SPDX-License-Identifier: Apache-2.0
//
// Round robin among the ports that wait for a lane of the MMU: lane k goes to the first port at or
// after the pointer that still has a request, and the pointer then moves past that port.
//
// A port with several requests is granted again in the same cycle when the pointer comes round to
// it. So a waiting port sees every other port at most once before its own turn: no port starves.
//
// Units:   requests. A count above Lanes means Lanes.
// Latency: none: the grants belong to the counts of the same cycle. Depth of a lane: logarithmic in
//          Ports (the carry of a subtraction); the lanes of a cycle follow each other.
// Golden:  systemc/include/weir/core/scheduling/arrival_arbiter.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/design/contract.md, 3.
module arrival_arbiter #(
  parameter int Ports  = 8,                              // 1 .. MaxPorts
  parameter int Lanes  = 1,                              // grants a cycle: 1 .. MaxLanes
  parameter int CountW = $clog2(Lanes + 1),              // derived: do not override
  parameter int PortW  = (Ports > 1) ? $clog2(Ports) : 1 // derived: do not override
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,    // asynchronous, active low
  input  logic                    enable_i,  // 0: no grant, the pointer stays
  input  logic [Ports*CountW-1:0] waiting_i, // requests of each port, saturated at Lanes
  output logic [Lanes-1:0]        valid_o,   // lane k is granted; lane k+1 only if lane k is
  output logic [Lanes*PortW-1:0]  port_o     // to this port; 0 where not granted
);

  localparam int Width = Ports;

  // Part b, bit p: bit b of the number p. An OR of the chosen bits encodes a one-hot vector.
  function automatic logic [PortW*Width-1:0] numbers(input logic zero);
    numbers = {(PortW*Width){zero}};
    for (int b = 0; b < PortW; b++) begin
      for (int p = 0; p < Width; p++) numbers[b*Width + p] = ((p >> b) & 1) != 0;
    end
  endfunction

  localparam logic [PortW*Width-1:0] Number = numbers(1'b0);

  // Bit p of the mask: p is at or after the pointer. None set: the pointer has come round to 0.
  logic [Ports-1:0] mask_d, mask_q;

  logic [Lanes*Width-1:0] left;  // part j, bit p: port p has more than j requests left
  logic [Width-1:0]       mask, all, wanted, lower, first;

  always_comb begin
    left = '0;
    if (Lanes == 1) begin
      left[Ports-1:0] = waiting_i[Ports-1:0];
    end else begin
      for (int j = 0; j < Lanes; j++) begin
        for (int p = 0; p < Ports; p++) begin
          left[j*Width + p] = waiting_i[p*CountW +: CountW] > CountW'(j);
        end
      end
    end
    mask    = mask_q;
    all     = '0;
    wanted  = '0;
    lower   = '0;
    first   = '0;
    valid_o = '0;
    port_o  = '0;
    if (enable_i) begin
      for (int k = 0; k < Lanes; k++) begin
        all    = left[0 +: Width];
        // The carry of a subtraction finds the lowest bit: short in gates, shorter in simulation.
        wanted = ((all & mask) != '0) ? all & mask : all;
        lower  = wanted - Width'(1);
        first  = wanted & ~lower;
        if (all != '0) mask = ~(wanted ^ lower);
        valid_o[k] = all != '0;
        for (int b = 0; b < PortW; b++) begin
          port_o[k*PortW + b] = |(first & Number[b*Width +: Width]);
        end
        for (int j = 0; j < Lanes; j++) begin
          left[j*Width +: Width] = left[j*Width +: Width] &
              ((j < Lanes - 1) ? ~first | left[((j+1)%Lanes)*Width +: Width] : ~first);
        end
      end
    end
    mask_d = mask;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mask_q <= '0;
    end else begin
      mask_q <= mask_d;
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
  end

endmodule
