#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl infer on tables of the live HBase that other programs have written: in Java by HBase's client (zoo/Zoo.java), and in Python by
its Thrift server (zoo/programs.py).

The definitions that it proposes are run, and their tuples compared with those that the programs know. Of the tables, the right
definition is the first for 80 %, and among the first three for 90 %. Arguments are names of tables, whose proposals are shown.
test-phoenix.py does the same with tables of Phoenix.
"""

import json
import os
import subprocess
import sys

import foreign
from foreign import support
import thrift2
from zoo import comparison, programs

FIRST, AMONG_THREE = 0.8, 0.9  # of 18 tables; with those of test-phoenix.py and tests/infer, 95 % are among the first three
PREFIX = f"zoo{os.getpid()}_"


def java_tables(folder):
    """Runs the programs. {name: what their lines say}"""
    source = support.TOP_SOURCE / "tests/live/foreign/zoo/Zoo.java"
    done = subprocess.run([*foreign.JAVA, "-cp", foreign.hbase("classpath"), str(source), foreign.hbase("zk", folder), PREFIX],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                          timeout=foreign.JAVA_SECONDS, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    tables = {}
    for line in map(json.loads, done.stdout.splitlines()):
        tables.setdefault(line["table"], []).append((tuple(line["key"]), line["others"]))
    return tables


def write_python(hbase, make):
    """A program of programs.py."""
    cells, tuples = programs.python_table(make)
    name = PREFIX + make.__name__
    hbase.make_table(name.encode(), {family: {} for columns in cells.values() for family, _ in columns})
    puts = [thrift2.TPut(row=row, columnValues=[thrift2.TColumnValue(family=family, qualifier=qualifier, value=value)
                                                for (family, qualifier), value in columns.items()]) for row, columns in cells.items()]
    hbase.call.putMultiple(name.encode(), puts)
    return comparison.Table(name, tuples)


def main():
    url, folder = os.environ.get("KVSQL_TEST_HBASE_URL"), os.environ.get("KVSQL_TEST_HBASE_DIR")
    if not url or not folder:
        support.skip_all("KVSQL_TEST_HBASE_URL and KVSQL_TEST_HBASE_DIR are not set; see CONTRIBUTING.md")
    foreign.need_java()
    hbase = thrift2.HBase(url)
    tables = {name: lambda name=name, tuples=tuples: comparison.Table(PREFIX + name, tuples) for name, tuples in java_tables(folder).items()}
    tables.update({make.__name__: lambda make=make: write_python(hbase, make) for make in programs.PYTHON})
    only = sys.argv[1:]
    try:
        return comparison.run(url, {name: make for name, make in tables.items() if not only or name in only}, FIRST, AMONG_THREE, only)
    finally:
        for name in tables:
            hbase.drop_table((PREFIX + name).encode())


if __name__ == "__main__":
    sys.exit(main())
