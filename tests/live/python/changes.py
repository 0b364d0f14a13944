# SPDX-License-Identifier: LGPL-2.1-or-later
"""changes.py: a relation whose tuples change while a schema is added to it, and its expected tuples in the end."""

import itertools
import random
import re
import threading
import time

import support
from client import Client, QueryOptions, rows

# pylint: disable-next=import-error,wrong-import-order
from thrift.transport.TTransport import TTransportException

CHANGERS = 3


def insert(client, first, end):
    """Tuples with the keys from @first to @end - 1."""
    for start in range(first, end, 5000):
        client.query("INSERT INTO filled VALUES " + ", ".join(f"({key}, 'old', {key % 1000})" for key in range(start, min(start + 5000, end))))


def load(client, count):
    """The relation `filled`, with keys from 0 to @count - 1."""
    client.query("DEFINE RELATION filled { k INT KEY, v STRING, n INT }")
    client.query("DEFINE PRIMARY SCHEMA filled_p FOR filled { TABLE 'fp', ROW ordered{k}, FAMILY 'f', "
                 "VALUE ordered{v}:ordered{n} }")
    insert(client, 0, count)


def add_schema(client, name="filled_s"):
    """Its cell keys contain n: each UPDATE moves the cell."""
    client.query(f"DEFINE SCHEMA {name} FOR filled {{ TABLE '{name}', ROW ordered{{n}}:ordered{{k}}, FAMILY 'f', VALUE v }}")


def noted(client, name="filled_s"):
    """How many tuples were put, according to the registry."""
    for fact, value in client.rows("SHOW STATUS"):
        if fact == f"backfill of schema {name}":
            return int(re.search(r"(\d+) tuples put", value).group(1))
    return 0


def is_noted_early(client, name, count, noted):
    """Waits until the registry says that some are put, but at most half. False: it was too late."""
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        n_noted = noted()
        if 0 < n_noted <= count // 2:
            return True
        if n_noted > 0 or not any(row[0] == name and "building" in str(row) for row in client.rows("SHOW SCHEMAS FOR filled")):
            return False
        time.sleep(0.005)
    raise AssertionError("nothing was noted")


def begin_filling(client, name, count, noted):
    """Starts a BACKFILL that is running, recorded, and far from its end: the relation of @count tuples grows until it takes so long,
    on any machine. Returns how many tuples there are then."""
    for _ in range(8):
        add_schema(client, name)
        client.query(f"BACKFILL SCHEMA {name}")
        if is_noted_early(client, name, count, noted):
            return count
        go_on(client, name)
        client.query(f"DROP SCHEMA {name}")
        insert(client, count, 2 * count)
        count *= 2
    raise AssertionError(f"{count} tuples are put too quickly for a note")


def go_on(client, name="filled_s"):
    """Runs BACKFILL to its end. Returns how many tuples were put, and its warnings."""
    page = client.query(f"BACKFILL SCHEMA {name}")
    warnings, state = list(page.warnings or []), rows(page)
    while page.cursor is not None:
        page = client.call.fetch(page.cursor, QueryOptions())
        warnings += page.warnings or []
        state = rows(page)
    support.equal(state[-1][1], "readable")
    return int(state[-1][2]), warnings


class Changer(threading.Thread):
    """Inserts, updates and deletes its own tuples until it is stopped or its daemon dies. Records acknowledged writes."""

    def __init__(self, port, number, count):
        super().__init__()
        self.client = Client(("127.0.0.1", port))
        self.number = number
        self.random = random.Random(number)
        self.keys = [key for key in range(count) if key % CHANGERS == number]
        self.known = {}  # key -> v, or None: deleted
        self.unknown = set()  # keys of the statement under way when the daemon died
        self.stopping = threading.Event()
        self.failure = None

    def change(self, count):
        key = self.random.choice(self.keys)
        value = f"{self.number}-{count}"
        self.unknown = {key}
        kind = count % 3
        if kind == 0:
            self.client.query(f"INSERT INTO filled VALUES ({key}, '{value}', {count % 2000})")
            self.known[key] = value
        elif kind == 1:
            page = self.client.query(f"UPDATE filled SET v = '{value}', n = {count % 2000} WHERE k = {key}")
            if page.affected == 1:
                self.known[key] = value
        else:
            self.client.query(f"DELETE FROM filled WHERE k = {key}")
            self.known[key] = None
        self.unknown = set()

    def run(self):
        try:
            for count in itertools.count():
                if self.stopping.is_set():
                    return
                self.change(count)
        except (TTransportException, OSError, EOFError):
            pass
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error


def start(port, count):
    changers = [Changer(port, number, count) for number in range(CHANGERS)]
    for changer in changers:
        changer.start()
    return changers


def stop(changers):
    for changer in changers:
        changer.stopping.set()
    for changer in changers:
        changer.join(60)


def check(client, changers, count, schemas=("filled_p", "filled_s")):
    """The schemas hold the acknowledged tuples, and no others."""
    unknown = set().union(*(changer.unknown for changer in changers))
    expected = {key: "old" for key in range(count)}
    for changer in changers:
        support.equal(changer.failure, None)
        assert len(changer.known) > 10, "hardly anything was changed"
        expected.update(changer.known)
    expected = {(key, value) for key, value in expected.items() if value is not None and key not in unknown}
    for schema in schemas:
        found = {row for row in client.rows(f"SELECT k, v FROM filled USING SCHEMA {schema}") if row[0] not in unknown}
        support.equal(sorted(found ^ expected)[:10], [])
