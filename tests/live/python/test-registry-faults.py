#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two kvsqld on a ZooKeeper of three servers, under a load of statements and of definitions, while servers are
killed, paused and restarted, the majority is lost, and a daemon sleeps until its session is over.

Statements never fail. A change of definitions succeeds, loses against another one, or fails in time with the reason. At
the end both daemons have the same definitions, with every acknowledged change once, and no change that failed.

KVSQL_TEST_FAULT_SECONDS: the time of random faults, after each fault once. KVSQL_TEST_SEED: chooses them.
"""

import os
import random
import signal
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, define, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

from client import Client  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import ErrorCode, SqlError  # noqa: E402

SECONDS = float(os.environ.get("KVSQL_TEST_FAULT_SECONDS") or 0)
TIMEOUT_MS = 3000
# ms: of the socket; longer than any sleep of a daemon.
STATEMENT_TIMEOUT_MS = 60000
SESSION = 10
HEALED = 40
LOST = (ErrorCode.CONFLICT, ErrorCode.ALREADY_EXISTS)
AWAY = (ErrorCode.UNAVAILABLE, ErrorCode.DEADLINE)
# Changes of the relation that both change: few enough for its history of 100 versions.
SHARED = 40


def is_away(values):
    """In one status: a daemon may find the last server for a moment, before that server misses the others."""
    return values["definitions can be changed"] == "no" and values["registry answers"].startswith("no: ")


class Load(threading.Thread):
    """An operation that is repeated through one daemon, and must not fail."""

    def __init__(self, daemon):
        super().__init__()
        self.daemon_process = daemon
        self.stopping = threading.Event()
        self.count, self.failure = 0, None

    def run(self):
        try:
            with Client(("127.0.0.1", self.daemon_process.port), timeout_ms=STATEMENT_TIMEOUT_MS) as client:
                while not self.stopping.is_set():
                    self.step(client)
                    self.count += 1
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def finish(self):
        self.stopping.set()
        self.join()
        if self.failure is not None:
            raise self.failure

    def step(self, client):
        raise NotImplementedError


class Statements(Load):
    def step(self, client):
        key = f"k{self.count % 100}"
        client.query(f"INSERT INTO loaded VALUES ('{key}', '{self.count}')")
        support.equal(client.rows(f"SELECT v FROM loaded WHERE k = '{key}'"), [(str(self.count),)])
        time.sleep(0.002)


class Definer(Load):
    """Defines relations of its own, and adds attributes to one that the other daemon changes, too."""

    def __init__(self, daemon, letter):
        super().__init__(daemon)
        self.letter = letter
        self.done, self.unknown, self.failed, self.lost = set(), set(), set(), 0
        self.slept = 0.0  # s: how long the daemon has slept in all

    def attempt(self, client, name, sql):
        """Runs an operation and records its outcome under a name."""
        slept, start = self.slept, time.monotonic()
        try:
            client.query(sql, timeoutMs=TIMEOUT_MS)
            self.done.add(name)
        except SqlError as error:
            assert error.message, error
            if error.code == ErrorCode.UNKNOWN_OUTCOME:
                self.unknown.add(name)
            elif error.code in AWAY + LOST:
                self.failed.add(name)
                self.lost += error.code in LOST
            else:
                raise
        took = time.monotonic() - start - (self.slept - slept)
        assert took < TIMEOUT_MS / 1000 + SOON, f"{sql}: {took:.1f} s"

    def step(self, client):
        name = f"{self.letter}{self.count}"
        self.attempt(client, name, f"DEFINE RELATION {name} {{ k STRING KEY }}")
        if self.count % 3 == 0 and len(self.done | self.unknown) < 10000 and self.count // 3 < SHARED:
            self.attempt(client, f"shared.{name}", f"ALTER RELATION shared ADD {name} INT")
        # Slowly at first, so that the shared relation is changed until the end.
        time.sleep(0.15)


def status(client):
    return dict(client.rows("SHOW STATUS"))


def all_definitions(client):
    return sorted(row[0] for name in client.rows("SHOW RELATIONS") for row in client.rows(f"SHOW CREATE {name[0]}"))


class Faults(Pair):
    def __init__(self):
        super().__init__(servers=3)
        self.random = random.Random(support.seed())
        self.loads, self.definers = [], []
        self.began = time.monotonic()

    def start(self):
        define(self.first, "loaded")
        self.first.query("DEFINE RELATION shared { k STRING KEY }")
        for client in (self.first, self.second):
            wait_for("both serve the relations", lambda c=client: is_served(c, "loaded") and len(c.rows("SHOW RELATIONS")) == 2,
                     SOON)
        self.definers = [Definer(daemon, letter) for daemon, letter in zip(self.daemons, "ab")]
        self.loads = self.definers + [Statements(daemon) for daemon in self.daemons]
        for load in self.loads:
            load.start()

    def healed(self):
        """Both daemons can change definitions again, and each sees what the other defines."""
        took = [wait_for("it heals", lambda c=client: status(c)["definitions can be changed"] == "yes", HEALED)
                for client in (self.first, self.second)]
        for definer in self.definers:
            before = len(definer.done)
            wait_for(f"definitions succeed again at {definer.letter}",
                     lambda d=definer, b=before: len(d.done) > b or d.failure is not None, HEALED)
        for load in self.loads:
            assert load.failure is None, load.failure
        print(f"# healed after {sum(took):.1f} s, {time.monotonic() - self.began:.0f} s since the start; done {[len(d.done) for d in self.definers]}, lost "
              f"{[d.lost for d in self.definers]}, failed {[len(d.failed) for d in self.definers]}, unknown "
              f"{[len(d.unknown) for d in self.definers]}", flush=True)

    # ---- what happens to servers

    def one_killed(self):
        number = self.random.randint(1, 3)
        self.zookeeper.command("kill", number)
        self.healed()
        self.zookeeper.command("restart", number)
        self.healed()

    def majority_lost(self):
        lost = self.random.sample((1, 2, 3), 2)
        self.zookeeper.command("kill", *lost)
        for client in (self.first, self.second):
            wait_for("status says so", lambda c=client: is_away(status(c)), 2 * SESSION)
        self.zookeeper.command("restart", *lost)
        self.healed()

    def one_by_one(self):
        for number in self.random.sample((1, 2, 3), 3):
            self.zookeeper.command("restart", number)
        self.healed()

    def all_restarted(self):
        self.zookeeper.command("restart")
        self.healed()

    def one_silent(self):
        number = self.random.randint(1, 3)
        self.zookeeper.command("pause", number)
        try:
            self.healed()
        finally:
            self.zookeeper.command("resume", number)
        self.healed()

    @staticmethod
    def count_daemons(client):
        """None: ZooKeeper does not answer, as a server may still be busy after an earlier fault."""
        try:
            return len(client.rows("SHOW DAEMONS"))
        except SqlError as error:
            if error.code != ErrorCode.UNAVAILABLE:
                raise
            return None

    def daemon_sleeps(self):
        """For longer than its session lasts: the daemon disappears from the list, and returns with another session."""
        index = self.random.randint(0, 1)
        asleep, awake = self.daemons[index], (self.second, self.first)[index]
        # A session that an earlier fault has ended is listed until its time is over.
        wait_for("earlier sessions are over", lambda: self.count_daemons(awake) == 2, 4 * SESSION)
        before = {name for name, _, _ in awake.rows("SHOW DAEMONS")}
        support.equal(len(before), 2)
        start = time.monotonic()
        asleep.process.send_signal(signal.SIGSTOP)
        try:
            wait_for("its session is over", lambda: self.count_daemons(awake) == 1, 4 * SESSION)
        finally:
            asleep.process.send_signal(signal.SIGCONT)
            self.definers[index].slept += time.monotonic() - start + SOON
        wait_for("it is back", lambda: self.count_daemons(awake) == 2, HEALED)
        after = {name for name, _, _ in awake.rows("SHOW DAEMONS")}
        support.equal(len(before & after), 1)
        self.healed()

    def at_random(self):
        """As many faults as there is time for."""
        faults = [self.one_killed, self.majority_lost, self.one_by_one, self.all_restarted, self.one_silent,
                  self.daemon_sleeps]
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            fault = self.random.choice(faults)
            print(f"# {fault.__name__}", flush=True)
            fault()

    # ---- at the end

    def check_agreement(self):
        """Both daemons have every change once, and no change that failed."""
        for load in self.loads:
            load.finish()
        epochs = lambda: [status(client)["epoch of the definitions"] for client in (self.first, self.second)]  # noqa: E731
        wait_for("both serve the same epoch", lambda: len(set(epochs())) == 1, SOON)
        support.equal(all_definitions(self.first), all_definitions(self.second))
        wait_for("both have acknowledged it", lambda: {(epoch, state) for _, epoch, state in self.first.rows("SHOW DAEMONS")}
                 == {(epochs()[0], "ok")}, SOON)

        relations = {row[0] for row in self.second.rows("SHOW RELATIONS")} - {"loaded", "shared"}
        attributes = {f"shared.{row[0]}" for row in self.second.rows("DESCRIBE shared")} - {"shared.k"}
        found = relations | attributes
        done, unknown, failed = (set().union(*(getattr(d, kind) for d in self.definers)) for kind in ("done", "unknown", "failed"))
        assert done <= found, f"lost: {done - found}"
        assert found <= done | unknown, f"there though it failed: {(found - done - unknown) & failed}"

    def check_history(self):
        """A version for each change, with the daemon that made it."""
        rows = self.first.rows("SHOW HISTORY FOR shared")
        support.equal(rows, self.second.rows("SHOW HISTORY FOR shared"))
        versions = [int(row[0]) for row in rows]
        support.equal(versions, sorted(set(versions)))
        added = [row[7].split()[-2] for row in rows[1:]]
        support.equal(sorted(added), sorted({row[0] for row in self.first.rows("DESCRIBE shared")} - {"k"}))
        support.equal({row[5] for row in rows}, {"127.0.0.1"})
        assert len({row[6] for row in rows[1:]}) == 2, "one daemon has changed nothing"
        self.stop_daemons()


def main():
    return run(Faults, lambda faults: [
        ("/registry-faults/load", faults.start),
        ("/registry-faults/one-server-killed", faults.one_killed),
        ("/registry-faults/majority-lost", faults.majority_lost),
        ("/registry-faults/servers-restarted-one-by-one", faults.one_by_one),
        ("/registry-faults/all-servers-restarted", faults.all_restarted),
        ("/registry-faults/one-server-silent", faults.one_silent),
        ("/registry-faults/daemon-sleeps-beyond-its-session", faults.daemon_sleeps),
        *([("/registry-faults/at-random", faults.at_random)] if SECONDS > 0 else []),
        ("/registry-faults/agreement", faults.check_agreement),
        ("/registry-faults/history", faults.check_history),
    ])


if __name__ == "__main__":
    sys.exit(main())
