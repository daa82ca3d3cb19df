# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts tb/formal tb/mutants tb/lockstep tb/proved.json; names of systemc tb/support
"""The record of proofs of the RTL (scripts/rtl/record.py): a hash changes with everything that its
entry depends on and with nothing else; a changed entry runs in full; an entry that was not proved is
not written. Each test works in a copy of the tree, which is at another path and has no git."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ("rtl", "scripts", "systemc", "tb", "vectors/cosim")
EVERYTHING = """
import json, record
print(json.dumps({kind: {name: record.inputs(kind, name) for name in record.names(kind)}
                  for kind in record.KINDS}))
"""
KINDS = ("module", "frontends", "formal", "lockstep", "mutants", "bench")
NOTHING = {kind: set() for kind in KINDS}
# Writes a record in which all of this tree counts as proved, without the proofs.
RECORDED = """
import record
book = record.Record()
for kind in record.KINDS:
    for name in record.names(kind):
        book.add(kind, name, 1)
book.write()
"""


class CopiedTree(unittest.TestCase):
    """The copies of all tests share their files, by links, with one copy of the tree: write() makes a new
    file in the place of one that is there."""

    @classmethod
    def setUpClass(cls):
        cls.scratches = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratches.cleanup)
        cls.shared = pathlib.Path(cls.scratches.name) / "shared"
        for folder in COPIED:
            shutil.copytree(ROOT / folder, cls.shared / folder, copy_function=shutil.copy)
        cls.times = cls.times_of_shared()

    @classmethod
    def times_of_shared(cls):
        return {path: path.stat().st_mtime_ns for path in cls.shared.rglob("*")}

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(dir=self.scratches.name)
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name) / "elsewhere"
        for folder in COPIED:
            shutil.copytree(self.shared / folder, self.root / folder, copy_function=os.link)

    def tearDown(self):
        self.assertEqual(self.times_of_shared(), self.times, "a test wrote into the files of all")

    def write(self, path, text):
        path.unlink()
        path.write_text(text)

    def run_in(self, root, *command, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("WEIR_")}
        clean.update(PYTHONDONTWRITEBYTECODE="1", **environment)
        return subprocess.run([str(word) for word in command], cwd=root, env=clean, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def python(self, code, root=None, **environment):
        root = root or self.root
        answer = self.run_in(root / "scripts/rtl", sys.executable, "-c", code, **environment)
        self.assertEqual(answer.returncode, 0, answer.stdout)
        return answer.stdout

    def hashes(self, root=None, **environment):
        return json.loads(self.python(EVERYTHING, root, **environment))

    def changed(self, before, **environment):
        """{kind: names of the entries whose hash differs from before}"""
        now = self.hashes(**environment)
        return {kind: {name for name in now[kind] if now[kind][name] != before[kind].get(name)}
                for kind in now}

    def recorded(self, *words, **environment):
        return self.run_in(self.root, sys.executable, "scripts/rtl/recorded", *words, **environment)

    def prove(self, *words):
        return self.run_in(self.root, sys.executable, "scripts/rtl/prove", "--jobs", "1", *words)

    def replace(self, name, old, new, folder="."):
        found = [path for path in (self.root / folder).rglob(name)]
        self.assertEqual(len(found), 1, name)
        text = found[0].read_text()
        self.assertIn(old, text)
        self.write(found[0], text.replace(old, new, 1))

    def add_to(self, name, text, folder="."):
        found = [path for path in (self.root / folder).rglob(name)]
        self.assertEqual(len(found), 1, name)
        self.write(found[0], found[0].read_text() + text)

    def book(self):
        return json.loads((self.root / "tb/proved.json").read_text())

    def write_book(self, book):
        self.write(self.root / "tb/proved.json", json.dumps(book, indent=1) + "\n")


class HashTest(CopiedTree):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.before = cls.hashes(cls(), ROOT)

    def test_it_is_the_same_at_another_path(self):
        self.assertEqual(self.hashes(), self.before)

    def test_a_moved_file_keeps_it(self):
        before = self.before
        (self.root / "rtl/elsewhere").mkdir()
        for name in ("arrival_arbiter.sv", "weir_pkg.sv"):
            found = next((self.root / "rtl").rglob(name))
            found.rename(self.root / "rtl/elsewhere" / name)
        source = next((self.root / "systemc").rglob("pause_timer.cpp"))
        source.rename(self.root / "systemc/src/core/pause_timer.cpp")
        self.assertEqual(self.changed(before), NOTHING)

    def test_one_character_of_the_rtl_changes_what_needs_it(self):
        before = self.before
        self.add_to("arrival_arbiter.sv", " ", "rtl")
        changed = self.changed(before)
        self.assertEqual(changed["formal"], {"arbiter", "arbiter of two lanes"})
        self.assertEqual(changed["module"], {"arrival_arbiter", "weir_mmu"})
        self.assertEqual(changed["frontends"], set(before["frontends"]))
        self.assertIn("arrival_arbiter", changed["mutants"])
        self.assertIn("csr", changed["mutants"])  # judged at the pins of weir_mmu, with the arbiter
        self.assertNotIn("row_memory", changed["mutants"])

    def test_a_property_changes_its_case(self):
        before = self.before
        self.add_to("row_memory.props.sv", "\n", "tb")
        self.assertEqual(self.changed(before), {**NOTHING, "formal": {"row memory"}})

    def test_a_line_of_the_cases_changes_that_case(self):
        before = self.before
        self.replace("cases.py", '"broken": [("no_lossless_drop", *LATE_XOFF)]',
                     '"broken": [("no_lossless_drop", *LATE_XOFF)] * 2', "tb/formal")
        self.assertEqual(self.changed(before)["formal"], {"step, upstream of N cells"})

    def test_a_bench_changes_the_mutants_that_it_judges(self):
        before = self.before
        self.add_to("domain_lockstep.hpp", "// other\n", "tb/lockstep")
        changed = self.changed(before)
        self.assertIn("admission", changed["mutants"])
        self.assertNotIn("row_memory", changed["mutants"])
        self.assertEqual(changed["formal"] | changed["module"], set())

    def test_a_source_of_the_core_changes_the_mutants_of_programs_that_link_it(self):
        before = self.before
        self.add_to("pfc_frame.cpp", "// other\n", "systemc")
        changed = self.changed(before)
        self.assertIn("pfc_receiver", changed["mutants"])
        self.assertEqual(changed["formal"] | changed["module"], set())

    def test_a_source_that_no_such_program_links_changes_nothing(self):
        before = self.before
        for folder in ("systemc/app", "systemc/src/trace", "systemc/src/model/network"):
            source = min((self.root / folder).rglob("*.cpp"))
            self.write(source, source.read_text() + "// other\n")
        self.assertEqual(self.changed(before), NOTHING)

    def test_a_lockstep_program_depends_on_its_rtl_and_on_what_is_linked_into_it(self):
        asked = "import json, record\nprint(json.dumps({name: record.inputs('lockstep', name) " \
                "for name in record.names('lockstep')}))"
        before = self.before["lockstep"]
        for name, folder, part, other in (
                ("pfc_timers.sv", "rtl", {"pfc_receiver_test", "csr_test", "weir_mmu_test"}, "pfc_state_test"),
                ("pfc_octets.hpp", "tb/lockstep", {"pfc_receiver_test", "weir_mmu_test"}, "row_memory_test"),
                ("weir_mmu_protocol.sva", "rtl", {"weir_mmu_test", "weir_mmu_ports_test"}, "weir_domain_test"),
                ("ingress_accounting.hpp", "systemc/include", {"weir_domain_test", "weir_mmu_test"}, "scoreboard_test")):
            with self.subTest(name):
                self.add_to(name, "// other\n", folder)
                now = json.loads(self.python(asked))
                changed = {one for one in now if now[one] != before[one]}
                self.assertLessEqual(part, changed)
                self.assertNotIn(other, changed)
                before = now

    def test_a_hand_made_mutant_changes_its_block(self):
        before = self.before
        self.replace("hand_made.py", '("below_i && fits_shared", "below_i"),',
                     '("below_i && fits_shared", "fits_shared"),', "tb/mutants")
        self.assertEqual(self.changed(before)["mutants"], {"admission"})

    def test_a_bench_of_others_depends_on_the_rtl_the_reference_and_its_copies(self):
        asked = "import json, record\nprint(json.dumps({name: record.inputs('bench', name) " \
                "for name in record.names('bench')}))"
        every = set(self.before["bench"])
        before = json.loads(self.python(asked))
        cocotb = {name for name in every if name.startswith("cocotb")}
        self.assertEqual(every - cocotb, {"c-bench", "sv-bench"})
        for name, text, folder, expected in (("weir_mmu_bench.sv", "\n", "tb/sv", {"sv-bench"}),
                                             ("mmu_bench.c", "\n", "tb/c", {"c-bench"}),
                                             ("index_width.hpp", "// other\n", "systemc", {"c-bench"}),
                                             ("weir_mmu_bench.py", "\n", "tb/cocotb", cocotb),
                                             ("pfc_frame.cpp", "// other\n", "systemc/src/core", every),
                                             ("weir_mmu.cpp", "// other\n", "systemc/c", every),
                                             ("xoff_stage.sv", " ", "rtl", every),
                                             ("hand_made.py", "\n", "tb/mutants", every),
                                             ("packages.txt", "bench new==1\n", "scripts/lib", cocotb),
                                             ("packages.txt", "# comment\n", "scripts/lib", set()),
                                             ("record_test.py", "\n", "tb/scripts", set())):
            self.add_to(name, text, folder)
            now = json.loads(self.python(asked))
            self.assertEqual({bench for bench in every if now[bench] != before[bench]}, expected, name)
            before = now

    def test_a_script_changes_what_it_proves(self):
        before = self.before
        self.add_to("formal", "\n", "scripts/rtl")
        changed = self.changed(before)
        self.assertEqual(changed["formal"], set(before["formal"]))
        self.assertEqual(changed["module"] | changed["mutants"], set())
        self.add_to("rtl_equality.py", "\n", "scripts/rtl")
        self.assertEqual(self.changed(before)["mutants"], set(before["mutants"]))

    def test_another_version_of_a_tool_changes_what_it_proves(self):
        before = self.before
        tools = self.root / "tools"
        tools.mkdir()
        (tools / "z3").write_text("#!/bin/sh\necho Z3 version 0.0.1\n")
        (tools / "z3").chmod(0o755)
        changed = self.changed(before, PATH=f"{tools}:{os.environ['PATH']}")
        self.assertEqual(changed["formal"], set(before["formal"]))
        self.assertEqual(changed["module"] | changed["mutants"], set())


class RecordTest(CopiedTree):
    good, plan = None, None  # the same for every test

    def setUp(self):
        super().setUp()
        if not self.good:
            plan = self.python(
                RECORDED + "import json\nplan = record.script('recorded').Plan(False)\n"
                "print(json.dumps({kind: {name: plan.reason(kind, name) for name in "
                "record.names(kind)} for kind in record.KINDS}))")
            RecordTest.good, RecordTest.plan = self.book(), json.loads(plan)
        self.write_book(self.good)
        plan = self.plan
        self.drawn = {kind: {name for name, reason in plan[kind].items() if reason == "sample"}
                      for kind in plan}
        self.left = {kind: sorted(name for name, reason in plan[kind].items() if reason is None)
                     for kind in plan}

    def reasons(self, *entries, **environment):
        code = "import json, record\nplan = record.script('recorded').Plan(False)\n" \
               f"print(json.dumps([plan.reason(*one) for one in {list(entries)!r}]))"
        return json.loads(self.python(code, **environment))

    def test_what_is_recorded_is_skipped_and_says_so(self):
        for kind in ("module", "formal", "mutants"):
            answer = self.recorded(kind, self.left[kind][0])
            self.assertEqual(answer.returncode, 77, answer.stdout)
            self.assertRegex(answer.stdout, "recorded: [0-9a-f]{16}\n")

    def test_what_has_changed_runs_in_full(self):
        name = next(name for name in self.left["module"] if name.startswith("row_"))
        self.add_to(f"{name}.sv", "\n", "rtl")
        self.assertEqual(self.reasons(("module", name), ("mutants", name)), ["changed"] * 2)
        answer = self.recorded("module", name)
        self.assertEqual(answer.returncode, 0, answer.stdout)
        self.assertIn("rtl/check: 1 modules at 3 parameter sets", answer.stdout)

    def test_what_has_changed_to_the_worse_fails(self):
        name = next(name for name in self.left["module"] if name.startswith("row_"))
        self.replace(f"{name}.sv", "endmodule", "  logic nobody_reads_me;\nendmodule", "rtl")
        answer = self.recorded("module", name)
        self.assertEqual(answer.returncode, 1, answer.stdout)

    def test_a_case_with_other_rtl_is_proved_and_refuted(self):
        self.add_to("arrival_arbiter.sv", " ", "rtl")
        answer = self.recorded("formal", "arbiter")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        self.assertIn("formal: 1 cases", answer.stdout)
        self.replace("arrival_arbiter.sv", "wanted & ~lower", "wanted", "rtl")
        answer = self.recorded("formal", "arbiter")
        self.assertEqual(answer.returncode, 1, answer.stdout)

    def test_an_entry_that_was_tampered_with_is_no_entry(self):
        book = self.book()
        one, other = self.left["mutants"][:2]
        case, another = self.left["formal"][:2]
        book["mutants"][one]["survived"] = ["admission.sv:1: all of them"]
        book["mutants"][other]["hash"] = book["mutants"][one]["hash"]
        book["formal"][case]["hash"] = book["formal"][another]["hash"]
        self.write_book(book)
        # Without git the record is the seed of the sample, and it is another one now.
        drawn = json.loads(self.python("import json, record\n"
                                       "print(json.dumps(record.sample('formal', record.seed_of_commit())))"))
        self.assertEqual(self.reasons(("mutants", one), ("mutants", other), ("formal", case),
                                      ("formal", another)),
                         ["changed"] * 3 + ["sample" if another in drawn else None])

    def test_tests_of_what_is_recorded_are_left_out(self):
        build = self.root / "build"
        build.mkdir()
        entries = [("module", self.left["module"][0]), ("module", sorted(self.drawn["module"])[0]),
                   ("formal", self.left["formal"][0]), ("frontends", "every module")]
        (build / "proofs.txt").write_text("".join(f"a.test_{number}|{kind}|{name}\n"
                                                  for number, (kind, name) in enumerate(entries))
                                          + "mutants.beds|build|beds\n")
        answer = self.recorded("--build", build, "--skip", build / "skipped")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        self.assertIn("recorded, not proved again", answer.stdout)
        left = (build / "skipped").read_text()
        for name in ("a.test_0", "a.test_2"):
            self.assertRegex(name, left)
        for name in ("a.test_1", "a.test_3", "mutants.beds", "lockstep.other.Test"):
            self.assertNotRegex(name, left)
        programs = self.recorded("--build", build, "targets").stdout.split()
        for program in self.left["lockstep"] + sorted(self.drawn["lockstep"]):
            prefix = f"lockstep.{program.removesuffix('_test')}."
            for name in (prefix + "Suite.Case/1", f"lockstep_{program}_NOT_BUILT"):
                self.assertEqual(re.search(left, name) is None, program in self.drawn["lockstep"], name)
        wanted = {"lockstep_parts", *(f"lockstep_{name}" for name in self.drawn["lockstep"])}
        self.assertLessEqual(wanted, set(programs))
        self.assertLess(len(programs), 8, "few more, which mutants are put into")
        self.recorded("--all", "--build", build, "--skip", build / "skipped")
        self.assertEqual((build / "skipped").read_text(), "")
        every = self.recorded("--all", "--build", build, "targets").stdout.split()
        self.assertEqual(set(every), {"lockstep_parts", *(f"lockstep_{name}" for name in [*self.left["lockstep"],
                                                                                         *self.drawn["lockstep"]])})

    def test_all_of_it_runs_when_asked_for(self):
        for words, environment in ((["--all"], {}), ([], {"WEIR_PROVE_ALL": "1"})):
            said = self.recorded(*words, **environment).stdout
            self.assertEqual(said.count("proved in full, everything: "), len(KINDS), said)
            self.assertEqual(said.count(": 0 of "), len(KINDS), said)

    def test_a_sample_of_the_commit_is_proved_again(self):
        self.assertEqual([len(self.drawn[kind]) for kind in ("formal", "lockstep", "module")], [2, 2, 2])
        said = self.recorded().stdout
        for name in self.drawn["formal"] | self.drawn["module"]:
            self.assertIn(name, said)

    def test_a_sample_is_proved_once_in_a_build_folder(self):
        said = json.loads(self.python("""
