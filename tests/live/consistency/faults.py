# SPDX-License-Identifier: LGPL-2.1-or-later
"""faults.py: the faults of a run, by name.

A fault is a generator: the code before its `yield` causes the fault, the code after it ends the fault. Its parameters are the system
(system.py) and a random generator. To add a fault, add a function and a line of FAULTS. Afterwards everything has to work again.
"""

import signal
import time

import cluster


def nothing(_system, _random):
    yield


def kill(system, random):
    """kvsqld is killed with SIGKILL, and started again."""
    index = random.randrange(len(system.daemons))
    system.daemons[index].process.kill()
    system.daemons[index].process.wait()
    yield
    system.restart(index)


def stop(system, random):
    """kvsqld is stopped for a while (SIGSTOP)."""
    process = random.choice(system.daemons).process
    process.send_signal(signal.SIGSTOP)
    yield
    process.send_signal(signal.SIGCONT)


def cut(system, _random):
    """All clients' connections are cut, with requests running."""
    system.cut()
    yield
    system.cut()


def restart(system, random):
    """kvsqld is told to end (SIGTERM), and started again."""
    index = random.randrange(len(system.daemons))
    system.daemons[index].stop()
    yield
    system.restart(index)


# ---- of the servers that the daemons need: only with --cluster

def gateway_killed(system, random):
    """A gateway is killed with SIGKILL, and started again."""
    index = random.randrange(len(system.cluster.gateways))
    system.cluster.gateways[index].send(signal.SIGKILL)
    yield
    while system.cluster.gateways[index].is_running():
        time.sleep(0.01)
    system.cluster.start_gateway(index)


def gateway_stopped(system, random):
    """A gateway is stopped: it accepts connections and answers nothing."""
    gateway = random.choice(system.cluster.gateways)
    gateway.send(signal.SIGSTOP)
    yield
    gateway.send(signal.SIGCONT)


def gateway_slow(system, random):
    """Every answer of a gateway is delayed by up to 300 ms."""
    relay = random.choice(system.cluster.relays)
    relay.delay = random.uniform(0.02, 0.3)
    yield
    relay.delay = 0


def reply_cut(system, random):
    """Connections to gateways break in the middle of replies."""
    for relay in system.cluster.relays:
        relay.left = random.randrange(2000)
    yield


def region_moved(system, random):
    """A table's regions are moved to another server."""
    system.cluster.ask_admin(f"move {random.choice(system.tables)}")
    yield


def region_flushed(system, random):
    """A table's cells go from memory into files, and all files into one: delete markers may go with it."""
    namespace = system.tables[0].partition(":")[0]
    table = random.choice([*system.tables, f"{namespace}:kvsql_anchors", f"{namespace}:kvsql_log"])
    system.cluster.ask_admin(f"flush {table}")
    yield
    system.cluster.ask_admin(f"compact {table}")


def region_split(system, random):
    """A table's region is split in the middle of its keys; then two are merged."""
    table = random.choice(system.tables)
    system.cluster.ask_admin(f"split {table} k{random.randrange(1, 10)}")
    yield
    system.cluster.ask_admin(f"merge {table}")


def region_server_killed(system, random):
    """A region server is killed with SIGKILL, and started again; its regions come back from its log."""
    server = random.choice(system.cluster.region_servers)
    server.send(signal.SIGKILL)
    yield
    system.cluster.start_region_server(server)
    system.cluster.await_regions(system.prefix)


def scanner_expired(system, random):
    """A daemon is stopped for longer than HBase keeps its scanners open."""
    process = random.choice(system.daemons).process
    process.send_signal(signal.SIGSTOP)
    time.sleep(2 * cluster.SCANNER_MS / 1000)
    yield
    process.send_signal(signal.SIGCONT)


def zookeeper_killed(system, random):
    """Two of three servers of ZooKeeper are killed, so that there is no majority, and started again."""
    numbers = random.sample(("1", "2", "3"), 2)
    cluster.command("zookeeper", "kill", system.cluster.zookeeper, *numbers)
    yield
    cluster.command("zookeeper", "restart", system.cluster.zookeeper, *numbers)


def clock_set(system, random):
    """A machine's clock is set, back or forth, by up to an hour."""
    random.choice(system.clocks).set(random.choice((-3600, -60, -1, 1, 60, 3600)))
    yield


def hbase_clock_set(system, random):
    """The clock of a region server is set back while it runs. (The master admits none that starts with a wrong clock.)"""
    clock = random.choice(system.cluster.region_servers).folder / "clock"
    clock.write_text(f"{random.choice((-3600, -60, -1))}\n")
    yield
    clock.write_text("+0\n")


FAULTS = {
    "none": nothing,
    "kill": kill,
    "stop": stop,
    "cut": cut,
    "restart": restart,
}
CLUSTER_FAULTS = {
    **FAULTS,
    "gateway-killed": gateway_killed,
    "gateway-stopped": gateway_stopped,
    "gateway-slow": gateway_slow,
    "reply-cut": reply_cut,
    "region-moved": region_moved,
    "region-flushed": region_flushed,
    "region-split": region_split,
    "region-server-killed": region_server_killed,
    "scanner-expired": scanner_expired,
    "zookeeper-killed": zookeeper_killed,
    "clock-set": clock_set,
    "hbase-clock-set": hbase_clock_set,
}


def play(system, random, name, recorder, is_over, has_happened, longest=1.0):  # pylint: disable=too-many-arguments
    """Repeats the fault until the event @is_over is set. Everything is repaired at the end. Returns how often the fault happened;
    @has_happened is set after the first time, and at once if there is none."""
    count = 0
    if name == "none":
        has_happened.set()
    while name != "none" and not is_over.wait(0.1 + random.random() * longest):
        fault = CLUSTER_FAULTS[name](system, random)
        recorder.note(name, "begins")
        next(fault)
        is_over.wait(random.random() * longest)
        next(fault, None)
        recorder.note(name, "ended")
        count += 1
        has_happened.set()
    return count
