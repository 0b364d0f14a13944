#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""TLS on the addresses of both front ends: with the stock Thrift library, psql, psycopg and kvsqlctl, and against clients that
are slow, foreign, or hostile."""

import hashlib
import os
import pathlib
import random
import shutil
import socket
import ssl
import subprocess
import sys
import time
import urllib.request

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"),
                str(pathlib.Path(__file__).resolve().parents[1] / "postgres"),
                str(pathlib.Path(__file__).resolve().parents[1] / "identity")]
import support  # noqa: E402 pylint: disable=wrong-import-position

support.use_packages("tls", ["thrift", "psycopg"], ["thrift", "psycopg[binary]"])
import psycopg  # noqa: E402 pylint: disable=wrong-import-position,import-error
import certificates  # noqa: E402 pylint: disable=wrong-import-position
import wire  # noqa: E402 pylint: disable=wrong-import-position
from client import Client, Sql, SqlError  # noqa: E402 pylint: disable=wrong-import-position
from scram import Scram  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position
from thrift.protocol.TBinaryProtocol import TBinaryProtocol  # noqa: E402 pylint: disable=wrong-import-position,import-error
from thrift.transport.TSSLSocket import TSSLSocket  # noqa: E402 pylint: disable=wrong-import-position,import-error
from thrift.transport.TTransport import TFramedTransport, TTransportException  # noqa: E402 pylint: disable=wrong-import-position,import-error

KVSQLCTL = support.TOP_BUILD / "kvsqlctl"
PASSWORD = "secret"
folder = support.temporary_folder("tls")
authority, foreign = certificates.Authority(folder), certificates.Authority(folder, "foreign")
CA = str(authority.certificate)
certificates_of = {
    "server": authority.sign("server"),
    "renewed": authority.sign("renewed", "/CN=renewed"),
    "elsewhere": authority.sign("elsewhere", names="DNS:elsewhere.example"),
    "expired": authority.sign("expired", days=-1),
    "ann": authority.sign("ann"),
    "mapped": authority.sign("web1.example.com"),
    "absent": authority.sign("absent"),
    "nameless": authority.sign("nameless", "/O=none"),
    "two-names": authority.sign("two-names", "/CN=ann/CN=admin"),
    "ann-expired": authority.sign("ann-expired", "/CN=ann", days=-1),
    "ann-foreign": foreign.sign("ann-foreign", "/CN=ann"),
}


class Server(support.Daemon):
    """A kvsqld with TLS. .ports: of the addresses of @listen and @postgres, in this order."""

    def __init__(self, name, listen=(), postgres=(), certificate="server", configuration="", limits=""):
        own = folder / name
        own.mkdir()
        self.certificate, self.key = own / "server.pem", own / "server.key"
        self.show(certificate)
        super().__init__(folder=own, options=[f"--listen=tcp://127.0.0.1:0?{each}" for each in listen]
                         + [f"--postgres-listen=tcp://127.0.0.1:0?{each}" for each in postgres],
                         configuration=f"[kvsqld]\ntls_certificate = {self.certificate}\ntls_key = {self.key}\ntls_client_ca = {CA}\n"
                                       f"{configuration}\n[log]\nlevel = info\n[limits]\n{limits}\n")
        lines = [self.process.stdout.readline().decode().strip() for _ in range(len(listen) + len(postgres))]
        self.ports = [int(each.rsplit(":", 1)[1]) for each in lines]

    def show(self, name):
        """The certificate that it reads at its start, and at a SIGHUP."""
        for source, target in zip(certificates_of[name], (self.certificate, self.key)):
            shutil.copyfile(source, target)
            target.chmod(0o600)

    def reload(self, text):
        """Sends SIGHUP, and waits until the log has @text once more."""
        before = self.log.read_text().count(text)
        self.process.send_signal(1)
        wait_until(lambda: self.log.read_text().count(text) > before)

    def administer(self, *statements):
        with Client(self.socket_path) as client:
            for each in statements:
                client.query(each)


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)


server = Server("main", listen=["auth=none&tls=required", "auth=scram&tls=required", "auth=cert&tls=required",
                                "auth=scram&tls=required&client_cert=verify"],
                postgres=["auth=scram&tls=required", "auth=scram&tls=optional", "auth=cert&tls=required", "auth=scram"],
                configuration="tls_roles = web1.example.com=web; x=y")
OPEN, SCRAM, CERT, VERIFIED, PG, PG_OPTIONAL, PG_CERT, PG_PLAIN = server.ports


def context_of(name=None, version=None, ca=CA):
    context = ssl.create_default_context(cafile=ca)
    if name is not None:
        context.load_cert_chain(*certificates_of[name])
    if version is not None:
        context.minimum_version = context.maximum_version = version
    return context


def connect(port, context=None, host="127.0.0.1"):
    raw = socket.create_connection(("127.0.0.1", port), timeout=20)
    return (context or context_of()).wrap_socket(raw, server_hostname=host)


class TlsClient(Client):
    """The stock Thrift library's client over its TLS."""

    def __init__(self, port, context=None):  # pylint: disable=super-init-not-called
        self.socket = TSSLSocket("127.0.0.1", port, ssl_context=context or context_of())
        self.socket.setTimeout(20000)
        self.transport = TFramedTransport(self.socket)
        self.call = Sql.Client(TBinaryProtocol(self.transport))
        self.transport.open()

    def log_in(self, user, password=PASSWORD):
        scram = Scram(user, password)
        challenge = self.call.beginAuthentication("SCRAM-SHA-256", scram.first())
        equal(self.call.finishAuthentication(scram.final(challenge)), scram.signature)
        return self


