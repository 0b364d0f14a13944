#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""After the advised schemas are defined, EXPLAIN has the plans and costs that were advised.

The relations have no STATS, so that advisor and daemon assume the same of their sizes. The daemon has RocksDB, of whose
requests the advisor has the costs.
"""

import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

RELATIONS = """
DEFINE RELATION orders { id BIGINT KEY, customer STRING, state STRING, due DATE, amount DOUBLE, note STRING };
DEFINE RELATION parts { maker STRING KEY, number INT KEY, name STRING, weight DOUBLE };
"""
STATEMENTS = """
SELECT * FROM orders WHERE id = 7 WEIGHT 3;
SELECT id, due FROM orders WHERE customer = 'x' AND state = 'new' ORDER BY due LIMIT 10 WEIGHT 5;
SELECT id, amount FROM orders WHERE due BETWEEN DATE '2024-01-01' AND DATE '2024-02-01';
SELECT count(*) FROM orders WHERE state IN ('new', 'old');
SELECT note FROM orders WHERE amount > 3 OR amount < -3 WEIGHT 0.01;
UPDATE orders SET state = 'sent' WHERE id = 8 WEIGHT 2;
UPDATE orders SET amount = amount + 1 WHERE customer = 'y' AND due < DATE '2024-03-01';
DELETE FROM orders WHERE due < DATE '2020-01-01';
SELECT * FROM parts WHERE maker = 'm' WEIGHT 2;
SELECT maker, number FROM parts WHERE name LIKE 'bolt%' ORDER BY name;
SELECT number FROM parts WHERE weight = 2.5;
SELECT o.id, p.name FROM orders AS o JOIN parts AS p ON p.maker = o.customer AND p.number = 3 WHERE o.state = 'new' WEIGHT 4;
SELECT p.number, o.* FROM parts p LEFT JOIN orders o ON o.customer = p.name AND o.amount = p.weight WHERE p.maker = 'm' ORDER BY o.due;
SELECT count(*) FROM orders a, orders b, parts WHERE a.note = b.state AND b.customer = maker AND a.id = 5 AND weight > 3;
SELECT * FROM orders NATURAL JOIN (parts CROSS JOIN orders AS x) WHERE x.amount = 2 WEIGHT 0.001;
"""


def kvsqlctl(*arguments, text=""):
    """What kvsqlctl prints."""
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments], input=text.encode(), timeout=100, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def advise(costs, *options):
    """The advice as JSON."""
    command = ["advise", "--offline", "--workload", "-", "--format=json", *options]
    return json.loads(kvsqlctl(*command, text=RELATIONS + costs + STATEMENTS))


def without_weight(statement):
    """The statement alone."""
    return statement.split(" WEIGHT ")[0]


def check(*options, is_measured=False):
    """Defines what is advised, and compares each plan."""
    folder = support.temporary_folder("applied")
    if is_measured:
        support.write_costs(folder, "rocksdb")
    daemon = support.Daemon(folder=folder, store=f"rocksdb:{folder}/store")
    connect = f"--connect=kvsql+unix://{daemon.socket_path}"
    advice = advise(f"COSTS '{support.COSTS}';\n" if is_measured else "", *options)
    kvsqlctl("exec", connect, text=RELATIONS + "".join(f"{schema['definition']};\n" for schema in advice["schemas"]))
    statements = [text.strip() for text in STATEMENTS.split(";") if text.strip()]
    assert len(statements) == len(advice["statements"])
    for text, advised in zip(statements, advice["statements"]):
        shown = kvsqlctl("exec", connect, "--format=json", text=f"EXPLAIN (FORMAT JSON) {without_weight(text)};")
        plan = json.loads(json.loads(shown)[0]["plan"])
        chosen = [path for path in plan["candidates"] if path["chosen"]]
        assert len(chosen) == 1, shown
        support.equal((text, plan.get("join", chosen[0])["cost"]), (text, advised["read_cost"]))
        words = advised["plan"].replace(",", " ").split()
        assert chosen[0]["schema"] in (words if "join" in plan else words[1:2]), (text, advised, shown)
    daemon.stop()
    return advice


def test_advised():
    """Without limits there are more schemas than the primaries."""
    assert len(check()["schemas"]) > 2


def test_measured():
    """With the costs that the daemon has measured, which count bytes, too."""
    assert len(check(is_measured=True)["schemas"]) > 2


def test_limited():
    """With the primaries alone, and with one more. Whether there are better ones does not matter. A busy machine needs longer."""
    assert len(check("--max-schemas=1")["schemas"]) == 2
    assert any(len(check("--max-schemas=2", f"--time-limit={seconds}")["schemas"]) > 2 for seconds in (2, 20, 200))


sys.exit(support.run([("/advisor/applied/advised", test_advised), ("/advisor/applied/measured", test_measured),
                      ("/advisor/applied/limited", test_limited)]))
