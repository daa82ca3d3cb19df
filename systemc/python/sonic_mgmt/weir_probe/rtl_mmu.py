# SPDX-License-Identifier: Apache-2.0
"""The Verilated weir_mmu, by the library that scripts/rtl/make-backend makes (rtl_plugin.hpp), as class Mmu is.

The registers get what the core has for the chip file. Packets come one a cycle on the first lane of their domain, so
that more lanes make no difference. Works in the source tree: pins, parameters and registers are those of its tables.
"""
import ctypes
import os
import re
import sys

from .mmu import PRIORITIES, ROOT, Mmu, MmuError, Sent

HEADER = ROOT / "systemc/include/weir/model/rtl/rtl_plugin.hpp"
REGISTERS = ROOT / "docs/reference/registers.md"
USUAL = ROOT / "build/release/lib/weir/libweir_mmu_l2.so"  # comes with weir
WAIT = 1_000_000  # cycles until the RTL counts as dead


def tables():
    """scripts/rtl/pin_tables of this tree."""
    folder = str(ROOT / "scripts/rtl")
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        import pin_tables
    except ImportError as error:
        raise MmuError(f"scenario rtl: needs the source tree of Weir, {ROOT} is none") from error
    return pin_tables


def setting_names():
    """Names of the registers that software sets before chip.start, by registers.md."""
    names = []
    for line in REGISTERS.read_text().splitlines():
        block = re.match(r"## (\w+) at 0x", line)
        row = re.match(r"\| 0x\w+ \| `(\w+)` \| \d+ \| (CFG|RW) \|", line)
        if block:
            current = block[1]
        elif row and "*MAC*" not in line:
            names.append(f"{current}.{row[1]}")
    return names


class Pin(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.POINTER(ctypes.c_uint8)), ("bytes", ctypes.c_uint32)]


def api_type(fields):
    shape = type("Shape", (ctypes.Structure,), {"_fields_": [(name, ctypes.c_uint32) for name in fields]})
    handle = ctypes.c_void_p
    pins = ctypes.CFUNCTYPE(ctypes.POINTER(Pin), handle, ctypes.POINTER(ctypes.c_uint32))
    return type("Api", (ctypes.Structure,), {"_fields_": [
        ("shape", shape), ("create", ctypes.CFUNCTYPE(handle, ctypes.c_char_p)),
        ("destroy", ctypes.CFUNCTYPE(None, handle)), ("pins", pins), ("eval", ctypes.CFUNCTYPE(None, handle))]})