def fails(call, *reasons):
    """The text of the error, which has one of the reasons."""
    try:
        call()
    except (SqlError, OSError, EOFError, TTransportException, psycopg.OperationalError) as error:
        text = getattr(error, "message", None) or str(error)
        inner = str(getattr(error, "inner", None) or error.__context__ or "")
        assert any(each in text + inner for each in reasons), (text, inner)
        return text
    raise AssertionError("it did not fail")


# ---- Thrift

def test_versions():
    for version, name in ((ssl.TLSVersion.TLSv1_2, "TLSv1.2"), (ssl.TLSVersion.TLSv1_3, "TLSv1.3")):
        with TlsClient(OPEN, context_of(version=version)) as client:
            equal(client.socket.handle.version(), name)
            equal(client.rows("SELECT 1 AS one"), [(1,)])
    old = context_of(version=ssl.TLSVersion.TLSv1_1)
    old.set_ciphers("ALL:@SECLEVEL=0")
    fails(lambda: connect(OPEN, old), "protocol version", "PROTOCOL_VERSION", "wrong version", "alert")


def test_large_messages():
    """More than a record and more than the socket holds, in both directions."""
    with TlsClient(OPEN) as client:
        text = "x" * 3000000
        equal(client.rows(f"SELECT '{text}' AS t"), [(text,)])


def test_alpn():
    for offered, fits in ((["kvsql"], True), (["http/1.1"], False)):
        context = context_of()
        context.set_alpn_protocols(offered)
        if fits:
            equal(connect(OPEN, context).selected_alpn_protocol(), "kvsql")
        else:
            fails(lambda context=context: connect(OPEN, context), "alert", "ALERT")


def test_log_in():
    with TlsClient(SCRAM) as client:
        equal(fails(lambda: client.query("SELECT 1"), "log-in"), "this address of kvsqld requires a log-in")
    with TlsClient(SCRAM).log_in("ann") as client:
        equal(client.rows("SELECT 1 AS one"), [(1,)])


def test_certificate_is_a_role():
    """Its own name, or that of tls_roles."""
    for name in ("ann", "mapped"):
        with TlsClient(CERT, context_of(name)) as client:
            equal(client.rows("SELECT 1 AS one"), [(1,)])
            equal(fails(lambda client=client: client.query("CREATE ROLE x"), "permission"), "permission denied to change roles")
    with TlsClient(CERT, context_of("absent")) as client:
        equal(fails(lambda: client.query("SELECT 1"), "role"), 'role "absent" of the certificate does not exist')
    server.administer("CREATE ROLE absent LOGIN")
    with TlsClient(CERT, context_of("absent")) as client:
        client.query("SELECT 1")
        server.administer("DROP ROLE absent")
        equal(fails(lambda: client.query("SELECT 1"), "role"), 'role "absent" of the certificate does not exist')


def use(port, name):
    with TlsClient(port, context_of(name)) as client:
        if port == VERIFIED:
            client.log_in("ann")
        client.query("SELECT 1")


