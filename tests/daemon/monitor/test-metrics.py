#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Metrics over HTTP: their text is what Prometheus reads, they count what happens, and a stranger does no harm. Every
metric and every setting is in docs/operations.md."""

import contextlib
import http.client
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM = support.TOP_BUILD / "kvsqld"
CTL = support.TOP_BUILD / "kvsqlctl"
DOCUMENT = support.TOP_SOURCE / "docs" / "operations.md"
SECONDS = 60
NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
SAMPLE = re.compile(r"([a-z_][a-z0-9_]*)(\{(.*)\})? (-?[0-9.e+-]+)\Z")
LABEL = re.compile(r'([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(,|\Z)')


@contextlib.contextmanager
def running():
    """A kvsqld with metrics; .port of its own, .metrics of these."""
    folder = support.temporary_folder("metrics")
    (folder / "conf").write_text("[metrics]\nlisten = 127.0.0.1:0\n")
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen([str(PROGRAM), f"--config={folder}/conf", f"--store=rocksdb://{folder}/data",
                                    f"--registry=local://{folder}/registry", "--listen=tcp://127.0.0.1:0?auth=none"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
    try:
        process.port = int(process.stdout.readline().decode().rsplit(":", 1)[1])
        limit = time.monotonic() + SECONDS
        while not (found := re.search(r"metrics are at http://127.0.0.1:(\d+)/metrics", (folder / "log").read_text())):
            assert time.monotonic() < limit, "timed out"
            time.sleep(0.02)
        process.metrics = int(found.group(1))
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def ask(process, method="GET", path="/metrics"):
    connection = http.client.HTTPConnection("127.0.0.1", process.metrics, timeout=SECONDS)
    connection.request(method, path)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, reply.getheader("Content-Type"), text


def labels_of(text):
    """{"kind": "select"} of kind="select"; raises what is no list of labels."""
    labels, at = {}, 0
    while text and at < len(text):
        found = LABEL.match(text, at)
        assert found, text
        assert found.group(1) not in labels, text
        labels[found.group(1)] = found.group(2)
        at = found.end()
    return labels


def family_of(name, families):
    """A sample of a histogram is called name_bucket, name_sum or name_count."""
    for suffix in ("_bucket", "_sum", "_count"):
        base = name.removesuffix(suffix)
        if base != name and families.get(base) == "histogram":
            return base
    return name


def check(text):
    """What promtool would: names, HELP and TYPE before the samples, families together, no series twice, histograms that add up. Returns
    series -> number and family -> type."""
    families, helped, series, current = {}, set(), {}, None
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            _, _, name, words = line.split(" ", 3)
            assert NAME.match(name) and words and name not in helped, line
            helped.add(name)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert name in helped and name not in families and kind in ("counter", "gauge", "histogram"), line
            assert (kind == "counter") == name.endswith("_total"), line
            families[name], current = kind, name
        else:
            found = SAMPLE.match(line)
            assert found, line
            assert family_of(found.group(1), families) == current, line
            key = (found.group(1), tuple(sorted(labels_of(found.group(3)).items())))
            assert key not in series, line
            series[key] = float(found.group(4))
    support.equal(helped, set(families))
    check_histograms(series, families)
    return series, families


def check_histograms(series, families):
    for family in (name for name, kind in families.items() if kind == "histogram"):
        groups = {}
        for (name, labels), value in series.items():
            if name == family + "_bucket":
                rest = tuple(pair for pair in labels if pair[0] != "le")
                groups.setdefault(rest, []).append((float(dict(labels)["le"].replace("+Inf", "inf")), value))
        assert groups, family
        for rest, buckets in groups.items():
            buckets.sort()
            counts = [count for _, count in buckets]
            assert counts == sorted(counts) and buckets[-1][0] == float("inf"), (family, rest)
            support.equal(counts[-1], series[(family + "_count", rest)])


def execute(process, sql, status=0):
    done = subprocess.run([str(CTL), "--connect", f"kvsql://127.0.0.1:{process.port}", "exec", sql], capture_output=True,
                          text=True, timeout=SECONDS, check=False)
    support.equal((sql, done.returncode), (sql, status))
    return done.stdout


def test_text():
    with running() as process:
        status, kind, text = ask(process)
        support.equal((status, kind), (200, "text/plain; version=0.0.4; charset=utf-8"))
        check(text)


def test_counts():
    """What was done is what is counted."""
    with running() as process:
        before, _ = check(ask(process)[2])
        execute(process, "DEFINE RELATION r { k INT KEY, v STRING }")
        execute(process, "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE v }")
        execute(process, "INSERT INTO r VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        for _ in range(4):
            execute(process, "SELECT * FROM r")
        execute(process, "SELECT nonsense FROM r", status=1)
        after, _ = check(ask(process)[2])

        def grown(name, **labels):
            key = (name, tuple(sorted(labels.items())))
            return after[key] - before[key]

        support.equal(grown("kvsqld_statements_total", kind="define", outcome="ok"), 2)
        support.equal(grown("kvsqld_statements_total", kind="insert", outcome="ok"), 1)
        support.equal(grown("kvsqld_statements_total", kind="select", outcome="ok"), 4)
        support.equal(grown("kvsqld_statements_total", kind="select", outcome="refused"), 1)
        support.equal(grown("kvsqld_statement_duration_seconds_count", kind="select"), 5)
        support.equal(grown("kvsqld_tuples_changed_total"), 3)
        support.equal(grown("kvsqld_result_rows_total"), 12)
        support.equal(grown("kvsqld_pages_total"), 4)
        support.equal(grown("kvsqld_store_rows_read_total") >= 12, True)
        support.equal(grown("kvsqld_store_mutations_total"), 3)
        support.equal(grown("kvsqld_connections_accepted_total"), 8)
        support.equal(grown("kvsqld_definitions_epoch"), 2)
        support.equal(after[("kvsqld_relations", ())], 1)
        support.equal(after[("kvsqld_registry_up", ())], 1)
        support.equal(after[("kvsqld_running_statements", ())], 0)
        assert after[("process_resident_memory_bytes", ())] > 1 << 20


def test_other_requests():
    with running() as process:
        support.equal(ask(process, path="/")[0], 404)
        support.equal(ask(process, path="/metrics/../etc/passwd")[0], 404)
        support.equal(ask(process, method="POST")[0], 405)
        support.equal(ask(process, method="HEAD")[::2], (200, ""))


def test_strangers():
    """Noise, a head that never ends and connections that say nothing: statements go on, and the text can be had again."""
    with running() as process:
        for noise in (b"\x00" * 1000, b"GET " + b"x" * 100_000, b"GET /metrics HTTP/1.1\r\n" + b"a: b\r\n" * 20_000,
                      b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET /metrics HTTP/9.9\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", process.metrics), SECONDS) as connection:
                with contextlib.suppress(OSError):
                    connection.sendall(noise)
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
        silent = [socket.create_connection(("127.0.0.1", process.metrics), SECONDS) for _ in range(40)]
        assert "version" in execute(process, "SHOW STATUS")
        for connection in silent:
            connection.close()
        limit = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                check(ask(process)[2])
                break
            assert time.monotonic() < limit, "timed out"
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        support.equal(process.wait(SECONDS), 0)


def test_half_requests():
    """Requests that are never finished do not keep the next one waiting."""
    with running() as process, contextlib.ExitStack() as stack:
        for _ in range(200):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", process.metrics), SECONDS))
            with contextlib.suppress(OSError):
                connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: half\r\n")
        began = time.monotonic()
        check(ask(process)[2])
        seconds = time.monotonic() - began
        assert seconds < 8, f"{seconds:.1f} s"  # a half request is given up after 10


def test_bad_address():
    folder = support.temporary_folder("metrics-bad")
    (folder / "conf").write_text("[metrics]\nlisten = nonsense\n")
    done = subprocess.run([str(PROGRAM), f"--config={folder}/conf", "--check-config"], capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    support.equal(done.returncode, 2)
    assert '"listen" in group [metrics]' in done.stderr and "127.0.0.1:9797" in done.stderr, done.stderr


def documented():
    """The words in back-quotes with which items of the document's lists begin."""
    words = set()
    for names in re.findall(r"^- ((?:`[a-z_]+`(?:,\s+)?)+)", DOCUMENT.read_text(), re.M):
        words.update(re.findall(r"`([a-z_]+)`", names))
    return words


def test_every_metric_is_documented():
    with running() as process:
        _, families = check(ask(process)[2])
    mine = set(families)
    support.equal(sorted(mine - documented()), [])
    stale = {word for word in documented() if word.startswith(("kvsqld_", "process_"))} - mine
    of_hbase = ("transport", "requests_repeated_total", "scans_resumed_total", "filters_refused_total", "gateway_")
    support.equal(sorted(word for word in stale if not word.removeprefix("kvsqld_store_").startswith(of_hbase)), [])


def test_every_setting_is_documented():
    folder = support.temporary_folder("metrics-settings")
    (folder / "conf").write_text("")
    done = subprocess.run([str(PROGRAM), f"--config={folder}/conf", "--check-config"], capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    keys = {line.split(" =")[0] for line in done.stdout.splitlines() if " =" in line}
    assert "page_rows" in keys, done.stdout
    support.equal(sorted(keys - documented()), [])


def main():
    if not PROGRAM.exists():
        support.skip_all("kvsqld is not built")
    return support.run([(f"/daemon/metrics/{name[5:].replace('_', '-')}", test)
                        for name, test in globals().items() if name.startswith("test_")])


if __name__ == "__main__":
    sys.exit(main())
