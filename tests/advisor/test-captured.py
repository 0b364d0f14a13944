#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl workload capture: what a daemon has executed becomes a workload that kvsqlctl advise takes."""

import json
import pathlib
import re
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position

DEFINITIONS = """
DEFINE RELATION orders { id BIGINT KEY, customer STRING, state STRING, rate INT, note STRING };
DEFINE PRIMARY SCHEMA orders_id FOR orders
  { TABLE 'orders', ROW ordered{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE attr_value[id] };
DEFINE RELATION parts { maker STRING KEY, number INT KEY, weight DOUBLE };
DEFINE PRIMARY SCHEMA parts_key FOR parts { TABLE 'parts', ROW ordered{maker}:ordered{number}, FAMILY 'f', VALUE weight };
CREATE VIEW heavy AS SELECT * FROM parts WHERE weight > 10;
"""
N_ORDERS = 2000


def kvsqlctl(daemon, *arguments, text="", status=0):
    """What kvsqlctl prints."""
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments, f"--connect=kvsql+unix://{daemon.socket_path}"], input=text.encode(),
                          timeout=200, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == status, (done.returncode, done.stderr.decode())
    return done.stdout.decode() if status == 0 else done.stderr.decode()


def advise(daemon, workload):
    """The advice as JSON."""
    return json.loads(kvsqlctl(daemon, "advise", "--offline", "--workload", "-", "--format=json", text=workload))


def start(is_measured=False):
    """A daemon with tuples, and without statistics of statements."""
    folder = support.temporary_folder("captured")
    if is_measured:
        support.write_costs(folder, "memory")
    daemon = support.Daemon(folder=folder)
    kvsqlctl(daemon, "exec", text=DEFINITIONS)
    with Client(daemon.socket_path) as client:
        rows = ", ".join(f"({i}, 'customer {i % 100:04}', '{'new' if i // 100 % 4 == 0 else 'done'}', {i % 7}, '{'n' * 40}')" for i in range(N_ORDERS))
        client.query(f"INSERT INTO orders VALUES {rows}")
        client.query("INSERT INTO parts VALUES " + ", ".join(f"('m{i % 5}', {i}, {i}.5)" for i in range(100)))
        client.query("RESET STATEMENT STATISTICS")
    return daemon


def run(client, rounds):
    """Reads by customer, writes, and what cannot be advised on."""
    for i in range(rounds):
        client.query(f"SELECT id, note FROM orders WHERE customer = 'customer {i:04}' AND state = 'new' ORDER BY id LIMIT 3")
        client.query(f"SELECT id FROM orders WHERE state = 'new' ORDER BY rate LIMIT {i + 1}")
        client.query(f"INSERT INTO orders VALUES ({10_000 + 2 * i}, 'x', 'new', 1, 'a'), ({10_001 + 2 * i}, 'y', 'new', 2, 'b')")
        client.query(f"UPDATE orders SET state = 'done' WHERE id = {10_000 + 2 * i}")
        client.query(f"DELETE FROM orders WHERE id = {10_001 + 2 * i}")
        client.query("SELECT o.id FROM orders o JOIN parts p ON o.rate = p.number WHERE o.id = 7")
        client.query("SELECT number FROM heavy WHERE maker = 'm1'")
        client.query("SELECT 1 + 1")


