// SPDX-License-Identifier: Apache-2.0
//
// Delays a word by Cycles cycles.
//
// Latency: Cycles.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
module delay_line #(
  parameter int Width  = 8,  // 1 and up
  parameter int Cycles = 1   // 0 and up
) (
  input  logic             clk_i,
  input  logic             rst_ni,  // asynchronous, active low
  input  logic [Width-1:0] word_i,
  output logic [Width-1:0] word_o
);

  if (Cycles < 1 || Width < 1) begin : gen_now
    logic unused_clock;
    assign unused_clock = clk_i ^ rst_ni;
    assign word_o       = word_i;
  end else begin : gen_wait
    logic [Cycles*Width-1:0] wait_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wait_q <= '0;
      end else begin
        wait_q <= (Cycles*Width)'({wait_q, word_i});
      end
    end
    assign word_o = wait_q[(Cycles-1)*Width +: Width];
  end

  initial begin
    if (Width < 1) $fatal(1, "Width = %0d: must be 1 or more", Width);
    if (Cycles < 0) $fatal(1, "Cycles = %0d: must be 0 or more", Cycles);
  end

endmodule
