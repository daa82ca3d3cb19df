# SPDX-License-Identifier: Apache-2.0
"""weir_mmu.h by ctypes: the core as the reference of a bench in Python (docs/guide/cocotb.md).

Units: whole cells, bytes, core-clock cycles. `pg` is port * 8 + priority group, `queue` port * 8 +
queue, `ecn` the two ECN bits of an IP header (0: not ECT). `now` is the cycle of a step; it never goes
back. What weir_mmu.h refuses is raised as Refused, with its weir_mmu_status; after that nothing has
changed.
"""
import ctypes
import os
from ctypes import byref, c_char_p, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, sizeof

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
Copy = _sized("Copy", ("queue", c_uint32), ("accepted", c_uint8), ("marked", c_uint8),
              ("reserved", c_uint16))


class Group(ctypes.Structure):
    """What a priority group holds; `threshold` is T now."""

    _fields_ = _u32("private_cells", "shared_cells", "headroom_cells", "threshold", "xoff")


NO_LIMIT = (1 << 32) - 1  # threshold of a queue that has none
RANGE = 4  # weir_mmu_status


class Refused(ValueError):
    """A call that the library has refused, in its words; `status` as in weir_mmu.h."""

    def __init__(self, words, status=None):
        super().__init__(words)
        self.status = status


