#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pgbench runs on kvsqld, in each of its protocols: TPC-B changes four tables, whose sums stay equal.

pgbench adds the primary keys of its tables when they have rows.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
from server import PORT, Server  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

BINARIES = postgresql.binaries_or_skip()
SECONDS = 120
N_CLIENTS, N_TRANSACTIONS = 4, 25
SUMS = ("SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM pgbench_tellers), "
        "(SELECT sum(bbalance) FROM pgbench_branches), (SELECT sum(delta) FROM pgbench_history), (SELECT count(*) FROM pgbench_history)")


class Bench:
    def __init__(self):
        self.server = Server()
        self.environment = dict(os.environ, PGHOST=self.server.directory, PGPORT=str(PORT), PGUSER="me", PGDATABASE="me", LC_ALL="C.UTF-8")

    def run(self, program, *arguments):
        done = subprocess.run([str(BINARIES / program), *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
        equal((done.returncode, done.stdout if done.returncode else ""), (0, ""))
        return done.stdout

    def ask(self, sql):
        return self.run("psql", "-XAtqc", sql).strip().split("\n")[-1].split("|")


def test_protocols():
    bench = Bench()
    bench.run("pgbench", "-i", "--quiet")
    equal(bench.ask("SELECT (SELECT count(*) FROM pgbench_accounts), (SELECT count(*) FROM pgbench_tellers), "
                    "(SELECT count(*) FROM pgbench_branches)"), ["100000", "10", "1"])
    for i, protocol in enumerate(("simple", "extended", "prepared")):
        # without -n it vacuums, and truncates the history
        shown = bench.run("pgbench", "-M", protocol, "-c", str(N_CLIENTS), "-j", "2", "-t", str(N_TRANSACTIONS), *(["-n"] if i else []))
        n = N_CLIENTS * N_TRANSACTIONS
        assert f"number of transactions actually processed: {n}/{n}" in shown, shown
        accounts, tellers, branches, history, count = bench.ask(SUMS)
        equal((tellers, branches, history, count), (accounts, accounts, accounts, str(n * (i + 1))))
        shown = bench.run("pgbench", "-n", "-S", "-M", protocol, "-c", str(N_CLIENTS), "-t", str(N_TRANSACTIONS))
        assert re.search(r"number of failed transactions: 0 ", shown), shown
    equal(bench.server.stop(), 0)


if __name__ == "__main__":
    sys.exit(support.run([("/postgres/pgbench", test_protocols)]))
