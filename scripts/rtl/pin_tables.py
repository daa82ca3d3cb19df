# SPDX-License-Identifier: Apache-2.0
"""The tables of rtl/weir_mmu.pins.csv, weir_mmu.parameters.csv and weir_blocks.parameters.csv, and the formulas of the
first two in SystemVerilog, in C++ and as numbers."""
import csv
import re

import rtl_sources as rtl

PINS_FILE = rtl.RTL / "weir_mmu.pins.csv"
PARAMETERS_FILE = rtl.RTL / "weir_mmu.parameters.csv"
BLOCKS_FILE = rtl.RTL / "weir_blocks.parameters.csv"
FROM_PACKAGE = ["ReasonW", "ThresholdW"]  # widths that weir_pkg says
VALID = re.compile(r"[^&]+")


def read(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines))


def parameters():
    """Rows of the parameters that a user may set."""
    latencies = rtl.constants("pipeline_latency_pkg")
    return [{**row, "value": str(latencies.get(row["value"], row["value"]))}
            for row in read(PARAMETERS_FILE) if row["option"]]


def blocks():
    """{block: {parameter: number, or name of a parameter of weir_mmu}} of the blocks that a run takes as RTL."""
    table = {}
    for row in read(BLOCKS_FILE):
        value = row["value"]
        table.setdefault(row["block"], {})[row["parameter"]] = int(value) if value.isdigit() else value
    return table


def derived():
    """{name: formula} of those that follow from them."""
    return {row["parameter"]: row["value"] for row in read(PARAMETERS_FILE) if not row["option"]}


def pins():
    return read(PINS_FILE)


def valid_pins(pin):
    """Names of the pins whose bits say whether a part counts."""
    return [] if pin["counts"] in ("always", "-") else VALID.findall(pin["counts"])


def in_vector(pin):
    return pin["counts"] != "-"


def inputs():
    return [pin for pin in pins() if pin["dir"] == "in" and in_vector(pin)]


def outputs():
    return [pin for pin in pins() if pin["dir"] == "out" and in_vector(pin)]


def package():
    """The constants of weir_pkg, whose formulas hold numbers and constants that come before."""
    values = {}
    text = re.sub(r"//.*", "", rtl.file_named(rtl.RTL, "weir_pkg.sv").read_text())
    for name, expression in re.findall(r"localparam int (\w+)\s*=\s*([^;]+);", text):
        values[name] = number(expression, values)
    return values


def codes():
    """The codes of weir_pkg: its constants of a few bits."""
    text = re.sub(r"//.*", "", rtl.file_named(rtl.RTL, "weir_pkg.sv").read_text())
    found = re.findall(r"localparam logic(?: \[\d+:0\])? (\w+)\s*=\s*\d+'([dbh])(\w+);", text)
    return {name: int(digits, {"d": 10, "b": 2, "h": 16}[base]) for name, base, digits in found}


def index_width(count):
    return max(1, (count - 1).bit_length())


def number(formula, values):
    """A formula of the tables, or of the header of weir_mmu, as a number."""
    text = re.sub(r"\(([^()]+)\)\s*\?\s*([^:]+):\s*(.+)", r"((\2) if (\1) else (\3))", formula)
    text = re.sub(r"weir_pkg::", "", text.replace("$clog2", "clog2")).replace("/", "//")
    known = {**values, "index": index_width, "clog2": lambda count: (count - 1).bit_length()}
    return eval(text, {"__builtins__": {}}, known)


def numbers(settings):
    """{name: value} of all names that a formula may hold, for one set of parameters."""
    values = {row["parameter"]: int(row["value"]) for row in parameters()}
    values.update({name: value for name, value in package().items() if name in FROM_PACKAGE})
    values.update(settings)
    for name, formula in derived().items():
        values[name] = number(formula, values)
    return values


def bits(pin):
    """Formula of the bits of the whole pin."""
    return "*".join(part for part in (pin["parts"], pin["bits"]) if part != "1") or "1"


def in_verilog(formula):
    return re.sub(r"index\(([^()]*)\)", r"(((\1) > 1) ? $clog2(\1) : 1)", formula)


def in_cpp(formula):
    """With `s` for the shape; derived names are replaced by their formulas."""
    fields = {row["parameter"]: f"s.{row['field']}" for row in parameters()}
    widths = {name: str(value) for name, value in package().items() if name in FROM_PACKAGE}
    for name, text in derived().items():
        formula = re.sub(rf"\b{name}\b", text if text.startswith("index") else f"({text})", formula)
    formula = re.sub(r"\b[A-Z]\w*\b", lambda found: {**fields, **widths}[found[0]], formula)
    return re.sub(r"\s*([*/+])\s*", r" \1 ", formula.replace("index(", "index_width("))
