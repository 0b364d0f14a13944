#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl against a real kvsqld: the typical work of a user, from a definition to an export."""

import csv
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM = support.TOP_BUILD / "kvsqlctl"
DEFINITIONS = """
DEFINE RELATION r { k1 STRING KEY, k2 STRING KEY, v1 STRING, v2 INT };
DEFINE PRIMARY SCHEMA s1 FOR r { TABLE 's1', ROW suffix('-'){k1}:k2, FAMILY 'f', QUALIFIER '', VALUE suffix('-'){v1}:v2 };
DEFINE SCHEMA s2 FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', QUALIFIER attr_name['k1','k2'], VALUE attr_value['k1','k2'] };
DEFINE RELATION wide { id BIGINT KEY, t STRING, b BYTES, ok BOOLEAN, d DOUBLE, m DECIMAL, day DATE, at TIMESTAMP, tm TIME };
DEFINE PRIMARY SCHEMA wide_by_id FOR wide { TABLE 'w', ROW id, FAMILY 'f', QUALIFIER attr_name['id'], VALUE attr_value['id'] };
"""


class Ctl:
    """Runs kvsqlctl on one kvsqld."""

    def __init__(self, uri):
        self.environment = {name: value for name, value in os.environ.items() if name not in ("G_DEBUG", "NO_COLOR")}
        self.environment.update(KVSQL_URI=uri, LC_ALL="C.UTF-8", XDG_STATE_HOME=str(support.temporary_folder("state")))

    def run(self, *arguments, text=None, status=0, both=False):
        done = subprocess.run([str(PROGRAM), *arguments], input=text or "", capture_output=True, text=True, timeout=120,
                              check=False, env=self.environment)
        if done.returncode != status:
            raise AssertionError(f"kvsqlctl {arguments}: status {done.returncode}\n{done.stdout}\n{done.stderr}")
        if both:
            return done.stdout + done.stderr
        return done.stdout if status == 0 else done.stderr

    def rows(self, sql, *arguments):
        return [json.loads(line) for line in self.run("exec", "-o", "ndjson", *arguments, sql).splitlines()]


def given(*values):
    return [word for value in values for word in ("-p", value)]


def started():
    daemon = support.Daemon()
    ctl = Ctl(f"kvsql://127.0.0.1:{daemon.port}")
    ctl.run("exec", text=DEFINITIONS)
    return daemon, ctl


class Session:
    """One kvsqld for all tests; they run in order."""
    daemon = None
    ctl = None


def test_defines():
    Session.daemon, Session.ctl = started()


def test_status():
    facts = json.loads(Session.ctl.run("status", "-o", "json"))[0]
    support.equal(facts["connected_to"], f"127.0.0.1:{Session.daemon.port}")
    support.equal(facts["store"], "memory:")
    support.equal(facts["definitions_writable"], True)
    lines = Session.ctl.run("status").splitlines()
    assert any(line.startswith("version ") for line in lines), lines
    support.equal(len({len(name) + len(blanks) for name, blanks in (re.match(r"(\S.*?)(  +)", line).groups() for line in lines)}), 1)
    Session.ctl.run("status", "-c", f"kvsql+unix://{Session.daemon.socket_path}")


def test_schema_check():
    text = Session.ctl.run("schema", "check", "s2")
    assert "| size{k2}" in text and "| to the end |" in text, text
    assert "recoverable: every tuple can be read back" in text, text
    support.equal(text.count("  shares cells with no other schema\n"), 1)
    support.equal(Session.ctl.run("schema", "check").count("recoverable"), 3)
    Session.ctl.run("exec", "DEFINE SCHEMA s2_seen FOR r { TABLE 's2', ROW size{k2}:k1, FAMILY 'f', QUALIFIER 'v1', VALUE v1 }"
                            " WITH (role = read)")
    assert "  with s2_seen (read only): may share cells, such as table" in Session.ctl.run("schema", "check", "s2")
    Session.ctl.run("exec", "DROP SCHEMA s2_seen")
    assert "is not a schema" in Session.ctl.run("schema", "check", "r", status=1)


