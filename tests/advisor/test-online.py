#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl advise --online: advice for what a daemon executes and has, and --apply, while clients read and write.

All values of an attribute are equally frequent, so that what ANALYZE finds says the same as DISTINCT and ROWS, and EXPLAIN
has the costs that were advised.
"""

import json
import pathlib
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position

DEFINITIONS = """
DEFINE RELATION orders { id BIGINT KEY, customer STRING, state STRING, amount INT, note STRING };
DEFINE PRIMARY SCHEMA orders_id FOR orders
  { TABLE 'orders', ROW text(10){id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE attr_value[id] };
DEFINE SCHEMA orders_amount FOR orders { TABLE 'orders_amount', ROW ordered{amount}:ordered{id}, FAMILY 'f' };
"""
N_ORDERS, N_CUSTOMERS, N_STATES = 1000, 50, 4 # ANALYZE looks at the values of 1,000
BY_CUSTOMER = "SELECT id, note FROM orders WHERE customer = 'c{}'"
BY_BOTH = "SELECT id, amount FROM orders WHERE customer = 'c{}' AND state = 's{}'"
BY_KEY = "SELECT * FROM orders WHERE id = {}"


def kvsqlctl(daemon, *arguments, text="", status=0):
    """What kvsqlctl prints: its output, or if it fails, both."""
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments, f"--connect=kvsql+unix://{daemon.socket_path}"], input=text.encode(),
                          timeout=300, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == status, (done.returncode, done.stdout.decode(), done.stderr.decode())
    return done.stdout.decode() if status == 0 else done.stdout.decode() + done.stderr.decode()


def start():
    """A daemon with tuples and statements."""
    folder = support.temporary_folder("online")
    daemon = support.Daemon(folder=folder, store=f"rocksdb:{folder}/store?sync=false")
    kvsqlctl(daemon, "exec", text=DEFINITIONS)
    with Client(daemon.socket_path) as client:
        rows = ", ".join(f"({i}, 'c{i % N_CUSTOMERS}', 's{i // N_CUSTOMERS % N_STATES}', {i % 50}, 'note {i:04}')" for i in range(N_ORDERS))
        client.query(f"INSERT INTO orders VALUES {rows}")
        client.query("RESET STATEMENT STATISTICS")
    return daemon


def run(client):
    """What is to be advised on."""
    for i in range(20):
        client.query(BY_CUSTOMER.format(i))
        client.query(BY_BOTH.format(i, i % N_STATES))
        client.query(BY_KEY.format(i))


def answers(client):
    """Of the statements, sorted."""
    return [sorted(client.rows(sql)) for i in range(5) for sql in (BY_CUSTOMER.format(i), BY_BOTH.format(i, i % N_STATES), BY_KEY.format(i))]


def schemas(client):
    """The names of the schemas, and their states."""
    return {row[0]: row[5] for row in client.rows("SHOW SCHEMAS FOR orders")}


def explain(daemon, sql):
    """The chosen path of a statement."""
    shown = kvsqlctl(daemon, "exec", "--format=json", text=f"EXPLAIN (FORMAT JSON) {sql};")
    chosen = [path for path in json.loads(json.loads(shown)[0]["plan"])["candidates"] if path["chosen"]]
    assert len(chosen) == 1, shown
    return chosen[0]


class Writer(threading.Thread):
    """Reads and writes until it is told to stop: tuples of its own, whose customers no other statement asks for."""

    def __init__(self, daemon, number):
        super().__init__()
        self.path, self.first = daemon.socket_path, 100_000 + number * 10_000
        self.is_over, self.failure, self.n, self.kept = threading.Event(), None, 0, set()

    def run(self):
        try:
            with Client(self.path) as client:
                while not self.is_over.is_set() and self.n < 9_000:
                    key = self.first + self.n
                    client.query(f"INSERT INTO orders VALUES ({key}, 'w', 's1', 3, 'n')")
                    client.query(f"UPDATE orders SET state = 's2', note = 'm' WHERE id = {key}")
                    support.equal(client.rows(f"SELECT state, note FROM orders WHERE id = {key}"), [("s2", "m")])
                    if self.n % 2 == 0:
                        client.query(f"DELETE FROM orders WHERE id = {key}")
                    else:
                        self.kept.add(key)
                    support.equal(sorted(client.rows("SELECT id FROM orders WHERE customer = 'c7'")), [(i,) for i in range(7, N_ORDERS, N_CUSTOMERS)])
                    self.n += 1
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error


def test_advice():
    """What exists is a part of the advice, as text, JSON and definitions; --keep."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        run(client)
    advice = json.loads(kvsqlctl(daemon, "advise", "--online", "--format=json"))
    primaries = [(schema["name"], schema["exists"]) for schema in advice["schemas"] if schema["primary"]]
    support.equal(primaries, [("orders_id", True)])
    support.equal(advice["unused"], ["orders_amount"])
    kept = json.loads(kvsqlctl(daemon, "advise", "--online", "--keep=orders_amount", "--format=json"))
    assert "orders_amount" in [schema["name"] for schema in kept["schemas"]], kept
    support.equal(kept["unused"], [])
    assert "costs more than it saves: DROP SCHEMA orders_amount" in kvsqlctl(daemon, "advise", "--online", "--format=sql")
    assert "with the schemas that exist" in kvsqlctl(daemon, "advise", "--online")
    assert "to be kept does not exist" in kvsqlctl(daemon, "advise", "--online", "--keep=nothing", status=1)
    assert "more schemas must stay" in kvsqlctl(daemon, "advise", "--online", "--keep=orders_amount", "--max-schemas=1", status=1)
    with Client(daemon.socket_path) as client:
        support.equal(schemas(client), {"orders_id": "readable", "orders_amount": "readable"})


def test_applied():
    """--apply while clients read and write: each answer is right, and nothing is read as a whole afterwards."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        run(client)
        before = answers(client)
    writers = [Writer(daemon, number) for number in range(2)]
    for writer in writers:
        writer.start()
    with Client(daemon.socket_path) as client:
        while any(writer.n < 5 and writer.failure is None for writer in writers):
            client.query("SELECT 1")
    shown = kvsqlctl(daemon, "advise", "--online", "--apply")
    assert "is applied" in shown, shown
    reached = [writer.n for writer in writers]
    while any(writer.n <= n and writer.failure is None for writer, n in zip(writers, reached)):
        explain(daemon, BY_KEY.format(1))
    for writer in writers:
        writer.is_over.set()
    for writer in writers:
        writer.join()
        if writer.failure is not None:
            raise writer.failure

    with Client(daemon.socket_path) as client:
        state = schemas(client)
        assert len(state) > 2 and "orders_amount" in state and set(state.values()) == {"readable"}, state
        for name in set(state) - {"orders_id"}:
            support.equal(client.rows(f"VERIFY SCHEMA {name}"), [])
        support.equal(answers(client), before)
        support.equal({row[0] for row in client.rows("SELECT id FROM orders WHERE customer = 'w'")}, set().union(*(writer.kept for writer in writers)))
    for sql in (BY_CUSTOMER.format(3), BY_BOTH.format(3, 1), BY_KEY.format(3)):
        chosen = explain(daemon, sql)
        assert not chosen["full_scan"], chosen


def test_equal():
    """Without other clients, EXPLAIN after --apply has exactly the plans and costs of the advice before."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        run(client)
    advice = json.loads(kvsqlctl(daemon, "advise", "--online", "--keep=orders_amount", "--format=json"))
    captured = kvsqlctl(daemon, "workload", "capture").split("\n")
    statements = [line for line in captured if line.startswith("SELECT")]
    support.equal(len(statements), 3)
    kvsqlctl(daemon, "advise", "--online", "--apply")
    with Client(daemon.socket_path) as client:
        support.equal(set(schemas(client)), {schema["name"] for schema in advice["schemas"]})
    for text, advised in zip(statements, advice["statements"]):
        sql = BY_BOTH.format(3, 1) if "AND state" in text else BY_CUSTOMER.format(3) if "customer" in text else BY_KEY.format(3)
        chosen = explain(daemon, sql)
        support.equal((sql, chosen["cost"]), (sql, advised["read_cost"]))
        support.equal((sql, chosen["schema"]), (sql, advised["plan"].replace(",", " ").split()[1]))
    assert "Nothing is to be defined." in kvsqlctl(daemon, "advise", "--online", "--apply")


def test_file():
    """Statements of a file, with the relations, statistics and schemas of the daemon; errors have their line in the file."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        client.query("CREATE TABLE unrelated (a INT PRIMARY KEY)")
    file = daemon.folder / "some.workload"
    file.write_text("WORKLOAD some;\nSELECT id FROM Orders WHERE customer = ? WEIGHT 5;\nINSERT INTO orders VALUES (?, ?, ?, ?, ?);\n")
    advice = json.loads(kvsqlctl(daemon, "advise", "--online", "--workload", str(file), "--format=json"))
    support.equal({schema["relation"] for schema in advice["schemas"]}, {"orders"})
    support.equal([schema["row"][0] for schema in advice["schemas"] if "exists" not in schema], ["customer"])
    support.equal(advice["unused"], ["orders_amount"])
    kvsqlctl(daemon, "advise", "--online", "--apply", "--workload", str(file))
    with Client(daemon.socket_path) as client:
        assert {"orders_id", "orders_amount"} < set(schemas(client)), schemas(client)
    file.write_text("WORKLOAD some;\nSELECT id FROM orders\nWHERE custom = ?;\n")
    shown = kvsqlctl(daemon, "advise", "--online", "--workload", str(file), status=1)
    assert "some.workload:3: error: attribute \"custom\" does not exist" in shown and "WHERE custom = ?" in shown, shown
    file.write_text("SELECT id FROM nothing;")
    assert "some.workload:1: error: relation \"nothing\" does not exist" in kvsqlctl(daemon, "advise", "--online", "--workload", str(file), status=1)


def test_failures():
    """It stops at the first error, and says what was done and how to go on."""
    daemon = start()
    assert "has no statements to advise on" in kvsqlctl(daemon, "advise", "--online", status=1)
    with Client(daemon.socket_path) as client:
        run(client)
        # a table of that name, with cells of another relation
        advised = [line.split("TABLE '")[1].split("'")[0] for line in kvsqlctl(daemon, "advise", "--online", "--format=sql").split("\n") if line.startswith("DEFINE")]
        assert advised
        client.query("DEFINE RELATION other { a INT KEY }")
        client.query(f"DEFINE PRIMARY SCHEMA other_key FOR other {{ TABLE '{advised[0]}', ROW a, FAMILY 'x' }}")
        client.query("INSERT INTO other VALUES (1)")
        shown = kvsqlctl(daemon, "advise", "--online", "--apply", status=1)
        assert f'table "{advised[0]}" exists already' in shown and f"0 of {len(advised)} schemas were applied" in shown, shown
        assert "BACKFILL SCHEMA" in shown and "DEFINE SCHEMA" in shown.split("To go on")[1], shown
        support.equal(set(schemas(client)), {"orders_id", "orders_amount"})
        support.equal(client.rows("SELECT * FROM other"), [(1,)])

        # a schema that is being filled
        client.query("DROP RELATION other")
        client.query("DEFINE SCHEMA half FOR orders { TABLE 'half', ROW ordered{state}:ordered{id}, FAMILY 'f' }")
        assert "a schema is not filled yet" in kvsqlctl(daemon, "advise", "--online", status=1)
    for arguments in (("--online", "--offline"), ("--online", "--workload=x", "--for=1s"), ("--apply", "--offline", "--workload=x"), (), ("--online", "--for=soon")):
        kvsqlctl(daemon, "advise", *arguments, status=2)


sys.exit(support.run([("/advisor/online/advice", test_advice), ("/advisor/online/applied", test_applied), ("/advisor/online/equal", test_equal),
                      ("/advisor/online/file", test_file), ("/advisor/online/failures", test_failures)]))
