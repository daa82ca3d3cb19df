# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts
"""scripts/rtl/ecp5 --route refuses what is no block, and no parameter of it."""
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Ecp5(unittest.TestCase):
    def refused(self, *words):
        ended = subprocess.run([ROOT / "scripts/rtl/ecp5", "--route", *words], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 2, ended.stdout)
        return ended.stderr

    def test_a_module_that_is_not_there_is_named_with_those_that_are(self):
        self.assertRegex(self.refused("nosuch"), r"no module nosuch: one of .*\bweir_mmu\b")

    def test_a_parameter_is_one_of_the_module_and_has_a_number(self):
        self.assertIn("Portz=8: PARAMETER=NUMBER, the parameter one of Ports, Lanes",
                      self.refused("arrival_arbiter", "Portz=8"))
        self.assertIn("Ports=x: PARAMETER=NUMBER", self.refused("arrival_arbiter", "Ports=x"))

    def test_an_illegal_value_is_refused_with_what_is_legal(self):
        self.assertRegex(self.refused("arrival_arbiter", "Ports=0"), r"Ports = 0: must be 1 to \d+")


if __name__ == "__main__":
    unittest.main()
