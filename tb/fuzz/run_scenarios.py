#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes scenarios as one who knows the format does, runs them, and judges how the program ends.

  tb/fuzz/run_scenarios.py --program WEIR [--seed N] [--cases N | --seconds S] [--findings DIR]
  tb/fuzz/run_scenarios.py --show SEED:CASE     the scenario of a case

Case I of seed N is the same scenario everywhere: it depends on them and on the files of vectors
alone. First the inputs of tb/fuzz/corpus/run are run. Right are exit codes 0, 1 and 2; with 2 one
line says why, with 0 and 1 there is the summary. Anything else, a signal, more than LIMIT seconds, a
control character, or other results when the same is run again, is a finding. Prints its figures as
JSON; exit 1 when there is a finding.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 30  # seconds of processor time of a run; those of the seeds take less than one
WAIT = 10 * LIMIT  # seconds of a clock: the machine may do other things, and a run that waits ends, too
MEMORY = 2 << 30  # bytes of address space; sanitizers need all of it
UNTIL = "20 us"  # what is simulated of each
AGAIN = 8  # every so many runs that end well are run twice
LARGE = re.compile(r"clos384|clos1152|leafspine48|star32")  # seconds a scenario, under sanitizers
HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*$")
KEY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\")(?:\.(?:[\w-]+|\"[^\"]*\"))*)\s*=\s*(.*?)\s*$")
COMMENT = re.compile(r"^((?:[^\"'#]|\"[^\"]*\"|'[^']*')*)#.*$")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]")

# Both sides of what a value may be, by its unit; and what is none at all.
INTEGERS = ["-1", "0", "1", "2", "3", "7", "8", "64", "255", "256", "1000", "65535", "65536", "2147483648",
            "9223372036854775807", "1.5", "nan", "true", '""', "[]", "{}"]
NUMBERS = ["0", "1", "2", "0.5", "3", "10", "64", "100", "999", "1000", "9999", "65535", "65536", "1000000",
           "18446744073709551615", "18446744073709551616", "-1", "1e3", "0.0000000001"]
UNITS = {"B": ["B", "kB", "MB", "GB", "KiB", "cells"], "bps": ["bps", "kbps", "Mbps", "Gbps", "Tbps"],
         "s": ["ps", "ns", "us", "ms", "s"], "m": ["mm", "cm", "m", "km"], "%": ["%"], "Hz": ["Hz", "MHz", "GHz"],
         "cycles": ["cycles"], "quanta": ["quanta"]}
FAMILY = {unit: family for family, units in UNITS.items() for unit in units}
TEXTS = ['""', '"a b"', '"a.b"', '"h0"', '"h[0-3]"', '"h[0-999][0-999]"', '"tor"', '"\\u001b[2J"', '"a\\u0000b"',
         '"\\u202eb"', '"../chips/none.toml"', '"/dev/zero"', "'each'", '"*"']


def parsed(text):
    """A scenario as a list of tables, each [header line, [key, value] ...]; comments are left out."""
    tables = [["", []]]
    open_value = None
    for line in text.split("\n"):
        line = COMMENT.sub(r"\1", line)
        if open_value is not None:  # a list over several lines
            open_value[1] += " " + line.strip()
            if open_value[1].count("[") <= open_value[1].count("]"):
                open_value = None
            continue
        if HEADER.match(line):
            tables.append([line.strip(), []])
        elif KEY.match(line):
            entry = list(KEY.match(line).groups())
            tables[-1][1].append(entry)
            if entry[1].count("[") > entry[1].count("]"):
                open_value = entry
    return tables


def written(tables):
    lines = []
    for header, entries in tables:
        lines += [header] if header else []
        lines += [f"{key} = {value}" for key, value in entries]
    return "\n".join(lines) + "\n"


def kind_of(header):
    """[switch.tor.profile.lossless] and [switch.T0.profile.lossy] are tables of one kind."""
    match = HEADER.match(header)
    parts = match[2].split(".") if match else [""]
    return ".".join(part for part in parts if part in KINDS) or parts[0]


KINDS = {"scenario", "switch", "switches", "hosts", "host", "traffic", "fault", "link", "links", "route", "routing",
         "monitor", "pingmesh", "watchdog", "nic", "expect", "desired", "topology", "chip", "pool", "profile",
         "egress_pool", "queue", "port", "ecmp"}


