# SPDX-License-Identifier: Apache-2.0
"""The parameter sets at which every module of rtl/ is checked as top, by scripts/rtl/check and
scripts/rtl/frontends, and how Yosys gets them."""
import rtl_sources as rtl

# Three sets; a module takes those parameters of a set that it has.
SETS = {
    "default": {},
    "small": {"Ports": 2, "Domains": 1, "Lanes": 1, "Copies": 1, "Profiles": 1, "QueueProfiles": 1,
              "Pools": 1, "EgressPools": 1, "CellW": 12, "LenW": 4, "ByteW": 11, "StatW": 32,
              "ThresholdLag": 1},
    "wide": {"Ports": 5, "Domains": 2, "Lanes": 4, "Copies": 3, "Profiles": 3, "QueueProfiles": 2,
             "Pools": 2, "EgressPools": 2, "CellW": 24, "LenW": 10, "ByteW": 32, "StatW": 64,
             "AdmitLatency": rtl.constants("pipeline_latency_pkg")["AdmitLatencyLeastDrops"] + 1,
             "PfcLatency": 4, "ThresholdLag": 3, "AxisW": 64, "FcsInStream": 0, "WredProfiles": 2,
             "WredDrops": 1, "Drops": 1, "MarkLatency": 4},
}
# Legal and unusual: weir_mmu with all that it is made of, in the two tools that need no more than
# seconds for it, Verilator's lint and slang.
LATENCY = rtl.constants("pipeline_latency_pkg")
EXTREME = {
    "six ports, five domains, longest latencies, narrowest fields": {
        "Ports": 6, "Domains": 5, "Profiles": 1, "QueueProfiles": 1, "CellW": 8, "LenW": 1, "ByteW": 1,
        "StatW": 64, "AdmitLatency": LATENCY["AdmitLatencyGreatest"],
        "PfcLatency": LATENCY["PfcLatencyGreatest"], "WredProfiles": 1, "WredDrops": 1,
        "MarkLatency": LATENCY["MarkLatencyGreatest"]},
    "seven ports, most profiles, widest fields, no PFC latency": {
        "Ports": 7, "Profiles": 255, "QueueProfiles": 255, "CellW": 24, "LenW": 24, "ByteW": 32,
        "StatW": 64, "PfcLatency": LATENCY["PfcLatencyLeast"], "WredProfiles": 255},
    "33 ports, nine lanes, pools, longest threshold lag, no FCS": {
        "Ports": 33, "Lanes": 9, "Pools": 5, "EgressPools": 3, "LenW": 1,
        "ThresholdLag": LATENCY["ThresholdLagGreatest"], "AxisW": 64, "FcsInStream": 0},
}
EXTREME_TOP = "weir_mmu"
# Sets of a module that differ from these: {module: {set: {parameter: value}}}.
OWN_SETS = {"domain_requests": {"wide": {"Wait": 4}}}
# Yosys gets no more than this.
YOSYS_MAX = {"Ports": 3}
OWN_YOSYS_MAX = {"weir_domain": {"Lanes": 2, "Copies": 2},
                  "weir_mmu": {"Ports": 2, "Lanes": 2, "Copies": 2}}


def settings_of(module, name):
    values = dict(SETS[name], **OWN_SETS.get(module.name, {}).get(name, {}))
    return {key: value for key, value in values.items() if key in module.parameters}


def in_yosys(value, base="b"):
    """A value as Yosys reads it; as it writes it without the letter of the base."""
    return str(value) if value >= 0 else f"32'{base}{value & 0xffffffff:032b}"


def yosys_hierarchy(files, top, settings):
    chparam = "".join(f" -chparam {key} {in_yosys(value)}" for key, value in settings.items())
    return ("read_verilog -defer -sv " + " ".join(map(str, files)) +
            f"; hierarchy -check -top {top}{chparam}; ")


def for_yosys(top, settings, has_ports):
    """The settings of a set, made as small as Yosys needs them to finish in time."""
    most = {**(YOSYS_MAX if has_ports else {}), **OWN_YOSYS_MAX.get(top, {})}
    fewer = {key: min(value, settings.get(key, value)) for key, value in most.items()
             if key in settings or key in YOSYS_MAX}
    return {**settings, **fewer}
