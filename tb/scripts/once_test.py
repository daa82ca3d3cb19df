# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/lib/once scripts/lib/packages.py
"""scripts/lib/once runs a command again when one of its inputs has changed, when it failed, and when
everything is asked for; and only then."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNCHANGED = 77


class Once(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.tree = pathlib.Path(scratch.name).resolve()
        (self.tree / "scripts/lib").mkdir(parents=True)
        for name in ("once", "packages.py"):
            shutil.copy(ROOT / "scripts/lib" / name, self.tree / "scripts/lib" / name)
        (self.tree / "scripts/lib/packages.txt").write_text("build bash  # a package\npypi none\n")
        (self.tree / "rtl/inner").mkdir(parents=True)
        (self.tree / "rtl/inner/a.sv").write_text("module a;\n")
        (self.tree / "model").mkdir()
        (self.tree / "model/a.cpp").write_text("int a;\n")
        self.runs = self.tree / "runs"

    def once(self, *words, command="", **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEIR_")}
        shell = f"echo run >>{self.runs}; {command or 'true'}"
        return subprocess.run([self.tree / "scripts/lib/once", "--stamps", self.tree / "stamps", *words,
                               "--", "bash", "-c", shell], capture_output=True, text=True,
                              env=dict(clean, **environment))

    def named(self, command="", **environment):
        return self.once("--name", "one", "--of", "rtl", "--names", "model", command=command,
                         **environment).returncode

    def count(self):
        return len(self.runs.read_text().splitlines())

    def test_the_same_inputs_run_once(self):
        self.assertEqual([self.named(), self.named(), self.named()], [0, UNCHANGED, UNCHANGED])
        self.assertEqual(self.count(), 1)

    def test_a_changed_file_a_new_name_and_another_command_run_again(self):
        self.assertEqual(self.named(), 0)
        (self.tree / "rtl/inner/a.sv").write_text("module b;\n")
        self.assertEqual([self.named(), self.named()], [0, UNCHANGED])
        (self.tree / "model/a.cpp").rename(self.tree / "model/b.cpp")
        self.assertEqual([self.named(), self.named()], [0, UNCHANGED])
        self.assertEqual([self.named("true again"), self.named("true again")], [0, UNCHANGED])

    def test_contents_of_a_file_of_which_only_the_name_counts_are_no_input(self):
        self.assertEqual(self.named(), 0)
        (self.tree / "model/a.cpp").write_text("int b;\n")
        self.assertEqual(self.named(), UNCHANGED)

    def test_a_failure_leaves_no_stamp_not_even_that_of_an_earlier_pass(self):
        self.assertEqual([self.named("exit 3"), self.named("exit 3")], [3, 3])
        flag = self.tree / "flag"
        command = f"test ! -e {flag}"
        self.assertEqual(self.named(command), 0)
        flag.touch()
        (self.tree / "rtl/inner/a.sv").write_text("module c;\n")
        self.assertEqual(self.named(command), 1)
        (self.tree / "rtl/inner/a.sv").write_text("module a;\n")
        self.assertEqual(self.named(command), 1)

    def test_everything_runs_when_asked_for(self):
        self.assertEqual(self.named(), 0)
        self.assertEqual(self.named(WEIR_PROVE_ALL="1"), 0)
        self.assertEqual(self.count(), 2)

    def test_a_header_names_the_inputs_and_a_file_without_one_always_runs(self):
        test = self.tree / "some_test.py"
        test.write_text("# a licence\n# Depends on: rtl; names of model\n")
        self.assertEqual([self.once("--header", test).returncode for _ in range(2)], [0, UNCHANGED])
        test.write_text("# a licence\n# Depends on: rtl; names of model\n# changed\n")
        self.assertEqual([self.once("--header", test).returncode for _ in range(2)], [0, UNCHANGED])
        test.write_text("# a licence\n")
        self.assertEqual([self.once("--header", test).returncode for _ in range(2)], [0, 0])

    def test_what_another_program_runs_is_looked_at_and_noted(self):
        def ask(what, **environment):
            clean = {key: value for key, value in os.environ.items() if not key.startswith("WEIR_")}
            return subprocess.run([self.tree / "scripts/lib/once", "--stamps", self.tree / "stamps", "--name", "room",
                                   "--of", "rtl", what], capture_output=True, env=dict(clean, **environment)).returncode
        self.assertEqual([ask("--look"), ask("--look"), ask("--note"), ask("--look")], [0, 0, 0, UNCHANGED])
        self.assertEqual(ask("--look", WEIR_PROVE_ALL="1"), 0)
        self.assertEqual(ask("--note"), 0)
        (self.tree / "rtl/inner/a.sv").write_text("module b;\n")
        self.assertEqual([ask("--look"), ask("--look"), ask("--note"), ask("--look")], [0, 0, 0, UNCHANGED])

    def record(self):
        """What scripts/check/passed writes of the stamps; the clone has none."""
        stamps = self.tree / "stamps/recorded"
        (self.tree / "tb").mkdir(exist_ok=True)
        tests = {stamp.name: stamp.read_text() for stamp in stamps.iterdir()}
        (self.tree / "tb/passed.json").write_text(json.dumps({"tests": tests, "tidy": []}))
        shutil.rmtree(stamps)

    def recorded(self, *words, command="", **environment):
        return self.once("--name", "one", "--recorded", *words, "--of", "rtl", command=command, **environment)

    def test_what_is_recorded_does_not_run_in_a_fresh_clone_until_an_input_changes(self):
        self.assertEqual(self.recorded().returncode, 0)
        self.record()
        answer = self.recorded()
        self.assertEqual((answer.returncode, answer.stdout.split(":")[1]),
                         (UNCHANGED, " recorded, passed with the same inputs"))
        self.assertEqual(self.recorded(WEIR_PROVE_ALL="1").returncode, 0)
        self.record()
        (self.tree / "rtl/inner/a.sv").write_text("module b;\n")
        self.assertEqual(self.recorded(command="exit 3").returncode, 3)

    def test_a_pass_in_part_is_not_recorded(self):
        self.assertEqual([self.recorded(command="exit 76") for _ in range(2)][1].returncode, UNCHANGED)
        self.assertFalse((self.tree / "stamps/recorded/one").exists())
        (self.tree / "rtl/inner/a.sv").write_text("module b;\n")
        self.assertEqual(self.recorded(command="exit 0").returncode, 0)
        self.assertEqual(self.recorded(command="exit 76").returncode, 0, "other inputs: the command is one")
        self.assertFalse((self.tree / "stamps/recorded/one").exists(), "the stamp of the earlier command")

    def test_another_version_of_a_tool_is_another_input(self):
        tool = self.tree / "tool"
        tool.write_text("#!/bin/sh\necho tool 1\n")
        tool.chmod(0o755)
        self.assertEqual(self.recorded("--tools", tool).returncode, 0)
        self.record()
        self.assertEqual(self.recorded("--tools", tool).returncode, UNCHANGED)
        tool.write_text("#!/bin/sh\necho tool 2\n")
        self.assertEqual(self.recorded("--tools", tool).returncode, 0)

    def test_another_version_of_a_package_is_another_input(self):
        def asked():
            return self.recorded("--packages", "build").returncode
        self.assertEqual(asked(), 0)
        self.record()
        self.assertEqual(asked(), UNCHANGED)
        # What dpkg-query prints of another version, it prints of another package.
        (self.tree / "scripts/lib/packages.txt").write_text("build dash\n")
        self.assertEqual(asked(), 0)

    def test_a_record_holds_in_a_clone_at_another_place_and_only_of_tests_that_ask_for_it(self):
        command = f"cat {self.tree}/rtl/inner/a.sv"
        self.assertEqual(self.recorded(command=command).returncode, 0)
        self.record()
        self.assertEqual(self.once("--name", "one", "--of", "rtl", command=command).returncode, 0)
        with tempfile.TemporaryDirectory() as scratch:
            clone = pathlib.Path(scratch).resolve() / "clone"
            shutil.copytree(self.tree, clone)
            runs, self.tree = self.runs, clone
            self.runs = clone / runs.name
            self.assertEqual(self.recorded(command=f"cat {clone}/rtl/inner/a.sv").returncode, UNCHANGED)

    def test_an_input_that_does_not_exist_is_refused(self):
        answer = self.once("--name", "one", "--of", "nowhere")
        self.assertNotEqual(answer.returncode, 0)
        self.assertIn("nowhere: is not a file or folder of the tree", answer.stderr)
        self.assertFalse(self.runs.exists())


if __name__ == "__main__":
    unittest.main()
