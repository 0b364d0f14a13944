#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pgx, also below database/sql: each step of go-clients.go gives with kvsqld what it gives with PostgreSQL.

Go fetches and builds pgx, which takes a minute: tests/thorough runs it, and ./check does not.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import compared  # noqa: E402 pylint: disable=wrong-import-position

PGX = "github.com/jackc/pgx/v5@v5.5.5"  # for the Go of Debian 12
SECONDS = 1800
DIFFERS = {"text": [[1, "ann", "2024-07-01T10:00:00.123Z", "2024-07-01T12:00:00.123Z", "12.5"],  # no zeros at the end
                    [2, "bob", None, None, None]]}


def build():
    folder = support.temporary_folder("go")
    shutil.copy(pathlib.Path(__file__).resolve().parent / "go-clients.go", folder)
    for command in (["go", "mod", "init", "kvsql.test/clients"], ["go", "get", PGX], ["go", "build", "-o", "clients", "."]):
        subprocess.run(command, cwd=folder, env={**os.environ, "GOFLAGS": "-mod=mod"}, stdin=subprocess.DEVNULL, check=True, timeout=SECONDS)
    return folder / "clients"


if __name__ == "__main__":
    if not shutil.which("go"):
        support.skip_all("Go is not installed")
    program = build()
    sys.exit(compared.run("/postgres/go/", lambda port: [program, f"postgres://test@127.0.0.1:{port}/postgres?sslmode=disable"], DIFFERS))
