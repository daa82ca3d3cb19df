# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts
"""scripts/rtl/synth prints a row of its own, and does not touch the page for it."""
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/measurements/rtl.md"


class Synth(unittest.TestCase):
    def test_a_row_that_is_not_in_the_table_is_printed_alone(self):
        before = PAGE.read_bytes()
        ended = subprocess.run([ROOT / "scripts/rtl/synth", "--row", "row_forward", "Width=3"],
                               capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertRegex(ended.stdout, r"\| row_forward \|.*\| \d+ \|")
        self.assertEqual(PAGE.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
