#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqld on RocksDB, killed with SIGKILL while it writes: no acknowledged write is lost, no write is torn. KVSQL_TEST_KILLS=200 for longer."""

import os
import random
import re
import sys
import threading
import time

sys.dont_write_bytecode = True
import changes  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from thrift.transport.TTransport import TTransportException  # noqa: E402

ROUNDS = int(os.environ.get("KVSQL_TEST_KILLS") or support.size(20, 5))
WRITERS = 3
MOST_CHANGES = 300  # each writer has some number of changes acknowledged before the kill, at most so many
FILLED = 200000  # tuples of the relation to which a schema is added, at first


class Writer(threading.Thread):
    """Inserts, updates and deletes until its daemon dies. Records the acknowledged writes and the one that was running."""

    def __init__(self, port, name, generator):
        super().__init__()
        self.client = Client(("127.0.0.1", port))
        self.name = name
        self.random = random.Random(generator.random())
        self.known = {}  # key -> n, or None: deleted
        self.under_way = None  # (key, what it is afterwards)
        self.changes = 0

    def change(self, number):
        key, kind = f"{self.name}-{number}", self.random.randrange(4)
        if kind > 1 and self.known:
            key = self.random.choice(list(self.known))
        self.under_way = (key, None if kind == 3 else number)
        if kind == 3:
            self.client.query(f"DELETE FROM t WHERE k = '{key}'")
        elif self.client.query(f"UPDATE t SET n = {number}, v = '{key}={number}' WHERE k = '{key}'").affected == 0:
            self.client.query(f"INSERT INTO t VALUES ('{key}', '{key}={number}', {number})")
        self.known[key] = self.under_way[1]
        self.under_way = None

    def run(self):
        try:
            while True:
                self.change(self.changes)
                self.changes += 1
        except (TTransportException, OSError, EOFError):
            pass


class Crash:
    """One folder, many daemons one after the other."""

    def __init__(self):
        self.folder = support.temporary_folder("crash")
        self.random = random.Random(support.seed())
        self.expected = {}  # key -> n, or None: deleted
        self.unknown = {}  # key -> what it may be
        self.n_changes = 0

    def start(self):
        return support.Daemon(store=f"rocksdb://{self.folder}/data", registry=f"local://{self.folder}/registry")

    def check_define(self):
        daemon = self.start()
        with Client(daemon.socket_path) as client:
            client.query("DEFINE RELATION t { k STRING KEY, v STRING, n INT }")
            client.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER attr_name['k'], "
                         "VALUE attr_value['k'] }")
            client.query("DEFINE SCHEMA t_s FOR t { TABLE 's', ROW 'x':k, FAMILY 'f', QUALIFIER '', VALUE suffix('|'){v}:n }")
        daemon.process.kill()
        daemon.stop()

    def write_and_kill(self, daemon, number):
        """Returns the writers, after their end."""
        writers = [Writer(daemon.port, f"r{number:04}-{index}", self.random) for index in range(WRITERS)]
        wanted = self.random.randrange(1, MOST_CHANGES)
        for writer in writers:
            writer.start()
        limit = time.monotonic() + 60
        while min(writer.changes for writer in writers) < wanted:
            assert time.monotonic() < limit, "the writers are stuck"
            time.sleep(0.001)
        daemon.process.kill()
        for writer in writers:
            writer.join(60)
        daemon.stop()
        return writers

    def check_kills(self):
        for number in range(ROUNDS):
            daemon = self.start()
            self.check_contents(daemon, f"r{number - 1:04}")
            for writer in self.write_and_kill(daemon, number):
                self.n_changes += writer.changes
                self.expected.update(writer.known)
                if writer.under_way is not None:
                    self.unknown[writer.under_way[0]] = {writer.known.get(writer.under_way[0]), writer.under_way[1]}
        daemon = self.start()
        self.check_contents(daemon, "r")
        support.equal(daemon.stop(), 0)
        print(f"# {ROUNDS} times killed, {self.n_changes} changes acknowledged", flush=True)

    def check_contents(self, daemon, prefix):
        """For keys with this prefix: both schemas hold the acknowledged writes, and the write that was running completely or not at all."""
        with Client(daemon.socket_path) as client:
            first, second = ({key: (value, number) for key, value, number in
                              client.rows(f"SELECT k, v, n FROM t USING SCHEMA {schema} WHERE k >= '{prefix}' AND k < '{prefix}~'")}
                             for schema in ("t_p", "t_s"))
        support.equal(first, second)
        for key, (value, number) in first.items():
            support.equal(value, f"{key}={number}")
        found = {key: number for key, (_, number) in first.items()}
        expected = {key: number for key, number in self.expected.items() if key.startswith(prefix)}
        for key in [key for key in self.unknown if key.startswith(prefix)]:
            outcomes = self.unknown.pop(key)
            assert found.get(key) in outcomes, (key, found.get(key), outcomes)
            self.expected[key] = expected[key] = found.get(key)  # and so it stays
        support.equal(found, {key: number for key, number in expected.items() if number is not None})


class CrashOfBackfill(Crash):
    """A schema is added to a relation with tuples, and the daemon is killed while it is filled and tuples change."""

    def check_killed(self):
        daemon = self.start()
        with Client(daemon.socket_path) as client:
            changes.load(client, FILLED)
            changers = changes.start(daemon.port, FILLED)
            count = changes.begin_filling(client, "filled_s", FILLED, self.noted)
        self.await_changes(changers)
        daemon.process.kill()
        for changer in changers:
            changer.join(60)
        daemon.stop()
        self.check_going_on(changers, count)

    def noted(self):
        """How many tuples were put, according to the registry."""
        found = re.search(r"walk=primary tuples=(\d+)", (self.folder / "registry" / "definitions").read_text())
        return int(found.group(1)) if found else 0

    @staticmethod
    def await_changes(changers):
        """Every writer changes one more tuple."""
        limit = time.monotonic() + 60
        counts = [len(changer.known) for changer in changers]
        while any(len(changer.known) <= count for changer, count in zip(changers, counts)):
            assert time.monotonic() < limit, "the writers are stuck"
            time.sleep(0.01)

    def check_going_on(self, changers, count):
        daemon = self.start()
        with Client(daemon.socket_path) as client:
            before = changes.noted(client)
            assert before > 0, "what was noted is lost"
            n_put, warnings = changes.go_on(client)
            support.equal(warnings, [f"note: an earlier BACKFILL had put {before} tuples, and this one continues after them"])
            # each tuple is put by one of the two, since its row never moves in the primary
            assert before < n_put <= count, (before, n_put, count)
            support.equal(client.rows("VERIFY SCHEMA filled_s"), [])
            changes.check(client, changers, count)
        support.equal(daemon.stop(), 0)


def main():
    crash = Crash()
    backfill = CrashOfBackfill()
    try:
        return support.run([("/crash/definitions-survive", crash.check_define), ("/crash/writes-survive", crash.check_kills),
                            ("/crash/backfill-goes-on", backfill.check_killed)])
    except support.Skip as reason:
        support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
