# SPDX-License-Identifier: Apache-2.0
"""What was proved of the RTL, as hashes of all that each proof depends on: tb/proved.json.

Six kinds of entries: `module` (a module as top in three tools: scripts/rtl/check), `frontends` (all
modules in the front ends of PyPI: scripts/rtl/frontends), `formal` (a case of tb/formal/cases.py:
scripts/rtl/formal), `lockstep` (the RTL next to the core, a program of tb/lockstep:
scripts/rtl/lockstep), `mutants` (the mutants of a block: scripts/rtl/mutants), `bench` (a bench against
libweir_mmu, which agrees with the RTL and notices mutants of it: BENCHES). scripts/rtl/prove writes an
entry after it proved it, and no other script does; scripts/rtl/recorded compares.

A hash is over contents and names without folders: it is the same in every clone and on every
machine, and a moved file keeps it. It covers the RTL that the entry needs, its properties or benches
with the C++ that these link, the scripts that prove it, and the versions of the tools: where any of
them differs, the entry is proved in full.
"""
import functools
import hashlib
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[n] / room)
                for n, room in ((0, "."), (1, "lib"))]
import cxx_sources  # noqa: E402
import rtl_sources as rtl  # noqa: E402

RECORD = rtl.ROOT / "tb/proved.json"
PACKAGES = rtl.ROOT / "scripts/lib/packages.txt"
HERE = pathlib.Path(__file__).resolve().parent
PROVED_AGAIN = {"formal": 2, "lockstep": 2, "module": 2, "mutants": 10, "bench": 1}  # of a commit, at least
MUTANTS_AGAIN = 4  # of a bench that judges many
# Of a commit where only C++ that no proof depends on has changed since a build folder passed: two entries
# that took so many seconds together, and ten mutants.
SHORT_ENTRIES, SHORT_SECONDS = 2, 20
# Of a bench that takes minutes in Icarus: fewer cycles, of the RTL alone and of no mutant.
CYCLES_AGAIN = {"cocotb domains": 1000}
VERSIONS = {
    "yosys": ["yosys", "-V"], "z3": ["z3", "--version"], "verilator": ["verilator", "--version"],
    "icarus": ["iverilog", "-V"], "compiler": ["g++", "-dumpfullversion"],
    "systemc": ["pkg-config", "--modversion", "systemc"]}


