#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each fault for some seconds under one workload, on a separate HBase and ZooKeeper, with two daemons.

KVSQL_TEST_SECONDS=30 for longer, KVSQL_TEST_ALL=1 for each fault under each workload, KVSQL_TEST_TLS=1 over HTTPS.
"""

import os
import sys

sys.dont_write_bytecode = True
import run  # noqa: E402 pylint: disable=wrong-import-position
import faults  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-order
from cluster import Cluster  # noqa: E402 pylint: disable=wrong-import-position
from workloads import names  # noqa: E402

SECONDS = os.environ.get("KVSQL_TEST_SECONDS", "3")


def play(cluster, seed, workload, fault):
    options = run.parse(["--cluster", "--daemons=2", f"--workload={workload}", f"--fault={fault}", f"--seed={seed}",
                         f"--seconds={SECONDS}"])
    options.cluster = cluster
    support.equal(run.Run(options).check(), [])


def main():
    if not os.environ.get("KVSQL_TEST_HBASE_URL"):
        return support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")
    seed = support.seed()
    pairs = [(workload, fault) for workload in names(False) for fault in faults.CLUSTER_FAULTS]
    if not os.environ.get("KVSQL_TEST_ALL"):
        # each fault once; the seed decides the workload
        plain = names(False)
        pairs = [(plain[(index + seed) % len(plain)], fault) for index, fault in enumerate(faults.CLUSTER_FAULTS)]
    try:
        cluster = Cluster(is_tls=bool(os.environ.get("KVSQL_TEST_TLS")))
        return support.run([(f"/cluster/{workload}/{fault}", lambda w=workload, f=fault: play(cluster, seed, w, f))
                            for workload, fault in pairs])
    except support.Skip as reason:
        return support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
