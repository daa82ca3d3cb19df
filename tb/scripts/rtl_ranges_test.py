# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl docs/blocks scripts/rtl scripts/lib
"""The ranges of parameters that the pages of RTL modules show are those that the modules check."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/rtl"))
import mmu_parameters  # noqa: E402
import rtl_sources as rtl  # noqa: E402

NAMES = re.compile(r"`[A-Z]\w*`(?:, `[A-Z]\w*`)*")
NUMBERS = re.compile(r"\d+ to \d+")
RANGES = re.compile(r"(?: \| | )(\d+ to \w+(?:; \d+ to \w+)*)")


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
            checked = mmu_parameters.legal_words(page.stem)
            for name, span in shown_in(page):
                if NUMBERS.fullmatch(span) and NUMBERS.fullmatch(checked.get(name, "")):
                    with self.subTest(page=page.name, parameter=name):
                        self.assertEqual(span, checked[name])
                        compared += 1
        self.assertGreater(compared, 50, "ranges that were found on pages and in modules")


if __name__ == "__main__":
    unittest.main()