import json, pathlib, record
recorded = record.script("recorded")
book, here, elsewhere = record.Record(), pathlib.Path("here"), pathlib.Path("elsewhere")
plan = recorded.Plan(False, book, "1", here)
block = plan.mutants[0].module
entries = [("formal", record.sample("formal", "1")[0]), ("mutants", block)]
asked = lambda *words: [recorded.Plan(*words).reason(*entry) for entry in entries]
said = [asked(False, book, "1", here)]
for entry in entries:
    plan.note_proved(*entry)
said += [asked(False, book, "1", here), asked(False, book, "1", elsewhere), asked(False, book, "1"),
         asked(True, book, "1", here)]
plan.stamp(*entries[0]).write_text("other inputs")
print(json.dumps(said + [asked(False, book, "1", here)]))"""))
        again = ["sample"] * 2
        self.assertEqual(said, [again, [None] * 2, again, again, ["all"] * 2, ["sample", None]])

    def test_a_build_folder_that_has_passed_proves_two_short_entries_again(self):
        said = json.loads(self.python("""
import json, record
book = record.Record()
for kind in record.PROVED_AGAIN:
    for number, name in enumerate(record.names(kind)):
        book.add(kind, name, 9 if number % 2 else 11)
book.write()
drawn = record.script("../lib/drawn")
drawn.WITHOUT_CODE = ("rtl", "scripts", "tb")  # of the copy
build = record.rtl.ROOT / "build"
plan = record.script("recorded").Plan(False, build=build)
before = plan.passed_here
drawn.stamp_of(build).parent.mkdir(parents=True)
drawn.stamp_of(build).write_text(drawn.inputs())
plan = record.script("recorded").Plan(False, build=build)
sample = [(kind, name) for kind in record.KINDS if kind != "mutants" for name in record.names(kind)
          if plan.reason(kind, name) is not None]
