# SPDX-License-Identifier: Apache-2.0
"""weir_mmu in a simulator, against the core by ctypes: settings and counters over APB
(cocotbext-apb), random traffic, every verdict and level in its cycle, PFC frames read and made by
scapy. One domain, one lane. scripts/rtl/cocotb starts it; the environment names library, chip,
cycles and seed."""
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
Expected = collections.namedtuple("Expected", "due kind pg answer packet")


def field(signal, index, width):
    """Part `index` of `width` bits of a packed output."""
    return int(signal.value) >> index * width & (1 << width) - 1


class Bench:
    def __init__(self, dut):
        self.dut = dut
        self.core = Mmu(os.environ["WEIR_MMU_LIBRARY"], os.environ["WEIR_CHIP"])
        self.ports = self.core.chip.ports
        self.registers = registers_of(self.core)
        self.quanta = self.core.read32(self.core.address_of("chip.quanta"), 0)
        self.random = random.Random(SEED)
        self.cycle = 0
        self.expected = collections.deque()
        self.held = collections.deque()
        self.coming = self.leaving = None
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
        dut.rel_last_i.value = 1
        dut.arr_mask_i.value = 1
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

    def offer(self, draining):
        """New requests: bursts that fill the buffer, then longer times in which it drains."""
        draw = self.random.randrange
        if draw(150) == 0:
            self.filling = not self.filling
        self.coming = self.leaving = None
        if not draining and draw(10) < (9 if self.filling else 3):
            pg = 3 if draw(2) else draw(8 * self.ports)
            length = 64 + draw(1600)
            self.coming = Packet(pg, 8 * draw(self.ports) + pg % 8, self.core.cells(length), length)
        if self.held and draw(10) < (10 if draining else 4 if self.filling else 7):
            self.leaving = self.held[0]
        dut = self.dut
        dut.arr_waiting_i.value = 1 << self.coming.pg // 8 if self.coming else 0
        dut.rel_waiting_i.value = 1 << self.leaving.queue // 8 if self.leaving else 0
        for way, packet in (("arr", self.coming), ("rel", self.leaving)):
            if packet:
                getattr(dut, f"{way}_pg_i").value = packet.pg
                getattr(dut, f"{way}_queue_i").value = packet.queue
                getattr(dut, f"{way}_cells_i").value = packet.cells
        if self.coming:
            dut.arr_bytes_i.value = self.coming.length

    def grant(self):
        """What is granted now, as steps of the core: the release first."""
        due = self.cycle + self.core.chip.admit_latency
        if int(self.dut.rel_grant_valid_o.value):
            packet = self.held.popleft()
            level = self.core.release(self.cycle, packet.pg, packet.queue, packet.cells)
            self.expected.append(Expected(due, "rel", packet.pg, level, packet))
        if int(self.dut.arr_grant_valid_o.value):
            verdict = self.core.arrive(self.cycle, *self.coming)
            self.expected.append(Expected(due, "arr", self.coming.pg, verdict, self.coming))

    def sample(self):
        for way in ("rel", "arr"):
            if int(getattr(self.dut, f"{way}_valid_o").value):
                assert self.expected, f"cycle {self.cycle}: a verdict of nothing"
                self.judge(way, self.expected.popleft())
        assert not self.expected or self.cycle < self.expected[0].due, \
            f"cycle {self.cycle}: {self.expected[0]} is missing"
        levels = sum(level << pg for pg, level in enumerate(self.level))
        assert int(self.dut.xoff_o.value) == levels, \
            f"cycle {self.cycle}: xoff_o is {int(self.dut.xoff_o.value):x}, expected {levels:x}"

    def judge(self, way, wanted):
        names = ["pg", "xoff", "changed"]
        expected = [wanted.pg, wanted.answer.xoff, wanted.answer.changed]
        if wanted.kind == "arr":
            names += ["reason", "private", "shared", "headroom", "threshold"]
            expected += [wanted.answer.reason, wanted.answer.private_cells,
                         wanted.answer.shared_cells, wanted.answer.headroom_cells,
                         wanted.answer.threshold]
        shown = [int(getattr(self.dut, f"{way}_{name}_o").value) for name in names]
        assert (way, self.cycle, shown) == (wanted.kind, wanted.due, expected), \
            f"cycle {self.cycle}: {way} {dict(zip(names, shown))}, expected {wanted.kind} in " \
            f"cycle {wanted.due} {dict(zip(names, expected))}"
        self.level[wanted.pg] = wanted.answer.xoff
        self.compared += 1
        self.pauses += wanted.answer.changed and wanted.answer.xoff
        if wanted.kind == "arr":
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
    assert not bench.expected
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
