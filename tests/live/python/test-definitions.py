#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Definitions shared through ZooKeeper, under load: how soon another kvsqld serves a change, which change wins
if two daemons change at once, and that statements continue while ZooKeeper is killed."""

import contextlib
import statistics
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, define, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

from client import Client, fails  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import ErrorCode, SqlError  # noqa: E402

ROUNDS = 20
LOST = (ErrorCode.ALREADY_EXISTS, ErrorCode.CONFLICT, ErrorCode.DEFINITION)
DEFINE_TIMEOUT_MS = 2000


def is_known(client, name):
    try:
        client.query(f"DESCRIBE {name}")
        return True
    except SqlError as error:
        if error.code == ErrorCode.UNKNOWN_NAME:
            return False
        raise


def status(client):
    return dict(client.rows("SHOW STATUS"))


class Load(threading.Thread):
    """Writes and reads one relation without a pause. Every failure counts."""

    def __init__(self, port, name):
        super().__init__()
        self.port, self.relation = port, name
        self.stopping = threading.Event()
        self.count, self.slowest, self.failure = 0, 0.0, None

    def run(self):
        try:
            with Client(("127.0.0.1", self.port)) as client:
                while not self.stopping.is_set():
                    start = time.monotonic()
                    client.query(f"INSERT INTO {self.relation} VALUES ('k{self.count % 100}', '{self.count}')")
                    support.equal(client.rows(f"SELECT v FROM {self.relation} WHERE k = 'k{self.count % 100}'"),
                                  [(str(self.count),)])
                    self.slowest = max(self.slowest, time.monotonic() - start)
                    self.count += 1
                    time.sleep(0.001)
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield
        finally:
            self.stopping.set()
            self.join()
        if self.failure is not None:
            raise self.failure
        print(f"# {self.count} pairs of INSERT and SELECT, the slowest {self.slowest * 1000:.0f} ms", flush=True)
        assert self.count > 10, self.count


def at_once(*calls):
    """Runs the calls at the same time. For each the exception, or None."""
    barrier = threading.Barrier(len(calls))
    raised = [None] * len(calls)

    def one(index):
        barrier.wait()
        try:
            calls[index]()
        except SqlError as error:
            raised[index] = error

    threads = [threading.Thread(target=one, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def one_loser(raised):
    support.equal(sum(each is None for each in raised), 1)
    loser, = (each for each in raised if each is not None)
    assert loser.code in LOST, loser
    return raised.index(loser)


class Definitions(Pair):
    def check_delay(self):
        """The time from the answer to a DEFINE until the other daemon serves it."""
        delays = []
        for number in range(ROUNDS):
            one, other = (self.first, self.second) if number % 2 else (self.second, self.first)
            define(one, f"seen{number}")
            delays.append(wait_for("it is served", lambda o=other, n=number: is_served(o, f"seen{n}"), SOON))
        print(f"# served by the other after {statistics.median(delays) * 1000:.1f} ms (median), "
              f"{max(delays) * 1000:.1f} ms (longest)", flush=True)

    def check_relation_race(self):
        """Two relations of one name: both daemons end with the winner's."""
        losers = [0, 0]
        for number in range(ROUNDS):
            raised = at_once(*(lambda c=client, i=index: c.query(
                f"DEFINE RELATION race{number} {{ k STRING KEY, side{i} INT }}")
                for index, client in enumerate((self.first, self.second))))
            loser = one_loser(raised)
            losers[loser] += 1
            for client in (self.first, self.second):
                wait_for("both serve the winner's", lambda c=client, n=number, w=1 - loser:
                         any(f"side{w}" in each for row in c.rows(f"DESCRIBE race{n}") for each in row if each), SOON)
        print(f"# lost: {losers[0]} by the one, {losers[1]} by the other", flush=True)

    def check_schema_race(self):
        """Two schemas of different names that would share cells: never both, though neither daemon saw the other's."""
        for number in range(ROUNDS):
            for side in "ab":
                self.first.query(f"DEFINE RELATION clash{number}{side} {{ k STRING KEY, v STRING }}")
            wait_for("both are known", lambda n=number: is_known(self.second, f"clash{n}b"), SOON)
            raised = at_once(*(lambda c=client, s=side: c.query(
                f"DEFINE PRIMARY SCHEMA clash{number}{s}_p FOR clash{number}{s} {{ TABLE 'clash{number}', ROW k, "
                "FAMILY 'f', QUALIFIER '', VALUE v }") for client, side in ((self.first, "a"), (self.second, "b"))))
            one_loser(raised)

    def check_killed(self):
        """While ZooKeeper is dead, reading and writing continue, DEFINE fails in time, and status says why. Then it recovers."""
        define(self.first, "loaded")
        wait_for("it is served", lambda: is_served(self.second, "loaded"), SOON)
        with Load(self.daemons[0].port, "loaded").running(), Load(self.daemons[1].port, "loaded").running():
            self.zookeeper.command("kill")
            for number, client in enumerate((self.first, self.second)):
                start = time.monotonic()
                error = fails(ErrorCode.UNAVAILABLE,
                              lambda c=client, n=number: c.query(f"DEFINE RELATION never{n} {{ k STRING KEY }}",
                                                                 timeoutMs=DEFINE_TIMEOUT_MS))
                took = time.monotonic() - start
                print(f"# DEFINE failed after {took * 1000:.0f} ms: {error.message}", flush=True)
                assert took < DEFINE_TIMEOUT_MS / 1000 + SOON, took
                assert "registry" in error.message or "ZooKeeper" in error.message, error
                wait_for("status says so", lambda c=client: status(c)["definitions can be changed"] == "no", 10)
                answer = status(client)["registry answers"]
                assert answer.startswith("no: "), answer
                print(f"# registry answers: {answer}", flush=True)
            self.zookeeper.command("restart")
            healed = [wait_for("it heals", lambda c=client: status(c)["definitions can be changed"] == "yes", 30)
                      for client in (self.first, self.second)]
            print(f"# healed after {healed[0]:.1f} and {healed[0] + healed[1]:.1f} s", flush=True)
            for number, client in enumerate((self.first, self.second)):
                define(client, f"healed{number}")
                support.equal(status(client)["registry answers"], "yes")
            wait_for("the other serves it", lambda: is_served(self.second, "healed0"), SOON)
            wait_for("the other serves it", lambda: is_served(self.first, "healed1"), SOON)

    def check_started_without(self):
        """A daemon that starts without ZooKeeper says so, and loads all definitions once ZooKeeper answers."""
        self.zookeeper.command("kill")
        daemon = support.Daemon(registry=self.zookeeper.url)
        with Client(("127.0.0.1", daemon.port)) as third:
            facts = status(third)
            support.equal(facts["definitions can be changed"], "no")
            assert facts["registry answers"].startswith("no: "), facts
            fails(ErrorCode.UNAVAILABLE, lambda: third.query("DEFINE RELATION never { k STRING KEY }",
                                                             timeoutMs=DEFINE_TIMEOUT_MS))
            self.zookeeper.command("restart")
            took = wait_for("it serves what was defined before", lambda: is_served(third, "loaded"), 30)
            print(f"# definitions arrived {took:.1f} s after ZooKeeper", flush=True)
            support.equal(status(third)["registry answers"], "yes")
            define(third, "late")
            wait_for("the others serve it", lambda: is_served(self.first, "late"), 10)
        support.equal(daemon.stop(), 0)

    def check_agreement(self):
        """In the end both daemons have the same definitions."""
        wait_for("both have them", lambda: is_served(self.second, "late"), 10)
        support.equal(sorted(self.first.rows("SHOW SCHEMAS")), sorted(self.second.rows("SHOW SCHEMAS")))
        support.equal(sorted(self.first.rows("SHOW RELATIONS")), sorted(self.second.rows("SHOW RELATIONS")))
        self.stop_daemons()


def main():
    return run(Definitions, lambda pair: [
        ("/definitions/delay", pair.check_delay),
        ("/definitions/race-of-relations", pair.check_relation_race),
        ("/definitions/race-of-schemas", pair.check_schema_race),
        ("/definitions/zookeeper-killed-under-load", pair.check_killed),
        ("/definitions/started-without-zookeeper", pair.check_started_without),
        ("/definitions/agreement", pair.check_agreement),
    ])


if __name__ == "__main__":
    sys.exit(main())
