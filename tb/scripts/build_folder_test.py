# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts
"""A copied or moved tree builds itself, not the tree that its build folder came from
(scripts/lib/build_folder.sh). A small tree with the real scripts/weir, whose program prints where it
was built."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
file(WRITE ${PROJECT_BINARY_DIR}/said "#!/bin/sh\\necho ${PROJECT_SOURCE_DIR}\\n")
add_custom_target(weir COMMAND ${CMAKE_COMMAND} -E make_directory bin
  COMMAND install -m 755 said bin/weir)
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja",
  "binaryDir": "${sourceDir}/build/release"}]}"""


class BuildFolderTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.place = pathlib.Path(scratch.name).resolve()
        self.first = self.place / "first"
        (self.first / "scripts/lib").mkdir(parents=True)
        (self.first / "systemc").mkdir()
        for name in ("weir", "lib/build_folder.sh", "lib/install-packages"):
            shutil.copy(ROOT / "scripts" / name, self.first / "scripts" / name)
        (self.first / "scripts/lib/packages.txt").write_text("build cmake\n")
        (self.first / "CMakeLists.txt").write_text(PROJECT)
        (self.first / "CMakePresets.json").write_text(PRESETS)
        self.assertEqual(self.built_by(self.first), str(self.first))

    def start(self, tree):
        return subprocess.run([tree / "scripts/weir"], capture_output=True, text=True)

    def built_by(self, tree):
        answer = self.start(tree)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout.strip()

    def test_a_copy_builds_itself(self):
        second = self.place / "second"
        shutil.copytree(self.first, second, copy_function=shutil.copy2)
        self.assertEqual(self.built_by(second), str(second))
        self.assertEqual(self.built_by(self.first), str(self.first))

    def test_a_moved_tree_builds_itself(self):
        second = self.place / "second"
        self.first.rename(second)
        self.assertEqual(self.built_by(second), str(second))

    def test_another_tree_under_the_old_name_is_not_built(self):
        second = self.place / "second"
        shutil.copytree(self.first, second, copy_function=shutil.copy2)
        (self.first / "CMakeLists.txt").write_text("message(FATAL_ERROR wrong)\n")
        self.assertEqual(self.built_by(second), str(second))

    def test_a_build_that_fails_is_named_and_made_again(self):
        (self.first / "CMakeLists.txt").write_text("message(FATAL_ERROR wrong)\n")
        refused = self.start(self.first)
        self.assertEqual((refused.returncode, refused.stdout), (3, ""))
        self.assertIn("weir: the build failed; nothing was run", refused.stderr)
        (self.first / "CMakeLists.txt").write_text(PROJECT)
        self.assertEqual(self.built_by(self.first), str(self.first))

    def test_its_own_build_stays(self):
        kept = self.first / "build/release/kept"
        kept.touch()
        os.utime(self.first / "CMakeLists.txt")  # newer than the build
        self.assertEqual(self.built_by(self.first), str(self.first))
        by_another_name = self.place / "link"
        by_another_name.symlink_to(self.first)
        self.assertEqual(self.built_by(by_another_name), str(self.first))
        self.assertTrue(kept.exists())
        self.assertNotIn("another tree", self.start(self.first).stderr)


if __name__ == "__main__":
    unittest.main()