@functools.lru_cache(None)
def script(name):
    """A script of this folder as a module."""
    loader = importlib.machinery.SourceFileLoader(f"weir_{name}", str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@functools.lru_cache(None)
def tool(name):
    """(its name, its version): the first line of its output."""
    code, said = rtl.run(VERSIONS[name])
    return f"tool {name}", said.strip().splitlines()[0] if code == 0 and said.strip() else "none"


def digest(parts):
    """One hash of (name, text), independent of their order."""
    lines = sorted({f"{name} {hashlib.sha256(text.encode()).hexdigest()}" for name, text in parts})
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@functools.lru_cache(None)
def text_of(path):
    """Many entries depend on the same file."""
    return path.read_text()


def files(*paths):
    return [(path.name, text_of(path)) for path in paths]


@functools.lru_cache(None)
def rtl_of(top):
    return files(*rtl.files_of(top))


def scripts(*names):
    return [(f"script {name}", text_of(HERE / name)) for name in names]


def plain(value):
    """A constant of a case as text that is the same in every process."""
    return json.dumps(value, sort_keys=True, default=sorted)


def formal_parts(name):
    formal = script("formal")
    case = next(case for case in formal.cases() if case["name"] == name)
    texts = formal.sources(case, [])
    return [("case", plain(case))] + \
        [(file, texts[file]) for file in rtl.needed_by(texts, case["top"])] + \
        scripts("formal", "rtl_sources.py") + [tool("yosys"), tool("z3")]


def module_parts(name):
    return rtl_of(name) + files(rtl.WAIVERS) + \
        scripts("check", "parameter_sets.py", "rtl_sources.py") + \
        [tool(each) for each in ("verilator", "icarus", "yosys", "compiler")]


def lockstep_parts(name):
    """The modules that its first lines name, and all C++ that is linked into it."""
    mutants = script("mutants")
    source = mutants.LOCKSTEP / f"{name}.cpp"
    tops = {top for top, _ in mutants.shapes_of(source).values()}
    parts = [part for top in sorted(tops) for part in rtl_of(top)]
    if "weir_mmu" in tops:
        parts += files(rtl.RTL / "sva/weir_mmu_protocol.sva")
    parts += files(rtl.WAIVERS, rtl.file_named(rtl.ROOT / "systemc", "run_verilator.cmake"),
                   mutants.LOCKSTEP / "CMakeLists.txt", *cxx_sources.linked_into(source))
    return parts + [tool(each) for each in ("verilator", "compiler", "systemc")]


@functools.lru_cache(None)
def all_mutants():
    return script("mutants").make_mutants()


@functools.lru_cache(None)
def bench_mutants():
    """Those that benches have to notice."""
    return script("bench_mutants.py").hand_made()


def mutants_of(block):
    return [mutant for mutant in all_mutants() if mutant.module == block]


def mutants_parts(block):
    mutants = script("mutants")
    parts = [("mutant", f"{mutant}: {mutant.expression}") for mutant in mutants_of(block)]
    parts += rtl_of(block) + \
             files(rtl.WAIVERS,
                   rtl.file_named(rtl.ROOT / "systemc", "run_verilator.cmake"),
                   mutants.LOCKSTEP / "CMakeLists.txt")
    for bed in mutants.BEDS:
        if block in bed[3]:
            tops = {top for top, _ in mutants.shapes_of(bed[1]).values()}
            parts += [part for top in tops for part in rtl_of(top)]
            parts += files(*cxx_sources.linked_into(bed[1], mutants.MUTANTS / "number.cpp"))
    return parts + scripts("mutants", "rtl_mutations.py", "rtl_equality.py", "rtl_sources.py") + \
        [tool(each) for each in ("verilator", "yosys", "compiler", "systemc")]


ALL_MODULES = "every module"  # the one entry of its kind


def packages(label):
    """The lines of this label in the list of packages: one of them may bring a tool."""
    return [("packages", line) for line in PACKAGES.read_text().splitlines() if line.startswith(f"{label} ")]


def files_below(place):
    """A file, or those of a folder, without compiled Python."""
    if not place.exists():
        raise ValueError(f"{place.relative_to(rtl.ROOT)}: is not a file or folder of the tree")
    return [path for path in [place, *sorted(place.rglob("*"))]
            if path.is_file() and "__pycache__" not in path.parts]


def frontends_parts(_):
    return files(*files_below(rtl.RTL)) + packages("pypi") + \
        scripts("frontends", "slang_warnings.py", "parameter_sets.py", "rtl_sources.py")


# Name: (folders and files of its own, scripts of its own, tools). With `cocotb NAME` it is one bench of
# tb/cocotb in Icarus; the others judge mutants of every module.
COCOTB = (["tb/cocotb", "vectors/cosim/four_ports_shared_headroom.toml"], ["cocotb", "cocotb_programs.py"], ["compiler"])
BENCHES = {"c-bench": (["tb/c/rtl"], ["c-bench"],
                       ["verilator", "compiler"]),
           "cocotb": COCOTB,
           "cocotb domains": COCOTB, "cocotb registers": COCOTB, "cocotb traffic": COCOTB,
           "sv-bench": (["tb/sv"], ["sv-bench"], ["verilator", "compiler"])}
REFERENCE = ("systemc/c", "systemc/src/core", "systemc/include/weir/core")  # of these benches
MANY_MUTANTS = ("cocotb", "sv-bench")  # which take --only


def bench_parts(name):
    places, own, tools = BENCHES[name]
    parts = [part for place in (*places, *REFERENCE) for part in files(*files_below(rtl.ROOT / place))]
    parts += rtl_of("weir_mmu") + \
        files(rtl.WAIVERS, rtl.ROOT / "tb/sv/four_ports_two_lanes.toml",
              *sorted((rtl.ROOT / "tb/mutants").glob("*.[pc]*")))
    if name.startswith("cocotb"):
        parts += packages("bench")
    if name == "c-bench":
        parts += files(*cxx_sources.included_by(rtl.ROOT / "tb/c/rtl/rtl.cpp"))
    return parts + scripts(*own, "bench_mutants.py", "mutants", "rtl_mutations.py", "rtl_sources.py") + \
        [tool(each) for each in tools]


KINDS = {
    "module": (module_parts, lambda: [module.name for module in rtl.find_modules()]),
    "frontends": (frontends_parts, lambda: [ALL_MODULES]),
    "formal": (formal_parts, lambda: [case["name"] for case in script("formal").cases()]),
    "lockstep": (lockstep_parts, lambda: sorted(path.stem for path in script("mutants").LOCKSTEP.glob("*_test.cpp"))),
    "mutants": (mutants_parts, lambda: script("mutants").BLOCKS),
    "bench": (bench_parts, lambda: sorted(BENCHES)),
}


@functools.lru_cache(None)
def names(kind):
    return tuple(KINDS[kind][1]())


@functools.lru_cache(None)
def inputs(kind, name):
    """The hash of everything that the entry depends on, as it is now."""
    return digest([("kind", kind), ("name", name)] + KINDS[kind][0](name))


def forget():
    """Clears the caches, because files may have changed."""
    for kept in (inputs, names, all_mutants, bench_mutants, rtl_of, text_of, cxx_sources.here):
        kept.cache_clear()


def sealed(kind, name, survived):
    """The value of an entry that is proved for the present inputs."""
    return digest([("inputs", inputs(kind, name)), ("survived", plain(survived))])


class Record:
    """The entries {kind: {name: entry}} of a file."""

    def __init__(self, path=RECORD):
        self.path = path
        self.entries = json.loads(path.read_text()) if path.exists() else {}

    def entry(self, kind, name):
        return self.entries.get(kind, {}).get(name, {})

    def holds(self, kind, name):
        """Whether the entry was proved for the present inputs, with the survivors that it names."""
        entry = self.entry(kind, name)
        return entry.get("hash") == sealed(kind, name, entry.get("survived", []))

    def add(self, kind, name, seconds, survived=()):
        survived = list(survived)
        entry = {"hash": sealed(kind, name, survived), "seconds": round(seconds)}
        if survived:
            entry["survived"] = survived
        self.entries.setdefault(kind, {})[name] = entry

    def write(self):
        """Writes the file, without the modules, cases and blocks that no longer exist."""
        kept = {kind: {name: self.entries.get(kind, {})[name] for name in sorted(names(kind))
                       if name in self.entries.get(kind, {})} for kind in KINDS}
        part = self.path.with_name(self.path.name + ".part")
        part.write_text(json.dumps(kept, indent=1) + "\n")
        part.replace(self.path)


def seed_of_commit():
    """The seed of the sample: the commit; in a tree without git a hash of the record."""
    asked = subprocess.run(["git", "-C", rtl.ROOT, "rev-parse", "--show-toplevel", "HEAD"],
                           capture_output=True, text=True)
    said = asked.stdout.split("\n")
    if asked.returncode == 0 and pathlib.Path(said[0]).resolve() == rtl.ROOT:
        return said[1]
    return hashlib.sha256(RECORD.read_bytes() if RECORD.exists() else b"").hexdigest()


def drawn(seed, items, key=str):
    """The items in a random order given by the seed."""
    return sorted(items, key=lambda item: hashlib.sha256(f"{seed} {key(item)}".encode()).digest())


def sample(kind, seed):
    """Names of the recorded entries that are proved again in this commit."""
    if kind == "frontends":
        return [ALL_MODULES]  # for the drawn modules
    return drawn(f"{seed} {kind}", names(kind))[:PROVED_AGAIN[kind]]


def short_sample(seed, book):
    """(kind, name) of the recorded entries that are proved again where a build folder has passed with all
    but the C++; mutants are apart (sampled_mutants)."""
    chosen, seconds = [], 0
    entries = [(kind, name) for kind in PROVED_AGAIN if kind != "mutants" for name in names(kind)]
    for kind, name in drawn(f"{seed} short", entries):
        took = book.entry(kind, name).get("seconds", SHORT_SECONDS + 1)
        if len(chosen) < SHORT_ENTRIES and seconds + took <= SHORT_SECONDS:
            chosen.append((kind, name))
            seconds += took
    return chosen


def sampled_parts(kind, name, seed):
    """What of a recorded entry is proved again in this commit; empty: all of it."""
    if kind == "frontends":
        return sample("module", seed)
    if kind == "bench" and name in MANY_MUTANTS:
        mutants = drawn(f"{seed} {name}", bench_mutants())
        return [str(number) for number in sorted(mutant.number for mutant in mutants[:MUTANTS_AGAIN])]
    if name in CYCLES_AGAIN:
        return [f"{CYCLES_AGAIN[name]} cycles"]
    return []


def command(kind, name, build, only=()):
    """What proves an entry; with `only`, these parts of it."""
    if kind == "frontends":
        return [HERE / "frontends", *only]
    if kind == "bench":
        script_of, _, bench = name.partition(" ")
        if bench and only:
            return [HERE / "cocotb", bench, "--cycles", only[0].split()[0], "--build", build]
        if bench:
            return [rtl.ROOT / "tb/cocotb/bench_mutant.py", bench, "--build", build]
        return [HERE / script_of, "--mutants", "--build", build] + (["--only", ",".join(only)] if only else [])
    if kind == "lockstep":
        return [HERE / "lockstep", "--run", name, "--jobs", "1", "--build", build]
    return [HERE / {"module": "check", "formal": "formal"}[kind], name]


def sampled_mutants(seed, record):
    """The mutants that are judged again: from one bed, or from as many as are needed for ten, so that
    few programs are built. Survivors are left out."""
    mutants = script("mutants")
    of_bed = {}
    for mutant in all_mutants():
        bed = next((bed[0] for bed in mutants.BEDS if mutant.module in bed[3]), None)
        if str(mutant) not in record.entry("mutants", mutant.module).get("survived", []):
            of_bed.setdefault(bed, []).append(mutant)
    chosen = []
    for bed in drawn(f"{seed} bed", of_bed):
        missing = PROVED_AGAIN["mutants"] - len(chosen)
        chosen += drawn(f"{seed} mutant", of_bed[bed])[:missing]
    return chosen


