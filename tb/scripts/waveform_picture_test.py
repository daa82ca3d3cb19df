# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/doc/waveform-picture
"""scripts/doc/waveform-picture draws the run of the program that WEIR_PROGRAM names."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In the place of the tools: what each does so that the script goes on.
TOOLS = {
    "gtkwave": "",
    "Xvfb": "echo 7",
    "xdotool": "",
    "import": "cp \"$WORDS\" \"$3\"",
    "convert": "for last; do :; done\ncp \"$1\" \"$last\"",
    "sleep": "",
}


class WaveformPicture(unittest.TestCase):
    def test_it_runs_the_program_that_the_environment_names(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            words = folder / "words"
            program = {"my-weir": "echo \"$@\" > \"$WORDS\""}
            for tool, text in {**TOOLS, **program}.items():
                (folder / tool).write_text(f"#!/bin/sh\n{text}\n")
                (folder / tool).chmod(0o755)
            picture = folder / "picture.png"
            ended = subprocess.run(
                [ROOT / "scripts/doc/waveform-picture", picture], capture_output=True, text=True,
                env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "WORDS": str(words),
                     "WEIR_PROGRAM": str(folder / "my-weir")})
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertTrue(words.exists(), "another program ran")
            self.assertTrue(words.read_text().startswith("run vectors/scenarios/"))
            self.assertEqual(picture.read_text(), words.read_text(), "the picture is of that run")


if __name__ == "__main__":
    unittest.main()
