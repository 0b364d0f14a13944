#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The documents say what is so: their examples are run, and their links, paths and error codes are looked up.

A block marked ```kvsql holds statements, run by `kvsqlctl exec`; a block marked ```console holds lines
"$ kvsqlctl …" or "$ psql …" and what they show. What a ```kvsql block shows may be in a ```text block right below it;
without one the statements only have to succeed. The block below an example is what kvsqlctl shows. All examples of a document run in order, on a kvsqld
of the document's own. A block marked ```csv FILE is written to FILE in the folder that the commands run in. With KVSQL_UPDATE_DOCUMENTS=1 the documents are
changed instead: look at the difference.
"""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

EXAMPLES = ["README.md", "docs/cookbook.md", "docs/definitions.md", "docs/formats.md", "docs/language.md",
            "docs/layouts.md", "docs/other-systems.md", "docs/postgres.md", "docs/statements.md", "docs/tutorial.md",
            "docs/types-and-functions.md"]
# Installed or shipped pages in addition to those with examples.
OTHERS = ["CONTRIBUTING.md", "SECURITY.md", "NEWS", "docs/ARCHITECTURE.md", "docs/glossary.md", "docs/hbase.md", "docs/locking.md",
          "docs/operations.md", "docs/performance.md", "docs/registry.md"]
OTHERS += sorted(path.relative_to(support.TOP_SOURCE).as_posix() for folder in ("core", "daemon", "client", "idl")
                 for path in (support.TOP_SOURCE / folder).rglob("README.md"))
SECONDS = 120
EXAMPLE = re.compile(r"^```kvsql\n(?P<sql>.*?)^```\n(?:\n*^```text\n(?P<shown>.*?)^```\n)?"
                     r"|^```console\n(?P<console>.*?)^```\n"
                     r"|^```csv (?P<file>[\w.-]+)\n(?P<content>.*?)^```\n", re.M | re.S)


def stripped(text):
    """Without blanks at the ends of lines, and with one time and rate for all."""
    text = "".join(line.rstrip() + "\n" for line in text.splitlines())
    return re.sub(r"\([\d.]+ m?s, [\d,]+ rows/s\)", "(0.1 s, 20 rows/s)", text)


class Runner:
    """kvsqlctl, talking to a kvsqld of its own."""

    def __init__(self):
        folder = support.temporary_folder("documents")
        daemon = support.Daemon(folder=folder, options=[f"--postgres-listen=unix://{folder}"])
        self.environment = dict(os.environ, KVSQL_URI=f"kvsql+unix://{daemon.socket_path}", PGHOST=str(folder), PGPORT="5433",
                                PGUSER="me", PGDATABASE="me", PSQLRC="/dev/null",
                                PATH=f"{support.TOP_BUILD}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="dumb")
        self.folder = tempfile.TemporaryDirectory(prefix="kvsql-documents.")  # pylint: disable=consider-using-with

    def run(self, command):
        """(exit status, what a terminal would show)"""
        done = subprocess.run(command, env=self.environment, cwd=self.folder.name, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        return done.returncode, stripped(done.stdout.decode())

    def keep(self, name, content):
        (pathlib.Path(self.folder.name) / name).write_text(content)

    def execute(self, sql):
        return self.run(["kvsqlctl", "exec", sql])

    def converse(self, console):
        """The commands of a console, with what they show now."""
        shown = ""
        for command in re.findall(r"^\$ ((?:.*\\\n)*.*)\n", console, re.M):
            if not command.startswith(("kvsqlctl ", "psql ")):
                raise AssertionError(f"only kvsqlctl and psql are run, not \"{command}\"; mark other commands ```sh")
            shown += f"$ {command}\n{self.run(['sh', '-c', command])[1]}"
        return shown


def rerun(text):
    """The document as it would be if every example had been run now."""
    runner = Runner()

    def replace(match):
        if match["file"] is not None:
            runner.keep(match["file"], match["content"])
            return match[0]
        if match["console"] is not None:
            return f"```console\n{runner.converse(match['console'])}```\n"
        status, shown = runner.execute(match["sql"])
        if match["shown"] is not None:
            start, end = (match.start("shown") - match.start(), match.end("shown") - match.start())
            return match[0][:start] + shown + match[0][end:]
        if status != 0:
            line = text.count("\n", 0, match.start()) + 2
            raise AssertionError(f"line {line}: the statements fail:\n{shown}")
        return match[0]

    return EXAMPLE.sub(replace, text)


def check(name):
    path = support.TOP_SOURCE / name
    text = path.read_text()
    if "\n$ psql " in text and shutil.which("psql") is None:
        raise support.Skip("psql is not installed: apt-get install postgresql-client-15")
    if not EXAMPLE.search(text):
        raise AssertionError(f"{name} has no example")
    now = rerun(text)
    if now == text:
        return
    if os.environ.get("KVSQL_UPDATE_DOCUMENTS"):
        path.write_text(now)
        return
    difference = difflib.unified_diff(text.splitlines(), now.splitlines(), f"{name}, as written", "as it is", lineterm="")
    raise AssertionError("\n".join(difference))


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
