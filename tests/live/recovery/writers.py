# SPDX-License-Identifier: LGPL-2.1-or-later
"""writers.py: one kvsqld that lives, and others that are killed at a request, on one HBase."""

import os
import re
import time

import support
import thrift2
from client import Client, SqlError
from killing_relay import KillingRelay
from pair import ZooKeeper, wait_for

STARTED = 60  # s: many start at once
AFTER_ANSWER = 2  # s, a daemon needs at most for its last requests


def is_done(client, statement):
    """A daemon that has just started may have to wait for its slot, and HBase may repeat a request while it moves a region."""
    try:
        client.query(statement)
    except SqlError as error:
        if error.sqlstate not in ("08006", "40003"):
            raise
        return False
    return True


class Writers:
    """@definitions: what they write. @probes: statements by which a daemon shows that it can write."""

    def __init__(self, name, definitions, probes, configuration):
        self.definitions, self.probes, self.configuration = definitions, probes, configuration
        self.zookeeper = ZooKeeper()
        url = os.environ["KVSQL_TEST_HBASE_URL"]
        self.namespace = f"{name}{os.getpid()}"
        self.url = f"{url}{'&' if '?' in url else '?'}namespace={self.namespace}"
        self.port = int(re.search("//[^:/]*:([0-9]*)", url)[1])
        self.gateway_url = url
        self.daemon = self.start(self.url)
        for definition in definitions:
            self.survivor().query(definition)

    def start(self, url):
        return support.Daemon(store=url, registry=self.zookeeper.url, configuration=self.configuration)

    def survivor(self):
        return Client(("127.0.0.1", self.daemon.port))

    def start_writer(self):
        """A daemon with a relay before its gateway, which has written already: so it knows its gateways and tables."""
        relay = KillingRelay(self.port)
        daemon = self.start(self.url.replace(f":{self.port}", f":{relay.port}"))
        n_schemas = sum("SCHEMA" in definition for definition in self.definitions)
        with Client(("127.0.0.1", daemon.port)) as client:
            wait_for("it serves the relations", lambda: len(client.rows("SHOW SCHEMAS")) == n_schemas, STARTED)
            wait_for("it writes", lambda: self.has_written(client), STARTED)
            time.sleep(AFTER_ANSWER / 4)  # for the rest of that write
        return daemon, relay

    def has_written(self, client):
        return all(is_done(client, probe) for probe in self.probes)

    def read(self, table):
        """All cells of a table, read without kvsqld (thrift2.py). The gateway closes connections that are idle for a minute."""
        hbase = thrift2.HBase(self.gateway_url)
        cells = hbase.cells(f"{self.namespace}:{table}".encode())
        hbase.close()
        return cells

    def cells(self, table):
        """The (row, value) of all cells of a table."""
        return [(row, value) for (row, _, _), (value, _) in self.read(table).items()]

    def close(self):
        self.zookeeper.command("stop")


def kill(daemon):
    daemon.process.kill()
    daemon.process.wait()
