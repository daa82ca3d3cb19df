# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/lib/slurm-local scripts/lib/local_scheduler.sh
"""The scheduler of one node that tests start: what happens where a daemon does not come up."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SlurmLocal(unittest.TestCase):
    def test_a_daemon_that_ends_at_once_is_an_error_that_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as scratch:
            place = pathlib.Path(scratch)
            daemon = place / "slurmd"
            daemon.write_text("#!/bin/sh\necho no control groups here\nexit 1\n")
            daemon.chmod(0o755)
            folder = place / "slurm"
            done = subprocess.run([ROOT / "scripts/lib/slurm-local", "run", "true"], text=True, capture_output=True,
                                  env={**os.environ, "PATH": f"{place}:{os.environ['PATH']}", "WEIR_SLURM_DIR": str(folder)})
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("a daemon of the scheduler cannot be started", done.stderr)
            self.assertIn("no control groups here", done.stderr)
            self.assertFalse(folder.exists())
            left = subprocess.run(["pgrep", "-f", str(folder)], capture_output=True, text=True).stdout.split()
            self.assertEqual(left, [])

    def test_schedulers_that_start_together_have_ports_of_their_own(self):
        ask = f". {ROOT}/scripts/lib/local_scheduler.sh; free_ports"
        asked = [subprocess.Popen(["bash", "-c", ask], text=True, stdout=subprocess.PIPE) for _ in range(8)]
        ports = [port for process in asked for port in process.communicate()[0].split()]
        self.assertEqual(len(set(ports)), 16, ports)


unittest.main()