def test_schema_test():
    path = support.temporary_folder("vectors") / "vectors.json"
    arguments = ("schema", "test", "s2", "--tuples", "300", "--seed", "7", "--vectors", str(path))
    text = Session.ctl.run(*arguments)
    found = re.match(r"s2: 300 random tuples \(seed 7\): (\d+) round-tripped, (\d+) were rejected\n", text)
    assert found and int(found[1]) + int(found[2]) == 300, text
    vectors = json.loads(path.read_text())
    support.equal(len(vectors["vectors"]), int(found[1]))
    for vector in vectors["vectors"]:
        size = len(vector["tuple"]["k2"].encode())
        for put in vector["puts"]:
            support.equal(put["row"], f"{size:02x}" + (vector["tuple"]["k2"] + vector["tuple"]["k1"]).encode().hex())
    first = path.read_text()
    support.equal(Session.ctl.run(*arguments), text)
    support.equal(path.read_text(), first)
    support.equal(Session.ctl.rows("SELECT k1 FROM r"), [])
    Session.ctl.run("schema", "test", status=2)
    Session.ctl.run("schema", "test", "s2", "--tuples", "0", status=2)


def test_insert_and_select():
    ctl = Session.ctl
    support.equal(ctl.run("exec", "INSERT INTO r VALUES ('a1','b','x',100)"), "OK, 1 tuple\n")
    support.equal(ctl.run("exec", "INSERT INTO r VALUES ('a0','b','w',7), ('a2','b',NULL,-1)", status=1).count("error:"), 1)
    support.equal(ctl.run("exec", "INSERT INTO r VALUES ('a0','b','w',7), ('a2','b','NULL',-1)"), "OK, 2 tuples\n")
    support.equal(ctl.run("exec", "SELECT * FROM r WHERE k2='b' ORDER BY k1"),
                  " k1 | k2 | v1     |  v2\n----+----+--------+-----\n a0 | b  | w      |   7\n a1 | b  | x      | 100\n"
                  " a2 | b  | 'NULL' |  -1\n(3 rows)\n")


def test_parameters():
    ctl = Session.ctl
    insert = "INSERT INTO wide (id, t, b, ok, d, m, day, at, tm) VALUES (:id, :t, :b, :ok, :d, :m, :day, :at, :tm)"
    values = {"id": "1", "t": "h\u00e9 'quoted'", "b": "x'00ff'", "ok": "true", "d": "0.1", "m": "12.50",
              "day": "2024-02-29", "at": "2024-02-29T12:00:00.000Z", "tm": "12:34:56.7"}
    ctl.run("exec", *given(*[f"{name}={value}" for name, value in values.items()]), insert)
    ctl.run("exec", *given("2", "", *["\\N"] * 7), re.sub(r":\w+", "?", insert))
    first, second = ctl.rows("SELECT * FROM wide ORDER BY id")
    support.equal(first, {"id": 1, "t": "h\u00e9 'quoted'", "b": "00ff", "ok": True, "d": 0.1, "m": 12.5,
                          "day": "2024-02-29", "at": "2024-02-29T12:00:00.000Z", "tm": "12:34:56.7"})
    support.equal(ctl.rows("SELECT tm - TIME '12:00' AS i, array_agg (tm) AS l FROM wide WHERE tm > :t "
                           "AND tm < CAST (:t AS TIME) + CAST (:i AS INTERVAL) GROUP BY 1",
                           *given("t=12:00", "i=1 hour")), [{"i": "00:34:56.7", "l": ["12:34:56.7"]}])
    support.equal(second, {**{name: None for name in values}, "id": 2, "t": ""})
    support.equal(ctl.rows("SELECT id FROM wide WHERE day = :day AND ok = :ok", *given("day=2024-02-29", "ok=t")), [{"id": 1}])
    assert "error: " in ctl.run("exec", "-p", "x", "SELECT * FROM wide WHERE id = ?", status=1)
    for values, sql, message in (
            (("1",), "SELECT 1", "the statement has 0 parameters, but 1 values were given"),
            (("1", "2"), "SELECT ? + 0", "the statement has 1 parameters, but 2 values were given"),
            (("a=1", "b=2"), "SELECT :a + 0", 'the statement has no parameter ":b"'),
            (("a=1", "2"), "SELECT :a + 0", "the statement has 1 parameters, but 2 values were given")):
        for command in ("exec", "explain"):
            error = ctl.run(command, *given(*values), sql, status=1)
            # the error is that of libkvsql, or else of kvsqld
            assert f"error: {message}" in error or f"error: {message.replace(' values', '')}" in error, (command, sql, error)


