# SPDX-License-Identifier: Apache-2.0
"""Executors of sonic-mgmt's probe framework on the MMU of a chip file (docs/guide/sonic.md)."""
from .executors import EgressDrop, IngressDrop, PfcXoff, PfcXon
from .mmu import MmuError
from .registration import register

__all__ = ["EgressDrop", "IngressDrop", "MmuError", "PfcXoff", "PfcXon", "register"]
