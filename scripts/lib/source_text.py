# SPDX-License-Identifier: Apache-2.0
"""What is comment in a source, for the checks that read prose: scripts/check/words, scripts/check/links."""
import pathlib
import re

COMMENT = {**dict.fromkeys((".cpp", ".hpp", ".c", ".h", ".sv", ".svh", ".sva", ".vlt", ".rdl", ".js", ".css"), "//"),
           **dict.fromkeys((".toml", ".py", ".txt", ".cmake", ".sh", ".csv", ".pc", ""), "#")}
BLOCK = re.compile(r"/\*(.*?)\*/", re.DOTALL)
WITH_BLOCKS = (".c", ".h", ".css")  # their comments are blocks: read as lines of //


def suffix_of(name):
    """That of a.hpp.in is .hpp. A name without one is that of a script."""
    return pathlib.Path(name.removesuffix(".in")).suffix


def with_line_comments(text, suffix):
    """The text, with its comments in blocks as lines of //."""
    if suffix not in WITH_BLOCKS:
        return text
    return BLOCK.sub(lambda block: "//" + re.sub(r"\n\s*\*?", "\n//", block[1]), text)


def long_texts(text):
    """The lines that are no part of a text in triple quotes or of a raw string, and those that are."""
    short, long = [], []
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        quotes = line.count('"""') % 2 == 1
        if inside:
            inside = not (quotes or ')"' in line)
            long.append((number, line, True))
            short.append((number, ""))
        elif quotes or ('R"(' in line and ')"' not in line):
            inside = True
            before, mark, first = line.partition('"""' if quotes else 'R"(')
            long.append((number, first, False))
            short.append((number, before))
        else:
            short.append((number, line.replace('"""', '"')))
    return short, long


def comment_lines(name, text):
    """{number of a line: what it has of comments}, with the texts in triple quotes of a script: its help."""
    suffix = suffix_of(name)
    if suffix not in COMMENT:
        return {}
    short, long = long_texts(with_line_comments(text, suffix))
    begin = re.compile(rf"(?:^|\s){COMMENT[suffix]}(.*)")
    lines = {number: found[1] for number, line in short if (found := begin.search(line))}
    if COMMENT[suffix] == "#":
        for number, line, _ in long:
            lines[number] = lines.get(number, "") + " " + line
    return lines
