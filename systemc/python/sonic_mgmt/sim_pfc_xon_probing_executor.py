# SPDX-License-Identifier: Apache-2.0
"""Probe type pfc_xon of sonic-mgmt, scenarios weir and rtl; the registry imports this module by its name."""
import weir_probe

CLASSES = weir_probe.register("pfc_xon", weir_probe.PfcXon, __file__)
