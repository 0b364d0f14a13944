#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every scenario at its small size: on RocksDB, and on the HBase of KVSQL_TEST_HBASE_URL if there is one.

The story is in the log, so that a failure can be read in its place.
"""

import io
import os
import sys

sys.dont_write_bytecode = True
import story  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position


def played(name, store):
    def test():
        out = io.StringIO()
        try:
            story.play(name, store=store, out=out)
        finally:
            for line in out.getvalue().splitlines():
                print("#", line)
    return test


def main():
    stores = ["hbase"] if os.environ.get("KVSQL_TEST_HBASE_URL") else ["rocksdb"]
    return support.run([(f"/scenarios/{name}/{store}", played(name, store)) for name in story.names() for store in stores])


if __name__ == "__main__":
    sys.exit(main())
