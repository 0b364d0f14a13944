#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl import and export against a real kvsqld: formats, invalid rows, interruptions.

Expected results are computed by Python's csv and json modules, or written by hand.
"""

import csv
import datetime
import decimal
import fcntl
import io
import json
import os
import pathlib
import pty
import random
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM = support.TOP_BUILD / "kvsqlctl"
# Enough rows that the import can be interrupted before it ends: fewer are enough only where each takes longer.
N_ROWS = 12000 if os.environ.get("KVSQL_TEST_SANITIZERS", "").strip() else 60000
# Plain writes, which take less time: what is tested here does not depend on how a tuple is written.
DEFINITIONS = """
DEFINE RELATION item { id BIGINT KEY, name STRING, price DECIMAL, n INT DEFAULT 7 } WITH (writes = plain);
DEFINE PRIMARY SCHEMA item_by_id FOR item { TABLE 'i', ROW id, FAMILY 'f', QUALIFIER attr_name['id'], VALUE attr_value['id'] }
  WITH (marker = x'00');
DEFINE RELATION every { EVERY } WITH (writes = plain);
DEFINE PRIMARY SCHEMA every_by_key FOR every { TABLE 'e', ROW i:s, FAMILY 'f', QUALIFIER attr_name['s', 'i'], VALUE attr_value['s', 'i'] }
  WITH (marker = x'00');
DEFINE RELATION again { EVERY } WITH (writes = plain);
DEFINE PRIMARY SCHEMA again_by_key FOR again { TABLE 'a', ROW i:s, FAMILY 'g', QUALIFIER attr_name['s', 'i'], VALUE attr_value['s', 'i'] }
  WITH (marker = x'00');
DEFINE RELATION document { id UUID KEY, j JSON, b JSONB } WITH (writes = plain);
DEFINE PRIMARY SCHEMA document_by_id FOR document { TABLE 'd', ROW id, FAMILY 'f', QUALIFIER attr_name[id], VALUE attr_value[id] }
  WITH (marker = x'00');
""".replace("EVERY", """s STRING KEY, i BIGINT KEY, ok BOOLEAN, n INT, f FLOAT, d DOUBLE, m DECIMAL, b BYTES, day DATE,
  at TIMESTAMP, hits MAP<STRING, INT>, tags LIST<STRING>""")


class Session:
    """One kvsqld for all tests."""
    daemon = None
    environment = None
    folder = None


def start():
    Session.daemon = support.Daemon()
    Session.folder = support.temporary_folder("import")
    Session.environment = {name: value for name, value in os.environ.items() if name not in ("G_DEBUG", "NO_COLOR")}
    Session.environment.update(KVSQL_URI=f"kvsql+unix://{Session.daemon.socket_path}", LC_ALL="C.UTF-8")
    run("exec", text=DEFINITIONS)


def run(*arguments, text="", status=0):
    """Returns its output: (standard output, standard error)."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([str(PROGRAM), *map(str, arguments)], input=data, capture_output=True, timeout=300, check=False,
                          env=Session.environment)
    if done.returncode != status:
        raise AssertionError(f"kvsqlctl {arguments}: status {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def rows(sql):
    return [json.loads(line) for line in run("exec", "-o", "ndjson", sql)[0].splitlines()]


def empty(relation="item"):
    run("exec", f"DELETE FROM {relation}")


def write(name, text):
    path = Session.folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def items():
    return [(row["id"], row["name"], row["price"], row["n"]) for row in rows("SELECT * FROM item ORDER BY id")]


# ---- formats

def test_csv():
    path = write("a.csv", 'id,name,price,n\r\n1,"a ""q"",\r\nb",1.50,1\r\n2,"",,\n\n3,,-0.25,3')
    out, _ = run("import", "item", path)
    assert out.startswith("OK, 3 tuples ("), out
    support.equal(items(), [(1, 'a "q",\r\nb', 1.5, 1), (2, "", None, None), (3, None, -0.25, 3)])
    support.equal(sorted(p.name for p in Session.folder.iterdir()), ["a.csv"])


def test_csv_marks():
    empty()
    path = write("b.csv", "1;'it''s; so';-\n2;-;5\n3;'-';6\n")
    run("import", "item", path, "--no-header", "--columns", "id,name,n", "-d", ";", "-q", "'", "--null", "-")
    support.equal(items(), [(1, "it's; so", None, None), (2, None, None, 5), (3, "-", None, 6)])


def test_columns():
    empty()
    path = write("c.csv", "number,waste,title\n1,x,a\n2,y,b\n")
    run("import", "item", path, "--columns", "id,-,name")
    support.equal(items(), [(1, "a", None, 7), (2, "b", None, 7)])
    _, error = run("import", "item", path, status=1)
    assert "c.csv:1:1: relation \"item\" has no attribute \"number\"" in error and "--no-header" in error, error
    assert "missing" not in error, error
    _, error = run("import", "item", write("semicolons.csv", "id;name\n1;a\n"), status=1)
    assert "; --delimiter ';' may be missing; the first line" in error, error
    _, error = run("import", "item", path, "--columns", "name", status=1)
    assert "attribute \"id\" is KEY and gets no value" in error, error
    run("import", "item", path, "--format", "json", status=2)
    run("import", "item", path, "--jobs", "0", status=2)
    _, error = run("import", "item", Session.folder / "none", status=1)
    assert "could not open" in error and "--format" not in error, error
    assert "the relation comes first" in error, error


def test_tsv():
    empty()
    path = write("d.tsv", "id\tname\tn\n1\ta\\tb\\\\c\\nd\\x41\\102\t\\N\n2\t\t3\n3\t\\N\t4\r\n4\t\\\\N\t5\n\\.\n")
    run("import", "item", path)
    support.equal([row[:2] + row[3:] for row in items()],
                  [(1, "a\tb\\c\ndAB", None), (2, "", 3), (3, None, 4), (4, "\\N", 5)])


def test_ndjson():
    empty()
    lines = [{"id": 1, "name": "q\u00e9\U0001f600\"\\/\b\f\n\r\t\u0001"}, {"n": None, "id": 2, "name": None},
             {"id": "3", "n": 5, "price": 2}, {"id": 4}]
    path = write("e.ndjson", "\n".join(json.dumps(line) for line in lines) + "\n\n"
                 '{"id":5,"price":123456789012345678901234567890.000000000000000000001}')
    run("import", "item", path)
    found = items()
    support.equal(found[:4], [(1, lines[0]["name"], None, 7), (2, None, None, None), (3, None, 2, 5), (4, None, None, 7)])
    support.equal(run("exec", "-o", "csv", "SELECT price FROM item WHERE id = 5")[0].splitlines()[1],
                  "123456789012345678901234567890.000000000000000000001")


def test_stdin_and_last_row_of_a_key():
    empty()
    text = "".join(f"{n % 50},{n}\n" for n in range(5000))
    run("import", "item", "-", "-o", "csv", "--columns", "id,n", "--no-header", "-b", "7", "-j", "8", text=text)
    support.equal([(row[0], row[3]) for row in items()], [(n, 4950 + n) for n in range(50)])


# ---- invalid rows

WRONG = ('id,name,price,n\n1,a,1,1\nx,b,1,1\n2,c"d,1,1\n3,"e\nf"g,1,1\n4,e,1,99999999999\n5,f,abc,1\n6,g,1\n7,h,1,1,1\n,i,1,1\n'
         '8,\u00e9,x,1\n9,j,1,9\n')
REPORTS = [
    (3, 1, 'attribute "id": "x" is not a value of BIGINT'), (4, 4, "a quote inside a field that has none around it"),
    (6, 3, "text after the closing quote"), (7, 7, 'attribute "n": 99999999999 is out of range for INT'),
    (8, 5, 'attribute "price": invalid DECIMAL "abc"'), (9, 6, "3 fields; expected 4"),
    (10, 9, "5 fields; expected 4"), (11, 1, 'NULL in attribute "id", which is KEY'),
    (12, 5, 'attribute "price": invalid DECIMAL "x"')]


def test_last_of_a_time():
    """One time as a key, in all the text forms that kvsqld accepts: the last row of a key wins, in whichever request it is."""
    run("exec", "DEFINE RELATION moment { at TIMESTAMP KEY, n INT }; DEFINE PRIMARY SCHEMA moment_at FOR moment"
        " { TABLE 'm', ROW at, FAMILY 'f', VALUE n }")
    forms = ["{}", "{}T00:00:00.000Z", "{}t00:00z", "{} 00:00", " {} 00:00:00.0000 Z", "{} 09:00+09", "{}T09:30:00+09:30", "{}T00:00:00Z"]
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(200)]
    text = "".join(f"{form.format(day)},{n}\n" for day in days for n, form in enumerate(forms))
    run("import", "moment", "-o", "csv", "--no-header", "--batch", "1", "--jobs", "8", text=text)
    support.equal(rows("SELECT n, count(*) AS days FROM moment GROUP BY n"), [{"n": len(forms) - 1, "days": 200}])


