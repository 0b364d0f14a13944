# SPDX-License-Identifier: LGPL-2.1-or-later
"""scram.py: a kvsqld that asks for log-ins, and a client that logs in by SCRAM-SHA-256, independently of the daemon's code."""

import base64
import hashlib
import hmac

import support
from client import Client, SqlError
from support import equal


class Server(support.Daemon):
    """.thrift, .postgres: the ports of the listeners with auth=scram; .socket_path, .directory: the UNIX sockets."""

    def __init__(self, name, *options, folder=None, **settings):
        folder = folder or support.temporary_folder(name)
        super().__init__(folder=folder, **settings, options=[*options, "--listen=tcp://127.0.0.1:0?auth=scram", f"--postgres-listen=unix://{folder}",
                                                 "--postgres-listen=tcp://127.0.0.1:0?auth=scram"])
        addresses = [self.process.stdout.readline().decode().strip() for _ in range(3)]
        self.thrift = int(addresses[0].rsplit(":", 1)[1])
        self.postgres = int(addresses[2].rsplit(":", 1)[1])
        self.directory = str(folder)


def mac(key, data):
    return hmac.new(key, data.encode() if isinstance(data, str) else data, hashlib.sha256).digest()


def encode(data):
    return base64.b64encode(data).decode()


class Scram:
    """@binding: the data of the channel, for a @header that says that there are some."""

    def __init__(self, user, password, header="n,,", nonce="fyko+d2lbbFgONRv9qkxdawL", binding=b""):  # pylint: disable=too-many-arguments
        self.password, self.header, self.nonce, self.binding = password, header, nonce, binding
        self.bare = f"n={user.replace('=', '=3D').replace(',', '=2C')},r={nonce}"
        self.signature = None

    def first(self):
        return (self.header + self.bare).encode()

    def final(self, challenge):
        challenge = challenge.decode()
        fields = dict(each.split("=", 1) for each in challenge.split(","))
        assert fields["r"].startswith(self.nonce) and len(fields["r"]) > len(self.nonce) + 10, challenge
        salted = hashlib.pbkdf2_hmac("sha256", self.password.encode(), base64.b64decode(fields["s"]), int(fields["i"]))
        without_proof = f"c={encode(self.header.encode() + self.binding)},r={fields['r']}"
        message = f"{self.bare},{challenge},{without_proof}"
        key = mac(salted, "Client Key")
        signature = mac(hashlib.sha256(key).digest(), message)
        self.signature = b"v=" + base64.b64encode(mac(mac(salted, "Server Key"), message))
        return f"{without_proof},p={encode(bytes(a ^ b for a, b in zip(key, signature)))}".encode()


def log_in(address, user, password, change=lambda message: message):
    """A Thrift client that has logged in. @change: of the final message."""
    client = Client(address)
    exchange = Scram(user, password)
    challenge = client.call.beginAuthentication("SCRAM-SHA-256", exchange.first())
    equal(client.call.finishAuthentication(change(exchange.final(challenge))), exchange.signature)
    return client


def refusal(call):
    try:
        call()
    except SqlError as error:
        return error
    raise AssertionError("it was not refused")
