// SPDX-License-Identifier: Apache-2.0
//
// Delays the requests of a memory domain together with changes of settings, reads and clears, in
// their order. All wait Wait cycles until t; then each stage has what it needs of them.
//
// Units:   cells; lengths in bytes.
// Latency: Wait cycles to *0_o, then one cycle more to each of *1_o, *2_o and *3_o. arr_drop_i says
//          of the arrivals of DropAnswer cycles before that they are dropped: their lanes are idle.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 3.
module domain_requests #(
  parameter int Ports    = 8,   // 1 .. MaxPorts
  parameter int Lanes    = 1,   // 1 .. MaxLanes
  parameter int Copies   = 1,   // 1 .. MaxCopies
  parameter int Profiles = 4,   // 1 .. MaxProfiles
  parameter int LenW     = 8,   // 1 .. 24
  parameter int ByteW    = 14,  // 1 .. MaxByteW
  parameter int Wait     = 0,   // 0 and up; with Drops 3 and up
  parameter int Drops    = 0,   // 1: arr_drop_i counts
  parameter int RowW     = $clog2(Ports * 8),                      // derived: do not override
  parameter int ProfileW = (Profiles > 1) ? $clog2(Profiles) : 1,  // derived: do not override
  parameter int Steps    = 2 * Lanes,                              // derived: do not override
  parameter int Slots    = Lanes * Copies                          // derived: do not override
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,  // asynchronous, active low

  // As at the pins of weir_domain.
  input  logic [Profiles*weir_pkg::ProfileBits-1:0] cfg_profile_i,
  input  logic                                      cfg_update_i,
  input  logic [ProfileW-1:0]                       cfg_update_profile_i,
  input  logic                                      clear_stats_i,
  input  logic [Lanes-1:0]                          rel_valid_i,
  input  logic [Lanes*RowW-1:0]                     rel_pg_i,
  input  logic [Lanes*LenW-1:0]                     rel_cells_i,
  input  logic [Lanes*RowW-1:0]                     rel_queue_i,
  input  logic [Lanes-1:0]                          rel_last_i,
  input  logic [Lanes-1:0]                          arr_valid_i,
  input  logic [Lanes*RowW-1:0]                     arr_pg_i,
  input  logic [Lanes*LenW-1:0]                     arr_cells_i,
  input  logic [Lanes*ByteW-1:0]                    arr_bytes_i,
  input  logic [Slots*RowW-1:0]                     arr_queue_i,
  input  logic [Slots-1:0]                          arr_mask_i,
  input  logic [Lanes-1:0]                          arr_drop_i,
  input  logic                                      rd_valid_i,
  input  logic [weir_pkg::SelectW-1:0]              rd_select_i,
  input  logic [RowW-1:0]                           rd_addr_i,

  output logic                                      load_o,       // settings are still levels
  output logic                                      load_sums_o,  // so are the sums of pools
  output logic                                      update0_o,
  output logic [ProfileW-1:0]                       update_profile0_o,
  output logic [weir_pkg::ProfileBits-1:0]          update_word0_o,
  output logic                                      clear0_o,
  output logic                                      rd_valid0_o,
  output logic [weir_pkg::SelectW-1:0]              rd_select0_o,
  output logic [RowW-1:0]                           rd_addr0_o,
  output logic [Lanes*RowW-1:0]                     rel_pg0_o,
  output logic [Lanes*RowW-1:0]                     rel_queue0_o,
  output logic [Lanes*RowW-1:0]                     arr_pg0_o,
  output logic [Slots*RowW-1:0]                     arr_queue0_o,
  output logic [Lanes-1:0]                          rel_valid1_o,
  output logic [Lanes-1:0]                          rel_last1_o,
  output logic [Lanes*LenW-1:0]                     rel_cells1_o,
  output logic [Lanes*LenW-1:0]                     arr_cells1_o,
  output logic [Lanes-1:0]                          arr_valid2_o,
  output logic [Lanes*RowW-1:0]                     arr_pg2_o,
  output logic [Lanes*LenW-1:0]                     arr_cells2_o,
  output logic [Slots*RowW-1:0]                     arr_queue2_o,
  output logic [Slots-1:0]                          arr_mask2_o,
  output logic [Lanes-1:0]                          rel_valid3_o,
  output logic [Lanes-1:0]                          arr_valid3_o,
  output logic [Steps*RowW-1:0]                     pg3_o,
  output logic [Lanes*ByteW-1:0]                    arr_bytes3_o,
  output logic [Slots*RowW-1:0]                     arr_queue3_o
);

  localparam int ProfileBits = weir_pkg::ProfileBits;
  localparam int EntryW      = 1 + ProfileW + ProfileBits + 1 + 1 + weir_pkg::SelectW + RowW +
                               Lanes * (3 + 3 * RowW + 2 * LenW + ByteW) + Slots * (RowW + 1);

  // What waits before t.
  typedef struct packed {
    logic                         update;
    logic [ProfileW-1:0]          update_profile;
    logic [ProfileBits-1:0]       update_word;
    logic                         clear;
    logic                         rd_valid;
    logic [weir_pkg::SelectW-1:0] rd_select;
    logic [RowW-1:0]              rd_addr;
    logic [Lanes-1:0]             rel_valid;
    logic [Lanes-1:0]             rel_last;
    logic [Lanes*RowW-1:0]        rel_pg;
    logic [Lanes*RowW-1:0]        rel_queue;
    logic [Lanes*LenW-1:0]        rel_cells;
    logic [Lanes-1:0]             arr_valid;
    logic [Lanes*RowW-1:0]        arr_pg;
    logic [Lanes*LenW-1:0]        arr_cells;
    logic [Lanes*ByteW-1:0]       arr_bytes;
    logic [Slots*RowW-1:0]        arr_queue;
    logic [Slots-1:0]             arr_mask;
  } entry_t;

  // What the stages after it keep.
  typedef struct packed {
    logic [Lanes-1:0]       rel_valid;
    logic [Lanes-1:0]       rel_last;
    logic [Lanes*LenW-1:0]  rel_cells;
    logic [Lanes-1:0]       arr_valid;
    logic [Steps*RowW-1:0]  pg;
    logic [Lanes*LenW-1:0]  arr_cells;
    logic [Lanes*ByteW-1:0] arr_bytes;
    logic [Slots*RowW-1:0]  arr_queue;
    logic [Slots-1:0]       arr_mask;
  } stage1_t;
  typedef struct packed {
    logic [Lanes-1:0]       rel_valid;
    logic [Lanes-1:0]       arr_valid;
    logic [Steps*RowW-1:0]  pg;
    logic [Lanes*LenW-1:0]  arr_cells;
    logic [Lanes*ByteW-1:0] arr_bytes;
    logic [Slots*RowW-1:0]  arr_queue;
    logic [Slots-1:0]       arr_mask;
  } stage2_t;
  typedef struct packed {
    logic [Lanes-1:0]       rel_valid;
    logic [Lanes-1:0]       arr_valid;
    logic [Steps*RowW-1:0]  pg;
    logic [Lanes*ByteW-1:0] arr_bytes;
    logic [Slots*RowW-1:0]  arr_queue;
  } stage3_t;

  // ---- Before t: requests, changes of settings, reads and clears wait together.
  entry_t                 entry_in, asked, kept, entry;
  logic [ProfileBits-1:0] update_in;
  always_comb begin
    update_in = '0;
    for (int p = 0; p < Profiles; p++) begin
      if (cfg_update_profile_i == ProfileW'(p)) begin
        update_in = cfg_profile_i[p*ProfileBits +: ProfileBits];
      end
    end
  end

  // An idle lane, a copy without a queue: row 0 and nothing, whatever is on the pins. A row
  // that does not exist, or X, would spread from there through sums and memories.
  logic [Lanes-1:0]       rel_last_in;
  logic [Lanes*RowW-1:0]  rel_pg_in, rel_queue_in, arr_pg_in;
  logic [Lanes*LenW-1:0]  rel_cells_in, arr_cells_in;
  logic [Lanes*ByteW-1:0] arr_bytes_in;
  logic [Slots*RowW-1:0]  arr_queue_in;
  logic [Slots-1:0]       arr_mask_in;
  assign rel_last_in = rel_last_i & rel_valid_i;
  for (genvar k = 0; k < Lanes; k++) begin : gen_request
    assign rel_pg_in[k*RowW +: RowW]      = rel_pg_i[k*RowW +: RowW] & {RowW{rel_valid_i[k]}};
    assign rel_queue_in[k*RowW +: RowW]   = rel_queue_i[k*RowW +: RowW] & {RowW{rel_valid_i[k]}};
    assign rel_cells_in[k*LenW +: LenW]   = rel_cells_i[k*LenW +: LenW] & {LenW{rel_valid_i[k]}};
    assign arr_pg_in[k*RowW +: RowW]      = arr_pg_i[k*RowW +: RowW] & {RowW{arr_valid_i[k]}};
    assign arr_cells_in[k*LenW +: LenW]   = arr_cells_i[k*LenW +: LenW] & {LenW{arr_valid_i[k]}};
    assign arr_bytes_in[k*ByteW +: ByteW] = arr_bytes_i[k*ByteW +: ByteW] & {ByteW{arr_valid_i[k]}};
  end
  for (genvar c = 0; c < Slots; c++) begin : gen_copy_request
    assign arr_mask_in[c] = arr_mask_i[c] & arr_valid_i[c/Copies];
    assign arr_queue_in[c*RowW +: RowW] = arr_queue_i[c*RowW +: RowW] & {RowW{arr_mask_in[c]}};
  end

  assign entry_in.update         = cfg_update_i;
  assign entry_in.update_profile = cfg_update_profile_i;
  assign entry_in.update_word    = update_in;
  assign entry_in.clear          = clear_stats_i;
  assign entry_in.rd_valid       = rd_valid_i;
  assign entry_in.rd_select      = rd_select_i;
  assign entry_in.rd_addr        = rd_addr_i;
  assign entry_in.rel_valid      = rel_valid_i;
  assign entry_in.rel_last       = rel_last_in;
  assign entry_in.rel_pg         = rel_pg_in;
  assign entry_in.rel_queue      = rel_queue_in;
  assign entry_in.rel_cells      = rel_cells_in;
  assign entry_in.arr_valid      = arr_valid_i;
  assign entry_in.arr_pg         = arr_pg_in;
  assign entry_in.arr_cells      = arr_cells_in;
  assign entry_in.arr_bytes      = arr_bytes_in;
  assign entry_in.arr_queue      = arr_queue_in;
  assign entry_in.arr_mask       = arr_mask_in;
  // Arrivals that WRED has refused, of those that asked; then the rest of the wait.
  localparam int Asked = (Drops == 0) ? 0 : 3;
  localparam int Rest  = (Wait > Asked) ? Wait - Asked : 0;
  logic [Lanes-1:0]       kept_lanes;
  logic [Lanes*RowW-1:0]  keep_pg;
  logic [Lanes*LenW-1:0]  keep_cells;
  logic [Lanes*ByteW-1:0] keep_bytes;
  logic [Slots*RowW-1:0]  keep_queue;
  logic [Slots-1:0]       keep_mask;
  assign kept_lanes = (Drops == 0) ? {Lanes{1'b1}} : ~arr_drop_i;
  for (genvar k = 0; k < Lanes; k++) begin : gen_keep
    assign keep_pg[k*RowW +: RowW]                  = {RowW{kept_lanes[k]}};
    assign keep_cells[k*LenW +: LenW]               = {LenW{kept_lanes[k]}};
    assign keep_bytes[k*ByteW +: ByteW]             = {ByteW{kept_lanes[k]}};
    assign keep_queue[k*Copies*RowW +: Copies*RowW] = {(Copies*RowW){kept_lanes[k]}};
    assign keep_mask[k*Copies +: Copies]            = {Copies{kept_lanes[k]}};
  end
  delay_line #(.Width(EntryW), .Cycles(Asked)) u_asked (
    .clk_i, .rst_ni, .word_i(entry_in), .word_o(asked)
  );
  assign kept.update         = asked.update;
  assign kept.update_profile = asked.update_profile;
  assign kept.update_word    = asked.update_word;
  assign kept.clear          = asked.clear;
  assign kept.rd_valid       = asked.rd_valid;
  assign kept.rd_select      = asked.rd_select;
  assign kept.rd_addr        = asked.rd_addr;
  assign kept.rel_valid      = asked.rel_valid;
  assign kept.rel_last       = asked.rel_last;
  assign kept.rel_pg         = asked.rel_pg;
  assign kept.rel_queue      = asked.rel_queue;
  assign kept.rel_cells      = asked.rel_cells;
  assign kept.arr_valid      = asked.arr_valid & kept_lanes;
  assign kept.arr_pg         = asked.arr_pg & keep_pg;
  assign kept.arr_cells      = asked.arr_cells & keep_cells;
  assign kept.arr_bytes      = asked.arr_bytes & keep_bytes;
  assign kept.arr_queue      = asked.arr_queue & keep_queue;
  assign kept.arr_mask       = asked.arr_mask & keep_mask;
  delay_line #(.Width(EntryW), .Cycles(Rest)) u_delay (
    .clk_i, .rst_ni, .word_i(kept), .word_o(entry)
  );
  assign update0_o         = entry.update;
  assign update_profile0_o = entry.update_profile;
  assign update_word0_o    = entry.update_word;
  assign clear0_o          = entry.clear;
  assign rd_valid0_o       = entry.rd_valid;
  assign rd_select0_o      = entry.rd_select;
  assign rd_addr0_o        = entry.rd_addr;
  assign rel_pg0_o         = entry.rel_pg;
  assign rel_queue0_o      = entry.rel_queue;
  assign arr_pg0_o         = entry.arr_pg;
  assign arr_queue0_o      = entry.arr_queue;

  // ---- t + 1, t + 2 and t + 3. Settings are levels until the first request.
  logic    starts, started_d, started_q;
  stage1_t stage1_d, stage1_q;
  stage2_t stage2_d, stage2_q;
  stage3_t stage3_d, stage3_q;
  assign starts             = |{rel_valid_i, arr_valid_i};
  assign started_d          = started_q || starts;
  assign load_o             = !started_d;
  assign load_sums_o        = !started_q;
  assign stage1_d.rel_valid = entry.rel_valid;
  assign stage1_d.rel_last  = entry.rel_last;
  assign stage1_d.rel_cells = entry.rel_cells;
  assign stage1_d.arr_valid = entry.arr_valid;
  assign stage1_d.pg        = {entry.arr_pg, entry.rel_pg};
  assign stage1_d.arr_cells = entry.arr_cells;
  assign stage1_d.arr_bytes = entry.arr_bytes;
  assign stage1_d.arr_queue = entry.arr_queue;
  assign stage1_d.arr_mask  = entry.arr_mask;
  assign stage2_d.rel_valid = stage1_q.rel_valid;
  assign stage2_d.arr_valid = stage1_q.arr_valid;
  assign stage2_d.pg        = stage1_q.pg;
  assign stage2_d.arr_cells = stage1_q.arr_cells;
  assign stage2_d.arr_bytes = stage1_q.arr_bytes;
  assign stage2_d.arr_queue = stage1_q.arr_queue;
  assign stage2_d.arr_mask  = stage1_q.arr_mask;
  assign stage3_d.rel_valid = stage2_q.rel_valid;
  assign stage3_d.arr_valid = stage2_q.arr_valid;
  assign stage3_d.pg        = stage2_q.pg;
  assign stage3_d.arr_bytes = stage2_q.arr_bytes;
  assign stage3_d.arr_queue = stage2_q.arr_queue;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      stage1_q  <= '0;
      stage2_q  <= '0;
      stage3_q  <= '0;
    end else begin
      started_q <= started_d;
      stage1_q  <= stage1_d;
      stage2_q  <= stage2_d;
      stage3_q  <= stage3_d;
    end
  end
  assign rel_valid1_o = stage1_q.rel_valid;
  assign rel_last1_o  = stage1_q.rel_last;
  assign rel_cells1_o = stage1_q.rel_cells;
  assign arr_cells1_o = stage1_q.arr_cells;
  assign arr_valid2_o = stage2_q.arr_valid;
  assign arr_pg2_o    = stage2_q.pg[Lanes*RowW +: Lanes*RowW];
  assign arr_cells2_o = stage2_q.arr_cells;
  assign arr_queue2_o = stage2_q.arr_queue;
  assign arr_mask2_o  = stage2_q.arr_mask;
  assign rel_valid3_o = stage3_q.rel_valid;
  assign arr_valid3_o = stage3_q.arr_valid;
  assign pg3_o        = stage3_q.pg;
  assign arr_bytes3_o = stage3_q.arr_bytes;
  assign arr_queue3_o = stage3_q.arr_queue;

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (LenW < 1 || LenW > 24) $fatal(1, "LenW = %0d: must be 1 to 24", LenW);
    if (ByteW < 1 || ByteW > weir_pkg::MaxByteW)
      $fatal(1, "ByteW = %0d: must be 1 to %0d", ByteW, weir_pkg::MaxByteW);
    if (Wait < 0) $fatal(1, "Wait = %0d: must be 0 or more", Wait);
    if (Drops != 0 && Drops != 1) $fatal(1, "Drops = %0d: must be 0 or 1", Drops);
    if (Drops == 1 && Wait < 3) $fatal(1, "Wait = %0d: must be 3 or more with Drops", Wait);
  end

endmodule