def test_rejects():
    empty()
    path, rejects = write("wrong.csv", WRONG), Session.folder / "rejects.csv"
    out, error = run("import", "item", path, "--rejects", rejects, status=1)
    assert out.startswith("OK, 2 tuples, 9 rows refused ("), out
    support.equal([row[0] for row in items()], [1, 9])
    found = re.findall(r"wrong\.csv:(\d+):(\d+): error: (.*)", error)
    support.equal([(int(line), int(column), text) for line, column, text in found], REPORTS)
    kept = WRONG.splitlines(keepends=True)
    support.equal(rejects.read_bytes().decode(), "".join(kept[:1] + kept[2:12]))
    mended = (rejects.read_text().replace("x,b", "10,b").replace('c"d', '"c""d"').replace('"g', 'g"').replace("99999999999", "4")
              .replace("abc", "5").replace("6,g,1", "6,g,1,1").replace("7,h,1,1,1", "7,h,1,1").replace(",i", "11,i").replace(",x,", ",1,"))
    run("import", "item", write("mended.csv", mended))
    support.equal([row[0] for row in items()], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    _, error = run("import", "item", path, "--rejects", path, status=1)
    assert "--rejects names the file that is imported" in error, error
    support.equal(path.read_text(), WRONG)


def test_max_errors():
    empty()
    path = write("wrong2.csv", WRONG)
    _, error = run("import", "item", path, "--batch", "2", status=1)
    assert "wrong2.csv:3:1: error:" in error and "hint: --rejects FILE" in error, error
    assert error.endswith("\nSome of the first rows may be in the relation.\n"), error
    _, error = run("import", "item", path, "--max-errors", "3", "--batch", "2", status=1)
    support.equal(error.count("wrong2.csv:"), 4 + error.count("wrong2.csv.kvsql"))
    out, error = run("import", "item", path, "--max-errors", "9", status=1)
    assert "continuing after line 3, " in error or "9 rows refused" in out, (out, error)
    support.equal([row[0] for row in items()], [1, 9])


def test_wrong_json():
    empty()
    good = '{"id": %d}\n'
    wrong = ['{"id": 1, "id": 2}', '{"id": 1 "n": 2}', '[1]', '{"id": 1}}', '{"id": 01}', '{"id": 1, "name": "\\q"}', '{"name": "x"}',
             '{"id": 1, "name": "\\ud800"}', '{"id": 1, "nam": 1}', '{"id": 1, "name": 5}', '{"id": 1, "n": [1]}', '{"id": true}',
             '{"id": 1, "name": "a', "{'id': 1}", '{"id": 1,}', '{"id": 1, "name": "\\u0000"}', '{"id": .5}', '{"id": 1, "n": nul}']
    columns = [11, 10, 1, 10, 8, 20, 1, 20, 11, 19, 16, 8, 19, 2, 10, 20, 8, 16]
    path = write("wrong.ndjson", "".join(good % (100 + n) + line + "\n" for n, line in enumerate(wrong)))
    _, error = run("import", "item", path, "--rejects", Session.folder / "rejects.ndjson", status=1)
    support.equal([row[0] for row in items()], list(range(100, 100 + len(wrong))))
    found = re.findall(r"wrong\.ndjson:(\d+):(\d+): error: ", error)
    support.equal([(int(line), int(column)) for line, column in found], [(2 * n + 2, column) for n, column in enumerate(columns)])
    support.equal((Session.folder / "rejects.ndjson").read_text(), "".join(line + "\n" for line in wrong))


def test_not_utf8():
    empty()
    path = write("latin.csv", b"id,name\n1,caf\xe9\n2,\x00\n3,ok\n")
    _, error = run("import", "item", path, "-m", "2", status=1)
    assert 'latin.csv:2:3: error: attribute "name": text that is not UTF-8' in error, error
    assert 'latin.csv:3:3: error: attribute "name": text with a NUL byte' in error, error
    support.equal([row[0] for row in items()], [3])


def test_dry_run():
    empty()
    path = write("dry.csv", "id,name\n1,a\nx,b\n2,c\n")
    out, error = run("import", "item", path, "--dry-run", "-o", "csv", status=1)
    cells = [row for row in csv.reader(io.StringIO(out)) if row[0] == "put" and row[8]]
    support.equal([(row[3], row[7], row[8]) for row in cells],
                  [("\\x00" * 7 + "\\x01", "name", "a"), ("\\x00" * 7 + "\\x01", "n", "\\x00\\x00\\x00\\x07"),
                   ("\\x00" * 7 + "\\x02", "name", "c"), ("\\x00" * 7 + "\\x02", "n", "\\x00\\x00\\x00\\x07")])
    assert "dry.csv:3:1: error: attribute \"id\": \"x\" is not a value of BIGINT" in error, error
    out, _ = run("import", "item", path, "--dry-run", status=1)
    support.equal((out.count("qualifier"), len(re.findall("^ put ", out, re.M))), (1, 6))
    path = write("dry-large.csv", f"id,name\n1,{'x' * (3 << 20)}\n2,b\n")
    out, error = run("import", "item", path, "--dry-run", "-o", "csv")
    support.equal((len(out.splitlines()) > 1, error),
                  (True, f"warning: {path}:2: this row is not shown: the requests have more than the 2 MiB that EXPLAIN shows\n"))
    path = write("dry.ndjson", '{"id": 1, "name": 7}\n')
    _, error = run("import", "item", path, "--dry-run", status=1)
    assert 'dry.ndjson:1:19: error: attribute "name": a number is not a value of STRING\nhint: Put it in quotes.' in error, error
    support.equal(items(), [])


# ---- interruptions

def many(name, n):
    """Rows with invalid ones among them, and the expected contents of the relation and of the file of rejected rows."""
    lines = ["id,name,price,n\n"]
    expected, wrong = [], ["id,name,price,n\n"]
    for i in range(n):
        if i % 997 == 996:
            lines.append(f"{i},wrong,?,1\n")
            wrong.append(lines[-1])
        else:
            lines.append(f'{i},"row\n{i}",{i}.5,{i % 10}\n')
            expected.append(f"{i}")
    return write(name, "".join(lines)), expected, "".join(wrong)


def begin(*arguments):
    return subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=Session.environment)


