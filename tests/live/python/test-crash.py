#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqld on RocksDB, killed with SIGKILL while it writes: nothing acknowledged is lost, nothing is torn."""

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

ROUNDS = 5
WRITERS = 3
MIN_ROWS = 50  # each writer has at least so many acknowledged before the kill
FILLED = 200000  # tuples of the relation to which a schema is added, at first


class Writer(threading.Thread):
    """Inserts until its daemon dies; knows what was acknowledged, and what was under way."""

    def __init__(self, port, number):
        super().__init__()
        self.client = Client(("127.0.0.1", port))
        self.name = f"w{number}"
        self.acknowledged = 0

    def run(self):
        try:
            while True:
                key = f"{self.name}-{self.acknowledged}"
                self.client.query(f"INSERT INTO t VALUES ('{key}', 'value of {key}', {self.acknowledged})")
                self.acknowledged += 1
        except (TTransportException, OSError, EOFError):
            pass


class Crash:
    """One folder, many daemons after each other."""

    def __init__(self):
        self.folder = support.temporary_folder("crash")
        self.expected = {}  # writer -> acknowledged rows

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

    def check_round(self, number):
        daemon = self.start()
        writers = [Writer(daemon.port, f"{number}-{index}") for index in range(WRITERS)]
        for writer in writers:
            writer.start()
        limit = time.monotonic() + 60
        while min(writer.acknowledged for writer in writers) < MIN_ROWS:
            assert time.monotonic() < limit, "the writers are stuck"
            time.sleep(0.01)
        daemon.process.kill()
        for writer in writers:
            writer.join(60)
            self.expected[writer.name] = writer.acknowledged
        daemon.stop()
        self.check_contents()

    def check_contents(self):
        daemon = self.start()
        with Client(daemon.socket_path) as client:
            tables = [dict((key, (value, number)) for key, value, number in
                           client.rows(f"SELECT k, v, n FROM t USING SCHEMA {schema}")) for schema in ("t_p", "t_s")]
        support.equal(tables[0], tables[1])
        for key, (value, number) in tables[0].items():
            support.equal((key, value), (f"{key.rsplit('-', 1)[0]}-{number}", f"value of {key}"))
        for name, count in self.expected.items():
            lost = [number for number in range(count) if f"{name}-{number}" not in tables[0]]
            support.equal(lost, [])
        support.equal(daemon.stop(), 0)


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
        """How many tuples the registry knows to be put."""
        found = re.search(r"walk=primary tuples=(\d+)", (self.folder / "registry" / "definitions").read_text())
        return int(found.group(1)) if found else 0

    @staticmethod
    def await_changes(changers):
        """Everybody changes one more."""
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
            support.equal(warnings, [f"note: an earlier BACKFILL had put {before} tuples, and this one goes on behind them"])
            # each tuple is put by one of the two, since its row never moves in the primary
            assert before < n_put <= count, (before, n_put, count)
            support.equal(client.rows("VERIFY SCHEMA filled_s"), [])
            changes.check(client, changers, count)
        support.equal(daemon.stop(), 0)


def main():
    crash = Crash()
    backfill = CrashOfBackfill()
    try:
        return support.run([("/crash/definitions-survive", crash.check_define)] + [
            (f"/crash/writes-survive/{number}", lambda n=number: crash.check_round(n)) for number in range(ROUNDS)] + [
                ("/crash/backfill-goes-on", backfill.check_killed)])
    except support.Skip as reason:
        support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
