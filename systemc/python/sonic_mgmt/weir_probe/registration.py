# SPDX-License-Identifier: Apache-2.0
"""How a module of this folder joins the registry of sonic-mgmt."""
import importlib.util
import pathlib
import sys

from executor_registry import ExecutorRegistry  # of sonic-mgmt

from .mmu import Mmu
from .rtl_mmu import RtlMmu

SCENARIOS = {"weir": Mmu, "rtl": RtlMmu}


def load_namesake(module_file):
    """The module of the same name that comes later on the path: sonic-mgmt's own, with the scenarios that it registers.

    The registry imports one module by its name, so this folder comes first on the path.
    """
    own = pathlib.Path(module_file).resolve()
    for folder in sys.path:
        other = pathlib.Path(folder or ".") / own.name
        if other.is_file() and other.resolve() != own:
            spec = importlib.util.spec_from_file_location(own.stem + "_of_sonic_mgmt", other)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return


def register(probe_type, executor, module_file):
    """Registers `executor` with each MMU there is, one scenario each. Returns the classes."""
    load_namesake(module_file)
    classes = {}
    for scenario, mmu in SCENARIOS.items():
        made = type(f"{scenario.capitalize()}{executor.__name__}ProbingExecutor", (executor,), {"mmu_type": mmu})
        decorator = ExecutorRegistry.register(probe_type=probe_type, executor_env="sim", scenario=scenario)
        classes[scenario] = decorator(made)
    return classes
