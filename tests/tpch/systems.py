# SPDX-License-Identifier: LGPL-2.1-or-later
"""systems.py: a kvsqld and a PostgreSQL with the same rows, both spoken to by psycopg. phoenix.py has a third system.

A system has prepare (), connect (), query_file () and close (). Close its connections first: PostgreSQL waits for their end.
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
INDEXES_AND_TABLES, SCHEMAS = "tables", "schemas"


class Error(Exception):
    """What a system that psycopg does not know answers."""


def script(name):
    return (HERE / name).read_text(encoding="utf-8")


def statements_of(text):
    """The statements of a script without `;` in texts, without comments."""
    text = re.sub(r"--[^\n]*", "", text)
    return [part.strip() for part in text.split(";") if part.strip()]


class SystemOfPostgres:
    """What both systems of PostgreSQL's protocol share."""

    EXPLAIN = "EXPLAIN ANALYZE"

    def prepare(self, files, layout):
        """Defines and fills the relations."""
        if layout == SCHEMAS:
            self.run_script(script("schemas.sql"))
        else:
            self.run_script(script("tables.sql"))
            self.run_script(script("indexes.sql"))
        for table, file in files.items():
            self.load(table, file)
        self.analyze(files)

    @staticmethod
    def query_file(number):
        return HERE / "queries" / f"{number}.sql"


class Kvsqld(SystemOfPostgres, environment.Environment):
    """A kvsqld with PostgreSQL's protocol; @store: memory, rocksdb, hbase or a store's URL."""

    name = "kvsqld"
    # As in tests/bench, with both of Java's compilers. The memory is enough to keep all files of scale factor 0.1.
    hbase_java = "-Xmx4g -XX:TieredStopAtLevel=4"

    def __init__(self, store, keep=False, with_phoenix=False):
        # Phoenix's statements may take longer than these limits.
        limits = ["hbase.rpc.timeout", "hbase.client.scanner.timeout.period",
                  "phoenix.coprocessor.maxServerCacheTimeToLiveMs"] if with_phoenix else []
        self.hbase_options = ["--compact", *(["--phoenix"] if with_phoenix else []),
                              *(word for name in limits for word in ("--set", f"{name}={environment.HOUR_MS}"))]
        super().__init__(store, keep)

    def daemon_options(self, folder):
        return [f"--postgres-listen=unix://{folder}"]

    def connect(self, seconds=0):
        """@seconds: the limit of a statement; 0: kvsqld's own."""
        connection = psycopg.connect(host=str(self.daemons[0].folder), port=PORT, user="me", dbname="me", autocommit=True)
        if seconds:
            connection.execute(f"SET statement_timeout = '{seconds}s'")
        return connection

    def run_script(self, text):
        self.ctl("exec", "--file", "-", text=text)

    def load(self, table, file):
        self.ctl("import", "--format", "csv", "--header", "--restart", "--batch", "5000", table, str(file))

    def analyze(self, tables):
        for table in tables:
            self.ctl("exec", f"ANALYZE {table}")


class PostgreSQL(SystemOfPostgres, postgresql.PostgreSQL):
    """The memory for sorts and hash tables is that of kvsqld, for each of both, and the first query has no compiler."""

    name = "PostgreSQL"
    SETTINGS = "SET work_mem = '64MB'; SET jit = off; SET search_path = public;"

    def __init__(self, binaries):
        folder = support.temporary_folder("tpc")
        folder.chmod(0o711)
        (folder / "postgresql").mkdir()
        super().__init__(binaries, folder / "postgresql")

    def prepare(self, files, layout):
        super().prepare(files, INDEXES_AND_TABLES)

    def connect(self, seconds=0):
        connection = psycopg.connect(host="127.0.0.1", port=self.port, user="test", dbname="postgres", autocommit=True)
        connection.execute(self.SETTINGS + f"SET statement_timeout = '{seconds}s'")
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
