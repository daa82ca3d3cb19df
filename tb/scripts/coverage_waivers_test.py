# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts/rtl/coverage_waivers.py scripts/rtl/rtl_sources.py tb/lockstep/coverage_waivers.txt tb/lockstep/unreachable.sv
"""The waivers of coverage (scripts/rtl/coverage_waivers.py): how bits are written, and that the file fits the RTL."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "rtl"))
import coverage_waivers as waivers  # noqa: E402

SOURCE = {path.name: path.read_text().splitlines() for path in (ROOT / "rtl").rglob("*.sv")}


def bits(text, constants=None, below=64):
    written = waivers.Bits(text, constants or {})
    return [bit for bit in range(below) if bit in written]


class WrittenBits(unittest.TestCase):
    def test_ranges_and_single_bits(self):
        self.assertEqual(bits("5:3,0"), [0, 3, 4, 5])

    def test_of_every_field(self):
        self.assertEqual(bits("3:2/8", below=20), [2, 3, 10, 11, 18, 19])

    def test_from_a_bit_on(self):
        self.assertEqual(bits("3:2/8@11", below=20), [11, 18, 19])

    def test_without_some(self):
        self.assertEqual(bits("3:2/8!10:8/16", below=20), [2, 3, 11, 18, 19])

    def test_constants_in_sums_and_products(self):
        self.assertEqual(bits("Low+1:Low/Count*4", {"Low": 1, "Count": 2}, 12), [1, 2, 9, 10])

    def test_what_is_no_number_is_refused(self):
        for text in ("", "3:", "Low", "1/", "f(1)", "3;2"):
            with self.assertRaises((ValueError, SyntaxError), msg=text):
                bits(text)


class TheFile(unittest.TestCase):
    def test_names_assertions_that_exist(self):
        self.assertEqual(waivers.Waivers(SOURCE).wrong, [])

    def test_places_follow_the_package(self):
        package = waivers.constants_of("\n".join(SOURCE["weir_pkg.sv"]), {})
        self.assertEqual(package["LinePartition"], package["LineStatic"] + package["LimitW"])
        wider = dict(SOURCE)
        width = f"PolicyW    = {package['PolicyW']};"
        text = "\n".join(SOURCE["weir_pkg.sv"])
        self.assertIn(width, text)
        wider["weir_pkg.sv"] = text.replace(width, f"PolicyW    = {package['PolicyW'] + 1};").splitlines()
        bit = package["ProfilePrivate"] + 17
        for source, first in ((SOURCE, bit), (wider, bit + 1)):
            lines = waivers.Waivers(source)
            self.assertTrue(lines.waives("csr.sv", "toggle", "cfg_profile_o", first))
            self.assertFalse(lines.waives("csr.sv", "toggle", "cfg_profile_o", first - 1))


if __name__ == "__main__":
    unittest.main()
