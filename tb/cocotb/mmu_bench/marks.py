# SPDX-License-Identifier: Apache-2.0
"""What leaves the queues: at random, or such that a queue holds exactly as many cells as the next draw
of its WRED profile needs to hit, or to miss."""
from .traffic import Packet

MORE_THAN_WAITS = 64  # one departure in so many asks for more cells than its queue has
DISCARDED = 8


class Departures:
    """The packets that wait in the queues of each port; one leaves in a cycle. On a chip without WRED
    profiles they leave at once, without the pins."""

    def __init__(self, pins, core, scoreboard, random):
        self.pins, self.core, self.scoreboard, self.random = pins, core, scoreboard, random
        self.ports = core.chip.ports
        self.waiting = [[] for _ in range(self.ports)]  # (packet, queue)
        self.cell_bits = pins.bits("dep_cells_i") // self.ports
        self.byte_bits = pins.bits("dep_bytes_i") // self.ports
        self.max_cells = (1 << self.cell_bits) - 1
        self.wait_address = scoreboard.marks and core.address_of("queue_wred.waiting", 0)
        self.wait_step = scoreboard.marks and \
            core.address_of("queue_wred.waiting", 1) - self.wait_address
        self.traffic = None
        self._clear()

    def below(self, number):
        return int(self.random.random() * number)

    def _clear(self):
        self.valid = 0
        self.sent = self.ect = (1 << self.ports) - 1  # ports where nothing leaves still say so
        self.queues, self.cells, self.lengths = {}, {}, {}

    def wait(self, packet, queue):
        if self.scoreboard.marks:
            self.waiting[queue >> 3].append((packet, queue))
        else:
            self.traffic.has_left(packet, queue)

    def is_empty(self, cycle):
        return not any(self.waiting)

    def cells_at(self, queue, cycle):
        """That wait there, as the core counts them."""
        return self.core.read32(self.wait_address + queue * self.wait_step, cycle)

    def leave(self, cycle, packet, queue, cells, sent):
        """Whether more leave than wait there."""
        port = queue >> 3
        self.valid |= 1 << port
        if not sent:
            self.sent &= ~(1 << port)
        if packet.ecn == 0:
            self.ect &= ~(1 << port)
        self.queues[port], self.cells[port], self.lengths[port] = queue & 7, cells, packet.length
        return self.scoreboard.left(cycle, queue, cells, packet.length, packet.ecn, sent)

    def drive(self):
        self.pins.drive("dep_valid_i", self.valid)
        self.pins.drive("dep_sent_i", self.sent)
        self.pins.drive("dep_ect_i", self.ect)
        self.pins.drive_parts("dep_queue_i", 3, self.queues)
        self.pins.drive_parts("dep_cells_i", self.cell_bits, self.cells)
        self.pins.drive_parts("dep_bytes_i", self.byte_bits, self.lengths)
        self._clear()

    def depart(self, cycle, draining):
        """Any packet of each port; now and then more cells than its queue has."""
        if not self.scoreboard.marks:
            return
        share = 1 if draining else 4 if self.traffic.filling else 2
        for port in range(self.ports):
            if self.waiting[port] and self.below(share) == 0:
                self._depart_from(port, cycle)
        self.drive()

    def _depart_from(self, port, cycle):
        index = self.below(len(self.waiting[port]))
        packet, queue = self.waiting[port][index]
        if self.below(MORE_THAN_WAITS) == 0:
            cells = self.cells_at(queue, cycle)
            if 0 < cells < self.max_cells:
                assert self.leave(cycle, packet, queue, cells + 1, True)
                return
        sent = self.below(DISCARDED) != 0
        assert not self.leave(cycle, packet, queue, packet.cells, sent), "its cells do not wait"
        self.waiting[port].pop(index)
        self.traffic.has_left(packet, queue)


