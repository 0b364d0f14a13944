#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A proxy before a gateway, that requires a client certificate and a login: kvsqld sends both, and sends nothing to a
server that it does not trust. HBase's own server requires neither, so a Python server is used as the proxy."""

import http.server
import pathlib
import ssl
import struct
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "live" / "python"))
import certificates  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

CTL = support.TOP_BUILD / "kvsqlctl"
LOGIN = "Basic YW5uOnNlY3JldA=="  # ann:secret


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers the two probes: a number for the server's type, a row without cells for a get."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):  # pylint: disable=invalid-name
        message = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Authorization"] != LOGIN:
            self.answer(401, b"")
            return
        size = struct.unpack(">i", message[4:8])[0]
        row = b"\x0c\x00\x00\x0f\x00\x02\x0c\x00\x00\x00\x00\x00"  # field 2, the cells: an empty list of structs
        result = b"\x08\x00\x00\x00\x00\x00\x02" if b"getThriftServerType" in message else row
        self.answer(200, b"\x80\x01\x00\x02" + message[4:12 + size] + result + b"\x00")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/x-thrift")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Proxy(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A refused client is not an error here."""


def start_proxy(folder):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    context.load_verify_locations(folder / "ca.pem")
    context.verify_mode = ssl.CERT_REQUIRED
    proxy = Proxy(("127.0.0.1", 0), Handler)
    proxy.socket = context.wrap_socket(proxy.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    return proxy.server_address[1]


def status(store):
    daemon = support.Daemon(store=store)
    done = subprocess.run([str(CTL), "--connect", f"kvsql://127.0.0.1:{daemon.port}", "exec", "SHOW STATUS"], capture_output=True,
                          text=True, timeout=60, check=True)
    daemon.stop()
    assert "secret" not in done.stdout + daemon.log.read_text(), "the password is shown"
    return done.stdout


def main():
    folder = support.temporary_folder("certificates")
    authority = certificates.Authority(folder)
    for name in ("server", "client"):
        authority.sign(name)
    (folder / "login").write_text("basic:ann:secret\n")
    (folder / "login").chmod(0o600)
    start = f"hbase://localhost:{start_proxy(folder)}?tls_ca={folder}/ca.pem"
    shown = f"&tls_cert={folder}/client.pem&tls_key={folder}/client.key"

    def with_both():
        text = status(f"{start}{shown}&auth_file={folder}/login")
        assert "transport=https" in text and "| yes" in text.split("store answers")[1].split("\n")[0], text

    def without_certificate():
        text = status(f"{start}&auth_file={folder}/login")
        assert "no: " in text.split("store answers")[1].split("\n")[0], text

    def without_login():
        assert "answers HTTP 401 (Unauthorized)" in status(f"{start}{shown}")

    def with_a_missing_key():
        try:
            status(f"{start}&tls_cert={folder}/client.pem&tls_key={folder}/absent.key&auth_file={folder}/login")
        except RuntimeError as error:
            assert f'tls_key "{folder}/absent.key" of the store\'s URL cannot be read: No such file' in str(error), error
        else:
            raise AssertionError("kvsqld started")

    return support.run([("/certificate/with-both", with_both), ("/certificate/without-certificate", without_certificate),
                        ("/certificate/without-login", without_login), ("/certificate/with-a-missing-key", with_a_missing_key)])


if __name__ == "__main__":
    sys.exit(main())
