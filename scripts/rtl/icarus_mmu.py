# SPDX-License-Identifier: Apache-2.0
"""Replays vectors/mmu on the whole weir_mmu in Icarus (tb/icarus/replay_mmu.sv)."""
import csv
import re

import pin_tables as tables
import rtl_sources as rtl

VECTORS = rtl.ROOT / "vectors/mmu"
BENCH = rtl.ROOT / "tb/icarus/replay_mmu.sv"
APB = ["psel_i", "penable_i", "pwrite_i", "paddr_i", "pwdata_i"]  # the bench drives them, too


def pins(parameters):
    """[(pin, bits, valid pin, bits of a part)] in the order of the vector's columns."""
    values = tables.numbers(parameters)
    rows = []
    for pin in tables.inputs() + tables.outputs():
        valid = tables.valid_pins(pin)[0] if pin["dir"] == "out" and tables.valid_pins(pin) else None
        part = tables.number(pin["bits"], values) if valid else 0
        rows.append((pin["pin"], tables.number(tables.bits(pin), values), valid, part))
    return rows


def verilog(formula):
    return tables.in_verilog(re.sub(r"\b(ReasonW|ThresholdW)\b", r"weir_pkg::\1", formula))


def wide(formula):
    return "logic " if formula == "1" else f"logic [{verilog(formula)}-1:0] "


def masked(pin):
    """The input with X where it does not count."""
    name, parts, at = pin["pin"], pin["parts"], f"n*({verilog(pin['bits'])}) +: {verilog(pin['bits'])}"
    width = {other["pin"]: tables.bits(other) for other in tables.pins()}
    bits = [f"{valid}[n]" if width[valid] == parts else f"{valid}[n*({width[valid]})/({parts})]"
            for valid in tables.valid_pins(pin)]
    return (f"  for (int n = 0; n < {parts}; n++) begin\n"
            f"    x_{name}[{at}] = ({' && '.join(bits)}) ? {name}[{at}] : 'x;\n  end\n")


def connection(pin):
    name = pin["pin"]
    if name in APB:
        return f".{name}(setup ? s_{name} : {name})"
    return f".{name}(x_{name})" if pin["dir"] == "in" and tables.valid_pins(pin) else f".{name}({name})"


def declarations():
    """What tb/icarus/replay_mmu.sv includes."""
    both = {"in": tables.inputs(), "out": tables.outputs()}
    masks = [pin for pin in both["in"] if tables.valid_pins(pin)]
    lines = [f"parameter int {row['parameter']} = {row['value']};" for row in tables.parameters()]
    lines += [f"localparam int {name} = {tables.in_verilog(formula)};"
              for name, formula in tables.derived().items()]
    for way, rows in both.items():
        total = " + ".join(verilog(tables.bits(pin)) for pin in rows)
        lines += [wide(tables.bits(pin)) + pin["pin"] + ";" for pin in rows]
        lines += [f"localparam int {way.capitalize()}W = {total};"]
    lines += [wide(tables.bits(pin)) + "x_" + pin["pin"] + ";" for pin in masks]
    lines += ["logic [InW-1:0] in = '0;", "logic [OutW-1:0] out;",
              f"assign {{{', '.join(pin['pin'] for pin in both['in'])}}} = in;",
              f"assign out = {{{', '.join(pin['pin'] for pin in both['out'])}}};",
              "always_comb begin\n" + "".join(masked(pin) for pin in masks) + "end"]
    settings = ", ".join(f".{row['parameter']}({row['parameter']})" for row in tables.parameters())
    connections = ",\n  ".join(connection(pin) for pin in tables.pins())
    return "\n".join(lines + [f"weir_mmu #({settings}) u_mmu (\n  {connections}\n);"]) + "\n"


def ones_where(valid, part):
    """`part` ones for each bit of `valid`."""
    return sum(((1 << part) - 1) << (at * part)
               for at in range(valid.bit_length()) if valid >> at & 1)


