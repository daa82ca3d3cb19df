# SPDX-License-Identifier: Apache-2.0
# A notebook of cells (`# %%`), for editors that show them, or to run as a script:
#   scripts/weir-python systemc/examples/alpha_notebook.py
# %% [markdown]
# # How much buffer may a priority group take?
# Headroom first: what a port at 40 Gbps needs at 100 m, and whether the chip gives it.

# %%
import tempfile

import weir

methods = weir.headroom(rate="40G", cable="100m", mtu=1500, cell=208)["methods"]
print({name: method["cells"] for name, method in methods.items()})
findings = weir.lint("vectors/chips/dsh_trident2.toml", cable="100m")["findings"]
print([finding["code"] for finding in findings])

# %% [markdown]
# One run: the group pauses its peer once it holds more than its threshold.

# %%
scenario = weir.load("vectors/scenarios/incast_star4_dt_late_xoff.toml")
switch = scenario.switches[0]
result = scenario.run(series=f"{switch}.port[2].pg[3]", every="100 ns")
group = result["series"][f"{switch}.port[2].pg[3]"]
room = group["threshold"] - group["shared"]  # signed: below 0 the group is above its threshold
print("least room in cells:", room.min(), "pauses:", result["summary"]["totals"]["pauses_sent"])

# %% [markdown]
# The same run with its events: when the first PAUSE of each port was sent.

# %%
with tempfile.TemporaryDirectory() as folder:
    weir.run("vectors/scenarios/incast_star4_dt_late_xoff.toml", out=f"{folder}/run", events="pfc")
    frames = weir.events(f"{folder}/run", "pfc_frames")
sent = (frames["direction"] == "sent") & (frames["quanta"] > 0)
print("PAUSE frames:", sent.sum(), "the first at ps:", frames["time_ps"][sent].min())

# %% [markdown]
# And a sweep of alpha: pauses of each run.

# %%
runs = weir.sweep("vectors/sweeps/alpha_star16_dt_trident2.toml", jobs=2)
for alpha, pauses in zip(runs["alpha"], runs["pauses_sent"]):
    print(alpha, pauses)
