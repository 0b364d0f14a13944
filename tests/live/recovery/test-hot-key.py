#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""64 clients of two kvsqld change one tuple of a checked relation on HBase: each statement is done once, within its time, and no
client waits much longer than the others. KVSQL_TEST_SECONDS=60 for longer. A slow machine takes longer: the clients are
compared once they have changed it EACH times on average.
"""

import os
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import thrift2  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = float(os.environ.get("KVSQL_TEST_SECONDS") or 10)
AT_MOST_SECONDS = SECONDS + 90
CLIENTS = 64
EACH = 8
SCHEMAS = ("e_p", "e_q", "e_s")
MOST_OLD = 16  # older tuples that an anchor may have
LOOKS = 10  # at the anchor, while it is pending


class Changer(threading.Thread):
    """Counts what it has done, and what may have been done."""

    def __init__(self, daemon, enough):
        super().__init__()
        self.address = ("127.0.0.1", daemon.port)
        self.enough = enough
        self.n = self.n_unknown = self.longest = 0
        self.failure = None

    def run(self):
        try:
            with Client(self.address, timeout_ms=90000) as client:
                while not self.enough():
                    self.change(client)
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def change(self, client):
        start = time.monotonic()
        try:
            support.equal(client.query("UPDATE e SET v = (v + 1) % 900, w = w + 1 WHERE k = 1").affected, 1)
            self.n += 1
        except SqlError as error:
            if error.sqlstate != "40003":
                raise
            self.n_unknown += 1
        self.longest = max(self.longest, time.monotonic() - start)


def count_old(payload):
    """The older tuples in the payload of an anchor that is not moving (core/anchor/anchor.h)."""
    assert payload[:2] == b"\1\1", payload
    n, at = -1, 2
    while at < len(payload):
        at += 1 + payload[at]  # all records are shorter than 128 bytes
        n += 1
    assert at == len(payload), payload
    return n


class Observer(threading.Thread):
    """Looks at the anchor again and again, without kvsqld."""

    def __init__(self, table, enough):
        super().__init__()
        self.table, self.enough = table, enough
        self.found = []  # how many older tuples it had
        self.failure = None

    def run(self):
        hbase = thrift2.HBase(os.environ["KVSQL_TEST_HBASE_URL"])
        try:
            while not self.enough():
                cells = {qualifier: value for (_, _, qualifier), (value, _) in hbase.cells(self.table).items()}
                if cells[b"state"][1] & 1:
                    self.found.append(count_old(cells[b"payload"]))
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        hbase.close()


class HotKey(Pair):
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        self.namespace = f"hot{os.getpid()}"
        super().__init__(f"{url}{'&' if '?' in url else '?'}namespace={self.namespace}")
        for definition in (
                "DEFINE RELATION e { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = checked)",
                "DEFINE PRIMARY SCHEMA e_p FOR e { TABLE 'e_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
                "DEFINE SCHEMA e_q FOR e { TABLE 'e_q', ROW hash(md5, 2){k}:text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
                "DEFINE SCHEMA e_s FOR e { TABLE 'e_s', ROW text(3){v}:text(6){k}, FAMILY 'f', VALUE text(9){w} }"):
            self.first.query(definition)
        wait_for("the other daemon serves it", lambda: ("e_s",) in [row[:1] for row in self.second.rows("SHOW SCHEMAS")], SOON)
        for client in (self.first, self.second):
            client.query("INSERT INTO e VALUES (1, 0, 0)")

    def check_clients(self):
        start = time.monotonic()

        def enough():
            seconds = time.monotonic() - start
            return seconds >= SECONDS and (sum(changer.n for changer in changers) >= EACH * CLIENTS or seconds >= AT_MOST_SECONDS)

        changers = [Changer(self.daemons[i % 2], enough) for i in range(CLIENTS)]
        observer = Observer(f"{self.namespace}:kvsql_anchors".encode(), enough)
        for thread in (*changers, observer):
            thread.start()
        for thread in (*changers, observer):
            thread.join()
        support.equal(observer.failure, None)
        print(f"# {len(observer.found)} looks at the pending anchor: at most {max(observer.found, default=0)} older tuples", flush=True)
        assert len(observer.found) >= LOOKS and max(observer.found) <= MOST_OLD, observer.found
        support.equal([changer.failure for changer in changers if changer.failure], [])
        each = [changer.n for changer in changers]
        n, n_unknown = sum(each), sum(changer.n_unknown for changer in changers)
        print(f"# {n} statements, the slowest client {min(each)}, the mean {n / CLIENTS:.1f}, the longest statement "
              f"{max(changer.longest for changer in changers):.1f} s, {n_unknown} of unknown outcome", flush=True)
        stored = [self.first.rows(f"SELECT v, w FROM e USING SCHEMA {schema} WHERE k = 1") for schema in SCHEMAS]
        support.equal(stored, stored[:1] * len(SCHEMAS))
        (v, w), = stored[0]
        support.equal(v, w % 900)
        assert n <= w <= n + n_unknown, (n, w, n_unknown)
        assert min(each) >= n / CLIENTS / 4, each


def tests(pair):
    return (("/hot-key/clients", pair.check_clients), ("/hot-key/stop", pair.stop_daemons))


if __name__ == "__main__":
    sys.exit(run(HotKey, tests))
