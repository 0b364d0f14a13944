# SPDX-License-Identifier: LGPL-2.1-or-later
"""postgresql.py: a PostgreSQL server of one's own, to compare with."""

import os
import pathlib
import pwd
import signal
import socket
import subprocess
import time

import support

SECONDS = 60


def binaries_or_skip():
    """The folder of its programs; skips the test without one."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        support.skip_all("PostgreSQL is not installed: apt-get install postgresql-15")
    return folders[-1].parent


class PostgreSQL:
    def __init__(self, binaries, folder):
        self.binaries, self.folder = binaries, folder
        self.port = self.process = self.log = None
        user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        subprocess.run([binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8",
                        "--locale=C.UTF-8"], cwd=folder, check=True, stdout=subprocess.DEVNULL, **user)
        for _ in range(10):
            if self.start(user):
                return
        raise AssertionError("PostgreSQL does not start: " + self.log.read_text())

    def start(self, user):
        """False: it has ended. Between the choice of a port and its use, another program may have taken it."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = self.folder.parent / "postgresql.log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(  # pylint: disable=consider-using-with
                [self.binaries / "postgres", "-D", self.folder / "data", "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c",
                 "unix_socket_directories=", "-c", "fsync=off", "-c", "timezone=UTC"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **user)
        limit = time.monotonic() + SECONDS
        while "ready to accept connections" not in self.log.read_text():
            if self.process.poll() is not None:
                return False
            if time.monotonic() > limit:
                raise AssertionError("PostgreSQL does not start: " + self.log.read_text())
            time.sleep(0.05)
        return True

    def run(self, script):
        return subprocess.run([self.binaries / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "test", "-d", "postgres", "-q",
                               "-X", "-A", "-F", "\t", "-P", "null=\\N", "-P", "footer=off"],
                              input=script, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def stop(self):
        """A fast shutdown: SIGTERM would wait until all clients have left."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
