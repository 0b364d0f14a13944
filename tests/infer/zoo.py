# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tables as other programs write them, with the tuples that their programs know.

Each function of a table gets a random generator and returns a Table. It writes the bytes by itself, as Java or Python
programs do, and not by layouts of kvsql. What it expects are the values of attributes: of the key in the order of the
bytes, then of the other attributes, by position or, for columns, by name.
"""

import base64
import datetime
import hashlib
import json
import struct
import uuid

ROWS = 240
NOW = 1_700_000_000_000  # 2023-11-14T22:13:20Z
WORDS = ("amber birch cedar delta ember fjord grove heath inlet jetty knoll larch maple north ocean prairie quartz ridge "
         "shore tundra upland valley willow xenon yarrow zephyr").split()


class Table:
    """Cells (row, family, qualifier, value), and the relations expected: lists of (key values, other values)."""

    def __init__(self, name, cells, *relations):
        self.name = name
        self.cells = cells
        self.relations = [[(tuple(key), others) for key, others in relation] for relation in relations]


# ---- bytes as Java programs write them

def i32(number):
    return struct.pack(">i", number)


def i64(number):
    return struct.pack(">q", number)


def f64(number):
    return struct.pack(">d", number)


def f32(number):
    return struct.pack(">f", number)


def flip(data):
    return bytes([data[0] ^ 0x80]) + data[1:]


def java_hash(data):
    """Arrays.hashCode (byte[]), as a signed int."""
    value = 1
    for byte in data:
        value = (31 * value + (byte - 256 if byte > 127 else byte)) & 0xffffffff
    return value - (1 << 32) if value >> 31 else value


def bigdecimal(unscaled, scale):
    size = (unscaled.bit_length() + 8) // 8
    return i32(scale) + unscaled.to_bytes(size, "big", signed=True)


# ---- values as kvsql shows them

def iso(ms):
    time = datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03}Z"


def hexed(data):
    return data.hex()


def strftime(ms, pattern):
    return datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc).strftime(pattern)


# ---- values

def word(random):
    return random.choice(WORDS) + random.choice(["", "", str(random.randrange(10, 1000))])


def user(random):
    return f"{random.choice(WORDS)}{random.randrange(1, 400)}"


def moment(random):
    return NOW + random.randrange(0, 40_000_000_000)


def sentence(random):
    return " ".join(random.choice(WORDS) for _ in range(random.randrange(3, 9)))


def distinct(random, make, n=ROWS):
    found = {}
    while len(found) < n:
        value = make()
        found[value] = True
    return list(found)


# ---- the tables

def user_and_reversed_time(random):
    """user#(Long.MAX_VALUE - ts): the newest event of a user is first."""
    keys = distinct(random, lambda: (user(random), moment(random)))
    tuples = [((name, iso(at)), [word(random)]) for name, at in keys]
    cells = [(name.encode() + b"#" + i64(2**63 - 1 - at), "e", b"type", values[0].encode())
             for (name, at), (_, values) in zip(keys, tuples)]
    return Table("user-reversed-time", cells, tuples)


def md5_prefixed(random):
    """Eight hex digits of the md5 of the user id, "_", the user id, "_", a day."""
    keys = distinct(random, lambda: (user(random), moment(random)))
    cells, tuples = [], []
    for name, at in keys:
        row = f"{hashlib.md5(name.encode()).hexdigest()[:8]}_{name}_{strftime(at, '%Y%m%d')}"
        n = random.randrange(1, 100000)
        cells.append((row.encode(), "d", b"total", i64(n)))
        tuples.append(((name, strftime(at, "%Y-%m-%d")), [n]))
    unique = {cell[0]: (cell, row) for cell, row in zip(cells, tuples)}
    return Table("md5-prefix", [c for c, _ in unique.values()], [t for _, t in unique.values()])


def bucket_byte(random):
    """A byte of abs (hashCode) % 16 of the rest, as Phoenix and others salt; then order id and line."""
    tuples, cells = [], []
    for order, line in distinct(random, lambda: (random.randrange(1, 10**7), random.randrange(1, 30))):
        rest = i64(order) + i32(line)
        sku = word(random)
        cells.append((bytes([abs(java_hash(rest)) % 16]) + rest, "l", b"sku", sku.encode()))
        tuples.append(((order, line), [sku]))
    return Table("bucket-byte", cells, tuples)


