#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A registry in ZooKeeper that others may read or write is reported, where clients log in."""

import base64
import hashlib
import os
import sys
import time

sys.dont_write_bytecode = True
import support
from pair import zookeeper_shell
from client import Client

OWN = "digest:kvsql:secret"
HASH = base64.b64encode(hashlib.sha1(b"kvsql:secret").digest()).decode()
WARNING = "the registry is open to others, who may read or make roles: "
ROOT = f"/kvsql/open-{os.getpid()}"
URL = os.environ["KVSQL_TEST_ZOOKEEPER_URL"].rstrip("/") + ROOT


def start(url, *options):
    return support.Daemon(registry=url, options=options)


def with_log_in(url):
    folder = support.temporary_folder("auth")
    (folder / "auth").write_text(OWN + "\n")
    (folder / "auth").chmod(0o600)
    return start(f"{url}?auth_file={folder}/auth", "--listen=tcp://127.0.0.1:0?auth=scram")


def make_role(daemon):
    with Client(daemon.socket_path) as client:
        client.query("CREATE ROLE ann LOGIN PASSWORD 'x'")


def warnings(daemon, seconds=20):
    """The texts of its warnings, as soon as there is one, or after that time."""
    end = time.monotonic() + seconds
    found = []
    while not found and time.monotonic() < end:
        found = [line.split(WARNING)[1] for line in daemon.log.read_text().splitlines() if WARNING in line]
        time.sleep(0.1)
    return found


def test_open_registry():
    """It was made without auth_file; the daemon that has one now makes no difference to its nodes."""
    url = URL + "/old"
    old = start(url)
    make_role(old)
    support.equal(warnings(old, 2), [])  # no client logs in there
    old.stop()
    own = with_log_in(url)
    found = warnings(own)
    support.equal(len(found), 1)
    for node in ("", "/roles", "/relations"):
        assert f"{ROOT}/old{node} (everyone may read and write)" in found[0], found
    assert " more" in found[0], found
    support.equal(own.stop(), 0)


def test_closed_registry():
    url = URL + "/new"
    own = with_log_in(url)
    make_role(own)
    support.equal(own.stop(), 0)
    own = with_log_in(url)
    support.equal(warnings(own, 4), [])
    support.equal(own.stop(), 0)


def test_single_nodes():
    url = URL + "/single"
    own = start(url)
    make_role(own)
    own.stop()
    for node in ("", "/roles", "/relations", "/schemas", "/backfills", "/history", "/epoch", "/daemons"):
        zookeeper_shell(url, "setAcl", node, f"digest:kvsql:{HASH}:cdrwa")
    zookeeper_shell(url, "setAcl", "/roles/ann", "world:anyone:r")
    own = with_log_in(url)
    found = warnings(own)
    support.equal(len(found), 1)
    assert f"{ROOT}/single/roles/ann (everyone may read)" in found[0] and f"{ROOT}/single/roles (" not in found[0], found
    support.equal(own.stop(), 0)


TESTS = [test_open_registry, test_closed_registry, test_single_nodes]

if __name__ == "__main__":
    sys.exit(support.run([("/open-registry/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS]))
