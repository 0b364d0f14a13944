#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What definitions say about rows, compared with PostgreSQL: the same answers, and errors for the same statements.

rules.sql has one statement a line, which are run in their order.
"""

import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("joins", HERE / "test-joins.py")
joins = importlib.util.module_from_spec(specification)
specification.loader.exec_module(joins)
support = joins.support


def statements():
    for line in (HERE / "rules.sql").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("--"):
            yield line


def answer(statement, system):
    """Whether it is an error, and the rows of a SELECT, without the names of its columns."""
    found, lines = next(joins.answers("marker\n\n" + system.run(statement + ";\n") + "\n"))
    return found is None, found[1] if found and statement.startswith("SELECT") else None, lines


def compare(kvsqld, postgresql):
    refused = different = n = 0
    for n, statement in enumerate(statements(), 1):
        is_refused, rows, lines = answer(statement, kvsqld)
        expected_refused, expected, expected_lines = answer(statement, postgresql)
        refused += expected_refused
        if (is_refused, rows) != (expected_refused, expected):
            different += 1
            print(f"# {statement}\n#   PostgreSQL: {expected_lines[:8]}\n#   kvsqld: {lines[:8]}")
    return n, refused, different


def main():
    binaries = joins.postgresql.binaries_or_skip()
    folder = support.temporary_folder("rules")
    folder.chmod(0o711)
    (folder / "postgresql").mkdir()
    kvsqld, postgresql = joins.Kvsqld(folder), joins.postgresql.PostgreSQL(binaries, folder / "postgresql")
    try:
        n, refused, different = compare(kvsqld, postgresql)
    finally:
        kvsqld.stop()
        postgresql.stop()
    print(f"# {n} statements, {refused} refused by both\n1..1")
    print(f"{'ok' if different == 0 and 0 < refused < n / 2 else 'not ok'} 1 /rules/postgresql")
    return 0 if different == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
