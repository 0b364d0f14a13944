# SPDX-License-Identifier: LGPL-2.1-or-later
"""cluster.py: several kvsqld with clocks of their own, on an HBase with two region servers and two gateways and on a
ZooKeeper of three servers. All of them are started here, so that a test may break each of them."""

import atexit
import subprocess
import sys
import time

import support
from admin import Admin
from clocks import Clock
from relay import Relay
from system import System

sys.path.append(str(support.TOP_SOURCE / "tests" / "live"))
import servers  # noqa: E402 pylint: disable=wrong-import-position

LIVE = support.TOP_SOURCE / "tests" / "live"
GATEWAYS = 2
REGION_SERVERS = 2
READY_SECONDS = 60
# ms until HBase closes an unused scanner; shorter than some faults
SCANNER_MS = 1500


def command(name, *arguments):
    return subprocess.run([sys.executable, str(LIVE / name), *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


class Cluster:
    """The servers that the daemons need. They are started once for all runs."""

    def __init__(self, is_tls=False):
        self.hbase = support.temporary_folder("hbase")
        self.zookeeper = support.temporary_folder("zookeeper")
        self.admin = None
        atexit.register(self.stop)
        url = command("hbase", "start", self.hbase, *(["--tls"] if is_tls else []), "--distributed", "--clocks", "--gateways", GATEWAYS,
                      "--region-servers", REGION_SERVERS, "--set", f"hbase.client.scanner.timeout.period={SCANNER_MS}",
                      "--set", "hbase.client.retries.number=5")
        # the transport is detected, but not the CA
        self.settings = url.split("?")[1] + "&" if is_tls else ""
        self.registry = command("zookeeper", "start", self.zookeeper, "--servers", 3)
        self.gateways = [servers.Server(self.hbase / f"gateway{index + 1}") for index in range(GATEWAYS)]
        self.region_servers = [servers.Server(self.hbase / f"regionserver{index + 1}") for index in range(REGION_SERVERS)]
        self.relays = [Relay(gateway.read()["port"]) for gateway in self.gateways]

    @property
    def store(self):
        return "hbase://" + ",".join(f"127.0.0.1:{relay.port}" for relay in self.relays)

    def stop(self):
        if self.admin is not None:
            self.admin.stop()
        for name, folder in (("hbase", self.hbase), ("zookeeper", self.zookeeper)):
            subprocess.run([sys.executable, str(LIVE / name), "stop", str(folder)], check=False)

    def start_gateway(self, index):
        """Starts on the old port and waits until it serves, as the other one may be killed next."""
        gateway = self.gateways[index]
        known = gateway.read()
        gateway.start(known["command"], known["port"], framed=known["framed"], compact=known["compact"], http=known["http"],
                      tls=known["tls"])
        gateway.wait_until_ready(lambda port: True, READY_SECONDS)

    def start_region_server(self, server):
        """Starts on the old port. From the port the master knows at once that the old process has ended."""
        while server.is_running():
            time.sleep(0.01)
        known = server.read()
        server.start(known["command"], known["port"])
        server.wait_until_ready(lambda port: True, READY_SECONDS)

    def await_regions(self, prefix):
        limit = time.monotonic() + READY_SECONDS
        while not self.ask_admin(f"serve {prefix}"):
            if time.monotonic() > limit:
                raise servers.Failure(f"HBase does not serve the tables {prefix}… again")

    def ask_admin(self, words):
        """Runs a command of Admin.java. False if HBase rejects it, as for a region that is being split."""
        if self.admin is None:
            self.admin = Admin(self.hbase)
        return self.admin.ask(words).startswith("ok")


class ClusterSystem(System):
    """The kvsqld of one run on a Cluster."""

    late_request_s = 20  # gateways are stopped, too

    def __init__(self, cluster, n_daemons, prefix):
        self.cluster = cluster
        self.prefix = prefix
        self.clocks = [Clock() for _ in range(n_daemons)]
        super().__init__(f"{cluster.store}?{cluster.settings}namespace={prefix}", f"{cluster.registry}/{prefix}", n_daemons)

    def new_daemon(self, index, folder):
        return support.Daemon(store=self.store, registry=self.registry, folder=folder, configuration=self.configuration,
                              wrapper=self.clocks[index].wrapper)
