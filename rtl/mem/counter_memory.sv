// SPDX-License-Identifier: Apache-2.0
//
// Rows of counters in a memory: row_i of the cycle gains amount_i, field by field, modulo 2^CountW.
//
// A row is valid from its first update after reset or clear_i; a row that is not valid reads as 0.
// So clear_i acts on all rows at once, and nothing has to be walked.
//
// Units:   whatever is counted.
// Latency: an update is in the memory two cycles later; updates and reads of one row in any order
//          see it at once (forwarding). A read of cycle t shows what came before cycle t, data in
//          the next cycle alone. clear_i of cycle t forgets what came before cycle t and keeps its
//          update.
// Memory:  one multiport_memory of Rows x Fields*CountW, two reads and one write; one flip-flop a
//          row.
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
  output logic [Fields*CountW-1:0]  rd_data_o // of a read one cycle before
);

  localparam int Width = Fields * CountW;

  logic [Rows-1:0]           live_d, live_q;          // row has been written since the last clear
  logic                      valid_q;                 // stage 1: the sum is made and written
  logic [RowW-1:0]           row_d, row_q;
  logic [Fields*AmountW-1:0] amount_d, amount_q;
  logic                      live_row_d, live_row_q;  // of the update, of the read
  logic                      rd_live_d, rd_live_q;
  logic [Width-1:0]          found, shown, after;
  logic                      keep;                    // what stage 1 writes is not cleared now

  assign keep = valid_q & ~clear_i;

  // Two reads, of the update and for csr; the write of stage 1 is seen by both.
  multiport_memory #(
    // With no field at least one bit, so that the check below is reached and names it.
    .Rows(Rows), .Width((Fields > 0) ? Width : 1), .Reads(2), .Writes(1)
  ) u_memory (
    .clk_i, .rst_ni, .rd_valid_i({rd_valid_i, valid_i}), .rd_row_i({rd_row_i, row_i}),
    .rd_data_o({shown, found}), .wr_valid_i(valid_q), .wr_row_i(row_q), .wr_data_i(after)
  );

  always_comb begin
    after = live_row_q ? found : '0;
    for (int f = 0; f < Fields; f++) begin
      if (amount_q[f*AmountW +: AmountW] != '0) begin  // most add nothing: simulation time
        after[f*CountW +: CountW] =
            after[f*CountW +: CountW] + CountW'(amount_q[f*AmountW +: AmountW]);
      end
    end
  end

  always_comb begin
    live_d = clear_i ? '0 : live_q;
    if (keep) live_d[row_q] = 1'b1;
  end
  assign row_d      = valid_i ? row_i : row_q;
  assign amount_d   = valid_i ? amount_i : amount_q;
  assign live_row_d = !clear_i && (live_q[row_i] || (valid_q && row_q == row_i));
  assign rd_live_d  = live_q[rd_row_i] || (valid_q && row_q == rd_row_i);
  assign rd_data_o  = rd_live_q ? shown : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q     <= '0;
      valid_q    <= 1'b0;
      row_q      <= '0;
      amount_q   <= '0;
      live_row_q <= 1'b0;
      rd_live_q  <= 1'b0;
    end else begin
      live_q     <= live_d;
      valid_q    <= valid_i;
      row_q      <= row_d;
      amount_q   <= amount_d;
      live_row_q <= live_row_d;
      rd_live_q  <= rd_live_d;
    end
  end

  initial begin
    if (Rows < 2) $fatal(1, "Rows = %0d: must be 2 or more", Rows);
    if (Fields < 1) $fatal(1, "Fields = %0d: must be 1 or more", Fields);
    if (AmountW < 1) $fatal(1, "AmountW = %0d: must be 1 or more", AmountW);
    if (CountW < AmountW) $fatal(1, "CountW = %0d: must be AmountW = %0d or more", CountW, AmountW);
  end

endmodule
