#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""kvsqlctl adopt describe on the texts in the folder describe.

describe/NAME.notes is what it prints for describe/NAME.txt or NAME.json, and describe/errors.txt has the errors. With
KVSQL_UPDATE_GOLDEN=1 they are written.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import adopting  # noqa: E402 pylint: disable=wrong-import-position
from adopting import equal, support  # noqa: E402 pylint: disable=wrong-import-position

TEXTS = adopting.Texts("describe")


def run(*arguments, **how):
    return TEXTS.run("adopt", "describe", *arguments, **how)


def test_notes():
    for name in ("shell.txt", "rest.json"):
        TEXTS.compare(name.split(".")[0] + ".notes", run(name))


def test_files():
    """Several files, the standard input, and a pattern. Every line is a comment: the script defines nothing."""
    equal(run("shell.txt", "-", text=(TEXTS.folder / "rest.json").read_text()), run("shell.txt") + run("rest.json"))
    assert run("shell.txt", "--table", "ord*").startswith("-- orders\n")
    assert "no table of that name" in run("shell.txt", "--table", "x", status=1)
    assert "missing file" in run(status=2)
    assert "describe defines nothing" in run("--apply", "shell.txt", status=2)
    assert all(line.startswith("-- ") or not line for line in run("shell.txt").splitlines())


def test_lines_are_broken():
    """As on terminals of any width."""
    text = "Table t is ENABLED\nt\n"
    family = "{NAME => 'cf', VERSIONS => '12', TTL => '86400 SECONDS (1 DAY)', COMPRESSION => 'SNAPPY'}"
    expected = run("-", text=text + family + "\n")
    assert "WITH (versions = 12, ttl = 86400, compression = 'SNAPPY')" in expected
    for width in range(1, len(family)):
        broken = "\n".join(family[at:at + width] for at in range(0, len(family), width))
        equal(run("-", text=text + broken + "\n"), expected)


def test_hostile():
    """No name ends its comment."""
    shown = run("-", text="Table t; DROP RELATION r is ENABLED\n{NAME => \"x\t; DROP RELATION r\", TTL => '1; DROP'}\n")
    assert all(line.startswith("-- ") or not line for line in shown.splitlines()), shown
    assert "is none" in run("-", text='{"a": ' + "[" * 1000000, status=1)
    assert "fewer braces" in run("-", text="Table t is ENABLED\n" + "{A => " * 100000, status=1)
    run("-", text="Table t is ENABLED\n" + "{NAME => 'f'}\n" * 20000)


def test_errors():
    """Each case is "== name", the text, "--" and the error."""
    path = TEXTS.folder / "errors.txt"
    out = []
    for block in path.read_text().split("\n== ")[1:]:
        name, rest = block.split("\n", 1)
        text = rest.split("\n--\n", 1)[0]
        out.append(f"\n== {name}\n{text}\n--\n{run('-', text=text, status=1)}")
    TEXTS.compare("errors.txt", path.read_text().split("\n== ")[0] + "".join(out))


if __name__ == "__main__":
    sys.exit(support.run([("/ctl/adopt-describe/" + name[5:], test) for name, test in list(globals().items()) if name.startswith("test_")]))
