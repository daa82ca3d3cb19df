# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/lib scripts/check/readme
"""Commands that a page leaves to a script (scripts/lib/doc_blocks.py) are run as they are typed, all of
them, and scripts/check/readme leaves out these and no others."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import doc_blocks  # noqa: E402

SCRIPT = "scripts/doc/tables"
LEFT = f"<!-- run by {SCRIPT} -->\n"


def block(command):
    return f"```console\n$ {command}\n```\n"


class LeftToAScript(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.page = self.folder / "page.md"
        doc_blocks._ran.clear()

    def test_a_command_is_run_as_it_is_typed_and_its_folder_returned(self):
        out = self.folder / "out"
        self.page.write_text(LEFT + block(f"mkdir {out} && false --out {out} # exit 1"))
        self.assertEqual(doc_blocks.run_as_shown(self.page, SCRIPT, "mkdir"), out)
        self.assertTrue(out.is_dir())
        doc_blocks.write_or_check({self.page: self.page.read_text()}, SCRIPT, True)

    def test_another_exit_code_ends_the_script(self):
        self.page.write_text(LEFT + block("false --out there"))
        with self.assertRaisesRegex(SystemExit, "exit 1"):
            doc_blocks.run_as_shown(self.page, SCRIPT, "false")

    def test_a_command_that_is_not_left_to_it_is_not_run(self):
        for text in (block("true --out there"), LEFT + "\n" + block("true --out there")):
            self.page.write_text(text)
            with self.assertRaisesRegex(SystemExit, "needs one command"):
                doc_blocks.run_as_shown(self.page, SCRIPT, "true")

    def test_a_command_that_it_never_ran_ends_the_script(self):
        self.page.write_text(LEFT + block("true --out there"))
        for check in (True, False):
            with self.assertRaisesRegex(SystemExit, "does not run what is left to it: true"):
                doc_blocks.write_or_check({self.page: self.page.read_text()}, SCRIPT, check)

    def test_the_check_of_the_readme_leaves_out_these_alone(self):
        (self.folder / "scripts/check").mkdir(parents=True)
        (self.folder / "docs").mkdir()
        (self.folder / "README.md").write_text(block("scripts/weir one") + "a\n" + LEFT +
                                               block("scripts/weir two") + block("scripts/weir three"))
        (self.folder / "docs/page.md").write_text(LEFT + "\n" + block("scripts/weir four"))
        check = shutil.copy(ROOT / "scripts/check/readme", self.folder / "scripts/check")
        listed = subprocess.run([check, "--list"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(listed, "scripts/weir one\nscripts/weir three\nscripts/weir four\n")


if __name__ == "__main__":
    unittest.main()
