# SPDX-License-Identifier: Apache-2.0
"""Types of the module weir, for editors and type checkers."""
from os import PathLike
from typing import Any, Mapping, Sequence, TypedDict

import numpy
from numpy.typing import NDArray

_Path = str | PathLike[str]
_Value = str | int | float | bool | Sequence[Any]

__version__: str

class ConfigError(ValueError): ...
class ModelError(RuntimeError): ...

class Series(TypedDict):
    """Arrays of one length, one entry for each moment at which the switch's MMU has stepped."""
    time_ps: NDArray[numpy.int64]
    private: NDArray[numpy.int64]  # cells
    shared: NDArray[numpy.int64]  # cells
    headroom: NDArray[numpy.int64]  # cells
    threshold: NDArray[numpy.int64]  # cells; T of a group, B of a pool
    xoff: NDArray[numpy.bool_]

class Result(TypedDict):
    summary: dict[str, Any]
    series: dict[str, Series]

class Scenario:
    @property
    def name(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def until_ps(self) -> int: ...
    @property
    def switches(self) -> list[str]: ...
    @property
    def hosts(self) -> list[str]: ...
    def cell_bytes(self, switch: str) -> int: ...
    def run(self, series: str | Sequence[str] = [], every: str = "100 ns") -> Result: ...

def load(file: _Path, overrides: Mapping[str, _Value] = {}) -> Scenario: ...
def headroom(*, rate: str, cable: str, **options: str | int | bool | None) -> dict[str, Any]: ...
def lint(subject: _Path, *, cable: str | None = None, memory: str | None = None) -> dict[str, Any]: ...
def run(file: _Path, *, out: _Path, overrides: Mapping[str, _Value] | None = None,
        events: str = "pfc") -> dict[str, Any]: ...
def events(folder: _Path, table: str) -> dict[str, NDArray[Any]]: ...
def sweep(file: _Path, *, out: _Path | None = None,
          jobs: int | None = None) -> dict[str, NDArray[Any]]: ...