def ids():
    return run("exec", "-o", "csv", "SELECT id FROM item ORDER BY id")[0].split()[1:]


def test_kill_and_go_on():
    empty()
    path, expected, wrong = many("many.csv", N_ROWS)
    state, rejects = pathlib.Path(f"{path}.kvsql-import"), Session.folder / "many.rejects"
    arguments = ("import", "item", path, "--rejects", rejects, "--batch", "50", "--jobs", "2")
    chance = random.Random(support.seed())
    n_kills = 0
    while n_kills < 8:
        process = begin(*arguments)
        wait_for(state, process)
        if n_kills > 0:
            time.sleep(chance.uniform(0, 0.2))
        if process.poll() is not None:  # it has finished; the first one is killed long before that
            break
        process.kill()
        process.communicate()
        n_kills += 1
    else:
        process = begin(*arguments)
    out = process.communicate()[0].decode()
    support.equal((process.returncode, n_kills > 0), (1, True))
    assert "continuing after line" in out, out
    assert f"{len(wrong.splitlines()) - 1} rows refused" in out, out
    support.equal(ids(), expected)
    support.equal(rejects.read_text(), wrong)
    support.equal(state.exists(), False)


def wait_for(path, process):
    while not path.exists():
        if process.poll() is not None:
            raise AssertionError(process.communicate()[0].decode())
        time.sleep(0.001)


def test_interrupt_key():
    """Ctrl-C ends it in order: acknowledged rows are not sent again."""
    empty()
    path, expected, wrong = many("keyed.csv", N_ROWS)
    state = pathlib.Path(f"{path}.kvsql-import")
    arguments = ("import", "item", path, "--max-errors", "1000", "--batch", "50", "--jobs", "2")
    process = begin(*arguments)
    wait_for(state, process)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=60)[0].decode()
    support.equal(process.returncode, 1)
    found = re.search(r"(\d+) rows are in the relation; the same command continues after line (\d+)\.", out)
    assert found and "error: interrupted" in out, out
    support.equal(len(ids()), int(found[1]))
    # Acknowledged rows are not written again: a tuple that another client deletes now stays deleted.
    first = expected[0]
    run("exec", f"DELETE FROM item WHERE id = {first}")
    run(*arguments, status=1)
    support.equal(ids(), expected[1:])
    support.equal(len(wrong.splitlines()) > 1, True)


def test_state_of_another_input():
    path, _, _ = many("other.csv", N_ROWS)
    state = Session.folder / "other.state"
    arguments = ("import", "item", path, "-m", "1000", "--batch", "50", "--state", state)
    process = begin(*arguments)
    wait_for(state, process)
    process.kill()
    process.communicate()
    _, error = run(*arguments, "--null", "x", status=1)
    assert 'could not go on: the interrupted import of this input had null "", this one has "x"' in error, error
    with open(path, "a", encoding="utf-8") as file:
        file.write("1000001,more,1,1\n")
    _, error = run(*arguments, status=1)
    assert "the input has changed since its import was interrupted (size)" in error and "--restart" in error, error
    state.write_text("nonsense")
    _, error = run(*arguments, status=1)
    assert "could not read" in error, error
    run(*arguments, "--restart", status=1)
    support.equal(ids()[-1], "1000001")
    run("import", "item", "-o", "csv", "--state", "x", status=2)


