# SPDX-License-Identifier: Apache-2.0
"""What the program `weir` does, as functions: it is started as a child process and prints JSON."""
import collections.abc
import contextlib
import difflib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sysconfig
import tempfile

import numpy

from . import _weir
from ._weir import ConfigError, ModelError

_DONE = (0, 1)  # 1: findings, or points of a sweep that did not run; both are in the answer
_CONFIGURATION = 2


def _program():
    """The program that came with this module: of the same build folder, prefix or environment."""
    here = pathlib.Path(__file__).resolve()
    for place in (os.environ.get("WEIR_PROGRAM"), here.parents[2] / "bin/weir",
                  pathlib.Path(sysconfig.get_path("scripts")) / "weir",
                  *(parent / "bin/weir" for parent in here.parents), shutil.which("weir")):
        if place and pathlib.Path(place).is_file():
            return str(place)
    raise ModelError("there is no program `weir` next to the module: build the target weir, or name "
                     "it in WEIR_PROGRAM")


def _text(value):
    """A value as --set takes it: text unchanged, everything else as JSON, which TOML takes here."""
    return value if isinstance(value, str) else json.dumps(value)


def _assignments(overrides):
    """['key=value'] of {'key': 'value'}."""
    if overrides is None:
        return []
    if not isinstance(overrides, collections.abc.Mapping):
        raise ConfigError(f'overrides = {overrides!r}: must be {{key: value}}, such as {{"scenario.seed": 2}}')
    words = []
    for key, value in overrides.items():
        if not isinstance(key, str):
            raise ConfigError(f'overrides: {key!r} = {value!r}: must have a key of text, such as "scenario.seed"')
        try:
            words.append(f"{key}={_text(value)}")
        except TypeError:
            raise ConfigError(f"overrides: {key} = {value!r}: must be text, a number, a boolean or a "
                              "list of them") from None
    return words


def _set(overrides):
    """['--set', 'key=value'] of {'key': 'value'}."""
    return [word for assignment in _assignments(overrides) for word in ("--set", assignment)]


def _options(named):
    """['--cell', '254'] of {'cell': 254}; True is an option without a value, None no option."""
    words = []
    for name, value in named.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words


def _for_python(message):
    """A message of the program with the arguments of this module: `overrides` for --set, `cable` for
    --cable."""
    message = re.sub(r"(?<![\w/.-])--set\b(?!-)", "overrides", message)
    return re.sub(r"(?<![\w/.-])--(?!help\b)([a-z][a-z-]*)",
                  lambda option: option[1].replace("-", "_"), message)


@contextlib.contextmanager
def _messages():
    try:
        yield
    except ConfigError as error:
        raise ConfigError(_for_python(str(error))) from None


