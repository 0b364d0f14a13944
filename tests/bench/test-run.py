#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The statistics of tests/bench/run, and a small run. The tests check no times."""

import json
import pathlib
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "python"))
sys.path.insert(0, str(HERE.parent / "live" / "python"))
import figures  # noqa: E402 pylint: disable=wrong-import-position
import plots  # noqa: E402 pylint: disable=wrong-import-position
import progress  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import targets  # noqa: E402 pylint: disable=wrong-import-position


def series(*times, cpu=1.0, server=0.0):
    return [{"us": us, "p50": us / 2, "p99": us * 2, "cpu": cpu, "servers": {"kvsqld": server}} for us in times]


def test_summary():
    support.equal(figures.quartile([4, 1, 3, 2, 5], 0.25), 2)
    support.equal(figures.quartile([1, 2], 0.75), 1.75)
    support.equal(figures.summary([3, 1, 2]),
                  {"median": 2, "low": 1.5, "high": 2.5, "least": 1, "most": 3, "rounds": 3})


def test_per_unit():
    result = {"wall": 8000, "cpu": 4000, "p50": 500, "p99": 900, "servers": {"kvsqld": 2000}}
    support.equal(figures.per_unit(result, 4), {"us": 2, "p50": 0.5, "p99": 0.9, "cpu": 1, "servers": {"kvsqld": 0.5}})


def test_ratio():
    """Ratios are computed within each round: a machine that is slower in one round does not matter."""
    ours, base, rpc = series(2, 20, 4), series(1, 10, 2), series(3, 30, 6)
    support.equal(figures.ratio(ours, base)["median"], 2)
    support.equal(figures.ratio(ours, base)["low"], 2)
    support.equal(figures.ratio(ours, base, rpc)["high"], 0.5)
    support.equal(figures.ratio(ours, None), None)
    support.equal(figures.server_ratio(series(1, 1, server=6), "kvsqld", series(1, 1, cpu=2))["median"], 3)


def lines_of(get):
    return {(line.workload, line.target): line.judge(get) for line in targets.rocksdb()}


def test_targets():
    workload = "scan of all rows"
    known = {(workload, "kvsqld"): series(2, 2, server=1.5), (workload, "raw"): series(1, 1), (workload, "postgresql"): series(4, 4)}
    judged = lines_of(lambda title, label: known.get((title, label)))
    support.equal(judged[workload, "≥ 0.65× raw iterate"]["met"], False)
    support.equal(judged[workload, "≥ 0.65× raw iterate"]["measured"]["median"], 0.5)
    support.equal(judged[workload, "≥ 1.5× PostgreSQL, single-row mode"]["met"], True)
    support.equal(judged["CPU of kvsqld per scanned row", "≤ 2× raw iteration"]["met"], True)
    support.equal(judged["point select", "≤ 0.45× PostgreSQL, p50"]["met"], None)
    shown = []
    targets.show(list(judged.values()), shown.append)
    support.equal(len(shown), len(judged) + 2)
    support.equal(shown[-1], f"2 of 3 measured targets met, {len(judged) - 3} not measured")


def saved(times, ratio):
    line = {"store": "RocksDB", "workload": "w", "target": "≥ 1×", "at_most": False, "measured": figures.summary(ratio)}
    return {"meta": {"rows": 1000}, "figures": {"RocksDB: w: kvsqld": figures.figure(series(*times))}, "lines": [line]}


def test_comparison():
    old = saved([10, 11, 12], [0.9, 0.9, 0.9])
    support.equal(figures.got_worse(old, saved([11, 12, 13], [0.9, 0.9, 0.9])), [])  # within the spread
    support.equal(figures.got_worse(old, saved([5, 5, 5], [2, 2, 2])), [])           # better
    worse = figures.got_worse(old, saved([20, 21, 22], [0.5, 0.5, 0.5]))
    support.equal([what for what, _, _ in worse],
                  ["RocksDB: w: kvsqld, time, µs", "RocksDB: w: kvsqld, p99, µs", "RocksDB: w: ≥ 1×"])
    other = saved([10], [1])
    other["meta"]["rows"] = 2000
    try:
        figures.got_worse(other, old)
    except ValueError:
        return
    raise AssertionError("runs of different sizes were compared")


def test_progress():
    plan = progress.Progress([("a", 10), ("b", 20)])
    support.equal(plan.left(), 30)
    plan.begin("b")
    support.equal(20 < plan.left() <= 30, True)


