#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""TPC-C's five transactions on kvsqld and on PostgreSQL: each statement has the same result on both, and at the end all tables have
the same rows, which satisfy the specification's conditions of consistency.

The store is RocksDB, or the HBase of KVSQL_TEST_HBASE_URL. KVSQL_TEST_TRANSACTIONS is their number.
"""

import datetime
import os
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tpch"))
import rows  # noqa: E402 pylint: disable=wrong-import-position
import systems  # noqa: E402 pylint: disable=wrong-import-position
import transactions  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
IS_HBASE = bool(os.environ.get("KVSQL_TEST_HBASE_URL"))
TRANSACTIONS = int(os.environ.get("KVSQL_TEST_TRANSACTIONS") or (40 if IS_HBASE else support.size(400, 100)))
WAREHOUSES = 2
# Clause 3.3.2: each gives no row.
CONSISTENCY = {
    "1: W_YTD is the sum of D_YTD": """
        SELECT w_id FROM warehouse JOIN district ON d_w_id = w_id GROUP BY w_id, w_ytd HAVING w_ytd <> sum(d_ytd)""",
    "2: D_NEXT_O_ID follows the last order": """
        SELECT d_w_id, d_id FROM district
         WHERE d_next_o_id - 1 <> (SELECT max(o_id) FROM orders WHERE o_w_id = d_w_id AND o_d_id = d_id)
            OR d_next_o_id - 1 <> (SELECT max(no_o_id) FROM new_order WHERE no_w_id = d_w_id AND no_d_id = d_id)""",
    "3: new orders have no gaps": """
        SELECT no_w_id, no_d_id FROM new_order GROUP BY no_w_id, no_d_id HAVING max(no_o_id) - min(no_o_id) + 1 <> count(*)""",
    "4: O_OL_CNT is the number of lines": """
        SELECT o_w_id, o_d_id, o_id FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
         GROUP BY o_w_id, o_d_id, o_id, o_ol_cnt HAVING count(*) <> o_ol_cnt""",
    "5: an order without a carrier is new": """
        SELECT o_id FROM orders LEFT JOIN new_order ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
         WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)""",
    "7: a line is delivered as its order": """
        SELECT o_id FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
         WHERE (o_carrier_id IS NULL) <> (ol_delivery_d IS NULL)""",
    "8: W_YTD is the sum of H_AMOUNT": """
        SELECT w_id FROM warehouse WHERE w_ytd <> 90000 - 900 + (SELECT sum(h_amount) FROM history WHERE h_w_id = w_id)""",
}


def a_customer(rng):
    return rng.randint(1, rows.CUSTOMERS) if rng.random() < 0.4 else rows.last_name(rng.randrange(10))


FIRST_DRAWS = (0.1, 0.5, 0.9, 0.95, 0.99)  # one of each


def choose(rng, number):
    """A transaction with its inputs, after clauses 2.4.1 to 2.8.1, and the mix of 5.2.3: a function, so that both systems run it."""
    now = rows.START + datetime.timedelta(seconds=number)
    w_id, d_id = rng.randint(1, WAREHOUSES), rng.randint(1, rows.DISTRICTS)
    draw = FIRST_DRAWS[number] if number < len(FIRST_DRAWS) else rng.random()
    if draw < 0.45:
        lines = [(rng.randint(1, rows.ITEMS), w_id if rng.random() < 0.9 else rng.randint(1, WAREHOUSES), rng.randint(1, 10))
                 for _ in range(rng.randint(5, 15))]
        if rng.random() < 0.03:
            lines[-1] = (rows.ITEMS + 1, *lines[-1][1:])
        inputs = w_id, d_id, rng.randint(1, rows.CUSTOMERS), lines, now
        return "new_order", lambda: transactions.new_order(*inputs)
    if draw < 0.88:
        home = (w_id, d_id) if rng.random() < 0.85 else (rng.randint(1, WAREHOUSES), rng.randint(1, rows.DISTRICTS))
        inputs = w_id, d_id, *home, a_customer(rng), rows.money(rng.randint(100, 500000)), now
        return "payment", lambda: transactions.payment(*inputs)
    if draw < 0.92:
        inputs = w_id, d_id, a_customer(rng)
        return "order_status", lambda: transactions.order_status(*inputs)
    if draw < 0.96:
        inputs = w_id, rows.DISTRICTS, rng.randint(1, 10), now
        return "delivery", lambda: transactions.delivery(*inputs)
    inputs = w_id, d_id, rng.randint(10, 20)
    return "stock_level", lambda: transactions.stock_level(*inputs)


def plain(row):
    """CHAR(n) is filled up with blanks in PostgreSQL only."""
    return tuple(value.rstrip(" ") if isinstance(value, str) else value for value in row)


def execute(connection, statement, parameters=()):
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [plain(row) for row in cursor.fetchall()] if cursor.description else cursor.rowcount


def run(connection, transaction):
    """What the statements of a transaction gave, and what it returns."""
    results, result = [], None
    execute(connection, "BEGIN")
    while True:
        try:
            statement, parameters = transaction.send(result)
        except StopIteration as end:
            execute(connection, "COMMIT")
            return results, end.value
        result = execute(connection, statement, parameters)
        results.append((" ".join(statement.split()), parameters, result))


class Test:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.systems = [systems.PostgreSQL(systems.postgresql.binaries_or_skip())]
        self.systems.append(systems.Kvsqld("hbase" if IS_HBASE else "rocksdb"))
        self.connections = []

    def close(self):
        for connection in self.connections:
            connection.close()
        for system in self.systems:
            system.close()

    def load(self):
        folder = support.temporary_folder("tpcc")
        folder.chmod(0o755)
        script = (HERE / "tables.sql").read_text(encoding="utf-8")
        for system in self.systems:
            system.run_script(script)
            self.connections.append(system.connect())
        tables = rows.tables(self.rng, WAREHOUSES)
        names = {table: [row[0] for row in execute(self.connections[0], f"""
            SELECT attname FROM pg_attribute WHERE attrelid = '{table}'::regclass AND attnum > 0 ORDER BY attnum""")] for table in tables}
        files = rows.write(tables, names, folder)
        for system in self.systems:
            for table, file in files.items():
                system.load(table, file)

    def test_transactions(self):
        counts = {}
        for number in range(TRANSACTIONS):
            name, make = choose(self.rng, number)
            (expected, end), (got, our_end) = (run(connection, make()) for connection in self.connections)
            for right, ours in zip(expected, got):
                support.equal(ours, right)
            support.equal((len(got), our_end), (len(expected), end))
            counts[name] = counts.get(name, 0) + 1
        print("#", ", ".join(f"{n} {name}" for name, n in sorted(counts.items())))
        support.equal(len(counts), 5)

    def test_tables(self):
        for table in ("warehouse", "district", "customer", "history", "orders", "new_order", "item", "stock", "order_line"):
            expected, got = (sorted(execute(connection, f"SELECT * FROM {table}"), key=repr) for connection in self.connections)
            support.equal(got, expected)

    def test_consistency(self):
        for name, statement in CONSISTENCY.items():
            for connection in self.connections:
                support.equal((name, execute(connection, statement)), (name, []))


def main():
    test = Test(support.seed())
    try:
        test.load()
        return support.run([("/tpcc/transactions", test.test_transactions), ("/tpcc/tables", test.test_tables),
                            ("/tpcc/consistency", test.test_consistency)])
    finally:
        test.close()


if __name__ == "__main__":
    sys.exit(main())
