# SPDX-License-Identifier: LGPL-2.1-or-later
"""wire.py: PostgreSQL's protocol 3.0, message by message, without a library."""

import socket
import struct

SECONDS = 60
TEXT, BINARY = 0, 1


# ---- messages of a client

def message(kind, body=b""):
    return kind.encode() + struct.pack("!I", len(body) + 4) + body


def text(string):
    return string.encode() + b"\0"


def startup(version=0x30000, **parameters):
    body = struct.pack("!I", version)
    body += b"".join(text(name) + text(value) for name, value in parameters.items()) + b"\0"
    return struct.pack("!I", len(body) + 4) + body


def query(sql):
    return message("Q", text(sql))


def parse(sql, name="", oids=()):
    return message("P", text(name) + text(sql) + struct.pack(f"!H{len(oids)}I", len(oids), *oids))


def bind(values=(), portal="", statement="", formats=(), results=()):
    body = text(portal) + text(statement) + struct.pack(f"!H{len(formats)}H", len(formats), *formats)
    body += struct.pack("!H", len(values))
    for value in values:
        value = value.encode() if isinstance(value, str) else value
        body += struct.pack("!i", -1) if value is None else struct.pack("!I", len(value)) + value
    return message("B", body + struct.pack(f"!H{len(results)}H", len(results), *results))


def describe(kind="P", name=""):
    return message("D", kind.encode() + text(name))


def execute(portal="", rows=0):
    return message("E", text(portal) + struct.pack("!I", rows))


def close(kind, name):
    return message("C", kind.encode() + text(name))


SYNC = message("S")
FLUSH = message("H")
TERMINATE = message("X")


# ---- messages of the server

class Reader:
    def __init__(self, body):
        self.body, self.at = body, 0

    def take(self, form):
        values = struct.unpack_from("!" + form, self.body, self.at)
        self.at += struct.calcsize("!" + form)
        return values[0] if len(values) == 1 else values

    def text(self):
        end = self.body.index(b"\0", self.at)
        value = self.body[self.at:end].decode()
        self.at = end + 1
        return value

    def bytes(self, size):
        self.at += size
        return self.body[self.at - size:self.at]


def row_of(reader):
    values = []
    for _ in range(reader.take("H")):
        size = reader.take("i")
        values.append(None if size < 0 else reader.bytes(size))
    return values


def fields_of(reader):
    fields = {}
    while (kind := reader.take("c")) != b"\0":
        fields[kind.decode()] = reader.text()
    return fields


def columns_of(reader):
    columns = []
    for _ in range(reader.take("H")):
        name = reader.text()
        _, _, oid, size, modifier, form = reader.take("IHIhih")
        columns.append((name, oid, size, modifier, form))
    return columns


def contents_of(kind, body):
    """What is in a message, in a form that can be compared and read."""
    reader = Reader(body)
    if kind in "EN":
        value = fields_of(reader)
    elif kind == "T":
        value = columns_of(reader)
    elif kind == "D":
        value = row_of(reader)
    elif kind == "C":
        value = reader.text()
    elif kind == "Z":
        value = reader.take("c").decode()
    elif kind == "S":
        value = (reader.text(), reader.text())
    elif kind == "t":
        value = [reader.take("I") for _ in range(reader.take("H"))]
    elif kind == "v":
        value = (reader.take("I"), [reader.text() for _ in range(reader.take("I"))])
    else:
        return body
    assert reader.at == len(body), (kind, body)
    return value


def connect(address):
    connection = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    connection.settimeout(SECONDS)
    connection.connect(address)
    return connection


class Peer:
    """A connection. @address: a path, (host, port), or a socket that is connected and stays the caller's: nothing is sent there yet."""

    def __init__(self, address, begins=True, **parameters):
        is_connected = isinstance(address, socket.socket)
        self.socket = address if is_connected else connect(address)
        begins = begins and not is_connected
        self.buffer = b""
        self.settings, self.key = {}, None
        if begins:
            self.send(startup(**{"user": "test", "database": "postgres", **parameters}))
            for kind, value in self.until("Z"):
                assert kind != "E", value
                if kind == "S":
                    self.settings[value[0]] = value[1]
                elif kind == "K":
                    self.key = struct.unpack("!II", value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *messages):
        self.socket.sendall(b"".join(messages))

    def more(self):
        """FALSE at the end of the stream."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return bool(data)

    def bytes(self, size):
        while len(self.buffer) < size:
            if not self.more():
                raise EOFError(f"connection closed after {self.buffer!r}")
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def read(self):
        kind, size = struct.unpack("!cI", self.bytes(5))
        kind = kind.decode()
        return kind, contents_of(kind, self.bytes(size - 4))

    def until(self, last):
        """The messages up to one of this kind."""
        messages = []
        while not messages or messages[-1][0] not in last:
            messages.append(self.read())
        return messages

    def rest(self):
        """The messages up to the end of the stream."""
        messages = []
        while True:
            try:
                messages.append(self.read())
            except EOFError:
                return messages

    def ask(self, *messages):
        """Answers up to ReadyForQuery. Messages of the extended protocol need a SYNC."""
        self.send(*messages)
        return self.until("Z")

    def rows(self, sql):
        """The rows of a simple query, as texts."""
        answers = self.ask(query(sql))
        errors = [value for kind, value in answers if kind == "E"]
        assert not errors, (sql, errors)
        return [[value if value is None else value.decode() for value in row] for kind, row in answers if kind == "D"]


def cancel(address, key):
    """Sends a CancelRequest. The server closes the connection when it has done so."""
    with Peer(address, begins=False) as peer:
        peer.send(struct.pack("!IIII", 16, 80877102, *key))
        return peer.rest()
