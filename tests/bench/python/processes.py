# SPDX-License-Identifier: LGPL-2.1-or-later
"""processes.py: starts the processes of a run, measures their costs, and ends all of them."""

import contextlib
import ctypes
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

import servers

PR_SET_PDEATHSIG = 1
ANSWER_SECONDS = 900
END_SECONDS = 30
IDLE_END_SECONDS = 5  # an idle process ends at once


class Failure(Exception):
    """An error that is shown without a traceback."""


def die_with_parent():
    """Called between fork and exec: the process dies with the driver, even if that is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(command, **more):
    return subprocess.Popen([str(word) for word in command], preexec_fn=die_with_parent, **more)


def end(process, seconds=END_SECONDS):
    """Terminates a process; kills it if it does not end."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()


# ---- costs

def cpu_of(pid):
    """Nanoseconds of all threads that a process has and had, by the clock of clock_getcpuclockid(3)."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return 0


def children_of(pid):
    found = []
    with contextlib.suppress(OSError):
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += [int(child) for child in (task / "children").read_text().split()]
    return found


def memory_of(pid, field="VmHWM"):
    """Peak memory in MiB; with VmRSS, current memory."""
    with contextlib.suppress(OSError, IndexError):
        return int(pathlib.Path(f"/proc/{pid}/status").read_text().split(f"{field}:")[1].split()[0]) / 1024
    return 0.0


def forget_peak(pid):
    """Resets the peak of memory."""
    with contextlib.suppress(OSError):
        pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


# ---- programs that answer commands

class Program:
    """A program with the protocol of tests/bench/program.h. @servers: name → function that returns the pids of the server."""

    def __init__(self, command, servers=None, environment=None, log=None):
        self.name = pathlib.Path(str(command[0])).name
        self.servers = servers or {}
        self.next_number = {}  # of a table, what is written next
        self.sent, self.received = [], b""  # commands without an answer yet, and what came of answers
        self.log = log
        self.process = start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                             env={**os.environ, **(environment or {})})

    def server_cpu(self):
        return {name: sum(cpu_of(pid) for pid in pids()) for name, pids in self.servers.items()}

    def send(self, command, table, first=0, calls=1, threads=1):
        """Sends a command. More commands may be sent before receive()."""
        self.sent.append(f"{command} {table} {first} {calls} {threads}")
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(self.sent[-1] + "\n")
            self.process.stdin.flush()

    def receive(self):
        """Receives the answer of the oldest command."""
        command, output = self.sent.pop(0), self.process.stdout.fileno()
        while b"\n" not in self.received:
            ready, _, _ = select.select([output], [], [], ANSWER_SECONDS)
            more = os.read(output, 65536) if ready else b""
            if not more:
                raise Failure(f"{self.name}: {command} failed" + self.tail())
            self.received += more
        line, _, self.received = self.received.partition(b"\n")
        return json.loads(line)

    def ask(self, *words):
        self.send(*words)
        return self.receive()

    def tail(self):
        if not self.log:
            return ""
        return "\n" + "\n".join(pathlib.Path(self.log.name).read_text(errors="replace").splitlines()[-15:])

    def run(self, command, table, first, calls, threads=1):
        before = self.server_cpu()
        result = self.ask(command, table, first, calls, threads)
        result["servers"] = {name: cpu - before[name] for name, cpu in self.server_cpu().items()}
        return result

    def numbers(self, table, calls):
        """Reserves numbers of tuples that were not written to that table yet, after the loaded ones. Returns the first."""
        first = self.next_number.get(table, 10_000_000)
        self.next_number[table] = first + calls
        return first

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(IDLE_END_SECONDS)
        end(self.process)


class Guard:
    """Ends all processes in every case, in the reverse order of their start."""

    def __init__(self):
        self.stack = []

    def add(self, thing, stop=None):
        self.stack.append((thing, stop or thing.stop))
        return thing

    def stop(self, thing):
        """Ends one of them now."""
        for entry in list(self.stack):
            if entry[0] is thing:
                self.stack.remove(entry)
                entry[1]()

    def stop_all(self):
        while self.stack:
            _, stop = self.stack.pop()
            with contextlib.suppress(Exception):
                stop()


def end_as_interrupted(number, frame):
    # not by print(), which fails if the signal comes while it is printing
    os.write(sys.stderr.fileno(), "\nending what was started …\n".encode())
    raise KeyboardInterrupt


@contextlib.contextmanager
def everything_ends(guard, clean_up):
    """Cleans up, also after Ctrl-C, SIGTERM and SIGHUP. A second signal does not stop it."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # SIGINT: a shell in the background has it ignored
        signal.signal(number, end_as_interrupted)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        guard.stop_all()
        clean_up()


def run_main(main):
    """A failure is shown without a traceback."""
    try:
        sys.exit(main())
    except (Failure, servers.Failure) as failure:
        print(f"\n{pathlib.Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print(f"\n{pathlib.Path(sys.argv[0]).name}: interrupted; nothing is left running", file=sys.stderr)
        sys.exit(130)


def await_true(condition, seconds, what):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise Failure(f"{what} did not happen within {seconds} s")
        time.sleep(0.05)
