# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts docs
"""Commands that a page leaves to a script (scripts/lib/doc_blocks.py) are run as they are typed, all of
them, and scripts/check/readme leaves out these and no others. What scripts write into pages goes between
two marks that name the script."""
import pathlib
import re
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

    def test_the_check_of_the_readme_runs_schedulers_apart_and_the_pages_that_are_named(self):
        for folder in ("scripts/check", "scripts/lib", "docs/guide/below"):
            (self.folder / folder).mkdir(parents=True)
        for name in ("weir", "lib/some-local"):
            program = self.folder / "scripts" / name
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
        (self.folder / "README.md").write_text(block("scripts/weir one") +
                                               block("scripts/lib/some-local run scripts/weir two"))
        for page, command in (("page", "three"), ("guide/page", "four"), ("guide/below/page", "five")):
            (self.folder / f"docs/{page}.md").write_text(block(f"scripts/weir {command}"))
        check = shutil.copy(ROOT / "scripts/check/readme", self.folder / "scripts/check")
        for options, ran in (([], "one two three four five"), (["--schedulers"], "two"), (["README.md"], "one"),
                             (["docs/guide"], "four"), (["docs/guide/below", "docs/page.md"], "three five"),
                             (["--without", "docs/guide/", "README.md"], "three five")):
            said = subprocess.run([check, *options], capture_output=True, text=True, check=True).stdout
            self.assertIn(f"{len(ran.split())} commands run, 0 failed", said)
            self.assertEqual({word for word in "one two three four five".split() if f"scripts/weir {word}\n" in said},
                             set(ran.split()), options)
        for options in (["docs/none"], ["--others"]):
            self.assertEqual(subprocess.run([check, *options], capture_output=True, check=False).returncode, 2)


class Blocks(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.page = pathlib.Path(scratch.name) / "page.md"
        self.page.write_text(f"a\n<!-- begin one: {SCRIPT} -->\nold\ntext\n<!-- end one -->\nb\n"
                             f"<!-- begin two: {SCRIPT} -->\nmore\n<!-- end two -->\n")

    def test_a_block_is_read_and_others_stay_where_one_is_written(self):
        self.assertEqual(doc_blocks.block(self.page, SCRIPT, "one"), "old\ntext")
        made = doc_blocks.with_blocks(self.page, SCRIPT, {"one": "new"})
        self.assertEqual(made, self.page.read_text().replace("old\ntext", "new"))
        doc_blocks.write_or_check({self.page: made}, SCRIPT, False)
        self.assertEqual(doc_blocks.block(self.page, SCRIPT, "one"), "new")
        self.assertEqual(doc_blocks.block(self.page, SCRIPT, "two"), "more")

    def test_a_check_writes_nothing_and_names_the_script(self):
        before = self.page.read_text()
        doc_blocks.write_or_check({self.page: before}, SCRIPT, True)
        with self.assertRaisesRegex(SystemExit, f"not up to date, run {SCRIPT}: "):
            doc_blocks.write_or_check({self.page: before + "x"}, SCRIPT, True)
        self.assertEqual(self.page.read_text(), before)

    def test_a_mark_that_is_missing_or_there_twice_ends_the_script(self):
        text = self.page.read_text()
        end = "<!-- end one -->\n"
        for changed in (text.replace(end, ""), text + end, text.replace(SCRIPT, "scripts/doc/other"),
                        end + text.replace(end, "")):
            self.page.write_text(changed)
            with self.assertRaisesRegex(SystemExit, "needs one line"):
                doc_blocks.with_blocks(self.page, SCRIPT, {"one": "new"})

    def test_each_mark_of_a_page_names_a_script_that_uses_this_module(self):
        pages = {path: path.read_text() for path in (ROOT / "docs").rglob("*.md")}
        marks = [(path, name, script) for path, text in pages.items()
                 for name, script in re.findall(r"^<!-- begin ([^:\n]+): (\S+).* -->$", text, re.MULTILINE)]
        self.assertTrue(marks)
        for path, name, script in marks:
            with self.subTest(path=path, name=name):
                self.assertEqual(pages[path].count(f"<!-- end {name} -->"), 1)
                self.assertIn("doc_blocks", (ROOT / script).read_text())


if __name__ == "__main__":
    unittest.main()
