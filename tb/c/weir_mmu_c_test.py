# SPDX-License-Identifier: Apache-2.0
"""systemc/c/python/weir_mmu_c.py as a bench uses it: every function of weir_mmu.h, and what is refused.

  WEIR_MMU_LIBRARY=build/release/systemc/c/libweir_mmu.so /usr/bin/python3 tb/c/weir_mmu_c_test.py
"""
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "systemc/c/python"))
import weir_mmu_c  # noqa: E402
from weir_mmu_c import NO_LIMIT, REASONS, Mmu, Refused  # noqa: E402

LIBRARY = os.environ["WEIR_MMU_LIBRARY"]
CHIP = ROOT / "tb/sv/four_ports_two_lanes.toml"
ECT = 2
# weir_mmu_status
HANDLE, RANGE, ORDER, CONFIG, NAME, ADDRESS, ACCESS, VALUE = 2, 4, 5, 6, 7, 8, 9, 10


class WrapperTest(unittest.TestCase):
    def setUp(self):
        self.core = Mmu(LIBRARY, CHIP)
        self.addCleanup(self.core.close)

    def refused(self, status, call, *arguments):
        with self.assertRaises(Refused) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.status, status, caught.exception)

    def read(self, name, index=0, now=0):
        return self.core.read32(self.core.address_of(name, index), now)


class Chips(WrapperTest):
    def test_a_chip_comes_from_a_file_or_a_text(self):
        other = Mmu(LIBRARY, text=CHIP.read_text())
        for name in ("ports", "domains", "lanes", "cell", "admit_latency", "clock"):
            self.assertEqual(getattr(other.chip, name), getattr(self.core.chip, name))
        other.close()
        self.assertEqual((self.core.chip.ports, self.core.chip.lanes), (4, 2))

    def test_an_error_of_a_text_calls_it_by_its_name(self):
        with self.assertRaisesRegex(Refused, "mine.toml:1: ") as caught:
            Mmu(LIBRARY, text="[chip\n", name="mine.toml")
        self.assertEqual(caught.exception.status, CONFIG)

    def test_the_version_is_that_of_the_header(self):
        header = (ROOT / "systemc/c/include/weir_mmu.h").read_text()
        self.assertEqual(self.core.version, tuple(
            int(re.search(rf"VERSION_{part} (\d+)", header)[1]) for part in ("MAJOR", "MINOR")))

    def test_a_closed_mmu_is_refused(self):
        other = Mmu(LIBRARY, CHIP)
        other.close()
        self.refused(HANDLE, other.cells, 64)


class Packets(WrapperTest):
    """Priority 3 is priority group 2, which has 2 cells of its own."""

    def test_a_packet_takes_cells_until_its_release(self):
        verdict = self.core.arrive(1, 2, 11, 5, 1000)
        self.assertEqual((REASONS[verdict.reason], verdict.private_cells, verdict.shared_cells),
                         ("admitted", 2, 3))
        group = self.core.snapshot(1)[2]
        self.assertEqual((group.private_cells, group.shared_cells, group.headroom_cells), (2, 3, 0))
        self.assertEqual(group.threshold, self.core.threshold(1, 2))
        self.core.release(2, 2, 11, 5)
        self.assertEqual(self.core.snapshot(2)[2].private_cells, 0)
        self.refused(ORDER, self.core.release, 3, 2, 11, 1)

    def test_only_the_last_reader_frees_the_group(self):
        verdict, copies = self.core.arrive_copies(1, 2, [3, 11], 5, 1000)
        self.assertEqual((verdict.reason, [(c.queue, c.accepted) for c in copies]),
                         (0, [(3, 1), (11, 1)]))
        self.core.release(2, 2, 3, 5, last=False)
        self.assertEqual(self.core.snapshot(2)[2].shared_cells, 3)
        self.core.release(2, 2, 11, 5)
        self.assertEqual(self.core.snapshot(2)[2].shared_cells, 0)

    def test_queues_that_are_the_same_are_refused(self):
        self.refused(RANGE, self.core.arrive_copies, 1, 3, [11, 11], 5, 1000)
        self.refused(RANGE, self.core.arrive_copies, 1, 3, [], 5, 1000)

    def test_a_queue_without_a_profile_has_no_limit(self):
        self.assertEqual(self.core.queue_threshold(1, 3), NO_LIMIT)
        self.assertEqual(self.core.queue_threshold(1, 0), self.core.queue_threshold(1, 8, 0))
        self.assertLess(self.core.queue_threshold(1, 0), NO_LIMIT)
        self.refused(RANGE, self.core.queue_threshold, 1, 0, 1)

    def test_what_ctypes_would_cut_off_is_refused(self):
        for call in (lambda: self.core.arrive(1, 3, 11, (1 << 32) + 5, 1000),
                     lambda: self.core.arrive(1, -1, 11, 5, 1000),
                     lambda: self.core.arrive(1 << 64, 3, 11, 5, 1000),
                     lambda: self.core.arrive(1, 3, 11, 5, 1000, (1 << 32) + 1),
                     lambda: self.core.enter(1, (1 << 32) + 3, 1, 64, ECT),
                     lambda: self.core.discard(-1, 3, 1),
                     lambda: self.core.read32(1 << 32, 0)):
            self.refused(RANGE, call)

    def test_the_cycle_never_goes_back(self):
        self.core.arrive(7, 3, 11, 5, 1000)
        self.refused(ORDER, self.core.arrive, 6, 3, 11, 5, 1000)


