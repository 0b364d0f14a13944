#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The documents say what is so: their examples are run, and their links, paths and error codes are looked up.

tests/live/python/documents.py has the forms of examples. docs/phoenix-tables.md is run by tests/live/foreign/test-phoenix.py.
"""

import pathlib
import re
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import documents  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position

EXAMPLES = ["README.md", "docs/cookbook.md", "docs/definitions.md", "docs/existing-tables.md", "docs/formats.md", "docs/language.md",
            "docs/layouts.md", "docs/other-systems.md", "docs/postgres.md", "docs/statements.md", "docs/tutorial.md",
            "docs/types-and-functions.md"]
# Installed or shipped pages in addition to those with examples.
OTHERS = ["CONTRIBUTING.md", "SECURITY.md", "NEWS", "docs/ARCHITECTURE.md", "docs/glossary.md", "docs/hbase.md", "docs/locking.md",
          "docs/operations.md", "docs/performance.md", "docs/phoenix-tables.md", "docs/registry.md"]
OTHERS += sorted(path.relative_to(support.TOP_SOURCE).as_posix() for folder in ("core", "daemon", "client", "idl")
                 for path in (support.TOP_SOURCE / folder).rglob("README.md"))


def check(name):
    """On a kvsqld of the document's own."""
    if "\n$ psql " in (support.TOP_SOURCE / name).read_text() and shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    folder = support.temporary_folder("documents")
    daemon = support.Daemon(folder=folder, options=[f"--postgres-listen=unix://{folder}"])
    documents.check(name, documents.Runner(f"kvsql+unix://{daemon.socket_path}", {
        "PGHOST": str(folder), "PGPORT": "5433", "PGUSER": "me", "PGDATABASE": "me", "PSQLRC": "/dev/null"}))


# ---- what they name

def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", without_blocks(path.read_text()), re.M)}


def broken_links(name):
    page = support.TOP_SOURCE / name
    for target in re.findall(r"\]\(([^)\s]+)\)", without_blocks(page.read_text())):
        file, _, anchor = target.partition("#")
        path = page.parent / file if file else page
        if "://" not in target and not (path.exists() and (not anchor or anchor in anchors(path))):
            yield f"{name}: link to {target}"


def missing_files(name):
    text = without_blocks((support.TOP_SOURCE / name).read_text())
    for path in re.findall(r"(?<![\w/.-])(?:core|daemon|client|idl|tests|docs|man|data)/[\w./-]*\w\.(?:[ch]|md|py|sh|thrift|ebnf)\b(?!\.\w)", text):
        if not (support.TOP_SOURCE / path).exists():
            yield f"{name}: {path} is not there"


def test_references():
    problems = [problem for name in EXAMPLES + OTHERS for find in (broken_links, missing_files) for problem in find(name)]
    support.equal(problems, [])


def test_errors():
    """The table of errors has every code, with the SQLSTATE, the retryable mark and the exit status of the sources."""
    codes = re.findall(r"KVSQL_ERROR_(\w+) = (\d+),", (support.TOP_SOURCE / "core/base/error.h").read_text())
    facts = dict((name, rest) for name, *rest in re.findall(
        r"\[KVSQL_ERROR_(\w+)\] = \{ \"(\w+)\", (\w+) \}", (support.TOP_SOURCE / "core/base/error.c").read_text()))
    statuses = dict(re.findall(r"\[KVSQL_CLIENT_ERROR_(\w+)\] = KVSQLCTL_(\w+),",
                               (support.TOP_SOURCE / "client/ctl/report.c").read_text()))
    wanted = [(number, name, facts[name][0], "yes" if facts[name][1] == "TRUE" else "",
               {"FAILED": "1", "UNREACHABLE": "3"}[statuses[name]]) for name, number in codes]
    shown = [tuple(cell.strip() for cell in line.split("|")[1:6]) for line in re.findall(
        r"^\| \d+ \|.*$", (support.TOP_SOURCE / "docs/language.md").read_text(), re.M)]
    support.equal(shown, wanted)


def main():
    if not (support.TOP_BUILD / "kvsqld").exists():
        support.skip_all("kvsqld is not built")
    tests = [(f"/documents/examples/{name}", lambda name=name: check(name)) for name in EXAMPLES]
    return support.run(tests + [("/documents/references", test_references), ("/documents/errors", test_errors)])


if __name__ == "__main__":
    sys.exit(main())
