#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Two kvsqld on one ZooKeeper: each serves the definitions of the other, and both keep running without the ZooKeeper."""

import sys
import threading

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from pair import SOON, Pair, define, is_served, run, wait_for  # noqa: E402 pylint: disable=wrong-import-position

from client import Client, fails  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import ErrorCode, SqlError  # noqa: E402


def is_writable(client):
    return client.call.hello(1, "test-two-daemons.py").definitionsWritable


class TwoDaemons(Pair):
    def check_seen(self):
        """The other daemon serves a definition soon."""
        define(self.first, "seen")
        wait_for("the other daemon serves a new relation", lambda: is_served(self.second, "seen"), SOON)
        self.second.query("INSERT INTO seen VALUES ('x', 'y')")
        support.equal(self.second.rows("SELECT v FROM seen WHERE k = 'x'"), [("y",)])

        self.second.query("DROP RELATION seen")
        wait_for("a dropped relation is gone", lambda: not is_served(self.first, "seen"), SOON)

    def check_race(self):
        """Of two definitions of one name at the same time one wins; the other fails."""
        for number in range(10):
            outcomes = [None, None]

            def define_one(index, client, name=f"race{number}"):
                try:
                    client.query(f"DEFINE RELATION {name} {{ k STRING KEY, side{index} INT }}")
                    outcomes[index] = "won"  # pylint: disable=cell-var-from-loop
                except SqlError as error:
                    outcomes[index] = error  # pylint: disable=cell-var-from-loop

            threads = [threading.Thread(target=define_one, args=each) for each in enumerate((self.first, self.second))]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            support.equal(outcomes.count("won"), 1)
            loser, = (each for each in outcomes if each != "won")
            assert loser.code in (ErrorCode.ALREADY_EXISTS, ErrorCode.CONFLICT), loser

    def check_away(self):
        """Without ZooKeeper reading and writing continue, definitions cannot change, and status says so. It recovers by itself."""
        define(self.first, "away")
        wait_for("the other daemon serves it", lambda: is_served(self.second, "away"), SOON)
        self.zookeeper.command("kill")

        for client in (self.first, self.second):
            wait_for("status says that definitions cannot change", lambda c=client: not is_writable(c), 30)
            client.query("INSERT INTO away VALUES ('k', 'v')")
            support.equal(client.rows("SELECT v FROM away WHERE k = 'k'"), [("v",)])
            error = fails(ErrorCode.UNAVAILABLE, client.query, "DEFINE RELATION never { k STRING KEY }")
            assert "registry" in error.message or "ZooKeeper" in error.message, error
        assert self.first.call.hello(1, "").message, "status does not say what is wrong"

        self.zookeeper.command("restart")
        for client in (self.first, self.second):
            wait_for("it heals", lambda c=client: is_writable(c), 60)
        define(self.second, "healed")
        wait_for("the other daemon serves it", lambda: is_served(self.first, "healed"), SOON)

    def check_closed(self):
        """A daemon without credentials cannot use the nodes of a user, and its error says what to do. No message has the password."""
        url = self.zookeeper.url + "/closed"
        daemons = [support.Daemon(registry=url + "?auth=digest:ada:s3cret"), support.Daemon(registry=url)]
        mine, shut_out = (Client(("127.0.0.1", daemon.port)) for daemon in daemons)
        define(mine, "closed")
        facts = dict(mine.rows("SHOW STATUS"))
        support.equal(facts["registry answers"], "yes")
        support.equal(facts["registry"], url + "?auth=***")
        wait_for("status says what to do", lambda: "add ?auth_file=FILE" in dict(shut_out.rows("SHOW STATUS"))["registry answers"],
                 SOON)
        support.equal(is_served(shut_out, "closed"), False)
        for daemon in daemons:
            support.equal(daemon.stop(), 0)
            assert "s3cret" not in daemon.log.read_text(), daemon.log.read_text()

    def check_away_at_start(self):
        """A daemon starts without ZooKeeper, and loads the definitions once it answers."""
        self.zookeeper.command("kill")
        daemon = support.Daemon(registry=self.zookeeper.url)
        with Client(("127.0.0.1", daemon.port)) as third:
            support.equal(is_writable(third), False)
            self.zookeeper.command("restart")
            wait_for("it heals", lambda: is_writable(third), 60)
            wait_for("it serves what was defined before", lambda: is_served(third, "healed"), 30)
        support.equal(daemon.stop(), 0)


def main():
    return run(TwoDaemons, lambda pair: [
        ("/two-daemons/definitions-are-seen-within-a-second", pair.check_seen),
        ("/two-daemons/one-of-two-definitions-wins", pair.check_race),
        ("/two-daemons/nodes-of-a-user", pair.check_closed),
        ("/two-daemons/zookeeper-away", pair.check_away),
        ("/two-daemons/zookeeper-away-at-start", pair.check_away_at_start),
        ("/two-daemons/stop", pair.stop_daemons),
    ])


if __name__ == "__main__":
    sys.exit(main())
