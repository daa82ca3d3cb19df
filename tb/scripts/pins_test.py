# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts docs/blocks systemc/include/weir/model/rtl
"""What scripts/rtl/pins writes is up to date, and it refuses a weir_mmu whose ports are not those of the table."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = (ROOT / "rtl/weir_mmu.sv").read_text()


def outcome(text=RTL):
    """Exit code and text of `pins --check` with this weir_mmu.sv."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "weir_mmu.sv"
        path.write_text(text)
        ended = subprocess.run([ROOT / "scripts/rtl/pins", "--check", "--rtl", path],
                               capture_output=True, text=True)
        return ended.returncode, ended.stderr


class Pins(unittest.TestCase):
    def refused(self, old, new, complaint):
        self.assertEqual(RTL.count(old), 1, f"{old!r} is in weir_mmu.sv once")
        code, said = outcome(RTL.replace(old, new))
        self.assertEqual(code, 1, f"{old!r} replaced by {new!r}")
        self.assertIn(complaint, said)

    def test_the_files_are_those_that_it_would_write(self):
        self.assertEqual(outcome(), (0, ""))

    def test_a_port_of_the_rtl_that_no_row_has_is_refused(self):
        self.refused("output logic                        init_done_o,",
                     "output logic                        init_done_o,\n"
                     "  output logic                        other_o,", "other_o is in weir_mmu.sv alone")

    def test_a_row_without_a_port_is_refused(self):
        self.refused("  output logic [Ports*8-1:0]          pause_o ", "  output logic [Ports*8-1:0] paused_o ",
                     "pause_o is in weir_mmu.pins.csv alone")

    def test_another_direction_is_refused(self):
        self.refused("output logic [Slots-1:0]            rel_error_o", "input logic [Slots-1:0] rel_error_o",
                     "rel_error_o: in in weir_mmu.sv, out in the table")

    def test_another_width_is_refused(self):
        self.refused("output logic [Slots*LenW-1:0]       arr_shared_o",
                     "output logic [Slots*ByteW-1:0] arr_shared_o", "arr_shared_o: 14 bits in weir_mmu.sv, 8 in the table")

    def test_another_width_of_a_derived_parameter_is_refused(self):
        self.refused("parameter int CountW        = $clog2(Lanes + 1), ", "parameter int CountW = $clog2(Lanes), ",
                     "rel_waiting_i: ")

    def test_a_parameter_that_no_row_has_is_refused(self):
        self.refused("  parameter int Ports         = 8, ", "  parameter int Extra = 1,\n  parameter int Ports = 8, ",
                     "parameter Extra")


if __name__ == "__main__":
    unittest.main()
