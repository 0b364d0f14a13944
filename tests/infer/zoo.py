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
import zlib

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

def i8(number):
    return struct.pack(">b", number)


def i16(number):
    return struct.pack(">h", number)


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
    cells, tuples = [], []
    for key in distinct(random, lambda: f"u{random.randrange(10**5, 10**6)}"):
        profile = {"name": sentence(random), "city": random.choice(WORDS), "level": random.choice(["gold", "silver"])}
        numbers = {"logins": random.randrange(1, 10**4), "seen": moment(random)}
        for name, value in profile.items():
            cells.append((key.encode(), "info", name.encode(), value.encode()))
        for name, value in numbers.items():
            cells.append((key.encode(), "stats", name.encode(), i64(value)))
        tuples.append(((int(key[1:]),), {**profile, "logins": numbers["logins"], "seen": iso(numbers["seen"])}))
    return Table("two-families", cells, tuples)


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


def phoenix_cells(random, first, second):
    """(cells, tuples): VARCHAR, BIGINT keys; VARCHAR, INTEGER columns, whose qualifiers are @first and @second."""
    cells, tuples = [], []
    for who, order in distinct(random, lambda: (random.choice(WORDS), random.randrange(1, 10**6))):
        row = who.encode() + b"\0" + flip(i64(order))
        cells.append((row, "0", b"\0\0\0\0", b"x"))
        values = {"c12": random.randrange(-1000, 10**5)}
        if random.random() < 0.9:
            values["c11"] = sentence(random)
            cells.append((row, "0", first, values["c11"].encode()))
        cells.append((row, "0", second, flip(i32(values["c12"]))))
        tuples.append(((who, order), values))
    return cells, tuples


def phoenix_numbers(random):
    """A table of Phoenix with its default column encoding."""
    return Table("phoenix-numbers", *phoenix_cells(random, b"\x80\x0b", b"\x80\x0c"))


def phoenix_byte_numbers(random):
    """A table of Phoenix with COLUMN_ENCODED_BYTES = 1."""
    return Table("phoenix-byte-numbers", *phoenix_cells(random, b"\x8b", b"\x8c"))


def phoenix_long_numbers(random):
    """A table of Phoenix with COLUMN_ENCODED_BYTES = 4."""
    return Table("phoenix-long-numbers", *phoenix_cells(random, b"\0\0\0\x0b", b"\0\0\0\x0c"))


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


def chat_messages(random):
    """conversation (long), message id (a snowflake); text, sender (long), sent (long, milliseconds)."""
    cells, tuples = [], []
    for conversation, sent in distinct(random, lambda: (random.randrange(1, 500), moment(random))):
        key = (sent - 1_288_834_974_657) << 22 | random.randrange(1 << 22)
        values = {"text": sentence(random), "sender": random.randrange(1, 10**9), "sent": sent}
        row = i64(conversation) + i64(key)
        cells += [(row, "m", b"text", values["text"].encode()), (row, "m", b"sender", i64(values["sender"])),
                  (row, "m", b"sent", i64(sent))]
        tuples.append(((conversation, key), {**values, "sent": iso(sent)}))
    return Table("chat-messages", cells, tuples)


def queue_log(random):
    """topic NUL partition (int) offset (long); the value is any bytes, as of Protobuf."""
    cells, tuples = [], []
    for topic, partition, offset in distinct(random, lambda: (random.choice(WORDS), random.randrange(0, 12), random.randrange(0, 10**7))):
        payload = b"\x08" + random.randbytes(random.randrange(6, 60)) + b"\x00\xff"
        cells.append((topic.encode() + b"\0" + i32(partition) + i64(offset), "d", b"p", payload))
        tuples.append(((topic, partition, offset), [payload.hex()]))
    return Table("queue-log", cells, tuples)


