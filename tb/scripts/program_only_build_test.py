# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts CMakeLists.txt CMakePresets.json systemc/CMakeLists.txt
"""A build folder of scripts/weir has the program and no libraries that others can link with, so it
refuses to be installed and writes no file. The options are read from scripts/weir itself."""
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def configured_by(script):
    """The options of the first cmake that the script starts."""
    command = re.search(r"cmake (--preset release [^)]*)\)", script.read_text())
    return command.group(1).split()


class ProgramOnlyBuildTest(unittest.TestCase):
    def test_it_refuses_to_be_installed(self):
        with tempfile.TemporaryDirectory() as scratch:
            build, prefix = pathlib.Path(scratch, "build"), pathlib.Path(scratch, "prefix")
            configured = subprocess.run(
                ["cmake", *configured_by(ROOT / "scripts/weir"), "-B", build, "--log-level=WARNING"],
                cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(configured.returncode, 0, configured.stderr)
            installed = subprocess.run(["cmake", "--install", build, "--prefix", prefix],
                                       capture_output=True, text=True)
            self.assertNotEqual(installed.returncode, 0)
            self.assertIn("configured for the program alone", installed.stderr)
            self.assertIn("cmake --preset release -DWEIR_FAT_LTO=ON", installed.stderr)
            self.assertFalse(prefix.exists(), "nothing may be installed")


if __name__ == "__main__":
    unittest.main()
