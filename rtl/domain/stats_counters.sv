// SPDX-License-Identifier: Apache-2.0
//
// Counters and watermarks of one memory domain, by priority group (PG), queue and pool. Takes
// the verdicts of a cycle, lane 0 first; releases change nothing here.
//
// A lane has counter memories of its own, whose rows are added up when they are read: each needs
// one write port, whatever the lanes. Marks of PGs take the lanes in order, as the T of the first
// packet that reached a mark is kept with it; those of queues are the greatest over the lanes' own.
//
// Reads: rd_field_i is the offset of the register in its block of csr_map_pkg, in words: PgStats*,
// QueueStats*, and the watermarks of Pool*. Any other field reads as 0.
//
// Units:   packets, bytes, cells. Counters wrap at 2^StatW.
// Latency: a read of cycle t shows what was presented before cycle t; data in cycle t + 2.
//          clear_i of cycle t forgets what was presented before cycle t; the verdicts of cycle t
//          count.
// Memory:  see counter_memory (Lanes for PGs, Lanes*Copies for queues) and mark_memory (one for
//          PGs, Lanes*Copies of one lane for queues); pools are flip-flops.
// Golden:  systemc/include/weir/core/accounting/stats_counters.hpp, compared every cycle by
//          tb/lockstep.
// Source:  docs/design/contract.md, 2; names follow SAI [SAI].
module stats_counters #(
  parameter int Ports  = 8,                                // 1 .. MaxPorts
  parameter int Lanes  = 1,                                // verdicts a cycle: 1 .. MaxLanes
  parameter int Copies = 1,                                // of a packet: 1 .. MaxCopies
  parameter int Pools  = 1,                                // ingress pools, 1 .. 8 * Ports
  parameter int CellW  = 17,                               // bits of a count of cells, up to 30
  parameter int ByteW  = 14,                               // of a packet's length: 1 .. MaxByteW
  parameter int StatW  = 48,                               // bits of a counter, up to MaxStatW
  parameter int RowW   = $clog2(Ports * 8),                // derived: do not override
  parameter int PoolW  = (Pools > 1) ? $clog2(Pools) : 1   // derived: do not override
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,            // asynchronous, active low
  input  logic                          clear_i,           // see Latency

  // Verdicts; lane k at [k*W +: W].
  input  logic [Lanes-1:0]              valid_i,
  input  logic [Lanes*RowW-1:0]         pg_i,              // port*8 + PG
  input  logic [Lanes*3-1:0]            reason_i,          // weir_pkg Reason; 0 admitted
  input  logic [Lanes*ByteW-1:0]        bytes_i,           // length of the packet
  input  logic [Lanes-1:0]              lossless_empty_i,  // the PG is lossless and holds nothing
  input  logic [Lanes-1:0]              xoff_i,            // level of the PG after the step
  input  logic [Lanes-1:0]              turned_i,          // the step changed it
  input  logic [Lanes*CellW-1:0]        private_i,         // what the PG holds after the step
  input  logic [Lanes*CellW-1:0]        shared_i,
  input  logic [Lanes*CellW-1:0]        headroom_i,
  input  logic [Lanes*32-1:0]           threshold_i,       // T that the admission used
  input  logic [Lanes*PoolW-1:0]        pool_i,            // ingress pool of the PG
  input  logic [Lanes*CellW-1:0]        pool_private_i,    // its sums after the step
  input  logic [Lanes*CellW-1:0]        pool_shared_i,
  input  logic [Lanes*CellW-1:0]        pool_headroom_i,

  // Copies of the verdicts' packets; copy c of lane k at [(k*Copies + c)*W +: W].
  input  logic [Lanes*Copies*RowW-1:0]  queue_i,           // port*8 + queue
  input  logic [Lanes*Copies-1:0]       queue_entered_i,   // the copy is in its queue
  input  logic [Lanes*Copies-1:0]       queue_refused_i,   // the limit of the queue refused it
  input  logic [Lanes*Copies-1:0]       queue_limited_i,   // the queue has a limit, so it has marks
  input  logic [Lanes*Copies*CellW-1:0] queue_minimum_i,   // what the queue holds after the step
  input  logic [Lanes*Copies*CellW-1:0] queue_shared_i,

  input  logic                          rd_valid_i,
  input  logic [1:0]                    rd_table_i,        // 0 PG, 1 queue, 2 pool
  input  logic [RowW-1:0]               rd_row_i,          // a pool's number where it is a pool
  input  logic [weir_pkg::FieldW-1:0]   rd_field_i,
  output logic                          rd_valid_o,
  output logic [weir_pkg::ReadW-1:0]    rd_data_o
);

  localparam int MarkW      = CellW + 2;       // room for a sum of three segments
  localparam int PgCounts   = 9;               // in the order of pg_word
  localparam int QueueCounts = 3;              // in the order of queue_word
  localparam int PgMarks    = 3;               // shared, headroom, total
  localparam int QueueMarks = 2;               // shared, total
  localparam int QueueMarkW = QueueMarks * MarkW + 1;
  localparam int Slots      = Lanes * Copies;

  logic read_pg, read_queue;
  assign read_pg    = rd_valid_i && rd_table_i == 2'(weir_pkg::TablePgStats);
  assign read_queue = rd_valid_i && rd_table_i == 2'(weir_pkg::TableQueueStats);

  // ---- Priority groups
  logic [Lanes*PgCounts*StatW-1:0] pg_counts;
  logic [PgMarks*MarkW+31:0]       pg_marks;
  logic [Lanes*PgMarks*MarkW-1:0]  pg_level;
  logic [Lanes-1:0]                admitted;

  for (genvar k = 0; k < Lanes; k++) begin : gen_pg
    logic [PgCounts*ByteW-1:0] amount;
    logic [2:0]                reason;
    logic [MarkW-1:0]          pg_private, pg_shared, pg_headroom;

    assign reason      = reason_i[k*3 +: 3];
    assign admitted[k] = valid_i[k] && reason == weir_pkg::ReasonAdmitted;
    assign pg_private  = MarkW'(private_i[k*CellW +: CellW]);
    assign pg_shared   = MarkW'(shared_i[k*CellW +: CellW]);
    assign pg_headroom = MarkW'(headroom_i[k*CellW +: CellW]);
    assign pg_level[k*PgMarks*MarkW +: PgMarks*MarkW] =
        {pg_private + pg_shared + pg_headroom, pg_headroom, pg_shared};

    always_comb begin
      amount = '0;
      if (valid_i[k]) begin
        if (reason == weir_pkg::ReasonAdmitted) begin
          amount[0 +: ByteW]     = ByteW'(1);
          amount[ByteW +: ByteW] = bytes_i[k*ByteW +: ByteW];
        end
        for (int r = 1; r < weir_pkg::Reasons; r++) begin
          amount[(r+1)*ByteW +: ByteW] = ByteW'(reason == 3'(r));
        end
        amount[(weir_pkg::Reasons+1)*ByteW +: ByteW] =
            ByteW'(reason != weir_pkg::ReasonAdmitted && lossless_empty_i[k]);
        amount[(weir_pkg::Reasons+2)*ByteW +: ByteW] = ByteW'(turned_i[k] && xoff_i[k]);
      end
    end

    counter_memory #(.Rows(Ports*8), .Fields(PgCounts), .CountW(StatW), .AmountW(ByteW)) u_counts (
      .clk_i, .rst_ni, .clear_i,
      .valid_i   (valid_i[k]),
      .row_i     (pg_i[k*RowW +: RowW]),
      .amount_i  (amount),
      .rd_valid_i(read_pg),
      .rd_row_i  (rd_row_i),
      .rd_data_o (pg_counts[k*PgCounts*StatW +: PgCounts*StatW])
    );
  end

  mark_memory #(.Rows(Ports*8), .Fields(PgMarks), .Lanes(Lanes), .MarkW(MarkW), .TagW(32)) u_marks (
    .clk_i, .rst_ni, .clear_i,
    .valid_i   (admitted),
    .row_i     (pg_i),
    .level_i   (pg_level),
    .tag_i     (threshold_i),
    .rd_valid_i(read_pg),
    .rd_row_i  (rd_row_i),
    .rd_data_o (pg_marks)
  );

  // ---- Queues
  logic [Slots*QueueCounts*StatW-1:0]       queue_counts;
  logic [Slots*QueueMarkW-1:0]   queue_marks;
  logic [Slots-1:0]                        unused_tags;

  for (genvar s = 0; s < Slots; s++) begin : gen_queue
    logic [MarkW-1:0] minimum, shared;
    assign minimum        = MarkW'(queue_minimum_i[s*CellW +: CellW]);
    assign shared         = MarkW'(queue_shared_i[s*CellW +: CellW]);
    assign unused_tags[s] = queue_marks[s*QueueMarkW + QueueMarks*MarkW];

    counter_memory #(
      .Rows(Ports*8), .Fields(QueueCounts), .CountW(StatW), .AmountW(ByteW)
    ) u_queue_counts (
      .clk_i, .rst_ni, .clear_i,
      .valid_i   (queue_entered_i[s] || queue_refused_i[s]),
      .row_i     (queue_i[s*RowW +: RowW]),
      .amount_i  ({ByteW'(queue_refused_i[s]),
                   queue_entered_i[s] ? bytes_i[(s/Copies)*ByteW +: ByteW] : {ByteW{1'b0}},
                   ByteW'(queue_entered_i[s])}),
      .rd_valid_i(read_queue),
      .rd_row_i  (rd_row_i),
      .rd_data_o (queue_counts[s*QueueCounts*StatW +: QueueCounts*StatW])
    );
    mark_memory #(
      .Rows(Ports*8), .Fields(QueueMarks), .Lanes(1), .MarkW(MarkW), .TagW(1)
    ) u_queue_marks (
      .clk_i, .rst_ni, .clear_i,
      .valid_i   (queue_entered_i[s] && queue_limited_i[s]),
      .row_i     (queue_i[s*RowW +: RowW]),
      .level_i   ({minimum + shared, shared}),
      .tag_i     (1'b0),
      .rd_valid_i(read_queue),
      .rd_row_i  (rd_row_i),
      .rd_data_o (queue_marks[s*QueueMarkW +: QueueMarkW])
    );
  end

  // ---- Pools: {total, headroom, shared}, raised lane after lane
  logic [Pools*3*MarkW-1:0] pool_q, pool_d;
  logic [3*MarkW-1:0]       pool_shown_q;

  always_comb begin
    pool_d = clear_i ? '0 : pool_q;
    if (admitted != '0) begin
      for (int k = 0; k < Lanes; k++) begin
        for (int p = 0; p < Pools; p++) begin
          if (admitted[k] && pool_i[k*PoolW +: PoolW] == PoolW'(p)) begin
            if (pool_d[p*3*MarkW +: MarkW] < MarkW'(pool_shared_i[k*CellW +: CellW])) begin
              pool_d[p*3*MarkW +: MarkW] = MarkW'(pool_shared_i[k*CellW +: CellW]);
            end
            if (pool_d[(p*3+1)*MarkW +: MarkW] < MarkW'(pool_headroom_i[k*CellW +: CellW])) begin
              pool_d[(p*3+1)*MarkW +: MarkW] = MarkW'(pool_headroom_i[k*CellW +: CellW]);
            end
            if (pool_d[(p*3+2)*MarkW +: MarkW] < MarkW'(pool_shared_i[k*CellW +: CellW]) +
                MarkW'(pool_headroom_i[k*CellW +: CellW]) +
                MarkW'(pool_private_i[k*CellW +: CellW])) begin
              pool_d[(p*3+2)*MarkW +: MarkW] = MarkW'(pool_shared_i[k*CellW +: CellW]) +
                  MarkW'(pool_headroom_i[k*CellW +: CellW]) +
                  MarkW'(pool_private_i[k*CellW +: CellW]);
            end
          end
        end
      end
    end
  end

  // ---- Reads: stage 1 chooses the field and joins the lanes' parts
  logic       read_q;
  logic [1:0] table_q;
  logic [4:0] field_q;
  logic [5:0] word;
  logic [StatW-1:0] count, part;
  logic [31:0]      mark;
  assign word = {1'b0, field_q};

  // The word of the register of a count, in the order of `amount`.
  function automatic logic [5:0] pg_word(input int f);
    case (f)
      0:       pg_word = csr_map_pkg::PgStatsPackets;
      1:       pg_word = csr_map_pkg::PgStatsBytes;
      2:       pg_word = csr_map_pkg::PgStatsRefusedSharedThreshold;
      3:       pg_word = csr_map_pkg::PgStatsRefusedSharedPool;
      4:       pg_word = csr_map_pkg::PgStatsRefusedHeadroomLimit;
      5:       pg_word = csr_map_pkg::PgStatsRefusedHeadroomPool;
      6:       pg_word = csr_map_pkg::PgStatsRefusedEgressQueue;
      7:       pg_word = csr_map_pkg::PgStatsRefusedEmpty;
      default: pg_word = csr_map_pkg::PgStatsXoffEntered;
    endcase
  endfunction
  function automatic logic [5:0] queue_word(input int f);
    case (f)
      0:       queue_word = csr_map_pkg::QueueStatsPackets;
      1:       queue_word = csr_map_pkg::QueueStatsBytes;
      default: queue_word = csr_map_pkg::QueueStatsDropped;
    endcase
  endfunction

  always_comb begin
    count = '0;
    part  = '0;
    mark  = '0;
    if (read_q) begin
      if (table_q == 2'(weir_pkg::TablePgStats)) begin
        for (int k = 0; k < Lanes; k++) begin
          part = '0;
          for (int f = 0; f < PgCounts; f++) begin
            if (word == pg_word(f)) begin
              part = part | pg_counts[(k*PgCounts + f)*StatW +: StatW];
            end
          end
          count = count + part;
        end
        case (word)
          csr_map_pkg::PgStatsSharedWatermark:   mark = 32'(pg_marks[0 +: MarkW]);
          csr_map_pkg::PgStatsLimitAtPeak:       mark = pg_marks[PgMarks*MarkW +: 32];
          csr_map_pkg::PgStatsHeadroomWatermark: mark = 32'(pg_marks[MarkW +: MarkW]);
          csr_map_pkg::PgStatsTotalWatermark:    mark = 32'(pg_marks[2*MarkW +: MarkW]);
          default:                               mark = '0;
        endcase
      end else if (table_q == 2'(weir_pkg::TableQueueStats)) begin
        for (int s = 0; s < Slots; s++) begin
          part = '0;
          for (int f = 0; f < QueueCounts; f++) begin
            if (word == queue_word(f)) begin
              part = part | queue_counts[(s*QueueCounts + f)*StatW +: StatW];
            end
          end
          count = count + part;
        end
        for (int f = 0; f < QueueMarks; f++) begin
          if (word == csr_map_pkg::QueueStatsSharedWatermark + 6'(f)) begin
            for (int s = 0; s < Slots; s++) begin
              if (mark < 32'(queue_marks[s*QueueMarkW + f*MarkW +: MarkW])) begin
                mark = 32'(queue_marks[s*QueueMarkW + f*MarkW +: MarkW]);
              end
            end
          end
        end
      end else begin
        case (word)
          csr_map_pkg::PoolSharedWatermark:   mark = 32'(pool_shown_q[0 +: MarkW]);
          csr_map_pkg::PoolHeadroomWatermark: mark = 32'(pool_shown_q[MarkW +: MarkW]);
          csr_map_pkg::PoolTotalWatermark:    mark = 32'(pool_shown_q[2*MarkW +: MarkW]);
          default:                            mark = '0;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pool_q       <= '0;
      pool_shown_q <= '0;
      read_q       <= 1'b0;
      table_q      <= '0;
      field_q      <= '0;
      rd_valid_o   <= 1'b0;
      rd_data_o    <= '0;
    end else begin
      if (clear_i || admitted != '0) pool_q <= pool_d;
      read_q     <= rd_valid_i;
      rd_valid_o <= read_q;
      table_q    <= rd_table_i;  // looked at, as field_q is, only where read_q
      field_q    <= rd_field_i;
      pool_shown_q <= '0;  // looked at only where table_q is that of pools
      for (int p = 0; p < Pools; p++) begin
        if (rd_row_i == RowW'(p)) pool_shown_q <= pool_q[p*3*MarkW +: 3*MarkW];
      end
      if (read_q) rd_data_o <= 64'(count) | 64'(mark);
    end
  end

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Pools < 1 || Pools > Ports * 8) begin
      $fatal(1, "Pools = %0d: must be 1 to %0d, the rows of a read", Pools, Ports * 8);
    end
    if (CellW < 1 || CellW > 30) $fatal(1, "CellW = %0d: must be 1 to 30", CellW);
    if (ByteW < 1 || ByteW > weir_pkg::MaxByteW)
      $fatal(1, "ByteW = %0d: must be 1 to %0d", ByteW, weir_pkg::MaxByteW);
    if (StatW < ByteW || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be ByteW to %0d", StatW, weir_pkg::MaxStatW);
  end

endmodule
