// SPDX-License-Identifier: Apache-2.0
//
// The core as the reference of a UVM environment: items, predictor, scoreboard and environment for
// weir_mmu, over the plain classes of weir_mmu_dpi_pkg (docs/guide/sv-bench.md). Compile after
// weir_mmu_dpi_pkg.sv, with UVM 1.2 or IEEE 1800.2.
//
// Units:  whole cells, bytes, cycles. pg is port x 8 + priority group, queue is port x 8 + queue.
// Golden: the core, through weir_mmu.h.
package weir_mmu_uvm_pkg;

  import uvm_pkg::*;
  import weir_mmu_dpi_pkg::*;
  `include "uvm_macros.svh"

  // With WRED profiles also CycleBegins, and Departure: a packet leaves its queue.
  typedef enum {CycleBegins, Departure, Release, Arrival} weir_mmu_input_t;

  // What weir_mmu was granted in one slot of a cycle, or what left a queue in it, as a monitor of its
  // inputs sees it.
  class weir_mmu_request extends uvm_sequence_item;
    weir_mmu_input_t kind;
    int unsigned     slot;       // of an arrival or release
    longint unsigned cycle;
    int unsigned     pg, cells;
    int unsigned     bytes;      // of an arrival or departure
    int unsigned     ecn;        // likewise: the two bits of its IP header
    queues_t         to_queues;  // of an arrival; of the others, the first is the one it has left
    int unsigned     mask;       // of an arrival: which of them it enters
    bit              last;       // of a release: its last reader
    bit              sent;       // of a departure; 0: it is discarded

    `uvm_object_utils(weir_mmu_request)

    function new(string name = "weir_mmu_request");
      super.new(name);
    endfunction

    virtual function string convert2string();
      return $sformatf("cycle %0d slot %0d: %s of PG %0d, %0d cells", cycle, slot, kind.name(), pg,
                       cells);
    endfunction
  endclass

  // A verdict, of weir_mmu or of the core. At the end of each cycle the monitor of the outputs also
  // sends one with `ends_cycle`, which holds the levels and the answers of the marker. From the core,
  // one with `is_mark` is a bit that the marker sets.
  class weir_mmu_result extends uvm_sequence_item;
    verdict_t        verdict;
    bit              is_mark;
    mark_t           mark;
    bit              ends_cycle;
    longint unsigned cycle;
    logic [4095:0]   xoff;                         // bit n: PG n
    logic [4095:0]   arr_mark, dep_mark, dep_error;  // as the pins; 0 without WRED profiles

    `uvm_object_utils(weir_mmu_result)

    function new(string name = "weir_mmu_result");
      super.new(name);
    endfunction

    virtual function string convert2string();
      return $sformatf("cycle %0d slot %0d: PG %0d reason %0d T %0d xoff %b changed %b",
                       verdict.due, verdict.slot, verdict.pg, verdict.reason, verdict.threshold,
                       verdict.xoff, verdict.changed);
    endfunction
  endclass

  // Steps the core: a request goes in, the verdict that weir_mmu owes for it comes out. Requests of a
  // cycle come as the MMU takes them: the beginning of the cycle, departures, releases by slot, arrivals
  // by slot.
  class weir_mmu_uvm_predictor extends uvm_subscriber #(weir_mmu_request);
    uvm_analysis_port #(weir_mmu_result) expected;
    weir_mmu_predictor                   core;  // of a chip file; the environment makes it

    `uvm_component_utils(weir_mmu_uvm_predictor)

    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction

    virtual function void build_phase(uvm_phase phase);
      super.build_phase(phase);
      expected = new("expected", this);
    endfunction

    virtual function void write(weir_mmu_request t);
      verdict_t verdict;
      case (t.kind)
        CycleBegins: core.begin_cycle(t.cycle);
        Departure: void'(core.left(t.cycle, t.to_queues[0], t.cells, t.bytes, t.ecn, t.sent));
        Release: begin
          core.release_cells(t.slot, t.cycle, t.pg, t.cells, t.to_queues[0], t.last, verdict);
          publish(verdict);
        end
        default: begin
          core.arrive(t.slot, t.cycle, t.pg, t.cells, t.bytes, t.ecn, t.to_queues, t.mask, verdict);
          publish(verdict);
        end
      endcase
      publish_marks();
    endfunction

    virtual function void publish(verdict_t verdict);
      weir_mmu_result result;
      result         = weir_mmu_result::type_id::create("expected");
      result.verdict = verdict;
      expected.write(result);
    endfunction

    virtual function void publish_marks();
      weir_mmu_result result;
      while (core.due_marks.size() != 0) begin
        result         = weir_mmu_result::type_id::create("expected");
        result.is_mark = 1'b1;
        result.mark    = core.due_marks.pop_front();
        expected.write(result);
      end
    endfunction
  endclass

  `uvm_analysis_imp_decl(_expected)
  `uvm_analysis_imp_decl(_seen)

  // Compares what weir_mmu shows with what the predictor has said, in order and in its cycle.
  class weir_mmu_uvm_scoreboard extends uvm_scoreboard;
    uvm_analysis_imp_expected #(weir_mmu_result, weir_mmu_uvm_scoreboard) expected;
    uvm_analysis_imp_seen #(weir_mmu_result, weir_mmu_uvm_scoreboard)     seen;
    int unsigned ports;  // levels that are compared: 8 for each

    verdict_t      waiting[$];
    mark_t         marks[$];           // that are due
    bit            level[int unsigned];  // XOFF level of each PG that a verdict has named
    int unsigned compared, wrong, pauses, refusals;

    `uvm_component_utils(weir_mmu_uvm_scoreboard)

    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction

    virtual function void build_phase(uvm_phase phase);
      super.build_phase(phase);
      expected = new("expected", this);
      seen     = new("seen", this);
    endfunction

    virtual function void write_expected(weir_mmu_result t);
      if (t.is_mark) marks.push_back(t.mark);
      else waiting.push_back(t.verdict);
    endfunction

    virtual function void write_seen(weir_mmu_result t);
      if (t.ends_cycle) begin
        judge_marks(t);
        end_of_cycle(t.cycle, t.xoff);
      end else judge(t);
    endfunction

    virtual function void judge_marks(weir_mmu_result shown);
      logic [4095:0] arr_mark, dep_mark, dep_error;
      mark_t         mark;
      arr_mark  = '0;
      dep_mark  = '0;
      dep_error = '0;
      while (marks.size() != 0 && marks[0].due <= shown.cycle) begin
        mark = marks.pop_front();
        case (mark.pin)
          EntryMark: arr_mark[mark.part[11:0]] = 1'b1;
          ExitMark:  dep_mark[mark.part[11:0]] = 1'b1;
          default:   dep_error[mark.part[11:0]] = 1'b1;
        endcase
      end
      same_marks(shown.cycle, "arr_mark_o", shown.arr_mark, arr_mark);
      same_marks(shown.cycle, "dep_mark_o", shown.dep_mark, dep_mark);
      same_marks(shown.cycle, "dep_error_o", shown.dep_error, dep_error);
    endfunction

    virtual function void same_marks(longint unsigned cycle, string pin, logic [4095:0] shown,
                                     logic [4095:0] wanted);
      if (shown === wanted) return;
      ++wrong;
      `uvm_error("WEIR", $sformatf("cycle %0d: %s is %0h, expected %0h", cycle, pin, shown, wanted))
    endfunction

    virtual function void judge(weir_mmu_result shown);
      weir_mmu_result wanted;
      wanted = weir_mmu_result::type_id::create("wanted");
      if (waiting.size() == 0) begin
        ++wrong;
        `uvm_error("WEIR", {"a verdict of nothing: ", shown.convert2string()})
        return;
      end
      wanted.verdict = waiting.pop_front();
      ++compared;
      if (shown.verdict !== wanted.verdict) begin
        ++wrong;
        `uvm_error("WEIR", {"weir_mmu: ", shown.convert2string(), "; expected: ",
                            wanted.convert2string()})
      end
      if (wanted.verdict.changed && wanted.verdict.xoff) ++pauses;
      if (wanted.verdict.reason != 0) ++refusals;
      if (wanted.verdict.reason != ReasonWred) level[wanted.verdict.pg] = wanted.verdict.xoff;
    endfunction

    virtual function void end_of_cycle(longint unsigned cycle, logic [4095:0] xoff);
      if (waiting.size() != 0 && waiting[0].due <= cycle) begin
        ++wrong;
        `uvm_error("WEIR", $sformatf("cycle %0d: the verdict of PG %0d is missing", cycle,
                                     waiting[0].pg))
        void'(waiting.pop_front());
      end
      for (int unsigned pg = 0; pg < 8 * ports; ++pg) begin
        bit wanted;
        wanted = level.exists(pg) != 0 ? level[pg] : 1'b0;
        if (xoff[pg] !== wanted) begin
          ++wrong;
          `uvm_error("WEIR", $sformatf("cycle %0d: xoff_o of PG %0d is %b, expected %b", cycle, pg,
                                       xoff[pg], wanted))
        end
      end
    endfunction

    // Something must have been compared, have paused and have been refused, and nothing be left.
    virtual function void check_phase(uvm_phase phase);
      super.check_phase(phase);
      if (compared == 0) `uvm_error("WEIR", "nothing was compared")
      if (waiting.size() != 0)
        `uvm_error("WEIR", $sformatf("%0d verdicts are still expected", waiting.size()))
      if (pauses == 0 || refusals == 0)
        `uvm_error("WEIR", "the traffic has not reached the limits")
    endfunction

    virtual function void report_phase(uvm_phase phase);
      super.report_phase(phase);
      `uvm_info("WEIR", $sformatf("compared %0d, %0d wrong, %0d pauses, %0d refusals", compared,
                                  wrong, pauses, refusals), UVM_LOW)
    endfunction
  endclass

  // Predictor and scoreboard of one chip, the file of which is the string "chip" of the configuration.
  // Connect requests to the monitor of the inputs, results to that of the outputs.
  class weir_mmu_uvm_env extends uvm_env;
    weir_mmu_uvm_predictor                 predictor;
    weir_mmu_uvm_scoreboard                scoreboard;
    uvm_analysis_export #(weir_mmu_request) requests;
    uvm_analysis_export #(weir_mmu_result)  results;
    weir_mmu_predictor                     core;  // settings to write over APB: core.read32()

    `uvm_component_utils(weir_mmu_uvm_env)

    function new(string name, uvm_component parent);
      super.new(name, parent);
    endfunction

    virtual function void build_phase(uvm_phase phase);
      string chip;
      super.build_phase(phase);
      if (!uvm_config_db#(string)::get(this, "", "chip", chip))
        `uvm_fatal("WEIR", "no chip file: set the string \"chip\" of this environment")
      core             = new(chip);
      predictor        = weir_mmu_uvm_predictor::type_id::create("predictor", this);
      scoreboard       = weir_mmu_uvm_scoreboard::type_id::create("scoreboard", this);
      predictor.core   = core;
      scoreboard.ports = core.ports;
      requests         = new("requests", this);
      results          = new("results", this);
    endfunction

    virtual function void connect_phase(uvm_phase phase);
      super.connect_phase(phase);
      requests.connect(predictor.analysis_export);
      predictor.expected.connect(scoreboard.expected);
      results.connect(scoreboard.seen);
    endfunction
  endclass

endpackage
