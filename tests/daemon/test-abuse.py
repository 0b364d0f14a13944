#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test-abuse.py [--seconds N]: clients that try to make kvsqld unavailable to others, and an operator that runs SHOW STATUS.

Processes open connections in turn, as many as file descriptors allow: silent ones, half requests over TCP, over the UNIX socket and over
HTTP for the metrics, statements that are prepared and never closed, cursors and large replies that are never read. In PostgreSQL's protocol
(postgres/abuse.py) they do the same, and half starts, handshakes of TLS and log-ins. Meanwhile the operator runs SHOW STATUS over the UNIX
socket, on a new connection each time. The test checks its waiting time, the memory of kvsqld, the lines of its log, the answer to a refused
connection, and that all resources are released in the end. As root, the clients are another user than the operator; otherwise they are the
same, and open fewer connections over the UNIX socket.

Without arguments it takes 12 seconds, and what has to be prompt gets 10 seconds, as the machine may be busy. With --seconds 300, on a
machine that does nothing else, the operator has to be answered within 1 second.
"""

import argparse
import collections
import contextlib
import encodings.idna  # noqa: F401 another user may be unable to import it later; pylint: disable=unused-import
import http.client
import multiprocessing
import os
import pathlib
import random
import re
import resource
import select
import shutil
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live"))
sys.path.insert(0, str(HERE.parent / "live" / "python"))
sys.path.insert(0, str(HERE / "postgres"))
import abuse  # noqa: E402 pylint: disable=wrong-import-position
import attack  # noqa: E402 pylint: disable=wrong-import-position
import certificates  # noqa: E402 pylint: disable=wrong-import-position
import server  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position

MIB = 1 << 20
MAX_MEMORY = 256 * MIB
# max_bytes_in_flight is in addition to max_memory: both, the process itself and its threads have to fit into BEYOND.
IN_FLIGHT = 96 * MIB
BEYOND = 256 * MIB
AFTERWARDS = 192 * MIB
CONFIGURATION = f"""[kvsqld]
socket_mode = 0666
[log]
level = info
[metrics]
listen = 127.0.0.1:0
[limits]
max_memory = {MAX_MEMORY}
max_bytes_in_flight = {IN_FLIGHT}
"""
DEFINITIONS = ("DEFINE RELATION r { k INT KEY, v STRING }",
               "DEFINE PRIMARY SCHEMA r_p FOR r { TABLE 'r', ROW ordered{k}, FAMILY 'f', QUALIFIER '', VALUE v }")
N_ROWS = 2000
N_PROCESSES = 6
CONNECTIONS = 300  # of one process at the same time
TURN_SECONDS = 1.5
LONG_SECONDS, LONG_CONNECTIONS = 300, 10000
IS_ROOT = os.geteuid() == 0
OTHER_USER = 65534
OWN_CONNECTIONS = 40  # if the clients run as the operator's user, they must leave it places on the UNIX socket
LIMIT = 14
IS_SANITIZED = bool(os.environ.get("KVSQL_TEST_SANITIZERS", "").strip())


# ---- a small client

class Closed(Exception):
    """The daemon closed the connection."""


def query_message(sql, max_rows=0):
    options = attack.field(attack.I32, 1) + attack.be32(max_rows) + b"\0"
    return attack.binary(b"query", attack.field(attack.STRING, 1) + attack.text(sql.encode()) + attack.field(attack.LIST, 2)
                         + bytes([attack.STRUCT]) + attack.be32(0) + attack.field(attack.STRUCT, 3) + options + b"\0")


def prepare_message(sql):
    return attack.binary(b"prepare", attack.field(attack.STRING, 1) + attack.text(sql.encode()) + b"\0")


def connect(address, timeout):
    if isinstance(address, str):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(timeout)
        try:
            connection.connect(address)
        except OSError:
            connection.close()
            raise
        return connection
    return socket.create_connection(address, timeout)


def receive(connection, size):
    data = b""
    while len(data) < size:
        part = connection.recv(size - len(data))
        if not part:
            raise Closed
        data += part
    return data


def ask(connection, message):
    connection.sendall(attack.frame(message))
    return receive(connection, struct.unpack(">I", receive(connection, 4))[0])


def failure_code(reply, method):
    """The code of the SqlError in a reply; None: it contains a value."""
    head = 4 + 4 + len(method) + 4
    if reply[head:head + 3] != attack.field(attack.STRUCT, 1):
        return None
    assert reply[head + 3:head + 6] == attack.field(attack.I32, 1), reply[:100]
    return struct.unpack(">i", reply[head + 6:head + 10])[0]


# ---- the clients' uses of a connection

def stay_silent(_, __):
    pass


def send_half(connection, chance):
    message = attack.frame(query_message("SELECT '" + "x" * int(10 ** chance.uniform(1, 5.7)) + "'"))
    connection.sendall(message[:chance.randrange(1, len(message) - 1)])


def send_half_http(connection, chance):
    connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: somewhere\r\n"[:chance.randrange(1, 40)])


def prepare_many(connection, chance):
    sql = "SELECT k FROM r WHERE k IN (" + ",".join(str(chance.randrange(1 << 30)) for _ in range(500)) + ")"
    for _ in range(50):
        code = failure_code(ask(connection, prepare_message(sql)), b"prepare")
        if code is not None:
            assert code == LIMIT, code
            return


def leave_cursors(connection, _):
    for _ in range(20):
        code = failure_code(ask(connection, query_message("SELECT k, v FROM r ORDER BY v, k DESC", 1)), b"query")
        if code is not None:
            assert code == LIMIT, code
            return


def leave_replies(connection, chance):
    """One large value is in all rows of a page, of a join, of a window, and of keys: it is copied for each row. Few of them run at the
    same time, as there are not many processors."""
    if chance.random() > 0.05:
        return
    rows = f"(SELECT g, (SELECT repeat('x', {chance.randrange(10**5, 10**6)})) AS s FROM generate_series(1, 100000) AS g)"
    sql = chance.choice(("SELECT s FROM {0} a", "SELECT a.s FROM {0} a JOIN {0} b ON a.g = b.g", "SELECT s, row_number() OVER (ORDER BY g) FROM {0} a",
                         "SELECT g FROM {0} a ORDER BY s DESC", "SELECT s, count(*) FROM {0} a GROUP BY s"))
    connection.sendall(attack.frame(query_message(sql.format(rows))))


def hello(connection, _):
    """Admitted, or refused with a reason."""
    reply = ask(connection, attack.HELLO["binary"])
    code = failure_code(reply, b"hello")
    assert code in (None, LIMIT), code
    assert code is None or b"too many connections" in reply, reply


THRIFT = ("tcp", "unix")
POSTGRES = ("postgres", "scram")
# with weights, and the addresses of which each connection has one
KINDS = ((stay_silent, 4, (*THRIFT, *POSTGRES)), (send_half, 4, THRIFT), (send_half_http, 2, ("http",)), (prepare_many, 2, THRIFT),
         (leave_cursors, 2, THRIFT), (leave_replies, 2, THRIFT), (hello, 2, THRIFT),
         *((kind, weight, ("scram",) if has_log_in else ("postgres",)) for kind, weight, has_log_in in abuse.KINDS))


def choose_address(names, chance, n_held):
    if not IS_ROOT and n_held >= OWN_CONNECTIONS:
        names = [name for name in names if name != "unix"]
    return chance.choice(names)


def serve_turn(addresses, kind, names, chance, until, counts):  # pylint: disable=too-many-arguments
    held = []
    try:
        while len(held) < CONNECTIONS and time.monotonic() < until:
            name = choose_address(names, chance, len(held))
            with contextlib.suppress(OSError, Closed):
                connection = connect(addresses[name], 2)
                held.append(connection)
                counts[name] += 1
                kind(connection, chance)
        held = [connection for connection in held if connection.fileno() >= 0]
        while time.monotonic() < until:
            poll = select.poll()
            for connection in held:
                poll.register(connection, select.POLLRDHUP)
            poll.poll(100)
            time.sleep(0.1)
    finally:
        for connection in held:
            connection.close()


def be_abusive(addresses, number, seed, until, queue):
    """One process of clients. Puts (connections of each address, failure or None) into the queue. Together, the first turns of the processes
    have all kinds."""
    counts = collections.Counter()
    failure = None
    try:
        os.nice(10)
        if IS_ROOT:
            os.setgroups([])
            os.setgid(OTHER_USER)
            os.setuid(OTHER_USER)
        chance = random.Random(seed + number)
        first = list(KINDS[number::N_PROCESSES])
        while time.monotonic() < until:
            kind, _, names = first.pop() if first else chance.choices(KINDS, [weight for _, weight, _ in KINDS])[0]
            serve_turn(addresses, kind, names, chance, min(until, time.monotonic() + TURN_SECONDS), counts)
    except Exception as error:  # pylint: disable=broad-except
        failure = repr(error)
    queue.put((counts, failure))


# ---- the operator

def show_status(path, timeout):
    with connect(path, timeout) as connection:
        assert failure_code(ask(connection, attack.HELLO["binary"]), b"hello") is None
        reply = ask(connection, query_message("SHOW STATUS"))
        assert failure_code(reply, b"query") is None, reply
        assert b"prepared statements" in reply
        return reply


class Watch:
    """The operator's waiting time, and the memory of the daemon."""

    def __init__(self, process, path, metrics, limit):
        self.process, self.path, self.metrics, self.limit = process, path, metrics, limit
        self.longest = 0.0
        self.most = 0
        self.n_asked = 0

    def look(self):
        began = time.monotonic()
        show_status(self.path, 60)
        seconds = time.monotonic() - began
        self.n_asked += 1
        self.longest = max(self.longest, seconds)
        assert seconds <= self.limit, f"SHOW STATUS took {seconds:.2f} s"
        if self.n_asked % 10 == 0:
            began = time.monotonic()
            assert "kvsqld_connections" in scrape(self.metrics, 60)
            seconds = time.monotonic() - began
            assert seconds <= self.limit, f"the metrics took {seconds:.2f} s"
        self.most = max(self.most, resident(self.process.pid))
        assert IS_SANITIZED or self.most <= MAX_MEMORY + BEYOND, f"kvsqld holds {self.most // MIB} MiB"


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))


