#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Words that comments, names and documents do not use, each with the standard term.

Comments, names and texts in quotes are checked in all files. A place where a word is right is an entry of ALLOWED.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import source
import tap  # noqa: E402 pylint: disable=wrong-import-position

TOP = source.TOP

# Pattern (of lower-case words; the parts of a name count as words) -> what to write instead.
WORDS = {
    r"somebody|nobody|everybody|anybody|whoever": "name the component: the caller, no reader, another daemon",
    r"he|him|his|she|her": "it, its; or name the component",
    r"beside": "next to, in parallel with, in addition to",
    r"behind": "after",
    r"alike": "the same, equally",
    r"anew": "again",
    r"told from|tell apart|told apart": "distinguished from",
    r"stand|stands|stood": "is, appears, is written",
    r"in front": "before, the beginning of",
    r"passed over": "skipped",
    r"thrown away": "discarded",
    r"lies over|laid over": "intersects",
    r"in vain": "without a result",
    r"in doubt": "unverified",
    r"give back|gives back|given back": "release, return",
    r"teller|tellers": "reporter",
    r"story|stories": "scenario",
    r"shrunk|shrinking": "test-case reduction",
    r"waiting room": "idle-connection poller, entry",
    r"patience": "retry policy, backoff",
    r"misfit|misfits|unparsable": "undecodable cell",
    r"refusals": "rejected tuples",
    r"trouble|troubles|blame": "error, last error; set killer",
    r"store side": "pushed down",
    r"hull": "bounding range",
    r"held keys|last of keys": "lock table; deduplicate by key, last wins",
    r"the one who|those who|all who|one who|who wants|who asks": "a noun: the caller, the reader",
    r"circumstances": "request context",
    r"address of a cell": "cell key",
}

# Data of others and of tests, and this list.
NOT_CHECKED = ("COPYING", "tests/fuzz/corpus/", "tests/slt/data/", "tests/lint/words.py")

# (path, text that the line contains) -> why the word is right there.
ALLOWED = {
    ("CONTRIBUTING.md", "- before: "): "examples of what not to write",
    ("CONTRIBUTING.md", "who wants several"): "an example of what not to write",
    ("CONTRIBUTING.md", "*behind* for *after*"): "an example of what not to write",
    ("CONTRIBUTING.md", "*nobody*, *somebody*"): "an example of what not to write",
    ("NEWS", "`unparsable` is accepted"): "the older name of an option",
    ("core/catalog/options.c", "unparsable"): "the older name of an option",
    ("core/plan/calls.c", '"behind"'): "a member of a stable interface",
    ("core/plan/calls.h", '"behind":'): "a member of a stable interface",
    ("core/plan/explain-skip.c", '"behind"'): "a member of a stable interface",
    ("core/engine/explain-calls.c", '"behind"'): "a member of a stable interface",
    ("daemon/service/show.c", " behind"): "late",
    ("daemon/service/show.c", '"behind" : "ahead of"'): "of clocks",
    ("daemon/stores/hbase/http-errors.c", "Behind a proxy"): "of servers",
    ("daemon/stores/hbase/http-errors.c", "in front of the gateway"): "of servers",
    ("docs/definitions.md", "`unparsable` is accepted"): "the older name of an option",
    ("docs/formats.md", '"behind"'): "a member of a stable interface",
    ("docs/formats.md", "`behind`"): "a member of a stable interface",
    ("docs/glossary.md", '"held keys"'): "an older term",
    ("docs/operations.md", "is behind it"): "of clocks",
    ("tests/base/test-decimal-live.py", '"nobody"'): "a user of the system",
    ("tests/bench/python/postgresql.py", "nobody"): "a user of the system",
    ("tests/daemon/postgres/test-pgbench.py", "tellers"): "a table of pgbench",
    ("tests/daemon/service/test-schema-options.c", "unparsable"): "the older name of an option",
    ("tests/live/foreign/test-foreign-tables.py", "'nobody'"): "a value",
    ("tests/live/foreign/test-layouts.py", "for store, side in"): "two variables",
}


def words_of(line):
    """The words of a line, lower case, one blank between them: "KvsqlHeldKeys" is "kvsql held keys"."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", line)
    return " ".join(re.findall(r"[a-z0-9]+(?:'[a-z]+)?", parts.lower()))


def is_allowed(name, line):
    return any(name == path and text in line for path, text in ALLOWED)


def files():
    listed = subprocess.run(["git", "-C", str(TOP), "ls-files"], check=False, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True).stdout.splitlines()
    if not listed:  # a tarball
        listed = [path.relative_to(TOP).as_posix() for start in source.FOLDERS + ["docs", "man", "data"]
                  for path in sorted((TOP / start).rglob("*")) if path.is_file()]
    return [name for name in listed if not name.startswith(NOT_CHECKED)]


def check_words(patterns):
    for name in files():
        path = TOP / name
        if not path.is_file() or path.suffix in (".case", ".txt", ".png", ".svg", ".gz"):
            continue
        for number, line in enumerate(path.read_text(errors="replace").split("\n"), 1):
            words = words_of(line)
            for pattern, term in patterns:
                match = pattern.search(words)
                if match and not is_allowed(name, line):
                    yield f'{name}:{number}: "{match.group(0)}": write {term}'


def check_allowed():
    """Every entry of ALLOWED still matches a line."""
    for path, text in ALLOWED:
        if not (TOP / path).is_file() or text not in (TOP / path).read_text(errors="replace"):
            yield f"tests/lint/words.py: {path}: {text}: no such line"


def main():
    patterns = [(re.compile(rf"\b(?:{pattern})\b"), term) for pattern, term in WORDS.items()]
    return tap.report("/lint", [("words", lambda: check_words(patterns)), ("words-allowed", check_allowed)])


if __name__ == "__main__":
    sys.exit(main())
