# SPDX-License-Identifier: Apache-2.0
"""What sonic-mgmt's threshold searches ask of a switch: fill it while a transmitter is off, and look."""
import os

from .mmu import PRIORITIES, MmuError, Mmu

SHORTEST_PACKET = 64


class Executor:
    """One switch, its transmitters as the test set them. The subclasses say what is looked for.

    chip:     chip file; without it that of WEIR_CHIP.
    library:  libweir_mmu; rtl: library of scripts/rtl/make-backend (WEIR_RTL_LIBRARY), scenario rtl.
    ports:    {port of the test: port of the chip}; without it they are the same.
    groups:   {pg= or queue= of the test: (priority group, queue)}; without it both are that number.
    packet:   octets; without it probe_packet_length of ptftest, or 64.
    """
    mmu_type = Mmu

    def __init__(self, observer=None, name="", ptftest=None, verbose=True, chip=None, library=None, rtl=None,
                 ports=None, groups=None, packet=None, **_of_other_executors):
        chip = chip or os.environ.get("WEIR_CHIP")
        if not chip:
            raise MmuError("chip: missing; name a chip file with chip=... or WEIR_CHIP")
        self.observer, self.name, self.ptftest, self.verbose = observer, name, ptftest, verbose
        self._mmu = self.mmu_type(chip, library, **({} if self.mmu_type is Mmu else {"rtl": rtl}))
        self._ports, self._groups = ports, groups
        self._octets = packet or getattr(ptftest, "probe_packet_length", SHORTEST_PACKET)
        self._held = {}  # by egress port: [[group, queue, packets], ...] in the order of arrival
        self._trace(f"chip {chip}")

    # ---- The interface of the framework.
    def prepare(self, src_port, dst_port, *more_dst_ports):
        """What is held for these ports leaves; then their transmitters are off."""
        for port in (dst_port, *more_dst_ports):
            self._drain(self._port(port))

    def check(self, src_port, dst_port, value, attempts=1, drain_buffer=True, iteration=0, **traffic_keys):
        """Sends `value` packets; returns (success, whether the threshold was reached)."""
        group, number = self._traffic(src_port, traffic_keys)
        egress = self._port(dst_port)
        results = []
        for _ in range(attempts):
            if drain_buffer:
                self._drain(egress)
            results.append(self.reached(group, self._send(group, egress, number, value)))
        self._trace(f"check {iteration}: {value} packets from {src_port} to {dst_port}: {results}")
        same = len(set(results)) == 1
        return (same, same and results[0])

    def cleanup(self):
        """Frees the MMU; the executor is not used after it."""
        self._mmu.close()

    # ---- For the subclasses.
    def reached(self, group, sent):
        """Whether sending these packets to a group reached the threshold."""
        raise NotImplementedError

    def _trace(self, text):
        if self.verbose and self.observer is not None:
            self.observer.trace(f"[{self.name}] {type(self).__name__}: {text}")

    def _port(self, port):
        number = port if self._ports is None else self._ports.get(port)
        if number is None:
            raise MmuError(f"port {port}: is not in ports={self._ports}")
        if not 0 <= number < self._mmu.ports:
            raise MmuError(f"port {number}: must be from 0 to {self._mmu.ports - 1}")
        return number

    def _traffic(self, src_port, keys):
        """(group that packets of these keys come into, number of the queue that they leave by)."""
        port = self._port(src_port)
        named = [keys[key] for key in ("pg", "queue") if keys.get(key) is not None]
        if not named:
            raise MmuError("traffic: must have pg=N or queue=N")
        pg, queue = (named[0], named[-1]) if self._groups is None else self._groups.get(named[0], (None, None))
        for key, number in (("pg", pg), ("queue", queue)):
            if number is None or not 0 <= number < PRIORITIES:
                raise MmuError(f"{key} of {keys}: must be from 0 to {PRIORITIES - 1}, or in groups=")
        return port * PRIORITIES + pg, queue

    def _send(self, group, egress, number, count):
        queue = egress * PRIORITIES + number
        sent = self._mmu.send(group, queue, self._octets, count)
        if sent.admitted:
            self._held.setdefault(egress, []).append([group, queue, sent.admitted])
        return sent

    def _let_go(self, egress, count):
        """The first `count` packets that are held for a port leave. Returns whether so many were there."""
        flows = self._held.get(egress, [])
        while count and flows:
            flow = flows[0]
            packets = min(count, flow[2])
            self._mmu.release(flow[0], flow[1], self._octets, packets)
            flow[2] -= packets
            count -= packets
            if not flow[2]:
                flows.pop(0)
        return count == 0

    def _drain(self, egress):
        self._let_go(egress, sum(flow[2] for flow in self._held.get(egress, [])))