def numbers(table, row):
    """(inputs, outputs, care) of one row, the first column at the top."""
    inputs = outputs = care = 0
    for name, bits, valid, part in table:
        value = int(row[f"{name}_hex"] or "0", 16)
        if name.endswith("_i"):
            inputs = inputs << bits | value
            continue
        mask = ones_where(int(row[f"{valid}_hex"] or "0", 16), part) if valid else (1 << bits) - 1
        outputs, care = outputs << bits | value, care << bits | mask
    return inputs, outputs, care


def read(case):
    """(parameters, columns, rows) of a vector."""
    with (VECTORS / f"{case}.cycles.csv").open() as file:
        head = file.readline()
        parameters = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", head)}
        rows = list(csv.DictReader(file))
    table = pins(parameters)
    named = [f"{name}_hex" for name, *_ in table]
    if not rows or ["cycle", *named] != list(rows[0]):
        raise SystemExit(f"icarus: {case}.cycles.csv: its columns are not the pins of weir_mmu")
    return parameters, table, rows


def format_case(case, what):
    with (VECTORS / f"{case}.{what}.csv").open() as file:
        return "".join(f"{row['address_hex']} {row['value_hex']}\n" for row in csv.DictReader(file))


def explain(table, said):
    """Names the outputs that differ in the first line in which the bench reports a difference."""
    found = re.search(r"cycle (\d+): outputs (\S+), expected (\S+), care (\S+)", said)
    if not found:
        return said.strip()[-1500:]
    differ = (int(re.sub("[xz]", "0", found[2]), 16) ^ int(found[3], 16)) & int(found[4], 16)
    names, low = [], 0
    for name, bits, _, _ in reversed([pin for pin in table if pin[0].endswith("_o")]):
        if differ >> low & ((1 << bits) - 1):
            names.append(name)
        low += bits
    return f"first difference in cycle {found[1]}: {', '.join(names)}"


def build(folder, case, parameters):
    target = folder / f"{case}.vvp"
    (folder / "replay_mmu_pins.svh").write_text(declarations())
    settings = [f"-Preplay_mmu.{name}={value}" for name, value in parameters.items()]
    code, said = rtl.run(["iverilog", "-g2012", "-I", folder, *settings, "-s", "replay_mmu", "-o", target,
                          *rtl.icarus_copies(folder, "weir_mmu"), BENCH])
    if code != 0:
        raise SystemExit(f"icarus: replay_mmu does not compile\n{said[-3000:]}")
    return target


def replay(target, folder, lines, setup, held):
    for name, text in (("setup", setup), ("cycles", "".join(lines)), ("held", held)):
        (folder / name).write_text(text)
    return rtl.run(["vvp", "-N", target, f"+setup={folder}/setup", f"+cycles={folder}/cycles",
                    f"+held={folder}/held"], 200)


def check(case, folder):
    """(values compared, error or None): replays the vector, and checks that an inverted bit is noticed."""
    parameters, table, rows = read(case)
    target = build(folder, case, parameters)
    values = [numbers(table, row) for row in rows]
    lines = [f"{row['cycle']} {i:x} {o:x} {c:x}\n" for row, (i, o, c) in zip(rows, values)]
    setup, held = format_case(case, "setup"), format_case(case, "held")
    code, said = replay(target, folder, lines, setup, held)
    counts = re.search(r"compared (\d+), 0 wrong", said)
    if code != 0 or not counts:
        return 0, explain(table, said)
    at = min(20, len(lines) - 1)
    inputs, outputs, care = values[at]
    turned = f"{rows[at]['cycle']} {inputs:x} {outputs ^ (care & -care):x} {care:x}\n"
    if replay(target, folder, lines[:at] + [turned] + lines[at + 1:], setup, held)[0] == 0:
        return 0, "a turned bit is not noticed"
    return int(counts[1]), ""
