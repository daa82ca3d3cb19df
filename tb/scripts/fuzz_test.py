#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tb/fuzz/run_scenarios.py: its scenarios and its judgement; and of the gate of
scripts/check/fuzz, which must make the same executions each time."""
import importlib.machinery
import importlib.util
import json
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import tomllib
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb/fuzz"))
import run_scenarios as run  # noqa: E402

SEEDS = run.Seeds()


def script(name):
    """A script without an ending, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts/check" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class Gate(unittest.TestCase):
    """What scripts/test runs: a fixed seed, fixed executions, nothing that an earlier run left."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.fuzz = script("fuzz")
        self.fuzz.BUILD = pathlib.Path(scratch.name)
        for folder, names in (("seeds", "cab"), ("corpus", "old")):
            (self.fuzz.BUILD / folder / "pfc").mkdir(parents=True)
            for name in names:
                (self.fuzz.BUILD / folder / "pfc" / name).write_text(name)

    def options(self, *words):
        with unittest.mock.patch.object(sys, "argv", ["fuzz", *words]):
            return self.fuzz.arguments()

    def test_every_reader_has_its_executions(self):
        readers = {path.name for path in (ROOT / "tb/fuzz/corpus").iterdir()}
        self.assertEqual(set(self.fuzz.EXECUTIONS), readers)
        self.assertTrue(all(count > 0 for count in self.fuzz.EXECUTIONS.values()))

    def test_the_seed_of_the_gate_does_not_depend_on_the_commit(self):
        self.assertEqual(self.options().seed, self.fuzz.GATE_SEED)
        self.assertEqual(self.options("--seconds", "5").seed, self.fuzz.seed_of_commit())
        self.assertEqual(self.options("--full").seed, self.fuzz.seed_of_commit())
        self.assertEqual(self.options("--seed", "7").seed, 7)

    def test_the_gate_counts_executions_and_reads_only_seeds(self):
        options = self.fuzz.gate_options("pfc", 1)
        listed = (self.fuzz.BUILD / "seeds/pfc.list").read_text().split(",")
        names = [pathlib.Path(path).name for path in listed]
        corpus = sorted(path.name for path in (ROOT / "tb/fuzz/corpus/pfc").iterdir())
        self.assertEqual(names, corpus + ["a", "b", "c"])
        self.assertIn(f"-runs={len(names) + self.fuzz.EXECUTIONS['pfc']}", options)
        self.assertNotIn(str(self.fuzz.BUILD / "corpus/pfc"), [str(option) for option in options])
        self.assertIn(str(self.fuzz.BUILD / "corpus/pfc"),
                      [str(option) for option in self.fuzz.search_options("pfc", 5)])

    def test_a_fuzzer_that_does_not_make_its_executions_is_a_finding(self):
        for made, findings in ((12, 0), (11, 1)):
            program = self.fuzz.BUILD / "weir_fuzz"
            program.write_text(f"#!/bin/sh\necho stat::number_of_executed_units: {made} >&2\n")
            program.chmod(0o755)
            figures = self.fuzz.fuzz(program, "pfc", ["-runs=12"], 1, str(self.fuzz.BUILD))
            self.assertEqual((figures["executions"], len(figures["findings"])), (made, findings))

    def test_the_jobs_of_the_gate_are_the_same_again(self):
        names = list(self.fuzz.EXECUTIONS)
        first, second = (self.fuzz.gate_jobs(self.options(), names, pathlib.Path("fuzzer"), "weir", "scratch") for _ in range(2))
        self.assertEqual(first, second)
        self.assertIn("--cases", first[self.fuzz.RUN][3])

    def made(self, folder, fuzzer):
        """{name: executions beyond its seeds} of a gate that passes."""
        names = ["pfc", "run"]
        seeds = len(list((ROOT / "tb/fuzz/corpus/pfc").iterdir())) + 3
        options = self.options("--passed", str(folder))
        jobs = self.fuzz.gate_jobs(options, names, fuzzer, "weir", "scratch")
        passed = self.fuzz.Passed(options.passed, fuzzer, options.seed)
        for name in names:
            passed.note(name)
        readers = jobs["pfc"]
        return (self.fuzz.wanted(readers[3]) - seeds if len(readers) > 1 else 0, int(jobs["run"][3][1]))

    def test_what_passed_whole_makes_a_part_and_nothing_where_it_would_be_the_same(self):
        folder, fuzzer = self.fuzz.BUILD / "not_there_yet/passed", self.fuzz.BUILD / "fuzzer"
        fuzzer.write_text("one")
        whole = tuple(self.fuzz.EXECUTIONS[name] for name in ("pfc", "run"))
        part = tuple(count // 16 for count in whole)
        self.assertEqual(self.made(folder, fuzzer), whole)
        self.assertEqual(self.made(folder, fuzzer), (0, part[1]))
        fuzzer.write_text("two")
        self.assertEqual(self.made(folder, fuzzer), part)
        (self.fuzz.BUILD / "seeds/pfc/a").write_text("another seed")
        self.assertEqual(self.made(folder, fuzzer), part)
        self.assertEqual(self.made(folder, fuzzer), (0, part[1]))

    def test_a_pass_in_part_does_not_become_a_whole_one_until_the_folder_is_new(self):
        folder, fuzzer = self.fuzz.BUILD / "passed", self.fuzz.BUILD / "fuzzer"
        for text, whole in (("one", True), ("one", True), ("two", False), ("two", False)):
            fuzzer.write_text(text)
            self.made(folder, fuzzer)
            self.assertEqual(self.fuzz.Passed(folder, fuzzer, self.fuzz.GATE_SEED).is_whole("pfc"), whole, text)

    def test_a_reader_with_a_finding_is_not_noted(self):
        passed = self.fuzz.Passed(self.fuzz.BUILD / "passed", self.fuzz.BUILD / "seeds/pfc/a", 1)
        self.assertEqual(passed.part("pfc"), 1)
        passed.note("csv")
        self.assertEqual((passed.part("pfc"), passed.part("csv")), (1, 0))


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
