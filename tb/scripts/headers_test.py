# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts systemc CMakeLists.txt
"""scripts/check/headers: which headers are compiled alone, and what of them scripts/check/passed records."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/check/headers"
BUILD = pathlib.Path(os.environ.get("WEIR_PROGRAM", ROOT / "build/release/bin/weir")).parents[1]

loader = importlib.machinery.SourceFileLoader("headers", str(SCRIPT))
headers = importlib.util.module_from_spec(importlib.util.spec_from_loader("headers", loader))
loader.exec_module(headers)


class Chosen(unittest.TestCase):
    KEYS = {f"weir/{n}.hpp": f"key {n}" for n in range(64)}

    def of(self, known, seed="commit"):
        return headers.chosen(self.KEYS, known, seed)

    def test_without_a_record_it_is_every_header(self):
        self.assertEqual(self.of(set()), set(self.KEYS))

    def test_of_recorded_ones_a_sixteenth_is_drawn_and_each_sooner_or_later(self):
        known = set(self.KEYS.values())
        self.assertEqual(len(self.of(known)), 4)
        self.assertEqual(set().union(*(self.of(known, f"commit {n}") for n in range(200))), set(self.KEYS))

    def test_it_is_each_header_with_another_key(self):
        self.assertLessEqual({"weir/1.hpp", "weir/2.hpp"}, self.of(set(self.KEYS.values()) - {"key 1", "key 2"}))


class SmallTree(unittest.TestCase):
    """Two headers of which one includes the other, and a build folder with a target of ninja for each."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve() / "tree"
        for name in ("check/headers", "check/passed", "check/tidy", "lib/cxx_sources.py", "lib/once", "lib/packages.py",
                     "lib/passed_record.py", "rtl/record.py", "rtl/rtl_sources.py"):
            (self.root / "scripts" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "scripts" / name, self.root / "scripts" / name)
        self.write("scripts/lib/packages.txt", "build bash\n")
        self.write(".clang-tidy", "Checks: '-*,bugprone-*'\n")
        self.write("tb/none", "")
        self.write("systemc/src/config/none", "")
        self.write("systemc/src/core/none", "")
        self.write("build/lint/compile_commands.json", "[]")
        self.header("one", "using One = int;\n")
        self.header("two", '#include "weir/one.hpp"\nusing Two = One;\n')
        self.set_build()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def header(self, name, text):
        self.write(f"systemc/include/weir/{name}.hpp", "#pragma once\n" + text)

    def set_build(self):
        lines, commands = ["rule cxx", "  command = c++ -MD -MF $out.d -I../../systemc/include -o $out -c $in",
                           "  depfile = $out.d", "  deps = gcc", "build build.ninja: phony"], []
        for name in ("one", "two"):
            folder = f"systemc/core_verify_interface_header_sets/weir/{name}.hpp.cxx"
            self.write(f"build/release/{folder}", f'#include "weir/{name}.hpp"\n')
            lines.append(f"build {folder}.o: cxx {folder}")
            file = self.root / "build/release" / folder
            commands.append({"file": str(file), "command": f"c++ -I{self.root}/systemc/include -o a.o -c {file}"})
        self.write("build/release/build.ninja", "\n".join(lines) + "\n")
        self.write("build/release/compile_commands.json", json.dumps(commands))

    def said(self, name, *words, **environment):
        """(exit code, last line)"""
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEIR_")}
        answer = subprocess.run([sys.executable, self.root / "scripts/check" / name, *words], capture_output=True,
                                text=True, env=dict(clean, PYTHONDONTWRITEBYTECODE="1", **environment))
        return answer.returncode, (answer.stdout.strip() or answer.stderr.strip()).splitlines()[-1]

    def new_clone(self):
        """At another place, without what was built."""
        clone = self.root.with_name("clone")
        self.root.rename(clone)
        shutil.rmtree(clone / "build")
        self.root = clone
        self.write("build/lint/compile_commands.json", "[]")
        self.set_build()

    def record(self):
        self.assertEqual(self.said("headers"), (0, "check/headers: 2 of 2 headers compiled alone"))
        self.assertEqual(self.said("passed"), (0, "check/passed: 0 tests, 0 sources, 2 headers"))
        self.new_clone()

    def test_what_is_recorded_is_left_out_in_a_clone_but_for_what_is_drawn(self):
        self.record()
        self.assertEqual(self.said("headers"), (0, "check/headers: 1 of 2 headers compiled alone"))
        self.assertEqual(self.said("headers", WEIR_PROVE_ALL="1"), (0, "check/headers: 2 of 2 headers compiled alone"))
        self.assertEqual(self.said("headers", "--all"), (0, "check/headers: 2 of 2 headers compiled alone"))
        self.assertEqual(self.said("passed"), (0, "check/passed: 0 tests, 0 sources, 2 headers"))

    def test_a_header_is_compiled_that_differs_or_includes_one_that_does(self):
        self.record()
        self.header("one", "using One = long;\n")
        self.assertEqual(self.said("headers"), (0, "check/headers: 2 of 2 headers compiled alone"))

    def test_a_header_that_does_not_compile_alone_is_a_finding_each_time_and_is_not_recorded(self):
        self.header("two", "using Two = One;\n")
        for _ in range(2):
            self.assertEqual(self.said("headers"), (1, "check/headers: a header does not compile alone"))
        self.assertEqual(self.said("passed"),
                         (1, "check/passed: weir/two.hpp: not compiled alone; scripts/check/headers"))
        self.assertFalse((self.root / "tb/passed.json").exists())

    def test_what_has_changed_since_it_was_compiled_is_not_recorded(self):
        self.assertEqual(self.said("headers")[0], 0)
        self.header("two", "using Two = One;\n")
        self.assertEqual(self.said("passed")[0], 1)

    def test_a_build_folder_keeps_what_the_commit_of_its_first_run_has_drawn(self):
        self.assertEqual(headers.seed_of(self.root / "build/release"), headers.record.seed_of_commit())
        self.write("build/release/headers_drawn_by", "first")
        self.assertEqual(headers.seed_of(self.root / "build/release"), "first")


class Listed(unittest.TestCase):
    def test_all_are_the_headers_that_are_installed(self):
        listed = subprocess.run([SCRIPT, BUILD, "--all", "--list"], check=True, capture_output=True, text=True)
        found = {line.split("_verify_interface_header_sets/")[-1] for line in listed.stdout.splitlines()}
        folder = ROOT / "systemc/include"
        written = {f"{path.relative_to(folder)}".removesuffix(".in") + ".cxx.o" for path in folder.rglob("*.hpp*")}
        self.assertEqual(found, written)

    def test_each_has_a_command_and_a_key_of_its_own(self):
        every = headers.objects(BUILD)
        self.assertEqual(set(headers.commands(BUILD)), set(every))
        self.assertEqual(len(set(headers.keys_of(every, BUILD).values())), len(every))


if __name__ == "__main__":
    unittest.main()