def test_daemon_goes_away():
    """A daemon that is stopped and continued; then one that is unreachable for longer than --retry."""
    empty()
    path = write("away.csv", "id,n\n" + "".join(f"{n},1\n" for n in range(N_ROWS)))
    process = begin("import", "item", path, "--batch", "100", "--timeout", "500ms", "--jobs", "3")
    wait_for(pathlib.Path(f"{path}.kvsql-import"), process)
    os.kill(Session.daemon.process.pid, signal.SIGSTOP)
    time.sleep(2.5)
    os.kill(Session.daemon.process.pid, signal.SIGCONT)
    out = process.communicate(timeout=120)[0].decode()
    support.equal(process.returncode, 0)
    assert out.startswith(f"OK, {N_ROWS} tuples"), out
    support.equal(len(ids()), N_ROWS)
    process = begin("import", "item", path, "--batch", "100", "--timeout", "300ms", "--retry", "1")
    wait_for(pathlib.Path(f"{path}.kvsql-import"), process)
    os.kill(Session.daemon.process.pid, signal.SIGSTOP)
    out = process.communicate(timeout=120)[0].decode()
    os.kill(Session.daemon.process.pid, signal.SIGCONT)
    support.equal(process.returncode in (1, 3), True)
    assert "; the same command continues after line" in out, out
    support.equal(run("import", "item", path)[0].startswith(f"OK, {N_ROWS} tuples, "), True)


def test_interrupt_without_answer():
    """Ctrl-C also ends it if kvsqld does not answer, long before the timeout."""
    empty()
    path = write("hangs.csv", "id,n\n" + "".join(f"{n},1\n" for n in range(40000)))
    process = begin("import", "item", path, "--batch", "100", "--timeout", "60s", "--retry", "600")
    wait_for(pathlib.Path(f"{path}.kvsql-import"), process)
    os.kill(Session.daemon.process.pid, signal.SIGSTOP)
    try:
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=30)[0].decode()
    finally:
        process.kill()
        os.kill(Session.daemon.process.pid, signal.SIGCONT)
    support.equal(process.returncode, 1)
    assert "error: interrupted" in out and "; the same command continues after line" in out, out
    support.equal(run("import", "item", path)[0].startswith("OK, 40000 tuples, "), True)
    support.equal(len(ids()), 40000)


# ---- round trips

COLUMNS = ["s", "i", "ok", "n", "f", "d", "m", "b", "day", "at", "hits", "tags"]
PIECES = ["a", "Z", "0", " ", ",", ";", '"', "'", "\\", "\\N", "\t", "\n", "\r", "\r\n", "\x01", "\x0b", "\x1b", "\x7f", "\u00e4", "\u65e5",
          "\U0001f600", "\u2028", "NULL", "null", "\\x41", "\\.", "{", "[", "\ufeff", "x'00'"]


def random_text(chance, least=0):
    return "".join(chance.choice(PIECES) for _ in range(chance.randrange(least, 6)))


def random_row(chance, number):
    """Values as Python objects: DECIMAL as Decimal, BYTES as bytes, DATE as date, TIMESTAMP as datetime."""
    digits = decimal.Decimal(chance.randrange(-10**chance.randrange(1, 30), 10**chance.randrange(1, 30)))
    row = {
        "s": random_text(chance), "i": chance.choice([number, -number, -2**63 + number, 2**63 - 1 - number]),
        "ok": chance.random() < 0.5, "n": chance.choice([0, -2**31, 2**31 - 1, chance.randrange(-1000, 1000)]),
        "f": struct.unpack("f", struct.pack("f", chance.uniform(-1e10, 1e10)))[0],
        "d": chance.choice([0.1, 1e300, -5e-324, 1 / 3, chance.uniform(-1, 1), float(2**53 + 2), chance.random() * 10**chance.randrange(-30, 30)]),
        "m": digits.scaleb(-chance.randrange(0, 20)), "b": chance.randbytes(chance.randrange(0, 9)),
        "day": datetime.date(1, 1, 1) + datetime.timedelta(chance.randrange(0, 3652059)),
        "at": datetime.datetime(1, 1, 1) + datetime.timedelta(milliseconds=chance.randrange(0, 9998 * 365 * 86400000)),
        "hits": {random_text(chance): chance.choice([None, chance.randrange(-9, 9)]) for _ in range(chance.randrange(0, 4))},
        "tags": [chance.choice([None, random_text(chance)]) for _ in range(chance.randrange(0, 4))],
    }
    return {name: None if name not in ("s", "i") and chance.random() < 0.15 else value for name, value in row.items()}


def as_json(value):
    """Its form in a JSON file; a DECIMAL is a number with all its digits."""
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    if isinstance(value, bytes):
        return json.dumps("\\x" + value.hex())
    if isinstance(value, datetime.datetime):
        return json.dumps(f"{value.isoformat(timespec='milliseconds')}Z")
    if isinstance(value, datetime.date):
        return json.dumps(value.isoformat())
    return json.dumps(value)


def same(name, text, value):
    """Whether the text of a field is a value; the text of NULL is tested elsewhere."""
    if isinstance(value, bool):
        return text == ("true" if value else "false")
    if name in ("i", "n"):
        return int(text) == value
    if name == "f":
        return struct.pack("f", float(text)) == struct.pack("f", value)
    if name == "d":
        return struct.pack("d", float(text)) == struct.pack("d", value)
    if name == "m":
        return decimal.Decimal(text) == value
    if name in ("hits", "tags"):
        return json.loads(text) == value
    return text == (value if name == "s" else json.loads(as_json(value)))


def check_fields(found, expected, null):
    support.equal(len(found), len(expected))
    for fields, row in zip(found, expected):
        for name, text in zip(COLUMNS, fields):
            if text == null if row[name] is None else same(name, text, row[name]):
                continue
            raise AssertionError(f"{name}: {text!r} for {row[name]!r}")


def tsv_field(text):
    names = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
    return None if text == "\\N" else re.sub(r"\\(.)", lambda found: names.get(found[1], found[1]), text)