class Field:
    """A part of a pin: `bits` bits from bit `first` on of its octets."""

    def __init__(self, octets, first, bits):
        self._octets, self._bytes = octets, slice(first // 8, (first + bits - 1) // 8 + 1)
        self._shift, self._mask = first % 8, (1 << bits) - 1

    def get(self):
        return int.from_bytes(bytes(self._octets[self._bytes]), "little") >> self._shift & self._mask

    def set(self, value):
        word = int.from_bytes(bytes(self._octets[self._bytes]), "little")
        word = word & ~(self._mask << self._shift) | value << self._shift
        octets = word.to_bytes(self._bytes.stop - self._bytes.start, "little")
        self._octets[self._bytes] = list(octets)


class Library:
    """A library, its shape as parameters of weir_mmu, and instances of its RTL."""

    def __init__(self, path):
        self.path, self._tables = path, tables()
        rows = self._tables.parameters()
        try:
            self._library = ctypes.CDLL(str(path))
            entry = self._library.weir_rtl_api_v1
        except (OSError, AttributeError) as error:
            raise MmuError(f"rtl {path}: {error}; make it with scripts/rtl/make-backend") from error
        entry.restype = ctypes.POINTER(api_type(["abi"] + [row["field"] for row in rows]))
        self.api = entry().contents
        built = int(re.search(r"weir_rtl_abi = (\d+)", HEADER.read_text())[1])
        if self.api.shape.abi != built:
            raise MmuError(f"rtl {path}: has interface {self.api.shape.abi}, must have {built}; make it again "
                           "with scripts/rtl/make-backend")
        self.shape = {row["parameter"]: getattr(self.api.shape, row["field"]) for row in rows}
        self.numbers = self._tables.numbers(self.shape)

    def require_fits(self, needed):
        """`needed`: {parameter: what the chip has}."""
        for row in self._tables.parameters():
            name, rule = row["parameter"], row["chip"]
            if name not in needed:
                continue
            built, want = self.shape[name], needed[name]
            # More domains would move the rows of the registers.
            if (rule == "exactly" or name == "Domains") and built != want or built < want:
                raise MmuError(f"rtl {self.path}: is built with {name} = {built}, the chip needs {want}; make it "
                               f"with scripts/rtl/make-backend --{row['option']} {want}")

    def pins(self, rtl):
        """{name: [its parts]}"""
        count = ctypes.c_uint32()
        built = self.api.pins(rtl, ctypes.byref(count))
        octets = {}
        for pin in built[:count.value]:
            address = ctypes.cast(pin.data, ctypes.c_void_p).value
            octets[pin.name.decode()] = (ctypes.c_uint8 * pin.bytes).from_address(address)
        parts = {}
        for row in self._tables.pins():
            bits = self._tables.number(row["bits"], self.numbers)
            count = self._tables.number(row["parts"], self.numbers)
            parts[row["pin"]] = [Field(octets[row["pin"]], part * bits, bits) for part in range(count)]
        return parts


class RtlMmu:
    """An empty weir_mmu with the settings of a chip file."""

    def __init__(self, chip, library=None, rtl=None):
        self._rtl = None
        self._core = Mmu(chip, library)
        info = self._core.chip
        self._library = Library(rtl or os.environ.get("WEIR_RTL_LIBRARY") or USUAL)
        self._library.require_fits({
            "Ports": info.ports, "Domains": info.domains, "AdmitLatency": info.admit_latency,
            "PfcLatency": info.pfc_latency, "ThresholdLag": info.threshold_lag,
            "Profiles": self._core.register("chip.profiles"), "Pools": self._core.register("chip.pools"),
            "QueueProfiles": self._core.register("chip.queue_profiles"),
            "EgressPools": self._core.register("chip.egress_pools")})
        self._api = self._library.api
        self._rtl = self._api.create(b"weir_mmu")
        self._pins = self._library.pins(self._rtl)
        self._slot = {}  # of the first lane, by port
        self._start()

    def close(self):
        if self._rtl is not None:
            self._api.destroy(self._rtl)
            self._rtl = None
            self._core.close()

    def __del__(self):
        self.close()

    @property
    def ports(self):
        return self._core.ports

    def _set(self, pin, value, part=0):
        self._pins[pin][part].set(value)

    def _get(self, pin, part=0):
        return self._pins[pin][part].get()

    def _clock(self):
        """The edge that ends the cycle, and what the next one begins with."""
        self._set("clk_i", 1)
        self._api.eval(self._rtl)
        self._set("clk_i", 0)
        self._api.eval(self._rtl)

    def _start(self):
        self._set("rst_ni", 0)
        self._api.eval(self._rtl)
        for _ in range(4):
            self._clock()
        self._set("rst_ni", 1)
        self._wait_for("init_done_o")
        for name in setting_names():
            for index in range(1 << 16):
                address = self._core.address(name, index)
                if address is None:
                    break
                self._write(address, self._core.register(name, index), name)
        self._transfer(self._core.address("chip.start", 0), 1)

    def _wait_for(self, pin):
        for _ in range(WAIT):
            if self._get(pin):
                return
            self._clock()
        raise MmuError(f"rtl {self._library.path}: {pin} never rises")

    def _transfer(self, address, value=None):
        """A transfer over APB: a write, or a read, whose data it returns."""
        for pin, level in (("psel_i", 1), ("penable_i", 0), ("pwrite_i", int(value is not None)),
                           ("paddr_i", address), ("pwdata_i", value or 0)):
            self._set(pin, level)
        self._clock()
        self._set("penable_i", 1)
        self._api.eval(self._rtl)
        self._wait_for("pready_o")
        failed, data = self._get("pslverr_o"), self._get("prdata_o")
        self._clock()
        self._set("psel_i", 0)
        self._set("penable_i", 0)
        self._api.eval(self._rtl)
        if failed:
            raise MmuError(f"rtl {self._library.path}: error at register address 0x{address:06x}")
        return data

    def _write(self, address, value, name):
        """Reads it back: a value that is too wide for the RTL would be cut off."""
        self._transfer(address, value)
        read = self._transfer(address)
        if read != value:
            raise MmuError(f"rtl {self._library.path}: register {name} at 0x{address:06x} holds {read}, the chip "
                           f"needs {value}; it is built too small")

    def _place(self, port):
        """(slot of the first lane of the port's memory domain, part of the pins of what waits at it)."""
        if port not in self._slot:
            domain = self._core.register("port.domain", port)
            shape = self._library.shape
            self._slot[port] = (domain * shape["Lanes"], domain * shape["Ports"])
        return self._slot[port]

    def cells(self, octets):
        return self._core.cells(octets)

    def send(self, pg, queue, octets, count):
        """As Mmu.send(). A verdict comes some cycles after its packet, while the next ones come in."""
        slot, first = self._place(pg // PRIORITIES)
        self._set("arr_pg_i", pg, slot)
        self._set("arr_cells_i", self.cells(octets), slot)
        self._set("arr_bytes_i", octets, slot)
        copies = self._library.shape["Copies"]
        self._set("arr_queue_i", queue, slot * copies)
        self._set("arr_mask_i", 1, slot * copies)
        sent = Sent()
        reason, xoff = self._pins["arr_reason_o"][slot], self._pins["arr_xoff_o"][slot]
        self._stream("arr", slot, first + pg // PRIORITIES, count, lambda: sent.count(reason.get(), xoff.get()))
        return sent

    def release(self, pg, queue, octets, count):
        slot, first = self._place(pg // PRIORITIES)
        self._set("rel_pg_i", pg, slot)
        self._set("rel_cells_i", self.cells(octets), slot)
        self._set("rel_queue_i", queue, slot)
        self._set("rel_last_i", 1, slot)
        error = self._pins["rel_error_o"][slot]

        def judged():
            if error.get():
                raise MmuError(f"rtl {self._library.path}: release of more than is held")
        self._stream("rel", slot, first + queue // PRIORITIES, count, judged)

    def _stream(self, kind, slot, waiting_part, count, judged):
        """`count` requests, one a cycle; judged() at each verdict, until all have come."""
        granted, valid = self._pins[f"{kind}_grant_valid_o"][slot], self._pins[f"{kind}_valid_o"][slot]
        waiting = self._pins[f"{kind}_waiting_i"][waiting_part]
        asked = answered = idle = 0
        waiting.set(1 if count else 0)
        self._api.eval(self._rtl)
        while answered < count:
            asked += granted.get()
            if asked == count:
                self._clock_with(waiting)
            else:
                self._clock()
            idle += 1
            if valid.get():
                judged()
                answered += 1
                idle = 0
            if idle == WAIT:
                raise MmuError(f"rtl {self._library.path}: no verdict after {WAIT} cycles")

    def _clock_with(self, waiting):
        """An edge after which nothing waits."""
        self._set("clk_i", 1)
        self._api.eval(self._rtl)
        self._set("clk_i", 0)
        waiting.set(0)
        self._api.eval(self._rtl)

    def xoff(self, pg):
        port, group = divmod(pg, PRIORITIES)
        return bool(self._get("xoff_o", port) >> group & 1)
