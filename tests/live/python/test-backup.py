#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""BACKUP TO 'name' while tuples and definitions change, and a kvsqld on the copy: it has all writes that were acknowledged before."""

import itertools
import os
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, ErrorCode, fails  # noqa: E402 pylint: disable=wrong-import-position

WRITERS = 3
BACKUPS = 4
SCHEMAS = ("t_p", "t_s")


class Writer(threading.Thread):
    """Inserts tuples until it is stopped. Counts how many were begun, and how many acknowledged."""

    def __init__(self, daemon, number):
        super().__init__()
        self.client = Client(daemon.socket_path)
        self.number = number
        self.begun = self.acknowledged = 0
        self.is_over = threading.Event()
        self.made = threading.Condition()

    def run(self):
        while not self.is_over.is_set():
            self.begun += 1
            self.client.query(f"INSERT INTO t VALUES ({(self.begun - 1) * WRITERS + self.number}, 'v{self.begun - 1}')")
            with self.made:
                self.acknowledged += 1
                self.made.notify()

    def await_more(self, count):
        with self.made:
            wanted = self.acknowledged + count
            assert self.made.wait_for(lambda: self.acknowledged >= wanted, 60), "the writer is stuck"


class Definer(threading.Thread):
    """Defines and drops a schema of another relation, again and again."""

    def __init__(self, daemon):
        super().__init__()
        self.client = Client(daemon.socket_path)
        self.is_over = threading.Event()

    def run(self):
        for number in itertools.count():
            self.client.query(f"DEFINE SCHEMA u{number} FOR u {{ TABLE 'u{number}', ROW k, FAMILY 'f' }}")
            self.client.query(f"DROP SCHEMA u{number}")
            if self.is_over.wait(0.05):
                return


class Backup:
    def __init__(self):
        self.folder = support.temporary_folder("backup")
        self.directory = self.folder / "backups"
        self.directory.mkdir()
        self.daemon = self.start(f"backup_directory = {self.directory}")
        self.client = Client(self.daemon.socket_path)
        self.client.query("DEFINE RELATION t { k INT KEY, v STRING } COMMENT 'kept'")
        self.client.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE v }")
        self.client.query("DEFINE SCHEMA t_s FOR t { TABLE 's', ROW suffix('/'){v}:ordered{k}, FAMILY 'f' }")
        self.client.query("DEFINE RELATION u { k STRING KEY }")
        self.client.query("DEFINE PRIMARY SCHEMA u_p FOR u { TABLE 'u', ROW k, FAMILY 'f' }")

    def start(self, configuration):
        return support.Daemon(store=f"rocksdb://{self.folder}/data", registry=f"local://{self.folder}/registry",
                              configuration=f"[kvsqld]\n{configuration}\n")

    def check_copy(self, folder, least, most):
        """@least, @most: limits on the number of tuples, for each writer."""
        daemon = support.Daemon(store=f"rocksdb://{folder}/data", registry=f"local://{folder}/registry")
        with Client(daemon.socket_path) as copy:
            found = [sorted(copy.rows(f"SELECT k, v FROM t USING SCHEMA {schema}")) for schema in SCHEMAS]
            support.equal(found[0], found[1])
            for number, (low, high) in enumerate(zip(least, most)):
                mine = [row for row in found[0] if row[0] % WRITERS == number]
                support.equal(mine, [(count * WRITERS + number, f"v{count}") for count in range(len(mine))])
                assert low <= len(mine) <= high, (low, len(mine), high)
            for name in ("t", "u"):
                support.equal([row for row in copy.rows(f"SHOW CREATE {name}") if "SCHEMA u" not in row[0] or "u_p" in row[0]],
                              [row for row in self.client.rows(f"SHOW CREATE {name}") if "SCHEMA u" not in row[0] or "u_p" in row[0]])
            copy.query("INSERT INTO t VALUES (-1, 'goes on')")
            copy.query("DEFINE RELATION more { k INT KEY }")
        support.equal(daemon.stop(), 0)

    def back_up(self, number):
        """Alternates between the statement and the command."""
        if number % 2:
            return self.client.rows(f"BACKUP TO 'number-{number}'")
        line = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), f"--connect=kvsql+unix://{self.daemon.socket_path}", "--format=tsv",
                               "backup", f"number-{number}"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
        return [line.split("\t")]

    def check_under_load(self):
        writers = [Writer(self.daemon, number) for number in range(WRITERS)]
        definer = Definer(self.daemon)
        for thread in (*writers, definer):
            thread.start()
        copies = []
        for number in range(BACKUPS):
            for writer in writers:
                writer.await_more(100)
            least = [writer.acknowledged for writer in writers]
            (folder, epoch), = self.back_up(number)
            copies.append((folder, least, [writer.begun for writer in writers]))
            support.equal(folder, str(self.directory / f"number-{number}"))
            assert int(epoch) > 0, epoch
        for thread in (*writers, definer):
            thread.is_over.set()
            thread.join(60)
        for copy in copies:
            self.check_copy(*copy)
        support.equal(sorted(os.listdir(self.directory)), [f"number-{number}" for number in range(BACKUPS)])

    def check_refused(self):
        self.client.query("BACKUP TO 'twice'")
        error = fails(ErrorCode.ALREADY_EXISTS, self.client.query, "BACKUP TO 'twice'")
        support.equal(error.message, f'backup "{self.directory}/twice" is there already')
        for name in ("", ".", "..", ".x", "a/b", "/tmp/x", "../x", "a b", "x" * 201, "é"):
            error = fails(ErrorCode.INVALID, self.client.query, f"BACKUP TO '{name}'")
            support.equal(error.message, f'"{name}" cannot be the name of a backup')
        fails(ErrorCode.READ_ONLY, lambda: self.client.query("BACKUP TO 'x'", readOnly=True))
        (self.directory / "killed.part").mkdir()
        error = fails(ErrorCode.CONFLICT, self.client.query, "BACKUP TO 'killed'")
        support.equal(error.message, f'"{self.directory}/killed.part" is there already')
        assert "remove that folder" in error.hint, error
        support.equal(sorted(name for name in os.listdir(self.directory) if not name.startswith("number")), ["killed.part", "twice"])

    def check_elsewhere(self):
        """Without a backup folder, and on a store without backups."""
        support.equal(self.daemon.stop(), 0)
        self.daemon = self.start("")
        with Client(self.daemon.socket_path) as client:
            error = fails(ErrorCode.UNSUPPORTED, client.query, "BACKUP TO 'x'")
            support.equal(error.message, "this kvsqld makes no backups")
        support.equal(self.daemon.stop(), 0)
        memory = support.Daemon(configuration=f"[kvsqld]\nbackup_directory = {self.directory}\n")
        with Client(memory.socket_path) as client:
            error = fails(ErrorCode.UNSUPPORTED, client.query, "BACKUP TO 'x'")
            support.equal(error.message, 'store "memory" has no backups of its own')
        support.equal(memory.stop(), 0)
        assert not (self.directory / "x.part").exists()


def main():
    try:
        backup = Backup()
        return support.run([("/backup/under-load", backup.check_under_load), ("/backup/refused", backup.check_refused),
                            ("/backup/elsewhere", backup.check_elsewhere)])
    except support.Skip as reason:
        return support.skip_all(str(reason))


if __name__ == "__main__":
    sys.exit(main())