class Seeds:
    """The scenarios of vectors, and what is written in them by kind of table."""

    def __init__(self, root=ROOT):
        files = [path for folder in ("scenarios", "lint", "cosim")
                 for path in sorted((root / "vectors" / folder).glob("*.toml"))]
        texts = [path.read_text() for path in files if not LARGE.search(path.name)]
        texts = [text for text in texts if "[scenario]" in text]
        self.scenarios = [parsed(text) for text in texts]
        self.values = collections.defaultdict(list)  # (kind, key) -> values
        self.tables = []
        chips = [parsed(path.read_text()) for path in sorted((root / "vectors/chips").glob("*.toml"))]
        for tables in chips:  # a switch may set any key of its chip
            for header, entries in tables[1:]:
                self.note([header.replace("[", "[switch.tor.", 1) if "[[" not in header else header, entries])
        for tables in self.scenarios:
            for table in tables[1:]:
                self.note(table)

    def note(self, table):
        self.tables.append(table)
        for key, value in table[1]:
            if value not in self.values[kind_of(table[0]), key]:
                self.values[kind_of(table[0]), key].append(value)

    def keys_of(self, kind):
        return sorted(key for known, key in self.values if known == kind)


def changed_value(value, draw):
    """Another value in place of `value`."""
    number = re.fullmatch(r'"([<>=!]*\s*)([\d.]+)\s*([A-Za-z%]+)"(.*)', value)
    if number and number[3] in FAMILY:
        family = draw.choice(list(UNITS)) if draw.random() < 0.1 else FAMILY[number[3]]
        amount = draw.choice(NUMBERS) if draw.random() < 0.7 else number[2]
        return f'"{number[1]}{amount} {draw.choice(UNITS[family])}"'
    if re.fullmatch(r"-?[\d_]+", value):
        return draw.choice(INTEGERS) if draw.random() < 0.8 else str(int(value) * draw.choice([2, 3, 10]))
    if value in ("true", "false"):
        return draw.choice(["true", "false", "1"])
    if value.startswith("[") and draw.random() < 0.7:
        parts = re.findall(r'"[^"]*"|[\d.]+|true|false', value)
        draw.shuffle(parts)
        return "[" + ", ".join(parts[:draw.randrange(len(parts) + 1)] + parts[:draw.randrange(2)]) + "]"
    return draw.choice(TEXTS)


class Case:
    """One changed scenario: its text, and which changes were made."""

    def __init__(self, seeds, seed, number):
        draw = random.Random(f"{seed}:{number}")
        self.seeds, self.draw, self.changes = seeds, draw, []
        self.tables = [[header, [list(entry) for entry in entries]] for header, entries in draw.choice(seeds.scenarios)]
        for _ in range(draw.choice([1, 1, 2, 3, 5])):
            change = draw.choice([self.value, self.value, self.value, self.other_value, self.other_value, self.add_key,
                                  self.add_key, self.drop_key, self.drop_table, self.double_table, self.add_table])
            if change():
                self.changes.append(change.__name__)
        self.text = written(self.tables)

    def entry(self):
        tables = [table for table in self.tables if table[1]]
        table = self.draw.choice(tables) if tables else None
        return (table, self.draw.choice(table[1])) if table else (None, None)

    def value(self):
        _, entry = self.entry()
        if entry:
            entry[1] = changed_value(entry[1], self.draw)
        return entry is not None

    def other_value(self):
        table, entry = self.entry()
        values = self.seeds.values.get((kind_of(table[0]), entry[0])) if table else None
        if values:
            entry[1] = self.draw.choice(values)
        return bool(values)

    def add_key(self):
        table = self.draw.choice(self.tables)
        kind = kind_of(table[0])
        keys = [key for key in self.seeds.keys_of(kind) if key not in [known for known, _ in table[1]]]
        if not keys:
            return False
        key = self.draw.choice(keys)
        table[1].append([key, self.draw.choice(self.seeds.values[kind, key])])
        return True

    def drop_key(self):
        table, entry = self.entry()
        if table:
            table[1].remove(entry)
        return table is not None

    def drop_table(self):
        if len(self.tables) < 2:
            return False
        del self.tables[self.draw.randrange(1, len(self.tables))]
        return True

    def double_table(self):
        header, entries = self.draw.choice(self.tables)
        self.tables.append([header, [list(entry) for entry in entries]])
        return True

    def add_table(self):
        header, entries = self.draw.choice(self.seeds.tables)
        self.tables.append([header, [list(entry) for entry in entries]])
        return True


