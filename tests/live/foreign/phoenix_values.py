# SPDX-License-Identifier: LGPL-2.1-or-later
"""phoenix_values.py: values of columns, as statements of kvsql and of Phoenix have them, and one form in which to compare them.

A column is a name, its type in kvsql and its type in Phoenix. The type of a list is LIST<T>.
"""

import json

BEFORE_ELEMENT = "\x1f"  # as Foreign.java has it


def element_of(kind):
    """The type of a list's elements; None: @kind is no list."""
    return kind[len("LIST<"):-1] if kind.startswith("LIST<") else None


def value_of(source, name, kind, phoenix):
    choose = source.choice
    if phoenix == "CHAR(3)":
        return choose(["a", "ab", "abc", "z"])
    if phoenix == "UNSIGNED_INT":
        return choose([0, 1, 255, 65536, 2147483647])
    if phoenix in ("SMALLINT", "TINYINT"):
        top = 32767 if phoenix == "SMALLINT" else 127
        return choose([0, 1, -1, top, -top - 1, source.randint(-top, top)])
    if kind == "STRING":
        return choose(["ann", "a", "an", "bob", "\u00e9t\u00e9", "it's", "a b", "~", "zz"])
    if kind == "INT":
        return choose([0, 1, -1, 7, -7, 2147483647, -2147483648, source.randint(-10**9, 10**9)])
    if kind == "BIGINT":
        return choose([0, 1, -1, 9223372036854775807, -9223372036854775807, source.randint(-10**18, 10**18)])
    if kind == "DECIMAL":
        return choose(["0", "1", "-1", "12.5", "-12.5", "0.001", "-0.001", "100", "99.99", "-100", "123456789012345678.5",
                       "-99999999999999999999.25", str(source.randint(-10**12, 10**12))])
    if kind in ("FLOAT", "DOUBLE"):
        return choose([0.5, 1.5, -1.5, 100.25, -0.125, 3.0, float(source.randint(-1000, 1000)) + 0.75])
    if kind == "BOOLEAN":
        return choose([True, False])
    if kind == "DATE":
        return choose(["1970-01-01", "2024-02-29", "1969-12-31", "1900-01-01", "2038-01-20"])
    if kind == "TIMESTAMP":
        return choose(["2024-02-29T12:34:56.789Z", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2000-01-01T00:00:00.001Z"])
    assert kind == "BYTES", (name, kind)
    return choose([b"\x00", b"\xff\x00", b"abc", bytes(source.randrange(256) for _ in range(9))])


def kvsql_literal(kind, value):
    if value is None:
        return "NULL"
    if element_of(kind):
        texts = [kvsql_literal("BYTES", each) if isinstance(each, bytes) else each for each in value]
        return "'" + json.dumps(texts, ensure_ascii=False).replace("'", "''") + "'"
    if kind == "BYTES":
        return f"x'{value.hex()}'"
    if kind in ("STRING", "DATE", "TIMESTAMP"):
        return "'" + value.replace("'", "''") + "'"
    return str(value)


def phoenix_literal(kind, value):
    if kind == "TIMESTAMP" and value is not None:
        return f"TO_DATE('{value[:-1].replace('T', ' ')}', 'yyyy-MM-dd HH:mm:ss.SSS')"
    if kind == "DATE" and value is not None:
        return f"TO_DATE('{value}', 'yyyy-MM-dd')"
    if kind == "BIGINT" and value == -9223372036854775808:
        return "-9223372036854775807 - 1"
    return kvsql_literal(kind, value)


def array_parameter(phoenix, value):
    """A list as Foreign.java takes it; @phoenix: the type of its elements."""
    if value is None:
        return "\\N"
    texts = ["\\N" if each is None else each.hex() if isinstance(each, bytes) else str(each) for each in value]
    return BEFORE_ELEMENT.join([phoenix.split("(")[0], *texts])


def normal(kind, value):
    """One form for values of kvsqlctl (JSON), Phoenix (text) and this program."""
    if value is None or value == "\\N":
        return None
    if element_of(kind):
        elements = value.split(BEFORE_ELEMENT)[1:] if isinstance(value, str) else value
        return [normal(element_of(kind), each) for each in elements]
    if kind in ("FLOAT", "DOUBLE"):
        return float(value)
    if kind in ("INT", "BIGINT"):
        return int(value)
    if kind == "BOOLEAN":
        return str(value).lower() == "true"
    if kind == "DECIMAL":
        text = str(value)
        return text.rstrip("0").rstrip(".") if "." in text else text
    if kind == "DATE":
        return value[:10]
    if kind == "BYTES":
        text = value.hex() if isinstance(value, bytes) else value
        return text[2:-1] if text.startswith("x'") else text
    return value
