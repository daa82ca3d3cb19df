# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts systemc CMakeLists.txt
"""scripts/check/headers: which headers are compiled alone."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import tempfile
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
    def of(self, before=(), differ=(), seed="commit"):
        return headers.chosen(LIGHT | HEAVY, before, set(differ), seed)

    def test_a_new_folder_compiles_the_light_ones_and_a_third_of_the_others(self):
        found = self.of()
        self.assertLessEqual(LIGHT, found)
        self.assertEqual(len(found & HEAVY), 21)

    def test_each_header_is_drawn_sooner_or_later(self):
        self.assertEqual(set().union(*(self.of(seed=f"commit {n}") for n in range(40))), LIGHT | HEAVY)

    def test_a_folder_keeps_what_it_has_chosen_and_draws_no_more(self):
        self.assertEqual(self.of(before={"weir/model/1.hpp", "weir/gone.hpp"}), LIGHT | {"weir/model/1.hpp"})

    def test_a_header_that_differs_is_compiled(self):
        self.assertEqual(self.of(before={"weir/model/1.hpp"}, differ={"weir/trace/2.hpp", "weir/gone.hpp"}),
                         LIGHT | {"weir/model/1.hpp", "weir/trace/2.hpp"})

    def test_what_was_chosen_is_remembered_whether_it_compiled_or_not(self):
        with tempfile.TemporaryDirectory() as folder:
            first = headers.choose(pathlib.Path(folder), LIGHT | HEAVY)
            self.assertEqual(len(first & HEAVY), 21)
            self.assertEqual(headers.choose(pathlib.Path(folder), LIGHT | HEAVY), first)


class Changed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root, headers.ROOT = headers.ROOT, pathlib.Path(self.folder.name)
        self.addCleanup(setattr, headers, "ROOT", self.root)
        self.include = headers.ROOT / "systemc/include/weir"
        self.include.mkdir(parents=True)

    def commit(self, name):
        (self.include / name).write_text(name)
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", name)

    def git(self, *command):
        subprocess.run(["git", "-C", headers.ROOT, *command], check=True, capture_output=True)

    def test_it_is_what_commits_the_tree_and_new_files_change(self):
        self.git("init", "-q")
        for name in ("a.hpp", "b.hpp", "c.hpp"):
            self.commit(name)
        self.assertEqual(headers.changed(""), {"weir/b.hpp", "weir/c.hpp"})
        (self.include / "a.hpp").write_text("changed")
        (self.include / "d.hpp").write_text("new")
        self.assertEqual(headers.changed("HEAD"), {"weir/a.hpp", "weir/d.hpp"})

    def test_a_clone_of_one_commit_knows_its_tree(self):
        self.git("init", "-q")
        self.commit("a.hpp")
        self.assertEqual(headers.changed(""), set())
        (self.include / "a.hpp").write_text("changed")
        self.assertEqual(headers.changed(""), {"weir/a.hpp"})

    def test_without_git_nothing_is_known(self):
        self.assertEqual(headers.changed(""), set())


class Listed(unittest.TestCase):
    def test_all_are_the_headers_that_are_installed(self):
        listed = subprocess.run([SCRIPT, BUILD, "--all", "--list"], check=True, capture_output=True, text=True)
        found = {line.split("_verify_interface_header_sets/")[-1] for line in listed.stdout.splitlines()}
        folder = ROOT / "systemc/include"
        written = {f"{path.relative_to(folder)}".removesuffix(".in") + ".cxx.o" for path in folder.rglob("*.hpp*")}
        self.assertEqual(found, written)


if __name__ == "__main__":
    unittest.main()
