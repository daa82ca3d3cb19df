# SPDX-License-Identifier: Apache-2.0
"""Mutants of every module inside weir_mmu (tb/mutants/hand_made.py) for benches that are not lockstep
tests: scripts/rtl/sv-bench, scripts/rtl/c-bench and scripts/rtl/cocotb. One folder of sources holds all of
them; the program that is built of it reads from WEIR_MUTANT which one is in force."""
import concurrent.futures
import importlib.machinery
import importlib.util
import os
import subprocess

import rtl_sources as rtl

CHIP = rtl.ROOT / "tb/sv/four_ports_two_lanes.toml"  # where the command line names none
MAX_BUILD_SECONDS = 3600  # of one program
NUMBER = rtl.ROOT / "tb/mutants/number.cpp"  # to be linked with the simulation
# Hand-made mutants that these benches cannot notice: module, the piece that is wrong, why. The lockstep
# tests judge them. One that is noticed nevertheless must be taken out.
NOT_REACHED = {
    ("counter_memory", "live_q[rd_row_i] || (valid_q && row_q == rd_row_i)"):
        "a counter read in the cycle of its first count; the benches read when nothing is counted",
    ("mark_memory", "row_q[j*RowW +: RowW] == rd_row_i"): "the same of a watermark",
    ("csr_answer", "address_i + 24'd4"): "a counter above 2^32",
    ("csr_reads", "every_domain && !greatest"): "a sum over several domains",
    ("row_memory", "wr_valid_i[k] && init_done_q"): "a request before init_done_o",
    ("xoff_stage", "rel_valid_i & ~rel_error_i"):
        "a release of cells that are not there, which the reference refuses",
}
JUDGED = sorted(path.stem for path in rtl.files_of("weir_mmu") if not path.stem.endswith("_pkg"))


def script():
    """scripts/rtl/mutants as a module."""
    loader = importlib.machinery.SourceFileLoader("mutants", str(rtl.ROOT / "scripts/rtl/mutants"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    loader.exec_module(module)
    return module


def hand_made():
    return script().make_mutants(JUDGED, 0)


def write(folder, generated=False, only=()):
    """The mutants whose sources are now in `folder`: the hand-made ones and, with `generated`, those that
    scripts/rtl/mutants generates, too; with `only`, those of these numbers."""
    module = script()
    mutants = module.make_mutants(JUDGED, module.GENERATED if generated else 0)
    mutants = [mutant for mutant in mutants if not only or mutant.number in only]
    module.write_sources(folder, module.MODULES, mutants, "weir_mmu")
    return mutants


def numbers(text):
    """"3,17" of a command line."""
    return [int(number) for number in text.split(",")]


def simulate(words, mutant, max_seconds):
    """(exit code, output) of a program with this mutant in force; 0 is none. `max_seconds` are of the
    processor, not of the clock on the wall: other programs may be running."""
    limited = ["sh", "-c", f'ulimit -t {max_seconds}; exec "$@"', "sh", *(str(word) for word in words)]
    done = subprocess.run(limited, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, WEIR_MUTANT=str(mutant)))
    return done.returncode, done.stdout


def survivors_of(mutants, passes):
    """Those with which the program still passes: passes(number of the mutant)."""
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("WEIR_JOBS", os.cpu_count() or 1))) as pool:
        passed = pool.map(lambda mutant: passes(mutant.number), mutants)
        return [mutant for mutant, passes_still in zip(mutants, passed) if passes_still]


def survivors_by_seed(bench, mutants, passes, seeds):
    """Those that no seed shows, of passes(number, seed); of NOT_REACHED, those that the first one does
    not show. The original has to pass with every seed: one that it fails with shows all of them."""
    survivors, kept = mutants, []
    for seed in seeds:
        if survivors and not passes(0, seed):
            raise SystemExit(f"{bench}: the original does not pass with seed {seed}")
        survivors = survivors_of(survivors, lambda number, seed=seed: passes(number, seed))
        kept += [mutant for mutant in survivors if is_not_reached(mutant)]
        survivors = [mutant for mutant in survivors if not is_not_reached(mutant)]
    return kept + survivors


def is_of(mutant, key):
    return mutant.module == key[0] and f": {key[1]}  ->" in str(mutant)


def is_not_reached(mutant):
    return any(is_of(mutant, key) for key in NOT_REACHED)


def errors(bench, mutants, survivors, not_reached):
    """Prints what `bench` has noticed. What is wrong with that: mutants that it has not noticed and that
    are not among `not_reached`, {(module, piece that is wrong): why}, and those of these that it has."""
    not_reached = {key: why for key, why in not_reached.items()
                   if any(is_of(mutant, key) for mutant in mutants)}
    missed = {key for key in not_reached for mutant in survivors if is_of(mutant, key)}
    wrong = [f"not noticed: {mutant}" for mutant in survivors
             if not any(is_of(mutant, key) for key in not_reached)]
    wrong += [f"noticed, and in NOT_REACHED: {module} {piece}"
              for module, piece in not_reached.keys() - missed]
    for line in wrong:
        print(line)
    print(f"{bench}: {len(mutants) - len(survivors)} of {len(mutants)} mutants are noticed, "
          f"{len(missed)} cannot be")
    return wrong