def test_round_trip():
    chance = random.Random(support.seed())
    expected = [random_row(chance, number) for number in range(support.size(1500, 400))]
    expected = list({(row["i"], row["s"]): row for row in expected}.values())
    with decimal.localcontext() as context:
        context.prec = 60
        lines = ["{" + ", ".join(f"{json.dumps(name)}: {as_json(value)}" for name, value in row.items()) + "}\n" for row in expected]
        run("import", "every", write("every.ndjson", "".join(lines)))
        expected.sort(key=lambda row: (row["i"], row["s"].encode()))
        order = "SELECT * FROM every ORDER BY i, s"
        found = list(csv.reader(io.StringIO(run("export", "--query", order)[0], newline="")))
        support.equal(found[0], COLUMNS)
        check_fields(found[1:], expected, "")
        found = run("export", "-o", "tsv", "--query", order)[0].split("\n")
        support.equal(found[0], "\t".join(COLUMNS))
        check_fields([[tsv_field(text) for text in line.split("\t")] for line in found[1:-1]], expected, None)
        found = [json.loads(line, parse_float=str, parse_int=str) for line in run("export", "-o", "ndjson", "--query", order)[0].split("\n")[:-1]]
        for number, row in enumerate(found):
            row["hits"] = json.dumps({key: value and int(value) for key, value in row["hits"].items()}) if row["hits"] is not None else None
            row["tags"] = json.dumps(row["tags"]) if row["tags"] is not None else None
            row["ok"] = str(row["ok"]).lower() if row["ok"] is not None else None
            check_fields([[row[name] for name in COLUMNS]], [expected[number]], None)
    # Read back from each format, with default and other delimiters and quotes, it is the same.
    first = run("export", "-o", "ndjson", "--query", order)[0]
    for marks in (["-o", "csv"], ["-o", "tsv"], ["-o", "ndjson"], ["-o", "csv", "-d", ";", "-q", "'", "-n", "NULL"], ["-o", "csv", "-n", "a", "-d", "\\t"],
                  ["-o", "tsv", "-n", "NULL", "-d", "|"], ["-o", "csv", "--no-header"], ["-o", "tsv", "--no-header"]):
        empty("again")
        text = run("export", "every", *marks)[0]
        run("import", "again", "-b", "100", *marks, text=text)
        support.equal(run("export", "-o", "ndjson", "--query", order.replace("every", "again"))[0], first)


def test_special_numbers():
    for text in ("NaN", "Infinity", "-Infinity", "-0"):
        empty("every")
        run("import", "every", "-o", "csv", "-C", "s,i,d", "--no-header", text=f"x,1,{text}\n")
        for kind in ("csv", "ndjson"):
            out = run("export", "every", "-o", kind)[0]
            run("import", "again", "-o", kind, text=out)
            support.equal(run("export", "again", "-o", kind, "-w", "s = 'x' AND i = 1")[0], out)


DOCUMENTS = ["null", '"null"', "7", "1.50", "true", '""', '"a\\nb"', "[]", "{}", '{"b": 1, "a": [null, "x", {"c": "\\u00e9"}]}', "[1,  2]",
             '{"a":\n  1}', '"it\'s, \\"quoted\\"\\t|"', "[[[]]]"]


def test_uuid_and_json():
    """JSON's null is not NULL, and texts of several lines stay as they are, in each format."""
    tuples = [f"('{number:032x}', {text}, {text})" for number, text in
              enumerate(["NULL", *["'" + text.replace("'", "''") + "'" for text in DOCUMENTS]])]
    run("exec", "INSERT INTO document VALUES " + ", ".join(tuples))
    everything = run("exec", "SELECT * FROM document ORDER BY id")[0]
    assert "00000000-0000-0000-0000-000000000003" in everything and "1.50" in everything, everything
    for kind in ("ndjson", "csv", "tsv"):
        out = run("export", "document", "-o", kind)[0]
        empty("document")
        run("import", "document", "-o", kind, text=out)
        support.equal(run("exec", "SELECT * FROM document ORDER BY id")[0], everything)
    # a value of JSON may also be written as what it is
    run("import", "document", "-o", "ndjson", text='{"id": "{1000000000000000000000000000000A}", "j": [1, {"a": 2.50}], "b": {"z": 1, "y": true}}\n'
        '{"id": "1000000000000000000000000000000b", "j": 5, "b": false}\n')
    found = run("exec", "-o", "ndjson", "SELECT j, b FROM document WHERE id >= '1000000000000000000000000000000a' AND "
                "id <= '1000000000000000000000000000000b' ORDER BY id")[0]
    support.equal(found, '{"j": [1, {"a": 2.50}], "b": {"y": true, "z": 1}}\n{"j": "5", "b": "false"}\n')
    run("import", "document", "-o", "csv", "-C", "id,j", "--no-header", text="1000000000000000000000000000000c,{\n", status=1)
    empty("document")


# ---- export

def test_export_to_file():
    empty()
    run("import", "item", "-o", "csv", text="id,name,n\n1,a,1\n2,b,2\n3,,3\n")
    path = Session.folder / "out.tsv"
    out, _ = run("export", "item", "-O", path, "-C", "name,id", "-w", "n >= 2")
    assert out.startswith("OK, 2 tuples ("), out
    support.equal(path.read_text(), "name\tid\nb\t2\n\\N\t3\n")
    _, error = run("export", "item", "-O", path, "-w", "n >= ", status=1)
    assert "   1 | n >= \n     |     ^" in error, error
    support.equal(path.read_text(), "name\tid\nb\t2\n\\N\t3\n")
    run("export", "item", "-O", Session.folder / "no" / "out.csv", status=1)
    run("export", status=2)
    run("export", "item", "--query", "SELECT 1 FROM item", status=2)
    run("export", "item", "-o", "vertical", status=2)
    run("export", "item", "-o", "tsv", "--null", "", status=2)
    support.equal(run("export", "-Q", "SELECT n, count(*) AS c FROM item GROUP BY n ORDER BY n")[0], "n,c\r\n1,1\r\n2,1\r\n3,1\r\n")


