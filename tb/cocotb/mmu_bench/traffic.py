# SPDX-License-Identifier: Apache-2.0
"""Random packets: what waits at the ports, what is granted, what is held until its release."""
import collections

from .pins import set_bits

TURNS = 60             # cycles between filling and draining, on average
MARKED_CLASSES = (0,)  # whose queues are those of few ports, and so reach their WRED profiles


class Packet:
    """`queues`: {copy: queue that it is bound for}; `readers`: queues that hold it still."""

    __slots__ = ("pg", "queues", "cells", "length", "ecn", "asks", "readers")

    def __init__(self, pg, queues, cells, length, ecn, lossless):
        self.pg, self.queues, self.cells, self.length, self.ecn = pg, queues, cells, length, ecn
        self.asks = not lossless and list(queues) == [0]
        self.readers = 0


class Traffic:
    """Where packets wait for a grant, and where those are that the MMU has admitted."""

    def __init__(self, pins, core, scoreboard, random, departures):
        self.pins, self.core, self.scoreboard = pins, core, scoreboard
        self.random, self.departures = random, departures
        chip = core.chip
        self.ports, self.lanes, self.domains = chip.ports, chip.lanes, chip.domains
        self.slots = self.lanes * self.domains
        self.domain = [core.read32(core.address_of("port.domain", port), 0)
                       for port in range(self.ports)]
        self.lossless = [self._of_profile("lossless", pg) != 0 for pg in range(8 * self.ports)]
        self.pool = [self._of_profile("pool", pg) for pg in range(8 * self.ports)]
        self.count_bits = pins.bits("arr_waiting_i") // (self.domains * self.ports)
        self.port_bits = pins.bits("arr_grant_port_o") // self.slots
        self.row_bits = pins.bits("arr_pg_i") // self.slots
        self.cell_bits = pins.bits("arr_cells_i") // self.slots
        self.byte_bits = pins.bits("arr_bytes_i") // self.slots
        self.copies = scoreboard.copies
        self.releases = collections.deque()  # (packet, queue) that it has left
        self.coming, self.leaving = [], []   # that wait in this cycle
        self.filling = True
        self.busy = self.near = list(range(8 * self.ports))  # the groups that meet their limits now
        self.last_drop = None                # cycle of the last early drop that was asked for
        self.source = self                   # of packets: an object with draw_packet()

    def _of_profile(self, name, pg):
        profile = self.core.read32(self.core.address_of("pg.profile", pg), 0)
        return self.core.read32(self.core.address_of(f"profile.{name}", profile), 0)

    def below(self, number):
        return int(self.random.random() * number)

    def packet(self, pg, queues, length, ecn):
        return Packet(pg, queues, self.core.cells(length), length, ecn, self.lossless[pg])

    # ---- What waits ----

    def draw_packet(self, cycle, draining):
        """A packet or None."""
        if draining or self.below(10) >= (9 if self.filling else 3):
            return None
        pg = self.below(8 * self.ports)
        kind = self.below(10)
        if kind < 6:
            pg = self.busy[self.below(len(self.busy))]
        elif kind < 8:
            pg &= ~7
        elif kind < 9:
            pg = self.near[self.below(len(self.near))]
        return self.packet(pg, self.draw_queues(pg % 8), 64 + self.below(1600), self.below(4))

    def draw_queues(self, number):
        """For one queue; now and then for several, or for one by another copy than 0."""
        if self.copies == 1 or self.below(4):
            ports = min(self.ports, 2) if number in MARKED_CLASSES else self.ports
            return {0: 8 * self.below(ports) + number}
        mask = 1 + self.below((1 << self.copies) - 1)
        first = self.below(self.ports)
        return {copy: 8 * ((first + copy) % self.ports) + number for copy in set_bits(mask)}

    def turn(self):
        """Between filling and draining; who fills is drawn again: all of a pool, or some of its lossless
        groups, so that others, which hold nothing, meet what these have left of it."""
        self.filling = not self.filling
        first = self.below(8 * self.ports)
        of_pool = [pg for pg in range(8 * self.ports) if self.pool[pg] == self.pool[first]]
        self.near = [pg for pg in of_pool if self.lossless[pg]]
        self.busy = of_pool if self.below(3) == 0 else \
            self.random.sample(self.near, 1 + self.below(len(self.near)))

    def offer(self, cycle, draining):
        """New requests: bursts that fill the buffer, then longer times in which it drains."""
        if self.below(TURNS) == 0:
            self.turn()
        self.coming, self.leaving = [], []
        room = {way: collections.Counter() for way in ("arr", "rel")}
        share = 10 if draining else 4 if self.filling else 7
        for _ in range(self.slots):
            packet = self.source.draw_packet(cycle, draining)
            if packet is not None and self._fits(room["arr"], packet):
                self.coming.append(packet)
            if self.releases and self.below(10) < share \
                    and self._fits(room["rel"], self.releases[0][0]):
                self.leaving.append(self.releases.popleft())
        self._show("arr", [(self.domain[packet.pg >> 3], packet.pg >> 3) for packet in self.coming])
        self._show("rel", [(self.domain[packet.pg >> 3], queue >> 3)
                           for packet, queue in self.leaving])

    def _fits(self, room, packet):
        domain = self.domain[packet.pg >> 3]
        room[domain] += 1
        return room[domain] <= self.lanes

    def _show(self, way, places):
        """A packet waits in the memory of the port that it came in by."""
        word = 0
        for domain, port in places:
            word += 1 << (domain * self.ports + port) * self.count_bits
        self.pins.drive(f"{way}_waiting_i", word)

    # ---- What is granted ----

    def granted(self, way):
        """[(slot, domain, port)] of this cycle."""
        valid = self.pins.word(f"{way}_grant_valid_o")
        if not valid:
            return []
        ports = self.pins.word(f"{way}_grant_port_o")
        return [(slot, slot // self.lanes,
                 ports >> slot * self.port_bits & (1 << self.port_bits) - 1)
                for slot in set_bits(valid)]

    def grant(self, cycle):
        """Data for the RTL, and the same steps for the core: releases first. What is not granted waits
        on: releases at the head, arrivals as new draws."""
        self._grant_releases(cycle)
        self._grant_arrivals(cycle)

    def _grant_releases(self, cycle):
        pgs, queues, cells, lasts = {}, {}, {}, 0
        for slot, domain, port in self.granted("rel"):
            found = next((item for item in self.leaving if item[1] >> 3 == port
                          and self.domain[item[0].pg >> 3] == domain), None)
            assert found, f"cycle {cycle}: slot {slot} releases for port {port}, where nothing waits"
            self.leaving.remove(found)
            packet, queue = found
            packet.readers -= 1
            last = packet.readers == 0
            pgs[slot], queues[slot], cells[slot] = packet.pg, queue, packet.cells
            lasts |= last << slot
            self.scoreboard.release_granted(slot, cycle, packet, queue, last)
        self.pins.drive_parts("rel_pg_i", self.row_bits, pgs)
        self.pins.drive_parts("rel_queue_i", self.row_bits, queues)
        self.pins.drive_parts("rel_cells_i", self.cell_bits, cells)
        self.pins.drive("rel_last_i", lasts)
        self.releases.extendleft(reversed(self.leaving))

    def _grant_arrivals(self, cycle):
        pgs, queues, cells, lengths, masks = {}, {}, {}, {}, 0
        ect = self.below(1 << self.slots)  # of lanes that are not granted, anything
        asks = (1 << self.slots) - 1
        for slot, domain, port in self.granted("arr"):
            packet = next((packet for packet in self.coming if packet.pg >> 3 == port
                           and self.domain[port] == domain), None)
            assert packet, f"cycle {cycle}: slot {slot} takes from port {port}, where nothing waits"
            self.coming.remove(packet)
            pgs[slot], cells[slot], lengths[slot] = packet.pg, packet.cells, packet.length
            for copy, queue in packet.queues.items():
                queues[slot * self.copies + copy] = queue
                masks |= 1 << slot * self.copies + copy
            ect = ect & ~(1 << slot) | (packet.ecn != 0) << slot
            asks = asks & ~(1 << slot) | packet.asks << slot
            if self.scoreboard.arrival_granted(slot, cycle, packet):
                self.last_drop = cycle
        self.pins.drive_parts("arr_pg_i", self.row_bits, pgs)
        self.pins.drive_parts("arr_queue_i", self.row_bits, queues)
        self.pins.drive_parts("arr_cells_i", self.cell_bits, cells)
        self.pins.drive_parts("arr_bytes_i", self.byte_bits, lengths)
        self.pins.drive("arr_mask_i", masks)
        self.pins.drive("arr_ect_i", ect)
        self.pins.drive("arr_asks_i", asks)

    # ---- What is held ----

    def judged(self, arrivals):
        """Those that were admitted wait in their queues."""
        for owed in arrivals:
            copies = set_bits(owed.taken)
            owed.packet.readers = len(copies)
            for copy in copies:
                self.departures.wait(owed.packet, owed.packet.queues[copy])

    def has_left(self, packet, queue):
        """With the last reader the cells of the priority group are free."""
        self.releases.append((packet, queue))

    def is_empty(self, cycle):
        return not self.releases and self.departures.is_empty(cycle)
