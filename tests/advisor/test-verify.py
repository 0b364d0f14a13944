#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl advise --online --verify: predictions and measurements on copies, differences, and that nothing is left."""

import json
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position

DEFINITIONS = """
DEFINE RELATION orders { id BIGINT KEY, customer STRING, state STRING, due DATE, amount DOUBLE, note STRING,
                         changed TIMESTAMP DEFAULT now(), CHECK (amount >= 0) };
DEFINE PRIMARY SCHEMA orders_id FOR orders
  { TABLE 'orders', ROW ordered{id}, FAMILY 'f', QUALIFIER attr_name[id], VALUE attr_value[id] };
DEFINE SCHEMA orders_amount FOR orders { TABLE 'orders_amount', ROW ordered{amount}:ordered{id}, FAMILY 'f' };
DEFINE RELATION parts { maker STRING KEY, number INT KEY, name STRING, tags LIST<STRING> } WITH (insert = unique);
DEFINE PRIMARY SCHEMA parts_key FOR parts { TABLE 'parts', ROW ordered{maker}:ordered{number}, FAMILY 'f', QUALIFIER attr_name[maker, number],
  VALUE attr_value[maker, number] } WITH (marker = x'00');
"""
N_ORDERS, N_CUSTOMERS = 1500, 50
READS = """
SELECT id, note FROM orders WHERE customer = ? WEIGHT 20;
SELECT id, amount FROM orders WHERE customer = ? AND state = ? ORDER BY due LIMIT 5 WEIGHT 10;
SELECT * FROM orders WHERE id = ? WEIGHT 5;
"""
JOINS = """
SELECT o.id, p.name FROM orders AS o JOIN parts AS p ON p.maker = o.customer WHERE o.state = ? AND o.customer = ?;
SELECT p.maker, count(*), sum(o.amount) FROM parts p LEFT JOIN orders o ON o.customer = p.maker WHERE p.number < ? GROUP BY p.maker ORDER BY p.maker;
"""
WRITES = """
INSERT INTO orders (id, customer, state, due, amount, note) VALUES (?, ?, ?, ?, ?, ?) FRESH WEIGHT 2;
INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, now());
INSERT INTO parts VALUES (?, ?, ?, ?) FRESH;
INSERT INTO parts VALUES (?, ?, ?, ?) ON CONFLICT (maker, number) DO UPDATE SET name = excluded.name;
UPDATE orders SET state = ?, changed = now() WHERE id = ? WEIGHT 5;
UPDATE orders SET amount = amount + 1 WHERE customer = ? AND due BETWEEN ? AND ?;
UPDATE parts SET name = ? WHERE maker = ? RETURNING number, name;
DELETE FROM orders WHERE id = ? WEIGHT 2;
DELETE FROM parts WHERE maker = ? AND name LIKE ?;
DELETE FROM parts WHERE maker = ?;
"""
LEFT_OUT = """
UPDATE orders SET id = ? WHERE id = ?;
SELECT ? + 1 FROM orders WHERE id = ?;
SELECT id FROM orders WHERE length(note) > ?;
"""


def command(daemon, *arguments):
    """The command line."""
    return [str(support.TOP_BUILD / "kvsqlctl"), *arguments, f"--connect=kvsql+unix://{daemon.socket_path}"]