class LedQueue:
    """A queue that is filled with large packets and led to a q whose P is the next draw, or one more and
    rounded up: where a packet is hit by no more than it takes, or just missed. In the place of both the
    packets that are drawn and the departures of Traffic."""

    QUEUE, GROUP, CELLS = 4, 12, 255  # the queue of [wred.exact]
    NEEDED = 3                        # of each
    MAX_CYCLES = 20000

    def __init__(self, departures, core, scoreboard):
        self.departures, self.core, self.scoreboard = departures, core, scoreboard
        self.traffic = departures.traffic
        profile = self._read("queue_wred.profile", self.QUEUE)
        self.least, self.most = self._read("wred.min", profile), self._read("wred.max", profile)
        slope = self._read("wred.slope_high", profile) << 32 | self._read("wred.slope_low", profile)
        self.polynomial = self._read("port_draw.polynomial", 0)
        self.hits, self.misses = {}, {}  # {draw: the least q past min where it just hits, is missed}
        for past in range(1, self.most - self.least - 2 * self.CELLS):
            product = past * slope
            if product >> 24 & 1:
                self.hits.setdefault(product >> 25, past)
            self.misses.setdefault(product + (1 << 24) >> 25, past)
        self.just_hit = self.just_missed = 0
        self.fills, self.ending = True, False

    @classmethod
    def is_on(cls, core):
        """Whether the chip has that queue."""
        if not core.read32(core.address_of("chip.wred_profiles"), 0) or 8 * core.chip.ports <= cls.GROUP:
            return False
        profile = core.read32(core.address_of("queue_wred.profile", cls.QUEUE), 0)
        return core.read32(core.address_of("wred.max", profile), 0) > 8 * cls.CELLS

    def _read(self, name, index, cycle=0):
        return self.core.read32(self.core.address_of(name, index), cycle)

    def is_done(self):
        return min(self.just_hit, self.just_missed) >= self.NEEDED

    def _packet(self):
        return Packet(self.GROUP, {0: self.QUEUE}, self.CELLS, 1500, 2, True)

    def _waiting(self, cycle):
        return self.departures.cells_at(self.QUEUE, cycle)

    # ---- As a source of packets ----

    def draw_packet(self, cycle, draining):
        """None where the next one might reach max."""
        if self.ending or not self.fills:
            return None
        on_the_way = self.scoreboard.arrivals_owed() + len(self.traffic.coming) + 1
        full = self._waiting(cycle) + self.CELLS * on_the_way >= self.most
        return None if full else self._packet()

    # ---- As departures ----

    def wait(self, packet, queue):
        self.traffic.has_left(packet, queue)

    def is_empty(self, cycle):
        return self._waiting(cycle) == 0

    def depart(self, cycle, draining):
        if self.ending:
            self._discard(cycle)
        else:
            self._lead(cycle)
        self.departures.drive()

    def _discard(self, cycle):
        q = self._waiting(cycle)
        if q:
            self.departures.leave(cycle, self._packet(), self.QUEUE, min(q, self.CELLS), False)

    def _next_draw(self, cycle):
        state = self._read("port_draw.state", 0, cycle)
        for _ in range(16):
            state = state >> 1 ^ (self.polynomial if state & 1 else 0)
        return state & 0xffff

    def _lead(self, cycle):
        """One cell for a draw that is no P, else as much as leads to q."""
        q = self._waiting(cycle)
        places = self.hits if self.just_hit <= self.just_missed else self.misses
        past = places.get(self._next_draw(cycle))
        excess = 1 if past is None else q - self.least - past
        self.fills = q < self.least + (2 if past is None else past + 1)
        if self.fills:
            return
        marks = self.scoreboard.count["marks at exit"]
        self.departures.leave(cycle, self._packet(), self.QUEUE, min(excess, self.CELLS),
                              excess <= self.CELLS)
        if past is not None and excess <= self.CELLS:
            if self.scoreboard.count["marks at exit"] != marks:
                self.just_hit += 1
            else:
                self.just_missed += 1
