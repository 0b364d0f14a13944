# SPDX-License-Identifier: LGPL-2.1-or-later
"""figures.py: statistics of measured times: medians, spread, ratios, and regressions since a saved run.

A series is the list of one variant's results, one for each round: {"us": wall time of a unit, "p50", "p99": of a call, "cpu": of the
program that asks, "servers": {name: processor time of a unit}}, all in microseconds. Each round runs every variant
of a workload once, so the n-th results of two series were measured next to each other. Ratios are computed within a round.
"""

import statistics

WORTH_SAYING = 1.05  # a smaller change is not reported, however small the spread


def quartile(values, share):
    """The usual definition: linear interpolation between neighbours."""
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def summary(values):
    values = list(values)
    return {"median": statistics.median(values), "low": quartile(values, 0.25), "high": quartile(values, 0.75),
            "least": min(values), "most": max(values), "rounds": len(values)}


def per_unit(result, units):
    """Converts one result of a program and its servers from nanoseconds to microseconds of a unit."""
    return {"us": result["wall"] / 1000 / units, "p50": result["p50"] / 1000, "p99": result["p99"] / 1000,
            "cpu": result["cpu"] / 1000 / units,
            "servers": {name: cpu / 1000 / units for name, cpu in result.get("servers", {}).items()}}


def figure(series):
    """The summaries of a series."""
    names = {name: None for sample in series for name in sample["servers"]}
    whole = {key: summary(sample[key] for sample in series) for key in ("us", "p50", "p99", "cpu")}
    whole["servers"] = {name: summary(sample["servers"].get(name, 0) for sample in series) for name in names}
    return whole


def ratio(over, *under, key="us"):
    """The ratio of @over to the sum of @under, within each round; None if a variant is missing."""
    if not over or not all(under):
        return None
    rounds = zip(over, *under)
    values = [sample[0][key] / total for sample in rounds if (total := sum(part[key] for part in sample[1:])) > 0]
    return summary(values) if values else None


def all_cpu(sample):
    return sample["cpu"] + sum(sample["servers"].values())


def cpu_ratio(over, *under):
    """As ratio(), of the processor time of client and servers, which a busy machine affects least."""
    if not over or not all(under):
        return None
    rounds = zip(over, *under)
    values = [all_cpu(sample[0]) / total for sample in rounds if (total := sum(all_cpu(part) for part in sample[1:])) > 0]
    return summary(values) if values else None


def server_ratio(over, server, under, under_server=None):
    """The ratio of a server's processor time of a unit to that of another variant's program, or of its server."""
    if not over or not under:
        return None

    def spent(sample):
        return sample["servers"].get(under_server, 0) if under_server else sample["cpu"]
    values = [a["servers"].get(server, 0) / spent(b) for a, b in zip(over, under) if spent(b) > 0]
    return summary(values) if values else None


def of_two(over, under):
    """The ratio of two figures that were measured once."""
    return summary([over / under]) if over and under else None


def is_beyond_spread(old, new, more_is_worse=True):
    """Whether the new figure is worse: the middle halves do not overlap, and the medians differ by more than WORTH_SAYING."""
    if not more_is_worse:
        return new["high"] < old["low"] and new["median"] * WORTH_SAYING < old["median"]
    return new["low"] > old["high"] and new["median"] > old["median"] * WORTH_SAYING


def got_worse(old, new):
    """Compares two saved runs: (what, old, new) for every time and every target's ratio that is worse beyond the spread."""
    worse = []
    if old["meta"]["rows"] != new["meta"]["rows"]:
        raise ValueError(f"the saved run has {old['meta']['rows']} rows, this one {new['meta']['rows']}")
    for name, now in new["figures"].items():
        before = old["figures"].get(name)
        for key in ("us", "p99") if before else ():
            if is_beyond_spread(before[key], now[key]):
                worse.append((f"{name}, {'time' if key == 'us' else key}, µs", before[key]["median"], now[key]["median"]))
    saved = {(line["store"], line["workload"], line["target"]): line for line in old["lines"]}
    for now in new["lines"]:
        before = saved.get((now["store"], now["workload"], now["target"]))
        if not before or not before["measured"] or not now["measured"]:
            continue
        if is_beyond_spread(before["measured"], now["measured"], more_is_worse=now["at_most"]):
            worse.append((f"{now['store']}: {now['workload']}: {now['target']}", before["measured"]["median"],
                          now["measured"]["median"]))
    return worse
