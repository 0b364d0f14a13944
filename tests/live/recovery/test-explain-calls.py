#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""EXPLAIN (CALLS) of checked and blind writes, compared with the requests that HBase gets: their kinds, tables, and steps."""

import json
import os
import pathlib
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from relay import SIZE, Relay  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from pair import Pair, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

# The beginning of a message in Thrift's binary protocol: version and type, the method, its number, and the first argument,
# which is the name of a table.
MESSAGE = re.compile(rb"\x80\x01\x00\x01\x00\x00\x00.([A-Za-z]+)....\x0b\x00\x01(.{4})", re.DOTALL)
OPS = {"get": "get", "getMultiple": "get", "put": "put", "putMultiple": "put", "deleteSingle": "delete",
       "deleteMultiple": "delete", "checkAndMutate": "compare-and-set", "getScannerResults": "scan", "openScanner": "scan"}
AFTER_ANSWER = 60  # s, the last requests need at most
QUIET = 0.3  # s, without another request: the write before has ended

DEFINITIONS = [
    "DEFINE RELATION c { k INT KEY, v INT NOT NULL, w STRING NOT NULL } WITH (writes = checked)",
    "DEFINE PRIMARY SCHEMA c_k FOR c { TABLE 'c_k', ROW text(2){k}, FAMILY 'f', VALUE text(2){v}:w }",
    "DEFINE SCHEMA c_v FOR c { TABLE 'c_v', ROW text(2){v}:text(2){k}, FAMILY 'f', VALUE '' }",
    "DEFINE SCHEMA c_w FOR c { TABLE 'c_w', ROW text(2){k}, FAMILY 'f', VALUE size{w}:text(2){v} }",
    "DEFINE RELATION b { k INT KEY, v INT, w STRING NOT NULL } WITH (writes = blind)",
    "DEFINE PRIMARY SCHEMA b_k FOR b { TABLE 'b_k', ROW text(2){k}, FAMILY 'f', QUALIFIER attr_name[k], VALUE attr_value[k] }",
    "DEFINE SCHEMA b_w FOR b { TABLE 'b_w', ROW 'w':text(2){k}, FAMILY 'f', VALUE w }",
    "DEFINE RELATION one { k INT KEY, v INT NOT NULL } WITH (writes = blind)",
    "DEFINE PRIMARY SCHEMA one_k FOR one { TABLE 'one_k', ROW text(2){k}, FAMILY 'f', VALUE text(2){v} }",
    "INSERT INTO c VALUES (1, 10, 'a')", "INSERT INTO c VALUES (2, 20, 'b')",
    "INSERT INTO b VALUES (1, 10, 'a')", "INSERT INTO one VALUES (1, 10)"]
# Each changes what the next one finds.
STATEMENTS = [*(f"INSERT INTO c VALUES ({k}, 1, '')" for k in range(50, 60)), *(f"INSERT INTO c VALUES ({k}, 2, '')" for k in range(50, 60)),
              "INSERT INTO c VALUES (3, 30, 'c')", "INSERT INTO c VALUES (3, 31, 'c')", "UPDATE c SET w = 'x' WHERE k = 1",
              "UPDATE c SET v = 11 WHERE v = 10", "UPDATE c SET v = v + 1 WHERE k = 1", "UPDATE c SET k = 4 WHERE k = 3",
              "INSERT INTO c VALUES (1, 0, '') ON CONFLICT DO NOTHING",
              "INSERT INTO c VALUES (1, 0, '') ON CONFLICT DO UPDATE SET w = 'y'",
              "UPDATE c SET w = 'mine' WHERE v >= 20 LIMIT 1 RETURNING k", "DELETE FROM c WHERE k = 2",
              "DELETE FROM c WHERE k = 2",
              "INSERT INTO b VALUES (2, 20, 'b')", "INSERT INTO b VALUES (2, 21, 'c')", "DELETE FROM b WHERE k = 2",
              "INSERT INTO one VALUES (2, 20)", "DELETE FROM one WHERE k = 2"]


