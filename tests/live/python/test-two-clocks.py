#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two kvsqld on one ZooKeeper and one HBase whose machines' clocks are two minutes apart, and are set back and
forth: the later write is always read."""

import os
import random
import sys
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from clocks import LIBRARIES, Clock  # noqa: E402 pylint: disable=wrong-import-position
from relay import Relay  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

from client import Client  # noqa: E402 pylint: disable=wrong-import-position
from pair import Pair, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = float(os.environ.get("KVSQL_TEST_SECONDS", "10"))
SEED = int(os.environ.get("KVSQL_TEST_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 31)
KEYS = 5
# s, the delay of answers of the registry, as with busy disks: the registry syncs before it answers.
SLOW = 0.4


def store():
    """A separate namespace."""
    url = os.environ["KVSQL_TEST_HBASE_URL"]
    return f"{url}{'&' if '?' in url else '?'}namespace=clock{os.getpid()}"


class TwoClocks(Pair):
    def __init__(self):
        if not LIBRARIES:
            raise support.Skip("libfaketime is not installed")
        self.clocks = [Clock(60), Clock(-60)]
        super().__init__(store(), wrappers=[clock.wrapper for clock in self.clocks])
        self.first.query("DEFINE RELATION t { k INT KEY, v INT, w STRING } WITH (writes = plain)")
        self.first.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 't', ROW fixed(4){k}, FAMILY 'f', QUALIFIER attr_name[k], "
                         "VALUE attr_value[k] }")
        wait_for("the other daemon serves it", lambda: is_served(self.second, "t"), 10)
        print(f"# seed {SEED}", flush=True)

    def check_clocks(self):
        """Checks that the daemons' clocks are those that the test has set."""
        times = [client.rows("SELECT now()")[0][0] for client in (self.first, self.second)]
        assert times[0] - times[1] > 100000, times

    def status(self):
        """The daemons' bounds of the common time."""
        return [dict(client.rows("SHOW STATUS")).get("common clock") for client in (self.first, self.second)]

    def write(self, chance, client, model, number):
        """One random write, and the same in @model."""
        key = chance.randrange(KEYS)
        kind = chance.choice(("insert", "insert", "insert-null", "update", "delete"))
        if kind.startswith("insert"):
            text = None if kind == "insert-null" else f"w{number}"
            client.query(f"INSERT INTO t VALUES ({key}, {number}, {'NULL' if text is None else repr(text)})")
            model[key] = (number, text)
        elif kind == "update":
            client.query(f"UPDATE t SET v = {number} WHERE k = {key}")
            if key in model:
                model[key] = (number, model[key][1])
        else:
            client.query(f"DELETE FROM t WHERE k = {key}")
            model.pop(key, None)
        return kind, key

    def play(self, seconds, disturb):
        chance = random.Random(SEED)
        clients = (self.first, self.second)
        model, said = {row[0]: row[1:] for row in self.first.rows("SELECT k, v, w FROM t")}, []
        end = time.monotonic() + seconds
        number = 0
        while time.monotonic() < end:
            number += 1
            index = chance.randrange(2)
            said.append((number, index, *self.write(chance, clients[index], model, number)))
            disturb(chance, number)
            found = {row[0]: row[1:] for row in clients[chance.randrange(2)].rows("SELECT k, v, w FROM t")}
            assert found == model, f"seed {SEED}: got {found}, expected {model}, after {said[-6:]}, {self.status()}"
        print(f"# {number} writes", flush=True)

    def check_apart(self):
        """A random daemon writes next, without a pause."""
        self.play(SECONDS, lambda chance, number: None)

    def check_set(self):
        """Their clocks are set back and forth while they write."""
        def disturb(chance, number):
            if number % 20 == 0:
                chance.choice(self.clocks).set(chance.choice((-3600, -60, -1, 0, 1, 60, 3600)))
        self.play(SECONDS, disturb)

    def restart(self, registry):
        self.stop_daemons()
        self.daemons = [support.Daemon(store=store(), registry=registry, wrapper=clock.wrapper) for clock in self.clocks]
        self.first, self.second = (Client(("127.0.0.1", daemon.port)) for daemon in self.daemons)

    def check_slow(self):
        """From the start their bounds of the common time are wide."""
        port = int(self.zookeeper.url.split(":")[2].split("/")[0])
        relay = Relay(port)
        relay.delay = SLOW
        self.restart(self.zookeeper.url.replace(f":{port}", f":{relay.port}"))
        self.play(SECONDS, lambda chance, number: None)
        relay.delay = 0

    def check_restart(self):
        """All end and start again with clocks that are an hour slow."""
        self.first.query("INSERT INTO t VALUES (0, 1, 'before')")
        for clock in self.clocks:
            clock.set(-3600)
        self.restart(self.zookeeper.url)
        self.second.query("INSERT INTO t VALUES (0, 2, 'after')")
        support.equal(self.first.rows("SELECT v, w FROM t WHERE k = 0"), [(2, "after")])

    def check_killed(self):
        """One is killed, the registry is restarted, and another one starts with a very slow clock."""
        self.second.query("INSERT INTO t VALUES (0, 3, 'before')")
        self.daemons[0].process.kill()
        self.zookeeper.command("restart")
        daemon = support.Daemon(store=store(), registry=self.zookeeper.url, wrapper=self.clocks[0].wrapper)
        with Client(("127.0.0.1", daemon.port)) as third:
            wait_for("it serves", lambda: is_served(third, "t"), 30)
            for number in range(20):
                client = (third, self.second)[number % 2]
                client.query(f"INSERT INTO t VALUES (0, {number}, 'x')")
                support.equal(third.rows("SELECT v FROM t WHERE k = 0"), [(number,)])
        support.equal(daemon.stop(), 0)


def main():
    return run(TwoClocks, lambda pair: [
        ("/two-clocks/are-apart", pair.check_clocks),
        ("/two-clocks/two-minutes-apart", pair.check_apart),
        ("/two-clocks/set-back-and-forth", pair.check_set),
        ("/two-clocks/slow-registry", pair.check_slow),
        ("/two-clocks/set-back-while-none-runs", pair.check_restart),
        ("/two-clocks/killed", pair.check_killed),
    ])


if __name__ == "__main__":
    sys.exit(main())
