# SPDX-License-Identifier: Apache-2.0
"""The MMU of a chip file by libweir_mmu (systemc/c/include/weir_mmu.h), one step a packet."""
import ctypes.util
import os
import pathlib
import sys
from ctypes import byref

ROOT = pathlib.Path(__file__).resolve().parents[4]  # of the source tree, or the prefix of an installation
sys.path[:0] = [str(ROOT / "systemc/c/python"), str(ROOT / "share/weir/python")]
import weir_mmu_c  # noqa: E402
from weir_mmu_c import REASONS, Arrival, Departure, Level, Refused as MmuError, Verdict  # noqa: E402

PRIORITIES = 8
OUT_OF_RANGE = 4  # weir_mmu_status
ADMITTED, EGRESS_QUEUE, WRED = (REASONS.index(reason)
                                for reason in ("admitted", "egress_queue", "wred"))


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
        self._core = None
        self._now = 0
        path = find_library(library)
        try:
            self._core = weir_mmu_c.Mmu(path, chip)
        except OSError as error:
            raise MmuError(f"library {path}: {error}") from error
        self.chip = self._core.chip

    def close(self):
        if self._core is not None:
            self._core.close()
            self._core = None

    def __del__(self):
        self.close()

    @property
    def ports(self):
        return self.chip.ports

    def cells(self, octets):
        return self._core.cells(octets)

    def send(self, pg, queue, octets, count):
        """`count` packets, each decided before the next one. Groups and queues are port x 8 + number."""
        packet = Arrival(pg=pg, queue=queue, bytes=octets, cells=self.cells(octets))
        verdict = Verdict()
        step = self._step("arrive", packet, verdict)
        sent = Sent()
        for _ in range(count):
            step()
            sent.count(verdict.reason, verdict.xoff)
        return sent

    def _step(self, function, request, answer):
        """A step of the MMU in the next cycle, as a function: there are millions."""
        call = self._core.caller(function, byref(request), byref(answer))

        def step():
            self._now = request.now = self._now + 1
            call()
        return step

    def release(self, pg, queue, octets, count):
        """`count` packets have left."""
        packet = Departure(pg=pg, queue=queue, cells=self.cells(octets), last=1)
        step = self._step("release", packet, Level())
        for _ in range(count):
            step()

    def xoff(self, pg):
        """Whether the group is XOFF."""
        value = self.register("pg.xoff", pg)
        return bool(value)

    def address(self, name, index):
        """Of a register, by its name; None beyond its last instance."""
        try:
            return self._core.address_of(name, index)
        except MmuError as error:
            if error.status == OUT_OF_RANGE:
                return None
            raise

    def register(self, name, index=0):
        return self._core.read32(self.address(name, index), self._now)
