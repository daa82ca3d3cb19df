// SPDX-License-Identifier: Apache-2.0
//
// Properties of row_memory, read inside the module: after the walk every row is 0 until written, and
// a read shows the last write before it.

  (* anyconst *) logic [RowW-1:0] row;
  logic [Width-1:0] last_q = '0, shown_q = '0;
  logic             started_q = 1'b0, reads_q = 1'b0;

  initial assume (!rst_ni);

  always_comb if (started_q) assume (rst_ni);

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    reads_q   <= rst_ni && init_done_q && rd_row_i[0 +: RowW] == row;
    shown_q   <= last_q;
    for (int k = 0; k < Writes; k++) begin
      if (rst_ni && init_done_q && wr_valid_i[k] && wr_row_i[k*RowW +: RowW] == row) begin
        last_q <= wr_data_i[k*Width +: Width];
      end
    end
  end

  always_comb if (rst_ni && started_q) begin
    lemma_nothing_before_the_walk: assert (init_done_q || last_q == '0);
    lemma_no_read_before_the_walk: assert (init_done_q || !reads_q);
    a_read_shows_the_last_write: assert (!reads_q || rd_data_o[0 +: Width] == shown_q);
    memory_holds_the_last_write: assert (!init_done_q || rows_q[row] == last_q);
    walked_rows_are_zero: assert (init_done_q || row >= walk_q || rows_q[row] == '0);

    a_read_shows_the_last_write: cover (reads_q && shown_q != '0 && last_q != shown_q);
    memory_holds_the_last_write: cover (init_done_q && last_q == '1);
    walked_rows_are_zero: cover (!init_done_q && row == '0 && walk_q == RowW'(2));
  end
