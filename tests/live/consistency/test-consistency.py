#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each workload under each fault for some seconds, on RocksDB, and on HBase in `make check-live`. KVSQL_TEST_SECONDS=30 for longer."""

import os
import sys

sys.dont_write_bytecode = True
import run  # noqa: E402 pylint: disable=wrong-import-position
import faults  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-order
from workloads import WORKLOADS, names  # noqa: E402

SECONDS = support.size("2", "1")
ON_HBASE = {"none", "kill", "cut"}


def play(seed, workload, fault, *more):
    seconds = os.environ.get("KVSQL_TEST_SECONDS", SECONDS)
    options = run.parse([f"--workload={workload}", f"--fault={fault}", f"--seed={seed}", f"--seconds={seconds}", *more])
    support.equal(run.Run(options).check(), [])


def notice(seed, workload):
    """A store that loses everything when kvsqld is killed: the checker has to reject its history."""
    options = run.parse([f"--workload={workload}", "--fault=kill", f"--seed={seed}", "--seconds=1.5", "--store=memory"])
    found = run.Run(options).check()
    reasons = {"register": "not linearizable", "set": "lost: ", "counter": "is too low"}
    assert any(reasons[workload] in reason for reason in found), found


def main():
    seed = support.seed()
    hbase = os.environ.get("KVSQL_TEST_HBASE_URL")
    tests = [(f"/consistency/rocksdb/{workload}/{fault}", lambda w=workload, f=fault: play(seed, w, f))
             for workload in WORKLOADS for fault in faults.FAULTS]
    tests += [(f"/consistency/memory/{workload}/what-is-lost-is-noticed", lambda w=workload: notice(seed, w))
              for workload in ("register", "set", "counter")]
    if hbase:
        tests = [(f"/consistency/hbase/{workload}/{fault}", lambda w=workload, f=fault: play(seed, w, f, f"--store={hbase}"))
                 for workload in names(False) for fault in faults.FAULTS if fault in ON_HBASE]
        checked = [f"--store={hbase}", "--daemons=2", "--writes=checked"]
        tests += [(f"/consistency/hbase/checked/{workload}", lambda w=workload: play(seed, w, "kill", *checked))
                  for workload in ("register", "blind", "torn", "verified", "claim", "move")]
        tests += [(f"/consistency/hbase/two-daemons/{workload}", lambda w=workload: play(seed, w, "none", f"--store={hbase}", "--daemons=2"))
                  for workload in names(False)]
    try:
        return support.run(tests)
    except support.Skip as reason:
        return support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
