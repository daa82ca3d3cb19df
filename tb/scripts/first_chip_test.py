# SPDX-License-Identifier: Apache-2.0
"""The files that docs/guide/first-chip.md shows are those in docs/guide/first."""
import pathlib
import re
import unittest

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs/guide"


class FirstChip(unittest.TestCase):
    def test_each_block_of_the_page_is_the_file_that_it_names(self):
        page = (GUIDE / "first-chip.md").read_text()
        shown = re.findall(r"`(\w+\.toml)`:\n\n```toml\n(.*?)```", page, re.DOTALL)
        self.assertEqual([name for name, _ in shown], ["tor.toml", "incast.toml", "size.toml"])
        for name, text in shown:
            self.assertEqual(text, (GUIDE / "first" / name).read_text(), name)


if __name__ == "__main__":
    unittest.main()
