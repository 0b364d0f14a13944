#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The published example, read from HBase by a client without libkvsql.

The definitions and the tuple are those of "Schema-definition-based SQL-like client for key-value stores"
(DEIM 2016); so are the key-values. kvsqld writes, the Thrift2 API of HBase reads, from HBase's own IDL.
"""

import os
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_HBASE_URL"):
    support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")
import thrift2  # noqa: E402 pylint: disable=wrong-import-position

support.generate(support.TOP_SOURCE / "idl" / "kvsql.thrift")

# pylint: disable=import-error,wrong-import-position
from hbase.ttypes import TColumnValue, TGet, TPut
from kvsql import Sql
from kvsql.ttypes import QueryOptions
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TFramedTransport

RELATION = "DEFINE RELATION r { k1 STRING key, k2 STRING key, v1 STRING, v2 INT };"
SCHEMAS = [
    "DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', QUALIFIER '', "
    "VALUE suffix('-'){v1}:v2 };",
    "DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', QUALIFIER attr_name['k1','k2'], "
    "VALUE attr_value['k1','k2'] };",
]
TABLES = (b"s1", b"s2")
DAY_TABLES = (b"visit_a", b"visit_b", b"visit_c")


def make_tables(hbase, tables):
    for table in tables:
        hbase.make_table(table, {b"f": None})


def drop_tables(hbase, tables):
    for table in tables:
        hbase.drop_table(table)


class Kvsqld:
    """A kvsqld on that HBase."""

    def __init__(self, store):
        self.daemon = support.Daemon(store=store)
        transport = TFramedTransport(TSocket("127.0.0.1", self.daemon.port))
        self.call = Sql.Client(TBinaryProtocol(transport))
        transport.open()

    def query(self, sql):
        return self.call.query(sql, [], QueryOptions())


def check_definitions(kvsqld):
    for text in [RELATION, *SCHEMAS]:
        kvsqld.query(text)


def check_written(kvsqld, hbase):
    support.equal(kvsqld.query("INSERT INTO r VALUES ('a1','b','x',100)").affected, 1)
    s1, s2 = hbase.cells(b"s1"), hbase.cells(b"s2")
    support.equal({cell: value for cell, (value, _) in s1.items()}, {(b"a1-b", b"f", b""): b"x-\x00\x00\x00d"})
    support.equal({cell: value for cell, (value, _) in s2.items()},
                  {(b"\x01ba1", b"f", b"v1"): b"x", (b"\x01ba1", b"f", b"v2"): b"\x00\x00\x00d"})
    support.equal(len({timestamp for _, timestamp in [*s1.values(), *s2.values()]}), 1)


def check_read(kvsqld, hbase):
    """Cells that another program wrote in this layout are tuples, too, separately in each schema."""
    hbase.call.put(b"s1", TPut(row=b"a2-b", columnValues=[
        TColumnValue(family=b"f", qualifier=b"", value=b"y-\x00\x00\x01\x00")]))
    hbase.call.put(b"s2", TPut(row=b"\x01ba2", columnValues=[
        TColumnValue(family=b"f", qualifier=b"v1", value=b"y"),
        TColumnValue(family=b"f", qualifier=b"v2", value=b"\x00\x00\x01\x00")]))
    for query in ("SELECT v1, v2 FROM r WHERE k1 = 'a2' AND k2 = 'b'",
                  "SELECT v1, v2 FROM r WHERE K2='b' AND K1>='a2' AND K1<='a2'"):
        page = kvsqld.query(query)
        support.equal((page.nrows, page.columns[0].s, page.columns[1].i), (1, ["y"], [256]))


def check_deleted(kvsqld, hbase):
    support.equal(kvsqld.query("DELETE FROM r WHERE k1 = 'a1' AND k2 = 'b'").affected, 1)
    for table, row in ((b"s1", b"a1-b"), (b"s2", b"\x01ba1")):
        support.equal(hbase.call.get(table, TGet(row=row)).columnValues, [])


def check_missing_table(kvsqld, hbase):
    drop_tables(hbase, TABLES)
    try:
        kvsqld.query("SELECT * FROM r WHERE k1 = 'a1' AND k2 = 'b'")
    except Sql.SqlError as error:
        assert '"s1"' in error.message or '"s2"' in error.message, error
        assert "\n" not in error.message, error
        return
    raise AssertionError("a missing table gave no error")


def check_refused(kvsqld, hbase):
    """If HBase rejects some mutations of a batch, the others are written, and the error names the rejected ones. Checked writes
    write nothing then."""
    drop_tables(hbase, DAY_TABLES)
    make_tables(hbase, DAY_TABLES[::2])
    kvsqld.query("DEFINE RELATION visit { day STRING KEY, id INT KEY, v STRING }")
    kvsqld.query("DEFINE PRIMARY SCHEMA visit_p FOR visit { TABLE 'visit_':day, ROW fixed(4){id}, FAMILY 'f', VALUE v }"
                 " WITH (create_tables = false)")
    rows = ", ".join(f"('{'b' if number in (17, 256) else 'ac'[number % 2]}', {number}, 'x')" for number in range(300))
    try:
        kvsqld.query(f"INSERT INTO visit VALUES {rows}")
        raise AssertionError("a missing table gave no error")
    except Sql.SqlError as error:
        support.equal(error.message, 'table "visit_b" does not exist in the store')
        support.equal(error.sqlstate, "58000")
    support.equal(kvsqld.query("SELECT count(*) FROM visit WHERE day IN ('a', 'c')").columns[0].i, [0])
    kvsqld.query("ALTER RELATION visit WITH (writes = plain)")
    try:
        kvsqld.query(f"INSERT INTO visit VALUES {rows}")
        raise AssertionError("a missing table gave no error")
    except Sql.SqlError as error:
        assert '"visit_b"' in error.message, error
        support.equal(error.detail, "298 tuples were written. Not written: (day = 'b', id = 17), (day = 'b', id = 256).")
    support.equal(kvsqld.query("SELECT count(*) FROM visit WHERE day IN ('a', 'c')").columns[0].i, [298])


def main():
    hbase = thrift2.HBase(os.environ["KVSQL_TEST_HBASE_URL"])
    drop_tables(hbase, TABLES)
    make_tables(hbase, TABLES)
    try:
        kvsqld = Kvsqld(os.environ["KVSQL_TEST_HBASE_URL"])
    except support.Skip as reason:
        support.skip_all(str(reason))
    try:
        return support.run([
            ("/hbase-bytes/definitions-as-published", lambda: check_definitions(kvsqld)),
            ("/hbase-bytes/written-as-published", lambda: check_written(kvsqld, hbase)),
            ("/hbase-bytes/read-what-others-wrote", lambda: check_read(kvsqld, hbase)),
            ("/hbase-bytes/deleted-everywhere", lambda: check_deleted(kvsqld, hbase)),
            ("/hbase-bytes/missing-table-is-named", lambda: check_missing_table(kvsqld, hbase)),
            ("/hbase-bytes/refused-tuples-are-named", lambda: check_refused(kvsqld, hbase)),
        ])
    finally:
        drop_tables(hbase, TABLES + DAY_TABLES)


if __name__ == "__main__":
    sys.exit(main())