samples = [record.short_sample(str(seed), book) for seed in range(200)]
print(json.dumps([before, plan.passed_here, sample, samples,
                  [sum(book.entry(*entry)["seconds"] for entry in one) for one in samples],
                  any(plan.reason("mutants", name) for name in record.names("mutants"))]))"""))
        before, after, sample, samples, seconds, mutants = said
        self.assertEqual((before, after, mutants), (False, True, True))
        self.assertEqual(len(sample), 2)
        self.assertTrue(all(len(one) == 2 for one in samples))
        self.assertEqual(set(seconds), {18, 20}, "22 s are too long")
        self.assertGreater(len({tuple(map(tuple, one)) for one in samples}), 150)
        self.assertEqual({kind for one in samples for kind, _ in one}, {"module", "formal", "lockstep", "bench"})

    def test_the_sample_is_of_ten_mutants_in_few_programs_and_differs_by_commit(self):
        self.python("import record\nbook = record.Record()\nbook.add('mutants', 'csr', 1, "
                    "[str(mutant) for mutant in record.mutants_of('csr')][:4])\nbook.write()")
        said = json.loads(self.python("""
import json, record
book, mutants = record.Record(), record.script("mutants")
first = {block: next(bed[0] for bed in mutants.BEDS if block in bed[3]) for block in mutants.BLOCKS}
gone = book.entry("mutants", "csr")["survived"]
samples = {}
for seed in range(40):
    chosen = record.sampled_mutants(str(seed), book)
    assert chosen == record.sampled_mutants(str(seed), book)
    samples[seed] = {"mutants": [f"{one.number} {one}" for one in chosen],
                     "beds": sorted({first[one.module] for one in chosen}),
                     "formal": record.sample("formal", str(seed))}