def test_certificates_that_are_refused():
    for port in (CERT, VERIFIED):
        use(port, "ann")
        for name in (None, "ann-expired", "ann-foreign"):
            fails(lambda port=port, name=name: use(port, name), "alert", "ALERT", "read 0 bytes", "EOF", "reset", "certificate")
    for name in ("nameless", "two-names"):
        fails(lambda name=name: use(CERT, name), "read 0 bytes", "EOF", "reset")
        use(VERIFIED, name)
    text = server.log.read_text()
    for reason in ("the client has no certificate", "the client's certificate has expired", "the client's certificate is of an unknown authority",
                   "the client's certificate has no common name, or several"):
        assert reason in text, (reason, text)


def test_client_without_tls():
    """It gets an alert; the log says why, and not often."""
    own = Server("foreign", listen=["auth=none&tls=required"])
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", own.ports[0]), timeout=20) as peer:
            peer.sendall(b"\0\0\0\x10" + b"x" * 100000)
            equal(peer.recv(2), b"\x15\x03")
    with socket.create_connection(("127.0.0.1", own.ports[0]), timeout=20) as peer:
        peer.sendall(b"GET / HTTP/1.1\r\n\r\n")
        equal(peer.recv(1), b"\x15")
    count = own.log.read_text().count("TLS failed: the client does not speak TLS")
    assert 0 < count <= 12, count
    equal(own.stop(), 0)


# ---- PostgreSQL

