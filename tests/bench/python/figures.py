# SPDX-License-Identifier: LGPL-2.1-or-later
"""figures.py: what is made of measured times: medians, spread, ratios, and what got worse since a saved run.

A series is the list of one party's results, one for each turn: {"us": wall time of a unit, "p50", "p99": of a call, "cpu": of the
program that asks, "servers": {name: processor time of a unit}}, all in microseconds. Parties of one work took turns, so that the
n-th results of two series were taken side by side: ratios are made within a turn.
"""

import statistics

WORTH_SAYING = 1.05  # a change below this is nobody's business, however small the spread


def quartile(values, share):
    """Linear between neighbours, as most do it."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def summary(values):
    values = list(values)
    return {"median": statistics.median(values), "low": quartile(values, 0.25), "high": quartile(values, 0.75),
            "least": min(values), "most": max(values), "turns": len(values)}


def per_unit(result, units):
    """One answer of a program, with its servers' nanoseconds, as microseconds of a unit."""
    return {"us": result["wall"] / 1000 / units, "p50": result["p50"] / 1000, "p99": result["p99"] / 1000,
            "cpu": result["cpu"] / 1000 / units,
            "servers": {name: cpu / 1000 / units for name, cpu in result.get("servers", {}).items()}}


def figure(series):
    """The summaries of a series."""
    names = {name: None for turn in series for name in turn["servers"]}
    whole = {key: summary(turn[key] for turn in series) for key in ("us", "p50", "p99", "cpu")}
    whole["servers"] = {name: summary(turn["servers"].get(name, 0) for turn in series) for name in names}
    return whole


def ratio(over, *under, key="us"):
    """@over to the sum of @under, within each turn; None if somebody did not take part."""
    if not over or not all(under):
        return None
    turns = zip(over, *under)
    values = [turn[0][key] / total for turn in turns if (total := sum(part[key] for part in turn[1:])) > 0]
    return summary(values) if values else None


def all_cpu(turn):
    return turn["cpu"] + sum(turn["servers"].values())


def cpu_ratio(over, *under):
    """As ratio(), of the processor time of client and servers: what a busy machine changes least."""
    if not over or not all(under):
        return None
    turns = zip(over, *under)
    values = [all_cpu(turn[0]) / total for turn in turns if (total := sum(all_cpu(part) for part in turn[1:])) > 0]
    return summary(values) if values else None


def server_ratio(over, server, under, under_server=None):
    """Processor time of a unit: a server's to that of another party's program, or of its server."""
    if not over or not under:
        return None

    def spent(turn):
        return turn["servers"].get(under_server, 0) if under_server else turn["cpu"]
    values = [a["servers"].get(server, 0) / spent(b) for a, b in zip(over, under) if spent(b) > 0]
    return summary(values) if values else None


def of_two(over, under):
    """A ratio of two figures that were taken once."""
    return summary([over / under]) if over and under else None


def is_beyond_spread(old, new, more_is_worse=True):
    """Whether the middle halves of the two lie apart, the new one on the worse side, and by more than a little."""
    if not more_is_worse:
        return new["high"] < old["low"] and new["median"] * WORTH_SAYING < old["median"]
    return new["low"] > old["high"] and new["median"] > old["median"] * WORTH_SAYING


def got_worse(old, new):
    """Of two saved runs: (what, old, new) for every time and every target's ratio that got worse beyond the spread."""
    worse = []
    if old["meta"]["rows"] != new["meta"]["rows"]:
        raise ValueError(f"the saved run has {old['meta']['rows']} rows, this one {new['meta']['rows']}")
    for name, now in new["figures"].items():
        before = old["figures"].get(name)
        for key in ("us", "p99") if before else ():
            if is_beyond_spread(before[key], now[key]):
                worse.append((f"{name}, {'time' if key == 'us' else key}, µs", before[key]["median"], now[key]["median"]))
    saved = {(line["store"], line["work"], line["target"]): line for line in old["lines"]}
    for now in new["lines"]:
        before = saved.get((now["store"], now["work"], now["target"]))
        if not before or not before["measured"] or not now["measured"]:
            continue
        if is_beyond_spread(before["measured"], now["measured"], more_is_worse=now["at_most"]):
            worse.append((f"{now['store']}: {now['work']}: {now['target']}", before["measured"]["median"],
                          now["measured"]["median"]))
    return worse
