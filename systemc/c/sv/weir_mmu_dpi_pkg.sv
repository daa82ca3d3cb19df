// SPDX-License-Identifier: Apache-2.0
//
// The core as the reference of a bench: a predictor and a scoreboard of weir_mmu as plain classes.
// Compile with weir_mmu_dpi.c and link libweir_mmu; docs/guide/sv-bench.md has the order of calls.
//
// Units:  whole cells, bytes, cycles. pg is port x 8 + priority group, queue is port x 8 + queue.
// Golden: the core, through weir_mmu.h.
package weir_mmu_dpi_pkg;

  localparam int MaxCopies = 8;
  localparam int unsigned MaxShown = 10;  // differences that are printed

  // Values of weir_mmu.h that a bench has to know.
  localparam int Order = 5;                // weir_mmu_status: cells leave that are not there
  localparam int unsigned ReasonWred = 6;  // weir_mmu_reason

  typedef int unsigned queues_t[MaxCopies];

  import "DPI-C" function longint unsigned weir_dpi_open(input string chip_file);
  import "DPI-C" function int weir_dpi_close(input longint unsigned mmu);
  import "DPI-C" function string weir_dpi_error();
  import "DPI-C" function int weir_dpi_chip(
      input longint unsigned mmu, output int unsigned ports, output int unsigned domains,
      output int unsigned lanes, output int unsigned admit_latency, output int unsigned mtu);
  import "DPI-C" function int weir_dpi_cells(
      input longint unsigned mmu, input int unsigned bytes, output int unsigned cells);
  import "DPI-C" function int weir_dpi_arrive(
      input longint unsigned mmu, input longint unsigned now, input int unsigned pg,
      input int unsigned cells, input int unsigned bytes, input int unsigned ecn,
      input int unsigned queues[MaxCopies], input int unsigned mask,
      output int unsigned reason, output int unsigned private_cells,
      output int unsigned shared_cells, output int unsigned headroom_cells,
      output int unsigned threshold, output int unsigned xoff, output int unsigned changed,
      output int unsigned taken);
  import "DPI-C" function int weir_dpi_release(
      input longint unsigned mmu, input longint unsigned now, input int unsigned pg,
      input int unsigned cells, input int unsigned from_queue, input int unsigned last,
      output int unsigned xoff, output int unsigned changed);
  import "DPI-C" function int weir_dpi_enter_later(input longint unsigned mmu);
  import "DPI-C" function int weir_dpi_enter(
      input longint unsigned mmu, input longint unsigned now, input int unsigned to_queue,
      input int unsigned cells, input int unsigned bytes, input int unsigned ecn,
      output int unsigned marked);
  import "DPI-C" function int weir_dpi_leave(
      input longint unsigned mmu, input longint unsigned now, input int unsigned from_queue,
      input int unsigned cells, input int unsigned bytes, input int unsigned ecn,
      input int unsigned sent, output int unsigned marked);
  import "DPI-C" function int weir_dpi_read32(
      input longint unsigned mmu, input int unsigned address, input longint unsigned now,
      output int unsigned value);
  import "DPI-C" function int weir_dpi_write32(
      input longint unsigned mmu, input int unsigned address, input longint unsigned now,
      input int unsigned value);
  import "DPI-C" function int weir_dpi_register(
      input longint unsigned mmu, input string name, input int unsigned index,
      output int unsigned address);

  // What a step says: of a release only the level counts.
  typedef struct packed {
    logic        is_arrival;
    logic [31:0] slot;
    logic [63:0] due;  // cycle in which the RTL shows it
    logic [31:0] pg;
    logic [31:0] reason;
    logic [31:0] private_cells;
    logic [31:0] shared_cells;
    logic [31:0] headroom_cells;
    logic [31:0] threshold;
    logic [7:0]  taken;
    logic        xoff;
    logic        changed;
  } verdict_t;

  // A packet whose verdict is still to come: from then on it waits in a queue that took it.
  typedef struct {
    longint unsigned verdict;  // its cycle
    int unsigned     part;     // slot x copies + copy
    int unsigned     to_queue, cells, bytes, ecn;
  } entry_t;

  // A bit that the marker sets: that what entered is marked, that what left is, or that it could not.
  typedef enum logic [1:0] {EntryMark, ExitMark, ExitError} mark_pin_t;
  typedef struct packed {
    logic [63:0] due;   // cycle in which the RTL shows it
    mark_pin_t   pin;
    logic [31:0] part;  // EntryMark: slot x copies + copy; else the port
  } mark_t;

  // The core of one chip. A refusal of the interface is an error of the bench and ends the run.
  class weir_mmu_predictor;
    longint unsigned mmu;
    int unsigned     ports, domains, lanes, admit_latency, mtu, mark_latency;
    bit              marks;        // the chip has WRED profiles
    int unsigned     copies;       // of the RTL
    mark_t           due_marks[$];     // what weir_mmu owes, in the order of cycles
    entry_t          entering[$];
    int unsigned     drops, marks_at_entry, marks_at_exit, mark_errors;

    function new(string chip_file);
      copies = 1;
      mmu    = weir_dpi_open(chip_file);
      if (mmu == 0) $fatal(1, "%s", weir_dpi_error());
      require(weir_dpi_chip(mmu, ports, domains, lanes, admit_latency, mtu));
      require(weir_dpi_enter_later(mmu));
      mark_latency = read32(address_of("chip.mark", 0), 0);
      marks        = read32(address_of("chip.wred_profiles", 0), 0) != 0;
    endfunction

    function void require(int status);
      if (status != 0) $fatal(1, "%s", weir_dpi_error());
    endfunction

    function int unsigned cells_of(int unsigned bytes);
      int unsigned cells;
      require(weir_dpi_cells(mmu, bytes, cells));
      return cells;
    endfunction

    function int unsigned address_of(string name, int unsigned index);
      int unsigned address;
      require(weir_dpi_register(mmu, name, index, address));
      return address;
    endfunction

    function int unsigned read32(int unsigned address, longint unsigned now);
      int unsigned value;
      require(weir_dpi_read32(mmu, address, now, value));
      return value;
    endfunction

    function void write32(int unsigned address, longint unsigned now, int unsigned value);
      require(weir_dpi_write32(mmu, address, now, value));
    endfunction

    // `ecn`: the two ECN bits of its IP header. `verdict`: what the RTL owes for it.
    function void arrive(int unsigned slot, longint unsigned now, int unsigned pg,
                         int unsigned cells, int unsigned bytes, int unsigned ecn, queues_t queues,
                         int unsigned mask, output verdict_t verdict);
      int unsigned reason, in_private, in_shared, in_headroom, threshold, xoff, changed, taken;
      require(weir_dpi_arrive(mmu, now, pg, cells, bytes, ecn, queues, mask, reason, in_private,
                              in_shared, in_headroom, threshold, xoff, changed, taken));
      verdict                = '0;
      verdict.is_arrival     = 1'b1;
      verdict.slot           = slot;
      verdict.due            = now + longint'(admit_latency);
      verdict.pg             = pg;
      verdict.reason         = reason;
      verdict.private_cells  = in_private;
      verdict.shared_cells   = in_shared;
      verdict.headroom_cells = in_headroom;
      verdict.threshold      = threshold;
      verdict.taken          = taken[7:0];
      verdict.xoff           = xoff[0];
      verdict.changed        = changed[0];
      if (reason == ReasonWred) begin  // no domain has judged it: the pins show nothing
        verdict.threshold = '0;
        verdict.xoff      = 1'b0;
        ++drops;
      end
      if (marks && reason == 0) note_entries(verdict, cells, bytes, ecn, queues);
    endfunction

    function void note_entries(verdict_t verdict, int unsigned cells, int unsigned bytes,
                               int unsigned ecn, queues_t queues);
      entry_t entry;
      entry.verdict = verdict.due;
      entry.cells   = cells;
      entry.bytes   = bytes;
      entry.ecn     = ecn;
      for (int unsigned n = 0; n < copies; ++n) begin
        entry.part     = verdict.slot * copies + n;
        entry.to_queue = queues[n];
        if (verdict.taken[n]) entering.push_back(entry);
      end
    endfunction

    function void expect_mark(longint unsigned cycle, mark_pin_t pin, int unsigned part);
      mark_t mark;
      mark.due  = cycle + longint'(mark_latency);
      mark.pin  = pin;
      mark.part = part;
      due_marks.push_back(mark);
    endfunction

    // The packets whose verdict comes in this cycle wait in their queues from now on.
    function void begin_cycle(longint unsigned cycle);
      entry_t entry;
      while (entering.size() != 0 && entering[0].verdict <= cycle) begin
        entry = entering.pop_front();
        if (!enter(cycle, entry.to_queue, entry.cells, entry.bytes, entry.ecn)) continue;
        expect_mark(cycle, EntryMark, entry.part);
        ++marks_at_entry;
      end
    endfunction

    // After begin_cycle(): a packet leaves a queue, to be sent or discarded. One for each port and cycle.
    // 1: more cells than wait there, which weir_mmu must say.
    function bit left(longint unsigned cycle, int unsigned from_queue, int unsigned cells,
                      int unsigned bytes, int unsigned ecn, bit sent);
      bit error;
      if (leave(cycle, from_queue, cells, bytes, ecn, sent, error)) begin
        expect_mark(cycle, ExitMark, from_queue / 8);
        ++marks_at_exit;
      end
      if (error) begin
        expect_mark(cycle, ExitError, from_queue / 8);
        ++mark_errors;
      end
      left = error;
    endfunction

    // A packet that was admitted waits in this queue from now on: whether it is marked.
    function bit enter(longint unsigned now, int unsigned to_queue, int unsigned cells,
                       int unsigned bytes, int unsigned ecn);
      int unsigned marked;
      require(weir_dpi_enter(mmu, now, to_queue, cells, bytes, ecn, marked));
      enter = marked[0];
    endfunction

    // It leaves the queue, to be sent or discarded: whether it is marked. `error`: more cells than
    // wait there, and nothing has changed.
    function bit leave(longint unsigned now, int unsigned from_queue, int unsigned cells,
                       int unsigned bytes, int unsigned ecn, bit sent, output bit error);
      int unsigned marked;
      int          status;
      status = weir_dpi_leave(mmu, now, from_queue, cells, bytes, ecn, {31'b0, sent}, marked);
      error  = status == Order;
      if (!error) require(status);
      leave = marked[0];
    endfunction

    function void release_cells(int unsigned slot, longint unsigned now, int unsigned pg,
                                int unsigned cells, int unsigned from_queue, bit last,
                                output verdict_t verdict);
      int unsigned xoff, changed;
      require(weir_dpi_release(mmu, now, pg, cells, from_queue, {31'b0, last}, xoff, changed));
      verdict         = '0;
      verdict.slot    = slot;
      verdict.due     = now + longint'(admit_latency);
      verdict.pg      = pg;
      verdict.xoff    = xoff[0];
      verdict.changed = changed[0];
    endfunction
  endclass

  // A predictor that compares: the verdicts of weir_mmu with its own. In each cycle, in this order:
  // register writes that are answered; with WRED profiles begin_cycle() and left() for each packet that
  // leaves a port; the releases granted, by slot, then the arrivals; seen() for each valid verdict, in
  // the same order; with WRED profiles marks_seen(); at last end_of_cycle().
  class weir_mmu_scoreboard extends weir_mmu_predictor;
    verdict_t          expected[$];
    bit                level[int unsigned];  // XOFF level of each PG that a verdict has named
    int unsigned       compared, errors, pauses, refusals;

    function new(string chip_file);
      super.new(chip_file);
    endfunction

    function void arrival_granted(int unsigned slot, longint unsigned cycle, int unsigned pg,
                                  int unsigned cells, int unsigned bytes, int unsigned ecn,
                                  queues_t queues, int unsigned mask);
      verdict_t verdict;
      arrive(slot, cycle, pg, cells, bytes, ecn, queues, mask, verdict);
      expected.push_back(verdict);
    endfunction

    // arr_mark_o, dep_mark_o and dep_error_o in this cycle.
    function void marks_seen(longint unsigned cycle, logic [4095:0] entered, logic [4095:0] departed,
                             logic [4095:0] refused);
      logic [4095:0] wanted_entered, wanted_departed, wanted_refused;
      mark_t         mark;
      wanted_entered  = '0;
      wanted_departed = '0;
      wanted_refused  = '0;
      while (due_marks.size() != 0 && due_marks[0].due <= cycle) begin
        mark = due_marks.pop_front();
        case (mark.pin)
          EntryMark: wanted_entered[mark.part[11:0]] = 1'b1;
          ExitMark:  wanted_departed[mark.part[11:0]] = 1'b1;
          default:   wanted_refused[mark.part[11:0]] = 1'b1;
        endcase
      end
      same_marks(cycle, "arr_mark_o", entered, wanted_entered);
      same_marks(cycle, "dep_mark_o", departed, wanted_departed);
      same_marks(cycle, "dep_error_o", refused, wanted_refused);
    endfunction

    function void same_marks(longint unsigned cycle, string pin, logic [4095:0] shown,
                             logic [4095:0] wanted);
      ++compared;
      if (shown === wanted) return;
      ++errors;
      if (errors <= MaxShown)
        $display("cycle %0d: %s is %0h, expected %0h", cycle, pin, shown, wanted);
    endfunction

    function void release_granted(int unsigned slot, longint unsigned cycle, int unsigned pg,
                                  int unsigned cells, int unsigned from_queue,
                                  bit last);
      verdict_t verdict;
      release_cells(slot, cycle, pg, cells, from_queue, last, verdict);
      expected.push_back(verdict);
    endfunction

    // A verdict of the RTL, with slot and cycle in the same places. Returns the expected one.
    function void seen(verdict_t shown);
      verdict_t wanted;
      if (expected.size() == 0) begin
        fail(shown, '0, "a verdict of nothing");
        return;
      end
      wanted = expected.pop_front();
      ++compared;
      if (shown !== wanted) fail(shown, wanted, "the verdict differs");
      if (wanted.changed && wanted.xoff) ++pauses;
      if (wanted.reason != 0) ++refusals;
      if (wanted.reason != ReasonWred) level[wanted.pg] = wanted.xoff;
    endfunction

    // All verdicts that were due are there, and the levels agree: bit n of `xoff` is PG n.
    function void end_of_cycle(longint unsigned cycle, logic [4095:0] xoff);
      if (expected.size() != 0 && expected[0].due <= cycle) begin
        fail('0, expected[0], "the verdict is missing");
        void'(expected.pop_front());
      end
      for (int unsigned pg = 0; pg < 8 * ports; ++pg) begin
        bit wanted;
        wanted = level.exists(pg) != 0 ? level[pg] : 1'b0;
        if (xoff[pg] !== wanted) begin
          ++errors;
          if (errors <= MaxShown)
            $display("cycle %0d: xoff_o of PG %0d is %b, expected %b", cycle, pg, xoff[pg], wanted);
        end
      end
    endfunction

    function void compare_register(int unsigned address, longint unsigned cycle,
                                   int unsigned value);
      int unsigned wanted;
      wanted = read32(address, cycle);
      ++compared;
      if (value != wanted) begin
        ++errors;
        if (errors <= MaxShown)
          $display("register %06x is %08x, expected %08x", address, value, wanted);
      end
    endfunction

    function void fail(verdict_t shown, verdict_t wanted, string why);
      ++errors;
      if (errors > MaxShown) return;
      $display("cycle %0d slot %0d: %s", wanted.due, wanted.slot, why);
      show("weir_mmu", shown);
      show("expected", wanted);
    endfunction

    function void show(string whose, verdict_t verdict);
      $display("  %s: cycle %0d, %s of PG %0d, reason %0d, private %0d, shared %0d, headroom %0d",
               whose, verdict.due, verdict.is_arrival ? "arrival" : "release", verdict.pg,
               verdict.reason, verdict.private_cells, verdict.shared_cells,
               verdict.headroom_cells);
      $display("    T %0d, xoff %b, changed %b, queues %b", verdict.threshold, verdict.xoff,
               verdict.changed, verdict.taken);
    endfunction

    // Ends the run: something must have been compared, have paused and have been refused.
    function void report();
      $display("scoreboard: compared %0d, %0d wrong, %0d pauses, %0d refusals, %0d still expected",
               compared, errors, pauses, refusals, expected.size());
      if (errors != 0 || compared == 0 || expected.size() != 0) $fatal(1, "weir_mmu differs");
      if (pauses == 0 || refusals == 0) $fatal(1, "the traffic has not reached the limits");
      if (!marks) return;
      $display("marks: %0d of what entered, %0d of what left, %0d drops, %0d errors",
               marks_at_entry, marks_at_exit, drops, mark_errors);
      if (marks_at_entry + marks_at_exit + drops == 0) $fatal(1, "nothing was marked or dropped");
    endfunction
  endclass

endpackage