class Gate:
    """A proxy between a client and a kvsqld that forwards only a given number of bytes of answers."""

    def __init__(self, daemon):
        self.target = daemon.socket_path
        self.path = str(support.temporary_folder("gate") / "socket")
        self.allowed = self.passed = 0
        self.changed = threading.Condition()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            ours, _ = self.listener.accept()
            theirs = socket.socket(socket.AF_UNIX)
            try:
                theirs.connect(self.target)
            except OSError:
                ours.close()
                continue
            for pump in ((self.pump_up, ours, theirs), (self.pump_down, theirs, ours)):
                threading.Thread(target=pump[0], args=pump[1:], daemon=True).start()

    @staticmethod
    def pump_up(ours, theirs):
        try:
            while data := ours.recv(65536):
                theirs.sendall(data)
            theirs.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def pump_down(self, theirs, ours):
        try:
            while data := theirs.recv(65536):
                while data:
                    with self.changed:
                        self.changed.wait_for(lambda: self.passed < self.allowed)
                        piece = data[:self.allowed - self.passed]
                        self.passed += len(piece)
                    ours.sendall(piece)
                    data = data[len(piece):]
            ours.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def allow(self, n_bytes):
        """Allows this many more bytes from now on, and none of an earlier allowance."""
        with self.changed:
            self.allowed = self.passed + n_bytes
            self.changed.notify_all()


    def open_later(self, n_bytes):
        """Forwards this many bytes, and all others after a pause that is longer than the interval of the progress bar."""
        def wait():
            while self.passed < self.allowed:
                time.sleep(0.01)
            time.sleep(0.8)
            self.allow(1 << 40)
        self.allow(n_bytes)
        threading.Thread(target=wait, daemon=True).start()


def done_rows(path):
    """The number of finished rows in the state of an export; 0 if there is none."""
    state = pathlib.Path(f"{path}.kvsql-export")
    found = re.search("^rows=(.*)$", state.read_text(), re.M) if state.exists() else None
    return int(found[1]) if found else 0