print(json.dumps({"samples": samples, "gone": gone, "cases": len(record.names("formal"))}))"""))
        samples = list(said["samples"].values())
        for sample in samples:
            self.assertEqual(len(set(sample["mutants"])), 10)
            self.assertLessEqual(len(sample["beds"]), 3)
            self.assertEqual({one.split(" ", 1)[1] for one in sample["mutants"]}
                             & set(said["gone"]), set())
        self.assertGreater(len({tuple(sample["mutants"]) for sample in samples}), 30)
        self.assertEqual(len({name for sample in samples for name in sample["formal"]}), said["cases"])
        self.assertGreater(len({bed for sample in samples for bed in sample["beds"]}), 3)

    def test_the_mutants_of_a_bench_are_drawn_by_commit(self):
        said = json.loads(self.python("""
import json, record
def words(name, seed):
    parts = record.sampled_parts("bench", name, str(seed))
    return [str(word) for word in record.command("bench", name, "b", parts)[1:]]
commands = [words("sv-bench", seed) for seed in (1, 1, *range(300))]
whole = {name: record.command("bench", name, "b")[1:] for name in record.names("bench")}
some = {name: words(name, 1) for name in record.names("bench")}
print(json.dumps([commands, len(record.script("bench_mutants.py").hand_made()), whole, some]))"""))
        commands, count, whole, some = said
        self.assertEqual(commands[0], commands[1])
        self.assertEqual(whole["cocotb"], ["--mutants", "--build", "b"])
        self.assertEqual(whole["cocotb traffic"], ["traffic", "--build", "b"])
        self.assertTrue(all(words[:-1] == [*whole["sv-bench"], "--only"] for words in commands))
        drawn = [[int(number) for number in words[-1].split(",")] for words in commands]
        self.assertTrue(all(len(set(numbers)) == 4 for numbers in drawn))
        self.assertEqual({number for numbers in drawn for number in numbers}, set(range(1, count + 1)))
        self.assertEqual({name for name in whole if some[name] != whole[name]},
                         {"cocotb", "cocotb domains", "sv-bench"})
        self.assertEqual(some["cocotb domains"], ["domains", "--cycles", "1000", "--build", "b"])

    def test_the_front_ends_read_the_drawn_modules_of_every_commit(self):
        said = json.loads(self.python("""