class Marks(WrapperTest):
    """Queue 11 marks from 4 cells on, at the latest from 24; queue 8 drops what is not ECT there."""

    def fill(self, queue, cells, ecn=ECT):
        self.core.enter_later()
        return self.core.enter(1, queue, cells, 1500, ecn)

    def test_a_packet_that_is_ect_is_marked_above_max(self):
        self.assertFalse(self.fill(11, 30), "this queue marks what leaves")
        self.assertTrue(self.core.mark(2, 11, 1, 64, ECT))
        self.assertFalse(self.core.mark(2, 11, 1, 64, 0))
        self.assertEqual(self.read("queue_wred.waiting", 11, 2), 28)

    def test_the_ecn_bits_decide_between_a_mark_and_a_drop(self):
        self.fill(8, 30)
        self.assertEqual(REASONS[self.core.arrive(2, 0, 8, 1, 64).reason], "wred")
        self.assertEqual(REASONS[self.core.arrive(2, 0, 8, 1, 64, ECT).reason], "admitted")
        self.assertTrue(self.core.enter(2, 8, 1, 64, ECT), "this queue marks what enters")
        self.refused(RANGE, self.core.arrive, 2, 0, 8, 1, 64, 4)

    def test_a_packet_counts_from_its_entry_on(self):
        self.refused(ORDER, self.core.enter, 1, 11, 5, 1000, ECT)
        self.core.arrive(1, 3, 11, 5, 1000, ECT)
        self.assertEqual(self.read("queue_wred.waiting", 11, 1), 5)
        self.core.enter_later()
        self.core.arrive(2, 3, 11, 5, 1000, ECT)
        self.assertEqual(self.read("queue_wred.waiting", 11, 2), 5)
        self.core.enter(8, 11, 5, 1000, ECT)
        self.assertEqual(self.read("queue_wred.waiting", 11, 8), 10)

    def test_no_more_leaves_than_waits(self):
        self.fill(11, 10)
        self.refused(ORDER, self.core.mark, 2, 11, 11, 64, ECT)
        self.refused(ORDER, self.core.discard, 2, 11, 11)
        self.core.discard(2, 11, 10)
        self.assertEqual(self.read("queue_wred.waiting", 11, 2), 0)

    def test_copies_are_marked_one_by_one(self):
        for _ in range(6):
            self.core.arrive(1, 3, 8, 5, 1000, ECT)
        _, copies = self.core.arrive_copies(2, 3, [8, 9], 5, 1000, ECT)
        self.assertEqual([copy.marked for copy in copies], [1, 0])


class Registers(WrapperTest):
    def test_what_is_refused_says_why(self):
        quanta = self.core.address_of("chip.quanta")
        self.core.write32(quanta, 1, 300)
        self.assertEqual(self.core.read32(quanta, 1), 300)
        self.refused(VALUE, self.core.write32, quanta, 1, 0)
        self.refused(RANGE, self.core.write32, quanta, 1, (1 << 32) + 1)
        self.refused(ACCESS, self.core.write32, self.core.address_of("pg.shared", 3), 1, 0)
        self.refused(ADDRESS, self.core.read32, quanta + 1, 1)
        self.refused(NAME, self.core.address_of, "chip.nothing")
        self.refused(RANGE, self.core.address_of, "pg.shared", 32)

    def test_counters_have_their_sai_names(self):
        self.core.arrive(1, 3, 11, 5, 1000)
        self.assertEqual(
            self.core.counter("SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES", 3), 5 * 208)
        self.refused(NAME, self.core.counter, "SAI_NOTHING", 3)


class Header(unittest.TestCase):
    def test_every_function_of_the_header_has_its_method(self):
        header = (ROOT / "systemc/c/include/weir_mmu.h").read_text()
        declared = set(re.findall(r"^(?:weir_mmu_status|uint32_t) weir_mmu_(\w+)\(", header, re.M))
        called = set(re.findall(r'_call\("(\w+)"', pathlib.Path(weir_mmu_c.__file__).read_text()))
        self.assertEqual(declared - called, {"version"})
        self.assertEqual(called - declared, set())


if __name__ == "__main__":
    unittest.main()
