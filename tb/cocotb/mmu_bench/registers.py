# SPDX-License-Identifier: Apache-2.0
"""Registers over APB (cocotbext-apb): settings, what is refused, what the MMU holds and has counted, and
writes while requests go on."""
from cocotb import start_soon
from cocotbext.apb import ApbBus, ApbMaster

from register_description import registers_of

SIGNALS = {name: f"{name}_{way}" for name, way in (("psel", "i"), ("pwrite", "i"), ("paddr", "i"),
                                                   ("pwdata", "i"), ("pready", "o"), ("prdata", "o"))}
# Blocks that count at the MACs, of which there are none, and chip: register_bench.py reads it.
ELSEWHERE = ("chip", "port_class", "port_class_health")
WRITE_EVERY = 20  # cycles, where settings are written while requests go on


class Registers:
    def __init__(self, pins, core, random):
        self.pins, self.core, self.random = pins, core, random
        self.apb = ApbMaster(ApbBus(pins.dut, signals=SIGNALS, optional_signals={
            "penable": "penable_i", "pslverr": "pslverr_o"}), pins.clock)
        self.apb.log.setLevel("WARNING")
        self.words = registers_of(core)
        self.compared_words = [
            word for word in self.words if word.access not in ("W1C", "W1S")
            and word.block not in ELSEWHERE and (word.block, word.access) != ("port", "RO")]
        self.quanta, self.clear_stats = self.address("chip.quanta"), self.address("chip.clear_stats")
        self.profiles = core.read32(self.address("chip.profiles"), 0)
        self.original = {}   # {address: setting of the chip file}, of those that were written since
        self.writing = None  # (address, value) of the transfer that goes on
        self.compared = self.writes = 0

    def address(self, name, index=0):
        return self.core.address_of(name, index)

    async def write(self, name, index, value):
        await self.apb.write(self.address(name, index), value)

    async def refused(self, name, index, value):
        """Of a setting."""
        await self.apb.write(self.address(name, index), value, error_expected=True)

    async def sizes(self, cell_bits):
        """Before the MMU has started: the most cells that a count holds, and one more."""
        for name in ("profile.private", "pool.shared_size"):
            await self.write(name, 0, (1 << cell_bits) - 1)
            await self.refused(name, 0, 1 << cell_bits)

    async def configure(self):
        """Every setting that software may write, as the core has it; then the start."""
        for word in self.words:
            if word.access in ("CFG", "RW"):
                await self.apb.write(word.address, self.core.read32(word.address, 0))
        await self.write("chip.start", 0, 1)

    async def refusals(self):
        """Once it has started: configuration, what is read only, values that are not legal, and where
        nothing is."""
        for word in self.words[::7]:
            if word.access in ("CFG", "RO"):
                await self.apb.write(word.address, 1, error_expected=True)
        for name, value in (("chip.quanta", 0), ("chip.quanta", 0x10000), ("profile.alpha", 0x10000)):
            await self.refused(name, 0, value)
        for address in (self.address("chip.ports") + 1,
                        self.address("port.rate") + 0x40 * self.core.chip.ports):
            await self.apb.read(address, error_expected=True)

    async def read(self, address):
        return int.from_bytes(await self.apb.read(address), "little")

    async def compare(self, cycle, share=1):
        """Settings, what the MMU holds and has counted; of so many words one. Frames are counted by the PFC
        blocks, which the core has not: compare_frames()."""
        for word in self.compared_words[self.below(share)::share]:
            shown, wanted = await self.read(word.address), self.core.read32(word.address, cycle)
            assert shown == wanted, f"{word.path} is {shown}, expected {wanted}"
            self.compared += 1

    async def compare_frames(self, pfc):
        """Sent and received, of all ports."""
        for n, port in enumerate(pfc.port):
            for name, wanted in (("sent", port.sent), ("received", port.received)):
                shown = await self.read(self.address(f"port.pfc_frames_{name}", n))
                assert shown == wanted, f"port {n}: {shown} frames {name}, expected {wanted}"
            pfc.sent, pfc.received = pfc.sent + port.sent, pfc.received + port.received

    async def clear(self, cycle):
        await self.apb.write(self.clear_stats, 1)
        self.core.write32(self.clear_stats, cycle, 1)

    # ---- While requests go on ----

    def below(self, number):
        return int(self.random.random() * number)

    def draw_write(self, may_clear):
        """A setting and a legal value, every third time that of the chip file; or a clear of the
        counters."""
        which = self.below(8 if may_clear else 5)
        if which >= 5:
            return self.clear_stats, 1
        profile = self.below(self.profiles)
        if which == 4:
            address, value = self.quanta, 1 + self.below(1 << 1 + self.below(12))
        elif which == 3:
            address = self.address("profile.alpha", profile)
            value = self.below(17) << 16 | 1 + self.below((1 << 1 + self.below(16)) - 1)
        else:
            name = ("static_limit", "xon", "xon_offset")[which]
            address = self.address(f"profile.{name}", profile)
            value = self.below(1 << self.below(10)) if self.below(16) else 1 << 24  # the most there is
        return address, value

    def start_write(self, cycle, may_clear):
        """Now and then a transfer begins."""
        if self.writing is not None or self.below(WRITE_EVERY):
            return
        address, value = self.draw_write(may_clear)
        self.original.setdefault(address, self.core.read32(address, cycle))
        if self.below(3) == 0 and address != self.clear_stats:
            value = self.original[address]
        self.writing = address, value
        start_soon(self.apb.write(address, value))

    def take_write(self, cycle):
        """What is written acts on the requests of the cycle that answers. (address, value) or None."""
        if self.writing is None or not self.pins.word("penable_i") or not self.pins.word("pready_o"):
            return None
        address, value = self.writing
        assert not self.pins.word("pslverr_o"), f"cycle {cycle}: {address:06x} refuses {value:x}"
        self.core.write32(address, cycle, value)
        self.writing = None
        self.writes += 1
        return address, value
