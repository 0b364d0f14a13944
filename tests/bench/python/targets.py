# SPDX-License-Identifier: LGPL-2.1-or-later
"""targets.py: the targets of a run, line by line: workload, measured ratio, target, met or not.

A Line computes a ratio from the series of one store. A ratio of rates is the inverse ratio of times: "≥ 0.6× raw" is raw's time over
kvsql's. A line without its variants is marked so, and counts neither as met nor as missed.
"""

import dataclasses
import typing

import figures


@dataclasses.dataclass
class Line:
    store: str
    workload: str
    target: str       # in words
    bound: float
    at_most: bool
    measure: typing.Callable  # get(workload, variant) → a figures.summary or None
    unit: str = "×"
    by_cpu: typing.Callable = lambda get: None  # the same, of the processor time of clients and servers

    def judge(self, get):
        measured = self.measure(get)
        is_met = None
        if measured:
            is_met = measured["median"] <= self.bound if self.at_most else measured["median"] >= self.bound
        return {"store": self.store, "workload": self.workload, "target": self.target, "bound": self.bound, "at_most": self.at_most,
                "unit": self.unit, "measured": measured, "by_cpu": self.by_cpu(get), "met": is_met}


def at_most(store, workload, other, bound, over, *under, key="us", title=None):
    """The ratio of kvsql's time to the sum of others: @over and @under are variants of the workload."""
    def measure(get):
        return figures.ratio(get(title or workload, over), *(get(title or workload, label) for label in under), key=key)

    def by_cpu(get):
        return figures.cpu_ratio(get(title or workload, over), *(get(title or workload, label) for label in under))
    return Line(store, workload, f"≤ {bound:g}× {other}", bound, True, measure, by_cpu=by_cpu)


def at_least(store, workload, other, bound, over, under, title=None):
    """The ratio of kvsql's rate to that of another variant."""
    def measure(get):
        return figures.ratio(get(title or workload, under), get(title or workload, over))

    def by_cpu(get):
        return figures.cpu_ratio(get(title or workload, under), get(title or workload, over))
    return Line(store, workload, f"≥ {bound:g}× {other}", bound, False, measure, by_cpu=by_cpu)


def cpu_at_most(store, workload, other, bound, title, under="raw"):
    def measure(get):
        return figures.server_ratio(get(title, "kvsqld"), "kvsqld", get(title, under))
    return Line(store, workload, f"≤ {bound:g}× {other}", bound, True, measure)


def rocksdb(store="RocksDB"):
    point, sixteen, single = "point select", "point selects, 16 connections", "single-row insert"
    scan, group, keep = "scan of all rows", "aggregated in the daemon", "filter that keeps 1 %"
    bulk, synced = "bulk insert, batches of 1,000", "single-row insert, to the disk"
    return [
        at_most(store, point, "(empty RPC + raw get), p50", 1.8, "kvsqld", "empty RPC", "raw", key="p50"),
        at_most(store, point, "PostgreSQL, p50", 0.45, "kvsqld", "postgresql", key="p50"),
        at_least(store, sixteen, "empty RPCs", 0.6, "kvsqld", "empty RPC"),
        at_least(store, sixteen, "PostgreSQL", 2.5, "kvsqld", "postgresql"),
        at_least(store, "IN list of 100 keys", "raw multi-get", 0.6, "kvsqld", "raw"),
        at_least(store, "range of 1,000 rows", "PostgreSQL", 3, "kvsqld", "postgresql"),
        at_least(store, scan, "raw iterate", 0.65, "kvsqld", "raw"),
        at_least(store, scan, "PostgreSQL, single-row mode", 1.5, "kvsqld", "postgresql"),
        at_least(store, group, "raw iterate, on one thread", 0.8, "kvsqld, one thread", "raw"),
        at_least(store, group, "raw iterate, on two", 1.4, "kvsqld", "raw"),
        at_least(store, keep, "raw iterate, on one thread", 0.75, "kvsqld, one thread", "raw"),
        at_least(store, keep, "raw iterate, on two", 1.3, "kvsqld", "raw"),
        at_least(store, bulk, "raw write batch", 0.6, "kvsqld", "raw"),
        at_least(store, bulk, "PostgreSQL, one INSERT", 3, "kvsqld", "postgresql"),
        at_least(store, bulk, "PostgreSQL, COPY", 3, "kvsqld", "postgresql, COPY"),
        at_most(store, single, "(empty RPC + raw put), p50", 2, "kvsqld", "empty RPC", "raw", key="p50"),
        at_most(store, synced, "(empty RPC + raw put), p50", 2, "kvsqld", "empty RPC", "raw", key="p50"),
        cpu_at_most(store, "CPU of kvsqld per scanned row", "raw iteration", 2, scan),
        two_schemas(store, bulk),
        at_most(store, "CELLS, scan of five cells", "attr_value", 1.05, "kvsqld, CELLS", "kvsqld", title="scan of all rows, five cells"),
    ]


