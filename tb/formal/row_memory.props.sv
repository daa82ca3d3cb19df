// SPDX-License-Identifier: Apache-2.0
//
// Properties of row_memory, read inside the module: after the walk every row is 0 until written, and
// a read shows the last write, that of its own cycle included.

  (* anyconst *) logic [RowW-1:0] row;
  logic [Width-1:0] last_q = '0, shown_q = '0, last_d;
  logic             started_q = 1'b0, reads_q = 1'b0;

  initial assume (!rst_ni);

  always_comb if (started_q) assume (rst_ni);

  always @(posedge clk_i) begin
    started_q <= 1'b1;
    reads_q   <= rst_ni && init_done_q && rd_row_i[0 +: RowW] == row;
    shown_q   <= last_d;
    last_q    <= last_d;
  end
  always_comb begin
    last_d = last_q;
    for (int k = 0; k < Writes; k++) begin
      if (rst_ni && init_done_q && wr_valid_i[k] && wr_row_i[k*RowW +: RowW] == row) begin
        last_d = wr_data_i[k*Width +: Width];
      end
    end
  end

  // What each read port has of that row.
  logic [Reads*Width-1:0] held;
  always_comb begin
    for (int r = 0; r < Reads; r++) begin
      held[r*Width +: Width] = rows[(r*Rows + row)*Width +: Width];
    end
  end

  always_comb if (rst_ni && started_q) begin
    lemma_nothing_before_the_walk: assert (init_done_q || last_q == '0);
    lemma_no_read_before_the_walk: assert ((init_done_q && shows_q) || !reads_q);
    a_read_shows_the_last_write: assert (!reads_q || rd_data_o[0 +: Width] == shown_q);
    memory_holds_the_last_write: assert (!init_done_q || held == {Reads{last_q}});
    walked_rows_are_zero: assert (init_done_q || row >= walk_q || held == '0);

    a_read_shows_the_last_write: cover (reads_q && shown_q != '0 && last_d != shown_q);
    memory_holds_the_last_write: cover (init_done_q && last_q == '1);
    walked_rows_are_zero: cover (!init_done_q && row == '0 && walk_q == RowW'(2));
  end
