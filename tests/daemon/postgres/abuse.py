# SPDX-License-Identifier: LGPL-2.1-or-later
"""abuse.py: what test-abuse.py does with a connection of PostgreSQL's protocol.

Each function gets a socket that is connected, and a source of chance. The connection may be refused, or meet a limit; another error is a
failure.
"""

import socket
import ssl
import struct

import wire

SSL_REQUEST = struct.pack("!II", 8, 80877103)
GSSENC_REQUEST = struct.pack("!II", 8, 80877104)
REFUSED = "53300"
LIMIT = "54000"
MOST_BYTES = 16384000  # max_message_bytes


def startup():
    return wire.startup(user="test", database="postgres")


def until(peer, last):
    """The messages up to one of this kind, or None after an error. A connection that ends raises an OSError."""
    try:
        messages = peer.until(last + "E")
    except EOFError as error:
        raise ConnectionResetError from error
    kind, value = messages[-1]
    if kind != "E":
        return messages
    assert value["C"] in (REFUSED, LIMIT), value
    assert value["C"] == LIMIT or "too many connections" in value["M"], value
    return None


def begin(connection):
    """A session, or None."""
    peer = wire.Peer(connection)
    peer.send(startup())
    return peer if until(peer, "Z") is not None else None


def any_size(chance):
    return int(10 ** chance.uniform(1, 5.7))


def cut(message, chance):
    return message[:chance.randrange(1, len(message))]


# ---- before the session

def client_hello():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(incoming, outgoing).do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


HELLO = client_hello()


def send_half_startup(connection, chance):
    options = "-c application_name=" + "x" * chance.randrange(1, 9000)
    connection.sendall(cut(wire.startup(user="test", options=options), chance))


def send_half_tls(connection, chance):
    """After SSLRequest: nothing, half of a handshake, a handshake that does not go on, or bytes that are none."""
    connection.sendall(chance.choice((b"", GSSENC_REQUEST)))
    connection.sendall(SSL_REQUEST)
    if chance.randrange(4) > 0:
        connection.recv(2)
    connection.sendall(chance.choice((b"", cut(HELLO, chance), HELLO, chance.randbytes(any_size(chance)), HELLO[:5] + chance.randbytes(500))))


def send_half_log_in(connection, chance):
    """SCRAM up to any place: its last message is half, or wrong."""
    peer = wire.Peer(connection)
    peer.send(startup())
    if until(peer, "R") is None:
        return
    bare = b"n,,n=,r=" + chance.randbytes(12).hex().encode()
    first = wire.message("p", wire.text("SCRAM-SHA-256") + struct.pack("!I", len(bare)) + bare)
    if chance.randrange(2):
        peer.send(cut(first, chance))
        return
    peer.send(first)
    if until(peer, "R") is not None and chance.randrange(2):
        peer.send(cut(wire.message("p", b"c=biws,r=" + b"x" * chance.randrange(1, 9000)), chance))


def end_badly(connection, chance):
    """It sends what is no start and is reset, so that the answer cannot be sent."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.sendall(chance.choice((struct.pack("!I", 1), wire.startup(), b"GET / HTTP/1.1\r\n\r\n", chance.randbytes(100))))
    connection.close()


# ---- in a session

def send_half(connection, chance):
    peer = begin(connection)
    if peer is None:
        return
    large = "x" * any_size(chance)
    peer.send(chance.choice((cut(wire.query(f"SELECT '{large}'"), chance), cut(wire.parse(f"SELECT '{large}'"), chance),
                             wire.parse("SELECT $1") + cut(wire.bind([large]), chance), b"Q" + struct.pack("!I", MOST_BYTES) + large.encode(),
                             wire.query("COPY r FROM STDIN") + cut(wire.message("d", large.encode()), chance))))


def prepare_many(connection, chance):
    peer = begin(connection)
    sql = "SELECT k FROM r WHERE k IN (" + ",".join(str(chance.randrange(1 << 30)) for _ in range(500)) + ")"
    for number in range(50 if peer is not None else 0):
        peer.send(wire.parse(sql, f"s{number}"), wire.SYNC)
        if until(peer, "Z") is None:
            return


def leave_portals(connection, chance):
    """Portals, or cursors, of which one row was read."""
    peer = begin(connection)
    if peer is None:
        return
    sql = "SELECT k, v FROM r ORDER BY v, k DESC"
    peer.send(wire.query("BEGIN"))
    if until(peer, "Z") is None:
        return
    for number in range(20):
        if chance.randrange(2):
            peer.send(wire.parse(sql), wire.bind(portal=f"p{number}"), wire.execute(f"p{number}", 1), wire.SYNC)
        else:
            peer.send(wire.query(f"DECLARE c{number} CURSOR WITH HOLD FOR {sql}; FETCH c{number}"))
        if until(peer, "Z") is None:
            return


def leave_rows(connection, chance):
    """A long result that is never read; few of them, as there are not many processors."""
    if chance.random() > 0.1:
        return
    peer = begin(connection)
    if peer is not None:
        sql = f"SELECT g, (SELECT repeat('x', {chance.randrange(10**4, 10**6)})) FROM generate_series(1, 100000) AS g"
        peer.send(*chance.choice(((wire.query(sql),), (wire.parse(sql), wire.bind(), wire.execute(), wire.SYNC))))


def say_hello(connection, _):
    """Admitted, or refused with a reason."""
    begin(connection)


# with weights, and whether the address has log-ins
KINDS = ((send_half_startup, 2, False), (send_half_tls, 2, False), (send_half_log_in, 2, True), (end_badly, 1, False), (send_half, 2, False),
         (prepare_many, 1, False), (leave_portals, 2, False), (leave_rows, 1, False), (say_hello, 1, False))
