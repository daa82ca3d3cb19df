# SPDX-License-Identifier: Apache-2.0
"""weir_mmu.h by ctypes: the core as the reference of a bench in Python (docs/guide/cocotb.md)."""
import ctypes
import os
from ctypes import byref, c_char_p, c_uint8, c_uint32, c_uint64

REASONS = ("admitted", "shared_threshold", "shared_pool", "headroom_limit", "headroom_pool",
           "egress_queue", "wred")


class _Sized(ctypes.Structure):
    """A structure that begins with its own size."""

    def __init__(self, **fields):
        super().__init__(size=ctypes.sizeof(self), **fields)


def _sized(name, *fields):
    return type(name, (_Sized,), {"_fields_": [("size", c_uint32), *fields]})


def _u32(*names):
    return [(name, c_uint32) for name in names]


Chip = _sized("Chip", *_u32("ports", "domains", "lanes", "cell", "cell_overhead", "mtu",
                            "admit_latency", "pfc_latency", "threshold_lag"), ("clock", c_uint64))
Arrival = _sized("Arrival", *_u32("pg", "queue", "cells", "bytes", "ecn"), ("now", c_uint64))
Verdict = _sized("Verdict", *_u32("reason", "private_cells", "shared_cells", "headroom_cells",
                                  "threshold"),
                 ("xoff", c_uint8), ("changed", c_uint8), ("port_off", c_uint8),
                 ("marked", c_uint8), ("reserved", c_uint32))
Departure = _sized("Departure", *_u32("pg", "queue", "cells", "last", "reserved"),
                   ("now", c_uint64))
Level = _sized("Level", ("xoff", c_uint8), ("changed", c_uint8), ("port_off", c_uint8),
               ("reserved", c_uint8))


class Refused(ValueError):
    """A call that the library has refused, in its words; `status` as in weir_mmu.h."""

    def __init__(self, words, status=None):
        super().__init__(words)
        self.status = status


class Mmu:
    """An MMU of the library at `library`, from a chip file. Cells, bytes and cycles are integers; pg
    is port * 8 + priority group, queue is port * 8 + queue."""

    def __init__(self, library, chip_file):
        self._library = ctypes.CDLL(str(library))
        self._library.weir_mmu_last_error.restype = c_char_p
        self._number = c_uint64()
        self._call("open", os.fsencode(chip_file), byref(self._number), number=False)
        self.chip = Chip()
        self._call("chip", byref(self.chip))

    def _call(self, function, *arguments, number=True):
        numbers = (self._number,) if number else ()
        self._require(getattr(self._library, f"weir_mmu_{function}")(*numbers, *arguments))

    def caller(self, function, *arguments):
        """The same call again and again, looked up once."""
        call, number = getattr(self._library, f"weir_mmu_{function}"), self._number

        def again():
            status = call(number, *arguments)
            if status != 0:
                self._require(status)
        return again

    def _require(self, status):
        if status != 0:
            words = self._library.weir_mmu_last_error()
            raise Refused(words.decode(errors="replace"), status)

    def close(self):
        self._call("close")

    def cells(self, length):
        cells = c_uint32()
        self._call("cells", c_uint32(length), byref(cells))
        return cells.value

    def arrive(self, now, pg, queue, cells, length):
        verdict = Verdict()
        arrival = Arrival(pg=pg, queue=queue, cells=cells, bytes=length, now=now)
        self._call("arrive", byref(arrival), byref(verdict))
        return verdict

    def release(self, now, pg, queue, cells, last=True):
        level = Level()
        departure = Departure(pg=pg, queue=queue, cells=cells, last=int(last), now=now)
        self._call("release", byref(departure), byref(level))
        return level

    def xoff_classes(self, port):
        classes = c_uint8()
        self._call("xoff_classes", c_uint32(port), byref(classes))
        return classes.value

    def counter(self, sai_name, index):
        value = c_uint64()
        self._call("counter", sai_name.encode(), c_uint32(index), byref(value))
        return value.value

    def address_of(self, register, index=0):
        address = c_uint32()
        self._call("register", register.encode(), c_uint32(index), byref(address))
        return address.value

    def write32(self, address, now, value):
        self._call("write32", c_uint32(address), c_uint64(now), c_uint32(value))

    def read32(self, address, now):
        value = c_uint32()
        self._call("read32", c_uint32(address), c_uint64(now), byref(value))
        return value.value


def parameters_of(core):
    """{parameter of the RTL: value}: those that chip.NAME shows, of an Mmu."""
    names = {"ports": "Ports", "domains": "Domains", "lanes": "Lanes", "profiles": "Profiles",
             "pools": "Pools", "queue_profiles": "QueueProfiles", "egress_pools": "EgressPools",
             "admit": "AdmitLatency", "pfc": "PfcLatency", "threshold_lag": "ThresholdLag",
             "mark": "MarkLatency", "wred_profiles": "WredProfiles"}
    return {parameter: core.read32(core.address_of(f"chip.{name}"), 0)
            for name, parameter in names.items()}
