# SPDX-License-Identifier: LGPL-2.1-or-later
"""pair.py: two kvsqld on one ZooKeeper, for the tests of definitions that are shared.

Skips the whole program without KVSQL_TEST_ZOOKEEPER_URL.
"""

import os
import subprocess
import sys
import time

import support

if not os.environ.get("KVSQL_TEST_ZOOKEEPER_URL"):
    support.skip_all("KVSQL_TEST_ZOOKEEPER_URL is not set; see CONTRIBUTING.md")

from client import Client  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import ErrorCode, SqlError  # noqa: E402

SERVER = support.TOP_SOURCE / "tests" / "live" / "zookeeper"


class ZooKeeper:
    """A separate ZooKeeper of one server or several, as the test kills it."""

    def __init__(self, servers=1):
        self.folder = support.temporary_folder("zookeeper")
        self.url = self.command("start", f"--servers={servers}") + "/kvsql/test"

    def command(self, verb, *more):
        return subprocess.run([sys.executable, str(SERVER), verb, str(self.folder), *map(str, more)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout.strip()

    def shell(self, *words):
        """Executes a command of zkCli, whose paths are below the registry's root; returns what it prints."""
        return zookeeper_shell(self.url, *words)


def zookeeper_shell(url, verb, path, *words):
    servers, _, root = url.removeprefix("zookeeper://").partition("/")
    return subprocess.run(["java", "-cp", "/usr/share/java/*", "org.apache.zookeeper.ZooKeeperMain", "-server", servers,
                           verb, f"/{root}{path}", *words], check=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


class Pair:
    """Two daemons that share their definitions; with "memory:" each has a store of its own."""

    def __init__(self, store="memory:", second_store=None, servers=1, wrappers=((), ())):
        self.zookeeper = ZooKeeper(servers)
        self.daemons = [support.Daemon(store=each, registry=self.zookeeper.url, wrapper=wrapper)
                        for each, wrapper in zip((store, second_store or store), wrappers)]
        self.first, self.second = (Client(("127.0.0.1", daemon.port)) for daemon in self.daemons)
        for client in (self.first, self.second):
            client.query("SHOW STATUS")  # a connection that has sent nothing is closed after a while

    def stop_daemons(self):
        for daemon in self.daemons:
            support.equal(daemon.stop(), 0)


def run(kind, tests):
    """@kind: a Pair; @tests: returns the (name, test) pairs of a Pair."""
    pair = None
    try:
        pair = kind()
        return support.run(tests(pair))
    except support.Skip as reason:
        support.skip_all(str(reason))
    finally:
        if pair is not None:
            pair.zookeeper.command("stop")


# s: the other daemon serves a new definition within a second, if the machine is not too busy.
SOON = 10


def wait_for(what, condition, seconds):
    """Waits, and returns how long it took."""
    start = time.monotonic()
    while not condition():
        if time.monotonic() > start + seconds:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.005)
    return time.monotonic() - start


def define(client, name):
    client.query(f"DEFINE RELATION {name} {{ k STRING KEY, v STRING }}")
    client.query(f"DEFINE PRIMARY SCHEMA {name}_p FOR {name} {{ TABLE '{name}', ROW k, FAMILY 'f', "
                 "QUALIFIER '', VALUE v }")


def is_served(client, name):
    try:
        client.query(f"SELECT * FROM {name} LIMIT 1")
        return True
    except SqlError as error:
        if error.code in (ErrorCode.UNKNOWN_NAME, ErrorCode.INVALID, ErrorCode.UNAVAILABLE):
            return False
        raise