def test_parameters_leave_nothing():
    """Statements that `exec -p` has prepared end with its connection."""
    facts = {row["name"]: row["value"] for row in Session.ctl.rows("SHOW STATUS")}
    support.equal(facts["prepared statements"], "0")


def test_encode():
    rows = list(csv.DictReader(io.StringIO(
        Session.ctl.run("encode", "-o", "csv", "INSERT INTO r VALUES ('a1','b','x',100)"))))
    cells = [(row["schema"], row["table"], row["row"], row["family"], row["qualifier"], row["value"])
             for row in rows if row["op"] == "put"]
    support.equal(sorted(cells), [("s1", "s1", "a1-b", "f", "", "x-\\x00\\x00\\x00d"),
                                  ("s2", "s2", "\\x01ba1", "f", "v1", "x"),
                                  ("s2", "s2", "\\x01ba1", "f", "v2", "\\x00\\x00\\x00d")])
    calls = json.loads(Session.ctl.run("encode", "-o", "json", "INSERT INTO r VALUES (?,?,?,?);",
                                       *given("a1", "b", "x", "100")))
    assert any(call["row"] == b"a1-b".hex() for call in calls["calls"] if "row" in call), calls


def test_encode_error_place():
    errors = Session.ctl.run("encode", "INSERT INTO r VALUES ('a1','b','x',)", status=1)
    assert "   1 | INSERT INTO r VALUES ('a1','b','x',)" in errors, errors
    line, caret = errors.splitlines()[1:3]
    support.equal(line[caret.index("^")], ")")


def test_explain():
    ctl = Session.ctl
    text = ctl.run("explain", "SELECT * FROM r WHERE k2='b' AND k1>='a0' AND k1<='a2';")
    assert "s1" in text and "s2" in text, text
    json.loads(ctl.run("explain", "-o", "json", "SELECT * FROM r WHERE k2 = ?", *given("b")))
    # The subquery is run, so that its values can be shown as ranges.
    text = ctl.run("explain", "SELECT v2 FROM r WHERE k1 IN (SELECT k1 FROM r WHERE v2 = ?) AND k2 = 'b'", *given("100"))
    assert "implied by the ranges: k1 IN ('a1') AND k2 = 'b'" in text or "k1 = 'a1'" in text, text
    assert "no_such" in ctl.run("explain", "SELECT v2 FROM r WHERE k1 IN (SELECT no_such FROM r)", status=1)
    # The statement EXPLAIN is shown as plain text too, not as a table.
    assert "|" not in ctl.run("exec", "EXPLAIN SELECT v2 FROM r WHERE k1 = 'a1' AND k2 = 'b'").splitlines()[0]


def test_errors():
    ctl = Session.ctl
    errors = ctl.run("exec", "SELECT *\nFROM r\nWHERE k3 = 'x'", status=1)
    assert errors.startswith("error: ") and "   3 | WHERE k3 = 'x'\n     |       ^^\n" in errors, errors
    script = support.temporary_folder("script") / "a.sql"
    script.write_text("SELECT * FROM r WHERE k1='none';\n\nSELEC 1;\n")
    errors = ctl.run("exec", "-f", str(script), status=1)
    assert errors.startswith(f"{script}:3: error: ") and "   3 | SELEC 1" in errors, errors
    assert "error:" in ctl.run("exec", "--read-only", "DELETE FROM r WHERE k1='a1' AND k2='b'", status=1)
    n = ctl.rows("SELECT count(*) FROM r")
    assert "error:" in ctl.run("explain", "--read-only", "--analyze", "DELETE FROM r WHERE k1='a1' AND k2='b'", status=1)
    assert ctl.rows("SELECT count(*) FROM r") == n


