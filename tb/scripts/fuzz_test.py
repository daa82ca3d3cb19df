#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tb/fuzz/run_scenarios.py: its scenarios and its judgement."""
import json
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb/fuzz"))
import run_scenarios as run  # noqa: E402

SEEDS = run.Seeds()


class Cases(unittest.TestCase):
    def test_what_is_parsed_and_written_again_says_the_same(self):
        for path in sorted((ROOT / "vectors/scenarios").glob("*.toml")):
            text = path.read_text()
            self.assertEqual(tomllib.loads(run.written(run.parsed(text))), tomllib.loads(text), path)

    def test_a_case_is_the_same_again_and_differs_from_its_neighbours(self):
        texts = [run.Case(SEEDS, 7, number).text for number in range(40)]
        self.assertEqual(texts, [run.Case(run.Seeds(), 7, number).text for number in range(40)])
        self.assertGreater(len(set(texts)), 30)
        self.assertNotEqual(texts, [run.Case(SEEDS, 8, number).text for number in range(40)])

    def test_every_kind_of_change_is_made(self):
        made = {change for number in range(300) for change in run.Case(SEEDS, 1, number).changes}
        self.assertEqual(made, {"value", "other_value", "add_key", "drop_key", "drop_table", "double_table",
                                "add_table"})

    def test_values_are_replaced_by_those_of_their_kind(self):
        self.assertEqual(run.kind_of("[switch.tor.profile.lossless]"), run.kind_of("[switch.T0.profile.lossy]"))
        self.assertIn("alpha", SEEDS.keys_of("switch.profile"))
        self.assertIn("window", SEEDS.keys_of("traffic"))


class Judgement(unittest.TestCase):
    def test_the_ends_of_the_contract_are_right(self):
        self.assertIsNone(run.judged(0, "{}\n", ""))
        self.assertIsNone(run.judged(1, "{}\n", "weir: a check failed\n"))
        self.assertIsNone(run.judged(2, "", "weir: s.toml:3: hosts.count = 0: must be more\n"))

    def test_anything_else_is_a_finding(self):
        for code, out, err in [(3, "", "weir: model error: map::at\n"), (-signal.SIGSEGV, "", ""), (2, "", ""),
                               (2, "x", "weir: a\n"), (2, "", "weir: a\nb\n"), (2, "", "other\n"), (0, "", ""),
                               (-signal.SIGXCPU, "", ""), (0, "{}\n", "\x1b[2J"), (0, "{}\n", "\u009b2J"),
                               (2, "", "weir: \u202ea\n"), (2, "", "weir: a\0b\n"), (2, "", "weir: \ufffd\n")]:
            self.assertIsNotNone(run.judged(code, out, err), (code, out, err))


class Program(unittest.TestCase):
    """The whole script with a program that is wrong in one way."""

    def figures(self, body):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "weir"
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            end = subprocess.run([sys.executable, ROOT / "tb/fuzz/run_scenarios.py", "--program", program, "--cases",
                                  "9", "--findings", f"{folder}/found"], capture_output=True, text=True)
            found = list(pathlib.Path(folder).glob("found/*.toml"))
        figures = json.loads(end.stdout)
        self.assertEqual(end.returncode, 1 if figures["findings"] else 0)
        self.assertEqual(len(found), len(figures["findings"]))
        return figures

    def test_a_good_program_has_no_finding(self):
        figures = self.figures("echo '{}'")
        self.assertEqual(figures["findings"], [])
        self.assertGreaterEqual(figures["executions"], 9)
        self.assertGreater(figures["twice"], 0)

    def test_a_program_that_breaks_has_one_each_time(self):
        figures = self.figures("kill -SEGV $$")
        self.assertEqual(len(figures["findings"]), figures["executions"])

    def test_a_program_with_other_results_each_time_is_noticed(self):
        figures = self.figures("echo \"{\\\"time\\\": $(date +%N)}\" | sed 's/: 0*/: 1/'")
        self.assertTrue(figures["findings"])
        self.assertTrue(all("run again" in finding for finding in figures["findings"]))


if __name__ == "__main__":
    unittest.main()
