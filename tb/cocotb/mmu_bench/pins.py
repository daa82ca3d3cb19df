# SPDX-License-Identifier: Apache-2.0
"""The pins of weir_mmu as integers, and the sizes that a chip gives them."""


class Pins:
    """Pins by their name. What is driven already is not driven again, as each drive is a call of the
    simulator."""

    def __init__(self, dut, inputs):
        self.clock = dut.clk_i
        self.dut = dut
        self._driven = {}
        self._pins = {}
        for name in inputs:
            if name != "clk_i":
                self.drive(name, 0)

    def _pin(self, name):
        if name not in self._pins:
            self._pins[name] = getattr(self.dut, name)
        return self._pins[name]

    def bits(self, name):
        return len(self._pin(name))

    def drive(self, name, value):
        if self._driven.get(name) != value:
            self._driven[name] = value
            self._pin(name).value = value

    def drive_parts(self, name, width, values):
        """Parts of `width` bits: {part: value}; the others are 0."""
        word = 0
        for part, value in values.items():
            word |= value << part * width
        self.drive(name, word)

    def text(self, name):
        """The bits, as characters, the most significant one first."""
        return str(self._pin(name).value)

    def word(self, name):
        return int(self.text(name), 2)

    def part(self, name, index, width):
        """A part, where the others may be undefined."""
        text = self.text(name)
        end = len(text) - index * width
        return int(text[end - width:end], 2)


def set_bits(word):
    """Numbers of the bits that are 1."""
    found = []
    while word:
        low = word & -word
        found.append(low.bit_length() - 1)
        word ^= low
    return found
