# SPDX-License-Identifier: Apache-2.0
"""Probe type pfc_xoff of sonic-mgmt, scenarios weir and rtl; the registry imports this module by its name."""
import weir_probe

CLASSES = weir_probe.register("pfc_xoff", weir_probe.PfcXoff, __file__)