def test_many_pages():
    ctl = Session.ctl
    script = "".join(f"INSERT INTO wide (id, t) VALUES {', '.join(f'({i}, {chr(39)}row {i}{chr(39)})' for i in range(base, base + 500))};\n"
                     for base in range(1000, 13000, 500))
    ctl.run("exec", text=script)
    rows = ctl.rows("SELECT id, t FROM wide WHERE id >= 1000")
    support.equal(len(rows), 12000)
    support.equal(sorted(row["id"] for row in rows), list(range(1000, 13000)))
    table = ctl.run("exec", "SELECT id, t FROM wide WHERE id >= 1000").splitlines()
    support.equal(table[-1], "(12000 rows)")
    support.equal(len(json.loads(ctl.run("exec", "-o", "json", "SELECT id FROM wide WHERE id >= 1000"))), 12000)


def test_pipe_that_closes():
    """Like `kvsqlctl … | head -n 1`: no error message."""
    with subprocess.Popen([str(PROGRAM), "exec", "-o", "csv", "SELECT id, t FROM wide"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=Session.ctl.environment) as process:
        process.stdout.readline()
        process.stdout.close()
        support.equal(process.stderr.read(), b"")
        support.equal(process.wait(60), -signal.SIGPIPE)


def test_schema():
    ctl = Session.ctl
    listing = ctl.run("schema", "list")
    assert all(name in listing for name in ("r", "wide", "s1", "s2", "wide_by_id")), listing
    assert "wide_by_id" not in ctl.run("schema", "list", "r")
    assert "k1" in ctl.run("schema", "show", "r")
    assert "s2" in ctl.run("schema", "show", "s2")
    errors = ctl.run("schema", "show", "missing", status=1)
    assert '"missing"' in errors and "DESCRIBE" not in errors, errors


def test_export():
    """Exported definitions can be run elsewhere, with the same result."""
    script = Session.ctl.run("schema", "export")
    daemon = support.Daemon()
    other = Ctl(f"kvsql+unix://{daemon.socket_path}")
    other.run("exec", text=script)
    support.equal(other.run("schema", "export"), script)
    support.equal(other.run("schema", "export", "r"), Session.ctl.run("schema", "export", "r"))
    daemon.stop()


def test_import_definitions():
    """Exported definitions are imported elsewhere, in any order: all or none, and existing ones only once."""
    script = Session.ctl.run("schema", "export")
    turned = ";\n".join(reversed([each for each in script.split(";\n") if each])) + ";\n-- the end\n"
    daemon = support.Daemon()
    other = Ctl(f"kvsql+unix://{daemon.socket_path}")

    support.equal(set(line.split(": ")[1] for line in other.run("schema", "import", "-D", "-", text=turned).splitlines()),
                  {"would be defined"})
    support.equal(other.run("schema", "export"), "")
    done = other.run("schema", "import", "-", text=turned).splitlines()
    support.equal(len(done), script.count(";"))
    support.equal(set(line.split(": ")[1] for line in done), {"defined"})
    support.equal(other.run("schema", "export"), script)
    spaced = script.replace(" { ", "\n  { /* here */ ")
    support.equal(set(line.split(": ")[1] for line in other.run("schema", "import", "-", text=spaced).splitlines()),
                  {"exists already"})

    # Nothing is defined if the file contains an error.
    fresh = "DEFINE RELATION fresh { k STRING KEY };\n"
    for wrong, message in ((script.replace("v2 INT", "v2 BIGINT"), "RELATION r exists already and is different"),
                           ("SELECT 1;", "stdin:2: that is neither DEFINE RELATION nor DEFINE SCHEMA"),
                           ("define relation `fresh` { k STRING KEY };", "stdin:2: that is defined twice in the file"),
                           ("DEFINE RELATION broken { k STRING KEY", "error: syntax error"),
                           ("/* open", "a comment or a text has no end")):
        errors = other.run("schema", "import", "-", text=fresh + wrong, status=1)
        assert message in errors, errors
        support.equal(other.run("schema", "export"), script)
    # Definitions made before a rejected one are dropped again.
    errors = other.run("schema", "import", "-", status=1, text=fresh + "DEFINE PRIMARY SCHEMA p FOR fresh { TABLE 'x', ROW '', "
                       "FAMILY 'f' };")
    assert "error: " in errors and "1 definitions that were made were dropped again" in errors, errors
    support.equal(other.run("schema", "export"), script)
    assert "fresh: defined\n" in other.run("schema", "import", "-k", "-", text=fresh + script.replace("v2 INT", "v2 BIGINT"))
    assert "--dry-run" in other.run("--read-only", "schema", "import", "-", text=fresh, status=2)
    assert "missing file" in other.run("schema", "import", status=2)
    daemon.stop()


def test_shell():
    output = Session.ctl.run("shell", text="\\d\n\\d r\nSELECT k1\n FROM r\n WHERE v2 = 100;\nSHOW CREATE r;\n\\q\nSELEC;")
    assert " a1\n(1 row)\n" in output and "DEFINE RELATION r" in output, output
    described = Session.ctl.run("shell", text="\\d r\n")
    assert described.startswith(Session.ctl.run("exec", "DESCRIBE r")), described
    assert described.endswith(Session.ctl.run("exec", "SHOW SCHEMAS FOR r")), described
    support.equal(Session.ctl.run("shell", text="\\d s1\n"), Session.ctl.run("exec", "DESCRIBE s1"))


def test_shell_commands():
    help_text = Session.ctl.run("shell", text="\\?\n")
    support.equal([Session.ctl.run("shell", text=word + "\n") for word in ("\\help", "\\h", "help;")], [help_text] * 3)
    support.equal(Session.ctl.run("shell", text="\\format xml\n\\format tsv;\n"),
                  'There is no format "xml": there are table, csv, tsv, json, ndjson and vertical.\nFormat is tsv.\n')


def test_shell_include():
    """The statements of a file, up to the first that fails; the shell goes on."""
    path = support.temporary_folder("include") / "some.sql"
    path.write_text("SELECT k1 FROM r\n WHERE v2 = 100;\nSELECT v2 FROM r WHERE v2 = 100;\n")
    support.equal(Session.ctl.run("shell", text=f"\\i {path}\n"), Session.ctl.run("exec", "-f", str(path)))
    path.write_text("SELECT 'first' AS x;\nSELEC;\nSELECT 'never' AS x;\n")
    output = Session.ctl.run("shell", text=f"\\i {path}\n\\i\nSELECT 'goes on' AS x;\n", status=1, both=True)
    assert " first\n" in output and "goes on" in output and "never" not in output, output
    assert f"{path}:2: error" in output and "\\i needs the name of a file" in output, output
    assert 'could not open "/nowhere"' in Session.ctl.run("shell", text="\\i /nowhere\n", status=1), "no such file"


def converse(*lines):
    """The output of the shell, which is started without a command on a terminal; each line is typed after the prompt has appeared."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([str(PROGRAM)], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                          env={**Session.ctl.environment, "TERM": "dumb"}) as process:
        os.close(theirs)
        text = b""
        for line in (*lines, None):
            begin = len(text)
            while True:
                try:
                    got = os.read(ours, 65536)
                except OSError:
                    got = b""
                text += got
                if not got or text.endswith((b"sql> ", b"...> ")) and len(text) > begin:
                    break
            if line is not None:
                os.write(ours, line.encode() + b"\n")
    os.close(ours)
    support.equal(process.returncode, 0)
    return text.decode().replace("\r", "")


def test_open_quote():
    """A missing closing quote is reported at once, where the statement seems to end."""
    note = "This ; is inside quotes or a comment that is still open."
    shown = converse("SELECT k1 FROM r", "WHERE k2 = 'b;", "';", "SELECT k1 FROM r /* ; */;", "quit")
    support.equal(shown.count(note), 1)
    assert shown.index("'b;") < shown.index(note) < shown.index("(0 rows)"), shown


def test_top_once():
    """Connections and running statements, with the numbers for KILL."""
    shown = Session.ctl.run("top", "--once")
    for words in ("kvsqld ", "statements ", "store calls ", "SHOW STATEMENTS", "kvsqlctl", " running "):
        assert words in shown, shown
    assert "\033" not in shown
    Session.ctl.run("top", "--delay", "0", status=2)
    Session.ctl.run("top", "stray", status=2)


def test_top_on_terminal():
    """It is redrawn, fits the terminal, and q ends it and restores the terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 60, 0, 0))
    before = termios.tcgetattr(theirs)
    with subprocess.Popen([str(PROGRAM), "top", "-d", "0.1"], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                          env=Session.ctl.environment) as process:
        text = b""
        while text.count(b"\033[H\033[2J") < 4:
            text += os.read(ours, 65536)
        os.write(ours, b"q")
        while True:
            has_ended = process.poll() is not None
            if select.select([ours], [], [], 0.1)[0]:
                os.read(ours, 65536)
            elif has_ended:
                break
    support.equal((process.returncode, termios.tcgetattr(theirs)), (0, before))
    os.close(theirs)
    os.close(ours)
    screen = text.decode().replace("\r", "").split("\033[H\033[2J")[2].splitlines()
    assert len(screen) <= 11 and max(map(len, screen)) <= 60, screen
    assert screen[0].startswith("kvsqld "), screen