def test_captured():
    """The whole way: statements, workload, advice."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        run(client, 10)
    file = daemon.folder / "captured.workload"
    kvsqlctl(daemon, "workload", "capture", "--output", str(file))
    text = file.read_text()
    for line in ("SELECT id, note FROM orders WHERE customer = $1 AND state = $2 ORDER BY id LIMIT 3 WEIGHT 10;",
                 "SELECT id FROM orders WHERE state = $1 ORDER BY rate LIMIT 6 WEIGHT 10;",
                 "INSERT INTO orders VALUES ($1, $2, $3, $4, $5) WEIGHT 20;", "UPDATE orders SET state = $1 WHERE id = $2 WEIGHT 10;",
                 "DELETE FROM orders WHERE id = $1 WEIGHT 10;", "SELECT o.id FROM orders AS o JOIN parts AS p ON o.rate = p.number WHERE o.id = $1 WEIGHT 10;",
                 "-- left out (it reads a view, 10 calls):", "-- left out (the advisor does not take a SELECT without FROM yet, 10 calls):",
                 "--   SELECT $1 + $2"):
        assert line in text.splitlines(), (line, text)
    stats = re.search(r"STATS orders \{ ROWS (\d+), .*`customer` DISTINCT (\d+) BYTES (\d+)", text)
    assert stats and int(stats[1]) == N_ORDERS + 10, text
    assert 95 <= int(stats[2]) <= 105, text # ANALYZE takes a sample
    assert int(stats[3]) in (12, 13), text # bytes
    assert "heavy" not in text.split("\n-- left out")[0], text # no statement that is advised on names it
    advice = advise(daemon, text)
    support.equal(len(advice["statements"]), 6)
    rows = [schema["row"] for schema in advice["schemas"] if 1 in schema["statements"] or 2 in schema["statements"]]
    assert any(row[0] == "customer" for row in rows), rows

    # a second capture does not have the statements of the first one
    again = kvsqlctl(daemon, "workload", "capture")
    assert "count(" not in again and "kvsqlctl_capture" not in again, again
    support.equal(len(advise(daemon, again)["statements"]), 6)


def test_costs():
    """The costs that the daemon has measured are in the file, and then an SLO has a meaning."""
    daemon = start(is_measured=True)
    with Client(daemon.socket_path) as client:
        client.query("SELECT id FROM orders WHERE customer = 'x'")
    text = kvsqlctl(daemon, "workload", "capture")
    line = next(line for line in text.splitlines() if line.startswith("COSTS"))
    support.equal({word.split("=")[0]: float(word.split("=")[1]) for word in line.split("'")[1].split()},
                  {word.split("=")[0]: float(word.split("=")[1]) for word in support.COSTS.split()})
    for slo, misses in (("1h", False), ("0.001us", True)):
        statement, = advise(daemon, text.replace(" WEIGHT 1;", f" SLO {slo} WEIGHT 1;"))["statements"]
        support.equal(statement["misses_slo"], misses)
        assert abs(statement["cost_ms"] / (statement["cost"] * 0.15 / 1000) - 1) < 1e-6, statement
    without = re.sub("COSTS .*", "", text).replace(" WEIGHT 1;", " SLO 1h WEIGHT 1;")
    message = kvsqlctl(daemon, "advise", "--offline", "--workload", "-", text=without, status=1)
    assert "the costs of the store are not known as times, so SLO has no meaning" in message, message


def test_period():
    """--for counts only what is executed in that time, as rates."""
    daemon = start()
    ended = threading.Event()

    def work():
        with Client(daemon.socket_path) as client:
            while not ended.is_set():
                client.query("SELECT weight FROM parts WHERE maker = 'm1' AND number = 6")

    with Client(daemon.socket_path) as client:
        run(client, 2)
    thread = threading.Thread(target=work)
    thread.start()
    text = kvsqlctl(daemon, "workload", "capture", "--for", "500ms", "--name", "busy")
    ended.set()
    thread.join()
    assert text.startswith("WORKLOAD busy;"), text
    rate = re.search(r"^SELECT weight FROM parts WHERE maker = \$1 AND number = \$2 RATE ([\d.]+)/s;$", text, re.M)
    assert rate and float(rate[1]) > 1, text
    assert "orders" not in text, text
    support.equal(len(advise(daemon, text)["statements"]), 1)


def test_nothing():
    """Without statements there is a warning, and with wrong arguments an error."""
    daemon = start()
    text = kvsqlctl(daemon, "workload", "capture")
    support.equal(text.strip(), "WORKLOAD captured;")
    assert "missing verb" in kvsqlctl(daemon, "workload", status=2)
    assert "exclude each other" in kvsqlctl(daemon, "workload", "capture", "--for=1s", "--since-reset", status=2)
    assert "is not a time" in kvsqlctl(daemon, "workload", "capture", "--for=soon", status=2)


CONDITIONS = ["customer LIKE $1", "customer = $1 AND upper(note) = $2", "customer = $1 AND rate % $2 = $3", "customer = $1 AND rate + $2 > $3",
              "customer = $1 AND rate * 1.5 > $2", "customer = $1 AND note ILIKE $2", "customer = $1 AND note = lower($2)"]


def test_values():
    """A parameter of which no attribute says anything makes no condition false: each statement gets a schema by customer."""
    daemon = start()
    for condition in CONDITIONS:
        workload = (DEFINITIONS.split(";")[0] + "; STATS orders { ROWS 100000, customer DISTINCT 5000, note DISTINCT 1000 };"
                    f"SELECT id FROM orders WHERE {condition}; SELECT * FROM orders WHERE id = $1;")
        advice = advise(daemon, workload)
        assert advice["statements"][0]["cost"] > 10, (condition, advice)
        read = [schema["row"][0] for schema in advice["schemas"] if 1 in schema["statements"]]
        assert "customer" in read, (condition, advice)


sys.exit(support.run([("/advisor/captured/values", test_values), ("/advisor/captured/captured", test_captured), ("/advisor/captured/costs", test_costs),
                      ("/advisor/captured/period", test_period), ("/advisor/captured/nothing", test_nothing)]))