class Listener(Relay):
    """Notes the operation and the table of each request. The scans of the log are those of recovery."""

    def __init__(self, target):
        super().__init__(target)
        self.heard = []
        self.heard_at = time.monotonic()
        self.hearing = threading.Lock()

    def hear(self, data):
        message = MESSAGE.match(data)
        if message is None or message[1].decode() not in OPS:
            return
        end = message.end() + int.from_bytes(message[2], "big")
        request = (OPS[message[1].decode()], data[message.end():end].decode().split(":")[-1])
        if request == ("scan", "kvsql_log"):
            return
        with self.hearing:
            self.heard.append(request)
            self.heard_at = time.monotonic()

    def ask(self, source, target):
        try:
            while data := source.recv(SIZE):
                self.hear(data)
                target.sendall(data)
        except OSError:
            pass
        self.shut(source, target)

    def is_quiet(self):
        with self.hearing:
            return time.monotonic() > self.heard_at + QUIET

    def take(self):
        with self.hearing:
            heard, self.heard = self.heard, []
        return heard

    def has_heard(self, steps):
        with self.hearing:
            heard = list(self.heard)
        return after_steps(heard, steps) is not None and self.is_quiet()


def after_steps(heard, steps):
    """The requests after those of the steps; None: some of these are missing, or are others. A request may come again in its step:
    the gateway may have closed the connection that it was sent to first."""
    heard = list(heard)
    for number, step in enumerate(steps):
        missing = set(step)
        following = steps[number + 1] if number + 1 < len(steps) else []
        while missing or (heard and heard[0] in step and heard[0] not in following):
            if not heard or heard[0] not in step:
                return None
            missing.discard(heard.pop(0))
    return heard


class Explained(Pair):
    def __init__(self):
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        url += f"{'&' if '?' in url else '?'}namespace=calls{os.getpid()}"
        host, port = re.search("//([^:/]*):([0-9]*)", url).groups()
        self.relay = Listener(int(port))
        super().__init__(url.replace(f"//{host}:{port}", f"//127.0.0.1:{self.relay.port}"), second_store="memory:")
        for statement in DEFINITIONS:
            self.first.query(statement)

    def await_end(self):
        wait_for("the write before has ended", self.relay.is_quiet, AFTER_ANSWER)

    def explain(self, statement):
        """For each step the requests of it, sorted. HBase gets those for several rows of a table as one. Writes without a log
        have no steps: each of their requests here waits for the one before."""
        calls = json.loads(self.first.rows(f"EXPLAIN (CALLS, FORMAT JSON) {statement}")[0][0])["calls"]
        if "step" not in calls[0]:
            calls = [dict(call, step=number + 1) for number, call in enumerate(calls)]
        steps = []
        for number in range(1, max(call["step"] for call in calls) + 1):
            steps.append(sorted({(call["op"], bytes.fromhex(call["table"]).decode()) for call in calls if call["step"] == number}))
        return steps

    def check(self, statement):
        self.await_end()
        steps = self.explain(statement)
        self.await_end()
        self.relay.take()
        self.first.query(statement)
        try:
            wait_for(f"the requests of {statement}", lambda: self.relay.has_heard(steps), AFTER_ANSWER)
        finally:
            heard = self.relay.take()
            print(f"# {statement}: {len(heard)} requests: {heard}", flush=True)
        support.equal((statement, after_steps(heard, steps)), (statement, []))

    def check_nothing_written(self):
        """EXPLAIN itself only reads."""
        for statement in STATEMENTS:
            self.await_end()
            self.relay.take()
            self.first.rows(f"EXPLAIN (CALLS) {statement}")
            self.await_end()
            assert {op for op, _ in self.relay.take()} <= {"get", "scan"}, statement

    def check_all(self):
        for statement in STATEMENTS:
            self.check(statement)


def tests(pair):
    return [("/explain-calls/only-reads", pair.check_nothing_written), ("/explain-calls/same-requests", pair.check_all),
            ("/explain-calls/stop", pair.stop_daemons)]


if __name__ == "__main__":
    sys.exit(run(Explained, tests))
