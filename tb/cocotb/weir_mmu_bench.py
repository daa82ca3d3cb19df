# SPDX-License-Identifier: Apache-2.0
"""weir_mmu in a simulator, against the core by ctypes: settings and counters over APB
(cocotbext-apb), random traffic, every verdict and level in its cycle, PFC frames read and made by
scapy. Any number of domains and lanes. scripts/rtl/cocotb starts it; the environment names library,
chip, cycles and seed."""
import collections
import os
import random
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer
from cocotbext.apb import ApbBus, ApbMaster
from scapy.contrib.mac_control import MACControlClassBasedFlowControl
from scapy.layers.l2 import Ether

from register_description import registers_of
from weir_mmu_c import Mmu

CYCLES = int(os.environ["WEIR_CYCLES"])
SEED = int(os.environ["WEIR_SEED"])
BEAT = 8  # octets of a beat: AxisW = 64
FRAME = 64  # octets of a PFC frame with its FCS
GROUP_ADDRESS = "01:80:c2:00:00:01"
MAC_CONTROL = 0x8808
Packet = collections.namedtuple("Packet", "pg queue cells length")
Expected = collections.namedtuple("Expected", "due pg answer packet")
WAYS = ("rel", "arr")  # releases first, as in a cycle of the MMU


def field(signal, index, width):
    """Part `index` of `width` bits of a packed output."""
    return int(signal.value) >> index * width & (1 << width) - 1


