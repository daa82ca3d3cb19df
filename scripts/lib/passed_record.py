# SPDX-License-Identifier: Apache-2.0
"""What tb/passed.json records of the sources, for scripts/check/headers and scripts/check/tidy: keys that
have passed, and which of those the commit draws to be looked at again."""
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/rtl"))
import record  # noqa: E402

RECORD = ROOT / "tb/passed.json"
DRAWN_OF = 16  # of so many recorded ones, one is drawn


def recorded(check):
    """The recorded keys of a check; none where all is to be looked at (scripts/test --full)."""
    if os.environ.get("WEIR_PROVE_ALL") == "1" or not RECORD.exists():
        return set()
    return set(json.loads(RECORD.read_text()).get(check, []))


def drawn(seed, check, items, *name):
    """Those of items that are looked at again."""
    return set(record.drawn(f"{seed} {check}", sorted(items), *name)[:-(-len(items) // DRAWN_OF)])
