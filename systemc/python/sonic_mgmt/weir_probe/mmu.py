# SPDX-License-Identifier: Apache-2.0
"""The MMU of a chip file by libweir_mmu (systemc/c/include/weir_mmu.h), one step a packet."""
import ctypes
import ctypes.util
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]  # of the source tree, or the prefix of an installation
PRIORITIES = 8
# weir_mmu_status and weir_mmu_reason.
OK, RANGE = 0, 4
ADMITTED, EGRESS_QUEUE, WRED = 0, 5, 6


class MmuError(ValueError):
    """What cannot be used, and what would be legal."""


class Arrival(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("size", "pg", "queue", "cells", "bytes", "ecn")]
    _fields_ += [("now", ctypes.c_uint64)]


class Verdict(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in (
        "size", "reason", "private_cells", "shared_cells", "headroom_cells", "threshold")]
    _fields_ += [(name, ctypes.c_uint8) for name in ("xoff", "changed", "port_off", "marked")]
    _fields_ += [("reserved", ctypes.c_uint32)]


class Departure(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("size", "pg", "queue", "cells", "last", "reserved")]
    _fields_ += [("now", ctypes.c_uint64)]


class Level(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32)]
    _fields_ += [(name, ctypes.c_uint8) for name in ("xoff", "changed", "port_off", "reserved")]


class ChipInfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in (
        "size", "ports", "domains", "lanes", "cell", "cell_overhead", "mtu", "admit_latency",
        "pfc_latency", "threshold_lag")]
    _fields_ += [("clock", ctypes.c_uint64)]


def made(structure, **fields):
    return structure(size=ctypes.sizeof(structure), **fields)


class Sent:
    """What became of packets of one flow."""

    def __init__(self):
        self.admitted = 0
        self.paused = False  # the priority group was XOFF after one of them
        self.refused_at_ingress = 0
        self.refused_at_egress = 0

    def count(self, reason, xoff):
        if xoff:
            self.paused = True
        if reason == ADMITTED:
            self.admitted += 1
        elif reason in (EGRESS_QUEUE, WRED):
            self.refused_at_egress += 1
        else:
            self.refused_at_ingress += 1


def find_library(given):
    """The shared library: given, by WEIR_MMU_LIBRARY, of this tree, of its prefix, of the system."""
    named = given or os.environ.get("WEIR_MMU_LIBRARY")
    if named:
        return named
    places = [ROOT / "build/release/systemc/c/libweir_mmu.so",
              *ROOT.glob("lib*/libweir_mmu.so.1"), *ROOT.glob("lib/*/libweir_mmu.so.1")]
    for place in places:
        if place.is_file():
            return str(place)
    found = ctypes.util.find_library("weir_mmu")
    if found is None:
        raise MmuError("libweir_mmu: not found; name it with library=... or WEIR_MMU_LIBRARY, or build "
                       "it: cmake --preset release && cmake --build --preset release --target weir_mmu")
    return found


class Mmu:
    """An empty MMU of a chip file."""

    def __init__(self, chip, library=None):
        self._handle = None
        path = find_library(library)
        try:
            self._library = ctypes.CDLL(path)
        except OSError as error:
            raise MmuError(f"library {path}: {error}") from error
        self._declare()
        handle = ctypes.c_uint64()
        self._require(self._library.weir_mmu_open(os.fsencode(chip), ctypes.byref(handle)))
        self._handle = handle
        self._now = 0
        self.chip = made(ChipInfo)
        self._require(self._library.weir_mmu_chip(handle, ctypes.byref(self.chip)))

    def _declare(self):
        library, handle = self._library, ctypes.c_uint64
        library.weir_mmu_last_error.restype = ctypes.c_char_p
        library.weir_mmu_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(handle)]
        word = ctypes.POINTER(ctypes.c_uint32)
        for name, arguments in (
                ("close", []), ("chip", [ctypes.POINTER(ChipInfo)]), ("cells", [ctypes.c_uint32, word]),
                ("arrive", [ctypes.POINTER(Arrival), ctypes.POINTER(Verdict)]),
                ("release", [ctypes.POINTER(Departure), ctypes.POINTER(Level)]),
                ("xoff_classes", [ctypes.c_uint32, ctypes.POINTER(ctypes.c_uint8)]),
                ("register", [ctypes.c_char_p, ctypes.c_uint32, word]),
                ("read32", [ctypes.c_uint32, ctypes.c_uint64, word])):
            getattr(library, "weir_mmu_" + name).argtypes = [handle, *arguments]

    def _require(self, status):
        if status != OK:
            raise MmuError(self._library.weir_mmu_last_error().decode(errors="replace"))

    def close(self):
        if self._handle is not None:
            self._library.weir_mmu_close(self._handle)
            self._handle = None

    def __del__(self):
        self.close()

    @property
    def ports(self):
        return self.chip.ports

    def cells(self, octets):
        cells = ctypes.c_uint32()
        self._require(self._library.weir_mmu_cells(self._handle, octets, ctypes.byref(cells)))
        return cells.value

    def send(self, pg, queue, octets, count):
        """`count` packets, each decided before the next one. Groups and queues are port x 8 + number."""
        packet = made(Arrival, pg=pg, queue=queue, bytes=octets, cells=self.cells(octets))
        verdict = made(Verdict)
        step = self._step(self._library.weir_mmu_arrive, packet, verdict)
        sent = Sent()
        for _ in range(count):
            step()
            sent.count(verdict.reason, verdict.xoff)
        return sent

    def _step(self, call, request, answer):
        """A step of the MMU in the next cycle, as a function: there are millions."""
        handle, request_at, answer_at = self._handle, ctypes.byref(request), ctypes.byref(answer)

        def step():
            self._now = request.now = self._now + 1
            status = call(handle, request_at, answer_at)
            if status != OK:
                self._require(status)
        return step

    def release(self, pg, queue, octets, count):
        """`count` packets have left."""
        packet = made(Departure, pg=pg, queue=queue, cells=self.cells(octets), last=1)
        step = self._step(self._library.weir_mmu_release, packet, made(Level))
        for _ in range(count):
            step()

    def xoff(self, pg):
        """Whether the group is XOFF."""
        value = self.register("pg.xoff", pg)
        return bool(value)

    def address(self, name, index):
        """Of a register, by its name; None beyond its last instance."""
        address = ctypes.c_uint32()
        status = self._library.weir_mmu_register(self._handle, name.encode(), index, ctypes.byref(address))
        if status == RANGE:
            return None
        self._require(status)
        return address.value

    def register(self, name, index=0):
        value = ctypes.c_uint32()
        self._require(self._library.weir_mmu_read32(self._handle, self.address(name, index), self._now,
                                                    ctypes.byref(value)))
        return value.value