def packed(values, width):
    """An input of parts of `width` bits: {part: value}."""
    return sum(value << index * width for index, value in values.items())


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.core = Mmu(os.environ["WEIR_MMU_LIBRARY"], os.environ["WEIR_CHIP"])
        self.ports, self.lanes = self.core.chip.ports, self.core.chip.lanes
        self.slots = self.core.chip.domains * self.lanes
        self.domain = [self.core.read32(self.core.address_of("port.domain", port), 0)
                       for port in range(self.ports)]
        # Bits of a part of a pin.
        self.count_bits = self.lanes.bit_length()
        self.port_bits = len(dut.arr_grant_port_o) // self.slots
        self.bits = {name: len(getattr(dut, f"{name}_i")) // self.slots
                     for name in ("rel_pg", "rel_queue", "rel_cells", "arr_pg", "arr_queue",
                                  "arr_cells", "arr_bytes")}
        self.registers = registers_of(self.core)
        self.quanta = self.core.read32(self.core.address_of("chip.quanta"), 0)
        self.random = random.Random(SEED)
        self.cycle = 0
        self.expected = {(way, domain): collections.deque() for way in WAYS
                         for domain in range(self.core.chip.domains)}
        self.held = collections.deque()
        self.waiting = {way: [] for way in WAYS}  # packets, at most as many as lanes in a domain
        self.filling = True
        self.compared = self.pauses = self.refusals = self.frames = 0
        self.level = [0] * 8 * self.ports
        self.beats = [b""] * self.ports
        self.classes = [collections.deque() for _ in range(self.ports)]  # at the start of each frame
        self.sent = [0] * self.ports  # classes that the last frame of a port has paused

    async def reset(self):
        dut = self.dut
        for name in ("rel_waiting_i", "rel_pg_i", "rel_cells_i", "rel_queue_i", "arr_waiting_i",
                     "arr_pg_i", "arr_cells_i", "arr_bytes_i", "arr_queue_i", "pfc_start_i",
                     "s_axis_rx_tdata_i", "s_axis_rx_tkeep_i", "s_axis_rx_tvalid_i",
                     "s_axis_rx_tlast_i", "s_axis_rx_tuser_i"):
            getattr(dut, name).value = 0
        dut.rel_last_i.value = (1 << self.slots) - 1
        dut.arr_mask_i.value = (1 << self.slots) - 1
        dut.m_axis_pfc_tready_i.value = (1 << self.ports) - 1
        dut.rst_ni.value = 0
        bus = ApbBus(dut, signals={name: f"{name}_{way}" for name, way in (
            ("psel", "i"), ("pwrite", "i"), ("paddr", "i"), ("pwdata", "i"), ("pready", "o"),
            ("prdata", "o"))}, optional_signals={"penable": "penable_i", "pslverr": "pslverr_o"})
        self.apb = ApbMaster(bus, dut.clk_i)
        self.apb.log.setLevel("WARNING")
        cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
        for _ in range(3):
            await FallingEdge(dut.clk_i)
        dut.rst_ni.value = 1
        while not int(dut.init_done_o.value):
            await FallingEdge(dut.clk_i)

    async def configure(self):
        """Every setting that software may write, as the core has it; then the start."""
        for register in self.registers:
            if register.access in ("CFG", "RW"):
                await self.apb.write(register.address, self.core.read32(register.address, 0))
        await self.apb.write(self.core.address_of("chip.start"), 1)

    async def compare_registers(self, blocks):
        """What the MMU holds and has counted. MACs are not here, nor are PFC frames of the core."""
        for register in self.registers:
            if register.access != "RO" or register.block not in blocks:
                continue
            shown = int.from_bytes(await self.apb.read(register.address), "little")
            wanted = self.core.read32(register.address, self.cycle)
            assert shown == wanted, f"{register.path} is {shown}, expected {wanted}"
            self.compared += 1

    def place_of(self, way, packet):
        """(domain, port) at which a packet waits: its memory is that of the port it came in by."""
        return self.domain[packet.pg // 8], (packet.pg if way == "arr" else packet.queue) // 8

    def offer(self, draining):
        """New requests: bursts that fill the buffer, then longer times in which it drains."""
        draw = self.random.randrange
        if draw(150) == 0:
            self.filling = not self.filling
        room = {way: collections.Counter() for way in WAYS}
        self.waiting = {way: [] for way in WAYS}

        def wait(way, packet):
            room[way][self.domain[packet.pg // 8]] += 1
            self.waiting[way].append(packet)

        for _ in range(self.slots):
            if not draining and draw(10) < (9 if self.filling else 3):
                pg = 8 * draw(self.ports) + 3 if draw(2) else draw(8 * self.ports)
                length = 64 + draw(1600)
                packet = Packet(pg, 8 * draw(self.ports) + pg % 8, self.core.cells(length), length)
                if room["arr"][self.domain[pg // 8]] < self.lanes:
                    wait("arr", packet)
            if self.held and draw(10) < (10 if draining else 4 if self.filling else 7):
                if room["rel"][self.domain[self.held[0].pg // 8]] < self.lanes:
                    wait("rel", self.held.popleft())
        for way in WAYS:
            counts = collections.Counter(self.place_of(way, packet) for packet in self.waiting[way])
            getattr(self.dut, f"{way}_waiting_i").value = packed(
                {domain * self.ports + port: count for (domain, port), count in counts.items()},
                self.count_bits)

    def granted(self, way, slot):
        """The packet that slot `slot` has taken in this cycle, or None."""
        if not field(getattr(self.dut, f"{way}_grant_valid_o"), slot, 1):
            return None
        port = field(getattr(self.dut, f"{way}_grant_port_o"), slot, self.port_bits)
        place = (slot // self.lanes, port)
        for packet in self.waiting[way]:
            if self.place_of(way, packet) == place:
                self.waiting[way].remove(packet)
                return packet
        raise AssertionError(f"cycle {self.cycle}: {way} of domain {place[0]} is granted to port "
                             f"{port}, where none waits")

    def grant(self):
        """What is granted now, as steps of the core: in each domain the releases first."""
        due = self.cycle + self.core.chip.admit_latency
        for way in WAYS:
            names = ("pg", "queue", "cells") + (("bytes",) if way == "arr" else ())
            values = {name: {} for name in names}
            for slot in range(self.slots):
                packet = self.granted(way, slot)
                if packet is None:
                    continue
                for name, value in zip(names, packet):
                    values[name][slot] = value
                if way == "rel":
                    answer = self.core.release(self.cycle, packet.pg, packet.queue, packet.cells)
                else:
                    answer = self.core.arrive(self.cycle, *packet)
                self.expected[way, slot // self.lanes].append(
                    Expected(due, packet.pg, answer, packet))
            for name in names:
                getattr(self.dut, f"{way}_{name}_i").value = packed(values[name],
                                                                    self.bits[f"{way}_{name}"])
        self.held.extendleft(reversed(self.waiting["rel"]))  # what is not granted is asked for again

    def sample(self):
        """The verdicts of this cycle: in each domain they come in the order of the grants."""
        for way in WAYS:
            for slot in range(self.slots):
                expected = self.expected[way, slot // self.lanes]
                due = bool(expected) and expected[0].due == self.cycle
                valid = field(getattr(self.dut, f"{way}_valid_o"), slot, 1)
                assert valid == due, f"cycle {self.cycle}: {way}_valid_o of slot {slot} is {valid}"
                if due:
                    self.judge(way, slot, expected.popleft())
        levels = sum(level << pg for pg, level in enumerate(self.level))
        assert int(self.dut.xoff_o.value) == levels, \
            f"cycle {self.cycle}: xoff_o is {int(self.dut.xoff_o.value):x}, expected {levels:x}"

    def judge(self, way, slot, wanted):
        names = ["pg", "xoff", "changed"]
        expected = [wanted.pg, wanted.answer.xoff, wanted.answer.changed]
        if way == "arr":
            names += ["reason", "private", "shared", "headroom", "threshold"]
            expected += [wanted.answer.reason, wanted.answer.private_cells,
                         wanted.answer.shared_cells, wanted.answer.headroom_cells,
                         wanted.answer.threshold]
        pins = [getattr(self.dut, f"{way}_{name}_o") for name in names]
        shown = [field(pin, slot, len(pin) // self.slots) for pin in pins]
        assert shown == expected, \
            f"cycle {self.cycle}, slot {slot}: {way} {dict(zip(names, shown))}, expected " \
            f"{dict(zip(names, expected))}"
        self.level[wanted.pg] = wanted.answer.xoff
        self.compared += 1
        self.pauses += wanted.answer.changed and wanted.answer.xoff
        if way == "arr":
            self.refusals += wanted.answer.reason != 0
            if wanted.answer.reason == 0:
                self.held.append(wanted.packet)

    def start_frames(self):
        """The MAC is free: every frame that is owed starts at once, with the levels of now."""
        starts = int(self.dut.pfc_request_o.value) & int(self.dut.pfc_ready_o.value)
        self.dut.pfc_start_i.value = starts
        for port in range(self.ports):
            if starts >> port & 1 and int(self.dut.pfc_sends_o.value) >> port & 1:
                classes = sum(level << n for n, level in
                              enumerate(self.level[8 * port:8 * port + 8]))
                self.classes[port].append(classes)

    def collect_frames(self):
        for port in range(self.ports):
            if not int(self.dut.m_axis_pfc_tvalid_o.value) >> port & 1:
                continue
            beat = field(self.dut.m_axis_pfc_tdata_o, port, 8 * BEAT)
            self.beats[port] += beat.to_bytes(BEAT, "little")
            if int(self.dut.m_axis_pfc_tlast_o.value) >> port & 1:
                self.check_frame(port, self.beats[port])
                self.beats[port] = b""

    def check_frame(self, port, octets):
        assert len(octets) == FRAME
        assert zlib.crc32(octets[:-4]).to_bytes(4, "little") == octets[-4:], "the FCS is wrong"
        frame = Ether(octets[:-4])
        assert frame.dst == GROUP_ADDRESS and frame.type == MAC_CONTROL
        pfc = frame[MACControlClassBasedFlowControl]
        classes = self.classes[port].popleft()
        paused = enabled = 0
        for n in range(8):
            enabled |= int(getattr(pfc, f"c{n}_enabled")) << n
            time = getattr(pfc, f"c{n}_pause_time")
            assert time in (0, self.quanta), f"port {port}, class {n}: {time} quanta"
            paused |= (time != 0) << n
        assert paused == classes, f"port {port} pauses {paused:08b}, levels are {classes:08b}"
        assert enabled == classes | self.sent[port], f"port {port} enables {enabled:08b}"
        self.sent[port] = classes
        self.frames += 1

    async def one_cycle(self, draining):
        self.offer(draining)
        await Timer(1, "ns")
        self.grant()
        self.sample()
        self.start_frames()
        self.collect_frames()
        await FallingEdge(self.dut.clk_i)
        self.cycle += 1


@cocotb.test()
async def the_core_agrees_in_every_cycle(dut):
    """Verdicts, levels, the contents of PFC frames, and at the end the counters."""
    bench = Bench(dut)
    await bench.reset()
    await bench.configure()
    await FallingEdge(dut.clk_i)
    for cycle in range(CYCLES + 400):
        await bench.one_cycle(cycle >= CYCLES)
    dut.arr_waiting_i.value = dut.rel_waiting_i.value = dut.pfc_start_i.value = 0
    await bench.compare_registers(("pool", "egress_pool", "pg", "pg_stats", "queue_stats"))
    dut._log.info("compared %d, %d pauses, %d refusals, %d PFC frames", bench.compared,
                  bench.pauses, bench.refusals, bench.frames)
    assert bench.compared and bench.pauses and bench.refusals and bench.frames
    assert not any(bench.expected.values())
    bench.core.close()


@cocotb.test()
async def a_pfc_frame_pauses_and_resumes_a_class(dut):
    """Frames made by scapy, received at port 2: class 3 stops, and may send again."""
    bench = Bench(dut)
    await bench.reset()
    await bench.configure()

    async def receive(quanta):
        frame = bytes(Ether(src="02:00:00:00:00:99", dst=GROUP_ADDRESS, type=MAC_CONTROL) /
                      MACControlClassBasedFlowControl(c3_enabled=1, c3_pause_time=quanta))
        octets = frame.ljust(FRAME - 4, b"\0")[:FRAME - 4]
        octets += zlib.crc32(octets).to_bytes(4, "little")
        for at in range(0, FRAME, BEAT):
            beat = int.from_bytes(octets[at:at + BEAT], "little")
            dut.s_axis_rx_tdata_i.value = beat << 2 * 8 * BEAT
            dut.s_axis_rx_tkeep_i.value = 0xff << 2 * BEAT
            dut.s_axis_rx_tvalid_i.value = 1 << 2
            dut.s_axis_rx_tlast_i.value = (at + BEAT == FRAME) << 2
            await FallingEdge(dut.clk_i)
        dut.s_axis_rx_tvalid_i.value = 0

    def paused():
        return int(dut.pause_o.value)

    async def wait(most, wanted):
        for cycle in range(most):
            if paused() == wanted:
                return cycle
            await RisingEdge(dut.clk_i)
            await FallingEdge(dut.clk_i)
        raise AssertionError(f"pause_o is {paused():x} after {most} cycles, expected {wanted:x}")

    assert paused() == 0
    response = bench.core.read32(bench.core.address_of("port.response", 2), 0)
    await receive(1000)
    waited = await wait(response + 4, 1 << 8 * 2 + 3)
    assert waited >= response - 1, f"the class stops after {waited} cycles, not {response}"
    await receive(0)
    await wait(4, 0)