def psql(port, options, sql="SELECT current_user", user="ann", host="127.0.0.1"):
    if shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    done = subprocess.run(["psql", "-X", "-A", "-t", "-c", sql, f"host={host} port={port} user={user} dbname=x {options}"],
                          env={**os.environ, "PGPASSWORD": PASSWORD, "HOME": str(folder)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
    return done.stdout.strip()


def test_psql():
    for options in ("sslmode=require", f"sslmode=verify-full sslrootcert={CA}", f"sslmode=verify-ca sslrootcert={CA}", "sslmode=prefer",
                    "sslmode=require channel_binding=require", "sslmode=require channel_binding=disable",
                    "sslmode=require ssl_max_protocol_version=TLSv1.2 channel_binding=require"):
        equal((options, psql(PG, options)), (options, "ann"))
    assert "FATAL:  this address of kvsqld requires TLS" in psql(PG, "sslmode=disable")
    assert "certificate verify failed" in psql(PG, f"sslmode=verify-full sslrootcert={foreign.certificate}")
    for options in ("sslmode=disable", "sslmode=require", "sslmode=require channel_binding=require"):
        equal((options, psql(PG_OPTIONAL, options)), (options, "ann"))
    assert "server does not support SSL" in psql(PG_PLAIN, "sslmode=require")
    assert "channel binding" in psql(PG_PLAIN, "sslmode=disable channel_binding=require")


def test_psql_certificate():
    def with_certificate(name, user):
        certificate, key = certificates_of[name]
        return psql(PG_CERT, f"sslmode=verify-full sslrootcert={CA} sslcert={certificate} sslkey={key}", user=user)

    equal(with_certificate("ann", "ann"), "ann")
    equal(with_certificate("mapped", "web"), "web")
    assert 'FATAL:  certificate authentication failed for user "admin"' in with_certificate("ann", "admin")
    assert 'FATAL:  role "absent" of the certificate does not exist' in with_certificate("absent", "absent")
    assert "certificate required" in psql(PG_CERT, f"sslmode=verify-full sslrootcert={CA} sslcert=/nowhere")


def test_psycopg():
    where = f"host=localhost hostaddr=127.0.0.1 port={PG} user=ann password={PASSWORD} dbname=x sslmode=verify-full sslrootcert={CA}"
    with psycopg.connect(where + " channel_binding=require") as connection:
        assert connection.pgconn.ssl_in_use
        equal(connection.execute("SELECT %s::bigint + 1", (41,)).fetchone(), (42,))
        equal(len(connection.execute("SELECT %s::text", ("x" * 2000000,)).fetchone()[0]), 2000000)
        with connection.pipeline():
            cursors = [connection.execute("SELECT %s::bigint", (i,)) for i in range(100)]
        equal([each.fetchone() for each in cursors], [(i,) for i in range(100)])
    fails(lambda: psycopg.connect(where.replace("host=localhost", "host=elsewhere")), "does not match host name")


class PgTls(wire.Peer):
    """A peer that has asked for TLS. @stuffed: bytes that are sent with the request, before TLS."""

    def __init__(self, port, stuffed=b""):
        super().__init__(("127.0.0.1", port), begins=False)
        self.send(b"\0\0\0\x08\x04\xd2\x16\x2f" + stuffed)
        if stuffed:
            return
        equal(self.bytes(1), b"S")
        self.socket = context_of().wrap_socket(self.socket, server_hostname="127.0.0.1")


def end_point(peer):
    """tls-server-end-point: the hash of the certificate, which is signed with SHA-256."""
    return hashlib.sha256(peer.socket.getpeercert(binary_form=True)).digest()


def pg_log_in(mechanism, header, binding=lambda peer: b""):
    """The code and the text of the error of a log-in, or None."""
    with PgTls(PG) as peer:
        peer.send(wire.startup(user="ann"))
        equal(peer.read(), ("R", b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"))
        scram = Scram("", PASSWORD, header=header, binding=binding(peer))
        first = scram.first()
        peer.send(wire.message("p", wire.text(mechanism) + len(first).to_bytes(4, "big") + first))
        for _ in range(2):
            kind, body = peer.read()
            if kind == "E":
                return body["C"], body["M"]
            if body[:4] == b"\0\0\0\x0b":
                peer.send(wire.message("p", scram.final(body[4:])))
        equal((kind, body), ("R", b"\0\0\0\x0c" + scram.signature))
        return None


def test_channel_binding():
    bound = "p=tls-server-end-point,,"
    equal(pg_log_in("SCRAM-SHA-256-PLUS", bound, end_point), None)
    equal(pg_log_in("SCRAM-SHA-256", "n,,"), None)
    for binding in (lambda peer: bytes(32), lambda peer: b"", lambda peer: end_point(peer)[:-1]):
        equal(pg_log_in("SCRAM-SHA-256-PLUS", bound, binding), ("28000", "SCRAM channel binding check failed"))
    equal(pg_log_in("SCRAM-SHA-256", "y,,"), ("28000", "SCRAM channel binding negotiation error"))
    for mechanism, header in (("SCRAM-SHA-256-PLUS", "n,,"), ("SCRAM-SHA-256-PLUS", "y,,"), ("SCRAM-SHA-256", bound),
                              ("SCRAM-SHA-256-PLUSS", bound)):
        equal((mechanism, header, pg_log_in(mechanism, header, end_point)[0]), (mechanism, header, "08P01"))
    equal(pg_log_in("SCRAM-SHA-256-PLUS", "p=tls-unique,,", end_point), ("0A000", "the only channel binding is tls-server-end-point"))


def test_bytes_before_tls():
    """They could be of another program, and must not be taken for the client's."""
    with PgTls(PG, stuffed=wire.startup(user="ann")) as peer:
        messages = peer.rest()
        equal([(kind, body["C"], body["M"]) for kind, body in messages],
              [("E", "08P01", "received unencrypted data after a request for encryption")])
    with PgTls(PG) as peer:
        peer.send(b"\0\0\0\x08\x04\xd2\x16\x2f")  # a second request, within TLS
        equal(peer.bytes(1), b"N")


# ---- the certificate

def test_reload():
    own = Server("reload", listen=["auth=none&tls=required"], postgres=["auth=none&tls=required"])
    port = own.ports[0]

    def subject():
        with connect(port) as peer:
            return dict(each[0] for each in peer.getpeercert()["subject"])["commonName"]

    with TlsClient(port) as client:
        equal(subject(), "server")
        own.show("renewed")
        own.reload("configuration read again")
        equal(subject(), "renewed")
        equal(client.rows("SELECT 1 AS one"), [(1,)])
        for damage, reason in ((lambda: own.key.write_text("nothing"), "could not use the private key"),
                               (lambda: own.key.chmod(0o604), "may be read or written by every user"),
                               (lambda: shutil.copyfile(certificates_of["ann"][1], own.key), "could not use the certificate"),
                               (own.key.unlink, "could not read the private key"),
                               (lambda: own.certificate.write_text("nothing"), "could not use the certificate"),
                               (own.certificate.unlink, "could not read the certificate")):
            own.show("server")
            damage()
            own.reload("the certificate is not read again")
            assert reason in own.log.read_text().splitlines()[-2] + own.log.read_text().splitlines()[-1], own.log.read_text()
            equal(subject(), "renewed")
        equal(client.rows("SELECT 1 AS one"), [(1,)])
        own.show("server")
        own.reload("configuration read again")
        equal(subject(), "server")
    equal(own.stop(), 0)


def test_inherited_socket():
    """As from systemd."""
    own = support.temporary_folder("inherited")
    certificate, key = certificates_of["server"]
    (own / "kvsqld.conf").write_text(f"[kvsqld]\ntls_certificate = {certificate}\ntls_key = {key}\ntls_client_ca = {CA}\n"
                                     "inherited_auth = cert\ninherited_tls = required\n")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        code = ("import os, sys; os.dup2(int(sys.argv[1]), 3); os.set_inheritable(3, True); "
                "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); os.execv(sys.argv[2], sys.argv[2:])")
        with subprocess.Popen([sys.executable, "-c", code, str(listener.fileno()), str(support.TOP_BUILD / "kvsqld"), f"--config={own}/kvsqld.conf",
                               "--store=memory:", f"--registry=local://{own}/registry"], pass_fds=[listener.fileno()], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            assert process.stdout.readline().startswith("listening on tcp://")
            with TlsClient(port, context_of("ann")) as client:
                equal(fails(lambda: client.query("SELECT 1"), "role"), 'role "ann" of the certificate does not exist')
            fails(lambda: use(port, None), "alert", "ALERT", "read 0 bytes", "EOF", "reset", "certificate")
            process.terminate()
            equal(process.wait(30), 0)


def test_metrics():
    own = Server("metrics", configuration="[metrics]\nlisten = 127.0.0.1:0?tls=required")
    wait_until(lambda: "metrics are at https://" in own.log.read_text())
    url = own.log.read_text().split("metrics are at ")[1].split()[0]
    port = int(url.rsplit(":", 1)[1].split("/")[0])

    def subject():
        with connect(port) as peer:
            return dict(each[0] for each in peer.getpeercert()["subject"])["commonName"]

    def read():
        with urllib.request.urlopen(url, context=context_of(), timeout=20) as answer:
            return answer.read().decode()

    assert "kvsqld_connections " in read()
    fails(lambda: socket_get(port), "reset", "EOF", "no answer")
    equal(subject(), "server")
    own.show("renewed")
    own.reload("configuration read again")
    equal(subject(), "renewed")
    assert "kvsqld_connections " in read()
    own.key.unlink()
    own.reload("the certificate is not read again")
    equal(subject(), "renewed")
    equal(own.stop(), 0)


def socket_get(port):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as peer:
        peer.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        if b"kvsqld" not in peer.recv(65536):
            raise EOFError("no answer")


def start_error(configuration, *addresses):
    own = support.temporary_folder("start")
    (own / "kvsqld.conf").write_text(configuration)
    done = subprocess.run([str(support.TOP_BUILD / "kvsqld"), f"--config={own}/kvsqld.conf", "--store=memory:", f"--registry=local://{own}/registry",
                           f"--listen=unix://{own}/socket", *addresses], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode in (1, 2), done
    return done.stderr


def test_start():
    certificate, key = certificates_of["server"]
    files = f"[kvsqld]\ntls_certificate = {certificate}\ntls_key = {key}\n"
    address = "--listen=tcp://127.0.0.1:0?auth=none&tls=required"
    for configuration, addresses, reason in (
            ("", [address], 'has TLS, but there is no "tls_certificate" in group [kvsqld]'),
            (files, ["--listen=tcp://127.0.0.1:0?auth=cert&tls=required"], 'wants certificates of clients, but there is no "tls_client_ca"'),
            ("[metrics]\nlisten = 127.0.0.1:0?tls=required\n", [], '"listen" in group [metrics] has TLS, but there is no "tls_certificate"'),
            ("[metrics]\nlisten = 127.0.0.1:0?tls=optional\n", [], 'is no address for metrics'),
            ("[metrics]\nlisten = 127.0.0.1:0?auth=scram\n", [], 'is no address for metrics'),
            (files, ["--listen=tcp://127.0.0.1:0?auth=cert"], "auth=cert needs tls=required"),
            (files, ["--listen=tcp://127.0.0.1:0?auth=scram&client_cert=verify"], "client_cert=verify needs tls=required"),
            (files, ["--listen=tcp://127.0.0.1:0?auth=scram&tls=yes"], "tls is required, optional or off"),
            (files, ["--listen=tcp://127.0.0.1:0?auth=scram&tls=optional"], "tls=optional is for postgres_listen"),
            (files + "tls_min_version = 1.1\n", [address], '"tls_min_version" in group [kvsqld] is 1.2 or 1.3'),
            (files + "tls_roles = web\n", [address], 'bad item "web" of tls_roles: it is not NAME=ROLE'),
            (files.replace(str(key), "/nowhere"), [address], "could not read the private key: Failed to open file"),
            (files.replace(str(key), str(certificates_of["ann"][1])), [address], f'could not use the certificate "{certificate}"'),
            (files.replace(str(certificate), str(key)), [address], f'could not use the certificate "{key}"'),
            (files + f"tls_client_ca = {key}\n", [address], f'could not use the CA certificates "{key}"')):
        text = start_error(configuration, *addresses)
        assert reason in text, (reason, text)


def test_min_version():
    own = Server("newer", listen=["auth=none&tls=required"], configuration="tls_min_version = 1.3")
    with TlsClient(own.ports[0]) as client:
        equal(client.socket.handle.version(), "TLSv1.3")
    fails(lambda: connect(own.ports[0], context_of(version=ssl.TLSVersion.TLSv1_2)), "protocol version", "PROTOCOL_VERSION", "HANDSHAKE_FAILURE")
    equal(own.stop(), 0)


# ---- slow and half-open clients

def status_of(own, name):
    return int([line.split()[1] for line in pathlib.Path(f"/proc/{own.process.pid}/status").read_text().splitlines()
                if line.startswith(name + ":")][0])


def client_hello():
    """The first message of a client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context_of().wrap_bio(incoming, outgoing, server_hostname="127.0.0.1").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


def test_half_open():
    """Clients that begin a handshake and do not end it have no thread, little memory, and end at the deadline. Others do not wait for them."""
    count, timeout_s = support.size(400, 100), 6
    own = Server("half-open", listen=["auth=none&tls=required"], limits=f"handshake_timeout_ms = {timeout_s * 1000}\nmax_connections = 1000\n"
                 "max_connections_per_peer = 1000\nspin_us = 0")
    hello = client_hello()
    sent = [b"", hello[:1], hello[:len(hello) // 2], hello]
    with TlsClient(own.ports[0]) as client:
        client.query("SELECT 1")
        threads, memory, started = status_of(own, "Threads"), status_of(own, "VmRSS"), time.monotonic()
        peers = [socket.create_connection(("127.0.0.1", own.ports[0]), timeout=20) for _ in range(count)]
        for i, peer in enumerate(peers):
            peer.sendall(sent[i % len(sent)])
        wait_until(lambda: status_of(own, "Threads") <= threads + 24)
        grown = (status_of(own, "VmRSS") - memory) / count
        print(f"# {grown:.1f} KiB for each half-open handshake", flush=True)
        assert grown < 64 or support.size(False, True), grown
        longest = 0
        for at in range(20):
            for peer in peers[1::4][at * 4:at * 4 + 4]:
                peer.send(hello[1 + at:2 + at])  # a byte now and then
            begun = time.monotonic()
            connect(own.ports[0]).close()
            longest = max(longest, time.monotonic() - begun)
        print(f"# {longest * 1000:.0f} ms for a handshake meanwhile", flush=True)
        assert longest < 2, longest
        equal(client.rows("SELECT 1 AS one"), [(1,)])
        for peer in peers:
            peer.settimeout(timeout_s + 10)
            try:
                while peer.recv(65536):
                    pass
            except ConnectionResetError:
                pass
        taken = time.monotonic() - started
        assert timeout_s - 1 < taken < timeout_s + 8, taken
        equal(client.rows("SELECT 1 AS one"), [(1,)])
    assert "time ran out" in own.log.read_text()
    equal(own.stop(), 0)


def test_damaged_handshakes():
    """A first message with changed, missing or other bytes ends its connection, and nothing else."""
    own = Server("damaged", listen=["auth=none&tls=required"], postgres=["auth=none&tls=required"], limits="handshake_timeout_ms = 2000")
    chosen, hello = random.Random(support.seed()), client_hello()
    for number in range(support.size(400, 50)):
        message = bytearray(hello)
        for _ in range(chosen.randrange(1, 4)):
            message[chosen.randrange(len(message))] = chosen.randrange(256)
        if number % 4 == 0:
            message = message[:chosen.randrange(len(message))] + chosen.randbytes(chosen.randrange(2000))
        with socket.create_connection(("127.0.0.1", own.ports[number % 2]), timeout=20) as peer:
            peer.sendall((b"\0\0\0\x08\x04\xd2\x16\x2f" if number % 2 else b"") + (b"" if number % 2 else bytes(message)))
            if number % 2:
                equal(peer.recv(1), b"S")
                peer.sendall(message)
            try:
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(65536):
                    pass
            except OSError:  # it is closed already
                pass
    with TlsClient(own.ports[0]) as client:
        equal(client.rows("SELECT 1 AS one"), [(1,)])
    equal(own.stop(), 0)


def test_places_are_bounded():
    """Half-open handshakes take places as others do, and no more than there are."""
    own = Server("places", listen=["auth=none&tls=required"], limits="handshake_timeout_ms = 60000\nmax_connections = 20")
    peers = [socket.create_connection(("127.0.0.1", own.ports[0]), timeout=20) for _ in range(600)]
    memory = status_of(own, "VmRSS")
    for peer in peers:
        try:
            peer.send(b"\x16")
        except OSError:
            pass
    with Client(own.socket_path) as client:  # a place of the operator
        equal(client.rows("SELECT 1 AS one"), [(1,)])
    assert memory < 400000 and status_of(own, "VmRSS") < memory + support.size(40000, 400000), memory
    assert "max_connections is reached" in own.log.read_text()
    for peer in peers:
        peer.close()
    equal(own.stop(), 0)


def test_slow_log_in():
    """The deadline of the handshake is that of the whole log-in, on plain connections, too: a message does not prolong it."""
    own = Server("slow", listen=["auth=scram", "auth=scram&tls=required"], postgres=["auth=scram", "auth=scram&tls=required"],
                 limits="handshake_timeout_ms = 1500")

    def begin_thrift(client):
        client.call.beginAuthentication("SCRAM-SHA-256", Scram("ann", PASSWORD).first())
        return client.socket.handle

    def begin_postgres(peer):
        peer.send(wire.startup(user="ann"))
        peer.read()
        return peer.socket

    for begin in (lambda: begin_thrift(Client(("127.0.0.1", own.ports[0]))), lambda: begin_thrift(TlsClient(own.ports[1])),
                  lambda: begin_postgres(wire.Peer(("127.0.0.1", own.ports[2]), begins=False)), lambda: begin_postgres(PgTls(own.ports[3])),
                  lambda: wire.Peer(("127.0.0.1", own.ports[0]), begins=False).socket,
                  lambda: wire.Peer(("127.0.0.1", own.ports[2]), begins=False).socket):
        started = time.monotonic()
        peer = begin()
        peer.settimeout(0.4)
        ended = False
        for part in (b"\0", b"\0", b"\0", b"\x10", b"\x80", b"\x01", b"\0", b"\0", b"\0", b"\0"):
            try:
                peer.sendall(part)
                while peer.recv(65536):
                    pass
                ended = True
                break
            except TimeoutError:
                continue
            except OSError:
                ended = True
                break
        taken = time.monotonic() - started
        assert ended and 1 < taken < 3, taken
    equal(own.stop(), 0)


# ---- kvsqlctl

def kvsqlctl(uri, sql="SELECT 1 AS u", **environment):
    done = subprocess.run([str(KVSQLCTL), "--connect", uri, "exec", sql, "-o", "csv"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=60, check=False, start_new_session=True,
                          env={**os.environ, "HOME": str(folder), **environment})
    return done.returncode, done.stdout


def refused(uri, *texts):
    status, output = kvsqlctl(uri)
    assert status != 0 and all(each in output for each in texts), output


def test_kvsqlctl():
    for host in ("127.0.0.1", "localhost"):
        equal(kvsqlctl(f"kvsqls://ann:{PASSWORD}@{host}:{SCRAM}?ca={CA}"), (0, "u\n1\n"))
    equal(kvsqlctl(f"tcp://ann:{PASSWORD}@127.0.0.1:{SCRAM}?auth=scram&tls=required&ca={CA}"), (0, "u\n1\n"))
    certificate, key = certificates_of["ann"]
    equal(kvsqlctl(f"kvsqls://127.0.0.1:{CERT}?ca={CA}&cert={certificate}&key={key}"), (0, "u\n1\n"))
    equal(kvsqlctl(f"kvsqls://ann:{PASSWORD}@127.0.0.1:{VERIFIED}?ca={CA}&cert={certificate}&key={key}"), (0, "u\n1\n"))
    for protocol in ("framed=false", "protocol=compact", "framed=false&protocol=compact"):
        equal(kvsqlctl(f"kvsqls://ann:{PASSWORD}@127.0.0.1:{SCRAM}?ca={CA}&{protocol}"), (0, "u\n1\n"))


def test_kvsqlctl_errors():
    where = f"127.0.0.1:{OPEN}"
    refused(f"kvsqls://{where}", "TLS failed: the server's certificate is of an unknown authority", "ca=FILE in the URI")
    refused(f"kvsqls://{where}?ca={foreign.certificate}", "of an unknown authority")
    refused(f"kvsqls://{where}?ca=/nowhere", "could not read the CA certificates")
    refused(f"kvsqls://{where}?ca={CA}&cert=/nowhere", "could not read the certificate")
    refused(f"kvsql://{where}", "it expects TLS", "Write kvsqls:// instead of kvsql://")
    refused(f"kvsql://ann:{PASSWORD}@127.0.0.1:{SCRAM}", "it expects TLS")
    refused(f"kvsql://{where}?framed=false", "it expects TLS")
    refused(f"kvsqls://127.0.0.1:{server.port}?ca={CA}", "TLS failed: the server closed the connection", "kvsql://")
    assert "the client speaks TLS, and this address does not" in server.log.read_text()
    refused(f"kvsqls://127.0.0.1:{CERT}?ca={CA}", "cert=FILE")
    refused(f"kvsql://{where}?ca={CA}", "has options of TLS, but no TLS", "kvsqls://")
    refused(f"kvsqls://{where}?verify=maybe", 'bad option "verify=maybe"', "verify=full")
    refused(f"kvsqls://{where}?key=/x", "a key without a certificate")
    for verify in ("none", "ca"):
        equal(kvsqlctl(f"kvsqls://{where}?verify={verify}" + (f"&ca={CA}" if verify == "ca" else ""), "SELECT 1 AS one"), (0, "one\n1\n"))
    for name, reason, levels in (("elsewhere", 'is not for host "127.0.0.1"', ("ca", "none")), ("expired", "has expired", ("none",))):
        own = Server(f"as-{name}", listen=["auth=none&tls=required"], certificate=name)
        uri = f"kvsqls://127.0.0.1:{own.ports[0]}?ca={CA}"
        refused(uri, f"TLS failed: the server's certificate {reason}")
        for level in ("full", "ca", "none"):
            equal((level, kvsqlctl(f"{uri}&verify={level}", "SELECT 1 AS one")[0] == 0), (level, level in levels))
        equal("has expired: clients refuse it" in own.log.read_text(), name == "expired")
        equal(own.stop(), 0)


# ---- the example of the documentation

def test_example():
    example = support.TOP_SOURCE / "docs" / "examples" / "log_in.py"

    def call(port, password):
        done = subprocess.run([sys.executable, str(example), "localhost", str(port), CA, "ann"], text=True, stdout=subprocess.PIPE, timeout=60,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
                              env={**os.environ, "KVSQL_PASSWORD": password, "PYTHONPATH": os.pathsep.join(sys.path)})
        return done.returncode, done.stdout

    equal(call(SCRAM, PASSWORD), (0, "[[1]]\n"))
    assert "password authentication failed" in call(SCRAM, "wrong")[1]
    own = Server("for-example", listen=["auth=scram&tls=required"], certificate="elsewhere")
    output = call(own.ports[0], PASSWORD)[1]
    assert "TTransportException: Could not connect" in output, output
    equal(own.stop(), 0)


def test_secrets_are_not_shown():
    text = server.log.read_text()
    assert PASSWORD not in text and "PRIVATE KEY" not in text


TESTS = [test_versions, test_large_messages, test_alpn, test_log_in, test_certificate_is_a_role, test_certificates_that_are_refused,
         test_client_without_tls, test_psql, test_psql_certificate, test_psycopg, test_channel_binding, test_bytes_before_tls, test_reload,
         test_start, test_min_version, test_inherited_socket, test_metrics, test_half_open, test_damaged_handshakes, test_places_are_bounded, test_slow_log_in, test_kvsqlctl, test_kvsqlctl_errors, test_example,
         test_secrets_are_not_shown]

if __name__ == "__main__":
    server.administer("CREATE ROLE admin LOGIN SUPERUSER", f"CREATE USER ann PASSWORD '{PASSWORD}'", "CREATE ROLE web LOGIN")
    chosen = sys.argv[1:]
    sys.exit(support.run([("/tls/" + test.__name__.removeprefix("test_").replace("_", "-"), test) for test in TESTS
                          if not chosen or test.__name__.removeprefix("test_") in chosen]))
