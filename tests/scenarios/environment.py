# SPDX-License-Identifier: LGPL-2.1-or-later
"""environment.py: the environment of a scenario: a store, and a separate kvsqld on it.

Everything is in one temporary folder, which is removed at the end unless it is to be kept.
"""

import atexit
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

HBASE = HERE.parent / "live" / "hbase"
HOUR_MS = 3600 * 1000
# Scenarios at a large size have statements that take longer than a minute.
# A scenario may make its data between connecting and its first statement.
CONFIGURATION = f"[limits]\nrequest_timeout_ms = {HOUR_MS}\nread_timeout_ms = {HOUR_MS // 10}\nhandshake_timeout_ms = {HOUR_MS}\n"


def program(name):
    """A program of the build, or else an installed one."""
    built = support.TOP_BUILD / name
    if built.exists():
        return str(built)
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/sbin", "/usr/sbin"]))
    if found is None:
        raise support.Skip(f"{name} is neither built nor installed")
    return found


class Environment:
    """A store and the daemons on it; @store: memory, rocksdb, hbase or a store's URL."""

    # For subclasses: options of tests/live/hbase, and of the JVMs that it starts.
    hbase_options = ()
    hbase_java = ""

    def __init__(self, store, keep=False):
        self.store = store
        self.keep = keep
        self.daemons = []
        self.hbase = None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kvsql-scenario-"))
        atexit.register(self.close)
        self.store_url = self.open_store()
        self.uri = f"kvsql+unix://{self.start().socket_path}"

    def open_store(self):
        if self.store == "memory":
            return "memory:"
        if self.store == "rocksdb":  # its data need not survive a power failure
            return f"rocksdb://{self.folder}/data?sync=false"
        if ":" in self.store:
            return self.store
        url = os.environ.get("KVSQL_TEST_HBASE_URL") or self.start_hbase()
        # Separate tables, as others may use the HBase, too.
        namespace = self.folder.name.replace("-", "_")
        return f"{url}{'&' if '?' in url else '?'}namespace={namespace}"

    def start_hbase(self):
        print("Starting an HBase with its Thrift2 server. The first time, it is fetched: some minutes.", flush=True)
        self.hbase = self.folder / "hbase"
        java = {"_JAVA_OPTIONS": self.hbase_java} if self.hbase_java else {}
        return subprocess.run([sys.executable, str(HBASE), "start", str(self.hbase), *self.hbase_options], check=True,
                              stdout=subprocess.PIPE, text=True, env={**os.environ, **java}).stdout.strip()

    def start(self):
        """Starts a kvsqld. Further ones share the store, and have the definitions of the first."""
        folder = self.folder / f"kvsqld{len(self.daemons) + 1}"
        folder.mkdir()
        registry = folder / "registry"
        if self.daemons:
            # A file that is being replaced has another name for a moment.
            shutil.copytree(self.daemons[0].folder / "registry", registry, ignore=shutil.ignore_patterns("*.new"))
        daemon = support.Daemon(store=self.store_url, registry=f"local://{registry}", configuration=CONFIGURATION,
                                options=self.daemon_options(folder), program=program("kvsqld"), folder=folder)
        if self.keep:
            atexit.unregister(daemon.stop)
        self.daemons.append(daemon)
        return daemon

    def daemon_options(self, _folder):
        """Further options of a kvsqld; for subclasses."""
        return []

    def close(self):
        """Ends all processes. Their regular end is part of every scenario."""
        atexit.unregister(self.close)
        if self.keep:
            pids = " ".join(str(daemon.process.pid) for daemon in self.daemons)
            print(f"\nkvsqld still runs: export KVSQL_URI={self.uri}\nTo end it: kill {pids}; rm -r {self.folder}")
            if self.hbase:
                print(f"and before that: {HBASE} stop {self.hbase}")
            return
        statuses = [daemon.stop() for daemon in self.daemons]
        if self.hbase:
            subprocess.run([sys.executable, str(HBASE), "stop", str(self.hbase)], check=False, stdout=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)
        support.equal(statuses, [0] * len(statuses))

    def ctl_command(self, *arguments):
        """The arguments of subprocess.Popen for kvsqlctl, as a user would call it."""
        environment = {name: value for name, value in os.environ.items() if name != "G_DEBUG"}
        environment.update(KVSQL_URI=self.uri, LC_ALL="C.UTF-8", XDG_STATE_HOME=str(self.folder), NO_COLOR="1")
        return {"args": [program("kvsqlctl"), "--timeout", "3600s", *arguments], "env": environment, "text": True}

    def ctl(self, *arguments, text=None):
        """Runs kvsqlctl. Returns its standard output."""
        done = subprocess.run(**self.ctl_command(*arguments), input=text or "", capture_output=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"kvsqlctl {' '.join(arguments)[:200]}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout
