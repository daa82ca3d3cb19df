# SPDX-License-Identifier: Apache-2.0
"""The registers of weir_mmu over APB, through the register model of pyuvm that PeakRDL makes from
rtl/weir_mmu.rdl: what they hold after reset, what is written is read back, what is refused."""
import os
import sys

import cocotb
import pyuvm
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from cocotbext.apb import ApbBus, ApbMaster

from register_description import registers_of
from weir_mmu_c import Mmu

sys.path.insert(0, os.environ["WEIR_REGISTER_MODELS"])
import weir_mmu_ral  # noqa: E402

APB = {name: f"{name}_{way}" for name, way in (("psel", "i"), ("pwrite", "i"), ("paddr", "i"),
                                               ("pwdata", "i"), ("pready", "o"), ("prdata", "o"))}
AFTER_THE_LAST = 0x60  # of the block chip


class Transfer(pyuvm.uvm_sequence_item):
    def __init__(self, name, write=False, address=0, data=0):
        super().__init__(name)
        self.write, self.address, self.data = write, address, data


class ApbDriver(pyuvm.uvm_driver):
    """Each item is one transfer; one that is refused ends the test."""

    def build_phase(self):
        self.apb = pyuvm.ConfigDB().get(self, "", "apb")

    async def run_phase(self):
        while True:
            item = await self.seq_item_port.get_next_item()
            if item.write:
                await self.apb.write(item.address, item.data)
            else:
                item.data = int.from_bytes(await self.apb.read(item.address), "little")
            self.seq_item_port.item_done()


class ApbAdapter(pyuvm.uvm_reg_adapter):
    def reg2bus(self, rw):
        return Transfer("transfer", rw.kind == pyuvm.uvm_access_e.UVM_WRITE, rw.addr, rw.data)

    def bus2reg(self, bus_item, rw):
        rw.kind = pyuvm.uvm_access_e.UVM_WRITE if bus_item.write else pyuvm.uvm_access_e.UVM_READ
        rw.addr, rw.data = bus_item.address, bus_item.data
        rw.status = pyuvm.uvm_status_e.UVM_IS_OK


class RegisterEnv(pyuvm.uvm_env):
    def build_phase(self):
        self.sequencer = pyuvm.uvm_sequencer("sequencer", self)
        self.driver = ApbDriver("driver", self)
        self.model = weir_mmu_ral.weir_mmu("weir_mmu")
        self.model.build()
        self.model.lock_model()
        self.model.reset()

    def connect_phase(self):
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
        bus = self.model.get_default_map()
        bus.set_sequencer(self.sequencer, ApbAdapter("adapter"))
        bus.set_auto_predict(True)


class RegisterTest(pyuvm.uvm_test):
    """What the tests share: reset, and the registers by their addresses."""

    def build_phase(self):
        self.dut = cocotb.top
        bus = ApbBus(self.dut, signals=APB,
                     optional_signals={"penable": "penable_i", "pslverr": "pslverr_o"})
        self.apb = ApbMaster(bus, self.dut.clk_i)
        self.apb.log.setLevel("WARNING")
        pyuvm.ConfigDB().set(self, "*", "apb", self.apb)
        self.env = RegisterEnv("env", self)
        self.core = Mmu(os.environ["WEIR_MMU_LIBRARY"], os.environ["WEIR_CHIP"])
        self.words = registers_of(self.core)

    async def run_phase(self):
        self.raise_objection()
        for name in os.environ["WEIR_INPUTS"].split():
            getattr(self.dut, name).value = 0
        cocotb.start_soon(Clock(self.dut.clk_i, 10, "ns").start())
        for _ in range(3):
            await FallingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        while not int(self.dut.init_done_o.value):
            await FallingEdge(self.dut.clk_i)
        self.model = {int(register.get_address()): register
                      for register in self.env.model.get_default_map().get_registers()}
        assert set(self.model) == {word.address for word in self.words}
        await self.check()
        self.core.close()
        self.drop_objection()

    async def read(self, address):
        status, value = await self.model[address].read()
        assert status == pyuvm.uvm_status_e.UVM_IS_OK, f"{address:06x} is refused"
        return value

    async def write(self, address, value):
        status = await self.model[address].write(value)
        assert status == pyuvm.uvm_status_e.UVM_IS_OK, f"{address:06x} refuses {value:x}"


@pyuvm.test()
class EveryRegisterHasItsResetValue(RegisterTest):
    async def check(self):
        for word in self.words:
            register = self.model[word.address]
            assert register.get_reset() == word.reset, f"model and description: {word.path}"
            value = await self.read(word.address)
            assert value == word.reset, f"{word.path} is {value:x}, expected {word.reset:x}"
        self.logger.info(f"{len(self.words)} registers have their reset value")


@pyuvm.test()
class WhatIsWrittenIsReadBack(RegisterTest):
    """The settings of the chip file; what is read only refuses, and so does all of CFG once started."""

    async def check(self):
        settings = [word for word in self.words if word.access in ("CFG", "RW")]
        values = {word.address: self.core.read32(word.address, 0) for word in settings}
        for word in settings:
            await self.write(word.address, values[word.address])
        for word in settings:
            value = await self.read(word.address)
            assert value == values[word.address] == self.model[word.address].get_mirrored_value(), \
                f"{word.path} is {value:x}, expected {values[word.address]:x}"
        changed = sum(values[word.address] != word.reset for word in settings)
        assert changed > len(settings) // 3, "the settings are those after reset"
        read_only = [word for word in self.words if word.access == "RO"]
        for word in read_only[::7]:
            await self.apb.write(word.address, 1, error_expected=True)
        start = self.core.address_of("chip.start")
        await self.write(start, 1)
        assert await self.read(start) == 1, "chip.start keeps what is written"
        clear = self.core.address_of("chip.clear_stats")
        await self.write(clear, 1)
        assert await self.read(clear) == 0, "chip.clear_stats reads as 0"
        for word in settings:
            refused = word.access == "CFG"
            await self.apb.write(word.address, values[word.address], error_expected=refused)
        for word in settings:
            assert await self.read(word.address) == values[word.address], word.path
        self.logger.info(f"{len(settings)} settings, {changed} of them other than after reset, "
                         f"{len(read_only)} read only")


@pyuvm.test()
class WhereNothingIsIsRefused(RegisterTest):
    async def check(self):
        first_after = self.core.address_of("port.rate", 0) + 0x40 * self.core.chip.ports
        for address in (AFTER_THE_LAST, 0x1, 0x2, first_after, 0x37fffc, 0xfffffc):
            assert address not in self.model
            await self.apb.read(address, error_expected=True)
            await self.apb.write(address, 0, error_expected=True)
        for name, value in (("chip.quanta", 0), ("chip.quanta", 0x10000), ("profile.alpha", 0x10000)):
            await self.apb.write(self.core.address_of(name), value, error_expected=True)