def scrape(port, timeout):
    """The metrics without labels, as a table of numbers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    return {name: float(value) for name, value in re.findall(r"^(\w+) (\S+)$", text, re.M)}


def fill(path):
    with connect(path, 60) as connection:
        for sql in DEFINITIONS:
            assert failure_code(ask(connection, query_message(sql)), b"query") is None, sql
        for begin in range(0, N_ROWS, 500):
            rows = ",".join(f"({k}, '{k * 7919 % N_ROWS:06} {'v' * 200}')" for k in range(begin, begin + 500))
            reply = ask(connection, query_message(f"INSERT INTO r VALUES {rows}"))
            assert failure_code(reply, b"query") is None, reply


def metrics_port(daemon):
    limit = time.monotonic() + 60
    while not (found := re.search(r"metrics are at http://127.0.0.1:(\d+)/metrics", daemon.log.read_text())):
        assert time.monotonic() < limit, "timed out"
        time.sleep(0.02)
    return int(found.group(1))


def wait_until(what, test, seconds=60):
    limit = time.monotonic() + seconds
    while not test():
        assert time.monotonic() < limit, f"timed out: {what}"
        time.sleep(0.1)


def is_over(port):
    numbers = scrape(port, 60)
    return numbers["kvsqld_prepared_statements"] == 0 and numbers["kvsqld_connections"] == 0


# ---- the test

def start():
    """A kvsqld with all kinds of addresses, and these. PostgreSQL's have TLS where there is openssl."""
    folder = support.temporary_folder("abuse")
    configuration, tls = CONFIGURATION, ""
    if shutil.which("openssl"):
        certificate, key = certificates.Authority(folder).sign("server")
        configuration, tls = f"[kvsqld]\ntls_certificate = {certificate}\ntls_key = {key}\n{CONFIGURATION}", "&tls=optional"
    daemon = support.Daemon(folder=folder, configuration=configuration,
                            options=[f"--postgres-listen=tcp://127.0.0.1:0?auth={auth}{tls}" for auth in ("none", "scram")])
    folder.chmod(0o711)
    ports = {"tcp": daemon.port, "http": metrics_port(daemon)}
    for name in POSTGRES:
        ports[name] = int(daemon.process.stdout.readline().decode().rsplit(":", 1)[1])
    return daemon, {"unix": daemon.socket_path, **{name: ("127.0.0.1", port) for name, port in ports.items()}}


