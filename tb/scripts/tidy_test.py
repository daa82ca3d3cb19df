# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts .clang-tidy
"""scripts/check/tidy reads again what has changed, a header included, and all that had findings; and
scripts/lib/cxx_sources.py finds what a file is compiled from and what a program of it is linked from."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import cxx_sources  # noqa: E402

FILES = {
    "systemc/include/weir/core/one.hpp": "int one();\n",
    "systemc/src/core/one.cpp": '#include "weir/core/one.hpp"\nint one() { return 1; }\n',
    "systemc/src/core/one_part.cpp": '#include "weir/core/one.hpp"\n#include "near.hpp"\n',
    "systemc/src/core/near.hpp": "int near();\n",
    "systemc/src/core/far.cpp": '#include "weir/core/far.hpp"\n#include "weir/core/one.hpp"\n',
    "systemc/include/weir/core/far.hpp": "int far();\n",
    "tb/core/one_test.cpp": '#include "weir/core/one.hpp"\n#include <gtest/gtest.h>\n',
}


class SmallTree(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class CxxSourcesTest(SmallTree):
    def names(self, linked):
        tree = cxx_sources.Tree(self.root)
        found = tree.closure([self.root / "tb/core/one_test.cpp"], linked)
        return sorted(path.name for path in found)

    def test_a_file_is_compiled_from_its_headers(self):
        self.assertEqual(self.names(linked=False), ["one.hpp", "one_test.cpp"])

    def test_a_program_is_linked_from_what_these_declare(self):
        self.assertEqual(self.names(linked=True),
                         ["near.hpp", "one.cpp", "one.hpp", "one_part.cpp", "one_test.cpp"])

    def test_a_moved_header_is_found(self):
        (self.root / "systemc/other/weir/core").mkdir(parents=True)
        (self.root / "systemc/include/weir/core/one.hpp").rename(
            self.root / "systemc/other/weir/core/one.hpp")
        self.assertEqual(self.names(linked=False), ["one.hpp", "one_test.cpp"])


class TidyTest(SmallTree):
    def setUp(self):
        super().setUp()
        for name in ("check/headers", "check/tidy", "check/passed", "lib/cxx_sources.py", "lib/once",
                     "lib/packages.py", "lib/passed_record.py", "rtl/record.py", "rtl/rtl_sources.py"):
            (self.root / "scripts" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts" / name)
        self.write("scripts/lib/packages.txt", "# none\nbuild bash\n")
        shutil.copy(ROOT / ".clang-tidy", self.root)  # its expression for headers counts, too
        self.source = self.root / "systemc/src/core/one.cpp"
        for name in ("one_part.cpp", "far.cpp"):
            (self.source.parent / name).unlink()
        self.set_commands(self.source)
        # For scripts/check/passed: a header that is always compiled.
        self.write("build/release/build.ninja", "build build.ninja: phony\n"
                   "build core_verify_interface_header_sets/weir/core/one.hpp.cxx.o: phony build.ninja\n")
        self.write("build/release/compile_commands.json", "[]")

    def set_commands(self, *sources):
        include = self.root / "systemc/include"
        self.write("build/lint/compile_commands.json", json.dumps([
            {"directory": str(self.root), "file": str(source),
             "command": f"c++ -std=c++17 -I{include} -o {source.stem}.o -c {source}"} for source in sources]))

    def tidy(self, **environment):
        """(exit code, last line)"""
        return self.said(**environment)[0], self.said_last

    def run_script(self, name, *words, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEIR_")}
        return subprocess.run([sys.executable, self.root / "scripts" / name, *words], capture_output=True, text=True,
                              env=dict(clean, PYTHONDONTWRITEBYTECODE="1", **environment))

    def said(self, **environment):
        answer = self.run_script("check/tidy", self.root / "build/lint", "systemc/src", **environment)
        self.said_last = answer.stdout.strip().splitlines()[-1]
        return answer.returncode, answer.stdout

    def test_what_was_clean_is_read_again_when_it_or_a_header_changes(self):
        clean = (0, "check/tidy: 1 of 1 sources read, 0 with findings")
        nothing = (0, "check/tidy: 0 of 1 sources read, 0 with findings")
        self.assertEqual([self.tidy(), self.tidy()], [clean, nothing])
        self.write("systemc/include/weir/core/one.hpp", "int one();\nint more();\n")
        self.assertEqual([self.tidy(), self.tidy()], [clean, nothing])
        self.write(".clang-tidy", "Checks: '-*,bugprone-*,misc-*'\nWarningsAsErrors: '*'\n")
        self.assertEqual(self.tidy()[0], 0)
        self.assertEqual(self.tidy(), nothing)

    def test_another_processor_or_a_package_of_tests_alone_reads_nothing_again(self):
        nothing = (0, "check/tidy: 0 of 1 sources read, 0 with findings")
        self.write("scripts/lib/packages.txt", "build bash\ntest coreutils\n")
        self.assertEqual(self.tidy()[0], 0)
        self.write("scripts/lib/packages.txt", "build bash\n")
        self.assertEqual(self.tidy(), nothing)
        tool = shutil.which("clang-tidy")
        self.write("tools/clang-tidy", f"#!/bin/sh\n{tool} \"$@\" | sed 's/Host CPU: .*/Host CPU: other/'\n")
        (self.root / "tools/clang-tidy").chmod(0o755)
        other = f"{self.root / 'tools'}:{os.environ['PATH']}"
        self.assertEqual(self.tidy(PATH=other), nothing)
        self.write("tools/clang-tidy", f"#!/bin/sh\n{tool} \"$@\" | sed '1s/$/ of another build/'\n")
        self.assertIn("1 of 1 sources read", self.tidy(PATH=other)[1])

    def test_what_had_findings_is_read_each_time(self):
        self.write("systemc/src/core/one.cpp", '#include "weir/core/one.hpp"\n'
                   "int one() { double half = 1 / 2; return half > 0 ? 1 : 0; }\n")
        found = (1, "check/tidy: 1 of 1 sources read, 1 with findings")
        self.assertEqual([self.tidy(), self.tidy()], [found, found])

    def with_second(self, text):
        second = self.source.parent / "second.cpp"
        self.write("systemc/src/core/second.cpp", text)
        self.set_commands(self.source, second)

    def test_of_two_sources_the_one_with_the_finding_is_named_and_read_again(self):
        self.with_second("int second() { double half = 1 / 2; return half > 0 ? 1 : 0; }\n")
        code, said = self.said()
        self.assertEqual((code, self.said_last), (1, "check/tidy: 2 of 2 sources read, 1 with findings"))
        self.assertIn("core/second.cpp:1:", said)
        self.assertEqual(self.tidy(), (1, "check/tidy: 1 of 2 sources read, 1 with findings"))

    def test_sources_that_are_no_unit_are_read_alone(self):
        self.write("systemc/src/core/one.cpp", "static int same() { return 1; }\nint one() { return same(); }\n")
        self.with_second("static int same() { return 2; }\nint second() { return same(); }\n")
        self.assertEqual(self.tidy(), (0, "check/tidy: 2 of 2 sources read, 0 with findings"))

    def new_folder(self):
        """A fresh clone has no stamps."""
        shutil.rmtree(self.root / "build/lint/clean")

    def test_of_what_is_recorded_as_clean_a_new_folder_reads_what_is_drawn_and_what_has_changed(self):
        self.with_second("int second() { return 2; }\n")
        (self.root / "systemc/src/config").mkdir()
        self.assertEqual(self.run_script("check/passed").returncode, 1, "nothing is clean yet")
        self.assertEqual(self.tidy()[0], 0)
        answer = self.run_script("check/passed")
        self.assertEqual((answer.returncode, answer.stdout), (0, "check/passed: 0 tests, 2 sources, 1 headers\n"))
        self.new_folder()
        self.assertEqual(self.tidy(), (0, "check/tidy: 1 of 2 sources read, 0 with findings"))
        self.new_folder()
        self.assertEqual(self.tidy(WEIR_PROVE_ALL="1"), (0, "check/tidy: 2 of 2 sources read, 0 with findings"))
        self.new_folder()
        for name in ("one", "second"):
            self.write(f"systemc/src/core/{name}.cpp", f"int {name}() {{ return 3; }}\n")
        self.assertEqual(self.tidy(), (0, "check/tidy: 2 of 2 sources read, 0 with findings"))

    def test_a_record_holds_in_a_clone_at_another_place(self):
        self.with_second("int second() { return 2; }\n")
        (self.root / "systemc/src/config").mkdir()
        self.assertEqual(self.tidy()[0], 0)
        self.assertEqual(self.run_script("check/passed").returncode, 0)
        self.new_folder()
        with tempfile.TemporaryDirectory() as scratch:
            clone = pathlib.Path(scratch).resolve() / "clone"
            shutil.copytree(self.root, clone)
            commands = clone / "build/lint/compile_commands.json"
            commands.write_text(commands.read_text().replace(str(self.root), str(clone)))
            self.root = clone
            self.assertEqual(self.tidy(), (0, "check/tidy: 1 of 2 sources read, 0 with findings"))

    def test_a_source_that_does_not_compile_is_a_finding(self):
        self.with_second("int second() { return nothing; }\n")
        self.assertEqual(self.tidy(), (1, "check/tidy: 2 of 2 sources read, 1 with findings"))


if __name__ == "__main__":
    unittest.main()
