# SPDX-License-Identifier: Apache-2.0
"""Wrong copies of every module inside weir_mmu (tb/mutants/hand_made.py) for benches that are not lockstep
tests: scripts/rtl/sv-bench and scripts/rtl/c-bench. One folder of sources holds all of them; the program
that is built of it reads from WEIR_MUTANT which one is in force."""
import concurrent.futures
import importlib.machinery
import importlib.util
import os
import subprocess

import rtl_sources as rtl

NUMBER = rtl.ROOT / "tb/mutants/number.cpp"  # to be linked with the simulation
JUDGED = sorted(path.stem for path in rtl.files_of("weir_mmu") if not path.stem.endswith("_pkg"))


def write(folder, generated=False):
    """The mutants whose sources are now in `folder`: the hand-made ones and, with `generated`, those that
    scripts/rtl/mutants generates, too."""
    loader = importlib.machinery.SourceFileLoader("mutants", str(rtl.ROOT / "scripts/rtl/mutants"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    loader.exec_module(module)
    mutants = module.make_mutants(JUDGED, module.GENERATED if generated else 0)
    module.write_sources(folder, module.MODULES, mutants, "weir_mmu")
    return mutants


def simulate(words, mutant, most_seconds):
    """(exit code, output) of a program with this mutant in force; 0 is none. `most_seconds` are of the
    processor, not of the clock on the wall: other programs may be running."""
    limited = ["sh", "-c", f'ulimit -t {most_seconds}; exec "$@"', "sh", *(str(word) for word in words)]
    done = subprocess.run(limited, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, WEIR_MUTANT=str(mutant)))
    return done.returncode, done.stdout


def survivors_of(mutants, words, most_seconds):
    """Those with which the program still passes."""
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("WEIR_JOBS", os.cpu_count() or 1))) as pool:
        codes = pool.map(lambda mutant: simulate(words, mutant.number, most_seconds)[0], mutants)
        return [mutant for mutant, code in zip(mutants, codes) if code == 0]


def is_of(mutant, key):
    return mutant.module == key[0] and f": {key[1]}  ->" in str(mutant)


def errors(bench, mutants, survivors, not_reached):
    """Prints what `bench` has noticed. What is wrong with that: mutants that it has not noticed and that
    are not among `not_reached`, {(module, piece that is wrong): why}, and those of these that it has."""
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
