// SPDX-License-Identifier: Apache-2.0
//
// Reads and clears of a memory domain, which travel with the requests: a read of cycle t shows the
// domain after the requests of the cycles before t. Tables and fields are those of weir_pkg.
//
// A read gets rows in t + 2, sums in t + 3, what stats_counters has in t + 4, and T of a PG, whose
// product takes a cycle of its own, in t + 5; then its answer is ready.
//
// It counts the releases of more than was held, too.
//
// Units:   cells; T saturates at 2^32 - 1.
// Latency: 5 cycles from valid_i to valid_o; clear_o 4 cycles after clear_i.
// Golden:  none of its own; part of weir_domain, compared every cycle by tb/lockstep.
// Source:  docs/design/contract.md, 2.
module domain_reads #(
  parameter int Ports        = 8,   // 1 .. MaxPorts
  parameter int Lanes        = 1,   // 1 .. MaxLanes
  parameter int Copies       = 1,   // 1 .. MaxCopies
  parameter int Profiles     = 4,   // 1 .. MaxProfiles
  parameter int Pools        = 1,   // 1 .. MaxPools
  parameter int EgressPools  = 1,   // 1 .. MaxPools
  parameter int MapW         = 3,   // 1 .. 8
  parameter int CellW        = 17,  // 8 .. MaxCellW
  parameter int StatW        = 48,  // 1 .. MaxStatW
  parameter int ThresholdLag = 0,   // 0 and up
  parameter int RowW    = $clog2(Ports * 8),                     // derived: do not override
  parameter int PoolW   = (Pools > 1) ? $clog2(Pools) : 1,       // derived: do not override
  parameter int FreeW   = weir_pkg::LimitW + $clog2(Copies) + 2  // derived: do not override
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,  // asynchronous, active low

  // t
  input  logic                                      clear_i,
  input  logic                                      valid_i,
  input  logic [weir_pkg::SelectW-1:0]              select_i,
  input  logic [RowW-1:0]                           addr_i,

  // t + 1: profiles, and the numbers of those of the PG and of the queue.
  input  logic [Profiles*weir_pkg::ProfileBits-1:0] profiles_i,
  input  logic [MapW-1:0]                           map_i,
  input  logic [MapW-1:0]                           map_queue_i,

  output logic [RowW-1:0]                           row_o,  // comes in t + 2

  // t + 2: rows and sums after the step before.
  input  logic [3*CellW-1:0]                        pg_row_i,
  input  logic [2*CellW-1:0]                        queue_row_i,
  input  logic [Pools*weir_pkg::LimitW-1:0]         seen_i,  // free cells, as T sees them
  input  logic [Pools*weir_pkg::LimitW-1:0]         end_free_i,
  input  logic [Pools*CellW-1:0]                    end_headroom_i,
  input  logic [Pools*CellW-1:0]                    end_private_i,
  input  logic [EgressPools*FreeW-1:0]              end_egress_free_i,

  // t + 3
  input  logic [Ports*8-1:0]                        xoff_i,
  input  logic [Lanes-1:0]                          error_i,  // releases of more than was held
  input  logic [Pools*weir_pkg::LimitW-1:0]         pool_shared_i,
  input  logic [EgressPools*weir_pkg::LimitW-1:0]   egress_shared_i,
  output logic                                      stats_valid_o,
  output logic [1:0]                                stats_table_o,
  output logic [weir_pkg::FieldW-1:0]               field_o,
  output logic [RowW-1:0]                           addr_o,

  output logic                                      clear_o,  // t + 4
  input  logic                                      stats_valid_i,
  input  logic [weir_pkg::ReadW-1:0]                stats_i,
  output logic                                      valid_o,  // t + 5
  output logic [weir_pkg::ReadW-1:0]                data_o
);

  localparam int LimitW      = weir_pkg::LimitW;
  localparam int ProductW    = weir_pkg::ProductW;
  localparam int ProfileBits = weir_pkg::ProfileBits;
  localparam int ReadW       = weir_pkg::ReadW;
  localparam int LineW       = weir_pkg::ProfilePool + PoolW;  // pool and line of a profile

  logic [weir_pkg::TableW-1:0]  table3;
  logic [StatW-1:0]             errors_d, errors_q;
  logic [3:0]                   clear_q;    // in t + 1 .. t + 4
  logic [4:0]                   valid_q;    // in t + 1 .. t + 5
  logic [weir_pkg::SelectW-1:0] select1_q, select2_q, select3_q;
  logic [RowW-1:0]              addr1_q, addr2_q, addr3_q;
  logic [MapW-1:0]              map2_q, map3_q, map_queue2_q, map_queue3_q;
  logic [LineW-1:0]             line1, line2_d, line2_q, line3_d, line3_q;
  logic [Pools*LimitW-1:0]      seen3_d, seen3_q, free3_d, free3_q;
  logic [Pools*CellW-1:0]       headroom3_d, headroom3_q, private3_d, private3_q;
  logic [EgressPools*FreeW-1:0] egress3_d, egress3_q;
  logic [3*CellW-1:0]           pg_row3_d, pg_row3_q;
  logic [2*CellW-1:0]           queue_row3_d, queue_row3_q;
  logic [ReadW-1:0]             data3, data4_q, data5_q;

  // T of a PG takes two cycles: the product, then T.
  logic [ProductW-1:0]          product4_d, product4_q;
  logic [weir_pkg::AlphaNW-1:0] slope_n3;
  logic [weir_pkg::AlphaMW-1:0] slope_m3, slope_m4_d, slope_m4_q;
  logic [LimitW-1:0]            constant3, constant4_d, constant4_q, pool_shared, pool_free;
  logic                         is_threshold4_q;
  logic [weir_pkg::ThresholdW-1:0] threshold4;

  assign row_o         = addr1_q;
  assign addr_o        = addr3_q;
  assign clear_o       = clear_q[3];
  assign stats_valid_o = valid_q[2] && table3 <= weir_pkg::TablePool;
  assign stats_table_o = table3[1:0];
  assign {table3, field_o} = select3_q;

  always_comb begin
    errors_d = errors_q;
    for (int k = 0; k < Lanes; k++) begin
      if (error_i[k]) errors_d = errors_d + StatW'(1);
    end
  end

  // The settings of the read's own cycle, as the next step at the PG would find them.
  always_comb begin
    line1 = '0;
    for (int p = 0; p < Profiles; p++) begin
      if (map_i == MapW'(p + 1)) line1 = profiles_i[p*ProfileBits +: LineW];
    end
  end
  always_comb begin
    pool_shared = '0;
    pool_free   = '0;
    for (int p = 0; p < Pools; p++) begin
      if (line3_q[weir_pkg::ProfilePool +: PoolW] == PoolW'(p)) begin
        pool_shared = pool_shared_i[p*LimitW +: LimitW];
        pool_free   = seen3_q[p*LimitW +: LimitW];
      end
    end
  end
  threshold_line u_line (
    .line_i(line3_q[weir_pkg::ProfileLine +: weir_pkg::LineBits]), .pool_i(pool_shared),
    .slope_n_o(slope_n3), .slope_m_o(slope_m3), .constant_o(constant3)
  );
  threshold_value u_threshold (
    .product_i(product4_q), .slope_m_i(slope_m4_q), .constant_i(constant4_q),
    .threshold_o(threshold4)
  );

  // What no read needs stays.
  assign line2_d     = valid_q[0] ? line1 : line2_q;
  assign line3_d     = valid_q[1] ? line2_q : line3_q;
  assign seen3_d     = valid_q[1] ? ((ThresholdLag == 0) ? end_free_i : seen_i) : seen3_q;
  assign free3_d     = valid_q[1] ? end_free_i : free3_q;
  assign headroom3_d = valid_q[1] ? end_headroom_i : headroom3_q;
  assign private3_d  = valid_q[1] ? end_private_i : private3_q;
  assign egress3_d   = valid_q[1] ? end_egress_free_i : egress3_q;
  assign pg_row3_d   = valid_q[1] ? pg_row_i : pg_row3_q;
  assign queue_row3_d = valid_q[1] ? queue_row_i : queue_row3_q;
  assign product4_d  = valid_q[2] ? ProductW'(pool_free) * ProductW'(slope_n3) : product4_q;
  assign slope_m4_d  = valid_q[2] ? slope_m3 : slope_m4_q;
  assign constant4_d = valid_q[2] ? constant3 : constant4_q;

  logic [5:0] word3;  // the field as csr_map_pkg has it
  assign word3 = {1'b0, field_o};

  always_comb begin
    data3 = '0;
    case (table3)
      weir_pkg::TablePg: begin
        case (word3)
          csr_map_pkg::PgPrivate:  data3 = ReadW'(pg_row3_q[0 +: CellW]);
          csr_map_pkg::PgShared:   data3 = ReadW'(pg_row3_q[CellW +: CellW]);
          csr_map_pkg::PgHeadroom: data3 = ReadW'(pg_row3_q[2*CellW +: CellW]);
          // PgThreshold comes one cycle later.
          csr_map_pkg::PgXoff:     data3 = ReadW'(xoff_i[addr3_q]);
          csr_map_pkg::PgProfile:  data3 = ReadW'(map3_q);
          default:                 data3 = '0;
        endcase
      end
      weir_pkg::TableQueue: begin
        case (field_o)
          weir_pkg::QueueFieldMinimum: data3 = ReadW'(queue_row3_q[0 +: CellW]);
          weir_pkg::QueueFieldShared:  data3 = ReadW'(queue_row3_q[CellW +: CellW]);
          weir_pkg::QueueFieldProfile: data3 = ReadW'(map_queue3_q);
          default:                     data3 = '0;
        endcase
      end
      weir_pkg::TablePool: begin
        for (int p = 0; p < Pools; p++) begin
          if (32'(addr3_q) == 32'(p)) begin
            case (word3)
              csr_map_pkg::PoolShared:
                data3 = ReadW'(pool_shared_i[p*LimitW +: LimitW]) -
                        ReadW'(free3_q[p*LimitW +: LimitW]);
              csr_map_pkg::PoolHeadroom: data3 = ReadW'(headroom3_q[p*CellW +: CellW]);
              csr_map_pkg::PoolPrivate:  data3 = ReadW'(private3_q[p*CellW +: CellW]);
              default:                   data3 = '0;
            endcase
          end
        end
      end
      weir_pkg::TableEgressPool: begin
        for (int p = 0; p < EgressPools; p++) begin
          if (32'(addr3_q) == 32'(p) && field_o == '0) begin
            data3 = ReadW'(egress_shared_i[p*LimitW +: LimitW]) -
                    {{(ReadW-FreeW){egress3_q[(p+1)*FreeW-1]}}, egress3_q[p*FreeW +: FreeW]};
          end
        end
      end
      weir_pkg::TableDomain: data3 = (field_o == '0) ? ReadW'(errors_q) : '0;
      default:               data3 = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      errors_q        <= '0;
      clear_q         <= '0;
      valid_q         <= '0;
      select1_q       <= '0;
      select2_q       <= '0;
      select3_q       <= '0;
      addr1_q         <= '0;
      addr2_q         <= '0;
      addr3_q         <= '0;
      map2_q          <= '0;
      map3_q          <= '0;
      map_queue2_q    <= '0;
      map_queue3_q    <= '0;
      line2_q         <= '0;
      line3_q         <= '0;
      seen3_q         <= '0;
      free3_q         <= '0;
      headroom3_q     <= '0;
      private3_q      <= '0;
      egress3_q       <= '0;
      pg_row3_q       <= '0;
      queue_row3_q    <= '0;
      product4_q      <= '0;
      slope_m4_q      <= '0;
      constant4_q     <= '0;
      is_threshold4_q <= 1'b0;
      data4_q         <= '0;
      data5_q         <= '0;
    end else begin
      errors_q        <= errors_d;
      clear_q         <= {clear_q[2:0], clear_i};
      valid_q         <= {valid_q[3:0], valid_i};
      select1_q       <= select_i;
      select2_q       <= select1_q;
      select3_q       <= select2_q;
      addr1_q         <= addr_i;
      addr2_q         <= addr1_q;
      addr3_q         <= addr2_q;
      map2_q          <= map_i;
      map3_q          <= map2_q;
      map_queue2_q    <= map_queue_i;
      map_queue3_q    <= map_queue2_q;
      line2_q         <= line2_d;
      line3_q         <= line3_d;
      seen3_q         <= seen3_d;
      free3_q         <= free3_d;
      headroom3_q     <= headroom3_d;
      private3_q      <= private3_d;
      egress3_q       <= egress3_d;
      pg_row3_q       <= pg_row3_d;
      queue_row3_q    <= queue_row3_d;
      product4_q      <= product4_d;
      slope_m4_q      <= slope_m4_d;
      constant4_q     <= constant4_d;
      is_threshold4_q <= valid_q[2] && table3 == weir_pkg::TablePg &&
                         word3 == csr_map_pkg::PgThreshold;
      data4_q         <= valid_q[2] ? data3 : '0;
      data5_q         <= is_threshold4_q ? ReadW'(threshold4) : data4_q;
    end
  end
  assign valid_o = valid_q[4];
  assign data_o  = data5_q | (stats_i & {ReadW{stats_valid_i}});

  initial begin
    if (Ports < 1 || Ports > weir_pkg::MaxPorts)
      $fatal(1, "Ports = %0d: must be 1 to %0d", Ports, weir_pkg::MaxPorts);
    if (Lanes < 1 || Lanes > weir_pkg::MaxLanes)
      $fatal(1, "Lanes = %0d: must be 1 to %0d", Lanes, weir_pkg::MaxLanes);
    if (Copies < 1 || Copies > weir_pkg::MaxCopies)
      $fatal(1, "Copies = %0d: must be 1 to %0d", Copies, weir_pkg::MaxCopies);
    if (Profiles < 1 || Profiles > weir_pkg::MaxProfiles)
      $fatal(1, "Profiles = %0d: must be 1 to %0d", Profiles, weir_pkg::MaxProfiles);
    if (Pools < 1 || Pools > weir_pkg::MaxPools)
      $fatal(1, "Pools = %0d: must be 1 to %0d", Pools, weir_pkg::MaxPools);
    if (EgressPools < 1 || EgressPools > weir_pkg::MaxPools)
      $fatal(1, "EgressPools = %0d: must be 1 to %0d", EgressPools, weir_pkg::MaxPools);
    if (MapW < 1 || MapW > 8) $fatal(1, "MapW = %0d: must be 1 to 8", MapW);
    if (CellW < 8 || CellW > weir_pkg::MaxCellW)
      $fatal(1, "CellW = %0d: must be 8 to %0d", CellW, weir_pkg::MaxCellW);
    if (StatW < 1 || StatW > weir_pkg::MaxStatW)
      $fatal(1, "StatW = %0d: must be 1 to %0d", StatW, weir_pkg::MaxStatW);
    if (ThresholdLag < 0) $fatal(1, "ThresholdLag = %0d: must be 0 or more", ThresholdLag);
  end

endmodule
