// SPDX-License-Identifier: Apache-2.0
//
// Replays the steps of one case of vectors/blocks on weir_domain in a second simulator, one step
// per cycle of its `cycle` column: reason, threshold, mask and XOFF of every verdict, and at the
// end the content of every priority group and pool. scripts/rtl/icarus turns the tables into
// numbers.
//
//   +config=FILE  profile, pool, queue profile and egress pool words, then "queue? row number" a line
//   +steps=FILE   cycle release pg cells queue0 queue1 queue2 mask last | reason threshold mask xoff
//   +held=FILE    table field row value
//
// Units:   cells; threshold -1: not stated.
// Golden:  vectors/blocks, worked out by hand.
module replay_steps #(
  parameter int ThresholdLag = 0
);

  localparam int Ports = 3, Copies = 3, Profiles = 2, RowW = 5, MapW = 2, LenW = 8;

  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;

  logic [Profiles*weir_pkg::ProfileBits-1:0] cfg_profile = '0;
  logic [weir_pkg::PoolBits-1:0]             cfg_pool = '0;
  logic [weir_pkg::QueueProfileBits-1:0]     cfg_queue_profile = '0;
  logic [weir_pkg::EgressPoolBits-1:0]       cfg_egress_pool = '0;

  logic                 init_done, taken, map_we = 1'b0, map_queue = 1'b0;
  logic [RowW-1:0]      map_addr = '0;
  logic [MapW-1:0]      map_data = '0;
  logic                 rel_valid = 1'b0, rel_last = 1'b0, arr_valid = 1'b0;
  logic [RowW-1:0]      pg = '0, queue = '0;
  logic [LenW-1:0]      cells = '0;
  logic [Copies*RowW-1:0] queues = '0;
  logic [Copies-1:0]    mask = '0;
  logic                 rel_valid_o, rel_xoff, rel_changed, rel_error, arr_valid_o, arr_xoff;
  logic                 arr_changed;
  logic [RowW-1:0]      rel_pg_o, arr_pg_o;
  logic [2:0]           arr_reason;
  logic [LenW-1:0]      arr_private, arr_shared, arr_headroom;
  logic [31:0]          arr_threshold;
  logic [Copies-1:0]    arr_mask;
  logic [Ports*8-1:0]   xoff;
  logic                 rd_valid = 1'b0, rd_valid_o;
  logic [7:0]           rd_select = '0;
  logic [RowW-1:0]      rd_addr = '0;
  logic [63:0]          rd_data;

  weir_domain #(
    .Ports(Ports), .Lanes(1), .Copies(Copies), .Profiles(Profiles), .QueueProfiles(1), .Pools(1),
    .EgressPools(1), .ThresholdLag(ThresholdLag)
  ) u_domain (
    .clk_i(clk), .rst_ni(rst_n), .init_done_o(init_done), .cfg_profile_i(cfg_profile),
    .cfg_pool_i(cfg_pool), .cfg_queue_profile_i(cfg_queue_profile),
    .cfg_egress_pool_i(cfg_egress_pool), .cfg_update_i(1'b0), .cfg_update_profile_i(1'b0),
    .cfg_taken_o(taken), .map_we_i(map_we), .map_queue_i(map_queue), .map_addr_i(map_addr),
    .map_data_i(map_data), .clear_stats_i(1'b0), .rel_valid_i(rel_valid), .rel_pg_i(pg),
    .rel_cells_i(cells), .rel_queue_i(queue), .rel_last_i(rel_last), .rel_valid_o(rel_valid_o),
    .rel_pg_o(rel_pg_o), .rel_xoff_o(rel_xoff), .rel_changed_o(rel_changed),
    .rel_error_o(rel_error), .arr_valid_i(arr_valid), .arr_pg_i(pg), .arr_cells_i(cells),
    .arr_bytes_i(14'd64), .arr_queue_i(queues), .arr_mask_i(mask), .arr_drop_i('0),
    .arr_valid_o(arr_valid_o),
    .arr_pg_o(arr_pg_o), .arr_reason_o(arr_reason), .arr_private_o(arr_private),
    .arr_shared_o(arr_shared), .arr_headroom_o(arr_headroom), .arr_threshold_o(arr_threshold),
    .arr_xoff_o(arr_xoff), .arr_changed_o(arr_changed), .arr_mask_o(arr_mask), .xoff_o(xoff),
    .rd_valid_i(rd_valid), .rd_select_i(rd_select),
    .rd_addr_i(rd_addr), .rd_valid_o(rd_valid_o), .rd_data_o(rd_data)
  );

  string name;
  int file, wanted, got, compared = 0, wrong = 0, step = 0, now = 0;
  int at, is_release, s_pg, s_cells, q0, q1, q2, s_mask, s_last, e_reason, e_threshold, e_mask,
      e_xoff, r_file, table_number, field, row, value;

  // Expected verdicts, in the order of their steps.
  int x_release [0:255];
  int x_reason [0:255];
  int x_threshold [0:255];
  int x_mask [0:255];
  int x_xoff [0:255];

  task automatic compare(input string what, input int index, input longint is, input longint must);
    compared = compared + 1;
    if (is != must) begin
      wrong = wrong + 1;
      $display("step %0d, %s: %0d, expected %0d", index, what, is, must);
    end
  endtask

  always @(posedge clk) begin
    if (arr_valid_o || rel_valid_o) begin
      compare("is a release", step, rel_valid_o ? 1 : 0, x_release[step]);
      compare("xoff", step, (rel_valid_o ? rel_xoff : arr_xoff) ? 1 : 0, x_xoff[step]);
      if (arr_valid_o) begin
        compare("reason", step, {61'b0, arr_reason}, x_reason[step]);
        compare("mask", step, {61'b0, arr_mask}, x_mask[step]);
        if (x_threshold[step] >= 0) compare("T", step, {32'b0, arr_threshold}, x_threshold[step]);
      end else begin
        compare("error", step, rel_error ? 1 : 0, 0);
      end
      step = step + 1;
    end
  end

  initial begin
    if (!$value$plusargs("config=%s", name)) $fatal(1, "no +config");
    file = $fopen(name, "r");
    got = $fscanf(file, "%h %h %h %h", cfg_profile, cfg_pool, cfg_queue_profile, cfg_egress_pool);
    if (got != 4) $fatal(1, "%s: no configuration", name);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (!init_done) @(negedge clk);
    while ($fscanf(file, "%d %d %d", q0, row, value) == 3) begin
      map_we    = 1'b1;
      map_queue = q0[0];
      map_addr  = row[RowW-1:0];
      map_data  = value[MapW-1:0];
      @(negedge clk);
    end
    map_we = 1'b0;
    repeat (8) @(negedge clk);
    if (!$value$plusargs("steps=%s", name)) $fatal(1, "no +steps");
    file = $fopen(name, "r");
    wanted = 0;
    while ($fscanf(file, "%d %d %d %d %d %d %d %d %d %d %d %d %d", at, is_release, s_pg, s_cells, q0,
                   q1, q2, s_mask, s_last, e_reason, e_threshold, e_mask, e_xoff) == 13) begin
      while (now < at) begin
        rel_valid = 1'b0;
        arr_valid = 1'b0;
        @(negedge clk);
        now = now + 1;
      end
      rel_valid = is_release[0];
      arr_valid = !is_release[0];
      rel_last  = s_last[0];
      pg        = s_pg[RowW-1:0];
      cells     = s_cells[LenW-1:0];
      queue     = q0[RowW-1:0];
      queues    = {q2[RowW-1:0], q1[RowW-1:0], q0[RowW-1:0]};
      mask      = s_mask[Copies-1:0];
      x_release[wanted]   = is_release;
      x_reason[wanted]    = e_reason;
      x_threshold[wanted] = e_threshold;
      x_mask[wanted]      = e_mask;
      x_xoff[wanted]      = e_xoff;
      wanted = wanted + 1;
      @(negedge clk);
      now = now + 1;
    end
    rel_valid = 1'b0;
    arr_valid = 1'b0;
    repeat (12) @(negedge clk);
    compare("steps", wanted, step, wanted);
    if (!$value$plusargs("held=%s", name)) $fatal(1, "no +held");
    r_file = $fopen(name, "r");
    while ($fscanf(r_file, "%d %d %d %d", table_number, field, row, value) == 4) begin
      rd_select = {table_number[2:0], field[4:0]};
      rd_addr   = row[RowW-1:0];
      rd_valid  = 1'b1;
      @(negedge clk);
      rd_valid = 1'b0;
      while (!rd_valid_o) @(negedge clk);
      compare("held", table_number * 1000 + field * 100 + row, rd_data, value);
      repeat (4) @(negedge clk);
    end
    $display("replay: %0d steps, compared %0d, %0d wrong", wanted, compared, wrong);
    if (wrong != 0 || wanted == 0) $fatal(1, "the replay differs");
    $finish;
  end

  initial begin
    #20000 $fatal(1, "the replay does not end");
  end

endmodule