def opentsdb(random):
    """metric uid (3), hour (4), tagk uid (3), tagv uid (3); qualifier: seconds << 4 | 7; value: 8 bytes."""
    tuples, cells = [], {}
    for _ in range(ROWS // 4):
        metric, tagk, tagv = random.randrange(1, 40), random.randrange(1, 4), random.randrange(1, 200)
        base = (1_700_000_000 + random.randrange(0, 4_000_000)) // 3600 * 3600
        row = metric.to_bytes(3, "big") + i32(base) + tagk.to_bytes(3, "big") + tagv.to_bytes(3, "big")
        for offset in random.sample(range(3600), 6):
            cells[(row, struct.pack(">H", offset << 4 | 7))] = (metric, base + offset, tagk, tagv, random.randrange(0, 10**6))
    for _, (metric, at, tagk, tagv, value) in cells.items():
        tuples.append(((metric, at, tagk, tagv), [value]))
    return Table("opentsdb", [(row, "t", qualifier, i64(value[4])) for (row, qualifier), value in cells.items()], tuples)


def wide_time_row(random):
    """Row: sensor#day; a qualifier of 8 bytes, milliseconds; a double."""
    tuples, cells = [], {}
    for _ in range(ROWS // 6):
        sensor, at = f"s{random.randrange(1, 500):04}", moment(random)
        for _ in range(8):
            exact = at // 86400000 * 86400000 + random.randrange(86400000)
            cells[(f"{sensor}#{strftime(at, '%Y%m%d')}".encode(), i64(exact))] = (sensor, at, exact,
                                                                              round(random.uniform(-20, 40), 1))
    for sensor, at, exact, value in cells.values():
        tuples.append(((int(sensor[1:]), strftime(at, "%Y-%m-%d"), iso(exact)), [value]))
    return Table("wide-time-row", [(row, "m", qualifier, f64(value[3])) for (row, qualifier), value in cells.items()], tuples)


def hourly_offsets(random):
    """Row: sensor id (int) and the hour in milliseconds (long); qualifier: milliseconds in the hour (int)."""
    tuples, cells = [], {}
    for _ in range(ROWS // 6):
        sensor, hour = random.randrange(1, 90), moment(random) // 3600000 * 3600000
        for offset in random.sample(range(3600000), 8):
            cells[(i32(sensor) + i64(hour), i32(offset))] = (sensor, hour + offset, round(random.uniform(0, 5), 2))
    for sensor, at, value in cells.values():
        tuples.append(((sensor, iso(at)), [value]))
    return Table("hourly-offsets", [(row, "p", qualifier, f64(value[2])) for (row, qualifier), value in cells.items()], tuples)


def counters(random):
    """Counters of 8 bytes (incrementColumnValue), a column for each kind of event; day|page rows."""
    cells, tuples = [], []
    for day, page in distinct(random, lambda: (strftime(moment(random), "%Y%m%d"), word(random))):
        values = {name: random.randrange(1, 5000) for name in ("views", "clicks", "likes") if random.random() < 0.8}
        values = values or {"views": 1}
        for name, value in values.items():
            cells.append((f"{day}|{page}".encode(), "c", name.encode(), i64(value)))
        tuples.append(((f"{day[:4]}-{day[4:6]}-{day[6:]}", page), values))
    return Table("counters", cells, tuples)


def bytes_of_java(random):
    """Bytes.toBytes of a double, an int, a boolean, a float, a BigDecimal and a String; the key is an int."""
    cells, tuples = [], []
    for key in distinct(random, lambda: random.randrange(1, 10**6)):
        values = {"price": round(random.uniform(1, 500), 2), "stock": random.randrange(-5, 3000),
                  "active": random.random() < 0.7, "weight": random.randrange(1, 400) / 4, "name": sentence(random),
                  "tax": f"{random.randrange(100, 99999) / 100:.2f}".rstrip("0").rstrip(".")}
        unscaled, scale = (int(values["tax"].replace(".", "")), len(values["tax"].split(".")[1]) if "." in values["tax"] else 0)
        written = {"price": f64(values["price"]), "stock": i32(values["stock"]),
                   "active": b"\xff" if values["active"] else b"\x00", "weight": f32(values["weight"]),
                   "name": values["name"].encode(), "tax": bigdecimal(unscaled, scale)}
        for name, value in written.items():
            cells.append((i32(key), "i", name.encode(), value))
        tuples.append(((key,), values))
    return Table("bytes-of-java", cells, tuples)


def day_partition(random):
    """yyyyMMdd, zero-padded sequence of ten digits; the value is a log line with blanks and commas."""
    cells, tuples = [], []
    for at, seq in distinct(random, lambda: (moment(random), random.randrange(0, 10**6))):
        line = f"{word(random)}, {sentence(random)}"
        cells.append((f"{strftime(at, '%Y%m%d')}{seq:010}".encode(), "l", b"line", line.encode()))
        tuples.append(((strftime(at, "%Y-%m-%d"), seq), [line]))
    return Table("day-partition", cells, tuples)


def iso_times(random):
    """device/2023-11-14T22:13:20Z; columns in text."""
    cells, tuples = [], []
    for device, at in distinct(random, lambda: (f"dev-{random.randrange(100, 999)}", moment(random) // 1000 * 1000)):
        values = {"level": random.randrange(0, 100), "volts": f"{random.randrange(100, 999) / 100:.2f}", "state": random.choice(["on", "off", "idle"])}
        for name, value in values.items():
            cells.append((f"{device}/{strftime(at, '%Y-%m-%dT%H:%M:%SZ')}".encode(), "r", name.encode(), str(value).encode()))
        tuples.append(((int(device[4:]), iso(at)), values))
    return Table("iso-times", cells, tuples)


def negative_numbers(random):
    """Sort keys with the sign bit flipped: a balance that may be negative, then an account."""
    cells, tuples = [], []
    for balance, account in distinct(random, lambda: (random.randrange(-10**6, 10**6), random.randrange(1, 10**6))):
        owner = user(random)
        cells.append((flip(i64(balance)) + i32(account), "f", b"owner", owner.encode()))
        tuples.append(((balance, account), [owner]))
    return Table("negative-numbers", cells, tuples)


def uuid_text(random):
    """A UUID as text; columns, some of them optional."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key = str(uuid.UUID(int=random.getrandbits(128), version=4))
        values = {"first": random.choice(WORDS), "last": random.choice(WORDS), "mail": f"{user(random)}@example.com",
                  "phone": f"+82-10-{random.randrange(1000, 9999)}-{random.randrange(1000, 9999)}"}
        values = {name: value for name, value in values.items() if name == "first" or random.random() < 0.6}
        for name, value in values.items():
            cells.append((key.encode(), "p", name.encode(), value.encode()))
        tuples.append(((key,), values))
    return Table("uuid-text", cells, tuples)


def uuid_binary(random):
    """A UUID in 16 bytes, then a sequence number; the value is a sha1."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key, seq = uuid.UUID(int=random.getrandbits(128), version=4), random.randrange(0, 500)
        digest = hashlib.sha1(random.randbytes(9)).digest()
        cells.append((key.bytes + i32(seq), "c", b"sha1", digest))
        tuples.append(((str(key), seq), [hexed(digest)]))
    return Table("uuid-binary", cells, tuples)


def reversed_domains(random):
    """com.example.www/path: pages of a crawler, with a status and the page's title."""
    cells, tuples = [], []
    for host, path in distinct(random, lambda: (f"{random.choice(['www', 'shop', 'm', 'blog'])}.{random.choice(WORDS)}."
                                                f"{random.choice(['com', 'org', 'net', 'de', 'co.kr'])}",
                                                f"{random.choice(WORDS)}/{random.randrange(1, 999)}.html")):
        values = {"status": random.choice([200, 200, 301, 404]), "title": sentence(random)}
        row = f"{'.'.join(reversed(host.split('.')))}/{path}".encode()
        cells += [(row, "p", b"status", i32(values["status"])), (row, "p", b"title", values["title"].encode())]
        tuples.append(((host, path), values))
    return Table("reversed-domains", cells, tuples)


def nul_separated(random):
    """tenant NUL collection NUL document id (long)."""
    cells, tuples = [], []
    for tenant, collection, key in distinct(random, lambda: (random.choice(WORDS), random.choice(WORDS), random.randrange(1, 10**9))):
        body = sentence(random)
        cells.append((f"{tenant}\0{collection}\0".encode() + i64(key), "d", b"body", body.encode()))
        tuples.append(((tenant, collection, key), [body]))
    return Table("nul-separated", cells, tuples)


def delimiter_in_last(random):
    """region-kind-name, where names have dashes, too, in some rows."""
    cells, tuples = [], []
    for region, kind, name in distinct(random, lambda: (random.choice(["eu", "us", "apac"]), random.choice(WORDS),
                                                        "-".join(random.choice(WORDS) for _ in range(random.randrange(1, 4))))):
        n = random.randrange(0, 10**6)
        cells.append((f"{region}-{kind}-{name}".encode(), "f", b"n", str(n).encode()))
        tuples.append(((region, kind, name), [n]))
    return Table("delimiter-in-last", cells, tuples)


def json_values(random):
    """Customer id (long) and JSON documents, as a Java program's ObjectMapper writes them."""
    cells, tuples = [], []
    for key in distinct(random, lambda: random.randrange(10**4, 10**8)):
        document = {"name": sentence(random), "tags": [random.choice(WORDS) for _ in range(random.randrange(0, 4))],
                    "address": {"city": random.choice(WORDS), "zip": random.randrange(10000, 99999)}}
        if random.random() < 0.3:
            document["vip"] = True
        text = json.dumps(document, separators=(",", ":"))
        cells.append((i64(key), "d", b"json", text.encode()))
        tuples.append(((key,), [text]))
    return Table("json-values", cells, tuples)


def comma_lists(random):
    """user -> a list of friends, joined by commas; of any length."""
    cells, tuples = [], []
    for name in distinct(random, lambda: user(random)):
        friends = ",".join(user(random) for _ in range(random.randrange(1, 9)))
        cells.append((name.encode(), "f", b"friends", friends.encode()))
        tuples.append(((name,), [friends]))
    return Table("comma-lists", cells, tuples)


def id_columns(random):
    """A follower graph: a row for each user, a column for each user who is followed, the time as the value."""
    cells, tuples = [], []
    for name in distinct(random, lambda: user(random), 80):
        follows = {user(random): moment(random) for _ in range(random.randrange(1, 15))}
        for other, at in follows.items():
            cells.append((name.encode(), "f", other.encode(), i64(at)))
        tuples.append(((name,), [{other: iso(at) for other, at in follows.items()}]))
    return Table("id-columns", cells, tuples)


def two_families(random):
    """Profiles in text and statistics in longs, in two families."""
    cells, profiles, statistics = [], [], []
    for key in distinct(random, lambda: f"u{random.randrange(10**5, 10**6)}"):
        profile = {"name": sentence(random), "city": random.choice(WORDS), "level": random.choice(["gold", "silver"])}
        numbers = {"logins": random.randrange(1, 10**4), "seen": moment(random)}
        for name, value in profile.items():
            cells.append((key.encode(), "info", name.encode(), value.encode()))
        for name, value in numbers.items():
            cells.append((key.encode(), "stats", name.encode(), i64(value)))
        profiles.append(((int(key[1:]),), profile))
        statistics.append(((int(key[1:]),), {"logins": numbers["logins"], "seen": iso(numbers["seen"])}))
    return Table("two-families", cells, profiles, statistics)


def hash_of_part(random):
    """Two bytes of the sha1 of the user, a reversed time, the user at the end."""
    cells, tuples = [], []
    for name, at in distinct(random, lambda: (user(random), moment(random))):
        page = random.choice(WORDS)
        cells.append((hashlib.sha1(name.encode()).digest()[:2] + i64(2**63 - 1 - at) + name.encode(), "v", b"page", page.encode()))
        tuples.append(((iso(at), name), [page]))
    return Table("hash-of-part", cells, tuples)


def hex_keys(random):
    """Sessions: 32 hex digits; the value is base64."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key, token = random.randbytes(16).hex(), base64.b64encode(random.randbytes(24)).decode()
        cells.append((key.encode(), "s", b"token", token.encode()))
        tuples.append(((key,), [token]))
    return Table("hex-keys", cells, tuples)


def url_rows(random):
    """Whole URLs; a fetch time in milliseconds and a length."""
    cells, tuples = [], []
    for url in distinct(random, lambda: f"http{random.choice(['', 's'])}://{random.choice(['www', 'img'])}.{random.choice(WORDS)}.com/"
                                        f"{random.choice(WORDS)}?id={random.randrange(1, 9999)}"):
        at, length = moment(random), random.randrange(100, 10**6)
        cells += [(url.encode(), "h", b"fetched", i64(at)), (url.encode(), "h", b"length", i32(length))]
        tuples.append(((url,), {"fetched": iso(at), "length": length}))
    return Table("url-rows", cells, tuples)


def phoenix_numbers(random):
    """A table of Phoenix with its default column encoding: VARCHAR, BIGINT keys; VARCHAR, INTEGER columns."""
    cells, names, amounts = [], [], []
    for who, order in distinct(random, lambda: (random.choice(WORDS), random.randrange(1, 10**6))):
        row = who.encode() + b"\0" + flip(i64(order))
        cells.append((row, "0", b"\0\0\0\0", b"x"))
        name, amount = sentence(random), random.randrange(-1000, 10**5)
        if random.random() < 0.9:
            cells.append((row, "0", b"\x80\x0b", name.encode()))
            names.append(((who, order), [name]))
        cells.append((row, "0", b"\x80\x0c", flip(i32(amount))))
        amounts.append(((who, order), [amount]))
    return Table("phoenix-numbers", cells, names, amounts)


def phoenix_names(random):
    """A table of Phoenix with COLUMN_ENCODED_BYTES = 0: names of columns, and the empty cell _0."""
    cells, tuples = [], []
    for day, key in distinct(random, lambda: (moment(random) // 86400000 * 86400000, random.randrange(1, 10**6))):
        row = flip(i64(day)) + flip(i32(key))
        cells.append((row, "0", b"_0", b"x"))
        values = {}
        if random.random() < 0.8:
            values["NAME"] = sentence(random)
            cells.append((row, "0", b"NAME", values["NAME"].encode()))
        if random.random() < 0.8:
            values["QTY"] = random.randrange(-50, 5000)
            cells.append((row, "0", b"QTY", flip(i32(values["QTY"]))))
        tuples.append(((iso(day), key), values))
    return Table("phoenix-names", cells, tuples)


def strange_row(random):
    """shop:order:item rows, and one row that describes the table."""
    cells, tuples = [], []
    for shop, order, item in distinct(random, lambda: (random.choice(WORDS), random.randrange(10**3, 10**7), random.choice(WORDS))):
        n = random.randrange(1, 40)
        cells.append((f"{shop}:{order}:{item}".encode(), "f", b"n", str(n).encode()))
        tuples.append(((shop, order, item), [n]))
    cells.append((b"__schema_version__", "f", b"n", b"7"))
    return Table("strange-row", cells, tuples)


def mail_messages(random):
    """mail address, a NUL, a long of seconds; flags in one byte, a subject, a size in a short."""
    cells, tuples = [], []
    for mail, at in distinct(random, lambda: (f"{user(random)}@{random.choice(WORDS)}.org", moment(random) // 1000)):
        values = {"subject": sentence(random), "body": json.dumps({"text": sentence(random)})}
        for name, value in values.items():
            cells.append((mail.encode() + b"\0" + i64(at), "m", name.encode(), value.encode()))
        tuples.append(((mail, at), values))
    return Table("mail-messages", cells, tuples)


def ordered_bytes(random):
    """HBase's OrderedBytes: a string, and an int64 in descending order."""
    cells, tuples = [], []
    for name, n in distinct(random, lambda: (random.choice(WORDS), random.randrange(-10**6, 10**6))):
        key = b"\x34" + name.encode() + b"\0" + bytes(255 - byte for byte in b"\x2c" + flip(i64(n)))
        value = round(random.uniform(0, 100), 2)
        cells.append((key, "o", b"v", b"\x31" + flip(f64(value))))
        tuples.append(((name, n), [value]))
    return Table("ordered-bytes", cells, tuples)


def existence(random):
    """An inverted index: word|document, and nothing in the cells."""
    cells, tuples = [], []
    for term, document in distinct(random, lambda: (random.choice(WORDS), random.randrange(1, 10**6))):
        cells.append((f"{term}|".encode() + i64(document), "x", b"", b""))
        tuples.append(((term, document), []))
    return Table("existence", cells, tuples)


TABLES = [user_and_reversed_time, md5_prefixed, bucket_byte, opentsdb, wide_time_row, hourly_offsets, counters, bytes_of_java,
          day_partition, iso_times, negative_numbers, uuid_text, uuid_binary, reversed_domains, nul_separated, delimiter_in_last,
          json_values, comma_lists, id_columns, two_families, hash_of_part, hex_keys, url_rows, phoenix_numbers, phoenix_names,
          strange_row, mail_messages, ordered_bytes, existence]
