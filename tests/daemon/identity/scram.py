# SPDX-License-Identifier: LGPL-2.1-or-later
"""scram.py: the client's side of SCRAM-SHA-256, independently of the daemon's."""

import base64
import hashlib
import hmac


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
