# SPDX-License-Identifier: Apache-2.0
"""The MACs, and what the PFC block of each port must do in each cycle, from docs/blocks/pfc_generator.md,
pause_timer.md and pfc_frame.md: the C interface of the core has no PFC blocks. Frames are made by scapy.

Units: cycles; a timer is quanta x 2^16 and loses `step` a cycle.
"""
import zlib

from scapy.contrib.mac_control import MACControlClassBasedFlowControl
from scapy.layers.l2 import Ether

FRAME = 64  # octets of a PFC frame with its FCS
GROUP_ADDRESS = "01:80:c2:00:00:01"
MAC_CONTROL = 0x8808
OPCODE = b"\x01\x01"
# What is wrong with a frame received, by what is drawn for it; other draws: nothing.
WRONG_ADDRESS, WRONG_TYPE, SHORT, LONG, RESERVED, PADDING, WRONG_FCS = range(7)
KINDS = 16


def pfc_frame(source, enabled, times):
    """The octets, FCS included."""
    classes = {}
    for n in range(8):
        classes[f"c{n}_enabled"] = enabled >> n & 1
        classes[f"c{n}_pause_time"] = times[n]
    octets = bytes(Ether(src=source, dst=GROUP_ADDRESS, type=MAC_CONTROL) /
                   MACControlClassBasedFlowControl(**classes))[:FRAME - 4].ljust(FRAME - 4, b"\0")
    return octets + zlib.crc32(octets).to_bytes(4, "little")


def is_pfc(octets, bad_fcs):
    """As a receiver with a MAC that checks the FCS: reserved octets and padding are not read."""
    if len(octets) != FRAME or bad_fcs:
        return False
    frame = Ether(octets)
    return frame.dst == GROUP_ADDRESS and frame.type == MAC_CONTROL and octets[14:16] == OPCODE


