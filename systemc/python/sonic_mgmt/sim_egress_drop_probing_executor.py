# SPDX-License-Identifier: Apache-2.0
"""Probe type egress_drop of sonic-mgmt, scenarios weir and rtl; the registry imports this module by its name."""
import weir_probe

CLASSES = weir_probe.register("egress_drop", weir_probe.EgressDrop, __file__)