import json, record
entry = ("frontends", record.ALL_MODULES)
plan = record.script("recorded").Plan(False)
print(json.dumps([plan.reason(*entry), record.sample("module", plan.seed), record.command(*entry, "b")[1:],
                  record.command(*entry, "b", plan.parts(*entry))[1:]]))"""))
        self.assertEqual(len(said[1]), 2)
        self.assertEqual(said, ["sample", said[1], [], said[1]])

    def test_the_commit_draws_and_without_git_the_record(self):
        asked = "import record\nprint(record.seed_of_commit())"
        alone = self.python(asked).strip()
        self.assertEqual(len(alone), 64)
        for words in (["init", "--quiet"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit",
                                            "--quiet", "--allow-empty", "-m", "one"]):
            self.assertEqual(self.run_in(self.root, "git", *words).returncode, 0)
        commit = self.run_in(self.root, "git", "rev-parse", "HEAD").stdout.strip()
        self.assertEqual(self.python(asked).strip(), commit)

    def test_too_many_survivors_in_all_are_not_enough(self):
        self.assertEqual(self.recorded("share").returncode, 0)
        self.python("""
import record
book, left = record.Record(), len(record.all_mutants()) // 15
for block in record.names("mutants"):
    if 0 < left:
        survivors = [str(mutant) for mutant in record.mutants_of(block)]
        book.add("mutants", block, 1, survivors)
        left -= len(survivors)
