# SPDX-License-Identifier: Apache-2.0
"""What a run of the program costs from SIGTERM to its end."""
import os
import pathlib
import signal
import time


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_it_simulates(process):
    """A run takes SIGTERM itself once its network is made; before, the signal ends it at once."""
    bit = 1 << (signal.SIGTERM - 1)
    while process.poll() is None:
        lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
        caught = next(line.split()[1] for line in lines if line.startswith("SigCgt:"))
        if int(caught, 16) & bit:
            return
        time.sleep(0.01)


def end_by_signal(process):
    """Processor seconds from the signal to the end, and the exit code."""
    before = processor_seconds(process)
    process.send_signal(signal.SIGTERM)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime - before, os.waitstatus_to_exitcode(status)