def run(seconds, limit):
    seed = support.seed()
    context = multiprocessing.get_context("fork")
    daemon, addresses = start()
    fill(daemon.socket_path)
    watch = Watch(daemon.process, daemon.socket_path, addresses["http"][1], limit)
    watch.look()
    until = time.monotonic() + seconds
    queue = context.Queue()
    clients = [context.Process(target=be_abusive, args=(addresses, number, seed, until, queue)) for number in range(N_PROCESSES)]
    for client in clients:
        client.start()
    try:
        while time.monotonic() < until:
            watch.look()
            time.sleep(0.05)
        results = [queue.get(timeout=120) for _ in clients]
    finally:
        for client in clients:
            client.terminate()
            client.join()
    counts = sum((each for each, _ in results), collections.Counter())
    print(f"# {counts.total()} connections, {dict(counts)}; {watch.n_asked} SHOW STATUS, the longest {watch.longest:.3f} s; "
          f"{watch.most // MIB} MiB at most", flush=True)
    support.equal([failure for _, failure in results if failure is not None], [])
    support.equal(sorted(counts), sorted(addresses))
    assert seconds < LONG_SECONDS or counts.total() >= LONG_CONNECTIONS, counts
    wait_until("nothing of them is left", lambda: is_over(addresses["http"][1]))
    wait_until("memory is released", lambda: IS_SANITIZED or resident(daemon.process.pid) < AFTERWARDS)
    print(f"# {resident(daemon.process.pid) // MIB} MiB afterwards", flush=True)
    lines = daemon.log.read_text().count("\n")
    assert lines < 60 + 80 * (seconds / 10 + 2), f"{lines} lines in the log"
    watch.look()