def test_complete():
    support.equal(Session.ctl.run("complete", "schema", "show", "wi").split(), ["wide", "wide_by_id"])


def test_verify_over_pages():
    """A parameter and counted facts outlive the first page; a note is not a warning."""
    ctl = Session.ctl
    ctl.run("import", "r", "-o", "csv", "--no-header", text="".join(f"v{n},b,x,{n}\n" for n in range(3000)))
    ctl.run("exec", "DEFINE SCHEMA later FOR r { TABLE 'later', ROW size{k1}:k2, FAMILY 'f', VALUE '' } WITH (role = write)")
    support.equal(len(ctl.run("exec", "-o", "ndjson", "-p", "2900", "VERIFY SCHEMA later LIMIT ?").splitlines()), 2900)
    done = subprocess.run([str(PROGRAM), "exec"], input="VERIFY SCHEMA later; REPAIR SCHEMA later; VERIFY SCHEMA later", capture_output=True,
                          text=True, timeout=120, check=True, env=ctl.environment)
    support.equal([line.split(" tuples")[0] for line in done.stderr.splitlines()], ["warning: 3003", "note: 3003", "note: 3003"])
    assert "0 different, 0 extra, and mended\n" in done.stderr and done.stderr.endswith("compared, and nothing differs\n"), done.stderr


def test_survives_daemon():
    """An unreachable kvsqld is distinguished from a failed statement."""
    daemon = support.Daemon()
    ctl = Ctl(f"kvsql://127.0.0.1:{daemon.port}")
    ctl.run("status")
    support.equal(daemon.stop(), 0)
    assert "could not reach kvsqld" in ctl.run("exec", "SHOW RELATIONS", status=3)
    support.equal(Session.daemon.stop(), 0)


def main():
    tests = [(name[5:].replace("_", "-"), function) for name, function in globals().items() if name.startswith("test_")]
    if not (support.TOP_BUILD / "kvsqld").exists():
        support.skip_all("kvsqld is not built")
    return support.run([(f"/ctl/live/{name}", function) for name, function in tests])


if __name__ == "__main__":
    sys.exit(main())
