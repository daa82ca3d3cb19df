# SPDX-License-Identifier: Apache-2.0
"""What scripts that make tables of documents share."""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPED = str(ROOT / "build/release/bin/weir")  # what scripts/weir starts
PROGRAM = os.environ.get("WEIR_PROGRAM", TYPED)


def weir(*arguments, exits=(0,)):
    """Output of the program. Exits when the program ends with a code that is not in `exits`."""
    answer = subprocess.run([PROGRAM, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    if answer.returncode not in exits:
        sys.exit(f"weir {' '.join(map(str, arguments))}: exit {answer.returncode}\n{answer.stderr}")
    return answer.stdout


def weir_json(*arguments, exits=(0,)):
    return json.loads(weir(*arguments, exits=exits))


_ran = set()


def shown(page, script):
    """The commands that `page` shows and leaves to `script`; scripts/check/readme leaves them out."""
    return re.findall(rf"<!-- run by {re.escape(script)} -->\n```console\n\$ (.*)\n```", page.read_text())


def _run(page, script, words, more=""):
    """(words of the one command of shown() with these words, output), run with the options `more`, too, and with
    the program of another build where the tests are of that one (sanitizers)."""
    lines = [line for line in shown(page, script) if words in line]
    if len(lines) != 1:
        sys.exit(f"{page}: needs one command with '{words}' below '<!-- run by {script} -->'")
    _ran.add(lines[0])
    typed, *exits = re.split(r" # exit (\d+)$", lines[0])[:2]
    command = typed if PROGRAM == TYPED else typed.replace("scripts/weir ", f"{PROGRAM} ", 1)
    answer = subprocess.run(["bash", "-c", command + more], cwd=ROOT, capture_output=True, text=True)
    if answer.returncode != int(exits[0] if exits else 0):
        sys.exit(f"{lines[0]}: exit {answer.returncode}\n{answer.stderr}")
    return shlex.split(typed), answer.stdout


def run_as_shown(page, script, words):
    """Runs the command as it is typed; returns the folder of its --out."""
    typed, _ = _run(page, script, words)
    return pathlib.Path(typed[typed.index("--out") + 1])


def json_as_shown(page, script, words):
    """Runs the command as it is typed, but with --json; returns what it prints."""
    return json.loads(_run(page, script, words, " --json")[1])


def number(value):
    return f"{value:,}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def _around(page, script, name, text):
    """What is in `text` before the body of the block, the body, and what is after it."""
    begin, end = f"<!-- begin {name}: {script} -->\n", f"\n<!-- end {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(end) < text.index(begin):
        sys.exit(f"{page}: needs one line '{begin.strip()}' and below it one '{end.strip()}'")
    head, rest = text.split(begin)
    body, tail = rest.split(end)
    return head + begin, body, end + tail


def block(page, script, name):
    """The text of `page` between the two marks of a block."""
    return _around(page, script, name, page.read_text())[1]


def with_blocks(page, script, blocks):
    """The text of `page` with each block, {name: body}, between its two marks."""
    text = page.read_text()
    for name, body in blocks.items():
        head, _, tail = _around(page, script, name, text)
        text = head + body + tail
    return text


def write_or_check(made, script, check):
    """Writes {path: text}; with `check` ends with 1 if a file differs."""
    left = [line for path in made if path.suffix == ".md" for line in shown(path, script) if line not in _ran]
    if left:
        sys.exit(f"{script} does not run what is left to it: {'; '.join(left)}")
    if check:
        stale = [str(path) for path, text in made.items()
                 if not path.exists() or path.read_text() != text]
        if stale:
            sys.exit(f"not up to date, run {script}: {', '.join(stale)}")
        return
    for path, text in made.items():
        path.write_text(text)