book.write()""")
        answer = self.recorded("share")
        self.assertEqual(answer.returncode, 1)
        self.assertRegex(answer.stdout, r"9\d\.\d % killed or proved equal, 98 needed")

    def test_a_block_neither_judged_nor_recorded_fails_the_sum(self):
        self.add_to("row_memory.sv", "\n", "rtl")
        answer = self.recorded("share")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("row_memory is neither judged nor recorded", answer.stdout)


class ProveTest(CopiedTree):
    def setUp(self):
        super().setUp()
        (self.root / "tb/proved.json").unlink(missing_ok=True)

    def test_it_records_what_it_proved_and_nothing_else(self):
        answer = self.prove("module", "row_forward")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        good = self.book()
        self.assertEqual([list(good[kind]) for kind in ("module", "formal", "mutants")],
                         [["row_forward"], [], []])
        self.assertIn("0 entries differ", self.prove("module", "row_forward").stdout)
        self.replace("row_forward.sv", "endmodule", "  logic nobody_reads_me;\nendmodule", "rtl")
        answer = self.prove("module", "row_forward")
        self.assertEqual(answer.returncode, 1, answer.stdout)
        self.assertIn("not proved: module row_forward", answer.stdout)
        self.assertEqual(self.book(), good)
        self.assertEqual(self.recorded("module", "row_forward").returncode, 1)


if __name__ == "__main__":
    unittest.main()
