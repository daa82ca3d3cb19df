#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what a priority group holds against its threshold, under two policies.

  scripts/weir-python systemc/examples/occupancy_against_threshold.py PICTURE.png
"""
import sys

import matplotlib
import weir

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend is chosen first

SCENARIO = "vectors/scenarios/burst_star20_dsh_tomahawk.toml"
BURST, BACKGROUND = "tor.port[0].pg[0]", "tor.port[17].pg[0]"


def draw(axes, policy):
    scenario = weir.load(SCENARIO, {"switch.tor.profile.lossless.policy": policy})
    series = scenario.run(series=[BURST, BACKGROUND], every="200 ns")["series"]
    kilobytes = scenario.cell_bytes("tor") / 1000
    for name, label, colour in ((BACKGROUND, "background", "tab:gray"), (BURST, "burst", "tab:blue")):
        one = series[name]
        axes.plot(one["time_ps"] / 1e6, one["shared"] * kilobytes, color=colour, label=label)
    one = series[BURST]
    axes.plot(one["time_ps"] / 1e6, one["threshold"] * kilobytes, color="tab:red", ls="--",
              label="threshold")
    axes.fill_between(one["time_ps"] / 1e6, 0, one["threshold"].max() * kilobytes,
                      where=one["xoff"], color="tab:red", alpha=0.1, label="burst paused")
    axes.set_title(policy)
    axes.set_xlabel("us")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)


def main():
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4))
    for axes, policy in zip(panels, ("dynamic", "dsh")):
        draw(axes, policy)
    panels[0].set_ylabel("shared cells of one group, kB")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower center", ncol=4)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(sys.argv[1], dpi=72)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