# ---- the log

N_DEAF = 150
# of each kind of line, as in daemon/log/log-rate.h
LINES, LINES_SECONDS = 10, 10


def start_deaf(address, packet):
    """A client that does not take the answer to a bad start."""
    with connect(address, 60) as connection:
        connection.shutdown(socket.SHUT_RD)
        connection.sendall(packet)


def run_log():
    """Connections of PostgreSQL that end badly have few lines in the log, as all others."""
    began = time.monotonic()
    daemon = server.Server(configuration=CONFIGURATION)
    port = metrics_port(daemon)
    for _ in range(N_DEAF):
        start_deaf(daemon.address, struct.pack("!I", 1))
        start_deaf(daemon.address, wire.startup())
    wait_until("all have ended", lambda: scrape(port, 60)["kvsqld_connections_accepted_total"] >= 2 * N_DEAF and is_over(port))
    log = daemon.log.read_text()
    most = LINES * (1 + (time.monotonic() - began) // LINES_SECONDS)
    for line in ("last message", "refusal of"):
        assert 1 <= log.count(line) <= most, f"{log.count(line)} lines \"{line}\" in the log"
    n_lines = log.count("\n")
    assert n_lines <= 30 + 3 * most, f"{n_lines} lines in the log"
    support.equal(daemon.stop(), 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--limit", type=float, help="seconds that SHOW STATUS may take")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20000)), hard))
    limit = options.limit or (1 if options.seconds >= 60 else 10)
    return support.run([("/daemon/abuse", lambda: run(options.seconds, limit)), ("/daemon/abuse/log", run_log)])


if __name__ == "__main__":
    sys.exit(main())
