# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts
"""rtl/files.f and rtl/weir.core list every source, packages first."""
import pathlib
import subprocess
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


class FileLists(unittest.TestCase):
    def test_they_are_up_to_date(self):
        ended = subprocess.run([ROOT / "scripts/rtl/file-lists", "--check"], capture_output=True,
                               text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_fusesoc_reads_the_files_of_files_f(self):
        core = yaml.safe_load((ROOT / "rtl/weir.core").read_text())
        listed = [line for line in (ROOT / "rtl/files.f").read_text().splitlines()
                  if line and not line.startswith("//")]
        self.assertEqual(core["filesets"]["rtl"]["files"], listed)
        self.assertEqual(core["targets"]["default"]["toplevel"], "weir_mmu")
        self.assertIn("rtl", core["targets"]["default"]["filesets"])


if __name__ == "__main__":
    unittest.main()
