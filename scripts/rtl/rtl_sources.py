# SPDX-License-Identifier: Apache-2.0
"""What the RTL scripts know of rtl/: its files, the modules they hold, their parameters, and how to
run a tool. Modules are found, never listed."""
import os
import pathlib
import re
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
WAIVERS = RTL / "waivers.vlt"
FILE_LIST = RTL / "files.f"

PARAMETER = re.compile(r"parameter\s+(?:int|bit|logic(?:\s*\[[^\]]*\])?)\s+(\w+)\s*=")
FATAL = re.compile(r"\$fatal\(\s*1\s*,\s*\"(\w+) = %0d")


class Module:
    """One module of rtl/: its name, its file, the parameters a user may set, those it checks."""

    def __init__(self, path, name, text):
        self.path, self.name = path, name
        header = text[text.index("module " + name):]
        header = header[:header.index(");")] if ");" in header else header
        lines = [line for line in header.splitlines() if PARAMETER.search(line)]
        self.derived = {PARAMETER.search(line)[1] for line in lines if "do not override" in line}
        self.parameters = [PARAMETER.search(line)[1] for line in lines
                           if "do not override" not in line]
        self.checked = set(FATAL.findall(text))


def packages_first(paths):
    """Files without a module (packages) go first: every tool reads in order."""
    return sorted(paths, key=lambda path: (bool(re.search(r"^module\s", path.read_text(), re.M)),
                                           path.name))


def source_files(folder=RTL):
    """The SystemVerilog files of a folder and of those in it."""
    return packages_first(folder.rglob("*.sv"))


def file_named(folder, name):
    """The one file of this name in a folder or in those in it."""
    found = sorted(folder.rglob(name))
    if len(found) != 1:
        raise ValueError(f"{folder.relative_to(ROOT)} has {len(found)} files {name}, not one")
    return found[0]


def constants(package):
    """{name: value} of the integers of a package."""
    values = {}
    text = re.sub(r"//.*", "", file_named(RTL, f"{package}.sv").read_text())
    for name, expression in re.findall(r"localparam int (\w+)\s*=\s*([^;]+);", text):
        values[name] = eval(expression, {"__builtins__": {}}, values)
    return values


def find_modules(folder=RTL):
    modules = []
    for path in source_files(folder):
        text = path.read_text()
        modules += [Module(path, name, text)
                    for name in re.findall(r"^module\s+(\w+)", text, re.M)]
    return modules


def listed_files():
    """The files that rtl/files.f names, in its order."""
    if not FILE_LIST.exists():
        return None
    names = [line.split("//")[0].split("#")[0].strip()
             for line in FILE_LIST.read_text().splitlines()]
    return [name for name in names if name and not name.startswith(("+", "-"))]


def run(command, seconds=120, cwd=None, stdin=None, env=None):
    """(exit code, everything it printed). A tool that outlives `seconds` is stopped and counts as
    failed, with all that it started."""
    process = subprocess.Popen([str(word) for word in command], text=True, cwd=cwd, env=env,
                               stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(stdin, timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return 124, output + f"\nstopped after {seconds} s"


def keep_build(folder):
    """Empties a build folder that builds another tree, which a copied or moved one may bring along."""
    code, said = run(["bash", "-c", '. "$1/scripts/lib/build_folder.sh"; keep_build_of "$2" "$1"',
                      "bash", ROOT, folder])
    if code != 0:
        raise OSError(said)


def needed_by(texts, top):
    """File names that `top` is made of, packages first: those its text names, and theirs in turn."""
    needed, left = set(), [f"{top}.sv"]
    while left:
        name = left.pop()
        if name in needed or name not in texts:
            continue
        needed.add(name)
        words = set(re.findall(r"\b[a-z]\w*\b", re.sub(r"//.*", "", texts[name])))
        left += [f"{word}.sv" for word in words]
    return sorted(needed, key=lambda name: (not name.endswith("_pkg.sv"), name))


def files_of(top):
    """Paths of the RTL files that module `top` needs."""
    paths = {path.name: path for path in source_files()}
    texts = {name: path.read_text() for name, path in paths.items()}
    return [paths[name] for name in needed_by(texts, top)]


def icarus_copies(folder, top):
    """Copies of the files of `top` with `always @*` for `always_comb`: in Icarus 11.0 two blocks
    that start at time 0 may wake each other for ever (steveicarus/iverilog#508, repaired later)."""
    copies = []
    for path in files_of(top):
        copies.append(folder / path.name)
        copies[-1].write_text(re.sub(r"\balways_comb\b", "always @*", path.read_text()))
    return copies
