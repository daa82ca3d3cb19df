# SPDX-License-Identifier: Apache-2.0
"""weir at a terminal: what it shows there, and how it ends by the keys of one. The first argument is the program."""
import contextlib
import json
import os
import pathlib
import pty
import re
import select
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "vectors/scenarios/incast_star16_dt_trident2.toml"
LONGEST = 200  # seconds that anything may take
POINTS = 1000
SWEEP = f"""
[sweep]
name = "thousand"
scenarios = "{SCENARIO}"
seeds = 10
[set]
"scenario.until" = "1 us"
[[axis]]
name = "size"
key = "switch.tor.pool.lossless.size"
from = "11 MB"
to = "20.9 MB"
steps = 100
"""


def at_terminal(arguments, folder, press=None, **more):
    """Exit code and all that was shown. press(text) is asked while it runs: a key to press, once."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **more}
    if "NO_COLOR" not in more:
        environment.pop("NO_COLOR", None)
    # A session of its own, with this terminal: Ctrl-C of it becomes a signal.
    process = subprocess.Popen(
        ["/usr/bin/setsid", "--ctty", "--wait", str(PROGRAM), *arguments], cwd=folder,
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown, end = "", time.monotonic() + LONGEST
    while time.monotonic() < end:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part.decode()
        key = press(shown) if press else None
        if key:
            os.write(ours, key)
            press = None
    else:
        process.kill()
    os.close(ours)
    return process.wait(), shown


class Terminal(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def test_an_error_is_coloured_and_is_not_with_no_color(self):
        code, shown = at_terminal(["runn"], self.folder)
        self.assertEqual(code, 2)
        self.assertIn("\x1b[1;31m", shown)
        self.assertIn("did you mean run?", shown)
        for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
            code, shown = at_terminal(["runn"], self.folder, **{name: value})
            self.assertEqual(code, 2)
            self.assertNotIn("\x1b", shown, name)

    def test_control_c_ends_a_run_and_leaves_its_results(self):
        live = re.compile(r"\r\[#*\.*\] ")
        code, shown = at_terminal(
            ["run", str(SCENARIO), "--until", "100 s", "--out", "o"], self.folder,
            press=lambda text: b"\x03" if live.search(text) else None)
        self.assertEqual(code, 130, shown[-500:])
        self.assertIn("INTERRUPTED, 100 s were asked for", shown)
        summary = json.loads((self.folder / "o/summary.json").read_text())
        self.assertTrue(summary["interrupted"])
        self.assertGreater(summary["totals"]["delivered_packets"], 0)

    def test_a_sweep_of_a_thousand_points_shows_progress_is_interrupted_and_resumed(self):
        (self.folder / "s.toml").write_text(SWEEP)
        sweep = ["sweep", "s.toml", "--out", "o", "--jobs", "2"]
        progress = re.compile(r"\r\[#*\.*\] +(\d+) %  ([\d,]+) of 1,000 points[^\r]*left")

        def far_enough(text):
            lines = progress.findall(text)
            return b"\x03" if lines and 5 <= int(lines[-1][0]) else None

        code, shown = at_terminal(sweep, self.folder, press=far_enough)
        self.assertEqual(code, 130, shown[-500:])
        self.assertIn("go on with --resume", shown)
        before = self.rows()
        self.assertTrue(0 < len(before) < POINTS, len(before))
        # A reader that has the results open does not disturb the sweep.
        with contextlib.closing(sqlite3.connect(self.folder / "o/sweep.sqlite")) as reader:
            reader.execute("SELECT count(*) FROM runs").fetchall()
            code, shown = at_terminal(sweep + ["--resume"], self.folder)
        self.assertIn("1,000 of 1,000 points", shown)
        after = self.rows()
        self.assertEqual([row[0] for row in after], list(range(POINTS)))
        kept = dict(after)
        for point, figure in before:
            self.assertEqual(kept[point], figure, "a finished point changed")
        # Progress of the second part begins where the first one ended.
        shares = [int(share) for share, _ in progress.findall(shown)]
        self.assertTrue(shares and len(before) * 100 // POINTS <= shares[0], shares)
        self.assertEqual(shares, sorted(shares))

    def rows(self):
        with contextlib.closing(sqlite3.connect(self.folder / "o/sweep.sqlite")) as runs:
            return runs.execute("SELECT point, sent_packets FROM runs ORDER BY point").fetchall()


if __name__ == "__main__":
    unittest.main()
