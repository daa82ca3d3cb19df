# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts
"""scripts/rtl/frontends refuses a module of rtl/ that other front ends than ours would refuse. Each test
works in a copy of the tree, with the virtual environment of this one."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
PARITY = """// SPDX-License-Identifier: Apache-2.0
//
// Parity of a word, for a test.
module parity (
  input  logic [7:0] word_i,
  output logic       odd_o
);
{body}
endmodule
"""
RIGHT = """  logic odd;
  assign odd   = ^word_i;
  assign odd_o = odd;"""
USED_BEFORE = """  assign odd_o = odd;
  logic odd;
  assign odd   = ^word_i;"""
UNUSED = RIGHT + """
  logic even;
  assign even = ~odd;"""


class Frontends(unittest.TestCase):
    def check(self, body):
        """Exit code and output for a module `parity` with this body."""
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            for folder in ("rtl", "scripts"):
                shutil.copytree(ROOT / folder, root / folder)
            (root / "rtl/parity.sv").write_text(PARITY.format(body=body))
            place = os.environ.get("WEIR_FRONTENDS", ROOT / "build/frontends")
            answer = subprocess.run([root / "scripts/rtl/frontends", "parity"], text=True,
                                    env=dict(os.environ, WEIR_FRONTENDS=str(place)),
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if answer.returncode == SKIPPED:
            self.skipTest(answer.stdout)
        return answer.returncode, answer.stdout

    def test_a_right_module_passes(self):
        code, said = self.check(RIGHT)
        self.assertEqual(code, 0, said)
        self.assertIn("1 modules at 3 parameter sets", said)

    def test_a_name_used_before_its_declaration_is_refused_with_its_line(self):
        code, said = self.check(USED_BEFORE)
        self.assertEqual(code, 1, said)
        self.assertIn("rtl/parity.sv:8:18: error: identifier 'odd' used before its declaration", said)

    def test_a_signal_that_nothing_reads_is_refused(self):
        code, said = self.check(UNUSED)
        self.assertEqual(code, 1, said)
        self.assertIn("'even' is assigned but its value is never used", said)


if __name__ == "__main__":
    unittest.main()
