#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A client without libkvsql: generated from kvsql.thrift, with the stock Python package, in all four wire formats."""

import functools
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import FORMATS, Client, fails, rows  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import Column, ErrorCode, QueryOptions, SqlType, Value  # noqa: E402

N_ROWS = 35


def define(client, relation):
    client.query(f"DEFINE RELATION {relation} {{ k STRING KEY, n BIGINT, f DOUBLE, b BOOLEAN, x BYTES }}")
    client.query(f"DEFINE PRIMARY SCHEMA {relation}_p FOR {relation} {{ TABLE '{relation}', ROW k, FAMILY 'f', "
                 "QUALIFIER attr_name['k'], VALUE attr_value['k'] }")


def row(number):
    return (f"k{number:03}", number * 1000003, number / 4, number % 2 == 0, bytes([number, 0, 255]))


def check_hello(client):
    info = client.call.hello(1, "test-formats.py")
    support.equal(info.apiVersion, 1)
    support.equal(info.definitionsWritable, True)
    assert info.version and info.store and info.registry


def check_insert(client, relation):
    """One row by parameters, one with NULLs, the rest by column."""
    first = row(0)
    page = client.query(f"INSERT INTO {relation} (k, n, f, b, x) VALUES (?, ?, ?, ?, ?)",
                        Value(s=first[0]), Value(i=first[1]), Value(d=first[2]), Value(b=first[3]), Value(x=first[4]))
    support.equal(page.affected, 1)
    columns = list(zip(*(row(number) for number in range(1, N_ROWS))))
    affected = client.call.insertRows(
        relation, ["k", "n", "f", "b", "x"], N_ROWS - 1,
        [Column(s=list(columns[0])), Column(i=list(columns[1])), Column(d=list(columns[2])),
         Column(b=list(columns[3])), Column(x=list(columns[4]))], QueryOptions())
    support.equal(affected, N_ROWS - 1)
    client.query(f"INSERT INTO {relation} (k, n, f) VALUES (?, ?, ?)", Value(s="null"), Value(i=-1), Value())


def check_select(client, relation):
    page = client.query(f"SELECT k, n, f, b, x FROM {relation} WHERE k = ?", Value(s="k007"))
    support.equal([(info.name, info.type) for info in page.info],
                  [("k", SqlType.STRING), ("n", SqlType.BIGINT), ("f", SqlType.DOUBLE), ("b", SqlType.BOOLEAN),
                   ("x", SqlType.BYTES)])
    support.equal(rows(page), [row(7)])
    support.equal(page.cursor, None)

    page = client.query(f"SELECT n, f, b, x FROM {relation} WHERE k = 'null'")
    support.equal(rows(page), [(-1, None, None, None)])

    page = client.query(f"SELECT k FROM {relation} WHERE k >= ? AND k < ? AND n > ?",
                        Value(s="k010"), Value(s="k014"), Value(i=11 * 1000003))
    support.equal(sorted(rows(page)), [("k012",), ("k013",)])

    page = client.query(f"SELECT k, n FROM {relation} WHERE k = 'nowhere'")
    support.equal((page.nrows, len(page.info), page.cursor), (0, 2, None))


def check_paging(client, other, relation):
    """Pages of ten; every second page is fetched on another connection."""
    query = f"SELECT k FROM {relation} WHERE k >= 'k' AND k < 'l'"
    page = client.query(query, maxRows=10)
    sizes, keys = [], []
    for number in range(10):
        sizes.append(page.nrows)
        keys += [key for key, in rows(page)]
        support.equal(page.info is not None, number == 0)
        if page.cursor is None:
            break
        page = (other if number % 2 else client).call.fetch(page.cursor, QueryOptions(maxRows=10))
    support.equal(sorted(keys), [row(number)[0] for number in range(N_ROWS)])
    assert max(sizes) <= 10, sizes

    page = client.query(query, maxRows=10)
    client.call.closeCursor(page.cursor)


def check_prepared(client, relation):
    statement = client.call.prepare(f"SELECT n FROM {relation} WHERE k = :key")
    support.equal([parameter.name for parameter in statement.parameters], ["key"])
    support.equal([(info.name, info.type) for info in statement.columns], [("n", SqlType.BIGINT)])
    for number in (3, 30):
        page = client.call.execute(statement.id, [Value(s=row(number)[0])], QueryOptions())
        support.equal(rows(page), [(row(number)[1],)])
    page = client.call.execute(statement.id, [Value(s=row(7)[0])], QueryOptions(knowsColumns=True))
    support.equal((page.info, rows(page)), (None, [(row(7)[1],)]))
    client.call.closeStatement(statement.id)
    fails(ErrorCode.BAD_STATEMENT_ID, client.call.execute, statement.id, [Value(s="k003")], QueryOptions())


