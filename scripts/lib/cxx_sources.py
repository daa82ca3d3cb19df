# SPDX-License-Identifier: Apache-2.0
"""Which C++ files of this tree a file is compiled from, and which a program of it is linked from.

Read from the #include lines alone, without a build and without paths of the machine. An include is
found by the end of its path in systemc/ and tb/, so a header may be moved. Where two headers have
the same name, both count: one file too many is safer than one too few.
"""
import functools
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)
FIRST = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def room_of(parts):
    """What a file is a part of: systemc/include/weir/core/... and systemc/src/core/... are both core."""
    inside = [part for part in parts[1:-1] if part not in ("include", "src", "weir")]
    return parts[:1] + tuple(inside[:1])


class Tree:
    """The C++ files of the folders `rooms` of a source tree, as they are when it is made."""

    def __init__(self, root=ROOT, rooms=("systemc", "tb")):
        self.files, self.room = {}, {}
        for room in rooms:
            for path in (root / room).rglob("*.[ch]pp"):
                self.files[path] = path.read_text()
                self.room[path] = room_of(path.relative_to(root).parts)
        self.by_name = {}
        for path in self.files:
            self.by_name.setdefault(path.name, []).append(path)
        self.included = {}  # {path: files that its includes may refer to}, filled when asked for
        self.sources = {}
        for path, text in self.files.items():
            if path.suffix != ".cpp":
                continue
            first = FIRST.search(text)
            for header in self.named(path, first[1]) if first else []:
                self.sources.setdefault(header, set()).add(path)

    def named(self, path, include):
        """The files that an include of `path` may refer to."""
        near = pathlib.Path(os.path.normpath(path.parent / include))
        if near in self.files:
            return [near]
        return [found for found in self.by_name.get(pathlib.PurePath(include).name, [])
                if found.as_posix().endswith("/" + include)]

    def includes_of(self, path):
        if path not in self.included:
            self.included[path] = [found for include in INCLUDE.findall(self.files[path])
                                   for found in self.named(path, include)]
        return self.included[path]

    def closure(self, starts, linked):
        reached, left = set(), list(starts)
        while left:
            path = left.pop()
            if path in reached:
                continue
            reached.add(path)
            left += self.includes_of(path)
            if linked and path.suffix == ".hpp":
                left += self.implementing(path)
        return reached

    def implementing(self, header):
        """The sources of what a header declares: those of its name, and those that include it first
        (scripts/check/names: a part of a larger subject does so), of the same room. A test is part
        of no other program."""
        found = set(self.by_name.get(header.stem + ".cpp", [])) | self.sources.get(header, set())
        return {path for path in found if self.room[path] == self.room[header]
                and not path.stem.endswith("_test")}


@functools.lru_cache(None)
def here():
    return Tree()


def included_by(*paths):
    """The files and all headers of this tree that compiling them reads."""
    return here().closure(paths, linked=False)


def linked_into(*paths):
    """Those, the sources of what these headers declare, and everything these need in turn."""
    return here().closure(paths, linked=True)
