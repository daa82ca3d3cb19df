# SPDX-License-Identifier: Apache-2.0
# Depends on: systemc/c/sv tb/sv/uvm rtl/weir_mmu.rdl scripts/rtl/slang_warnings.py scripts/rtl/register-models scripts/lib
"""The UVM sources are SystemVerilog that fits the classes of UVM: slang reads them with the declarations of
tb/sv/uvm, as no open package has the library."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLANG = ROOT / "scripts/rtl/slang_warnings.py"
UVM = ROOT / "tb/sv/uvm"
DPI = ROOT / "systemc/c/sv/weir_mmu_dpi_pkg.sv"
PACKAGE = ROOT / "systemc/c/sv/uvm/weir_mmu_uvm_pkg.sv"


class Uvm(unittest.TestCase):
    def slang(self, top, *files):
        """Exit code and output of slang."""
        place = pathlib.Path(os.environ.get("WEIR_FRONTENDS", ROOT / "build/frontends"))
        packages = place / "packages"  # written last: without it an environment is not whole
        if not packages.exists():
            made = subprocess.run([ROOT / "scripts/rtl/frontends", "--trial"], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not packages.exists():
                self.skipTest(made.stdout)
        words = [place / "bin/python", SLANG, "--std", "1800-2017", "-I", UVM, UVM / "uvm_pkg.sv", *files]
        done = subprocess.run([*words, "--top", top] if top else words, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_the_environment_is_accepted_without_a_warning(self):
        code, said = self.slang("uses_uvm", DPI, PACKAGE, UVM / "uses_uvm.sv")
        self.assertEqual(code, 0, said)
        self.assertNotIn("warning:", said)

    def test_a_wrong_environment_is_refused(self):
        text = PACKAGE.read_text()
        for right, wrong, words in (
                ("predictor.expected.connect(scoreboard.expected)",
                 "predictor.expected.connect(scoreboard.level)", "level"),
                ("core.release_cells(t.slot, ", "core.release_cells(", "release_cells"),
                ("scoreboard.ports = core.ports", "scoreboard.ports = core.port", "port")):
            self.assertEqual(text.count(right), 1, right)
            with tempfile.TemporaryDirectory() as scratch:
                copy = pathlib.Path(scratch) / PACKAGE.name
                copy.write_text(text.replace(right, wrong))
                code, said = self.slang("uses_uvm", DPI, copy, UVM / "uses_uvm.sv")
            self.assertNotEqual(code, 0, wrong)
            self.assertIn(words, said)


if __name__ == "__main__":
    unittest.main()
