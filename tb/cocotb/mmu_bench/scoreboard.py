# SPDX-License-Identifier: Apache-2.0
"""The core as the reference of weir_mmu: what its pins owe, in which cycle.

In each cycle, in this order: register writes that are answered; begin_cycle(); left() for each packet
that leaves a queue; the releases granted, by slot, then the arrivals; compare().
"""
import collections

from weir_mmu_c import REASONS, Refused

from .pins import set_bits

ORDER = 5  # weir_mmu_status: cells leave that are not there
WRED = REASONS.index("wred")
WAYS = ("rel", "arr")  # releases first, as in a cycle of the MMU
MARK_PINS = ("arr_mark_o", "dep_mark_o", "dep_error_o")
Owed = collections.namedtuple("Owed", "pg shown packet changed xoff reason taken")
Entry = collections.namedtuple("Entry", "part queue packet")


class Scoreboard:
    """`copies`: queues that a packet may enter in the RTL."""

    def __init__(self, core, pins, copies):
        self.core, self.pins, self.copies = core, pins, copies
        core.enter_later()
        chip = core.chip
        self.admit = chip.admit_latency
        self.mark_latency = core.read32(core.address_of("chip.mark"), 0)
        self.marks = core.read32(core.address_of("chip.wred_profiles"), 0) != 0
        slots = chip.domains * chip.lanes
        self.width = {f"{way}_{name}_o": pins.bits(f"{way}_{name}_o") // slots
                      for way, names in (("rel", ("pg", "xoff", "changed", "error")),
                                         ("arr", ("pg", "reason", "private", "shared", "headroom",
                                                  "threshold", "mask", "xoff", "changed")))
                      for name in names}
        self.owed = {way: collections.deque() for way in WAYS}   # (cycle, {slot: Owed})
        self.entering = collections.deque()                      # (cycle, [Entry])
        self.marks_owed = {pin: collections.deque() for pin in MARK_PINS}  # (cycle, bits)
        self.level = 0       # bit n: PG n is XOFF
        self.turned = 0      # bit n: a verdict of this cycle has turned PG n
        self.count = collections.Counter()

    # ---- What the core says ----

    def begin_cycle(self, cycle):
        """The packets whose verdict comes in this cycle wait in their queues from now on."""
        if not self.entering or self.entering[0][0] > cycle:
            return
        bits = 0
        for part, queue, packet in self.entering.popleft()[1]:
            if self.core.enter(cycle, queue, packet.cells, packet.length, packet.ecn):
                bits |= 1 << part
                self.count["marks at entry"] += 1
        self._expect_marks("arr_mark_o", cycle, bits)

    def _expect_marks(self, pin, cycle, bits):
        """Of this cycle, to those that are known of it already."""
        owed, due = self.marks_owed[pin], cycle + self.mark_latency
        if owed and owed[-1][0] == due:
            bits |= owed.pop()[1]
        if bits:
            owed.append((due, bits))

    def left(self, cycle, queue, cells, length, ecn, sent):
        """A packet leaves a queue, to be sent or discarded. Whether more cells leave than wait there,
        which weir_mmu must say."""
        try:
            if not sent:
                self.core.discard(cycle, queue, cells)
            elif self.core.mark(cycle, queue, cells, length, ecn):
                self._expect_marks("dep_mark_o", cycle, 1 << queue // 8)
                self.count["marks at exit"] += 1
        except Refused as refused:
            if refused.status != ORDER:
                raise
            self._expect_marks("dep_error_o", cycle, 1 << queue // 8)
            self.count["errors of departures"] += 1
            return True
        return False

    def _owe(self, way, slot, cycle, owed):
        due = cycle + self.admit
        queue = self.owed[way]
        if not queue or queue[-1][0] != due:
            queue.append((due, {}))
        queue[-1][1][slot] = owed

    def release_granted(self, slot, cycle, packet, queue, last):
        level = self.core.release(cycle, packet.pg, queue, packet.cells, last)
        shown = (("rel_pg_o", packet.pg), ("rel_xoff_o", level.xoff),
                 ("rel_changed_o", level.changed), ("rel_error_o", 0))
        self._owe("rel", slot, cycle, Owed(packet.pg, shown, packet, level.changed, level.xoff, 0, 0))

    def arrival_granted(self, slot, cycle, packet):
        """packet.queues: {copy: queue}. For one queue that is of copy 0 WRED may refuse it."""
        taken = 0
        if packet.asks:
            verdict = self.core.arrive(cycle, packet.pg, packet.queues[0], packet.cells, packet.length,
                                       packet.ecn)
            taken = int(verdict.reason == 0)
        else:
            verdict, copies = self.core.arrive_copies(cycle, packet.pg, list(packet.queues.values()),
                                                      packet.cells, packet.length, packet.ecn)
            for copy, answer in zip(packet.queues, copies):
                taken |= answer.accepted << copy
        dropped = verdict.reason == WRED  # no domain has judged it: the pins show nothing
        self.count["early drops"] += dropped
        shown = (("arr_pg_o", packet.pg), ("arr_reason_o", verdict.reason),
                 ("arr_private_o", verdict.private_cells), ("arr_shared_o", verdict.shared_cells),
                 ("arr_headroom_o", verdict.headroom_cells),
                 ("arr_threshold_o", 0 if dropped else verdict.threshold), ("arr_mask_o", taken),
                 ("arr_xoff_o", 0 if dropped else verdict.xoff), ("arr_changed_o", verdict.changed))
        self._owe("arr", slot, cycle, Owed(packet.pg, shown, packet, verdict.changed, verdict.xoff,
                                           verdict.reason, taken))
        if self.marks and taken:
            self._note_entries(slot, cycle + self.admit, packet, taken)
        return dropped

    def _note_entries(self, slot, due, packet, taken):
        if not self.entering or self.entering[-1][0] != due:
            self.entering.append((due, []))
        self.entering[-1][1].extend(Entry(slot * self.copies + copy, packet.queues[copy], packet)
                                    for copy in set_bits(taken))

    # ---- What the pins say ----

    def compare(self, cycle):
        """The verdicts, levels and marks of this cycle. The arrivals that were judged: [Owed]."""
        self.turned = 0
        judged = []
        for way in WAYS:
            owed = self.owed[way]
            due = owed.popleft()[1] if owed and owed[0][0] == cycle else {}
            wanted = sum(1 << slot for slot in due)
            valid = self.pins.word(f"{way}_valid_o")
            assert valid == wanted, f"cycle {cycle}: {way}_valid_o is {valid:b}, expected {wanted:b}"
            if due:
                self._judge(way, cycle, due)
                if way == "arr":
                    judged = list(due.values())
        levels = self.pins.word("xoff_o")
        assert levels == self.level, \
            f"cycle {cycle}: xoff_o is {levels:x}, expected {self.level:x}"
        self._compare_marks(cycle)
        return judged

    def _judge(self, way, cycle, due):
        names = [name for name, _ in next(iter(due.values())).shown]
        texts = {name: self.pins.text(name) for name in names}
        for slot, owed in due.items():
            for name, wanted in owed.shown:
                text, width = texts[name], self.width[name]
                end = len(text) - slot * width
                shown = int(text[end - width:end], 2)
                assert shown == wanted, (f"cycle {cycle}, slot {slot}: {name} of PG {owed.pg} is "
                                         f"{shown}, expected {wanted}")
            self.count["compared"] += 1
            self.count["pauses"] += owed.changed and owed.xoff
            self.count["refusals"] += owed.reason != 0
            if owed.changed:
                self.turned |= 1 << owed.pg
            if owed.reason != WRED:
                self.level = self.level & ~(1 << owed.pg) | owed.xoff << owed.pg

    def _compare_marks(self, cycle):
        for pin, owed in self.marks_owed.items():
            wanted = owed.popleft()[1] if owed and owed[0][0] == cycle else 0
            shown = self.pins.word(pin)
            assert shown == wanted, f"cycle {cycle}: {pin} is {shown:b}, expected {wanted:b}"

    def arrivals_owed(self):
        return sum(len(slots) for _, slots in self.owed["arr"])

    def is_idle(self):
        return not any(self.owed.values()) and not self.entering and not any(self.marks_owed.values())
