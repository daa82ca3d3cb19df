# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts systemc CMakeLists.txt
"""scripts/check/headers: which headers are compiled alone."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/check/headers"
BUILD = pathlib.Path(os.environ.get("WEIR_PROGRAM", ROOT / "build/release/bin/weir")).parents[1]

loader = importlib.machinery.SourceFileLoader("headers", str(SCRIPT))
headers = importlib.util.module_from_spec(importlib.util.spec_from_loader("headers", loader))
loader.exec_module(headers)

LIGHT = {"weir/core/a.hpp", "weir/config/b.hpp"}
HEAVY = {f"weir/model/{n}.hpp" for n in range(30)} | {f"weir/trace/{n}.hpp" for n in range(31)}


class Chosen(unittest.TestCase):
    def of(self, has=(), differ=(), seed="commit"):
        return headers.chosen(LIGHT | HEAVY, lambda name: name in has, set(differ), seed)

    def test_a_new_folder_compiles_the_light_ones_and_a_third_of_the_others(self):
        found = self.of()
        self.assertLessEqual(LIGHT, found)
        self.assertEqual(len(found & HEAVY), 21)

    def test_each_header_is_drawn_sooner_or_later(self):
        self.assertEqual(set().union(*(self.of(seed=f"commit {n}") for n in range(40))), LIGHT | HEAVY)

    def test_a_folder_keeps_what_it_has_compiled_and_draws_no_more(self):
        self.assertEqual(self.of(has={"weir/model/1.hpp"}), LIGHT | {"weir/model/1.hpp"})

    def test_a_header_that_differs_is_compiled(self):
        self.assertEqual(self.of(has={"weir/model/1.hpp"}, differ={"weir/trace/2.hpp", "weir/gone.hpp"}),
                         LIGHT | {"weir/model/1.hpp", "weir/trace/2.hpp"})


class Listed(unittest.TestCase):
    def test_all_are_the_headers_that_are_installed(self):
        listed = subprocess.run([SCRIPT, BUILD, "--all", "--list"], check=True, capture_output=True, text=True)
        found = {line.split("_verify_interface_header_sets/")[-1] for line in listed.stdout.splitlines()}
        folder = ROOT / "systemc/include"
        written = {f"{path.relative_to(folder)}".removesuffix(".in") + ".cxx.o" for path in folder.rglob("*.hpp*")}
        self.assertEqual(found, written)


if __name__ == "__main__":
    unittest.main()
