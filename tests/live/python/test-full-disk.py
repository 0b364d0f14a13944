#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqld on RocksDB with a full disk: errors name the folder, no acknowledged write is lost, and it recovers without a restart.

full-disk.c, a library between RocksDB and the C library, simulates the full disk.
"""

import os
import shlex
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, ErrorCode, SqlError, fails  # noqa: E402 pylint: disable=wrong-import-position

WRITERS = 3
MEGABYTE = 1024 * 1024


class Writer(threading.Thread):
    """Inserts one tuple after the other. Records which were acknowledged, rejected, or have an unknown outcome."""

    def __init__(self, disk, number):
        super().__init__()
        self.disk, self.number = disk, number
        self.acknowledged, self.refused, self.unknown = set(), set(), set()
        self.wrong = None

    def write(self, client, count):
        key = count * WRITERS + self.number
        try:
            client.query(f"INSERT INTO t VALUES ({key}, '{'x' * 500}')")
            self.acknowledged.add(key)
        except SqlError as error:
            known = {ErrorCode.UNAVAILABLE: self.refused, ErrorCode.UNKNOWN_OUTCOME: self.unknown}
            known[error.code].add(key)
            assert str(self.disk.data) in error.message and error.hint, error

    def run(self):
        count = 0
        try:
            with Client(self.disk.daemon.socket_path) as client:
                while not self.disk.is_over.is_set():
                    self.write(client, count)
                    count += 1
        except Exception as error:  # pylint: disable=broad-except
            self.wrong = error


class Disk:
    """A daemon on a disk that the test can make full."""

    def __init__(self, options):
        self.folder = support.temporary_folder("full-disk")
        self.data, self.switch = self.folder / "data", self.folder / "switch"
        self.library = self.folder / "full-disk.so"
        subprocess.run([*shlex.split(os.environ.get("CC") or "cc"), "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(self.library),
                        str(support.TOP_SOURCE / "tests" / "live" / "python" / "full-disk.c")], check=True)
        self.options = options
        self.is_over = threading.Event()
        self.daemon = self.start()
        self.client = Client(self.daemon.socket_path)
        self.client.query("DEFINE RELATION t { k INT KEY, v STRING }")
        self.client.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v }")

    def start(self):
        return support.Daemon(store=f"rocksdb://{self.data}?{self.options}", registry=f"local://{self.folder}/registry",
                              wrapper=["env", f"LD_PRELOAD={self.library}", f"KVSQL_FULL_DISK_SWITCH={self.switch}",
                                       f"KVSQL_FULL_DISK_FOLDER={self.data}/"])

    def set_free(self, free):
        other = self.switch.with_suffix(".new")
        other.write_text(str(free))
        other.rename(self.switch)

    def status(self):
        return dict(self.client.rows("SHOW STATUS"))

    def count(self):
        return len(self.client.rows("SELECT k FROM t"))


def wait_for(what, condition, seconds=60):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, f"not within {seconds} s: {what}"
        time.sleep(0.01)


def check_under_load(options, free, kind, known):
    """Writers continue while the disk is full and afterwards. @kind of failures occur."""
    disk = Disk(options)
    writers = [Writer(disk, number) for number in range(WRITERS)]
    for writer in writers:
        writer.start()

    def all_have(kind, more):
        """Waits until the writers have more acknowledged tuples."""
        before = [len(getattr(writer, kind)) for writer in writers]

        def have():
            support.equal([writer.wrong for writer in writers], [None] * WRITERS)
            return all(len(getattr(writer, kind)) > old + more for writer, old in zip(writers, before))
        wait_for(f"all have {more} more {kind}", have)

    for _ in range(2):
        all_have("acknowledged", 50)
        disk.set_free(free)
        all_have(kind, 5)
        assert known in disk.status()["store: takes writes"], disk.status()
        assert disk.count() >= sum(len(writer.acknowledged) for writer in writers) - WRITERS
        disk.switch.unlink()
    all_have("acknowledged", 1)
    support.equal(disk.status()["store: takes writes"], "yes")
    disk.is_over.set()
    for writer in writers:
        writer.join(60)
        support.equal(writer.wrong, None)
    check_content(disk, writers)
    disk.daemon.process.kill()
    disk.daemon.process.wait()
    disk.daemon = disk.start()
    disk.client = Client(disk.daemon.socket_path)
    check_content(disk, writers)
    support.equal(disk.daemon.stop(), 0)


def check_content(disk, writers):
    found = {row[0] for row in disk.client.rows("SELECT k FROM t")}
    for writer in writers:
        support.equal(sorted(writer.acknowledged - found)[:5], [])
        support.equal(sorted(writer.refused & found)[:5], [])
    support.equal(found - set().union(*(writer.acknowledged | writer.unknown for writer in writers)), set())


def check_reserve():
    """Below min_free_mb puts are rejected before a write. Deletes and reads continue."""
    disk = Disk("min_free_mb=100")
    disk.client.query("INSERT INTO t VALUES (1, 'a'), (2, 'b')")
    disk.set_free(99 * MEGABYTE)
    wait_for("it is seen", lambda: disk.status()["store: takes writes"] != "yes")
    error = fails(ErrorCode.UNAVAILABLE, disk.client.query, "INSERT INTO t VALUES (3, 'c')")
    support.equal(error.message, f'store "rocksdb" accepts no writes: 99 MiB are free in "{disk.data}", less than min_free_mb=100')
    support.equal(error.hint, "Free space there: writing begins again by itself. Reading and DELETE go on.")
    support.equal(error.retryable, True)
    fails(ErrorCode.UNAVAILABLE, disk.client.query, "UPDATE t SET v = 'c' WHERE k = 1")
    disk.client.query("DELETE FROM t WHERE k = 1")
    support.equal(disk.client.rows("SELECT k, v FROM t"), [(2, "b")])
    assert int(disk.status()["store: writes refused for lack of space"]) >= 2
    disk.set_free(100 * MEGABYTE + 65536)
    wait_for("it is seen", lambda: disk.status()["store: takes writes"] == "yes")
    disk.client.query("INSERT INTO t VALUES (3, 'c')")
    support.equal(disk.daemon.stop(), 0)


def check_start():
    """On a full disk kvsqld does not start, and says why."""
    disk = Disk("min_free_mb=0")
    disk.client.query("INSERT INTO t VALUES (1, 'a')")
    support.equal(disk.daemon.stop(), 0)
    disk.set_free(0)
    try:
        disk.start()
    except RuntimeError as error:
        assert f'could not open store "rocksdb" in "{disk.data}": 0 MiB are free on its disk' in str(error), error
    else:
        raise AssertionError("it started")
    disk.switch.unlink()
    disk.daemon = disk.start()
    with Client(disk.daemon.socket_path) as client:
        support.equal(client.rows("SELECT k, v FROM t"), [(1, "a")])
    support.equal(disk.daemon.stop(), 0)


def main():
    if os.environ.get("KVSQL_TEST_SANITIZERS", "").strip():
        support.skip_all("a sanitizer wants to be the first library that is loaded")
    tests = [
        ("/full-disk/reserve", check_reserve),
        ("/full-disk/start", check_start),
        ("/full-disk/reserve-under-load", lambda: check_under_load("min_free_mb=64", MEGABYTE, "refused", "no: ")),
        ("/full-disk/nothing-left", lambda: check_under_load("min_free_mb=0", 0, "unknown", "the last one failed: ")),
        ("/full-disk/nothing-left-without-sync", lambda: check_under_load("min_free_mb=0&sync=false", 0, "unknown", "the last one failed: ")),
    ]
    try:
        return support.run(tests)
    except support.Skip as reason:
        return support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
