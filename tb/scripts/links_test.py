# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/check scripts/lib
"""scripts/check/links fails for each kind of dangling reference, and for none of a correct tree."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOUND = {
    "README.md": "# Top\n[guide](docs/guide/README.md) [web](https://example.org/none.md)\n",
    "docs/guide/README.md": "# Guide\n## What it is, and why\n[there](page.md#two-words)\n"
                            "[here](#what-it-is-and-why)\n```\n[no link](none.md)\n```\n",
    "docs/guide/page.md": "# Page\n## Two words\n![picture](picture.svg)\n`[no link](none.md)`\n",
    "docs/guide/picture.svg": "<svg/>\n",
    "rtl/block.sv": "// Source: docs/guide/page.md, 2. A random seed 12.\n",
}


def outcome(changes):
    """Exit code and text of the checker on a correct tree with these files changed."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**SOUND, **changes}.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ended = subprocess.run([ROOT / "scripts/check/links", folder], capture_output=True, text=True)
        return ended.returncode, ended.stdout


class Links(unittest.TestCase):
    def refused(self, changes, message):
        code, text = outcome(changes)
        self.assertEqual(code, 1, text)
        self.assertIn(message, text)
        self.assertIn("1 complaints", text)

    def test_a_sound_tree_passes(self):
        code, text = outcome({})
        self.assertEqual(code, 0, text)
        self.assertIn("3 pages, 5 files, 0 complaints", text)

    def test_a_link_to_no_file_is_refused(self):
        self.refused({"rtl/README.md": "a\n[x](../docs/gone.md)\n"},
                     "rtl/README.md:2: link to ../docs/gone.md: no such file")

    def test_a_link_to_a_folder_without_a_page_is_refused(self):
        self.refused({"vectors/README.md": "[x](../rtl)\n"},
                     "vectors/README.md:1: link to ../rtl: no such file")

    def test_an_anchor_that_is_no_heading_is_refused(self):
        self.refused({"vectors/README.md": "[x](../docs/guide/page.md#three-words)\n"},
                     "link to ../docs/guide/page.md#three-words: no such heading")

    def test_a_page_that_nothing_leads_to_is_refused(self):
        self.refused({"docs/lost.md": "# Lost\n[guide](guide/README.md)\n"},
                     "docs/lost.md: no link from README.md leads here")

    def test_a_path_of_a_page_that_is_not_there_is_refused(self):
        self.refused({"systemc/a.hpp": "/// Source: docs/gone.md.\n"},
                     "systemc/a.hpp:1: docs/gone.md: no such file")

    def test_a_path_of_a_source_that_is_not_there_is_refused_in_a_page(self):
        self.refused({"rtl/README.md": "`rtl/block.sv`, `rtl/gone_*.sv` and `rtl/gone.sv`\n"},
                     "rtl/README.md:1: rtl/gone.sv: no such file")

    def test_a_path_in_a_comment_that_is_not_there_is_refused(self):
        for name, comment in (("systemc/a.hpp", "/// See {}."), ("systemc/a.cpp", "int a;  // {} makes it"),
                              ("systemc/a.h", "/* one line,\n * {} */"), ("scripts/a", "# {} --check"),
                              ("scripts/a.py", '"""Help.\n\n  {} --check  compares\n"""'),
                              ("systemc/CMakeLists.txt", "# {}")):
            for path in ("docs/gone", "rtl/gone.sv", "systemc/gone.cpp", "scripts/gone", "tb/gone_test.cpp",
                         "vectors/gone/two.toml", "core/gone.hpp", "model/two/gone.cpp"):
                with self.subTest(name=name, path=path):
                    self.refused({name: comment.format(path) + "\n"}, f"{path}: no such file")

    def test_a_path_in_a_comment_that_is_there_passes(self):
        code, text = outcome({"systemc/include/weir/core/one/a.hpp": "int a();\n", "systemc/src/core/one/a.cpp": "\n",
                              "tb/core/a_test.cpp": "// core/one/a.hpp, core/one/a.cpp, rtl/block.sv, rtl/*.sv,\n"
                                                    "// rtl/NAME.sv, vectors/x/NAME, rtl/{a,b}, https://a.org/rtl/c\n"})
        self.assertEqual(code, 0, text)

    def test_a_path_outside_of_comments_passes(self):
        code, text = outcome({"tb/a.cpp": 'f("rtl/none.sv");\n', "scripts/a": "sed -n 's/^#  scripts/none/p' x\n"})
        self.assertEqual(code, 0, text)

    def test_a_row_in_a_file_that_does_not_name_its_page_is_refused(self):
        self.refused({"tb/a.cpp": "// The storm of row P4.\n"}, "tb/a.cpp:1: row P4 without the name of its page")
        code, text = outcome({"tb/a.cpp": "// Row P4 of published-rows.md.\n// As row P3.\n"})
        self.assertEqual(code, 0, text)

    def test_documents_that_readers_do_not_have_are_refused(self):
        for text in ("// Source: DESIGN section 3.", "// as DESIGN 2 says", "// GROUND_TRUTH 4",
                     "# seed 004, Figure 1", "// SILICON.md"):
            with self.subTest(text):
                self.refused({"tb/a.cpp": text + "\n"}, "which readers do not have")


if __name__ == "__main__":
    unittest.main()
