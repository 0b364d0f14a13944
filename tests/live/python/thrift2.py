# SPDX-License-Identifier: LGPL-2.1-or-later
"""thrift2.py: a client of HBase's Thrift2 API without kvsqld, generated from HBase's own IDL.

An import takes the IDL from the jar of HBase's Thrift server, and generates the client.
"""

import urllib.parse
import zipfile

import support

TIMEOUT_MS = 60000


def hbase_idl():
    jars = sorted(support.CACHE.glob("hbase-*/lib/hbase-thrift-*.jar"))
    if not jars:
        support.skip_all(f"no hbase-thrift jar in {support.CACHE}; tests/live/hbase fetches it")
    with zipfile.ZipFile(jars[-1]) as jar:
        text = jar.read("org/apache/hadoop/hbase/thrift2/hbase.thrift")
    path = support.temporary_folder("idl") / "hbase.thrift"
    path.write_bytes(text)
    return path


support.use_thrift()
support.generate(hbase_idl())

# pylint: disable=import-error,wrong-import-position
from hbase import THBaseService
from hbase.ttypes import TColumnFamilyDescriptor, TColumnValue, TPut, TScan, TTableDescriptor, TTableName  # pylint: disable=unused-import
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.transport.TSocket import TSocket
from thrift.transport.TTransport import TBufferedTransport, TFramedTransport


def table_name(table):
    return TTableName(ns=b"default", qualifier=table)


def addresses(url):
    return urllib.parse.urlsplit(url).netloc.split(",")


class HBase:
    """A connection to one gateway of a store's URL."""

    def __init__(self, url, gateway=0):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        host, port = addresses(url)[gateway].rsplit(":", 1)
        socket = TSocket(host, int(port))
        socket.setTimeout(TIMEOUT_MS)
        framed = query.get("framed") in ("true", "1", "yes")
        self.transport = TFramedTransport(socket) if framed else TBufferedTransport(socket)
        compact = query.get("protocol") == "compact"
        self.call = THBaseService.Client((TCompactProtocol if compact else TBinaryProtocol)(self.transport))
        self.transport.open()

    def close(self):
        self.transport.close()

    def make_table(self, table, families):
        """@families: {name: configuration}."""
        columns = [TColumnFamilyDescriptor(name=family, configuration=configuration) for family, configuration in families.items()]
        self.call.createTable(TTableDescriptor(tableName=table_name(table), columns=columns), None)

    def drop_table(self, table):
        if self.call.tableExists(table_name(table)):
            if self.call.isTableEnabled(table_name(table)):
                self.call.disableTable(table_name(table))
            self.call.deleteTable(table_name(table))

    def cells(self, table):
        """Every cell of a table: {(row, family, qualifier): (value, timestamp)}."""
        found, start = {}, b""
        while results := self.call.getScannerResults(table, TScan(startRow=start, stopRow=b""), 1000):
            for result in results:
                for cell in result.columnValues:
                    found[result.row, cell.family, cell.qualifier] = (cell.value, cell.timestamp)
            start = results[-1].row + b"\0"
        return found
