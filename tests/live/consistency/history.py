# SPDX-License-Identifier: LGPL-2.1-or-later
"""history.py: writes and reads histories: the requests of clients and their answers, as JSON lines.

    {"run": {"workload": "register", "seed": 1, ...}}                                       the first line
    {"time": 12, "process": 3, "type": "invoke", "f": "write", "key": "k1", "value": 7}
    {"time": 19, "process": 3, "type": "ok", "f": "write", "key": "k1"}
    {"time": 25, "process": "fault", "type": "kill", "value": "begins"}

"ok": it happened between the two times. "fail": it did not happen. "info": unknown, it may still happen; its process does nothing
any more. An operation without a completion is "info", too. Times are nanoseconds of one clock.
"""

import json
import threading
import time

FOR_EVER = float("inf")


class Operation:
    """An invocation with its completion. The @end of an "info" is infinite."""

    __slots__ = ("process", "f", "key", "value", "start", "end", "type", "result", "error")

    def __init__(self, line):
        self.process, self.f, self.key, self.value = line["process"], line["f"], line["key"], line.get("value")
        self.start, self.end = line["time"], FOR_EVER
        self.type, self.result, self.error = "info", None, None

    def complete(self, line):
        self.type, self.result, self.error = line["type"], line.get("value"), line.get("error")
        if self.type != "info":
            self.end = line["time"]

    def __str__(self):
        seconds = "…" if self.end == FOR_EVER else f"{self.end / 1e9:.6f}"
        told = f" -> {self.result!r}" if self.result is not None else f" ({self.type})" if self.type != "ok" else ""
        asked = "" if self.value is None else f" {self.value!r}"
        return f"{self.f}{asked}{told} by process {self.process} at {self.start / 1e9:.6f}–{seconds} s"


class Recorder:
    """Writes one history. Threads are serialized."""

    def __init__(self, path, **run):
        self.file = open(path, "w", encoding="utf-8")  # pylint: disable=consider-using-with
        self.lock = threading.Lock()
        self.origin = time.monotonic_ns()
        self.write({"run": run})

    def write(self, line):
        text = json.dumps(line, separators=(",", ":"))
        with self.lock:
            self.file.write(text + "\n")

    def now(self):
        return time.monotonic_ns() - self.origin

    def invoke(self, process, f, key, value=None):
        self.write({"time": self.now(), "process": process, "type": "invoke", "f": f, "key": key, "value": value})

    def complete(self, moment, process, kind, f, key, value=None, error=None):  # pylint: disable=too-many-arguments
        line = {"time": moment, "process": process, "type": kind, "f": f, "key": key, "value": value}
        self.write({**line, "error": error} if error is not None else line)

    def note(self, name, what):
        self.write({"time": self.now(), "process": "fault", "type": name, "value": what})

    def close(self):
        self.file.close()


def pair(lines):
    """The operations of a history, in the order of their invocations."""
    operations, under_way = [], {}
    for line in lines:
        process = line["process"]
        if process == "fault":
            continue
        if line["type"] == "invoke":
            if process in under_way:
                raise ValueError(f"process {process} begins something before the last is completed")
            under_way[process] = Operation(line)
            operations.append(under_way[process])
        else:
            under_way.pop(process).complete(line)
    return sorted(operations, key=lambda operation: operation.start)


def load(path):
    """(the first line, operations)"""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    return lines[0]["run"], pair(lines[1:])
