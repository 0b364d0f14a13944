# SPDX-License-Identifier: LGPL-2.1-or-later
"""foreign.py: the two sides of these tests: kvsqlctl on a separate kvsqld, and a Java program (Foreign.java)."""

import atexit
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
LIVE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(LIVE / "python"))
import documents  # noqa: E402 pylint: disable=wrong-import-position,unused-import
import support  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 120
JAVA_SECONDS = 300  # for one command; Phoenix's first makes its catalog
JAVA = ["java", "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC",
        "--add-opens", "java.base/java.nio=ALL-UNNAMED", "--add-opens", "java.base/java.lang=ALL-UNNAMED"]


class Refused(Exception):
    """The error of kvsqlctl or the Java program for a statement that it rejects."""


class Kvsql:
    def __init__(self, store="memory:"):
        self.daemon = support.Daemon(store=store)
        self.environment = dict(os.environ, KVSQL_URI=f"kvsql+unix://{self.daemon.socket_path}", LC_ALL="C.UTF-8")

    def run(self, *arguments):
        done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments], env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=SECONDS, check=False)
        if done.returncode != 0:
            raise Refused(done.stderr + done.stdout)
        return done.stdout

    def execute(self, sql):
        return self.run("exec", sql)

    def select(self, sql):
        """Tuples as lists, with the values of JSON; numbers with a fraction are text."""
        return [list(json.loads(line, parse_float=str).values()) for line in self.run("exec", "--format", "ndjson", sql).splitlines()]

    def requests(self, sql):
        """The result of EXPLAIN (CALLS, FORMAT JSON)."""
        return json.loads(self.run("exec", "--format", "ndjson", f"EXPLAIN (CALLS, FORMAT JSON) {sql}"))

    def refused(self, sql):
        try:
            shown = self.execute(sql)
        except Refused as refusal:
            return str(refusal)
        raise AssertionError(f"{sql} is not refused:\n{shown}")


def equal_rows(got, wanted):
    """As support.equal(), but reports only the rows that differ."""
    if got != wanted:
        raise AssertionError(f"only got {[row for row in got if row not in wanted][:5]!r}, "
                             f"only expected {[row for row in wanted if row not in got][:5]!r}")


def hbase(*arguments):
    done = subprocess.run([str(LIVE / "hbase"), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"tests/live/hbase {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout.strip()


def need_java():
    if not shutil.which("javac"):
        support.skip_all("there is no Java compiler; install Debian's package openjdk-17-jdk-headless")


class Java:
    """Foreign.java, connected to the HBase of a folder."""

    def __init__(self, folder, *options):
        source = pathlib.Path(__file__).resolve().parent / "Foreign.java"
        self.log = support.temporary_folder("java") / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([*JAVA, "-cp", hbase("classpath", *options), str(source), hbase("zk", folder)],
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                                            encoding="utf-8")
        atexit.register(self.stop)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def ask(self, *words):
        """The lines of the answer, split into fields."""
        watchdog = threading.Timer(JAVA_SECONDS, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write("\t".join(words) + "\n")
            self.process.stdin.flush()
            return self.read_answer()
        finally:
            watchdog.cancel()

    def read_answer(self):
        answer = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == ".":
                return answer
            if line.startswith("! "):
                raise Refused(line[2:])
            answer.append(line.split("\t"))
        raise RuntimeError(f"the Java program ended, or took more than {JAVA_SECONDS} s:\n{self.log.read_text()[-3000:]}")
