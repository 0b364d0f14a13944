#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An HBase whose only region server hangs, then dies, then restarts, while its gateway keeps running.

After several statements without an answer kvsqld reports that HBase does not answer: statements fail at once with 08006,
SHOW STATUS and the metrics call the gateway stalled. When HBase answers again, kvsqld recovers by itself.
"""

import http.client
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

LIVE = support.TOP_SOURCE / "tests" / "live"
sys.path.append(str(LIVE))
import servers  # noqa: E402 pylint: disable=wrong-import-position

# s: the limit of a statement here, and the longest time that counts as at once on a busy machine.
TIMEOUT_MS = 2000
PROMPT = 10
# s: until HBase serves its regions again, which takes long on a busy machine.
SERVED = 600
# s: until kvsqld has noticed that.
HEALED = 120
READY = 60
CONFIGURATION = "[metrics]\nlisten = 127.0.0.1:0\n"


def hbase(*arguments):
    return subprocess.run([sys.executable, str(LIVE / "hbase"), *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          text=True).stdout.strip()


def await_true(seconds, condition):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError(f"{condition.__name__} did not become true within {seconds} s")
        time.sleep(0.1)


class Outage:
    """The servers, a daemon over them, and a client of it."""

    def __init__(self):
        self.folder = support.temporary_folder("outage")
        self.url = hbase("start", self.folder, "--distributed")
        self.region_server = servers.Server(self.folder / "regionserver1")
        self.daemon = support.Daemon(store=self.url, configuration=CONFIGURATION)
        self.client = client.Client(("127.0.0.1", self.daemon.port), timeout_ms=1000 * HEALED)

    def stop(self):
        self.daemon.stop()
        hbase("stop", self.folder)

    def status(self):
        return dict(self.client.rows("SHOW STATUS"))

    def state(self):
        (state,) = [value for name, value in self.status().items() if re.fullmatch(r"gateway .*, state", name)]
        return state

    def metrics(self):
        (port,) = re.findall(r"metrics are at http://127.0.0.1:(\d+)/", self.daemon.log.read_text())
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PROMPT)
        connection.request("GET", "/metrics")
        return connection.getresponse().read().decode()

    def attempt(self, statement, timeout_ms=TIMEOUT_MS):
        """The error, or None."""
        try:
            self.client.query(statement, timeoutMs=timeout_ms)
        except SqlError as error:
            return error
        return None

    def stall(self):
        """Runs statements that get no answer, until kvsqld has noticed the outage."""
        def is_stalled():
            error = self.attempt("SELECT v FROM outage WHERE k = 'a'")
            if error is not None and error.code == ErrorCode.UNKNOWN_OUTCOME:
                raise error
            return self.state() == "stalled"

        await_true(HEALED, is_stalled)

    def restart(self):
        self.region_server.send(signal.SIGKILL)
        known = self.region_server.read()
        assert self.region_server.wait_until_gone(READY)
        self.region_server.start(known["command"], known["port"])
        self.region_server.wait_until_ready(lambda port: True, READY)

    def hbase_answers(self):
        """Without kvsqld."""
        try:
            thrift2.HBase(self.url).cells(b"outage")
            return True
        except (TTransportException, TIOError, OSError):
            return False

    def assert_fails_early(self, statement):
        begun = time.monotonic()
        error = self.attempt(statement, timeout_ms=6 * 1000 * PROMPT)
        took = time.monotonic() - begun
        print(f"# after {took:.3f} s: {error.message if error else None}", flush=True)
        assert error is not None and error.sqlstate == "08006" and error.retryable, error
        assert error.message.startswith("HBase does not answer: "), error
        assert "The Thrift server itself answers" in error.hint, error
        assert took < PROMPT, took


def test_outage():
    outage = Outage()
    try:
        outage.client.query("DEFINE RELATION outage (k STRING KEY, v STRING)")
        outage.client.query("DEFINE PRIMARY SCHEMA outage_1 FOR outage { TABLE 'outage', ROW k, FAMILY 'f', VALUE v }")
        outage.client.query("INSERT INTO outage VALUES ('a', '1')")
        support.equal(outage.state(), "healthy")

        outage.region_server.send(signal.SIGSTOP)
        outage.stall()
        outage.assert_fails_early("SELECT v FROM outage WHERE k = 'a'")
        outage.assert_fails_early("INSERT INTO outage VALUES ('b', '2')")
        assert outage.status()["store answers"].startswith("no: HBase does not answer: "), outage.status()
        assert re.search(r'kvsqld_store_gateway_state\{gateway="[^"]*",is="stalled"\} 1', outage.metrics()), outage.metrics()

        outage.restart()
        await_true(SERVED, outage.hbase_answers)

        def is_healthy():
            return outage.state() == "healthy"

        def is_answered():
            return outage.attempt("SELECT v FROM outage WHERE k = 'a'") is None

        await_true(HEALED, is_healthy)
        await_true(HEALED, is_answered)
        outage.client.query("INSERT INTO outage VALUES ('b', '2')")
        support.equal(outage.client.rows("SELECT v FROM outage ORDER BY k"), [("1",), ("2",)])
    finally:
        outage.stop()


if __name__ == "__main__":
    import os
    if not os.environ.get("KVSQL_TEST_HBASE_URL"):
        support.skip_all("no HBase: KVSQL_TEST_HBASE_URL is not set")
    import client
    import thrift2
    from hbase.ttypes import TIOError
    from thrift.transport.TTransport import TTransportException
    # pylint: disable-next=import-error
    from kvsql.ttypes import ErrorCode, SqlError
    sys.exit(support.run([("/live/hbase/outage", test_outage)]))
