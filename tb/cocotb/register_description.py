# SPDX-License-Identifier: Apache-2.0
"""The registers of rtl/weir_mmu.rdl, word by word, for the sizes of a chip."""
import collections
import os

from systemrdl import RDLCompiler
from systemrdl.node import RegNode
from weir_mmu_c import parameters_of

# Address; access as in docs/reference/registers.md; value after reset.
Register = collections.namedtuple("Register", "block path address access reset")


def registers_of(core):
    """[Register] in the order of their addresses."""
    compiler = RDLCompiler()
    compiler.compile_file(os.environ["WEIR_RDL"])
    top = compiler.elaborate("weir_mmu", parameters=parameters_of(core)).top
    return [Register(node.parent.inst_name, node.get_path(), node.absolute_address,
                     node.get_property("map_access"),
                     sum(field.get_property("reset") << field.low for field in node.fields()))
            for node in top.descendants(unroll=True) if isinstance(node, RegNode)]
