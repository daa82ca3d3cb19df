// SPDX-License-Identifier: Apache-2.0
//
// Rows of counters in a memory: row_i of the cycle gains amount_i, field by field, modulo 2^CountW.
//
// A row is valid from its first update after reset or clear_i; a row that is not valid reads as 0.
// So clear_i acts on all rows at once, and nothing has to be walked.
//
// Units:   whatever is counted.
// Latency: an update is in the memory two cycles later; updates and reads of one row in any order
//          see it at once (forwarding). A read of cycle t shows what came before cycle t, data one
//          cycle later. clear_i of cycle t forgets what came before cycle t and keeps its update.
// Memory:  Rows x Fields*CountW, two reads and one write a cycle; one flip-flop a row.
// Golden:  systemc/include/weir/core/accounting/stats_counters.hpp, of which it is a part.
// Source:  docs/design/contract.md, 2.
module counter_memory #(
  parameter int Rows    = 64,                            // 2 and up
  parameter int Fields  = 3,                             // counters of a row, 1 and up
  parameter int CountW  = 48,                            // bits of a counter
  parameter int AmountW = 14,                            // bits of what one update adds
  parameter int RowW    = (Rows > 1) ? $clog2(Rows) : 1  // derived: do not override
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,   // asynchronous, active low
  input  logic                      clear_i,
  input  logic                      valid_i,  // an update
  input  logic [RowW-1:0]           row_i,
  input  logic [Fields*AmountW-1:0] amount_i,
  input  logic                      rd_valid_i,
  input  logic [RowW-1:0]           rd_row_i,
  output logic [Fields*CountW-1:0]  rd_data_o // of the read one cycle before
);

  localparam int Width = Fields * CountW;

  logic [Width-1:0]          memory_q [0:Rows-1];
  logic [Rows-1:0]           live_q;            // row has been written since the last clear
  logic                      valid_q;           // stage 1: the sum is made and written
  logic [RowW-1:0]           row_q;
  logic [Fields*AmountW-1:0] amount_q;
  logic [Width-1:0]          before_q, after;
  logic                      keep;              // what stage 1 writes has not just been cleared

  assign keep = valid_q & ~clear_i;

  always_comb begin
    after = before_q;
    if (valid_q) begin
      for (int f = 0; f < Fields; f++) begin
        if (amount_q[f*AmountW +: AmountW] != '0) begin  // most add nothing: simulation time
          after[f*CountW +: CountW] =
              before_q[f*CountW +: CountW] + CountW'(amount_q[f*AmountW +: AmountW]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q) memory_q[row_q] <= after;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q    <= '0;
      valid_q   <= 1'b0;
      row_q     <= '0;
      amount_q  <= '0;
      before_q  <= '0;
      rd_data_o <= '0;
    end else begin
      if (clear_i) live_q <= '0;
      if (keep) live_q[row_q] <= 1'b1;
      valid_q <= valid_i;
      if (valid_i) begin
        row_q    <= row_i;
        amount_q <= amount_i;
        if (clear_i) begin
          before_q <= '0;
        end else if (valid_q && row_q == row_i) begin
          before_q <= after;
        end else begin
          before_q <= live_q[row_i] ? memory_q[row_i] : '0;
        end
      end
      if (rd_valid_i) begin
        if (valid_q && row_q == rd_row_i) begin
          rd_data_o <= after;
        end else begin
          rd_data_o <= live_q[rd_row_i] ? memory_q[rd_row_i] : '0;
        end
      end
    end
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Fields < 1) $fatal(1, "Fields = %0d: must be 1 or more", Fields);
    if (AmountW < 1) $fatal(1, "AmountW = %0d: must be 1 or more", AmountW);
    if (CountW < AmountW) $fatal(1, "CountW = %0d: must be AmountW = %0d or more", CountW, AmountW);
  end

endmodule
