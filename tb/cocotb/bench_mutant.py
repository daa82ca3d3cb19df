# SPDX-License-Identifier: Apache-2.0
"""A bench of scripts/rtl/cocotb that runs in Icarus passes with the RTL, and fails with a mutant of it;
scripts/rtl/cocotb --mutants has one of every module.

  /usr/bin/python3 tb/cocotb/bench_mutant.py BENCH --build FOLDER
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNAVAILABLE = 77
# Bench: (file, text, wrong text, what the bench says then).
WRONG = {
    # A frame that resumes a class would pause it.
    "traffic": ("pfc_frame.sv", "& {16{xoff[n]}}", "& {16{enable[n]}}",
                "m_axis_pfc_tdata_o of port"),
    # The second lane does not see that the first one has just paused the group.
    "domains": ("pfc_state.sv", "if (y < x && valid_i[y]",
                "if (y < x && (y < Lanes || x < Lanes) && valid_i[y]", "AssertionError: cycle "),
    # A bit that is written is lost.
    "registers": ("csr_chip.sv", "quanta_q   <= wdata_i[15:0];",
                  "quanta_q   <= {wdata_i[15:1], 1'b0};", "weir_mmu.chip.quanta is fffe"),
}


def cocotb(build, *words):
    done = subprocess.run([ROOT / "scripts/rtl/cocotb", "--build", build, *words], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench", choices=sorted(WRONG))
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    code, said = cocotb(options.build, options.bench)
    print("\n".join(line for line in said.splitlines() if line.startswith("cocotb:")))
    if code == UNAVAILABLE:
        sys.exit(UNAVAILABLE)
    if code != 0:
        sys.exit(said[-4000:])
    name, right, wrong, words = WRONG[options.bench]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "rtl"
        shutil.copytree(ROOT / "rtl", folder)
        path, = folder.rglob(name)
        text = path.read_text()
        if text.count(right) != 1:
            sys.exit(f"{name} does not have {right!r} once: this test needs another fault")
        path.write_text(text.replace(right, wrong))
        code, said = cocotb(options.build, options.bench, "--rtl", folder)
    if code != 1 or words not in said:
        sys.exit(f"{options.bench}: a wrong {name} is not noticed: exit code {code}\n{said[-2000:]}")
    print(f"{options.bench}: a wrong {name} is noticed")


if __name__ == "__main__":
    main()
