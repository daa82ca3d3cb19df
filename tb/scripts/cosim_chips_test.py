# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/rtl/cosim-chips scripts/lib vectors/chips
"""scripts/rtl/cosim-chips starts make-backend for the library that `weir cosim` asks for, gives a row a chip, and
refuses what it does not know. The program here is a small script."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """#!/bin/sh
case "$1 $4" in
show*) echo "lanes 3, clock 1 ns" ;;
*chip.lanes=3) echo "compared 1234 in 56 cycles: 7 arrivals" ;;
*chip.lanes=4) echo "first difference in cycle 9"; exit 1 ;;
*chip.lanes=5) [ -e "$0.made" ] && echo "compared 1 in 2 cycles" && exit 0
  touch "$0.made"
  echo "no library; build one with: scripts/rtl/make-backend --help (the program then finds it)"; exit 2 ;;
*) echo "chip.lanes: must be 1 to 64"; exit 2 ;;
esac
"""


class CosimChips(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "weir"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def outcome(self, *words):
        ended = subprocess.run([ROOT / "scripts/rtl/cosim-chips", *words], capture_output=True, text=True,
                               check=False, env={**os.environ, "WEIR_PROGRAM": str(self.program)})
        return ended.returncode, ended.stdout + ended.stderr

    def test_a_chip_has_its_own_lanes_and_gives_a_row(self):
        code, said = self.outcome("dsh_trident2")
        self.assertEqual(code, 0, said)
        self.assertIn("| `dsh_trident2` | 3 | 0 | 56 | 1,234 | 0 |", said)

    def test_a_difference_is_shown_and_the_other_chips_are_compared(self):
        code, said = self.outcome("dsh_trident2:4", "dsh_tomahawk")
        self.assertEqual(code, 1, said)
        self.assertIn("dsh_trident2, 4 lanes: first difference in cycle 9", said)
        self.assertIn("| `dsh_tomahawk` | 3 |", said)

    def test_the_library_that_is_asked_for_is_made(self):
        code, said = self.outcome("dsh_trident2:5")
        self.assertEqual(code, 0, said)
        self.assertIn("| `dsh_trident2` | 5 |", said)

    def test_what_it_does_not_know_is_refused(self):
        for words, complaint in ((["no_chip"], "no_chip: no such chip in vectors/chips; they are arista_7050cx3_32, "),
                                 (["../chips/dsh_trident2"], "no such chip"),
                                 (["dsh_trident2:many"], "dsh_trident2:many: the lanes must be a number from 1"),
                                 (["dsh_trident2:65"], "must be 1 to 64"), (["--full", "dsh_trident2"], "--full")):
            with self.subTest(words):
                code, said = self.outcome(*words)
                self.assertEqual(code, 2, said)
                self.assertIn(complaint, said)

    def test_a_program_that_is_not_there_is_named(self):
        self.program.unlink()
        code, said = self.outcome("dsh_trident2")
        self.assertEqual(code, 2)
        self.assertIn(f"{self.program}: no such file", said)


if __name__ == "__main__":
    unittest.main()
