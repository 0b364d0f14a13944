# SPDX-License-Identifier: LGPL-2.1-or-later
"""A log-in with the stock Thrift library of Python, over TLS.

    thrift --gen py --out . idl/kvsql.thrift
    KVSQL_PASSWORD=secret python3 log_in.py db1.example.com 5797 ca.pem ann
"""

import base64
import hashlib
import hmac
import os
import secrets
import ssl
import sys

from kvsql import Sql
from kvsql.ttypes import QueryOptions
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TSSLSocket import TSSLSocket
from thrift.transport.TTransport import TFramedTransport


def connect(host, port, ca):
    # the certificate has to be of this CA, and for this host
    context = ssl.create_default_context(cafile=ca)
    transport = TFramedTransport(TSSLSocket(host, port, ssl_context=context))
    client = Sql.Client(TBinaryProtocol(transport))
    transport.open()
    return client


def log_in(client, user, password):
    """SCRAM-SHA-256 (RFC 5802, RFC 7677): the password is not sent."""
    def mac(key, data):
        return hmac.new(key, data, hashlib.sha256).digest()

    nonce = secrets.token_urlsafe(18)
    first = f"n={user.replace('=', '=3D').replace(',', '=2C')},r={nonce}"
    challenge = client.beginAuthentication("SCRAM-SHA-256", b"n,," + first.encode()).decode()
    fields = dict(each.split("=", 1) for each in challenge.split(","))
    if not fields["r"].startswith(nonce):
        raise ValueError("this is no answer to our message")
    salted = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(fields["s"]), int(fields["i"]))
    final = f"c=biws,r={fields['r']}"
    signed = f"{first},{challenge},{final}".encode()
    key = mac(salted, b"Client Key")
    proof = bytes(a ^ b for a, b in zip(key, mac(hashlib.sha256(key).digest(), signed)))
    answer = client.finishAuthentication(f"{final},p={base64.b64encode(proof).decode()}".encode())
    expected = b"v=" + base64.b64encode(mac(mac(salted, b"Server Key"), signed))
    if not hmac.compare_digest(answer, expected):
        raise ValueError("the server does not know this password's verifier: it is another one")


if __name__ == "__main__":
    sql = connect(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    log_in(sql, sys.argv[4], os.environ["KVSQL_PASSWORD"])
    page = sql.query("SELECT 1 AS one", [], QueryOptions())
    print([column.i for column in page.columns])
