# SPDX-License-Identifier: Apache-2.0
"""Reads tb/lockstep/coverage_waivers.txt: what scripts/rtl/lockstep --coverage need not reach."""
import fnmatch
import re
import sys

import rtl_sources as rtl

WAIVERS = rtl.ROOT / "tb/lockstep/coverage_waivers.txt"
ASSERTIONS = rtl.ROOT / "tb/lockstep/unreachable.sv"
CONSTANT = re.compile(r"^\s*localparam int (\w+)\s*=\s*([\w\s+*()-]+);", re.MULTILINE)


def number_of(text, constants):
    """The value of a sum or product of numbers and constants, or None."""
    text = re.sub(r"[A-Za-z_]\w*", lambda name: str(constants.get(name[0], "?")), text)
    return eval(text) if re.fullmatch(r"[\d\s+*()-]+", text) else None  # digits and signs only


def constants_of(text, known):
    """The constants that the text of a module or package defines, and those that are known."""
    constants = dict(known)
    for name, value in CONSTANT.findall(text):
        number = number_of(value, constants)
        if number is not None:
            constants[name] = number
    return constants


class Bits:
    """Bits of a signal: `5:2,0`; `5:2/8`, these of every 8; `...@161`, those from 161 on; `...!78:65`, but not these.
    A number may be a sum or product of numbers and constants."""

    def __init__(self, text, constants):
        text, _, but = text.partition("!")
        text, start, first = text.partition("@")
        text, slash, period = text.partition("/")
        self.but = Bits(but, constants) if but else None
        self.first = self.number(first, constants) if start else 0
        self.period = self.number(period, constants) if slash else 0
        self.bits = set()
        for part in text.split(","):
            high, colon, low = part.partition(":")
            self.bits |= set(range(self.number(low if colon else high, constants), self.number(high, constants) + 1))

    @staticmethod
    def number(text, constants):
        number = number_of(text, constants)
        if number is None:
            raise ValueError(text)
        return number

    def __contains__(self, bit):
        return bit >= self.first and (bit % self.period if self.period else bit) in self.bits and \
            not (self.but and bit in self.but)


class Waivers:
    """Lines: file, kind, object, `condition: why`. The object is a pattern of the source line, or of a signal
    with its Bits in brackets. `NAME := BITS` gives bits a name, in the constants of weir_pkg."""

    def __init__(self, source, lines=None):
        self.source = source
        self.lines, self.used, self.wrong, self.names = [], set(), [], {}
        self.package = constants_of("\n".join(source["weir_pkg.sv"]), {})
        asserted = set(re.findall(r"^\s*(?:always_comb\s+)?(\w+)\s*:\s*assert\b",
                                  ASSERTIONS.read_text(), re.MULTILINE))
        named = set()
        for number, line in enumerate(lines or WAIVERS.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, mark, bits = line.partition(" := ")
            if mark:
                self.names[name] = bits
                continue
            fields = line.split(None, 3)
            if len(fields) != 4 or ":" not in fields[3]:
                sys.exit(f"{WAIVERS}:{number}: file, kind, object, `condition: why`")
            condition = fields[3].split(":")[0]
            if condition.startswith("elaborated "):
                self.elaborated(number, fields[0], condition.split()[1])
            elif condition not in asserted:
                self.wrong.append(f"{WAIVERS.name}:{number}: nothing in {ASSERTIONS.name} asserts {condition}")
            named.add(condition)
            pattern, bits = fields[2], None
            if fields[1] == "toggle":
                pattern, bits = self.bits_of(number, fields[0], pattern)
            self.lines.append((number, fields[0], fields[1], re.compile(pattern), bits))
        self.wrong += [f"{ASSERTIONS.name}: no waiver names {name}" for name in sorted(asserted - named)]

    def bits_of(self, number, file, text):
        """(pattern of the name, its Bits)."""
        found = re.fullmatch(r"(.*)\[([^\]]+)\]", text)
        constants = constants_of("\n".join(self.source.get(file, [])), self.package)
        try:
            return f"^(?:{found[1]})$", Bits(self.names.get(found[2], found[2]), constants)
        except (TypeError, ValueError) as error:
            sys.exit(f"{WAIVERS}:{number}: not of the form name[high:low,bit/period]: {text} ({error})")

    def elaborated(self, number, file, function):
        """Whether a function is used by localparam only, so that it only makes constants."""
        for line in self.source[file]:
            if re.search(rf"\b{function}\s*\(", line) and "localparam" not in line and "function" not in line:
                self.wrong.append(f"{WAIVERS.name}:{number}: not elaborated only: {line.strip()}")

    def waives(self, file, kind, text, bit=None):
        for number, of_file, of_kind, pattern, bits in self.lines:
            if of_kind != kind or not fnmatch.fnmatch(file, of_file) or not pattern.search(text):
                continue
            if bits is None or bit in bits:
                self.used.add(number)
                return True
        return False

    def complaints(self):
        return self.wrong + [f"a waiver that names nothing: {WAIVERS.name}:{number}"
                             for number, *_ in self.lines if number not in self.used]