def kvsqlctl(daemon, *arguments, text="", status=0):
    """What kvsqlctl prints: its output, or if it fails, its errors, too."""
    done = subprocess.run(command(daemon, *arguments), input=text.encode(), timeout=300, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    statuses = status if isinstance(status, tuple) else (status,)
    assert done.returncode in statuses, (done.returncode, done.stdout.decode(), done.stderr.decode())
    return done.stdout.decode() if status != 1 and status != 2 else done.stdout.decode() + done.stderr.decode()


def start(store="rocksdb"):
    """A daemon with tuples."""
    folder = support.temporary_folder("verify")
    daemon = support.Daemon(folder=folder, store=f"rocksdb:{folder}/store?sync=false" if store == "rocksdb" else "memory:")
    kvsqlctl(daemon, "exec", text=DEFINITIONS)
    with Client(daemon.socket_path) as client:
        client.query("INSERT INTO orders (id, customer, state, due, amount, note) VALUES " + ", ".join(
            f"({i}, 'c{i % N_CUSTOMERS:03}', {f'{chr(39)}s{i // N_CUSTOMERS % 4}{chr(39)}' if i % 97 else 'NULL'}, DATE '2024-01-01' + {i % 366}, {i % 71}.25, 'note {i:04}')"
            for i in range(N_ORDERS)))
        client.query("INSERT INTO parts VALUES " + ", ".join(f"('c{i % N_CUSTOMERS:03}', {i}, 'part_{i % 7}', ARRAY['x', 'y{i}'])" for i in range(300)))
        client.query("RESET STATEMENT STATISTICS")
    return daemon


def workload(daemon, text):
    """The option for a workload file."""
    file = daemon.folder / "some.workload"
    file.write_text(f"WORKLOAD some;\n{text}")
    return f"--workload={file}"


def verify(daemon, text, *options, status=0):
    """The verification as JSON; checks that nothing is left."""
    before = contents(daemon)
    shown = kvsqlctl(daemon, "advise", "--online", "--verify", "--seconds=1", "--format=json", workload(daemon, text), *options, status=status)
    support.equal(contents(daemon), before)
    advice = json.loads(shown)
    assert advice["schemas"] and advice["statements"], shown
    return advice["verification"]


def contents(daemon):
    """Names, tables that are not empty, and whether a tuple has changed."""
    with Client(daemon.socket_path) as client:
        tables = sorted(row[0] for row in client.rows("SHOW TABLES") if not row[0].startswith("kvsql_") and (row[0][:4] != "adv_" or str(row[3]) != "0"))
        return (sorted(row[0] for row in client.rows("SHOW RELATIONS")), sorted(row[0] for row in client.rows("SHOW SCHEMAS")), tables,
                hash(str(client.rows("SELECT * FROM orders ORDER BY id"))), hash(str(client.rows("SELECT * FROM parts ORDER BY maker, number"))))


def copies(daemon):
    """The names of the copies that exist."""
    with Client(daemon.socket_path) as client:
        return [row[0] for row in client.rows("SHOW RELATIONS") if row[0].startswith("adv_")]


def await_copies(daemon, process, n):
    """Until so many copies are defined."""
    while len(copies(daemon)) < n:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def test_better():
    """Reads that get schemas: predicted and measured agree, and the answers are the same."""
    daemon = start()
    found = verify(daemon, READS, "--seed=7")
    support.equal((found["differences"], found["better"], found["seed"], found["sample"], found["unit"]), ([], True, 7, 1, "rows"))
    support.equal(found["relations"], [{"relation": "orders", "tuples": N_ORDERS}])
    assert found["rounds"] > 30 and found["rank_correlation"] > 0.4, found
    assert found["predicted"]["advised"] < found["predicted"]["today"] and found["measured_ms"]["advised"] < found["measured_ms"]["today"], found
    support.equal([statement["weight"] for statement in found["statements"]], [20, 10, 5])
    for statement in found["statements"]:
        assert statement["executions"] >= 30 and statement["failed"] == 0 and statement["different"] == 0, statement
        for side in ("today", "advised"):
            assert 0 < statement[side]["median_ms"] <= statement[side]["p95_ms"] and statement[side]["predicted"] > 0, statement
    assert found["statements"][0]["today"]["predicted"] > 10 * found["statements"][0]["advised"]["predicted"], found


def test_text():
    """The statements of the daemon, and the report for people."""
    daemon = start()
    with Client(daemon.socket_path) as client:
        for i in range(20):
            client.query(f"SELECT id, note FROM orders WHERE customer = 'c{i:03}'")
    shown = kvsqlctl(daemon, "advise", "--online", "--verify", "--seconds=0.1")
    for words in ("Schemas", "Tried on copies, with --seed ", "orders: 1500 tuples", "WHERE customer = $1", "predicted", "measured", "95 of 100 within",
                  "rank correlation of predicted and measured: ", "All answers are the same", "the DEFAULT of orders.changed is left out"):
        assert words in shown, (words, shown)
    support.equal(copies(daemon), [])
    captured = kvsqlctl(daemon, "workload", "capture")
    assert "adv_" not in captured, captured
    support.equal([line for line in captured.split("\n") if line.startswith("SELECT")], ["SELECT id, note FROM orders WHERE customer = $1 WEIGHT 20;"])


def test_not_better():
    """A schema that no statement reads is to be dropped, which a long scan does not notice. Noise may have another result."""
    daemon = start("memory")
    text = "SELECT count(*) FROM orders WHERE note LIKE '%9%' WEIGHT 1000;\nUPDATE orders SET amount = ? WHERE id = ? WEIGHT 0.001;"
    for _ in range(5):
        found = verify(daemon, text, "--max-schemas=1", status=(0, 4))
        support.equal(found["differences"], [])
        if not found["better"]:
            break
    else:
        raise AssertionError(found)


def test_unchanged():
    """Nothing is copied if the advice is to change nothing."""
    daemon = start()
    kvsqlctl(daemon, "exec", text="DROP SCHEMA orders_amount;")
    support.equal(verify(daemon, "SELECT * FROM orders WHERE id = ?;"), None)
    assert "Nothing is to be changed" in kvsqlctl(daemon, "advise", "--online", "--verify", workload(daemon, "SELECT * FROM orders WHERE id = ?;"))


def test_joins_and_writes():
    """All kinds of statements, on two relations, one with INSERTs that must be new; and some that cannot be tried."""
    daemon = start()
    found = verify(daemon, READS + JOINS + WRITES + LEFT_OUT, status=(0, 4))
    support.equal(found["differences"], [])
    n = len((READS + JOINS + WRITES).strip().split(";")) - 1
    for statement in found["statements"][:n]:
        assert "left_out" not in statement and statement["executions"] >= 30 and statement["failed"] == 0, statement
    reasons = [statement["left_out"] for statement in found["statements"][n:]]
    support.equal(reasons[:2], ["it changes the KEY", "nothing says which values parameter 1 has"])
    assert reasons[2].startswith("it fails: "), reasons
    # what was deleted is put back, so each execution finds as much
    support.equal(found["statements"][n - 1]["rows"], 300 / N_CUSTOMERS)
    support.equal(found["statements"][0]["rows"], N_ORDERS / N_CUSTOMERS)
    assert found["statements"][0]["today"]["predicted"] > 10 * found["statements"][0]["advised"]["predicted"], found


def test_types():
    """Values of all types, names in quotes, numbers of a sequence, DEFAULTs that differ, and a KEY that is hidden."""
    daemon = start("memory")
    kvsqlctl(daemon, "exec", text="""CREATE TABLE tickets (id SERIAL PRIMARY KEY, code UUID DEFAULT gen_random_uuid(), data BYTEA, price NUMERIC(8, 2),
        "Odd Name" TEXT CHECK (length("Odd Name") < 100), at TIMESTAMP DEFAULT now(), open BOOLEAN DEFAULT true, doc JSONB, share NUMERIC);
        CREATE TABLE bare (a INT, b TEXT); CREATE TABLE keyed (k UUID PRIMARY KEY DEFAULT gen_random_uuid(), n INT, c BYTEA, t TIME, f REAL);""")
    with Client(daemon.socket_path) as client:
        client.query('INSERT INTO tickets (data, price, "Odd Name", doc, share) VALUES ' + ", ".join(
            f"(x'00ff{i % 20:02x}', {i % 9}.5, 'it''s {i % 30} %', {f'{chr(39)}{{{chr(34)}a{chr(34)}: {i}}}{chr(39)}' if i % 3 else 'NULL'}, {i % 7}.{'0' * (i % 5 + 1)})" for i in range(400)))
        client.query("INSERT INTO bare VALUES " + ", ".join(f"({i % 20}, 'b{i}')" for i in range(400)))
        client.query("INSERT INTO keyed (n, c, t, f) VALUES " + ", ".join(f"({i % 40}, x'{i:08x}', TIME '01:02:{i % 60:02}', {i}.25)" for i in range(400)))
    text = """
SELECT id, price, share FROM tickets WHERE "Odd Name" = ? ORDER BY share WEIGHT 10;
SELECT * FROM tickets WHERE data = ? AND price BETWEEN ? AND ?;
SELECT id FROM tickets WHERE at < now() - INTERVAL '1 day' OR code = ?;
SELECT "Odd Name", avg(price), count(DISTINCT data) FROM tickets WHERE "Odd Name" LIKE ? AND open = ? GROUP BY "Odd Name" ORDER BY "Odd Name";
INSERT INTO tickets (data, price, "Odd Name") VALUES (?, ?, ?) FRESH;
INSERT INTO tickets (id, doc) VALUES (nextval('tickets_id_seq'), ?);
UPDATE tickets SET code = gen_random_uuid(), doc = ? WHERE id IN (?, ?);
SELECT b FROM bare WHERE a = ? WEIGHT 10;
INSERT INTO bare VALUES (?, ?) FRESH;
DELETE FROM bare WHERE a = ? AND b > ?;
SELECT k, c FROM keyed WHERE n = ? AND t >= ? ORDER BY t, f WEIGHT 10;
INSERT INTO keyed (n, c, t, f) VALUES (?, ?, ?, ?) FRESH;
INSERT INTO keyed VALUES (?, ?, ?, ?, ?);
DELETE FROM keyed WHERE k = ?;
"""
    found = verify(daemon, text, status=(0, 4))
    support.equal(found["differences"], [])
    for statement in found["statements"]:
        assert "left_out" not in statement and statement["failed"] == 0, statement
    for number in (1, 2, 4, 5, 7, 8, 10, 11, 14):
        assert found["statements"][number - 1]["rows"] > 0.5, found["statements"][number - 1]


def test_sample():
    """A part of the tuples, each time the same one."""
    daemon = start()
    sizes = [verify(daemon, READS, "--sample=10%", "--seconds=0.1", status=(0, 4))["relations"][0]["tuples"] for _ in range(2)]
    assert sizes[0] == sizes[1] and 0.07 * N_ORDERS < sizes[0] < 0.13 * N_ORDERS, sizes


def test_interrupted():
    """Ctrl-C, SIGTERM and a terminal that is closed, in the replay: all copies are removed."""
    daemon = start()
    before = contents(daemon)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen(command(daemon, "advise", "--online", "--verify", "--seconds=200", workload(daemon, READS + WRITES)),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        await_copies(daemon, process, 4)
        time.sleep(0.5 if number != signal.SIGTERM else 0)
        process.send_signal(number)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 1 and b"interrupted" in errors and b"left" not in errors, (process.returncode, output, errors)
        support.equal(contents(daemon), before)


def test_different():
    """Another client damages the copy with the advised schemas: the statement is named, and the tuples, too."""
    daemon = start()
    process = subprocess.Popen(command(daemon, "advise", "--online", "--verify", "--seconds=20", workload(daemon, READS)),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    await_copies(daemon, process, 2)
    advised = [name for name in copies(daemon) if "_b_" in name][0]
    with Client(daemon.socket_path) as client:
        while "readable" not in [row[5] for row in client.rows(f"SHOW SCHEMAS FOR {advised}")] or client.rows(f"SELECT count(*) FROM {advised}") != [(N_ORDERS,)]:
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        client.query(f"UPDATE {advised} SET note = 'damaged' WHERE id < 700")
    output, errors = process.communicate(timeout=100)
    output = output.decode()
    assert process.returncode == 5, (process.returncode, output, errors)
    for words in ("Answers differ", "statement 1, SELECT id, note FROM orders WHERE customer = ? with $1 = c0", "damaged",
                  "relation orders, after all statements: "):
        assert words in output, (words, output)
    support.equal(copies(daemon), [])


def test_live():
    """Other clients write the relation at the same time: both copies have the same tuples."""
    daemon = start()
    process = subprocess.Popen(command(daemon, "advise", "--online", "--verify", "--seconds=1", "--format=json", workload(daemon, READS)),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    n = 0
    with Client(daemon.socket_path) as client:
        while process.poll() is None:
            client.query(f"INSERT INTO orders (id, customer, state, due, amount) VALUES ({N_ORDERS + n}, 'c001', 's1', CURRENT_DATE, {n})")
            client.query(f"DELETE FROM orders WHERE id = {n}")
            n = (n + 1) % N_ORDERS
    output, errors = process.communicate(timeout=60)
    assert process.returncode in (0, 4), (process.returncode, errors)
    support.equal(json.loads(output)["verification"]["differences"], [])
    support.equal(copies(daemon), [])


def test_lost():
    """kvsqld ends: the statements that remove the copies are printed, and do so."""
    daemon = start()
    process = subprocess.Popen(command(daemon, "advise", "--online", "--verify", "--seconds=200", workload(daemon, READS)),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    await_copies(daemon, process, 2)
    time.sleep(0.5)
    daemon.process.kill()
    _, errors = process.communicate(timeout=100)
    errors = errors.decode()
    assert process.returncode in (1, 3) and "These copies are left" in errors, (process.returncode, errors)
    again = support.Daemon(folder=daemon.folder, store=f"rocksdb:{daemon.folder}/store?sync=false")
    support.equal(len(copies(again)), 2)
    kvsqlctl(again, "exec", text="".join(line for line in errors.splitlines(True) if line.startswith("  D")))
    support.equal(copies(again), [])


def test_refused():
    """Wrong usage, and what cannot be copied; nothing is made."""
    daemon = start("memory")
    for arguments, words in ((("--online", "--verify", "--apply"), "verify first, then apply"), (("--offline", "--verify", "--workload=x"), "--verify needs --online"),
                             (("--online", "--seed=1"), "need --verify"), (("--online", "--verify", "--sample=0%"), "is not a part such as 5%"),
                             (("--online", "--verify", "--sample=101%"), "is not a part such as 5%"), (("--online", "--verify", "--seconds=soon"), "is not a number of seconds"),
                             (("--online", "--verify", "--seed=-1"), "is not a number below"), (("--online", "--verify", "--cost-model=nose"), "not of nose"),
                             (("--online", "--verify", "--format=sql"), "as text or json"), (("--online", "--verify", "--read-only"), "--read-only refuses that")):
        assert words in kvsqlctl(daemon, "advise", *arguments, status=2), words
    assert "no statement can be tried; the first one: nothing says" in kvsqlctl(
        daemon, "advise", "--online", "--verify", workload(daemon, "SELECT ? + 1, customer FROM orders;"), status=1)
    kvsqlctl(daemon, "exec", text="DEFINE SCHEMA others FOR orders { TABLE 'others', ROW ordered{id}, FAMILY 'f' } WITH (role = read);")
    assert "another program writes its table" in kvsqlctl(daemon, "advise", "--online", "--verify", workload(daemon, READS), status=1)
    support.equal(copies(daemon), [])


TESTS = [("/advisor/verify/better", test_better), ("/advisor/verify/text", test_text), ("/advisor/verify/not-better", test_not_better),
                      ("/advisor/verify/unchanged", test_unchanged), ("/advisor/verify/joins-and-writes", test_joins_and_writes),
                      ("/advisor/verify/types", test_types), ("/advisor/verify/sample", test_sample), ("/advisor/verify/interrupted", test_interrupted),
                      ("/advisor/verify/different", test_different), ("/advisor/verify/live", test_live), ("/advisor/verify/lost", test_lost), ("/advisor/verify/refused", test_refused)]
ONLY = [test for test in TESTS if len(sys.argv) < 2 or sys.argv[1] in test[0]]
sys.exit(support.run(ONLY))
