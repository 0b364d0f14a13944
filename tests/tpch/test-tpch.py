#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The queries of TPC-H, compared with PostgreSQL: with a schema for each access path, and on tables of CREATE TABLE.

The store is RocksDB, or the HBase of KVSQL_TEST_HBASE_URL.
"""

import os
import pathlib
import sys

sys.dont_write_bytecode = True
import benchmark  # noqa: E402 pylint: disable=wrong-import-position
import data  # noqa: E402 pylint: disable=wrong-import-position
import systems  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

IS_HBASE = bool(os.environ.get("KVSQL_TEST_HBASE_URL"))
# With fewer tuples some answers have no rows.
SCALE = 0.002 if IS_HBASE else support.size(0.01, 0.002)


def compared(number, connection, other):
    def test():
        text = benchmark.query(number, SCALE)
        ours, expected = benchmark.Answer(), benchmark.Answer()
        benchmark.ask(connection, text, ours)
        benchmark.ask(other, text, expected)
        assert ours.error is None and expected.error is None, (ours.error, expected.error)
        if not benchmark.is_same(number, ours.rows, expected.rows):
            raise AssertionError("\n".join(benchmark.differences("kvsqld", ours.rows, expected.rows)))
        assert SCALE < 0.01 or expected.rows, "the answer has no rows"
    return test


def main():
    other = systems.PostgreSQL(systems.postgresql.binaries_or_skip())
    found, connections = [], [other.connect()]
    try:
        folder = support.temporary_folder("tpch")
        pathlib.Path(folder).chmod(0o755)
        files = data.generate(SCALE, folder)
        other.prepare(files, systems.INDEXES_AND_TABLES)
        tests = []
        for layout in benchmark.LAYOUTS[:1] if IS_HBASE else benchmark.LAYOUTS:
            found.append(systems.Kvsqld("hbase" if IS_HBASE else "rocksdb"))
            found[-1].prepare(files, layout)
            connections.append(found[-1].connect())
            tests += [(f"/tpch/{layout}/Q{number}", compared(number, connections[-1], connections[0])) for number in benchmark.QUERIES]
        return support.run(tests)
    finally:
        for connection in connections:
            connection.close()
        for system in [*found, other]:
            system.close()


if __name__ == "__main__":
    sys.exit(main())
