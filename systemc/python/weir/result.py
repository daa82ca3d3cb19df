# SPDX-License-Identifier: Apache-2.0
"""What comes out of a run."""

_UNITS = (("s", 10**12), ("ms", 10**9), ("us", 10**6), ("ns", 10**3), ("ps", 1))


def _time(picoseconds):
    """"1.5 us" of 1500000: exact."""
    unit, scale = next(row for row in _UNITS if row[1] <= picoseconds or row[1] == 1)
    whole, rest = divmod(picoseconds, scale)
    digits = f"{rest:0{len(str(scale)) - 1}d}".rstrip("0") if rest else ""
    return f"{whole}{'.' if digits else ''}{digits} {unit}"


def _count(number, what, several=None):
    return f"{number:,} {what if number == 1 else several or what + 's'}"


def text_of_scenario(scenario):
    return (f"<weir.Scenario {scenario.name}: {_count(len(scenario.switches), 'switch', 'switches')}, "
            f"{_count(len(scenario.hosts), 'host')}, {_time(scenario.until_ps)}, seed {scenario.seed}>")


class Series(dict):
    """The arrays of one name, of equal length: series["time_ps"], series["shared"] ...

    time_ps: int64, picoseconds; time_s: the same as float64, seconds. Priority groups and pools:
    private, shared, headroom, threshold (cells), xoff. Wires: busy_ps, load_ppm. Classes of wires:
    paused_ps, paused. Queues and rates: docs/guide/python.md.
    """

    def __repr__(self):
        time = self.get("time_ps", ())
        span = f" from {_time(int(time[0]))} to {_time(int(time[-1]))}" if len(time) else ""
        return f"<weir.Series of {_count(len(time), 'entry', 'entries')}{span}: {', '.join(self)}>"


class Result(dict):
    """What a run came to: result["summary"] is summary.json as a dict, result["series"] {name: Series}."""

    def __repr__(self):
        summary, series = self.get("summary", {}), self.get("series", {})
        totals = summary.get("totals", {})
        return (f"<weir.Result of {summary.get('scenario')}: {_time(summary.get('time_ps', 0))}, "
                f"{_count(totals.get('delivered_packets', 0), 'packet')} delivered, {totals.get('drops', 0):,} dropped, "
                f"{_count(totals.get('pauses_sent', 0), 'pause')} sent; series: "
                f"{', '.join(series) if series else 'none'}>")