def text_bucket(random):
    """A bucket as two digits (hashCode % 20), "|", user, "|", yyyyMMddHHmmss."""
    cells, tuples = [], []
    for name, at in distinct(random, lambda: (user(random), moment(random) // 1000 * 1000)):
        bucket = java_hash(name.encode()) % 20
        action = random.choice(["login", "logout", "view", "buy"])
        cells.append((f"{bucket:02}|{name}|{strftime(at, '%Y%m%d%H%M%S')}".encode(), "a", b"action", action.encode()))
        tuples.append(((bucket, name, iso(at)), [action]))
    return Table("text-bucket", cells, tuples)


def stock_ticks(random):
    """symbol.yyyyMMdd rows; a column for each second, HHmmss; the value is price,volume."""
    cells, tuples = {}, []
    for _ in range(30):
        symbol, at = random.choice(["AAPL", "MSFT", "IBM", "ORCL", "T"]), moment(random)
        for _ in range(9):
            second = random.randrange(9 * 3600, 16 * 3600)
            clock = second // 3600 * 10000 + second % 3600 // 60 * 100 + second % 60
            cells[(f"{symbol}.{strftime(at, '%Y%m%d')}".encode(), f"{clock:06}".encode())] = (
                symbol, strftime(at, "%Y-%m-%d"), clock, f"{random.randrange(1000, 30000) / 100:.2f}", random.randrange(1, 9000))
    for symbol, day, clock, price, volume in cells.values():
        tuples.append(((symbol, day, clock), [price, volume]))
    return Table("stock-ticks", [(row, "q", qualifier, f"{v[3]},{v[4]}".encode()) for (row, qualifier), v in cells.items()], tuples)


def reversed_text_time(random):
    """user_ and Long.MAX_VALUE - ts in 19 digits."""
    cells, tuples = [], []
    for name, at in distinct(random, lambda: (user(random), moment(random))):
        score = random.randrange(0, 1000)
        cells.append((f"{name}_{2**63 - 1 - at}".encode(), "s", b"score", str(score).encode()))
        tuples.append(((name, 2**63 - 1 - at), [score]))
    return Table("reversed-text-time", cells, tuples)


def mac_addresses(random):
    """A MAC address, "|", ISO time with milliseconds; rssi (text), channel (text)."""
    cells, tuples = [], []
    for mac, at in distinct(random, lambda: (":".join(f"{byte:02x}" for byte in random.randbytes(6)), moment(random))):
        values = {"rssi": -random.randrange(30, 95), "channel": random.randrange(1, 14)}
        row = f"{mac}|{iso(at)}".encode()
        cells += [(row, "w", name.encode(), str(value).encode()) for name, value in values.items()]
        tuples.append(((mac, iso(at)), values))
    return Table("mac-addresses", cells, tuples)


def hive_table(random):
    """Keys of two texts with x'01' between, as Hive writes structs; columns in text, \\N not used."""
    cells, tuples = [], []
    for country, customer in distinct(random, lambda: (random.choice(["KR", "US", "DE", "FR"]), random.randrange(1, 10**6))):
        values = {"name": sentence(random), "balance": random.randrange(-10**4, 10**5), "since": strftime(moment(random), "%Y-%m-%d")}
        row = f"{country}\x01{customer}".encode()
        cells += [(row, "cf", name.encode(), str(value).encode()) for name, value in values.items()]
        tuples.append(((country, customer), values))
    return Table("hive-table", cells, tuples)


def news_feed(random):
    """user (long), Long.MAX_VALUE - ts, post (long); an empty qualifier, the author as a long."""
    cells, tuples = [], []
    for reader, at, post in distinct(random, lambda: (random.randrange(1, 10**6), moment(random), random.randrange(1, 10**12))):
        author = random.randrange(1, 10**6)
        cells.append((i64(reader) + i64(2**63 - 1 - at) + i64(post), "f", b"", i64(author)))
        tuples.append(((reader, iso(at), post), [author]))
    return Table("news-feed", cells, tuples)


def tags(random):
    """An article's tags: a column tag:NAME for each, with a weight as a double."""
    cells, tuples = [], []
    for article in distinct(random, lambda: random.randrange(1, 10**6), 90):
        weights = {word(random): round(random.random(), 3) for _ in range(random.randrange(1, 12))}
        cells += [(i32(article), "t", f"tag:{name}".encode(), f64(weight)) for name, weight in weights.items()]
        tuples.append(((article,), [weights]))
    return Table("tags", cells, tuples)


def padded_order(random):
    """U and ten digits, O and six digits."""
    cells, tuples = [], []
    for who, order in distinct(random, lambda: (random.randrange(1, 10**7), random.randrange(1, 10**5))):
        values = {"total": random.randrange(1, 10**6), "currency": random.choice(["KRW", "USD"])}
        row = f"U{who:010}O{order:06}".encode()
        cells += [(row, "o", b"total", i32(values["total"])), (row, "o", b"currency", values["currency"].encode())]
        tuples.append(((who, order), values))
    return Table("padded-order", cells, tuples)


def hash_of_all(random):
    """Four bytes of the md5 of account and region, account (long), region (text)."""
    cells, tuples = [], []
    for account, region in distinct(random, lambda: (random.randrange(1, 10**8), random.choice(["emea", "apac", "amer"]))):
        rest = i64(account) + region.encode()
        limit = random.randrange(1, 10**6)
        cells.append((hashlib.md5(rest).digest()[:4] + rest, "c", b"limit", i32(limit)))
        tuples.append(((account, region), [limit]))
    return Table("hash-of-all", cells, tuples)


def sha256_keys(random):
    """Content by its sha256 (32 bytes): the media type, the size (long), when it was made (long)."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key = hashlib.sha256(random.randbytes(12)).digest()
        values = {"type": random.choice(["image/png", "text/html", "text/css"]), "size": random.randrange(10, 10**7), "made": moment(random)}
        cells += [(key, "b", b"type", values["type"].encode()), (key, "b", b"size", i64(values["size"])), (key, "b", b"made", i64(values["made"]))]
        tuples.append(((key.hex(),), {**values, "made": iso(values["made"])}))
    return Table("sha256-keys", cells, tuples)


def offset_times(random):
    """site@2023-11-14T22:13:20+09:00; visitors in text."""
    cells, tuples = [], []
    for site, at in distinct(random, lambda: (word(random), moment(random) // 1000 * 1000)):
        n = random.randrange(0, 5000)
        cells.append((f"{site}@{strftime(at + 9 * 3600000, '%Y-%m-%dT%H:%M:%S')}+09:00".encode(), "v", b"n", str(n).encode()))
        tuples.append(((site, iso(at)), [n]))
    return Table("offset-times", cells, tuples)


def hourly_columns(random):
    """page rows with 24 columns, 00 to 23: counters."""
    cells, tuples = [], []
    for page, day in distinct(random, lambda: (word(random), strftime(moment(random), "%Y-%m-%d")), 60):
        for hour in random.sample(range(24), 9):
            n = random.randrange(1, 10**4)
            cells.append((f"{page}/{day}".encode(), "h", f"{hour:02}".encode(), i64(n)))
            tuples.append(((page, day, hour), [n]))
    return Table("hourly-columns", cells, tuples)


def settings(random):
    """Four rows of settings, in text."""
    names = ["app.cache.size", "app.mode", "mail.host", "mail.port"]
    values = [str(random.randrange(100, 900)), "production", "smtp.example.com", "25"]
    cells = [(name.encode(), "c", b"value", value.encode()) for name, value in zip(names, values)]
    return Table("settings", cells, [((name,), [value]) for name, value in zip(names, values)])


def single_row(random):
    """One row, of an id generator: a counter and who took the last number."""
    n, name = random.randrange(10**3, 10**6), user(random)
    return Table("single-row", [(b"orders", "s", b"next", i64(n)), (b"orders", "s", b"taken_by", name.encode())],
                 [(("orders",), {"next": n, "taken_by": name})])


def transactions(random):
    """account of twelve digits, ISO day, transaction id (UUID text): amounts as DECIMAL text, JSON of the merchant."""
    cells, tuples = [], []
    for account, day in distinct(random, lambda: (random.randrange(10**11, 10**12), strftime(moment(random), "%Y-%m-%d"))):
        key = str(uuid.UUID(int=random.getrandbits(128), version=4))
        values = {"amount": f"{random.randrange(1, 10**5)}.5", "merchant": json.dumps({"id": random.randrange(1, 900), "name": word(random)})}
        row = f"{account}-{day}-{key}".encode()
        cells += [(row, "t", name.encode(), value.encode()) for name, value in values.items()]
        tuples.append(((account, day, key), values))
    return Table("transactions", cells, tuples)


def time_first(random):
    """Seconds (int) and a sequence (short, not negative); level (int), message."""
    cells, tuples = [], []
    for at, seq in distinct(random, lambda: (moment(random) // 1000, random.randrange(0, 30000))):
        values = {"level": random.randrange(0, 8), "msg": sentence(random)}
        row = i32(at) + struct.pack(">h", seq)
        cells += [(row, "l", b"level", i32(values["level"])), (row, "l", b"msg", values["msg"].encode())]
        tuples.append(((at, seq), values))
    return Table("time-first", cells, tuples)


def edges(random):
    """A graph: from (long), a kind in one letter, to (long); the weight (float)."""
    cells, tuples = [], []
    for source, kind, target in distinct(random, lambda: (random.randrange(1, 10**5), random.choice("fbl"), random.randrange(1, 10**5))):
        weight = random.randrange(1, 100) / 8
        cells.append((i64(source) + kind.encode() + i64(target), "e", b"w", f32(weight)))
        tuples.append(((source, kind, target), [weight]))
    return Table("edges", cells, tuples)


def paths(random):
    """Absolute paths of files; the size (long), the owner, the mode as text."""
    cells, tuples = [], []
    for path in distinct(random, lambda: "/" + "/".join(random.choice(WORDS) for _ in range(random.randrange(2, 5))) + f"/{word(random)}.txt"):
        values = {"size": random.randrange(0, 10**8), "owner": random.choice(["root", "www", "adm"]), "mode": random.choice(["0644", "0755"])}
        cells += [(path.encode(), "a", b"size", i64(values["size"])), (path.encode(), "a", b"owner", values["owner"].encode()),
                  (path.encode(), "a", b"mode", values["mode"].encode())]
        tuples.append(((path,), values))
    return Table("paths", cells, tuples)


def sessions(random):
    """crc32 in hex of the session, "-", session (22 signs of base64 for URLs), "-", a long of milliseconds."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key = base64.urlsafe_b64encode(random.randbytes(15)).decode().replace("-", "a").replace("_", "b")
        at, ip = moment(random), ".".join(str(random.randrange(1, 255)) for _ in range(4))
        cells.append((f"{zlib.crc32(key.encode()):08x}-{key}-".encode() + i64(at), "s", b"ip", ip.encode()))
        tuples.append(((key, iso(at)), [ip]))
    return Table("sessions", cells, tuples)


def mail_index(random):
    """The reversed host of a mail address, "/", the name; how often (counter), the last time (long)."""
    cells, tuples = [], []
    for host, name in distinct(random, lambda: (f"mail.{random.choice(WORDS)}.{random.choice(['com', 'kr', 'org'])}", user(random))):
        values = {"n": random.randrange(1, 3000), "last": moment(random)}
        row = f"{'.'.join(reversed(host.split('.')))}/{name}".encode()
        cells += [(row, "m", b"n", i64(values["n"])), (row, "m", b"last", i64(values["last"]))]
        tuples.append(((host, name), {"n": values["n"], "last": iso(values["last"])}))
    return Table("mail-index", cells, tuples)


def events_wide(random):
    """device (UUID, 16 bytes) and day (int, days since 1970); qualifier: milliseconds of the day (int) and a kind (byte)."""
    cells, tuples = {}, []
    for _ in range(30):
        device, day = uuid.UUID(int=random.getrandbits(128), version=4), NOW // 86400000 + random.randrange(0, 400)
        for _ in range(9):
            cells[(device.bytes + i32(day), i32(random.randrange(86400000)) + bytes([random.randrange(1, 6)]))] = (device, day)
    out = []
    for (row, qualifier), (device, day) in cells.items():
        value = random.randrange(0, 10**6)
        out.append((row, "e", qualifier, i32(value)))
        tuples.append(((str(device), day, struct.unpack(">i", qualifier[:4])[0], qualifier[4]), [value]))
    return Table("events-wide", out, tuples)


def order_lines(random):
    """customer-order: a column item_NUMBER for each item, quantity and price as "2x9.90"."""
    cells, tuples = [], []
    for customer, order in distinct(random, lambda: (random.randrange(1000, 99999), random.randrange(1, 999)), 90):
        items = {f"item_{random.randrange(1, 2000)}": f"{random.randrange(1, 9)}x{random.randrange(1, 90)}.90" for _ in range(random.randrange(1, 9))}
        cells += [(f"{customer}-{order}".encode(), "i", name.encode(), value.encode()) for name, value in items.items()]
        tuples.append(((customer, order), [{name[len("item_"):]: value for name, value in items.items()}]))
    return Table("order-lines", cells, tuples)


def three_families(random):
    """country|city rows: text, counters, and times in three families; not all rows have all."""
    cells, tuples = [], []
    for country, city in distinct(random, lambda: (random.choice(["kr", "us", "fr", "de"]), word(random)), 90):
        row = f"{country}|{city}".encode()
        values = {"title": sentence(random), "lang": random.choice(["ko", "en"])}
        cells += [(row, "a", name.encode(), value.encode()) for name, value in values.items()]
        if random.random() < 0.7:
            values["visits"] = random.randrange(1, 10**4)
            cells.append((row, "b", b"visits", i64(values["visits"])))
        if random.random() < 0.5:
            at = moment(random)
            values["seen"] = iso(at)
            cells.append((row, "c", b"seen", i64(at)))
        tuples.append(((country, city), values))
    return Table("three-families", cells, tuples)


def ordered_columns(random):
    """HBase's OrderedBytes in the key (int32, string) and in all columns."""
    cells, tuples = [], []
    for n, name in distinct(random, lambda: (random.randrange(-1000, 10**6), random.choice(WORDS))):
        row = b"\x2b" + flip(i32(n)) + b"\x34" + name.encode() + b"\0"
        values = {"a": random.randrange(-10**6, 10**6), "b": sentence(random)}
        cells += [(row, "o", b"a", b"\x2c" + flip(i64(values["a"]))), (row, "o", b"b", b"\x34" + values["b"].encode() + b"\0")]
        tuples.append(((n, name), values))
    return Table("ordered-columns", cells, tuples)


def phoenix_salted(random):
    """Phoenix with SALT_BUCKETS = 8 and names of columns: VARCHAR, DATE DESC keys; BIGINT, VARCHAR, BOOLEAN columns."""
    cells, tuples = [], []
    for host, at in distinct(random, lambda: (user(random), moment(random))):
        rest = host.encode() + b"\0" + bytes(255 - byte for byte in flip(i64(at)))
        row = bytes([abs(java_hash(rest)) % 8]) + rest
        values = {"CORE": random.randrange(0, 10**6), "FEATURE": word(random), "UP": random.random() < 0.5}
        cells += [(row, "0", b"_0", b"x"), (row, "0", b"CORE", flip(i64(values["CORE"]))), (row, "0", b"FEATURE", values["FEATURE"].encode()),
                  (row, "0", b"UP", b"\1" if values["UP"] else b"\0")]
        tuples.append(((host, iso(at)), values))
    return Table("phoenix-salted", cells, tuples)


def short_values(random):
    """sensor:seconds rows; the value is a short that may be negative."""
    cells, tuples = [], []
    for sensor, at in distinct(random, lambda: (random.randrange(100, 999), moment(random) // 1000)):
        value = random.randrange(-400, 400)
        cells.append((f"{sensor}:{at}".encode(), "s", b"t", i16(value)))
        tuples.append(((sensor, at), [value]))
    return Table("short-values", cells, tuples)


def login_attempts(random):
    """IP address, "|", Long.MAX_VALUE - ts; user, and a boolean of one byte."""
    cells, tuples = [], []
    for ip, at in distinct(random, lambda: (".".join(str(random.randrange(1, 255)) for _ in range(4)), moment(random))):
        values = {"user": user(random), "ok": random.random() < 0.8}
        row = ip.encode() + b"|" + i64(2**63 - 1 - at)
        cells += [(row, "a", b"user", values["user"].encode()), (row, "a", b"ok", b"\xff" if values["ok"] else b"\x00")]
        tuples.append(((ip, iso(at)), values))
    return Table("login-attempts", cells, tuples)


def invoices(random):
    """Month, ":", a number of six digits; customer and amount in text, paid as a date."""
    cells, tuples = [], []
    for month, number in distinct(random, lambda: (strftime(moment(random), "%Y-%m"), random.randrange(1, 10**5))):
        values = {"customer": sentence(random), "amount": f"{random.randrange(1, 10**4)}.{random.randrange(1, 10)}",
                  "paid": strftime(moment(random), "%Y-%m-%d")}
        row = f"{month}:{number:06}".encode()
        cells += [(row, "i", name.encode(), value.encode()) for name, value in values.items() if name != "paid" or number % 3]
        tuples.append(((f"{month}-01", number), {name: value for name, value in values.items() if name != "paid" or number % 3}))
    return Table("invoices", cells, tuples)


def ratings(random):
    """user (long), film (long): the stars in one byte."""
    cells, tuples = [], []
    for who, film in distinct(random, lambda: (random.randrange(1, 10**6), random.randrange(1, 30000))):
        stars = random.randrange(1, 6)
        cells.append((i64(who) + i64(film), "r", b"stars", bytes([stars])))
        tuples.append(((who, film), [stars]))
    return Table("ratings", cells, tuples)


def places(random):
    """Seven letters of a geohash, "_", an id (long); name, and the position as two doubles."""
    cells, tuples = [], []
    for key, number in distinct(random, lambda: ("".join(random.choice("0123456789bcdefghjkmnpqrstuvwxyz") for _ in range(7)),
                                                 random.randrange(1, 10**7))):
        values = {"name": sentence(random), "lat": round(random.uniform(-90, 90), 5), "lon": round(random.uniform(-180, 180), 5)}
        row = f"{key}_".encode() + i64(number)
        cells += [(row, "p", b"name", values["name"].encode()), (row, "p", b"lat", f64(values["lat"])), (row, "p", b"lon", f64(values["lon"]))]
        tuples.append(((key, number), values))
    return Table("places", cells, tuples)


def host_metrics(random):
    """metric NUL host NUL hour (int of seconds); qualifier: the second in the hour (short); a float."""
    cells, tuples = {}, []
    for _ in range(40):
        metric, host = f"{random.choice(['cpu', 'disk', 'net'])}_{random.choice(WORDS)}", f"web{random.randrange(1, 60)}"
        base = moment(random) // 3600000 * 3600
        for second in random.sample(range(3600), 7):
            cells[(f"{metric}\0{host}\0".encode() + i32(base), struct.pack(">h", second))] = (metric, host, base + second,
                                                                                       random.randrange(0, 1000) / 10)
    for metric, host, at, value in cells.values():
        tuples.append(((metric, int(host[len("web"):]), at), [value]))
    return Table("host-metrics", [(row, "m", qualifier, f32(value[3])) for (row, qualifier), value in cells.items()], tuples)


def full_md5(random):
    """32 hex digits of the md5 of the account, ":", the account, ":", milliseconds as text."""
    cells, tuples = [], []
    for account, at in distinct(random, lambda: (f"acct-{user(random)}", moment(random))):
        balance = random.randrange(-10**6, 10**6)
        cells.append((f"{hashlib.md5(account.encode()).hexdigest()}:{account}:{at}".encode(), "b", b"balance", str(balance).encode()))
        tuples.append(((account[len("acct-"):], at), [balance]))
    return Table("full-md5", cells, tuples)


def hour_paths(random):
    """yyyy/MM/dd/HH/server: bytes and requests as counters."""
    cells, tuples = [], []
    for at, server in distinct(random, lambda: (moment(random) // 3600000 * 3600000, f"edge-{random.randrange(1, 40)}")):
        values = {"bytes": random.randrange(1, 10**10), "requests": random.randrange(1, 10**6)}
        row = f"{strftime(at, '%Y/%m/%d/%H')}/{server}".encode()
        cells += [(row, "c", name.encode(), i64(value)) for name, value in values.items()]
        tuples.append(((iso(at), int(server[len("edge-"):])), values))
    return Table("hour-paths", cells, tuples)


def stored_files(random):
    """bucket name, "/", the path of a file; etag (md5 in hex), size (text), JSON of the owner's tags."""
    cells, tuples = [], []
    for bucket, path in distinct(random, lambda: (f"{random.choice(WORDS)}-bucket", "/".join(word(random) for _ in range(random.randrange(1, 4))) + ".jpg")):
        values = {"etag": random.randbytes(16).hex(), "size": random.randrange(1, 10**7), "tags": json.dumps([random.choice(WORDS)])}
        row = f"{bucket}/{path}".encode()
        cells += [(row, "o", name.encode(), str(value).encode()) for name, value in values.items()]
        tuples.append(((bucket, path), values))
    return Table("stored-files", cells, tuples)


def short_messages(random):
    """+82 and ten digits, "|", Long.MAX_VALUE - ts; the text, and whether it was read (a byte)."""
    cells, tuples = [], []
    for number, at in distinct(random, lambda: (f"+82{random.randrange(10**9, 10**10)}", moment(random))):
        values = {"body": sentence(random), "read": random.random() < 0.5}
        row = number.encode() + b"|" + i64(2**63 - 1 - at)
        cells += [(row, "s", b"body", values["body"].encode()), (row, "s", b"read", b"\xff" if values["read"] else b"\x00")]
        tuples.append(((int(number[1:]), iso(at)), values))
    return Table("short-messages", cells, tuples)


def cache(random):
    """user:NUMBER:profile; JSON."""
    cells, tuples = [], []
    for number, part in distinct(random, lambda: (random.randrange(1, 10**6), random.choice(["profile", "cart", "prefs"]))):
        text = json.dumps({"v": random.randrange(1, 9), "data": sentence(random)})
        cells.append((f"user:{number}:{part}".encode(), "c", b"v", text.encode()))
        tuples.append(((number, part), [text]))
    return Table("cache", cells, tuples)


def stock(random):
    """warehouse (int), article (long); pieces (int)."""
    cells, tuples = [], []
    for warehouse, article in distinct(random, lambda: (random.randrange(1, 60), random.randrange(10**6, 10**9))):
        n = random.randrange(0, 5000)
        cells.append((i32(warehouse) + i64(article), "s", b"pieces", i32(n)))
        tuples.append(((warehouse, article), [n]))
    return Table("stock", cells, tuples)


def leaderboard(random):
    """game NUL (Long.MAX_VALUE - score) player; the empty qualifier, the level as text."""
    cells, tuples = [], []
    for game, score, player in distinct(random, lambda: (random.choice(WORDS), random.randrange(1, 10**6), user(random))):
        level = random.randrange(1, 99)
        cells.append((game.encode() + b"\0" + i64(2**63 - 1 - score) + player.encode(), "l", b"", str(level).encode()))
        tuples.append(((game, score, player), [level]))
    return Table("leaderboard", cells, tuples)


def service_logs(random):
    """A dotted name of a service, "|", 2024-01-01 10:00:00.123; a line of a log."""
    cells, tuples = [], []
    for service, at in distinct(random, lambda: (f"svc.{random.choice(['api', 'batch'])}.{random.choice(WORDS)}", moment(random))):
        line = f"{random.choice(['INFO', 'WARN'])} {sentence(random)}"
        cells.append((f"{service}|{strftime(at, '%Y-%m-%d %H:%M:%S')}.{at % 1000:03}".encode(), "l", b"line", line.encode()))
        tuples.append(((service[len("svc."):], iso(at)), [line]))
    return Table("service-logs", cells, tuples)


def dns(random):
    """The reversed name of a host; its address and time to live, in text."""
    cells, tuples = [], []
    for host in distinct(random, lambda: f"{word(random)}.{random.choice(WORDS)}.{random.choice(['com', 'net', 'kr'])}"):
        values = {"a": ".".join(str(random.randrange(1, 255)) for _ in range(4)), "ttl": random.choice([60, 300, 3600])}
        row = ".".join(reversed(host.split("."))).encode()
        cells += [(row, "d", name.encode(), str(value).encode()) for name, value in values.items()]
        tuples.append(((host,), values))
    return Table("dns", cells, tuples)


def ledger(random):
    """64 hex digits of a sha256; height (int), time (long, seconds), miner (text)."""
    cells, tuples = [], []
    for _ in range(ROWS):
        key = random.randbytes(32).hex()
        values = {"height": random.randrange(1, 10**6), "time": moment(random) // 1000, "miner": word(random)}
        cells += [(key.encode(), "b", b"height", i32(values["height"])), (key.encode(), "b", b"time", i64(values["time"])),
                  (key.encode(), "b", b"miner", values["miner"].encode())]
        tuples.append(((key,), values))
    return Table("ledger", cells, tuples)


def positions(random):
    """Fifteen digits of a device, a long of milliseconds; two doubles and a float."""
    cells, tuples = [], []
    for device, at in distinct(random, lambda: (random.randrange(35 * 10**13, 36 * 10**13), moment(random))):
        values = {"lat": round(random.uniform(33, 38), 6), "lon": round(random.uniform(126, 129), 6), "speed": random.randrange(0, 240) / 2}
        row = f"{device:015}".encode() + i64(at)
        cells += [(row, "p", b"lat", f64(values["lat"])), (row, "p", b"lon", f64(values["lon"])), (row, "p", b"speed", f32(values["speed"]))]
        tuples.append(((device, iso(at)), values))
    return Table("positions", cells, tuples)


# ---- columns of several encodings, and several families of a row

def row_cells(row, family, values):
    return [(row, family, name.encode(), value) for name, value in values.items()]


def mixed_customers(random):
    """C and eight digits: name and age in text, as a form sent them, and what the program counts in binary."""
    cells, tuples = [], []
    for number in distinct(random, lambda: random.randrange(1, 10**8)):
        values = {"name": sentence(random), "age": random.randrange(18, 95), "visits": random.randrange(0, 10**5),
                  "tier": random.randrange(-3, 9), "active": random.random() < 0.6}
        cells += row_cells(f"C{number:08}".encode(), "d", {
            "name": values["name"].encode(), "age": str(values["age"]).encode(), "visits": i64(values["visits"]),
            "tier": i16(values["tier"]), "active": b"\xff" if values["active"] else b"\x00"})
        tuples.append(((number,), values))
    return Table("mixed-customers", cells, tuples)


def counters_and_profile(random):
    """user: name and birthday in text, and counters of another family, which new users do not have."""
    cells, tuples = [], []
    for key in distinct(random, lambda: random.randrange(10**6, 10**8)):
        values = {"name": sentence(random), "born": strftime(NOW - random.randrange(10**12), "%Y-%m-%d")}
        cells += row_cells(i64(key), "info", {name: value.encode() for name, value in values.items()})
        counts = {name: random.randrange(1, 10**6) for name in ("views", "likes") if random.random() < 0.8}
        cells += row_cells(i64(key), "c", {name: i64(value) for name, value in counts.items()})
        tuples.append(((key,), {**values, **counts}))
    return Table("counters-and-profile", cells, tuples)


def followers(random):
    """user: name (text) and joined (long), and a family with a column for each user who is followed: the time as a long."""
    cells, tuples = [], []
    for name in distinct(random, lambda: user(random), 120):
        row, joined = name.encode(), moment(random)
        values = {"nick": word(random), "joined": iso(joined)}
        cells += row_cells(row, "info", {"nick": values["nick"].encode(), "joined": i64(joined)})
        follows = {user(random): moment(random) for _ in range(random.randrange(0, 12))}
        cells += row_cells(row, "follows", {other: i64(at) for other, at in follows.items()})
        if follows:
            values["follows"] = {other: iso(at) for other, at in follows.items()}
        tuples.append(((name,), values))
    return Table("followers", cells, tuples)


def device_state(random):
    """A MAC address: battery and rssi in one byte, volts in a short, uptime in an int, firmware and a count in text."""
    cells, tuples = [], []
    for mac in distinct(random, lambda: ":".join(f"{byte:02x}" for byte in random.randbytes(6))):
        values = {"battery": random.randrange(0, 101), "rssi": -random.randrange(30, 64), "volts": random.randrange(2800, 4300),
                  "uptime": random.randrange(0, 10**7), "firmware": f"{random.randrange(1, 4)}.{random.randrange(0, 20)}.{random.randrange(0, 9)}",
                  "restarts": random.randrange(0, 300)}
        written = {"battery": i8(values["battery"]), "rssi": i8(values["rssi"]), "volts": i16(values["volts"]), "uptime": i32(values["uptime"]),
                   "firmware": values["firmware"].encode(), "restarts": str(values["restarts"]).encode()}
        if random.random() < 0.2:
            del written["restarts"], values["restarts"]
        cells += row_cells(mac.encode(), "s", written)
        tuples.append(((mac,), values))
    return Table("device-state", cells, tuples)


def json_and_numbers(random):
    """order id (long): the order as JSON, its total in cents (long), the number of lines (text), and when it was paid (long)."""
    cells, tuples = [], []
    for key in distinct(random, lambda: random.randrange(10**8, 10**10)):
        paid = moment(random)
        values = {"doc": json.dumps({"customer": user(random), "lines": [{"sku": word(random), "n": random.randrange(1, 9)}]}),
                  "cents": random.randrange(100, 10**7), "lines": random.randrange(1, 40)}
        written = {"doc": values["doc"].encode(), "cents": i64(values["cents"]), "lines": str(values["lines"]).encode()}
        if random.random() < 0.7:
            written["paid"], values["paid"] = i64(paid), iso(paid)
        cells += row_cells(i64(key), "o", written)
        tuples.append(((key,), values))
    return Table("json-and-numbers", cells, tuples)


def articles(random):
    """article:NUMBER rows: title, words and day in text; weights of tags as tag:NAME in doubles; and the body in a family of its own."""
    cells, tuples = [], []
    for number in distinct(random, lambda: random.randrange(1, 10**6), 110):
        row = f"article:{number}".encode()
        values = {"title": sentence(random), "words": random.randrange(50, 9000), "day": strftime(moment(random), "%Y-%m-%d")}
        cells += row_cells(row, "meta", {name: str(value).encode() for name, value in values.items()})
        weights = {word(random): round(random.random(), 3) for _ in range(random.randrange(1, 9))}
        cells += row_cells(row, "tags", {f"tag:{name}": f64(weight) for name, weight in weights.items()})
        values["tags"] = weights
        if random.random() < 0.9:
            values["html"] = f"<p>{sentence(random)}</p>"
            cells.append((row, "body", b"html", values["html"].encode()))
        tuples.append(((number,), values))
    return Table("articles", cells, tuples)


def machines(random):
    """name: an owner as a UUID of 16 bytes, a port of two bytes, memory as text, load as a float, the start in milliseconds."""
    cells, tuples = [], []
    for host in distinct(random, lambda: user(random)):
        owner, at = uuid.UUID(int=random.getrandbits(128), version=4), moment(random)
        values = {"owner": str(owner), "port": random.randrange(1024, 65536), "memory": random.choice([512, 2048, 16384]),
                  "load": random.randrange(0, 300) / 8, "start": iso(at)}
        cells += row_cells(host.encode(), "m", {"owner": owner.bytes, "port": struct.pack(">H", values["port"]),
                                                "memory": str(values["memory"]).encode(), "load": f32(values["load"]), "start": i64(at)})
        tuples.append(((host,), values))
    return Table("machines", cells, tuples)


def phoenix_two_families(random):
    """Phoenix with numbers for columns in two families, of which only the first one has the marker; SMALLINT, TINYINT, UNSIGNED_INT.
    The keys are those of a sequence."""
    cells, tuples = [], []
    for key in range(1, ROWS + 1):
        row = flip(i64(key))
        values = {"c11": sentence(random), "c12": random.randrange(-300, 300), "c13": random.randrange(-100, 100), "c14": random.randrange(1, 10**6)}
        cells += [(row, "0", b"\0\0\0\0", b"x"), (row, "0", b"\x80\x0b", values["c11"].encode()), (row, "0", b"\x80\x0c", flip(i16(values["c12"])))]
        if random.random() < 0.8:
            cells.append((row, "B", b"\x80\x0d", flip(i8(values["c13"]))))
        else:
            del values["c13"]
        cells.append((row, "B", b"\x80\x0e", i32(values["c14"])))
        tuples.append(((key,), values))
    return Table("phoenix-two-families", cells, tuples)


def rare_columns(random):
    """Rows of a crawler with many programs: three columns in all rows, and a few that two or three programs have left."""
    cells, tuples = [], []
    for number, url in enumerate(distinct(random, lambda: f"{random.choice(WORDS)}/{random.choice(WORDS)}/{random.randrange(1, 9999)}")):
        values = {"status": random.choice([200, 200, 301, 404]), "bytes": random.randrange(1, 10**6), "title": sentence(random)}
        cells += row_cells(url.encode(), "p", {"status": str(values["status"]).encode(), "bytes": i32(values["bytes"]), "title": values["title"].encode()})
        if number in (40, 41):
            debug = random.randbytes(5)
            cells.append((url.encode(), "p", b"debug", debug))
            values["rest"] = {"p:debug": f"x'{debug.hex()}'"}
        tuples.append((tuple(url.split("/")[:2]) + (int(url.split("/")[2]),), values))
    return Table("rare-columns", cells, tuples)


def old_numbers(random):
    """A program that once wrote a number as text: a few of these cells are left."""
    cells, tuples = [], []
    for number, key in enumerate(distinct(random, lambda: f"{random.choice(['eu', 'us', 'asia'])}|{user(random)}")):
        values = {"name": sentence(random), "visits": random.randrange(1, 5000)}
        is_old = number in (3, 30)
        cells += row_cells(key.encode(), "f", {"name": values["name"].encode(), "visits": str(number).encode() if is_old else i64(values["visits"])})
        if is_old:
            del values["visits"]
        tuples.append((tuple(key.split("|")), values))
    return Table("old-numbers", cells, tuples)


def separate_rows(random):
    """Two programs share a table: each has rows and a family of its own."""
    cells, walks, rides = [], [], []
    for day, who in distinct(random, lambda: (strftime(moment(random), "%Y%m%d"), user(random))):
        row, key = f"{day}|{who}".encode(), (f"{day[:4]}-{day[4:6]}-{day[6:]}", who)
        if random.random() < 0.6:
            values = {"steps": random.randrange(1, 30000), "stairs": random.randrange(0, 40)}
            cells += row_cells(row, "walk", {name: i32(value) for name, value in values.items()})
            walks.append((key, values))
        else:
            ride = {"km": random.randrange(1, 1000) / 8, "watt": random.randrange(50, 4000) / 16}
            cells += row_cells(row, "ride", {name: f64(value) for name, value in ride.items()})
            rides.append((key, ride))
    return Table("separate-rows", cells, walks, rides)


def ordered_and_text(random):
    """A program that began with text and went on with HBase's OrderedBytes."""
    cells, tuples = [], []
    for key in distinct(random, lambda: f"item{random.randrange(1, 10**6)}"):
        values = {"name": sentence(random), "price": random.randrange(-10**5, 10**6), "shelf": random.randrange(1, 90)}
        cells += row_cells(key.encode(), "i", {"name": values["name"].encode(), "price": b"\x2c" + flip(i64(values["price"])),
                                               "shelf": str(values["shelf"]).encode()})
        tuples.append(((int(key[4:]),), values))
    return Table("ordered-and-text", cells, tuples)


def carts(random):
    """session: currency (text) and start (long), and in the same family item:SKU with the pieces as an int."""
    cells, tuples = [], []
    for _ in range(130):
        key, at = random.randbytes(12).hex(), moment(random)
        values = {"currency": random.choice(["KRW", "EUR"]), "start": iso(at)}
        cells += row_cells(key.encode(), "c", {"currency": values["currency"].encode(), "start": i64(at)})
        items = {word(random): random.randrange(1, 50) for _ in range(random.randrange(0, 7))}
        cells += row_cells(key.encode(), "c", {f"item:{sku}": i32(n) for sku, n in items.items()})
        if items:
            values["c"] = items
        tuples.append(((key,), values))
    return Table("carts", cells, tuples)


def no_values(random):
    """A program that writes nothing for NULL: score is an int or no bytes; points are text."""
    cells, tuples = [], []
    for key in distinct(random, lambda: f"p-{random.randrange(1, 10**6)}"):
        score = random.randrange(-500, 10**5) if random.random() < 0.7 else None
        values = {"team": random.choice(WORDS), "points": random.randrange(0, 100)}
        cells += row_cells(key.encode(), "r", {"team": values["team"].encode(), "points": str(values["points"]).encode(),
                                               "score": b"" if score is None else i32(score)})
        tuples.append(((int(key[2:]),), {**values, "score": score}))
    return Table("no-values", cells, tuples)


def hours_and_totals(random):
    """page/day rows: totals of the day (long), a label in text, and a family with a counter for each hour, 00 to 23."""
    cells, tuples = [], []
    for page, at in distinct(random, lambda: (word(random), moment(random) // 86400000 * 86400000), 80):
        row = f"{page}/{strftime(at, '%Y-%m-%d')}".encode()
        hours = {f"{hour:02}": random.randrange(1, 10**4) for hour in random.sample(range(24), 9)}
        values = {"total": sum(hours.values()), "label": sentence(random), "h": hours}
        cells += row_cells(row, "d", {"total": i64(values["total"]), "label": values["label"].encode()})
        cells += row_cells(row, "h", {hour: i64(n) for hour, n in hours.items()})
        tuples.append(((page, strftime(at, "%Y-%m-%d")), values))
    return Table("hours-and-totals", cells, tuples)


def padded_symbols(random):
    """A symbol, filled with blanks to eight characters, and a time as digits, as a program in COBOL writes it."""
    cells, tuples = [], []
    for symbol, at in distinct(random, lambda: (random.choice(["AAPL", "BRK.B", "T", "GOOGL", "VOD.L", "SAP", "ALPHABET"]), moment(random) // 1000 * 1000)):
        side = random.choice(["buy", "sell"])
        cells.append((f"{symbol:8}{strftime(at, '%Y%m%d%H%M%S')}".encode(), "q", b"side", side.encode()))
        tuples.append(((symbol, iso(at)), [side]))
    return Table("padded-symbols", cells, tuples)


def latin_names(random):
    """Names in ISO 8859-1, which are no UTF-8, "/", a number. Four of their bytes are no FLOAT."""
    cells, tuples = [], []
    for name, number in distinct(random, lambda: (random.choice(["M\xfcller", "Nu\xf1ez", "Smith", "\xc9bert", "Jones"]), random.randrange(1, 10**6))):
        row = f"{name}/{number}".encode("latin-1")
        age = random.randrange(1, 90)
        cells.append((row, "f", b"age", str(age).encode()))
        tuples.append(((row.hex(),), [age]))
    return Table("latin-names", cells, tuples)


def amounts(random):
    """BigDecimals with two digits after the point, all between 100,000 and 900,000: eight bytes each, as a long has."""
    cells, tuples = [], []
    for key in distinct(random, lambda: random.randrange(1, 10**6)):
        cents = random.randrange(10_000_000, 90_000_000)
        cents += cents % 10 == 0
        cells.append((i32(key), "a", b"amount", bigdecimal(cents, 2)))
        tuples.append(((key,), [f"{cents // 100}.{cents % 100:02}"]))
    return Table("amounts", cells, tuples)


def meter_days(random):
    """meter|yyyyMMdd; qualifier: the second of the day (int), which is no offset in milliseconds; a double."""
    cells, tuples = [], []
    for i in range(30):
        meter, day = f"{random.choice(WORDS)}{i}", strftime(moment(random), "%Y%m%d")
        for second in random.sample(range(86400), 8):
            value = round(random.uniform(0, 900), 2)
            cells.append((f"{meter}|{day}".encode(), "m", i32(second), f64(value)))
            tuples.append(((meter, f"{day[:4]}-{day[4:6]}-{day[6:]}", second), [value]))
    return Table("meter-days", cells, tuples)


def hashed_paths(random):
    """Eight bytes of the sha256 of a path, and the path, which is not taken apart; balances of 7 or 8 bytes."""
    cells, tuples = [], []
    for path in distinct(random, lambda: random.choice(["/srv", "/home/ann", "/home/bob", "/var/log/old"]) + f"/{word(random)}{random.randrange(900)}.txt"):
        cents = random.randrange(5_000_000, 90_000_000)
        cents += cents % 10 == 0
        row, owner = hashlib.sha256(path.encode()).digest()[:8] + path.encode(), word(random)
        cells += [(row, "f", b"cost", bigdecimal(cents, 2)), (row, "f", b"owner", owner.encode())]
        tuples.append(((path,), {"cost": f"{cents // 100}.{cents % 100:02}", "owner": owner}))
    return Table("hashed-paths", cells, tuples)


def little_endian(random):
    """Numbers of a program in C, with the lowest byte first: kvsql reads no such numbers."""
    cells, tuples = [], []
    for store, item in distinct(random, lambda: (random.randrange(1, 200), random.randrange(1, 10**5))):
        values = {"count": struct.pack("<i", random.randrange(-5, 3000)), "cents": struct.pack("<q", random.randrange(1, 10**7))}
        cells += [(f"store:{store}:item:{item}".encode(), "i", name.encode(), value) for name, value in values.items()]
        tuples.append(((store, item), {name: value.hex() for name, value in values.items()}))
    return Table("little-endian", cells, tuples)


TABLES = [user_and_reversed_time, md5_prefixed, bucket_byte, opentsdb, wide_time_row, hourly_offsets, counters, bytes_of_java,
          day_partition, iso_times, negative_numbers, uuid_text, uuid_binary, reversed_domains, nul_separated, delimiter_in_last,
          json_values, comma_lists, id_columns, two_families, hash_of_part, hex_keys, url_rows, phoenix_numbers, phoenix_names,
          phoenix_byte_numbers, phoenix_long_numbers,
          strange_row, mail_messages, ordered_bytes, existence, chat_messages, queue_log, text_bucket, stock_ticks,
          reversed_text_time, mac_addresses, hive_table, news_feed, tags, padded_order, hash_of_all, sha256_keys, offset_times,
          hourly_columns, settings, single_row, transactions, time_first, edges, paths, sessions, mail_index, events_wide,
          order_lines, three_families, ordered_columns, phoenix_salted, short_values,
          login_attempts, invoices, ratings, places, host_metrics, full_md5, hour_paths, stored_files,
          short_messages, cache, stock, leaderboard, service_logs, dns, ledger, positions,
          mixed_customers, counters_and_profile, followers, device_state, json_and_numbers, articles, machines, phoenix_two_families,
          rare_columns, separate_rows, ordered_and_text, carts, no_values, hours_and_totals, old_numbers, padded_symbols,
          latin_names, little_endian, amounts, meter_days, hashed_paths]