class Mmu:
    """An MMU of the library at `library`, empty, from a chip file, or from the text of one."""

    def __init__(self, library, chip_file=None, text=None, name="chip"):
        """`text` in place of `chip_file`: errors of it call it `name`. OSError: no such library."""
        self._library = ctypes.CDLL(str(library))
        self._library.weir_mmu_last_error.restype = c_char_p
        self._library.weir_mmu_version.restype = c_uint32
        self._number = c_uint64()
        if text is None:
            self._call("open", os.fsencode(chip_file), byref(self._number), number=False)
        else:
            octets = text.encode()
            self._call("open_text", octets, c_size_t(len(octets)), name.encode(),
                       byref(self._number), number=False)
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

    @property
    def version(self):
        """(major, minor) of the library."""
        return divmod(self._library.weir_mmu_version(), 1 << 16)

    def close(self):
        """Any call after it is refused."""
        self._call("close")

    def cells(self, length):
        """Cells that a packet of `length` bytes takes."""
        _fits(length)
        cells = c_uint32()
        self._call("cells", c_uint32(length), byref(cells))
        return cells.value

    def arrive(self, now, pg, queue, cells, length, ecn=0):
        """One step: a packet of `cells` cells (1 to 2^24) and `length` bytes comes in for one queue. A
        queue with a WRED profile is asked first. A Verdict."""
        _fits(pg, queue, cells, length, ecn, now=now)
        verdict = Verdict()
        arrival = Arrival(pg=pg, queue=queue, cells=cells, bytes=length, ecn=ecn, now=now)
        self._call("arrive", byref(arrival), byref(verdict))
        return verdict

    def arrive_copies(self, now, pg, queues, cells, length, ecn=0):
        """The same for several queues, all different: (Verdict, [Copy] in the order of `queues`). The
        cells are charged once at ingress; queues that refuse are left out, and when all do, the packet
        is refused. WRED drops nothing here."""
        _fits(pg, *queues, cells, length, ecn, now=now)
        verdict = Verdict()
        arrival = Arrival(pg=pg, cells=cells, bytes=length, ecn=ecn, now=now)
        copies = (Copy * len(queues))(*(Copy(queue=queue) for queue in queues))
        self._call("arrive_copies", byref(arrival), copies, c_uint32(len(queues)), byref(verdict))
        return verdict, list(copies)

    def mark(self, now, queue, cells, length, ecn):
        """A packet begins to leave `queue`: whether CE is written into it. Once for each packet that a
        queue with a WRED profile has taken, ahead of its release. Refused: fewer cells wait there."""
        _fits(queue, cells, length, ecn, now=now)
        marked = c_uint8()
        self._call("mark", c_uint32(queue), c_uint32(cells), c_uint32(length), c_uint32(ecn),
                   c_uint64(now), byref(marked))
        return bool(marked.value)

    def discard(self, now, queue, cells):
        """The same of a packet that leaves without being sent: its cells wait no more, nothing is
        drawn. Refused: fewer cells wait there."""
        _fits(queue, cells, now=now)
        self._call("discard", c_uint32(queue), c_uint32(cells), c_uint64(now))

    def enter_later(self):
        """From now on a packet that is admitted enters none of its queues until enter() says so: as in
        hardware, where it counts in q from the cycle of its verdict on."""
        self._call("enter_later")

    def enter(self, now, queue, cells, length, ecn):
        """After enter_later(), once for each queue that has taken a packet: it waits there from cycle
        `now` on. Whether CE is written into it at enqueue."""
        _fits(queue, cells, length, ecn, now=now)
        marked = c_uint8()
        self._call("enter", c_uint32(queue), c_uint32(cells), c_uint32(length), c_uint32(ecn),
                   c_uint64(now), byref(marked))
        return bool(marked.value)

    def release(self, now, pg, queue, cells, last=True):
        """One step: cells of `pg` have left through `queue`; the last reader of a packet frees those of
        the priority group. A Level. Refused: cells that are not there."""
        _fits(pg, queue, cells, now=now)
        level = Level()
        departure = Departure(pg=pg, queue=queue, cells=cells, last=int(last), now=now)
        self._call("release", byref(departure), byref(level))
        return level

    def threshold(self, now, pg):
        """T of a priority group, in cells."""
        _fits(pg, now=now)
        cells = c_uint32()
        self._call("threshold", c_uint32(pg), c_uint64(now), byref(cells))
        return cells.value

    def queue_threshold(self, now, queue, domain=0):
        """T of a queue in one memory domain, in cells; NO_LIMIT where it has none."""
        _fits(queue, domain, now=now)
        cells = c_uint32()
        self._call("queue_threshold", c_uint32(queue), c_uint32(domain), c_uint64(now), byref(cells))
        return cells.value

    def xoff_classes(self, port):
        """Classes of a port that its peer must stop: bit n is priority n."""
        _fits(port)
        classes = c_uint8()
        self._call("xoff_classes", c_uint32(port), byref(classes))
        return classes.value

    def counter(self, sai_name, index):
        """A statistic by its SAI name. `index`: pg, queue, or pool * domains + domain."""
        _fits(index)
        value = c_uint64()
        self._call("counter", sai_name.encode(), c_uint32(index), byref(value))
        return value.value

    def address_of(self, register, index=0):
        """Byte address of a register by its name, such as "pg_stats.packets"."""
        _fits(index)
        address = c_uint32()
        self._call("register", register.encode(), c_uint32(index), byref(address))
        return address.value

    def write32(self, address, now, value):
        """Refused: no register is there, it is read only, or it does not take this value."""
        _fits(address, value, now=now)
        self._call("write32", c_uint32(address), c_uint64(now), c_uint32(value))

    def read32(self, address, now):
        """As over the bus: the low word of a counter of 64 bit latches the high one."""
        _fits(address, now=now)
        value = c_uint32()
        self._call("read32", c_uint32(address), c_uint64(now), byref(value))
        return value.value

    def snapshot(self, now):
        """[Group] of every priority group."""
        _fits(now=now)
        count = c_uint32(8 * self.chip.ports)
        groups = (Group * count.value)()
        self._call("snapshot", c_uint64(now), groups, c_size_t(sizeof(Group)), byref(count))
        return list(groups)


def _fits(*values, now=0):
    """ctypes cuts what is too large off, without a word: Refused here."""
    for value in values:
        if value >> 32:
            raise Refused(f"{value} is not between 0 and 2^32 - 1", RANGE)
    if now >> 64:
        raise Refused(f"now = {now} is not between 0 and 2^64 - 1", RANGE)


def parameters_of(core):
    """{parameter of the RTL: value}: those that chip.NAME shows, of an Mmu."""
    names = {"ports": "Ports", "domains": "Domains", "lanes": "Lanes", "profiles": "Profiles",
             "pools": "Pools", "queue_profiles": "QueueProfiles", "egress_pools": "EgressPools",
             "admit": "AdmitLatency", "pfc": "PfcLatency", "threshold_lag": "ThresholdLag",
             "mark": "MarkLatency", "wred_profiles": "WredProfiles"}
    return {parameter: core.read32(core.address_of(f"chip.{name}"), 0)
            for name, parameter in names.items()}