def command(*options):
    return [sys.executable, str(HERE / "run"), "--build", str(support.TOP_BUILD), "--stores", "rocksdb", "--peers", "none",
            "--quick", "--rows", "1000", "--runs", "1", *options]


def test_small_run():
    path = support.temporary_folder("bench") / "figures.json"
    options = ["--round-seconds", "0.01"]
    done = subprocess.run(command(*options, "--json", str(path)), check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    support.equal((done.returncode, done.stdout) if done.returncode else 0, 0)
    result = json.loads(path.read_text())
    measured = [line for line in result["lines"] if line["measured"]]
    support.equal([line["target"] for line in result["lines"] if not line["measured"] and "raw" in line["target"]
                   and "one thread" not in line["target"]], [])
    support.equal(all(line["measured"]["median"] > 0 for line in measured), True)
    support.equal(result["figures"]["RocksDB: scan of all rows: kvsqld"]["us"]["rounds"], 1)
    support.equal("targets met" in done.stdout, True)


def test_charts():
    """Well-formed, all points inside, and a name that needs escaping."""
    drawn = plots.chart("a < b", "x", "y", {"A": [(1, 10), (1000, 20)], "A, p99": [(1, 100), (1000, 400)]}, True, True)
    root = xml.etree.ElementTree.fromstring(drawn)
    circles = [(float(node.get("cx")), float(node.get("cy"))) for node in root.iter() if node.tag.endswith("circle")]
    support.equal(len(circles), 4)
    support.equal(all(0 < x < plots.WIDTH and 0 < y < plots.HEIGHT for x, y in circles), True)
    support.equal("a &lt; b" in drawn, True)


def test_ycsb():
    """Reads and updates of A, scans and inserts of E, in about the proportions of YCSB's files."""
    folder = support.temporary_folder("ycsb")
    done = subprocess.run([sys.executable, str(HERE / "ycsb"), "--build", str(support.TOP_BUILD), "--stores", "rocksdb", "--workloads", "ae",
                           "--records", "1000", "--threads", "2", "--seconds", "1", "--targets", "0.5", "--out", str(folder)],
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    support.equal((done.returncode, done.stdout) if done.returncode else 0, 0)
    runs = json.loads((folder / "figures.json").read_text())
    support.equal([(run["workload"], run["failed"], run["missing"]) for run in runs], [("a", 0, 0)] * 2 + [("e", 0, 0)] * 2)
    a, e = runs[0]["operations"], runs[2]["operations"]
    support.equal(sorted(a) + sorted(e), ["read", "update", "insert", "scan"])
    support.equal(0.25 < a["read"]["n"] / (a["read"]["n"] + a["update"]["n"]) < 0.75, True)
    support.equal(e["scan"]["n"] > e["insert"]["n"], True)
    support.equal(runs[2]["records"], 1000 + e["insert"]["n"])
    support.equal(len(list(folder.glob("latency-rocksdb-*.svg"))), 4)


def children(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_interrupted():
    """An interrupted run ends its processes and removes its folder."""
    folder = support.temporary_folder("bench")
    with subprocess.Popen(command(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**support.os.environ, "TMPDIR": str(folder)}) as run:
        for line in run.stderr:
            if "point select" in line:
                break
        started = children(run.pid)
        support.equal(len(started) > 0, True)
        run.send_signal(signal.SIGTERM)
        told = run.stderr.read()
        support.equal((run.wait(60), told if run.returncode != 130 else ""), (130, ""))
    limit = time.monotonic() + 20
    while any(pathlib.Path(f"/proc/{pid}").exists() for pid in started) and time.monotonic() < limit:
        time.sleep(0.01)
    support.equal([pid for pid in started if pathlib.Path(f"/proc/{pid}").exists()], [])
    support.equal(list(folder.iterdir()), [])


def main():
    if not (support.TOP_BUILD / "kvsqld").exists():
        support.skip_all("kvsqld is not built")
    return support.run([("/bench/run/summary", test_summary), ("/bench/run/per-unit", test_per_unit),
                        ("/bench/run/ratio", test_ratio), ("/bench/run/targets", test_targets),
                        ("/bench/run/comparison", test_comparison), ("/bench/run/progress", test_progress),
                        ("/bench/run/charts", test_charts), ("/bench/run/small", test_small_run),
                        ("/bench/run/interrupted", test_interrupted), ("/bench/ycsb/small", test_ycsb)])


if __name__ == "__main__":
    sys.exit(main())
