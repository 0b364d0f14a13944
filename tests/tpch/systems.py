# SPDX-License-Identifier: LGPL-2.1-or-later
"""systems.py: a kvsqld and a PostgreSQL with the same rows, both spoken to by psycopg.

A system has connect (), run_script (), load (), analyze () and close (). Close its connections first: PostgreSQL waits for their end.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scenarios"))
import environment  # noqa: E402 makes `support` importable pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

# The same environment as that of tests/daemon/postgres.
support.use_packages("postgres", ["psycopg", "psycopg2", "asyncpg", "pg8000"], ["psycopg[binary]", "psycopg2-binary", "asyncpg", "pg8000"])
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import psycopg  # noqa: E402 pylint: disable=import-error,wrong-import-position

PORT = 5433


def statements_of(text):
    """The statements of a script without `;` in texts, without comments."""
    text = re.sub(r"--[^\n]*", "", text)
    return [part.strip() for part in text.split(";") if part.strip()]


class Kvsqld(environment.Environment):
    """A kvsqld with PostgreSQL's protocol; @store: memory, rocksdb, hbase or a store's URL."""

    name = "kvsqld"

    def daemon_options(self, folder):
        return [f"--postgres-listen=unix://{folder}"]

    def connect(self):
        return psycopg.connect(host=str(self.daemons[0].folder), port=PORT, user="me", dbname="me", autocommit=True)

    def run_script(self, text):
        self.ctl("exec", "--file", "-", text=text)

    def load(self, table, file):
        self.ctl("import", "--format", "csv", "--header", "--restart", "--batch", "5000", table, str(file))

    def analyze(self, tables):
        for table in tables:
            self.ctl("exec", f"ANALYZE {table}")


class PostgreSQL(postgresql.PostgreSQL):
    """The memory for sorts and hash tables is that of kvsqld, for each of both, and the first query has no compiler."""

    name = "PostgreSQL"
    SETTINGS = "SET work_mem = '64MB'; SET jit = off; SET search_path = public;"

    def __init__(self, binaries):
        folder = support.temporary_folder("tpc")
        folder.chmod(0o711)
        (folder / "postgresql").mkdir()
        super().__init__(binaries, folder / "postgresql")

    def connect(self):
        connection = psycopg.connect(host="127.0.0.1", port=self.port, user="test", dbname="postgres", autocommit=True)
        connection.execute(self.SETTINGS)
        return connection

    def run_script(self, text):
        output = self.run("\\set ON_ERROR_STOP on\n" + text)
        if "ERROR" in output:
            raise AssertionError(output)

    def load(self, table, file):
        subprocess.run([self.binaries / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "test", "-d", "postgres", "-q", "-X",
                        "-c", f"\\copy {table} FROM '{file}' WITH (FORMAT csv, HEADER)"], check=True)

    def analyze(self, tables):
        for table in tables:
            self.run_script(f"VACUUM ANALYZE {table};")

    def close(self):
        self.stop()
