# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl docs/blocks scripts/rtl scripts/lib
"""The ranges of parameters that the pages of RTL modules show are those that the modules check."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/rtl"))
import rtl_sources as rtl  # noqa: E402

LIMITS = {**rtl.constants("weir_pkg"), **rtl.constants("pipeline_latency_pkg")}
CHECK = re.compile(r'\$fatal\(1, "(\w+) = %0d: must be ([^"]+)",\s*(.*?)\);', re.S)
NAMES = re.compile(r"`[A-Z]\w*`(?:, `[A-Z]\w*`)*")
NUMBERS = re.compile(r"\d+ to \d+")
RANGES = re.compile(r"(?: \| | )(\d+ to \w+(?:; \d+ to \w+)*)")


def parts_of(module):
    """Texts of a module and of what is in it, outer modules first."""
    texts = {path.stem: path.read_text() for path in rtl.files_of(module)}
    known = [module]
    for each in known:
        for part in re.findall(r"^\s*(\w+)\s*(?:#\s*\(|u_\w+\s*\()", texts[each], re.M):
            if part in texts and part not in known:
                known.append(part)
    return [texts[each] for each in known]


def checked_in(module):
    """{parameter: "1 to 4096"} of those whose least and greatest value are numbers: of the module, or of the outermost
    part that checks the parameter."""
    found = {}
    for text in parts_of(module):
        for name, said, given in CHECK.findall(text):
            for constant in re.findall(r"\b(?:weir_pkg|pipeline_latency_pkg)::(\w+)", given):
                said = said.replace("%0d", str(LIMITS[constant]), 1)
            found.setdefault(name, said)
    return {name: said for name, said in found.items() if NUMBERS.fullmatch(said)}


def shown_in(page):
    """(parameter, "1 to 4096") of each range that the page shows after the name of a parameter."""
    for line in page.read_text().splitlines():
        for names in NAMES.finditer(line):
            ranges = RANGES.match(line, names.end())
            if not ranges:
                continue
            each, spans = re.findall(r"\w+", names[0]), ranges[1].split("; ")
            yield from zip(each, spans if len(spans) == len(each) else spans * len(each))


class Ranges(unittest.TestCase):
    def test_of_pages_are_those_of_the_modules(self):
        compared = 0
        for page in sorted((ROOT / "docs/blocks").glob("*.md")):
            if not any(rtl.RTL.rglob(f"{page.stem}.sv")):
                continue
            checked = checked_in(page.stem)
            for name, span in shown_in(page):
                if name in checked and NUMBERS.fullmatch(span):
                    with self.subTest(page=page.name, parameter=name):
                        self.assertEqual(span, checked[name])
                        compared += 1
        self.assertGreater(compared, 50, "ranges that were found on pages and in modules")


if __name__ == "__main__":
    unittest.main()
