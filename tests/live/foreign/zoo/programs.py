# SPDX-License-Identifier: LGPL-2.1-or-later
"""programs.py: tables as programs in Python write them, by HBase's Thrift server, and as Phoenix does.

Each has the tuples that its program knows: (values of the key in the order of the bytes, others by name or by position).
"""

import datetime
import hashlib
import json
import random
import struct
import uuid

ROWS = 200
NAMES = "anselm birgit cosima dragan elif farid greta hugo ilse jakob kirsi leo mina noor".split()


def iso(ms):
    time = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03}Z"


def devices(source):
    """isoformat () and json.dumps (): device:000123:2024-03-01T12:00:00.250000 -> a state."""
    for _ in range(ROWS):
        device, at = source.randrange(1, 4000), 1_700_000_000_000 + source.randrange(20_000_000_000)
        text = iso(at)[:-1] + "Z"
        state = json.dumps({"on": source.random() < 0.5, "level": source.randrange(100)})
        yield f"device:{device:06}:{text}".encode(), {(b"s", b"state"): state.encode()}, (device, iso(at)), [state]


def packets(source):
    """struct.pack: >IQ keys; a short, a byte and text."""
    for _ in range(ROWS):
        host, number = source.randrange(1, 1 << 20), source.randrange(1, 1 << 40)
        size, kind, note = source.randrange(20, 1500), source.randrange(1, 18), source.choice(["syn", "ack", "fin", "data"])
        yield (struct.pack(">IQ", host, number), {(b"p", b"size"): struct.pack(">H", size), (b"p", b"kind"): struct.pack(">B", kind),
                                                 (b"p", b"note"): note.encode()}, (host, number), {"size": size, "kind": kind, "note": note})


def crawl(source):
    """org.example.www/path, as a crawler has them."""
    for _ in range(ROWS):
        host = [source.choice(["www", "api", "blog"]), source.choice(NAMES), source.choice(["com", "org", "fr", "kr"])]
        path = "/".join(source.choice(NAMES) for _ in range(source.randrange(1, 4)))
        status, at = source.choice([200, 200, 404, 301]), 1_600_000_000 + source.randrange(90_000_000)
        yield (".".join(reversed(host)).encode() + b"/" + path.encode(),
               {(b"c", b"status"): str(status).encode(), (b"c", b"fetched"): str(at).encode()}, (".".join(host), path),
               {"status": status, "fetched": at})


def hashed(source):
    """Eight digits of sha1 (user), ":", the user, ":", a day."""
    for _ in range(ROWS):
        user, day = source.choice(NAMES) + str(source.randrange(500)), datetime.date(2024, 1, 1) + datetime.timedelta(source.randrange(300))
        minutes = source.randrange(1, 900)
        yield (f"{hashlib.sha1(user.encode()).hexdigest()[:8]}:{user}:{day}".encode(), {(b"u", b"minutes"): str(minutes).encode()},
               (user, str(day)), [minutes])


def invoices(source):
    """uuid4 as text; the amount with two digits after the point, the day, and a note that few have."""
    for _ in range(ROWS):
        key, amount = str(uuid.UUID(int=source.getrandbits(128), version=4)), f"{source.randrange(1, 9000)}.{source.randrange(1, 10)}{source.randrange(1, 10)}"
        day = str(datetime.date(2023, 5, 1) + datetime.timedelta(source.randrange(500)))
        cells, others = {(b"i", b"amount"): amount.encode(), (b"i", b"day"): day.encode()}, {"amount": amount, "day": day}
        if source.random() < 0.3:
            others["note"] = "paid by " + source.choice(NAMES)
            cells[(b"i", b"note")] = others["note"].encode()
        yield key.encode(), cells, (key,), others


def queues(source):
    """queue NUL and a big-endian sequence; any bytes as the value."""
    for _ in range(ROWS):
        queue, number = source.choice(NAMES), source.randrange(1, 1 << 33)
        value = bytes(source.randrange(256) for _ in range(source.randrange(8, 40)))
        yield queue.encode() + b"\0" + struct.pack(">Q", number), {(b"q", b"v"): value}, (queue, number), [value.hex()]


PYTHON = [devices, packets, crawl, hashed, invoices, queues]


class Phoenix:
    """A table of Phoenix, and its rows."""

    def __init__(self, name, statement, columns, n_keys, make):
        self.name, self.statement, self.columns, self.n_keys, self.make = name, statement, columns, n_keys, make


def phoenix_time(ms):
    return f"TO_DATE('{iso(ms)[:-1].replace('T', ' ')}', 'yyyy-MM-dd HH:mm:ss.SSS')"


def text(value):
    return "'" + value + "'"


def of_orders(source):
    number = source.randrange(1, 10**7)
    return ([text(source.choice(NAMES)), number, source.randrange(-50, 5000), text("to " + source.choice(NAMES))])


def of_stays(source):
    at = 1_650_000_000_000 + source.randrange(40_000_000_000)
    return [text(source.choice(NAMES)), phoenix_time(at), source.randrange(1, 10**9), text("room " + source.choice(NAMES))]


# Names of columns are in Phoenix's catalogue only: infer calls number 11 c11.
PHOENIX = [
    Phoenix("ZOO_ORDERS", "(WHO VARCHAR NOT NULL, ID BIGINT NOT NULL, QTY INTEGER, NOTE VARCHAR, CONSTRAINT PK PRIMARY KEY (WHO, ID))",
            ["c11", "c12"], 2, of_orders),
    Phoenix("ZOO_NAMED", "(WHO VARCHAR NOT NULL, ID BIGINT NOT NULL, QTY INTEGER, NOTE VARCHAR, CONSTRAINT PK PRIMARY KEY (WHO, ID)) "
            "COLUMN_ENCODED_BYTES = 0", ["QTY", "NOTE"], 2, of_orders),
    Phoenix("ZOO_STAYS", "(WHO VARCHAR NOT NULL, D DATE NOT NULL, N BIGINT, ROOM VARCHAR, CONSTRAINT PK PRIMARY KEY (WHO, D DESC)) "
            "COLUMN_ENCODED_BYTES = 0", ["N", "ROOM"], 2, of_stays),
    Phoenix("ZOO_SALTED", "(WHO VARCHAR NOT NULL, ID BIGINT NOT NULL, QTY INTEGER, NOTE VARCHAR, CONSTRAINT PK PRIMARY KEY (WHO, ID)) "
            "SALT_BUCKETS = 6, COLUMN_ENCODED_BYTES = 0", ["QTY", "NOTE"], 2, of_orders),
]


def known(value):
    """What the literal of a statement is."""
    value = str(value)
    if value.startswith("TO_DATE"):
        return value.split("'")[1].replace(" ", "T") + "Z"
    return value.strip("'")


def python_table(make):
    """(cells by row, tuples) of one program. The last of two equal rows is there."""
    cells, tuples = {}, {}
    for row, columns, key, others in make(random.Random(make.__name__)):
        cells[row], tuples[row] = columns, (key, others)
    return cells, list(tuples.values())


def phoenix_table(table):
    """(rows of literals, tuples)"""
    source, rows = random.Random(table.name), {}
    for _ in range(ROWS):
        row = table.make(source)
        rows[tuple(row[:table.n_keys])] = row
    return list(rows.values()), [(tuple(known(value) for value in row[:table.n_keys]),
                                  dict(zip(table.columns, (known(value) for value in row[table.n_keys:])))) for row in rows.values()]
