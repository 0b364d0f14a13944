#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""psqlODBC, by pyodbc: each step of odbc-client.py gives with kvsqld what it gives with PostgreSQL.

The driver is Debian's package odbc-postgresql (and libodbc2), pyodbc is PyPI's: tests/thorough runs it, and ./check does not.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("odbc", ["pyodbc"], ["pyodbc"])
import compared  # noqa: E402 pylint: disable=wrong-import-position
import pyodbc  # noqa: E402 pylint: disable=wrong-import-position

DIFFERS = {}

if __name__ == "__main__":
    if "PostgreSQL Unicode" not in pyodbc.drivers():
        support.skip_all("psqlODBC is not installed: apt-get install odbc-postgresql libodbc2")
    sys.exit(compared.run("/postgres/odbc/", lambda port: [sys.executable, HERE / "odbc-client.py", str(port)], DIFFERS))