def check_changing_columns(client, relation):
    """A client that knows the columns gets their descriptions only if they differ from those of prepare."""
    known = QueryOptions(knowsColumns=True)
    client.query(f"DEFINE RELATION {relation}_c {{ k STRING KEY, n BIGINT }}")
    client.query(f"DEFINE PRIMARY SCHEMA {relation}_c_p FOR {relation}_c {{ TABLE '{relation}_c', ROW k, FAMILY 'f', VALUE n }}")
    every = client.call.prepare(f"SELECT * FROM {relation}_c")
    given = client.call.prepare("SELECT ? AS x")
    support.equal(client.call.execute(every.id, [], known).info, None)
    support.equal(given.columns[0].type, SqlType.STRING)
    support.equal(client.call.execute(given.id, [Value(i=1)], known).info[0].type, SqlType.BIGINT)
    client.query(f"ALTER RELATION {relation}_c RENAME n TO m")
    support.equal([info.name for info in client.call.execute(every.id, [], known).info], ["k", "m"])
    client.query(f"DROP RELATION {relation}_c")


def check_following(client, relation):
    """Pipelined requests: the server skips the requests that follow a failed one."""
    def send(key, follows, number=1):
        client.call.send_insertRows(relation, ["k", "n"], 1, [Column(s=[key]), Column(i=[number])],
                                    QueryOptions(follows=follows))

    def receive(code=None):
        if code is None:
            support.equal(client.call.recv_insertRows(), 1)
        else:
            fails(code, client.call.recv_insertRows)

    def keys():
        return [key for key, in rows(client.query(f"SELECT k FROM {relation} WHERE k >= 'x' AND k < 'y'"))]

    for key, follows in (("x1", False), ("x2", True), ("", False), ("x3", True), ("x4", True), ("x5", False), ("x6", True)):
        send(key, follows)
    for code in (None, None, ErrorCode.VALUE, ErrorCode.CONFLICT, ErrorCode.CONFLICT, None, None):
        receive(code)
    support.equal(sorted(keys()), ["x1", "x2", "x5", "x6"])
    # invalid arguments are a failure, too, and so is that of a query
    client.call.send_insertRows(relation, ["k", "n"], 1, [Column(s=["x7"])], QueryOptions())
    send("x8", True)
    receive(ErrorCode.PROTOCOL)
    receive(ErrorCode.CONFLICT)
    client.query(f"DELETE FROM {relation} WHERE k >= 'x' AND k < 'y'")
    send("x9", True)
    receive()
    fails(ErrorCode.CONFLICT, functools.partial(failing_then_following, client, relation))
    support.equal(keys(), ["x9"])
    client.query(f"DELETE FROM {relation} WHERE k = 'x9'")


def failing_then_following(client, relation):
    fails(ErrorCode.SYNTAX, client.query, "SELECT")
    client.query(f"DELETE FROM {relation} WHERE k = 'x9'", follows=True)


def check_errors(client, relation):
    """Errors have a message and a position, and the connection stays open."""
    text = f"SELECT FROM {relation}"
    error = fails(ErrorCode.SYNTAX, client.query, text)
    assert error.message and 0 <= error.position <= len(text), error
    support.equal(error.sqlstate, "42601")

    text = f"SELECT nn FROM {relation}"
    error = fails(ErrorCode.UNKNOWN_NAME, client.query, text)
    support.equal((error.position, error.length), (7, 2))
    assert "nn" in error.message and error.hint, error

    fails(ErrorCode.BAD_CURSOR, client.call.fetch, b"forged", QueryOptions())
    fails(ErrorCode.READ_ONLY, functools.partial(client.query, readOnly=True), f"DELETE FROM {relation} WHERE k = 'k000'")
    check_hello(client)


def check_explain(client, relation):
    plan = client.call.explain(f"SELECT n FROM {relation} WHERE k = ?", [Value(s="k001")], False, None)
    assert f"{relation}_p" in plan.text and "k001" in plan.text, plan.text
    assert plan.json.lstrip().startswith("{"), plan.json


def check_delete(client, relation):
    support.equal(client.query(f"DELETE FROM {relation} WHERE k = ?", Value(s="k005")).affected, 1)
    support.equal(client.query(f"SELECT k FROM {relation} WHERE k = 'k005'").nrows, 0)


def tests_of(address, framing, protocol, number):
    client = functools.cache(lambda: Client(address, framing, protocol))
    relation = f"py_{framing}_{protocol}_{number}"
    path = f"/python/{framing}/{protocol}/{'unix' if isinstance(address, str) else 'tcp'}"

    def paging():
        with Client(address, framing, protocol) as other:
            check_paging(client(), other, relation)

    return [
        (f"{path}/hello", lambda: check_hello(client())),
        (f"{path}/define", lambda: define(client(), relation)),
        (f"{path}/insert", lambda: check_insert(client(), relation)),
        (f"{path}/select", lambda: check_select(client(), relation)),
        (f"{path}/pages", paging),
        (f"{path}/prepared", lambda: check_prepared(client(), relation)),
        (f"{path}/changing-columns", lambda: check_changing_columns(client(), relation)),
        (f"{path}/following", lambda: check_following(client(), relation)),
        (f"{path}/errors", lambda: check_errors(client(), relation)),
        (f"{path}/explain", lambda: check_explain(client(), relation)),
        (f"{path}/delete", lambda: check_delete(client(), relation)),
    ]


def main():
    try:
        addresses = support.server_addresses()
    except support.Skip as reason:
        support.skip_all(str(reason))
    return support.run([test for number, address in enumerate(addresses) for framing, protocol in FORMATS
                        for test in tests_of(address, framing, protocol, number)])


if __name__ == "__main__":
    sys.exit(main())
