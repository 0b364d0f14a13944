#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls of functions in kvsqld and in PostgreSQL: the same texts, types and SQLSTATEs.

functions.txt has one expression a line, or a SELECT. A line of functions-differences.txt is one of them, and after " ### " why it
differs: then it has to differ. Three differences are everywhere: zeros at the end of a DECIMAL have no meaning, a LIST is JSON, and a
TIMESTAMPTZ is a TIMESTAMP.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position

TABLE = ["CREATE TABLE x (id INT PRIMARY KEY, a INT, b BIGINT, c NUMERIC, d DOUBLE PRECISION, t TEXT, f BOOLEAN)",
         "INSERT INTO x VALUES (1, 5, 1, 1.5, 0.5, 'b', TRUE), (2, 3, 3, 2.25, -1, 'a', FALSE), (3, NULL, 2, NULL, NULL, NULL, NULL), "
         "(4, 3, NULL, -4, 2.5, 'b', TRUE), (5, 12, 3, 0, 10, 'd', NULL), (6, 3, 3, 1.5, 7, 'c', TRUE)"]


NUMERIC, NUMERIC_ARRAY = 1700, 1231


def normal(oid, text):
    """Without zeros at the end of numbers with a point."""
    return text if text is None or oid not in (NUMERIC, NUMERIC_ARRAY) else re.sub(r"(\.\d*?)0+(?!\d)", r"\1", text).replace(".,", ",").replace(".}", "}").rstrip(".")


def lines_of(name):
    return [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def answer(peer, line):
    """The types and the rows, or the SQLSTATE and the message."""
    types, rows = None, []
    for kind, value in peer.ask(wire.query(line if line.startswith("SELECT ") else f"SELECT {line}")):
        if kind == "E":
            return ("error", value["C"]), value["M"]
        if kind == "T":
            types = [column[1] for column in value]
        elif kind == "D":
            rows.append([normal(oid, None if field is None else field.decode()) for oid, field in zip(types, value)])
    return (types, rows), ""


def compare(kvsqld, other, lines, intended):
    different = 0
    for line in lines:
        (got, got_message), (expected, message) = answer(kvsqld, line), answer(other, line)
        if (got != expected) == (line in intended):
            continue
        different += 1
        print(f"# {line}\n#   PostgreSQL: {expected} {message}\n#   kvsqld:     {got} {got_message}")
    return different


def main():
    binaries = postgresql.binaries_or_skip()
    lines = lines_of("functions.txt")
    intended = dict(line.split(" ### ") for line in lines_of("functions-differences.txt"))
    folder = support.temporary_folder("functions")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    other = postgresql.PostgreSQL(binaries, folder / "postgresql")
    try:
        server = Server()
        with wire.Peer(server.address) as kvsqld, wire.Peer(("127.0.0.1", other.port)) as peer:
            for system in (kvsqld, peer):
                for statement in TABLE:
                    assert not [each for each in system.ask(wire.query(statement)) if each[0] == "E"], statement
            different = compare(kvsqld, peer, lines, intended)
    finally:
        other.stop()
    unknown = [line for line in intended if line not in lines]
    print(f"# {len(lines)} calls, {len(intended)} differ as intended, {different} unexpectedly; not in functions.txt: {unknown}")
    print(f"1..1\n{'ok' if different == 0 and not unknown else 'not ok'} 1 /postgres/functions")
    return 0 if different == 0 and not unknown else 1


if __name__ == "__main__":
    sys.exit(main())