def two_schemas(store, bulk):
    return at_most(store, "two schemas, to write", "one schema", 2.2, "kvsqld, two schemas", "kvsqld", title=bulk)


def hbase(store="HBase"):
    point, sixteen, single = "point select", "point selects, 16 connections", "single-row insert"
    scan, group, keep, bulk = "scan of all rows", "aggregated in the daemon", "filter that keeps 1 %", "bulk insert, batches of 1,000"
    return [
        at_most(store, point, "raw get, p50", 1.15, "kvsqld", "raw", key="p50"),
        at_least(store, sixteen, "raw, equal connections", 0.9, "kvsqld", "raw"),
        at_least(store, "IN list of 100 keys", "raw getMultiple", 0.9, "kvsqld", "raw"),
        at_least(store, "range of 1,000 rows", "raw scan with limit and caching", 0.9, "kvsqld", "raw"),
        at_least(store, scan, "raw, one connection", 1, "kvsqld", "raw"),
        at_least(store, scan, "raw, several connections, compact", 0.9, "kvsqld", "raw, 4 connections"),
        at_least(store, group, "raw scan, one connection", 1, "kvsqld", "raw"),
        at_least(store, group, "raw scan, several connections, compact", 0.9, "kvsqld", "raw, 4 connections"),
        at_least(store, group, "raw scan of keys only (count)", 0.9, "kvsqld, count", "raw, keys only"),
        at_least(store, keep, "raw scan with a server-side filter", 0.8, "kvsqld", "raw"),
        at_least(store, bulk, "raw putMultiple, 1 connection", 0.9, "kvsqld", "raw"),
        at_least(store, bulk, "raw putMultiple, 4 connections", 0.9, "kvsqld, 4 connections", "raw, 4 connections"),
        at_most(store, single, "raw put, p50", 1.15, "kvsqld", "raw", key="p50"),
        cpu_at_most(store, "CPU of kvsqld per scanned row", "the raw C client's", 2.5, scan),
        two_schemas(store, bulk),
    ]


def phoenix(memory, store="Phoenix"):
    """@memory: name → peak, MiB."""
    point, scan, bulk, day = "point select", "scan of all rows", "bulk insert, batches of 1,000", "query by DAY, second schema"
    return [
        at_most(store, point, "Phoenix, p50", 0.6, "kvsqld", "phoenix", key="p50"),
        at_most(store, point, "its query server, p50", 0.3, "kvsqld", "query server", key="p50"),
        at_least(store, scan, "Phoenix", 1.8, "kvsqld", "phoenix"),
        at_least(store, scan, "its query server", 4, "kvsqld", "query server"),
        at_least(store, bulk, "Phoenix", 5, "kvsqld", "phoenix"),
        at_least(store, bulk + ", two schemas", "Phoenix, covered index", 6, "kvsqld, two schemas", "phoenix, covered index",
                 title=bulk),
        at_most(store, day, "Phoenix through its index", 0.5, "kvsqld", "phoenix"),
        at_most(store, "client start to first row", "Phoenix", 0.02, "kvsqld", "phoenix"),
        Line(store, "memory of the daemon", "≤ 0.2× its query server's", 0.2, True,
             lambda get: figures.of_two(memory.get("kvsqld (Phoenix)"), memory.get("query server"))),
    ]


def words(measured, unit):
    if not measured:
        return "–"

    def short(value):
        return f"{value:.3g}" if value < 100 else f"{value:.0f}"
    spread = "" if measured["rounds"] == 1 else f" ({short(measured['low'])}–{short(measured['high'])})"
    return f"{short(measured['median'])}{unit}{spread}"


def show(lines, write=print):
    """Prints the table of targets."""
    verdicts = {True: "met", False: "NOT MET", None: "not measured"}
    rows = [("", "workload", "measured (middle half)", "in CPU", "target", "")]
    rows += [(line["store"], line["workload"], words(line["measured"], line["unit"]),
              words(line["by_cpu"], line["unit"]).split(" ")[0] if line["by_cpu"] else "", line["target"], verdicts[line["met"]])
             for line in lines]
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    for row in rows:
        write("  ".join(text.ljust(width) for text, width in zip(row, widths)) + "  " + row[5])
    n_met = sum(line["met"] is True for line in lines)
    n_measured = sum(line["met"] is not None for line in lines)
    write(f"{n_met} of {n_measured} measured targets met, {len(lines) - n_measured} not measured")
