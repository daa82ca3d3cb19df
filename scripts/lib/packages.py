# SPDX-License-Identifier: Apache-2.0
"""Versions of Debian's packages in scripts/lib/packages.txt, as they are installed here."""
import pathlib
import subprocess

LIST = pathlib.Path(__file__).with_name("packages.txt")
OTHERS = ("pypi", "route", "bench", "wheel")  # labels of lines that name no package of Debian


def versions(*labels):
    """What dpkg-query prints of the packages with one of these labels; without labels, of all."""
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    names = [words[1] for words in lines if (words[0] in labels if labels else words[0] not in OTHERS)]
    return subprocess.run(["dpkg-query", "--show", *names], capture_output=True, text=True).stdout
