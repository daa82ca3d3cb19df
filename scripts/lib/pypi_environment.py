# SPDX-License-Identifier: Apache-2.0
"""Virtual environments of packages of PyPI: the lines of one word in scripts/lib/packages.txt."""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "scripts/lib/packages.txt"
SKIPPED = 77  # ctest shows a test with this exit code as skipped
SECONDS = 600


def run(command):
    """(exit code, everything it printed)."""
    try:
        done = subprocess.run([str(word) for word in command], text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return 124, f"stopped after {SECONDS} s"


def programs_of(word, place, who):
    """The folder of the programs of the environment at `place`, made if its packages have changed.
    Where PyPI is not reached the script `who` ends, with 77; with CI=true it is an error."""
    wanted = re.findall(rf"^{word} (\S+)", PACKAGES.read_text(), re.M)
    stamp = place / "packages"
    place.mkdir(parents=True, exist_ok=True)
    with open(place.parent / f".{place.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text().split() != wanted:
            shutil.rmtree(place)
            for command in (["/usr/bin/python3", "-m", "venv", place],
                            [place / "bin/pip", "install", "--quiet", "--no-deps",
                             "--disable-pip-version-check", *wanted]):
                code, said = run(command)
                if code != 0:
                    print(f"{who}: no virtual environment: {said.strip()[-500:]}")
                    sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
            stamp.write_text("\n".join(wanted))
    return place / "bin"
