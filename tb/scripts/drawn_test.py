# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/lib/drawn scripts/rtl/record.py tb/long_tests.txt
"""scripts/lib/drawn: which of the long tests run."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]

loader = importlib.machinery.SourceFileLoader("drawn", str(ROOT / "scripts/lib/drawn"))
drawn = importlib.util.module_from_spec(importlib.util.spec_from_loader("drawn", loader))
loader.exec_module(drawn)

TESTS = [f"room.Suite/Of.Case/{n}" for n in range(10)]


class Tree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        for place in drawn.WITHOUT_CODE:
            file = self.root / place if "." in place else self.root / place / "file"
            file.parent.mkdir(exist_ok=True)
            file.write_text(place)
        self.list = self.root / "tb/long_tests.txt"
        self.list.write_text("# a comment\nroom.*\n")
        self.code = self.root / "systemc/src/nic.cpp"
        self.code.parent.mkdir(parents=True)
        self.code.write_text("int a;\n")
        self.build = self.root / "build"
        self.build.mkdir()
        without = {key: value for key, value in os.environ.items() if key != "WEIR_PROVE_ALL"}
        for patch in (mock.patch.multiple(drawn, ROOT=self.root, LIST=self.list,
                                          names_of_ctest=lambda _: ["other.Case", *TESTS]),
                      mock.patch.object(drawn.record.rtl, "ROOT", self.root),
                      mock.patch.object(drawn.record, "seed_of_commit", lambda: "commit"),
                      mock.patch.dict(os.environ, without, clear=True)):
            patch.start()
            self.addCleanup(patch.stop)

    def drawn(self, *words):
        with mock.patch("sys.argv", ["drawn", "--build", str(self.build), *words]), mock.patch("builtins.print"):
            drawn.main()
        left = (self.build / "not_drawn").read_text()
        return [name for name in ["other.Case", *TESTS] if not left or not re.search(left, name)]

    def test_all_run_in_a_new_folder_and_a_quarter_after_they_passed(self):
        self.assertEqual(self.drawn(), ["other.Case", *TESTS])
        self.drawn("--note")
        found = self.drawn()
        self.assertEqual(found[0], "other.Case")
        self.assertEqual(len(found), 1 + 3)

    def test_after_a_change_of_code_a_quarter_runs_and_after_any_other_all(self):
        self.drawn()
        self.drawn("--note")
        self.code.write_text("int b;\n")
        self.assertEqual(len(self.drawn()), 4)
        (self.root / "tb/passed.json").write_text("a record, written after all have passed")
        self.assertEqual(len(self.drawn()), 4)
        for place in ("vectors/new.toml", "tb/file", "rtl/file", "CMakeLists.txt", "systemc/CMakeLists.txt"):
            (self.root / place).write_text(f"other {place}")
            self.assertEqual(len(self.drawn()), 11, place)
            self.assertEqual(len(self.drawn()), 11, "nothing has passed since")
            self.drawn("--note")
            self.assertEqual(len(self.drawn()), 4, place)

    def test_a_run_of_a_quarter_notes_nothing(self):
        self.drawn()
        self.drawn("--note")
        stamp = self.build / "once/long_tests"
        before = stamp.read_text()
        self.drawn()
        (self.root / "tb/file").write_text("other")
        self.drawn("--note")
        self.assertEqual(stamp.read_text(), before)

    def test_all_run_where_all_is_asked_for(self):
        self.drawn()
        self.drawn("--note")
        with mock.patch.dict(os.environ, {"WEIR_PROVE_ALL": "1"}):
            self.assertEqual(len(self.drawn()), 11)

    def test_each_is_drawn_sooner_or_later(self):
        found = set()
        for n in range(40):
            found |= set(TESTS) - set(drawn.left_out(TESTS, f"commit {n}"))
        self.assertEqual(found, set(TESTS))

    def test_one_of_each_four_neighbours_of_the_list_is_drawn(self):
        for n in range(10):
            left = drawn.left_out(TESTS, f"commit {n}")
            self.assertEqual([sum(name not in left for name in TESTS[first:first + 4]) for first in (0, 4, 8)],
                             [1, 1, 1])

    def test_tests_have_the_order_of_the_list(self):
        self.list.write_text("room.*/7\nother.*\nroom.*\n")
        self.assertEqual(drawn.long_tests(["other.Case", *TESTS]),
                         [TESTS[7], "other.Case", *TESTS[:7], *TESTS[8:]])

    def test_a_line_that_names_no_test_is_an_error(self):
        self.list.write_text("room.*\nroom.Siute.*\n")
        with self.assertRaisesRegex(SystemExit, r"tb/long_tests.txt: room.Siute.\*: no test has this name"):
            self.drawn()


if __name__ == "__main__":
    unittest.main()
