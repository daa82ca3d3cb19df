# SPDX-License-Identifier: Apache-2.0
"""What the parameters of weir_mmu may be, in the words of its errors and of those of its parts."""
import re

import pin_tables as tables
import rtl_sources as rtl


class NotLegal(ValueError):
    """A value that weir_mmu would refuse."""


def parts_of(top):
    """Texts of a module and of what is in it, outer modules first."""
    texts = {path.stem: path.read_text() for path in rtl.files_of(top)}
    known = [top]
    for module in known:
        for part in re.findall(r"^\s*(\w+)\s*(?:#\s*\(|u_\w+\s*\()", texts[module], re.MULTILINE):
            if part in texts and part not in known:
                known.append(part)
    return [texts[module] for module in known]


def legal_words(top="weir_mmu"):
    """{parameter: "1 to 4096"}: the range that an error text names, that of the module or of the outermost
    part that checks the parameter."""
    latencies, limits = rtl.constants("pipeline_latency_pkg"), rtl.constants("weir_pkg")
    words = {}
    for text in parts_of(top):
        for name, said, given in re.findall(r'\$fatal\(1, "(\w+) = %0d: must be ([^"]+)",\s*(.*?)\);', text, re.S):
            for constant in re.findall(r"\bweir_pkg::(\w+)", given):  # "1 to %0d"
                said = said.replace("%0d", str(limits[constant]), 1)
            words.setdefault(name, said)
    for name in words.keys() & {"AdmitLatency", "PfcLatency", "ThresholdLag", "MarkLatency"}:
        words[name] = f"{latencies[name + 'Least']} to {latencies[name + 'Greatest']}"
    return words


def is_legal(value, words, values):
    span = re.fullmatch(r"(a power of two from )?(\d+) to (\d+|(\w+) = %0d)", words)
    if span:
        most = values[span[4]] if span[4] else int(span[3])
        return int(span[2]) <= value <= most and (not span[1] or value & (value - 1) == 0)
    return value in [int(number) for number in re.findall(r"\d+", words)]


def checked(given):
    """{parameter: value}, every one legal. `given`: {option: text}; without one, the value of the
    library that comes with weir."""
    rows, values, legal = tables.parameters(), {}, legal_words()
    for row in rows:
        text = given.get(row["option"], row["value"])
        values[row["parameter"]] = int(text) if re.fullmatch(r"\d{1,9}", text) else None
    pools = min(rtl.constants("weir_pkg")["MaxPools"], 8 * (values["Ports"] or 1))
    known = {**values, "PoolsHere": pools}  # as weir_domain has it
    for row in rows:
        value, words = values[row["parameter"]], legal[row["parameter"]]
        if value is None or not is_legal(value, words, known):
            words = words.replace("PoolsHere = %0d", f"{pools}, eight for each port")
            words = re.sub(r"(\w+) = %0d", lambda m: f"{m[1]} = {known[m[1]]}", words)
            raise NotLegal(f"--{row['option']} {given.get(row['option'])}: must be {words}")
    if values["WredDrops"] and not values["WredProfiles"]:
        raise NotLegal("--wred-drops 1: needs --wred-profiles of 1 or more")
    least = rtl.constants("pipeline_latency_pkg")["AdmitLatencyLeastDrops"]
    if values["WredDrops"] and values["AdmitLatency"] < least:
        raise NotLegal(f"--admit {values['AdmitLatency']}: must be {least} or more with --wred-drops 1")
    return values
