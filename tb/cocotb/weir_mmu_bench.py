# SPDX-License-Identifier: Apache-2.0
"""weir_mmu in a simulator, against the core by ctypes: registers over APB (cocotbext-apb), random
traffic, every verdict, level, mark and early drop in its cycle, PFC frames made by scapy and every PFC
pin against a model. Any number of domains, lanes and copies. scripts/rtl/cocotb starts it; the
environment names library, chip, cycles and seed.

What it is made of is in mmu_bench: traffic, marks, pfc, registers, and the core in scoreboard.
"""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer
from cocotb.utils import get_sim_time

from mmu_bench.marks import Departures, LedQueue
from mmu_bench.pfc import Pfc
from mmu_bench.pins import Pins
from mmu_bench.registers import Registers
from mmu_bench.scoreboard import Scoreboard
from mmu_bench.traffic import Traffic
from weir_mmu_c import Mmu

CYCLES = int(os.environ["WEIR_CYCLES"])  # of traffic, in each of two lives
SEED = int(os.environ["WEIR_SEED"])
COPIES = int(os.environ["WEIR_COPIES"])
INPUTS = os.environ["WEIR_INPUTS"].split()
CELL_BITS = int(os.environ["WEIR_CELL_BITS"])
MAX_DRAINING = 4000  # cycles
MAX_PARTS = 6  # of a life: each is half of the cycles
HELD = 100            # cycles of traffic before a reset
SOME = 3              # one register of so many is compared ahead of the end
PERIOD = 10  # ns