def _answer(*words):
    """The JSON that `weir WORDS --json` prints."""
    done = subprocess.run([_program(), *(str(word) for word in words), "--json"], text=True,
                          env=dict(os.environ, SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1"),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode in _DONE:
        return json.loads(done.stdout)
    message = _for_python(done.stderr.strip().removeprefix("weir: "))
    raise (ConfigError if done.returncode == _CONFIGURATION else ModelError)(message)


def _rows(file, table):
    """(names of the columns, rows); of a file that may be a stranger's."""
    where = f"{pathlib.Path(file).resolve().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(where, uri=True)) as database:
        database.execute("PRAGMA trusted_schema = OFF")
        known = [name for name, in database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")]
        if table == "verdicts" and table not in known:
            raise ConfigError('table = verdicts: is recorded by a run with events="all" alone: '
                              'weir.run(..., events="all"), or weir run --events all')
        if table not in known:
            raise ConfigError(f"table = {table}: must be one of {', '.join(known)}")
        cursor = database.execute(f'SELECT * FROM "{table}"')
        return [column[0] for column in cursor.description], cursor.fetchall()


def _columns(file, table):
    """{column: array} of a table or view: int64, float64, or objects where a value is text or null."""
    if not pathlib.Path(file).is_file():
        raise ConfigError(f"{file}: no such file")
    try:
        names, rows = _rows(file, table)
    except sqlite3.Error as error:
        raise ConfigError(f"{file}: {error}; must be as this version of weir writes it") from error
    columns = {}
    for at, name in enumerate(names):
        values = [row[at] for row in rows]
        kind = (numpy.int64 if all(isinstance(value, int) for value in values) else
                numpy.float64 if all(isinstance(value, (int, float)) for value in values) else object)
        columns[name] = numpy.array(values, dtype=kind)
    return columns


def _file_or_preset(file):
    """The file of a preset, where the text has no folder and no ending and is not a file, as in `weir run`."""
    name = os.fspath(file) if isinstance(file, (str, os.PathLike)) else "-"
    if not isinstance(name, str) or re.search("[/.]", name) or name in ("", "-") or os.path.exists(name):
        return file
    presets = {row["name"]: row["file"] for row in _answer("list", "scenarios")["scenarios"]}
    if name in presets:
        return presets[name]
    meant = difflib.get_close_matches(name, presets, 1)
    raise ConfigError(f'file = "{name}": no such file or preset'
                      + (f", did you mean {meant[0]}?" if meant else "")
                      + "; weir list scenarios shows the presets")


def load(file, overrides=None):
    """Reads and checks a scenario file, or the preset of that name: a Scenario.

    overrides: {key: value}, the value text, a number, a boolean or a list; keys as in
    docs/reference/scenario-format.md. A ConfigError names file, line, key, value and what is legal.
    """
    with _messages():
        return _weir.load(_file_or_preset(file), _assignments(overrides))


def _load_again(file, overrides, keys):
    with _messages():
        return _weir.load_again(file, overrides, keys)


def headroom(*, rate, cable, **options):
    """Headroom of a port by each method, in bytes and cells, with its terms: `weir headroom`.

    rate, cable: with units, "400G" and "100m". Further options as of the command line, with _ for -:
    cell=254, mtu=9216, method="worst_case". The answer is the JSON of the command:
    ["methods"][name]["cells"].
    """
    return _answer("headroom", *_options({"rate": rate, "cable": cable, **options}))


def lint(subject, *, cable=None, memory=None, overrides=None):
    """What is wrong or risky about a chip, a scenario or a SONiC folder: `weir lint`.

    {"errors": n, "warnings": n, "findings": [{"code", "severity", "title", "what", ...}]};
    docs/reference/lint.md has the codes. cable, memory: text with units. overrides: {key: value} as
    for load(), of a chip file with its own keys.
    """
    return _answer("lint", subject, *_options({"cable": cable, "memory": memory}), *_set(overrides))


def run(file, *, out, overrides=None, events="pfc"):
    """Runs a scenario file or preset into the result folder `out`, and returns summary.json.

    overrides: {key: value} as for load(). events: "drops", "pfc" or "all", what events.sqlite of the
    folder holds, for events().
    """
    return _answer("run", file, "--out", out, "--events", events, "--quiet", "--no-report",
                   *_set(overrides))


def events(folder, table):
    """A table or view of events.sqlite in a result folder: {column: array of its rows}.

    table: "pfc_frames", "drops", "levels" ..., and after weir.run(..., events="all") "verdicts"
    (docs/reference/events.md). Columns of integers are int64, units are part of the names.
    """
    return _columns(pathlib.Path(folder) / "events.sqlite", table)


def sweep(file, *, out=None, jobs=None):
    """Runs every point of a sweep file or preset, and returns {column: array with one entry a run}.

    Columns are axes, "seed", "status" and every figure (docs/reference/sweeps.md). out: the result
    folder, which stays; without one nothing does. jobs: runs at a time.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(out) if out is not None else pathlib.Path(scratch) / "sweep"
        _answer("sweep", file, "--out", folder, "--quiet", *_options({"jobs": jobs}))
        return _columns(folder / "sweep.sqlite", "runs")
