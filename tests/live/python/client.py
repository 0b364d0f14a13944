# SPDX-License-Identifier: LGPL-2.1-or-later
"""client.py: a client of kvsqld from kvsql.thrift and the stock Python package, without libkvsql."""

import support

support.use_thrift()
support.generate(support.TOP_SOURCE / "idl" / "kvsql.thrift")

# pylint: disable=import-error,wrong-import-position
from kvsql import Sql
from kvsql.ttypes import ErrorCode, QueryOptions, SqlError
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TFramedTransport

FORMATS = [(framing, protocol) for framing in ("framed", "unframed") for protocol in ("binary", "compact")]


class Client:
    """One connection."""

    def __init__(self, address, framing="framed", protocol="binary", timeout_ms=120000):
        self.socket = TSocket(unix_socket=address) if isinstance(address, str) else TSocket(*address)
        self.socket.setTimeout(timeout_ms)
        self.transport = TFramedTransport(self.socket) if framing == "framed" else TBufferedTransport(self.socket)
        self.call = Sql.Client((TBinaryProtocol if protocol == "binary" else TCompactProtocol)(self.transport))
        self.transport.open()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.transport.close()

    def query(self, sql, *parameters, **options):
        return self.call.query(sql, list(parameters), QueryOptions(**options))

    def rows(self, sql, *parameters, **options):
        """All rows, all pages."""
        page = self.query(sql, *parameters, **options)
        found = rows(page)
        while page.cursor is not None:
            page = self.call.fetch(page.cursor, QueryOptions(**options))
            found += rows(page)
        return found


def is_null(column, row):
    return column.nulls is not None and bool(column.nulls[row >> 3] >> (row & 7) & 1)


def values(column, n_rows):
    """The column as Python values, None for NULL."""
    lists = [each for each in (column.b, column.i, column.d, column.s, column.x) if each is not None]
    if n_rows == 0:
        return []
    support.equal(len(lists), 1)
    support.equal(len(lists[0]), n_rows)
    return [None if is_null(column, row) else value for row, value in enumerate(lists[0])]


def rows(page):
    return list(zip(*(values(column, page.nrows) for column in page.columns)))


def fails(code, call, *arguments):
    try:
        call(*arguments)
    except SqlError as error:
        support.equal(ErrorCode._VALUES_TO_NAMES[error.code], ErrorCode._VALUES_TO_NAMES[code])
        return error
    raise AssertionError(f"{arguments!r} did not fail")
