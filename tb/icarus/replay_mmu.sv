// SPDX-License-Identifier: Apache-2.0
//
// Replays a vector of vectors/mmu on weir_mmu in a second simulator: the settings through APB, then
// all pins cycle by cycle, then the registers at the end. scripts/rtl/icarus turns the tables into
// numbers: the pins of a cycle as one number each way, in the order of the columns.
//
//   +setup=FILE    address value
//   +cycles=FILE   cycle inputs outputs care      care: bits of the outputs that are compared
//   +held=FILE     address value
//
// Units:   as the pins. Golden: the core; vectors/mmu/README.md.
//
// replay_mmu_pins.svh is made from the table of the pins (scripts/rtl/icarus_mmu.py): the parameters,
// `in` and `out` with the pins of a cycle, their declarations, and weir_mmu as u_mmu. `setup` says
// that APB gets the s_ signals; inputs that do not count are X.
module replay_mmu;

  logic             clk_i = 1'b0, rst_ni = 1'b0, init_done_o;
  logic [31:0]      prdata_o;
  logic             setup = 1'b1, s_psel_i = 1'b0, s_penable_i = 1'b0, s_pwrite_i = 1'b0;
  logic [23:0]      s_paddr_i = '0;
  logic [31:0]      s_pwdata_i = '0;
  always #5 clk_i = ~clk_i;

  `include "replay_mmu_pins.svh"

  string            name;
  int               file, cycle, compared = 0, wrong = 0;
  logic [31:0]      address, value;
  logic [InW-1:0]   next;
  logic [OutW-1:0]  expected, care;

  // One APB transfer, until its response.
  task automatic transfer(input logic write);
    @(negedge clk_i);
    s_psel_i    = 1'b1;
    s_penable_i = 1'b0;
    s_pwrite_i  = write;
    s_paddr_i   = address[23:0];
    s_pwdata_i  = value;
    @(negedge clk_i);
    s_penable_i = 1'b1;
    #1;
    while (!pready_o) begin
      @(negedge clk_i);
      #1;
    end
    if (pslverr_o) $fatal(1, "the register at %06x refuses", address);
  endtask

  task automatic end_transfer;
    @(negedge clk_i);
    s_psel_i    = 1'b0;
    s_penable_i = 1'b0;
  endtask

  initial begin
    if (!$value$plusargs("setup=%s", name)) $fatal(1, "no +setup");
    file = $fopen(name, "r");
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    while (!init_done_o) @(negedge clk_i);
    while ($fscanf(file, "%h %h", address, value) == 2) begin
      transfer(1'b1);
      end_transfer;
    end
    if (!$value$plusargs("cycles=%s", name)) $fatal(1, "no +cycles");
    file = $fopen(name, "r");
    setup = 1'b0;
    while ($fscanf(file, "%d %h %h %h", cycle, next, expected, care) == 4) begin
      @(negedge clk_i);
      in = next;
      #4;
      compared = compared + 1;
      if (((out ^ expected) & care) !== '0) begin
        $display("cycle %0d: outputs %h, expected %h, care %h", cycle, out, expected, care);
        $fatal(1, "the replay differs");
      end
    end
    @(negedge clk_i);
    in    = '0;
    setup = 1'b1;
    if (!$value$plusargs("held=%s", name)) $fatal(1, "no +held");
    file = $fopen(name, "r");
    while ($fscanf(file, "%h %h", address, value) == 2) begin
      transfer(1'b0);
      compared = compared + 1;
      if (prdata_o !== value) begin
        wrong = wrong + 1;
        $display("register %06x: %h, expected %h", address, prdata_o, value);
      end
      end_transfer;
    end
    $display("replay: compared %0d, %0d wrong", compared, wrong);
    if (wrong != 0 || compared == 0) $fatal(1, "the replay differs");
    $finish;
  end

  initial begin
    #10000000 $fatal(1, "the replay does not end");
  end

endmodule
