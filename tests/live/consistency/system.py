# SPDX-License-Identifier: LGPL-2.1-or-later
"""system.py: the kvsqld under test, one or several, and all connections to them."""

import logging
import socket
import threading

import support
from client import Client

TIMEOUT_MS = 5000  # of a statement
GIVE_UP_MS = 7000  # until a client without any answer gives up
SETTING_UP_MS = 70000  # of one that defines or repairs, where nothing is measured: HBase makes tables

logging.getLogger("thrift").setLevel(logging.CRITICAL)  # each refused connection is a line, and those are what is tested


class System:
    """@store: "rocksdb" and "memory" belong to this run; else a URL. Faults may replace the members."""

    late_request_s = 8  # of checked writes: requests of these tests are not later

    def __init__(self, store, registry=None, n_daemons=1):
        self.folder = support.temporary_folder("consistency")
        self.is_atomic = store.split(":")[0] in ("rocksdb", "memory")
        self.store = {"rocksdb": f"rocksdb://{self.folder}/data", "memory": "memory:"}.get(store, store)
        self.registry = registry or f"local://{self.folder}/registry"
        self.connections = set()
        self.lock = threading.Lock()
        self.daemons = [None] * n_daemons
        for index in range(n_daemons):
            self.restart(index)

    @property
    def configuration(self):
        return f"[kvsqld]\nlate_request_s = {self.late_request_s}\n"

    def restart(self, index):
        folder = self.folder / f"daemon{index}"
        folder.mkdir(exist_ok=True)
        self.daemons[index] = self.new_daemon(index, folder)

    def new_daemon(self, _index, folder):
        return support.Daemon(store=self.store, registry=self.registry, folder=folder, configuration=self.configuration)

    def connect(self, index, give_up_ms=GIVE_UP_MS):
        """A client of the index-th daemon. Fails with OSError or TTransportException if the daemon does not answer."""
        address = str(self.folder / f"daemon{index % len(self.daemons)}" / "kvsqld.sock")
        client = Client(address, timeout_ms=give_up_ms)
        with self.lock:
            self.connections.add(client)
        return client

    def forget(self, client):
        with self.lock:
            self.connections.discard(client)
        client.transport.close()

    def cut(self):
        with self.lock:
            clients = list(self.connections)
        for client in clients:
            try:
                client.socket.handle.shutdown(socket.SHUT_RDWR)
            except (OSError, AttributeError):
                pass  # its owner has just closed it

    def stop(self):
        return [daemon.stop() for daemon in self.daemons]
