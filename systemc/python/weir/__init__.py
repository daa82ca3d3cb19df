# SPDX-License-Identifier: Apache-2.0
"""Weir: a cycle-accurate model of a switch MMU (docs/guide/python.md).

    scenario = weir.load("incast.toml", {"scenario.until": "1 ms"})
    result = scenario.run(series="tor.port[0].pg[3]")

Units are part of names: _ps picoseconds, _cells cells, _bytes bytes, _bps bits per second, _ppm millionths. Arrays are
signed, so that differences of them are too.
"""
from ._weir import ConfigError, ModelError, Scenario, __version__
from .program import events, headroom, lint, load, run, sweep
from .result import Result, Series

ConfigError.__doc__ = "What `weir run` ends with 2 for: names file, line, key, value and what is legal."
ModelError.__doc__ = "A broken invariant of the model, or a run that could not end."
# Where an error is shown, its class has the name that users know.
for _class in (ConfigError, ModelError, Result, Scenario, Series):
    _class.__module__ = __name__
del _class

__all__ = ["ConfigError", "ModelError", "Result", "Scenario", "Series", "__version__", "events",
           "headroom", "lint", "load", "run", "sweep"]