def judged(code, out, err):
    """What is wrong with the end of a run; None when it is right. Texts are decoded, bad UTF-8 is U+FFFD."""
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"not done after {LIMIT} s of processor time"
    if code not in (0, 1, 2):
        return f"exit code {code}"
    if CONTROL.search(out) or CONTROL.search(err):
        return "a control character on the terminal"
    if code == 2:
        lines = err.split("\n")
        if out or lines[-1] or len(lines) < 2 or not all(line.startswith("weir: ") for line in lines[:-1]):
            return "exit code 2 without lines that say why, one for each error"
        return None
    try:
        json.loads(out)
    except ValueError:
        return "no summary in JSON"
    return None


class Runner:
    def __init__(self, program, folder, limit_memory):
        self.program, self.folder, self.limit_memory = program, pathlib.Path(folder), limit_memory
        (self.folder / "fuzzed").mkdir()
        for name in ("chips", "scenarios", "workloads"):
            (self.folder / name).symlink_to(ROOT / "vectors" / name)
        for name in ("scenarios/replay_star4.csv", "lint/base.toml"):
            (self.folder / "fuzzed" / os.path.basename(name)).write_bytes((ROOT / "vectors" / name).read_bytes())

    def limits(self):
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
        if self.limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def run(self, text):
        """(exit code, stdout, what is wrong)"""
        scenario = self.folder / "fuzzed/scenario.toml"
        scenario.write_text(text, encoding="utf-8")
        command = [self.program, "run", str(scenario), "--until", UNTIL, "--json", "--quiet", "--no-report",
                   "--out", str(self.folder / "out")]
        try:
            end = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                                 timeout=WAIT, preexec_fn=self.limits)
        except subprocess.TimeoutExpired:
            return None, "", f"not done after {WAIT} s"
        out, err = (stream.decode(errors="replace") for stream in (end.stdout, end.stderr))
        return end.returncode, out, judged(end.returncode, out, err)


def run_all(options):
    seeds, figures, findings = Seeds(), collections.Counter(), []
    started = time.monotonic()
    corpus = sorted((ROOT / "tb/fuzz/corpus/run").glob("*.toml"))
    with tempfile.TemporaryDirectory(prefix="weir-fuzz-run-") as folder:
        runner = Runner(os.path.abspath(options.program), folder, not options.sanitized)

        def one(name, text):
            code, out, wrong = runner.run(text)
            figures["executions"] += 1
            figures["refused"] += code == 2
            figures["ran"] += code in (0, 1)
            if not wrong and code in (0, 1) and figures["ran"] % AGAIN == 0:
                figures["twice"] += 1
                wrong = None if runner.run(text)[1] == out else "other results when it is run again"
            if wrong:
                findings.append(f"{name}: {wrong}")
                keep(options.findings, name, text, wrong)

        for path in corpus:
            one(path.stem, path.read_text(encoding="utf-8"))
        number = 0
        while number < options.cases if options.cases else time.monotonic() - started < options.seconds:
            one(f"{options.seed}:{number}", Case(seeds, options.seed, number).text)
            number += 1
    return {**figures, "seconds": round(time.monotonic() - started, 1), "findings": findings}


def keep(folder, name, text, wrong):
    if not folder:
        return
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name.replace(':', '_')}.toml").write_text(f"# {wrong}\n{text}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--findings")
    parser.add_argument("--sanitized", action="store_true", help="the program needs all address space")
    parser.add_argument("--show", metavar="SEED:CASE")
    options = parser.parse_args()
    if options.show:
        seed, _, number = options.show.rpartition(":")
        print(Case(Seeds(), seed, int(number)).text, end="")
        return 0
    if not options.program:
        parser.error("--program is missing")
    result = run_all(options)
    print(json.dumps(result))
    return 1 if result["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