def interrupt_export(gate, share, path, end, *arguments, until=lambda: True):
    """Begins or continues an export, forwards only a part of the answers, and ends it after some of that is safe.

    Whose bytes these are, of several connections, is chance: a little more passes as long as nothing is safe, or not until() is true.
    Returns its output."""
    before = done_rows(path)
    gate.allow(share)
    process = begin("export", "-O", path, "-c", f"kvsql+unix://{gate.path}", *arguments)
    while done_rows(path) <= before or not until():
        support.equal(process.poll(), None)
        time.sleep(0.01)
        if gate.passed >= gate.allowed:
            time.sleep(0.2)
            gate.allow(share // 16)
    process.send_signal(end)
    out = process.communicate(timeout=60)[0].decode()
    support.equal((process.returncode, path.exists()), (-end if end == signal.SIGKILL else 1, False))
    with open(f"{path}.part", "a", encoding="utf-8") as file:
        file.write("what was written after the last safe page")
    return out


def whole_export(name, *arguments):
    """An export without interruption, and the number of bytes of its answers."""
    gate = Gate(Session.daemon)
    gate.allow(1 << 40)
    path = Session.folder / name
    run("export", "-O", path, "-c", f"kvsql+unix://{gate.path}", *arguments)
    return path.read_bytes(), gate.passed


def test_export_goes_on():
    """Killed several times, then interrupted by Ctrl-C: in the end the file is the same, and no page was fetched twice."""
    empty()
    run("import", "item", many("large.csv", 60000)[0], "-m", "1000", status=1)
    for arguments in (("item",), ("item", "-o", "ndjson", "-C", "name,id", "-w", "n <> 3"), ("-Q", "SELECT * FROM item ORDER BY n, id")):
        expected, size = whole_export("unbroken", *arguments)
        path = Session.folder / "broken"
        gate = Gate(Session.daemon)
        for end in (signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
            out = interrupt_export(gate, size // 4, path, end, *arguments)
        # A process that is killed while it replaces its state leaves the new one.
        pathlib.Path(f"{path}.kvsql-export.new").write_text("[half", encoding="utf-8")
        found = re.search(r'error: interrupted\n(\d+) rows are in ".*/broken.part"; the same command continues after them\.', out)
        assert found, out
        support.equal(int(found[1]), done_rows(path))
        gate.allow(1 << 40)
        passed = gate.passed
        out, error = run("export", "-O", path, "-c", f"kvsql+unix://{gate.path}", *arguments)
        assert f'continuing "{path}.part", with {found[1]} rows done' in error, error
        now = int(re.match(r"OK, \d+ tuples, (\d+) of them now", out)[1])
        n_rows = len(expected.splitlines()) if "-o" in arguments else len(list(csv.reader(io.StringIO(expected.decode(), newline="")))) - 1
        support.equal(now + int(found[1]), n_rows)
        assert path.read_bytes() == expected
        assert gate.passed - passed < size * 0.9, (gate.passed - passed, size)
        support.equal(sorted(each.name for each in Session.folder.glob("broken*")), ["broken"])
        path.unlink()


def parts_of(path):
    """The files of parts after the head."""
    return sorted(path.parent.glob(f"{path.name}.part-*"))


def test_export_in_parts():
    """With any number of connections the file is the same: the parts in order, and no other file is left."""
    run("exec", "DEFINE RELATION daily (day INT KEY, id INT KEY, v STRING);"
                "DEFINE PRIMARY SCHEMA daily_tables FOR daily { TABLE 'daily_':text{day}, ROW ordered{id}, FAMILY 'f', VALUE v }")
    run("import", "daily", write("daily.csv", "day,id,v\n" + "".join(f"{n % 5},{n - 4000},{'x' * (n % 50 + 1)}\n" for n in range(8000))))
    for arguments in (["daily"], ["daily", "-o", "ndjson", "-w", "day IN (1, 3)"], ["daily", "-o", "tsv", "-w", "id = 17"],
                      ["-Q", "SELECT v FROM daily WHERE day = 2 ORDER BY day, id"]):
        path = Session.folder / "parts.out"
        whole = run("export", *arguments)[0].encode()
        for jobs in (1, 2, 7):
            out, _ = run("export", "-O", path, "-j", jobs, *arguments, *([] if "-o" in arguments else ["-o", "csv"]))
            assert out.startswith("OK, "), out
            assert path.read_bytes() == whole, (arguments, jobs)
            support.equal(sorted(each.name for each in Session.folder.glob("parts.out*")), ["parts.out"])
            path.unlink()
    run("export", "daily", "-O", path, "-j", 0, status=2)
    run("export", "daily", "-O", path, "-y", -1, status=2)


def test_export_killed_in_parts():
    """Killed while several parts are written, and continued with more and with fewer connections."""
    with Rocks() as place:
        run("import", "item", write("killed.csv", "id,name,n\n" + "".join(f"{n},{'y' * (n % 90)},{n % 7}\n" for n in range(60000))))
        expected = run("export", "item")[0].encode()
        path = Session.folder / "killed.out"
        gate, most = Gate(place.daemon), 0

        def have_been_parts():
            return most > 0 or len(parts_of(path)) > 0

        for jobs in (6, 1, 3, 8):
            interrupt_export(gate, len(expected) // 6, path, signal.SIGKILL, "item", "-j", jobs, until=have_been_parts)
            most = max(most, len(parts_of(path)))
            for each in parts_of(path):
                with each.open("a", encoding="utf-8") as file:
                    file.write("what was written after the last safe page")
        # in addition to the head
        assert most >= 1, most
        stray = pathlib.Path(f"{path}.part-4711")
        stray.write_text("of a forgotten export", encoding="utf-8")
        done = done_rows(path)
        assert 0 < done < 60000, done
        out, _ = run("export", "item", "-O", path, "-j", "2")
        assert out.startswith(f"OK, 60000 tuples, {60000 - done} of them now"), (out, done)
        assert path.read_bytes() == expected
        support.equal(sorted(each.name for each in Session.folder.glob("killed.out*")), ["killed.out"])
        # If the file of one part is missing, the export cannot be continued.
        interrupt_export(gate, len(expected) // 2, path.with_suffix(".2"), signal.SIGKILL, "item", "-j", "6")
        for each in parts_of(path.with_suffix(".2")):
            each.unlink()
        os.truncate(path.with_suffix(".2.part"), 0)
        _, error = run("export", "item", "-O", path.with_suffix(".2"))
        assert "lacks what the interrupted export wrote: starting again" in error, error
        assert path.with_suffix(".2").read_bytes() == expected


def test_export_outlives_its_daemon():
    """A request without an answer is repeated after the daemon has come back; --retry says for how long."""
    with Rocks() as place:
        run("import", "item", write("outlived.csv", "id,n\n" + "".join(f"{n},1\n" for n in range(60000))))
        expected = run("export", "item")[0].encode()
        for retry, status in ((60, 0), (0, 3)):
            path = Session.folder / f"outlived-{retry}.out"
            gate = Gate(place.daemon)
            gate.allow(len(expected) // 2)
            process = begin("export", "item", "-O", path, "-y", retry, "-c", f"kvsql+unix://{gate.path}")
            while done_rows(path) == 0:
                support.equal(process.poll(), None)
                time.sleep(0.01)
            place.stop()
            gate.allow(1 << 40)
            if status != 0:
                support.equal(process.wait(60), status)
            place.start()
            out = process.communicate(timeout=60)[0].decode()
            support.equal((process.returncode, path.exists() and path.read_bytes() == expected), (status, status == 0))
            assert status == 0 or "the same command continues after them" in out, out


class Rocks:
    """A daemon on RocksDB that can be stopped and started; statements run there."""

    def __enter__(self):
        self.folder, self.environment = support.temporary_folder("rocks"), Session.environment
        self.start()
        Session.environment = {**self.environment, "KVSQL_URI": f"kvsql+unix://{self.daemon.socket_path}"}
        run("exec", text=DEFINITIONS)
        return self

    def start(self):
        self.daemon = support.Daemon(store=f"rocksdb://{self.folder}/db", folder=self.folder)

    def stop(self):
        self.daemon.stop()

    def __exit__(self, *_):
        self.daemon.stop()
        Session.environment = self.environment


def test_export_among_changes():
    """An export continues on a restarted daemon on RocksDB; it finds rows that are written after its position, not before."""
    with Rocks() as place:
        run("import", "item", write("rocks.csv", "id,n\n" + "".join(f"{n * 10},1\n" for n in range(20000))))
        path = Session.folder / "rocks.out"
        gate = Gate(place.daemon)
        interrupt_export(gate, 200000, path, signal.SIGKILL, "item", "-j", "1")
        done = done_rows(path)
        assert 0 < done < 20000, done
        place.stop()
        place.start()
        run("exec", f"INSERT INTO item (id, n) VALUES (5, 2), (199995, 2); DELETE FROM item WHERE id IN (0, {done * 10 - 10}, {done * 10})")
        _, error = run("export", "item", "-O", path)
        assert f"with {done} rows done" in error, error
        found = [int(row[0]) for row in list(csv.reader(path.open(newline="")))[1:]]
        support.equal(found, sorted([n * 10 for n in range(20000) if n != done] + [199995]))


def test_export_of_another_statement():
    expected, size = whole_export("unbroken", "item")
    path = Session.folder / "other.out"
    gate = Gate(Session.daemon)
    interrupt_export(gate, size // 3, path, signal.SIGKILL, "item")
    part = pathlib.Path(f"{path}.part").read_bytes()
    _, error = run("export", "item", "-O", path, "-w", "n = 1", status=1)
    assert 'could not go on: the interrupted export into this file had statement "SELECT * FROM `item`", this one has' in error, error
    assert "--restart begins again" in error, error
    _, error = run("export", "item", "-O", path, "--delimiter", ";", status=1)
    assert 'had delimiter ",", this one has ";"' in error, error
    run("export", "item", "-O", path, "--restart", "-w", "m = 1", status=1)
    support.equal(pathlib.Path(f"{path}.part").read_bytes() == part, True)
    # After a change of definitions it fails, until it starts again.
    run("exec", "ALTER RELATION item ADD extra STRING")
    _, error = run("export", "item", "-O", path, status=1)
    assert "the definitions that this cursor depends on have changed" in error and "hint: --restart begins again." in error, error
    out, _ = run("export", "item", "-O", path, "--restart", "-w", "n = 1")
    assert "of them now" not in out, out
    # A state without its file cannot be used. (With several parts, all safe bytes may be in the files of the others.)
    interrupt_export(gate, size // 3, path.with_suffix(".2"), signal.SIGINT, "item", "-j", "1")
    os.truncate(path.with_suffix(".2.part"), 10)
    out, error = run("export", "item", "-O", path.with_suffix(".2"))
    assert "lacks what the interrupted export wrote: starting again" in error and "of them now" not in out, (out, error)
    support.equal(path.with_suffix(".2").read_bytes().count(b"\n"), expected.count(b"\n"))
    run("export", "item", "--restart", status=2)


def test_export_without_room():
    """A full disk, simulated by RLIMIT_FSIZE, ends it; with space it continues."""
    expected, _ = whole_export("unbroken", "item")
    path = Session.folder / "full"

    def no_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(expected) * 2 // 3, len(expected) * 2 // 3))

    done = subprocess.run([str(PROGRAM), "export", "item", "-O", str(path)], capture_output=True, check=False, env=Session.environment,
                          preexec_fn=no_room)
    support.equal(done.returncode, 1)
    assert b"could not write" in done.stderr and b"the same command continues after them" in done.stderr, done.stderr
    out, error = run("export", "item", "-O", path)
    assert "of them now" in out, (out, error, done.stderr)
    assert path.read_bytes() == expected


def test_export_twice_at_once():
    _, size = whole_export("unbroken", "item")
    path = Session.folder / "twice"
    gate = Gate(Session.daemon)
    gate.allow(size // 3)
    process = begin("export", "item", "-O", path, "-c", f"kvsql+unix://{gate.path}")
    wait_for(pathlib.Path(f"{path}.kvsql-export"), process)
    _, error = run("export", "item", "-O", path, status=1)
    assert f'another export is writing "{path}.part"' in error, error
    gate.allow(1 << 40)
    assert process.communicate(timeout=60)[0].decode().startswith("OK, ")
    support.equal(path.exists(), True)


def test_state_is_replaced_by_one_at_a_time():
    """A process that replaces or removes a state waits for another one that does, so neither renames a half one of the other."""
    path = Session.folder / "locked"
    new = pathlib.Path(f"{path}.kvsql-export.new")
    with open(new, "wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        process = begin("export", "item", "-O", path)
        time.sleep(1)
        support.equal(process.poll(), None)
        new.unlink()  # as after a rename: the lock is now that of a file that is gone
    assert process.communicate(timeout=60)[0].decode().startswith("OK, ")
    support.equal(sorted(each.name for each in Session.folder.glob("locked*")), ["locked"])


def test_export_without_a_file():
    process = begin("export", "item")
    process.stdout.close()
    support.equal(process.wait(60), -signal.SIGPIPE)
    gate = Gate(Session.daemon)
    gate.allow(500000)
    process = begin("export", "item", "-c", f"kvsql+unix://{gate.path}")
    process.stdout.read1(100)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=60)[0].decode()
    support.equal((process.returncode, out.count("error: interrupted\n"), "continues after" in out), (1, 1, False))


# ---- progress

def on_terminal(width, state, *arguments):
    """The output of a command on a terminal of that width; after @state exists, if given, the daemon pauses until something is drawn."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen([str(PROGRAM), *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=theirs, env=Session.environment) as process:
        os.close(theirs)
        text = b""
        if state is not None:
            wait_for(state, process)
            os.kill(Session.daemon.process.pid, signal.SIGSTOP)
        while True:
            try:
                text += os.read(ours, 65536)
            except OSError:
                break
            finally:
                os.kill(Session.daemon.process.pid, signal.SIGCONT)
    os.close(ours)
    return process.returncode, text.decode()


def test_bar_of_export():
    """The remaining part is known at once, unless all rows have to be sorted first: then only with statistics."""
    path = Session.folder / "bar.out"
    query = "SELECT * FROM item ORDER BY n, id"
    cases = [(["item"], r"exporting about +\d+%  \[#*-*\]  .*B  [\d,]+ rows  [\d,]+ rows/s  about 0:\d\d:\d\d left$"),
             (["-Q", query], r"exporting  .*B  [\d,]+ rows  [\d,]+ rows/s$"),
             (["-Q", query], r"exporting about +\d+%  \[#*-*\]  .*B  [\d,]+ of about 59,940 rows  [\d,]+ rows/s  about 0:\d\d:\d\d left$")]
    for number, (arguments, form) in enumerate(cases):
        gate = Gate(Session.daemon)
        gate.open_later(900000)
        status, text = on_terminal(120, None, "export", *arguments, "-O", path, "-c", f"kvsql+unix://{gate.path}")
        lines = text.split("\r\x1b[K")[1:-1]
        assert status == 0 and any(re.match(form, line) for line in lines), text
        support.equal("left" in text, number != 1)
        if number == 1:
            run("exec", "ANALYZE item")


def test_bar():
    for width in (120, 60):
        empty()
        path = write("bar.csv", "id,name\n" + "".join(f"{n},row {n}\n" for n in range(N_ROWS)))
        status, text = on_terminal(width, pathlib.Path(f"{path}.kvsql-import"), "import", "item", path, "-j", "1", "-b", "40")
        support.equal(status, 0)
        drawn = text.split("\r\x1b[K")
        support.equal((drawn[0], drawn[-1]), ("", ""))
        assert len(drawn) > 2 and all(len(line) < width for line in drawn), drawn
        size = f"{path.stat().st_size / 1000:.1f}\xa0kB"
        form = r"importing +(\d+)%" + (r"  \[(#*)-*\]" if width == 120 else "") + r"  .* of " + size + r"  [\d,]+ rows"
        found = [re.match(form, line) for line in drawn[1:-1]]
        assert all(found), drawn
        parts = [int(match[1]) for match in found]
        support.equal(parts, sorted(parts))
        if width == 120:
            assert any(re.search(r"rows/s  \d+:\d\d:\d\d left$", line) for line in drawn), drawn
            support.equal([len(match[2]) for match in found], [int(match[1]) // 5 for match in found])
    empty()


def test_progress_lines():
    """If stderr is not a terminal there is no progress, unless an option requests it."""
    for asked in (True, False):
        process = subprocess.Popen([str(PROGRAM), "import", "item", "-o", "csv", *(["--progress"] if asked else [])], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=Session.environment)
        process.stdin.write(b"id,name\n1,a\n2,b\n")
        process.stdin.flush()
        while len(ids()) < 2:
            time.sleep(0.01)
        line = process.stderr.readline().decode() if asked else ""
        out, error = process.communicate(b"3,c\n")
        assert out.startswith(b"OK, 3 tuples ("), out
        if asked:
            support.equal(line, "importing  16 bytes  2 rows  0 rows/s\n")
        else:
            support.equal(error, b"")
        empty()


def main():
    start()
    tests = [(f"/import/{name[5:].replace('_', '-')}", test) for name, test in globals().items() if name.startswith("test_")]
    return support.run(tests)


if __name__ == "__main__":
    sys.exit(main())
