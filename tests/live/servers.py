# SPDX-License-Identifier: LGPL-2.1-or-later
"""servers.py: starts and stops the real servers that tests talk to.

Every server has its own folder with its configuration, its log and a file that identifies its
process by pid and start time, so that another process with the same pid is never killed. After
the start of a server it is also checked that the listener on its port is this process, as
another process may use the port if the server could not bind it.
"""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time


class Failure(Exception):
    """An error that is shown without a traceback."""


def progress(text):
    print(text, file=sys.stderr, flush=True)


def free_ports(count):
    """Ports that are free now. Another process may take one before the server does, so callers retry."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def start_time(pid):
    """When the process began, in clock ticks since boot; None if there is none (a zombie is none)."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
    return None if fields[0] == "Z" else int(fields[19])


def listening_inodes(port):
    """Socket numbers of the listeners on a port."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = pathlib.Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if fields[3] == "0A" and int(fields[1].rsplit(":", 1)[1], 16) == port:
                inodes.add(fields[9])
    return inodes


class Server:
    """One process that serves a port, and its folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.name = self.folder.name
        self.record = self.folder / "process.json"
        self.log = self.folder / "log"

    def read(self):
        """The record of start(): pid, start_time, port and more; {} if it never ran."""
        try:
            return json.loads(self.record.read_text())
        except (OSError, ValueError):
            return {}

    def is_running(self):
        known = self.read()
        return bool(known) and start_time(known["pid"]) == known["start_time"]

    def start(self, command, port, **more):
        if self.is_running():
            raise Failure(f"{self.name} already runs as process {self.read()['pid']}")
        self.folder.mkdir(parents=True, exist_ok=True)
        with open(self.log, "ab") as log:
            child = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log,
                                     stderr=log, start_new_session=True)
        known = {"pid": child.pid, "start_time": start_time(child.pid), "port": port,
                 "command": command, **more}
        temporary = self.record.with_suffix(".new")
        temporary.write_text(json.dumps(known))
        temporary.replace(self.record)
        self.child = child

    def has_ended(self):
        child = getattr(self, "child", None)
        return child.poll() is not None if child else not self.is_running()

    def owns_listener(self):
        known = self.read()
        inodes = listening_inodes(known["port"])
        try:
            links = [os.readlink(entry) for entry in pathlib.Path(f"/proc/{known['pid']}/fd").iterdir()]
        except OSError:
            return False
        return any(f"socket:[{inode}]" in links for inode in inodes)

    def wait_until_ready(self, answers, seconds):
        """False if the process ended (its port may have been taken); Failure if time runs out."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if self.has_ended():
                return False
            if self.owns_listener() and answers(self.read()["port"]):
                return True
            time.sleep(0.1)
        raise Failure(f"{self.name} did not answer within {seconds} s; the end of {self.log}:\n{self.tail()}")

    def tail(self, lines=25):
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return "(no log)"

    def send(self, number):
        if self.is_running():
            os.kill(self.read()["pid"], number)

    def stop(self, grace_seconds=0):
        """Ends exactly the process that start() began, and waits until it is gone."""
        if grace_seconds > 0:
            self.send(signal.SIGTERM)
            self.wait_until_gone(grace_seconds)
        self.send(signal.SIGKILL)
        if not self.wait_until_gone(20):
            raise Failure(f"{self.name} (process {self.read()['pid']}) does not end")
        self.record.unlink(missing_ok=True)

    def wait_until_gone(self, seconds):
        limit = time.monotonic() + seconds
        while self.is_running() and time.monotonic() < limit:
            child = getattr(self, "child", None)
            if child:
                child.poll()
            time.sleep(0.02)
        return not self.is_running()


def exchange(port, request, seconds=5, want=None):
    """Sends bytes to a local port and returns what comes back; b"" if that fails.
    Reads until want(bytes) is true, or to the end of the stream."""
    answer = b""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
            connection.sendall(request)
            while not (want and want(answer)):
                more = connection.recv(65536)
                if not more:
                    break
                answer += more
    except OSError:
        pass
    return answer


def run(main):
    """Runs a script's main(): a Failure is one message and exit status 1."""
    try:
        sys.exit(main())
    except Failure as failure:
        progress(f"{pathlib.Path(sys.argv[0]).name}: {failure}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