class PfcPort:
    """One port: what it sends, and what stops it."""

    def __init__(self, core, port, beat):
        def read(name, index=port):
            return core.read32(core.address_of(name, index), 0)

        self.step, self.response = read("port.pause_step"), read("port.response")
        self.latency, self.quanta = read("chip.pfc", 0), read("chip.quanta", 0)
        source = read("port.source_mac_high") << 32 | read("port.source_mac_low")
        self.source = source.to_bytes(6, "big").hex(":")
        group_of = read("chip.pg_of_priority", 0)
        self.classes_of = [sum((levels >> (group_of >> 4 * n & 15) & 1) << n for n in range(8))
                           for levels in range(256)]
        self.last_beat = FRAME // beat - 1
        self.changes = 0  # bit n: a level changed n + 1 cycles ago
        self.classes = self.said = 0
        self.requested = self.refresh = self.sending = False
        self.refresh_at = self.beat = self.sent = self.received = self.received_at = 0
        self.frame = b""
        self.begins, self.ends = [0] * 8, [0] * 8

    def settle(self, cycle, levels, changed):
        """Levels of the groups as of the verdicts of this cycle; `changed`: one turned a level."""
        self.classes = self.classes_of[levels]
        looks = changed if self.latency == 0 else self.changes >> self.latency - 1 & 1
        self.changes = (self.changes << 1 | changed) & (1 << 64) - 1
        self.requested = self.requested or bool(looks and self.classes != self.said)
        self.refresh = self.said != 0 and cycle >= self.refresh_at

    def request(self):
        return self.requested or self.refresh

    def ready(self, takes):
        return not self.sending or (takes and self.beat == self.last_beat)

    def sends(self):
        return self.request() and (self.classes | self.said) != 0

    def clock(self, cycle, start, takes):
        """The edge that ends the cycle: the MAC starts a frame, or takes a beat."""
        starts = start and self.request() and self.ready(takes)
        says = self.sends()
        if self.sending and takes:
            self.sending = self.beat != self.last_beat
            self.beat = self.beat + 1 if self.sending else 0
        if not starts:
            return
        self.requested = False
        if not says:
            return
        times = [self.quanta * (self.classes >> n & 1) for n in range(8)]
        self.frame = pfc_frame(self.source, self.classes | self.said, times)
        self.said = self.classes
        self.refresh_at = cycle + -(-(self.quanta << 15) // self.step)
        self.sending, self.beat = True, 0
        self.sent += 1

    def receive(self, edge_at, octets, bad_fcs):
        """Edge `edge_at` takes the last beat of a frame."""
        if not is_pfc(octets, bad_fcs):
            return
        self.received, self.received_at = self.received + 1, edge_at
        for n in range(8):
            if octets[17] >> n & 1:
                self._load(n, edge_at, int.from_bytes(octets[18 + 2 * n:20 + 2 * n], "big"))

    def _load(self, n, edge_at, time):
        runs = edge_at < self.ends[n]
        if time == 0:
            if runs:
                self.ends[n] = edge_at
            return
        if not runs:
            self.begins[n] = edge_at + self.response
        self.ends[n] = edge_at + -(-(time << 16) // self.step)

    def paused(self, cycle):
        """Classes that may not start a frame."""
        return sum((self.begins[n] <= cycle < self.ends[n]) << n for n in range(8))


class Mac:
    """Frames that come in at a port, with gaps, and when it starts one."""

    def __init__(self):
        self.octets = b""   # of the frame that comes in
        self.come = 0       # of them, with the beat of this cycle
        self.bad_fcs = self.comes = False
        self.busy = 0       # cycles until it starts a frame

    def ends(self):
        return self.comes and self.come >= len(self.octets)


class Pfc:
    """The PFC pins of all ports."""

    def __init__(self, pins, core, random):
        self.pins, self.random, self.ports = pins, random, core.chip.ports
        self.beat = pins.bits("m_axis_pfc_tdata_o") // self.ports // 8
        self.port = [PfcPort(core, port, self.beat) for port in range(self.ports)]
        self.mac = [Mac() for _ in range(self.ports)]
        self.takes = 0
        self.compared = self.paused_cycles = 0
        self.sent = self.received = 0  # frames of all ports whose counters were compared

    def below(self, number):
        return int(self.random.random() * number)

    def write_quanta(self, quanta):
        for port in self.port:
            port.quanta = quanta

    def clear_counters(self, cycle):
        """A clear that is answered in this cycle acts in the one before, in which a frame that has just
        ended is not counted yet."""
        for port in self.port:
            port.sent, port.received = 0, int(port.received_at == cycle)

    # ---- What the MACs drive ----

    def draw_frame(self, mac):
        """Mostly PFC; each of its errors now and then."""
        times = [self.below(1 << self.below(17)) for _ in range(8)]
        octets = bytearray(pfc_frame("02:00:00:00:00:09", self.below(256), times))
        kind = self.below(KINDS)
        if kind == WRONG_ADDRESS:
            octets[self.below(6)] ^= 1 << self.below(8)
        elif kind == WRONG_TYPE:
            octets[12 + self.below(4)] ^= 1 << self.below(8)
        elif kind == SHORT:
            del octets[1 + self.below(FRAME - 1):]
        elif kind == LONG:
            octets += bytes(self.below(256) for _ in range(1 + self.below(100)))
        elif kind == RESERVED:
            octets[16] = self.below(256)
        elif kind == PADDING:
            octets[34 + self.below(26)] = self.below(256)
        mac.octets, mac.come, mac.bad_fcs = bytes(octets), 0, kind == WRONG_FCS

    def drive(self):
        """Beats that come in, and beats that are taken."""
        data, keep, valid, last, bad = 0, 0, 0, 0, 0
        self.takes = 0
        for port, mac in enumerate(self.mac):
            self.takes |= (self.below(4) != 0) << port
            mac.comes = False
            if not mac.octets:
                if self.below(40):
                    continue
                self.draw_frame(mac)
            if self.below(8) == 0:
                continue
            beat = mac.octets[mac.come:mac.come + self.beat]
            data |= int.from_bytes(beat, "little") << 8 * self.beat * port
            keep |= (1 << len(beat)) - 1 << self.beat * port
            mac.come += self.beat
            mac.comes = True
            valid |= 1 << port
            last |= mac.ends() << port
            bad |= (mac.ends() and mac.bad_fcs) << port
        for name, word in (("m_axis_pfc_tready_i", self.takes), ("s_axis_rx_tdata_i", data),
                           ("s_axis_rx_tkeep_i", keep), ("s_axis_rx_tvalid_i", valid),
                           ("s_axis_rx_tlast_i", last), ("s_axis_rx_tuser_i", bad)):
            self.pins.drive(name, word)

    def rest(self):
        """Nothing comes, nothing is taken or started."""
        for name in ("m_axis_pfc_tready_i", "s_axis_rx_tdata_i", "s_axis_rx_tkeep_i",
                     "s_axis_rx_tvalid_i", "s_axis_rx_tlast_i", "s_axis_rx_tuser_i", "pfc_start_i"):
            self.pins.drive(name, 0)

    def draw_start(self, mac, port):
        if mac.busy:
            mac.busy -= 1
            return self.below(32) == 0  # a start without a frame: it must be ignored
        if not port.request():
            return self.below(32) == 0
        mac.busy = self.below(2) * self.below(12)
        return True

    # ---- What the ports must show ----

    def check(self, cycle, levels, turned):
        """Compares the pins of this cycle, then does what the edge that ends it does. `levels`,
        `turned`: of each group."""
        wanted = dict.fromkeys(("pfc_request_o", "pfc_ready_o", "pfc_sends_o", "pause_o",
                                "m_axis_pfc_tvalid_o"), 0)
        for n, port in enumerate(self.port):
            port.settle(cycle, levels >> 8 * n & 255, (turned >> 8 * n & 255) != 0)
            wanted["pfc_request_o"] |= port.request() << n
            wanted["pfc_ready_o"] |= bool(port.ready(self.takes >> n & 1)) << n
            wanted["pfc_sends_o"] |= port.sends() << n
            wanted["pause_o"] |= port.paused(cycle) << 8 * n
            wanted["m_axis_pfc_tvalid_o"] |= port.sending << n
        for name, word in wanted.items():
            self._same(cycle, name, self.pins.word(name), word)
        self.paused_cycles += wanted["pause_o"] != 0
        if wanted["m_axis_pfc_tvalid_o"]:
            self._compare_beats(cycle)
        self._clock(cycle)

    def _clock(self, cycle):
        starts = 0
        for n, (port, mac) in enumerate(zip(self.port, self.mac)):
            start = self.draw_start(mac, port)
            starts |= start << n
            port.clock(cycle, start, self.takes >> n & 1)
            if mac.ends():
                port.receive(cycle + 1, mac.octets, mac.bad_fcs)
                mac.octets = b""
        self.pins.drive("pfc_start_i", starts)

    def _compare_beats(self, cycle):
        texts = {name: self.pins.text(name) for name in
                 ("m_axis_pfc_tdata_o", "m_axis_pfc_tkeep_o", "m_axis_pfc_tlast_o")}
        for n, port in enumerate(self.port):
            if not port.sending:
                continue
            beat = port.frame[port.beat * self.beat:(port.beat + 1) * self.beat]
            wanted = (int.from_bytes(beat, "little"), (1 << self.beat) - 1,
                      int(port.beat == port.last_beat))
            for (name, text), word in zip(texts.items(), wanted):
                width = len(text) // self.ports
                end = len(text) - n * width
                self._same(cycle, f"{name} of port {n}", int(text[end - width:end], 2), word)

    def _same(self, cycle, pin, shown, wanted):
        self.compared += 1
        assert shown == wanted, f"cycle {cycle}: {pin} is {shown:x}, expected {wanted:x}"
