#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ALTER RELATION … WITH (writes = …) while clients of two kvsqld write the relation on HBase: no statement fails, no write is
lost, and the schemas agree. A statement waits while writes are paused.
"""

import os
import random
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client, ErrorCode, SqlError, fails  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

KEYS = 40  # of a client
CLIENTS = 2  # of each daemon
CHANGES = 8
PLAIN, CHECKED, BLIND = "plain", "checked", "blind"


class Writer(threading.Thread):
    """Writes keys of its own, and knows what they must have."""

    def __init__(self, number, daemon, relation="e"):
        super().__init__()
        self.relation = relation  # b may be blind, so it is not updated
        self.keys = [number * KEYS + i for i in range(KEYS)]
        self.address = ("127.0.0.1", daemon.port)
        self.expected = {}
        self.is_stopping = False
        self.n = 0
        self.failure = None

    def run(self):
        try:
            with Client(self.address, timeout_ms=60000) as client:
                while not self.is_stopping:
                    self.write(client, random.choice(self.keys))
                    self.n += 1
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def write(self, client, key):
        v, w = random.randrange(1, 5), self.n % 1000
        kind = random.randrange(4)
        if kind == 0:
            client.query(f"DELETE FROM {self.relation} WHERE k = {key}")
            self.expected.pop(key, None)
        elif kind == 1 and key in self.expected and self.relation == "e":
            support.equal(client.query(f"UPDATE e SET v = {v} WHERE k = {key}").affected, 1)
            self.expected[key] = (v, self.expected[key][1])
        else:
            client.query(f"INSERT INTO {self.relation} VALUES ({key}, {v}, {w})")
            self.expected[key] = (v, w)


class Modes(Pair):
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        super().__init__(f"{url}{'&' if '?' in url else '?'}namespace=modes{os.getpid()}")
        for definition in (
                "DEFINE RELATION e { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = plain)",
                "DEFINE PRIMARY SCHEMA e_p FOR e { TABLE 'e_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
                "DEFINE SCHEMA e_s FOR e { TABLE 'e_s', ROW text(3){v}:text(6){k}, FAMILY 'f', VALUE text(9){w} }",
                "DEFINE RELATION b { k BIGINT KEY, v BIGINT, w BIGINT } WITH (writes = plain)",
                "DEFINE PRIMARY SCHEMA b_p FOR b { TABLE 'b_p', ROW text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }",
                "DEFINE SCHEMA b_s FOR b { TABLE 'b_s', ROW 's':text(6){k}, FAMILY 'f', VALUE text(3){v}:text(9){w} }"):
            self.first.query(definition)
        wait_for("the other daemon serves it", lambda: ("b_s",) in [row[:1] for row in self.second.rows("SHOW SCHEMAS")], SOON)

    def mode(self, client=None, relation="e"):
        text = (client or self.first).rows(f"SHOW CREATE {relation}")[0][0]
        return next((mode for mode in (BLIND, PLAIN) if f"writes = {mode}" in text), CHECKED)

    def check_changes(self):
        self.change("e", (CHECKED, PLAIN))

    def check_blind(self):
        """From each mode to each other one."""
        self.change("b", (BLIND, CHECKED, BLIND, PLAIN))

    def change(self, relation, modes):
        writers = [Writer(i, self.daemons[i % 2], relation) for i in range(2 * CLIENTS)]
        for writer in writers:
            writer.start()
        longest = 0
        for i in range(CHANGES):
            time.sleep(0.5)
            mode = modes[i % len(modes)]
            start = time.monotonic()
            (self.first, self.second)[i // 2 % 2].query(f"ALTER RELATION {relation} WITH (writes = {mode})")
            longest = max(longest, time.monotonic() - start)
            support.equal(self.mode((self.first, self.second)[i // 2 % 2], relation), mode)
        for writer in writers:
            writer.is_stopping = True
        for writer in writers:
            writer.join()
        support.equal([writer.failure for writer in writers if writer.failure], [])
        expected = sorted((key, *tuple_) for writer in writers for key, tuple_ in writer.expected.items())
        for schema in ("p", "s"):
            support.equal(self.first.rows(f"SELECT k, v, w FROM {relation} USING SCHEMA {relation}_{schema} WHERE k >= 0 "
                                          "ORDER BY k"), expected)
        print(f"# {sum(writer.n for writer in writers)} writes, {CHANGES} changes, the longest in {longest:.2f} s", flush=True)

    def check_opposite(self):
        """Two daemons change the mode at the same time: one of them is the last, and both know which."""
        outcomes = []
        def alter(client, mode):
            try:
                client.query(f"ALTER RELATION e WITH (writes = {mode})")
                outcomes.append(None)
            except SqlError as error:
                outcomes.append(error.message)
        for _ in range(6):
            threads = [threading.Thread(target=alter, args=each) for each in ((self.first, CHECKED), (self.second, PLAIN))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.first.query("INSERT INTO e VALUES (900, 1, 1)")
            self.second.query("INSERT INTO e VALUES (900, 2, 2)")
            support.equal(self.first.rows("SELECT v FROM e USING SCHEMA e_s WHERE k = 900"), [(2,)])
        wait_for("both have the same mode", lambda: self.mode(self.first) == self.mode(self.second), SOON)
        print(f"# {outcomes}", flush=True)

    def check_laggard(self):
        """A daemon that does not answer may still write in the former mode, so the mode stays."""
        self.first.query(f"ALTER RELATION e WITH (writes = {PLAIN})")
        wait_for("the other daemon knows it", lambda: self.mode(self.second) == PLAIN, SOON)
        self.daemons[1].process.send_signal(signal.SIGSTOP)
        try:
            self.first.query(f"ALTER RELATION e WITH (writes = {CHECKED})")
            raise AssertionError("no error")
        except SqlError as error:
            support.equal(error.sqlstate, "08006")
            assert "the writes stay as they were" in error.message, error
            print(f"# {error.message}", flush=True)
        finally:
            self.daemons[1].process.send_signal(signal.SIGCONT)
        support.equal(self.mode(), PLAIN)
        self.first.query("INSERT INTO e VALUES (901, 1, 1)")
        support.equal(self.second.rows("SELECT v FROM e WHERE k = 901"), [(1,)])

    def check_verified(self):
        """Plain writes have no anchors to verify with. When the writes become checked, tuples have none yet: the primary decides."""
        verified = "SELECT k, v, w FROM e USING SCHEMA {} WHERE k >= 0 ORDER BY k WITH VERIFIED"
        self.first.query(f"ALTER RELATION e WITH (writes = {PLAIN})")
        error = fails(ErrorCode.INVALID, self.first.query, verified.format("e_s"))
        support.equal(error.message, 'relation "e" cannot be read with VERIFIED: its writes are plain')
        support.equal(error.hint, "Only checked writes keep what it is compared with: ALTER RELATION e WITH (writes = checked).")
        fails(ErrorCode.INVALID, lambda: self.first.query("SELECT k FROM e", verifiedReads=True))
        expected = self.first.rows("SELECT k, v, w FROM e USING SCHEMA e_p WHERE k >= 0 ORDER BY k")
        assert len(expected) > KEYS
        self.first.query(f"ALTER RELATION e WITH (writes = {CHECKED})")
        wait_for("the other daemon knows it", lambda: self.mode(self.second) == CHECKED, SOON)
        for client in (self.first, self.second):
            for schema in ("e_p", "e_s"):
                support.equal(client.rows(verified.format(schema)), expected)
        changed = [(k, v, w + 1) for k, v, w in expected]
        support.equal(self.first.query("UPDATE e SET w = w + 1 WHERE k >= 0").affected, len(expected))
        for schema in ("e_p", "e_s"):
            support.equal(self.second.rows(verified.format(schema)), changed)


def tests(pair):
    return (("/write-mode/changes", pair.check_changes), ("/write-mode/blind", pair.check_blind), ("/write-mode/opposite", pair.check_opposite),
            ("/write-mode/laggard", pair.check_laggard), ("/write-mode/verified", pair.check_verified),
            ("/write-mode/stop", pair.stop_daemons))


if __name__ == "__main__":
    sys.exit(run(Modes, tests))
