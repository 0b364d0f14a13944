#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The statements of Grafana and Metabase (dashboards.sql) on kvsqld and on PostgreSQL: columns, types and rows have to be the same.

Without PostgreSQL the test is skipped.
"""

import decimal
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position

NUMERIC = 1700


def other_type(columns, name, oid):
    return [[(each, oid if each == name else number, modifier) for each, number, modifier in row] for row in columns]


# What kvsqld gives instead of (tags, columns, rows), by the begin of the statement.
DIFFERENT = {
    # it says that it is version 14
    "SELECT current_setting('server_version_num')": lambda tags, columns, rows: (tags, columns, [[b"1400"]]),
    # no view can be changed
    "with table_privileges as": lambda tags, columns, rows: (
        tags, columns, [[*row[:3], b"f", row[4], b"f", b"f"] if row[2] == b"customers" else row for row in rows]),
    # what is computed from a VARCHAR is a text
    'SELECT COALESCE("public"."people"."source"': lambda tags, columns, rows: (tags, other_type(columns, "source", 25), rows),
}


def statements():
    """By source, the statements."""
    found, source, lines = {}, "", []
    for line in (HERE / "dashboards.sql").read_text().splitlines():
        if line.startswith("-- "):
            source = line[3:]
        elif line:
            lines.append(line)
            if line.endswith(";"):
                found.setdefault(source, []).append("\n".join(lines)[:-1])
                lines = []
    return found


def shortened(value, column):
    """Without the zeros at the end of a NUMERIC: their number is another one for what is computed."""
    return value if value is None or column[1] != NUMERIC else decimal.Decimal(value.decode()).normalize()


def answer(peer, sql):
    """SQLSTATE, or the tag, the columns with their types, and the rows."""
    messages = peer.ask(wire.parse(sql), wire.describe("S"), wire.bind(), wire.execute(), wire.SYNC)
    errors = [f"{value['C']} {value['M']}" for kind, value in messages if kind == "E"]
    if errors:
        return errors[0]
    columns = [[(name, oid, modifier) for name, oid, _, modifier, _ in value] for kind, value in messages if kind == "T"]
    rows = [[shortened(value, column) for value, column in zip(row, columns[0])] for kind, row in messages if kind == "D"]
    if "order by" not in sql.lower():
        rows.sort(key=repr)
    return [value for kind, value in messages if kind == "C"], columns, rows


def main():
    other = postgresql.PostgreSQL(postgresql.binaries_or_skip(), support.temporary_folder("dashboards"))
    server = Server()

    def test(peers, sql):
        def run():
            got, wanted = (answer(peer, sql) for peer in peers)
            for begin, change in DIFFERENT.items():
                if sql.startswith(begin):
                    wanted = change(*wanted)
            support.equal(got, wanted)
        return run

    try:
        with wire.Peer(server.address) as mine, wire.Peer(("127.0.0.1", other.port)) as theirs:
            return support.run([(f"/postgres/dashboards/{source.split('/')[-1].split('.')[0]}/{i}", test((mine, theirs), sql))
                                for source, group in statements().items() for i, sql in enumerate(group)])
    finally:
        other.stop()
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
