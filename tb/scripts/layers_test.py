# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/check docs/design
"""scripts/check/layers refuses an include against the arrows, and a folder that the contract does not list."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Layers(unittest.TestCase):
    def setUp(self):
        """A tree with the folders that the contract lists, and one source."""
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for file in ("scripts/check/layers", "docs/design/contract.md"):
            (self.root / file).parent.mkdir(parents=True)
            shutil.copy(ROOT / file, self.root / file)
        contract = (ROOT / "docs/design/contract.md").read_text()
        for room, names in re.findall(r"^ +(\w+)/\{([a-z,]+)\}", contract, re.M):
            places = ["app"] if room == "app" else [f"include/weir/{room}", f"src/{room}"]
            for place in places:
                for name in names.split(","):
                    (self.root / "systemc" / place / name).mkdir(parents=True)
        (self.root / "systemc/src/core/good.cpp").write_text('#include "weir/core/units.hpp"\n#include <vector>\n')

    def outcome(self):
        ended = subprocess.run([self.root / "scripts/check/layers"], capture_output=True, text=True)
        return ended.returncode, ended.stdout

    def test_a_tree_in_order_passes(self):
        self.assertEqual(self.outcome(), (0, "check/layers: 1 files, 0 complaints\n"))

    def test_an_include_against_the_arrows_is_named(self):
        wrong = self.root / "systemc/src/core/wrong.cpp"
        wrong.write_text('#include "weir/trace/summary/summary.hpp"\n')
        code, text = self.outcome()
        self.assertEqual(code, 1)
        self.assertIn("systemc/src/core/wrong.cpp:1:#include", text)

    def test_a_folder_that_the_contract_does_not_list_is_named(self):
        (self.root / "systemc/src/core/flows").mkdir()
        code, text = self.outcome()
        self.assertEqual(code, 1)
        self.assertIn("core/{...} in section 1 lists other folders than there are: > flows", text)

    def test_a_folder_that_is_listed_and_not_there_is_named(self):
        page = self.root / "docs/design/contract.md"
        page.write_text(page.read_text().replace("config/{files,", "config/{files,dreams,"))
        code, text = self.outcome()
        self.assertEqual(code, 1)
        self.assertIn("config/{...} in section 1 lists other folders than there are: < dreams", text)


if __name__ == "__main__":
    unittest.main()
