# SPDX-License-Identifier: LGPL-2.1-or-later
"""phoenix.py: Apache Phoenix with the same rows, on the HBase of the kvsqld that it is compared with.

Its JDBC driver runs in TpchPhoenix.java. A connection has what this folder needs of one of psycopg.
"""

import contextlib
import datetime
import decimal
import os
import pathlib
import subprocess
import threading

import systems
from systems import support

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE / "phoenix"
LIVE = HERE.parent / "live" / "hbase"
TABLE_OPTIONS = "IMMUTABLE_ROWS = true, GUIDE_POSTS_WIDTH = 10000000, UPDATE_CACHE_FREQUENCY = 900000"
HEAP = "2g"
LOAD_SECONDS = 3600
GRACE_SECONDS = 30  # after the driver's own limit
JAVA = ["java", f"-Xmx{HEAP}", "-Duser.timezone=UTC", "--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-opens",
        "java.base/java.lang=ALL-UNNAMED"]


def live(*arguments):
    return subprocess.run([LIVE, *arguments], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout.strip()


def value_of(text):
    kind, rest = text[0], text[1:]
    return {"n": lambda: None, "d": lambda: decimal.Decimal(rest), "t": lambda: datetime.date.fromisoformat(rest),
            "s": lambda: rest}[kind]()


class Connection:
    """A process with the driver, and what it answers."""

    def __init__(self, zookeeper, log, seconds):
        self.zookeeper, self.log, self.seconds = zookeeper, log, seconds
        self.class_path = live("classpath", "--phoenix")
        self.rows, self.process = [], None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [*JAVA, "-cp", self.class_path, str(FOLDER / "TpchPhoenix.java"), self.zookeeper, str(self.seconds)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8",
                env={name: value for name, value in os.environ.items() if name != "_JAVA_OPTIONS"})

    def ask(self, *words, seconds=LOAD_SECONDS):
        """The lines of the answer. A process that does not answer is killed, and the next call starts another one."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        watchdog = threading.Timer(seconds, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write("\t".join(words) + "\n")
            self.process.stdin.flush()
            return self.read_answer(seconds)
        finally:
            watchdog.cancel()

    def read_answer(self, seconds):
        lines = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == ".":
                return lines
            if line.startswith("! "):
                raise systems.Error(line[2:])
            lines.append(line)
        self.process.wait()
        raise systems.Error(f"no answer within {seconds} s, or the driver ended: {self.log.read_text()[-1000:]}")

    # ---- as psycopg

    @contextlib.contextmanager
    def cursor(self):
        yield self

    def execute(self, text):
        lines = self.ask("query", " ".join(text.split()), seconds=self.seconds + GRACE_SECONDS)
        self.rows = [tuple(map(value_of, line.split("\t"))) for line in lines]
        return self

    def fetchall(self):
        return self.rows

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class Phoenix:
    name = "Phoenix"
    EXPLAIN = "EXPLAIN"

    def __init__(self, hbase):
        self.zookeeper = live("zk", str(hbase))
        self.log = support.temporary_folder("phoenix") / "log"
        self.connections = []
        self.own = self.connect()

    def connect(self, seconds=LOAD_SECONDS):
        connection = Connection(self.zookeeper, self.log, seconds)
        self.connections.append(connection)
        return connection

    @staticmethod
    def query_file(number):
        """In its dialect, or as it is."""
        file = FOLDER / "queries" / f"{number}.sql"
        return file if file.exists() else HERE / "queries" / f"{number}.sql"

    def prepare(self, files, _layout):
        """The indexes are made of the rows, which is faster than to write them with each row. kvsqld's files are merged, too."""
        self.run_script((FOLDER / "tables.sql").read_text(encoding="utf-8").replace(":options", TABLE_OPTIONS))
        for table, file in files.items():
            self.own.ask("load", table, str(file))
        self.run_script((FOLDER / "indexes.sql").read_text(encoding="utf-8"))
        self.own.ask("compact")
        for table in files:
            self.own.ask("execute", f"UPDATE STATISTICS {table}")

    def run_script(self, text):
        for statement in systems.statements_of(text):
            self.own.ask("execute", " ".join(statement.split()))

    def close(self):
        for connection in self.connections:
            connection.close()