class PfcXoff(Executor):
    """The group has its peer stop."""

    def reached(self, group, sent):
        return sent.paused or self._mmu.xoff(group)


class IngressDrop(Executor):
    """A packet is refused before it has a queue."""

    def reached(self, group, sent):
        return sent.refused_at_ingress > 0


class EgressDrop(Executor):
    """A packet is refused by its queue."""

    def reached(self, group, sent):
        return sent.refused_at_egress > 0


class PfcXon(Executor):
    """The group lets its peer go on once `value` packets have left after XOFF.

    pfcxoff_point: packets that are sent before; without it those up to the one that makes the group XOFF.

    check(src, dst, value) sends all to one port. check(src, dst_a, dst_b, value), the form of sonic-mgmt's own
    executor, sends `value` to the first one, which then sends, and the rest to the second one, which does not.
    """

    def __init__(self, *positional, pfcxoff_point=None, **keywords):
        super().__init__(*positional, **keywords)
        self._point = pfcxoff_point

    def check(self, src_port, dst_port=None, *rest, value=None, dst_port_a=None, dst_port_b=None, attempts=1,
              drain_buffer=True, iteration=0, **traffic_keys):
        ports, value, attempts = self._arguments(dst_port, rest, value, dst_port_a, dst_port_b, attempts)
        group, number = self._traffic(src_port, traffic_keys)
        results = []
        for _ in range(attempts):
            if drain_buffer and not self._fill(group, number, ports, value):
                return (False, False)
            results.append(self._let_go(ports[0], value) and not self._mmu.xoff(group))
        self._trace(f"check {iteration}: {value} packets leave: {results}")
        same = len(set(results)) == 1
        return (same, same and results[0])

    def _arguments(self, dst_port, rest, value, dst_port_a, dst_port_b, attempts):
        """([port that drains, port that holds], value, attempts) of either form."""
        given = [dst_port_a, dst_port_b] if dst_port is None else [dst_port, *rest]
        second = dst_port_b
        if dst_port is not None and len(given) > 1 and (value is not None or len(given) > 2):
            second = given.pop(1)
        if value is None and len(given) > 1:
            value = given[1]
            attempts = given[2] if len(given) > 2 else attempts
        if given[0] is None or value is None:
            raise MmuError("check: must have a source port, one or two destination ports and value=N")
        ports = [self._port(given[0])]
        return ports + ([] if second is None else [self._port(second)]), value, attempts

    def _fill(self, group, number, ports, value):
        """All leaves; then as many packets as make the group XOFF, `value` of them to the first port."""
        point = self._point or self._find_point(group, number, ports)
        for port in ports:
            self._drain(port)
        first = min(value, point) if len(ports) > 1 else point
        paused = self._send(group, ports[0], number, first).paused
        if len(ports) > 1:
            paused |= self._send(group, ports[1], number, point - first).paused
        return paused

    def _find_point(self, group, number, ports):
        for port in ports:
            self._drain(port)
        self._point = 0
        sent = self._send(group, ports[-1], number, 1)
        self._point += 1
        while not sent.paused:
            if not sent.admitted:
                raise MmuError(f"priority group {group % PRIORITIES} of port {group // PRIORITIES}: drops before XOFF")
            sent = self._send(group, ports[-1], number, 1)
            self._point += 1
        return self._point
