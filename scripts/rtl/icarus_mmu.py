# SPDX-License-Identifier: Apache-2.0
"""Replays vectors/mmu on the whole weir_mmu in Icarus (tb/icarus/replay_mmu.sv)."""
import csv
import re

import rtl_sources as rtl

VECTORS = rtl.ROOT / "vectors/mmu"
BENCH = rtl.ROOT / "tb/icarus/replay_mmu.sv"


def index_width(count):
    return max(1, (count - 1).bit_length())


def pins(p):
    """[(pin, bits, valid pin, bits of a part)] in the order of the table's columns."""
    ports, slots, copies = p["Ports"], p["Domains"] * p["Lanes"], p["Copies"]
    row, port, axis, length = index_width(ports * 8), index_width(ports), p["AxisW"], p["LenW"]
    waiting = p["Domains"] * ports * p["Lanes"].bit_length()
    inputs = {"psel": 1, "penable": 1, "pwrite": 1, "paddr": 24, "pwdata": 32,
              "rel_waiting": waiting, "rel_pg": slots * row, "rel_cells": slots * length,
              "rel_queue": slots * row, "rel_last": slots, "arr_waiting": waiting,
              "arr_pg": slots * row, "arr_cells": slots * length, "arr_bytes": slots * p["ByteW"],
              "arr_queue": slots * copies * row, "arr_mask": slots * copies, "pfc_start": ports,
              "m_axis_pfc_tready": ports, "s_axis_rx_tdata": ports * axis,
              "s_axis_rx_tkeep": ports * axis // 8, "s_axis_rx_tvalid": ports,
              "s_axis_rx_tlast": ports, "s_axis_rx_tuser": ports}
    rel, arr, beat = ("rel_valid_o", slots), ("arr_valid_o", slots), ("m_axis_pfc_tvalid_o", ports)
    outputs = [("pready", 1, None), ("pslverr", 1, ("pready_o", 1)),
               ("rel_grant_valid", slots, None),
               ("rel_grant_port", port, ("rel_grant_valid_o", slots)),
               ("arr_grant_valid", slots, None),
               ("arr_grant_port", port, ("arr_grant_valid_o", slots)),
               ("rel_valid", slots, None), ("rel_pg", row, rel), ("rel_xoff", 1, rel),
               ("rel_changed", 1, rel), ("rel_error", 1, rel), ("arr_valid", slots, None),
               ("arr_pg", row, arr), ("arr_reason", 3, arr), ("arr_private", length, arr),
               ("arr_shared", length, arr), ("arr_headroom", length, arr),
               ("arr_threshold", 32, arr), ("arr_xoff", 1, arr), ("arr_changed", 1, arr),
               ("arr_mask", copies, arr), ("xoff", 8 * ports, None), ("pfc_request", ports, None),
               ("pfc_ready", ports, None), ("pfc_sends", ports, None),
               ("m_axis_pfc_tvalid", ports, None), ("m_axis_pfc_tdata", axis, beat),
               ("m_axis_pfc_tkeep", axis // 8, beat), ("m_axis_pfc_tlast", 1, beat),
               ("pause", 8 * ports, None)]
    table = [(f"{name}_i", bits, None, 0) for name, bits in inputs.items()]
    for name, bits, valid in outputs:
        table.append((f"{name}_o", bits * valid[1], valid[0], bits) if valid else
                     (f"{name}_o", bits, None, 0))
    return table


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


def words_of(case, what):
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
    settings = [f"-Preplay_mmu.{name}={value}" for name, value in parameters.items()]
    code, said = rtl.run(["iverilog", "-g2012", *settings, "-s", "replay_mmu", "-o", target,
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
    setup, held = words_of(case, "setup"), words_of(case, "held")
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
