# SPDX-License-Identifier: LGPL-2.1-or-later
"""bytes.py: the graph's cells as in the articles, encoded without kvsql. (As in Java: the hash is a prefix of MD5, numbers are
big-endian, and newer tuples have smaller keys by Long.MAX_VALUE - created.)"""

import datetime
import hashlib
import struct

LONG_MAX = 2 ** 63 - 1


def hash_of(name):
    return hashlib.md5(name.encode()).digest()[:4]


def milliseconds(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def columns(created, properties, changed):
    """The columns c, p and u, without NULLs."""
    yield b"c", struct.pack(">q", milliseconds(created))
    if properties is not None:
        yield b"p", properties.encode()
    if changed is not None:
        yield b"u", struct.pack(">q", milliseconds(changed))


def node_cells(name, created, properties, changed):
    """Yields (row, qualifier, value) of each cell."""
    for qualifier, value in columns(created, properties, changed):
        yield hash_of(name) + b"-0-" + name.encode(), qualifier, value


def link_cells(start, kind, end, created, properties, changed):
    row = hash_of(start) + f"-1-{start}-{kind}-{end}".encode()
    for qualifier, value in columns(created, properties, changed):
        yield row, qualifier, value
    newest_first = struct.pack(">q", LONG_MAX - milliseconds(created))
    in_index = (properties or "null").encode()
    yield hash_of(end) + f"-2-{end}-INCOMING-{kind}-".encode() + newest_first + b"-" + start.encode(), b"", in_index
    yield hash_of(start) + f"-2-{start}-OUTGOING-{kind}-".encode() + newest_first + b"-" + end.encode(), b"", in_index


def cells(nodes, links):
    return {cell for node in nodes for cell in node_cells(*node)} | {cell for link in links for cell in link_cells(*link)}
