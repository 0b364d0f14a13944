#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""SET verified_reads in PostgreSQL's protocol: each SELECT of a relation with checked writes on HBase looks at the anchors."""

import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "daemon" / "postgres")]
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")

import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position

DEFINITIONS = (
    "DEFINE RELATION r { k INT KEY, v INT } WITH (writes = checked)",
    "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r_k', ROW text(2){k}, FAMILY 'f', VALUE text(2){v} }",
    "INSERT INTO r VALUES (1, 10), (2, 20)",
    "DEFINE RELATION p { k INT KEY, v INT } WITH (writes = plain)",
    "DEFINE PRIMARY SCHEMA p_k FOR p { TABLE 'p_k', ROW text(2){k}, FAMILY 'f', VALUE text(2){v} }",
)
PLAN = "EXPLAIN SELECT v FROM r"


def start():
    url = os.environ["KVSQL_TEST_HBASE_URL"]
    return Server(store=f"{url}{'&' if '?' in url else '?'}namespace=verified{os.getpid()}")


def is_verified(peer):
    return any("verified: anchors" in line for line, in peer.rows(PLAN))


def check_setting(server):
    with wire.Peer(server.address) as peer:
        for definition in DEFINITIONS:
            peer.rows(definition)
        support.equal(is_verified(peer), False)
        peer.rows("SET verified_reads = on")
        support.equal(is_verified(peer), True)
        support.equal(sorted(peer.rows("SELECT k, v FROM r")), [["1", "10"], ["2", "20"]])
        support.equal([fields["C"] for kind, fields in peer.ask(wire.query("SELECT v FROM p")) if kind == "E"], ["42000"])
        peer.rows("RESET verified_reads")
        support.equal(peer.rows("SELECT v FROM p"), [])
        support.equal(is_verified(peer), False)


def main():
    server = start()
    return support.run([("/verified-setting/set", lambda: check_setting(server)),
                        ("/verified-setting/stop", lambda: support.equal(server.stop(), 0))])


if __name__ == "__main__":
    sys.exit(main())