class Life:
    """From a reset on: the core, and a bench around weir_mmu."""

    def __init__(self, dut, draws):
        self.pins = Pins(dut, INPUTS)
        self.falls = FallingEdge(dut.clk_i)
        self.core = Mmu(os.environ["WEIR_MMU_LIBRARY"], os.environ["WEIR_CHIP"])
        self.random = draws
        self.scoreboard = Scoreboard(self.core, self.pins, COPIES)
        self.departures = Departures(self.pins, self.core, self.scoreboard, draws)
        self.traffic = Traffic(self.pins, self.core, self.scoreboard, draws, self.departures)
        self.departures.traffic = self.traffic
        self.pfc = Pfc(self.pins, self.core, draws)
        self.registers = Registers(self.pins, self.core, draws)
        self.cycle = self.now()
        self.clear_met_drop = False

    @staticmethod
    def now():
        """The cycle, which goes on while registers are read and written."""
        return int(get_sim_time("ns")) // PERIOD

    async def reset(self):
        for _ in range(3):
            await self.falls
        self.pins.drive("rst_ni", 1)
        await self.falls
        while not self.pins.word("init_done_o"):
            await self.falls

    async def one_cycle(self, draining, writing):
        """Inputs after the falling edge, and after the grants the data of what is granted."""
        self.traffic.offer(self.cycle, draining)
        self.pfc.drive()
        if writing:
            self.registers.start_write(self.cycle, not self.clear_met_drop)
        await Timer(1, "ns")
        self.note_write(self.registers.take_write(self.cycle))
        self.scoreboard.begin_cycle(self.cycle)
        self.traffic.departures.depart(self.cycle, draining)
        self.traffic.grant(self.cycle)
        self.traffic.judged(self.scoreboard.compare(self.cycle))
        self.pfc.check(self.cycle, self.scoreboard.level, self.scoreboard.turned)
        await self.falls
        self.cycle += 1

    def note_write(self, written):
        """What a clear leaves of drops depends on their cycle: after one that has met a drop no other
        comes before the counters are compared."""
        if written is None:
            return
        address, value = written
        if address == self.registers.quanta:
            self.pfc.write_quanta(value)
        elif address == self.registers.clear_stats:
            self.pfc.clear_counters(self.cycle)
            self.clear_met_drop = self.traffic.last_drop == self.cycle - 1

    async def run(self, cycles, writing):
        """Random traffic, with writes or without, then until nothing is held."""
        self.cycle = self.now()
        self.clear_met_drop = False
        for _ in range(cycles):
            await self.one_cycle(False, writing)
        await self.drain()

    async def drain(self):
        idle = 0
        for _ in range(MAX_DRAINING):
            await self.one_cycle(True, False)
            is_idle = self.registers.writing is None and self.scoreboard.is_idle() \
                and self.traffic.is_empty(self.cycle)
            idle = idle + 1 if is_idle else 0
            if idle > self.core.chip.pfc_latency:
                return self.rest()
        raise AssertionError("the buffer does not drain")

    def rest(self):
        for name in ("rel_waiting_i", "arr_waiting_i", "dep_valid_i"):
            self.pins.drive(name, 0)
        self.pfc.rest()

    async def exact_draws(self):
        """A queue is led to where the next draw is exactly P, or one less."""
        self.cycle = self.now()
        led = LedQueue(self.departures, self.core, self.scoreboard)
        self.traffic.source = self.traffic.departures = led
        for _ in range(led.MAX_CYCLES):
            if led.is_done():
                break
            await self.one_cycle(False, False)
        assert led.is_done(), "no draw was led to"
        led.ending = True
        await self.drain()
        self.traffic.source, self.traffic.departures = self.traffic, self.departures

    async def whole(self, cycles, writing):
        """Settings, traffic twice with a clear of the counters between, and more of it while no pause
        was sent and obeyed; all compared after each. `writing`: settings are written while requests go
        on."""
        await self.reset()
        await self.registers.sizes(CELL_BITS)
        await self.registers.configure()
        await self.registers.refusals()
        await self.falls
        if LedQueue.is_on(self.core):
            await self.exact_draws()
        for part in range(MAX_PARTS):
            if part >= 2 and self.has_paused():
                break
            await self.run(cycles // 2, writing)
            await self.registers.compare_frames(self.pfc)
            await self.registers.compare(self.cycle, SOME if part == 0 else 1)
            if part == 0:
                self.cycle = self.now()
                await self.registers.clear(self.cycle)
                self.pfc.clear_counters(self.cycle)
                await self.registers.compare(self.cycle, SOME)
        self.report(writing)

    def has_paused(self):
        """Frames were counted that the ports sent, and that they received and obeyed."""
        return self.pfc.sent and self.pfc.received and self.pfc.paused_cycles

    def report(self, writing):
        """Something must have been compared, have paused, been refused, marked, sent and received."""
        count = self.scoreboard.count
        cocotb.log.info("compared %d verdicts, %d PFC pins, %d registers; %s, %d writes while requests went "
                        "on", count["compared"], self.pfc.compared, self.registers.compared,
                        ", ".join(f"{number} {name}" for name, number in count.items()
                                  if name != "compared"), self.registers.writes)
        assert count["compared"] and count["pauses"] and count["refusals"], \
            "the traffic has not reached the limits"
        assert self.has_paused(), "no PFC frame has been sent and obeyed"
        if self.scoreboard.marks:
            assert count["marks at entry"] + count["marks at exit"] + count["early drops"], \
                "nothing was marked or dropped"
        if writing:
            assert self.registers.writes, "nothing was written"


@cocotb.test()
async def the_core_agrees_in_every_cycle(dut):
    """A life in which the settings stay, a reset while cells are held, and one in which they change."""
    draws = random.Random(SEED)
    cocotb.start_soon(Clock(dut.clk_i, PERIOD, "ns").start())
    life = Life(dut, draws)
    await life.whole(CYCLES, False)
    life.cycle = life.now()
    life.traffic.filling, life.traffic.busy = True, [8 * life.traffic.ports - 1]
    for _ in range(HELD):  # also by the last group, whose row is the last that is cleared
        await life.one_cycle(False, False)
    life.core.close()
    life = Life(dut, draws)
    await life.whole(CYCLES, True)
    life.core.close()
