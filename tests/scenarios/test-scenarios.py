#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every scenario at its small size: on RocksDB, and on the HBase of KVSQL_TEST_HBASE_URL if there is one.

What a scenario prints is in the log, so that a failure appears after the steps that led to it.
"""

import io
import os
import sys

sys.dont_write_bytecode = True
import scenario  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position


def played(name, store):
    def test():
        out = io.StringIO()
        try:
            scenario.run(name, store=store, out=out)
        finally:
            for line in out.getvalue().splitlines():
                print("#", line)
    return test


def main():
    stores = ["hbase"] if os.environ.get("KVSQL_TEST_HBASE_URL") else ["rocksdb"]
    return support.run([(f"/scenarios/{name}/{store}", played(name, store)) for name in scenario.names() for store in stores])


if __name__ == "__main__":
    sys.exit(main())
