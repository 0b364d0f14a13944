# SPDX-License-Identifier: LGPL-2.1-or-later
"""killing_relay.py: a proxy between one kvsqld and HBase's gateway that kills or stops it at a request of a checked write."""

import re
import threading
import time

from relay import SIZE, Relay

BEFORE, AFTER, LATE, VERY_LATE = "before", "after", "late", "very late"
HOWS = (BEFORE, AFTER, LATE, VERY_LATE)
STOP = "stopped at"

# The beginning of a message in Thrift's binary protocol: version and type, the length of the method's name, the name.
MESSAGE = re.compile(rb"\x80\x01\x00\x01\x00\x00\x00.([A-Za-z]+)", re.DOTALL)
NOT_OF_WRITES = (b"Scanner", b"Descriptor", b"Region", b"ServerType")
LOG = b"kvsql_log"
VALUE = re.compile(rb"\x04keys\x0b\x00\x03(.{4})", re.DOTALL)  # the size of the column's value
# s: before others look for the first time, and after that
DELAYS = {LATE: 1.5, VERY_LATE: 14}


class KillingRelay(Relay):
    """Requests are counted from the entry in the log, which is number 0."""

    def __init__(self, target):
        super().__init__(target)
        self.lock = threading.Lock()
        self.count = None  # of the next request; None: the write has not begun
        self.is_armed = False
        self.number = self.how = self.kill = None
        self.methods = []
        self.last_servers = set()  # sockets, whose next answer is that to the request of the kill

    def arm(self, number=None, how=None, kill=None):
        """@number: the request at which @kill is called, or the method of the first such request; None: requests are only
        counted."""
        with self.lock:
            self.number, self.how, self.kill = number, how, kill
            self.count = None
            self.methods = []
            self.is_armed = True

    def disarm(self):
        """Returns the methods of the requests since the relay was armed."""
        with self.lock:
            self.is_armed = False
            return self.methods

    @staticmethod
    def is_entry(data):
        """Not the put that makes the place of an entry free: that is one byte."""
        value = VALUE.search(data)
        return value is not None and int.from_bytes(value[1], "big") > 1

    def is_chosen(self, data):
        """Counts a request. Whether it is the one of the kill."""
        message = MESSAGE.match(data)
        with self.lock:
            if not self.is_armed or message is None or any(word in message[1] for word in NOT_OF_WRITES):
                return False
            if self.count is None:
                if LOG not in data or not self.is_entry(data):
                    return False
                self.count = 0
            method = message[1].decode()
            self.methods.append(method)
            chosen = self.number in (self.count, method)
            if chosen:
                self.number = None
            self.count += 1
            return chosen

    def ask(self, source, target):
        try:
            while data := source.recv(SIZE):
                if self.is_chosen(data):
                    if self.how != AFTER:
                        self.kill()
                    if self.how != STOP:
                        self.end_with(data, target)
                        return
                target.sendall(data)
        except OSError:
            pass
        self.shut(source, target)

    def end_with(self, data, target):
        """Handles the request of the kill. Its answer, if there is one, ends the connection."""
        if self.how == BEFORE:
            self.shut(target)
            return
        time.sleep(DELAYS.get(self.how, 0))
        self.last_servers.add(target)
        target.sendall(data)

    def answer(self, source, target):
        source.settimeout(None)  # an answer may be very late, too
        try:
            while data := source.recv(SIZE):
                if source in self.last_servers:
                    if self.how == AFTER:
                        self.kill()
                    break
                target.sendall(data)
        except OSError:
            pass
        self.shut(source, target)
