#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl infer --interactive and --hint: questions about a proposed definition, and what becomes of the answers."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
from support import equal  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
ROWS = """DEFINE RELATION raw { row BYTES KEY, qualifier BYTES KEY, value BYTES };
DEFINE PRIMARY SCHEMA raw_1 FOR raw { TABLE 'seen', ROW row, FAMILY 'f', QUALIFIER qualifier, VALUE value };
INSERT INTO raw SELECT to_utf8(CASE WHEN n % 3 = 0 THEN 'eu' ELSE 'us' END || '|user' || n), to_utf8(q), to_utf8(q || n)
  FROM generate_series(1, 60) AS n, string_to_table('name note', ' ') AS q;
DROP RELATION raw"""
SCRIPT = """DEFINE RELATION seen { `s` STRING KEY, `n` INT KEY, `name` STRING, `note` STRING };
DEFINE PRIMARY SCHEMA seen_1 FOR seen { TABLE 'seen', ROW suffix('|'){s}:'user':text{n}, FAMILY 'f', QUALIFIER attr_name[s, n], \
VALUE attr_value[s, n] } WITH (role = read);
"""


class Seen:
    """A kvsqld with such a table."""

    def __init__(self):
        self.daemon = support.Daemon()
        self.environment = dict(os.environ, KVSQL_URI=f"kvsql+unix://{self.daemon.socket_path}", LC_ALL="C.UTF-8")
        self.run("exec", ROWS)

    def run(self, *arguments, text="", status=0):
        """stdout, or stderr of a call that fails"""
        done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), *arguments], env=self.environment, input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS, check=False)
        equal((done.returncode, done.stderr if done.returncode != status else ""), (status, ""))
        return done.stdout if status == 0 else done.stdout + done.stderr

    def answer(self, *answers, status=0):
        return self.run("infer", "-i", "seen", text="".join(answer + "\n" for answer in answers), status=status)

    def end(self):
        equal(self.daemon.stop(), 0)


def test_defined():
    seen = Seen()
    seen.answer("1", "region", "number", "y")
    equal(seen.run("exec", "-o", "csv", "SELECT region, number, note FROM seen WHERE number < 3"), "region,number,note\nus,1,note1\nus,2,note2\n")
    assert "role = read" in seen.run("exec", "DELETE FROM seen", status=1)
    seen.end()


def test_script():
    """Without a yes, the script is printed: it does the same."""
    seen = Seen()
    shown = seen.answer("", "region", "", "")
    assert shown.endswith(SCRIPT + "ALTER RELATION seen RENAME `s` TO `region`;\n"), shown
    script = seen.run("infer", "--hint", "region", "seen")
    statements = "".join(line + "\n" for line in script.splitlines() if not line.startswith("--"))
    equal(statements, SCRIPT + "ALTER RELATION seen RENAME `s` TO `region`;\n")
    seen.run("exec", "-f", "-", text=script)
    equal(seen.run("exec", "-o", "csv", "SELECT count(*) FROM seen WHERE region = 'eu'"), "count\n20\n")
    seen.end()


def test_further_reading():
    seen = Seen()
    shown = seen.answer("2", "", "", "y")
    relation = shown.split("\n2. a further reading")[1].split("DEFINE RELATION ")[1].split(";")[0]
    equal(seen.run("exec", "-o", "csv", "SELECT count(*) FROM seen"), "count\n60\n")
    names = [name for name in relation.split("`")[1::2]]
    equal(seen.run("exec", "-o", "csv", "SELECT * FROM seen LIMIT 1").splitlines()[0], ",".join(names))
    seen.end()


def test_wrong_answers():
    """They are asked again, and the end of the input is no answer."""
    seen = Seen()
    for answers in ((), ("1",), ("1", "region"), ("1", "region", "number")):
        assert "Nothing is defined" in seen.answer(*answers, status=1), answers
    shown = seen.answer("none", "0", "99", "1", "name", "N", "a`b, {;}", "a`b, {;}", "c", "y")
    equal(shown.count("Type a number"), 3)
    equal(shown.count("Another attribute has that name"), 3)
    equal(seen.run("exec", "-o", "csv", "SELECT `a``b, {;}`, c FROM seen WHERE c = 3"), '"a`b, {;}",c\neu,3\n')
    seen.end()


def test_hint():
    """It chooses the reading, too."""
    seen = Seen()
    first, second, third = ("suffix('|'){s}:'user':text{n}", "suffix('|'){s}:'user':b", "suffix('|'){s}:s2")
    for hint, row, renames in (("region", first, ["region"]), ("region, number", first, ["region", "number"]), ("a string,b int", first, ["a", "b"]),
                               ("a STRING, b BYTES", second, ["a"]), ("region, login STRING", third, ["region", "login"]), (" , c", first, ["c"])):
        lines = [line for line in seen.run("infer", "--hint", hint, "seen").splitlines() if not line.startswith("--")]
        assert f"ROW {row}," in lines[1], (hint, lines)
        equal([line.split("`")[3] for line in lines[2:]], renames)
    for hint in ("a BYTES", "a, b DATE", "a, b, c"):
        shown = seen.run("infer", "--hint", hint, "seen", status=1)
        assert f'no reading has the key "{hint}"; the rows say:\n  s STRING, n INT\n  s STRING, b BYTES\n' in shown, shown
    seen.end()


def test_notes():
    """What does not fit is said next to the reading that it is of."""
    seen = Seen()
    seen.run("exec", "DEFINE RELATION raw { row BYTES KEY, value BYTES }; DEFINE PRIMARY SCHEMA raw_1 FOR raw { TABLE 'seen', ROW row, FAMILY 'f', "
                     "QUALIFIER 'n', VALUE value }; INSERT INTO raw SELECT to_utf8(CASE WHEN n % 3 = 0 THEN 'eu' ELSE 'us' END || '|user' || n), "
                     "decode(lpad(to_hex(n), 16, '0'), 'hex') FROM generate_series(1, 60) AS n; UPDATE raw SET value = '12' WHERE row = 'us|user1'; "
                     "DROP RELATION raw")
    for hint in ("a, b INT", "a, b STRING"):
        lines = seen.run("infer", "--hint", hint, "seen").splitlines()
        strange = [i for i, line in enumerate(lines) if line.startswith("-- does not fit")]
        guess = next(i for i, line in enumerate(lines) if line.startswith("-- a guess"))
        others = [i for i, line in enumerate(lines) if line.startswith("-- a further reading")]
        assert strange and guess < strange[0] and all(i < guess or i > strange[-1] for i in others), lines
        undecodable = [line for line in lines if line.startswith("-- this reading does not fit: ")]
        equal((len(undecodable) > 0, len({line.split(", value")[0] for line in undecodable})), (True, 1))
    seen.end()


def test_options():
    seen = Seen()
    assert "what --hint says" in seen.run("infer", "-i", "--hint", "a", "seen", status=2)
    assert "print a script" in seen.run("infer", "-i", "-o", "json", "seen", status=2)
    assert "has no table" in seen.run("infer", "-i", "other", status=1)
    seen.end()


if __name__ == "__main__":
    sys.exit(support.run([("/infer/dialogue/" + name[5:], test) for name, test in list(globals().items()) if name.startswith("test_")]))
