# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/check scripts/lib
"""scripts/check/words refuses its words in prose and in names, and not in other code."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def outcome(files, *arguments):
    """Exit code and text of the checker on a tree with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ended = subprocess.run([ROOT / "scripts/check/words", "--root", folder, *arguments],
                               capture_output=True, text=True)
        return ended.returncode, ended.stdout


class Words(unittest.TestCase):
    def test_each_word_is_refused_in_a_page(self):
        for word in ("stands", "Stood", "beside", "behind", "tells", "told", "whoever", "neediest", "nobody",
                     "somebody", "everyone", "anew", "all the same", "aside", "thrown away", "kept from",
                     "hears of", "hear of", "holds off", "held back", "set free", "sets it free", "go away", "goes away",
                     "no one"):
            with self.subTest(word):
                code, text = outcome({"docs/a.md": f"# A\nIt is {word} here.\n"})
                self.assertEqual(code, 1, text)
                self.assertIn(f'docs/a.md:2: "{word}"', text)

    def test_code_of_a_page_and_parts_of_words_pass(self):
        code, text = outcome({"docs/a.md": "# Standard\nunderstand `tell()`\n```\nit stands\n```\n"
                                           "[x](stands.md) outstanding\n"})
        self.assertEqual(code, 0, text)

    def test_names_count_in_c_python_and_shell(self):
        for name, line, word in (
                ("systemc/a.cpp", "int told_at = 1;", "told_at"), ("systemc/a.hpp", "struct IsToldOnce {};", "IsToldOnce"),
                ("systemc/a.c", "#define MOST_PORTS 2", "MOST_PORTS"), ("systemc/a.h", "int read_behind_;", "read_behind_"),
                ("tb/a.cpp", "TEST(Suite, StarvesNoOne) {}", "StarvesNoOne"), ("tb/a.cpp", "int x2told;", "x2told"),
                ("tb/a.cpp", "f(goesAway);", "goesAway"), ("systemc/a.cpp", "auto text = words_of(1);", "words_of"),
                ("scripts/a.py", "for news in lines:", "news"), ("scripts/a", "read -r besides", "besides")):
            with self.subTest(line):
                code, text = outcome({"docs/a.md": "# A\n", name: f"\n{line}\n"})
                self.assertEqual(code, 1, text)
                self.assertIn(f'{name}:2: "{word}"', text)
                self.assertIn("1 refused words", text)

    def test_names_without_such_a_word_pass(self):
        for line in ("int retold, standard, understood;", "f(most, at_most, most_used, mostly);", "c.most_common(2)",
                     "int words, word_of, all_words_of_it;", 'f("told_at", 1);', "int a;  // see `x`"):
            with self.subTest(line):
                code, text = outcome({"docs/a.md": "# A\n", "systemc/a.cpp": line + "\n"}, "systemc")
                self.assertEqual(code, 0, text)

    def test_names_of_rtl_are_read(self):
        code, text = outcome({"docs/a.md": "# A\n", "rtl/a.sv": "logic told_q;\n"})
        self.assertEqual(code, 1)
        self.assertIn('rtl/a.sv:1: "told_q"', text)

    def test_comments_and_texts_of_a_source_count_and_other_code_does_not(self):
        good = {"docs/a.md": "# A\n", "systemc/a.cpp": "int a = b(1);\n"}
        code, text = outcome(good, "systemc")
        self.assertEqual(code, 0, text)
        for line in ("int a;  // what stands here", 'print("nobody");', 'R"(\nit tells\n)"'):
            with self.subTest(line):
                code, text = outcome({**good, "systemc/a.cpp": line + "\n"}, "systemc")
                self.assertEqual(code, 1, text)

    def test_the_name_of_a_variable_in_a_text_passes(self):
        for line in ('echo "$besides ${told:-1}"', 'print(f"{told} s")'):
            with self.subTest(line):
                code, text = outcome({"docs/a.md": "# A\n", "scripts/a.py": line + "\n"}, "scripts")
                self.assertEqual(code, 0, text)

    def test_comments_and_texts_of_a_scenario_count(self):
        scenario = 'description = "it stands"\nuntil = "1 ms"  # as told\n'
        code, text = outcome({"docs/a.md": "# A\n", "vectors/a.toml": scenario}, "vectors")
        self.assertEqual(code, 1, text)
        self.assertIn("2 refused words", text)

    def test_every_room_is_judged_without_arguments_and_one_alone_when_named(self):
        for room in ("rtl/a.sv", "systemc/a.hpp", "tb/a.cpp"):
            with self.subTest(room):
                files = {"docs/a.md": "# A\n", room: "// stands\n"}
                code, text = outcome(files)
                self.assertEqual(code, 1, text)
                self.assertIn(f'{room}:1: "stands"', text)
                self.assertEqual(outcome(files, "docs")[0], 0)

    def test_block_comments_of_c_and_css_count(self):
        for name in ("a.c", "a.h", "a.css"):
            for comment in ("a { }  /* it stands */", "/*\n * It varies, all\n * the same.\n */"):
                with self.subTest(name=name, comment=comment):
                    code, text = outcome({"docs/a.md": "# A\n", f"systemc/{name}": comment + "\n"})
                    self.assertEqual(code, 1, text)
                    self.assertIn("1 refused words", text)

    def test_tables_templates_and_the_build_file_count(self):
        for name, comment in (("rtl/a.sva", "//"), ("rtl/a.rdl", "//"), ("vectors/a.csv", "#"), ("CMakeLists.txt", "#"),
                              ("systemc/a.hpp.in", "//"), ("systemc/a.cmake.in", "#")):
            with self.subTest(name):
                code, text = outcome({"docs/a.md": "# A\n", name: f"{comment} whoever reads it\n"})
                self.assertEqual(code, 1, text)
                self.assertIn(f'{name}:1: "whoever"', text)

    def test_an_unknown_room_is_an_error(self):
        self.assertEqual(outcome({"docs/a.md": "# A\n"}, "attic")[0], 1)

    def test_the_first_line_of_a_long_text_counts(self):
        for name, line in (("a.py", '"""It stands here\nand ends."""'), ("a.cpp", 'R"(it tells\nmore)"')):
            with self.subTest(name):
                code, text = outcome({"docs/a.md": "# A\n", f"systemc/{name}": line + "\n"})
                self.assertEqual(code, 1, text)
                self.assertIn(f"systemc/{name}:1:", text)

    def test_texts_in_single_quotes_of_scripts_count(self):
        for name in ("a.py", "a.js"):
            with self.subTest(name):
                code, text = outcome({"docs/a.md": "# A\n", f"systemc/{name}": "show('it stands');\n"})
                self.assertEqual(code, 1, text)

    def test_a_phrase_broken_over_two_lines_is_found_at_its_first(self):
        for name, text, line in (
                ("docs/a.md", "# A\n\n* It varies, all\n  the same.\n", 3),
                ("docs/a.md", "One line.\nIt is [kept](b.md)\n**no**: it holds\noff.\n", 3),
                ("systemc/a.cpp", "int a;\n/// It varies, all\n/// the same.\n", 2),
                ("systemc/a.cpp", "int a;  // it varies, all\n        // the same\n", 1),
                ("systemc/a.cpp", 'f("it holds "\n  "back");\n', 1),
                ("systemc/a.cpp", 'R"(\nit is kept\nfrom it\n)"', 2),
                ("systemc/a.py", '"""Ends.\n\nIt varies, all\nthe same."""\n', 3),
                ("vectors/a.toml", "# it is thrown\n# away\n", 1)):
            with self.subTest(text):
                code, said = outcome({"docs/b.md": "# B\n", name: text})
                self.assertEqual(code, 1, said)
                self.assertIn(f"{name}:{line}: ", said)
                self.assertIn("1 refused words", said)

    def test_neighbours_that_are_no_sentence_pass(self):
        for name, text in (
                ("docs/a.md", "It is for all\n\nThe same.\n"),
                ("docs/a.md", "| it is for all |\n| the same |\n"),
                ("docs/a.md", "* it is for all\n* the same\n"),
                ("docs/a.md", "It is kept `here` from then on.\n"),
                ("docs/a.md", "It is kept\n```\nx\n```\nfrom then on.\n"),
                ("docs/a.md", "A set of free cells.\n"),
                ("systemc/a.cpp", "int a;  // for all\nint b;  // the same\n"),
                ("systemc/a.cpp", "// for all\n\n// the same\n"),
                ("systemc/a.cpp", '{"holds",\n "back"};\n'),
                ("systemc/a.py", 'print(f"kept {a} from")\n')):
            with self.subTest(text):
                code, said = outcome({"docs/b.md": "# B\n", name: text})
                self.assertEqual(code, 0, said)

    def test_a_tree_without_files_fails(self):
        self.assertEqual(outcome({})[0], 1)


if __name__ == "__main__":
    unittest.main()
