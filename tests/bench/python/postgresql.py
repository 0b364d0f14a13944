# SPDX-License-Identifier: LGPL-2.1-or-later
"""postgresql.py: a separate PostgreSQL for the run, in a temporary folder, with an unprivileged user.

Its durability is kvsqld's: sync=false there is synchronous_commit=off here (both survive the process, not the machine);
what is measured "to the disk" is sync=true there, synchronous_commit=on and fsync=on here. The cache holds all rows. Autovacuum is
off: the tables are vacuumed once they are loaded.
"""

import os
import pathlib
import pwd
import shutil
import subprocess

import processes

SETTINGS = {"listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''", "shared_buffers": "512MB", "fsync": "on",
            "synchronous_commit": "off", "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "4GB",
            "checkpoint_timeout": "30min", "autovacuum": "off", "jit": "off", "max_connections": "50",
            "log_min_messages": "warning"}
UNPRIVILEGED = ("postgres", "nobody")


def binaries():
    """The newest version of Debian's packages."""
    folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return folders[-1].parent if folders else None


def missing(build):
    """The reason why it cannot be measured; None if it can."""
    if not binaries():
        return "PostgreSQL is not installed: apt-get install postgresql"
    if not (build / "tests/bench/bench-postgresql").exists():
        return "bench-postgresql is not built: apt-get install libpq-dev, then configure and build again"
    return None


class Server:
    def __init__(self, bench, port):
        self.bench, self.port = bench, port
        self.folder = bench.folder / "postgresql"
        self.process = None

    def user(self):
        """initdb does not run as root."""
        if os.geteuid() != 0:
            return {}
        for name in UNPRIVILEGED:
            try:
                entry = pwd.getpwnam(name)
            except KeyError:
                continue
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        raise processes.Failure("there is no user postgres or nobody to run PostgreSQL as")

    def start(self):
        user = self.user()
        self.folder.mkdir()
        self.bench.folder.chmod(0o711)
        if user:
            os.chown(self.folder, user["user"], user["group"])
        done = subprocess.run([str(binaries() / "initdb"), "-D", str(self.folder / "data"), "-A", "trust", "-U", "bench",
                               "--no-sync", "-E", "UTF8", "--locale=C"], cwd=self.folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **user)
        if done.returncode != 0:
            raise processes.Failure("initdb: " + done.stdout)
        with open(self.bench.folder / "postgresql.log", "ab") as log:
            options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value.strip(chr(39))}")]
            self.process = processes.start([binaries() / "postgres", "-D", self.folder / "data", "-p", self.port, *options],
                                           stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **user)
        processes.await_true(self.answers, 60, "PostgreSQL's start")

    def conninfo(self, options=""):
        return f"host=127.0.0.1 port={self.port} user=bench dbname=postgres connect_timeout=5 {options}"

    def answers(self):
        if self.process.poll() is not None:
            raise processes.Failure("PostgreSQL does not start:\n" + (self.bench.folder / "postgresql.log").read_text())
        return subprocess.run([str(binaries() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)],
                              check=False).returncode == 0

    def pids(self):
        return [self.process.pid, *processes.children_of(self.process.pid)]

    def client(self, options=""):
        return self.bench.guard.add(processes.Program(
            [self.bench.build / "tests/bench/bench-postgresql", self.conninfo(options), self.bench.rows],
            servers={"postgresql": self.pids}))

    def load(self):
        subprocess.run([str(self.bench.build / "tests/bench/bench-postgresql"), "--create", self.conninfo()], check=True)
        program = self.client()
        program.run("copy", "packed", 0, self.bench.rows // 1000)
        self.bench.guard.stop(program)
        for statement in ("VACUUM (ANALYZE, FREEZE) packed", "CHECKPOINT"):
            subprocess.run([shutil.which("psql") or str(binaries() / "psql"), "-q", "-X", self.conninfo(), "-c", statement], check=True)

    def stop(self):
        if self.process:
            self.process.send_signal(2)  # SIGINT: it ends its sessions and itself
            processes.end(self.process)


def start(bench, port):
    """The programs of a run: one without and one with synchronous commits."""
    server = Server(bench, port)
    bench.guard.add(server)
    server.start()
    server.load()
    return {"postgresql": server.client(),
            "postgresql synced": server.client("options='-c synchronous_commit=on'")}
