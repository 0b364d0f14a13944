# SPDX-License-Identifier: LGPL-2.1-or-later
"""relay.py: a proxy between kvsqld and another server, which can delay or cut replies."""

import queue
import socket
import threading
import time

SIZE = 65536


class Relay:
    """Listens on a port of its own, and forwards each connection to 127.0.0.1:@target."""

    def __init__(self, target):
        self.target = target
        self.ask_delay = 0  # s, until a request is passed on
        self.delay = 0  # s, until a reply is
        self.left = None  # bytes of replies until one is cut; None: never
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                client.close()  # as without a server
                continue
            for work, one, other in ((self.ask, client, server), (self.answer, server, client)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=work, args=(one, other), daemon=True).start()

    def allowed(self, size):
        """How much of a reply to forward. The connection is cut after it if that is not all of it."""
        with self.lock:
            if self.left is None:
                return size
            passed = min(size, self.left)
            self.left = self.left - size if self.left >= size else None
            return passed

    def receive(self, source, pieces):
        """Each chunk and its time of arrival; then None."""
        try:
            while data := source.recv(SIZE):
                pieces.put((time.monotonic(), data))
        except OSError:
            pass
        pieces.put(None)

    def pass_on(self, source, target, delay, allowed):
        """Delays each chunk by itself: a delayed chunk does not delay later ones."""
        pieces = queue.SimpleQueue()
        threading.Thread(target=self.receive, args=(source, pieces), daemon=True).start()
        try:
            while piece := pieces.get():
                came, data = piece
                time.sleep(max(0, came + delay() - time.monotonic()))
                n = allowed(len(data))
                target.sendall(data[:n])
                if n < len(data):
                    break
        except OSError:
            pass
        self.shut(source, target)

    def ask(self, source, target):
        self.pass_on(source, target, lambda: self.ask_delay, lambda size: size)

    def answer(self, source, target):
        self.pass_on(source, target, lambda: self.delay, self.allowed)

    @staticmethod
    def shut(*sockets):
        for one in sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
