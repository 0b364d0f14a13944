# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the examples of a document, and compares what they show.

A block marked ```kvsql holds statements, run by `kvsqlctl exec`; a block marked ```console holds lines
"$ kvsqlctl …" or "$ psql …" and what they show. What a ```kvsql block shows may be in a ```text block right below it;
without one the statements only have to succeed. The block below an example is what kvsqlctl shows. All examples of a document run in order, on one
kvsqld. A block marked ```csv FILE is written to FILE in the folder that the commands run in. A block marked ```phoenix holds statements of Apache
Phoenix, and the ```text block below it the rows of the last one. With KVSQL_UPDATE_DOCUMENTS=1 the documents are changed instead: look at the difference.
"""

import difflib
import os
import pathlib
import re
import subprocess
import tempfile

import support

SECONDS = 120
EXAMPLE = re.compile(r"^```(?P<language>kvsql|phoenix)\n(?P<statements>.*?)^```\n(?:\n*^```text\n(?P<shown>.*?)^```\n)?"
                     r"|^```console\n(?P<console>.*?)^```\n"
                     r"|^```csv (?P<file>[\w.-]+)\n(?P<content>.*?)^```\n", re.M | re.S)


def stripped(text):
    """Without blanks at the ends of lines, and with one time and rate for all."""
    text = "".join(line.rstrip() + "\n" for line in text.splitlines())
    return re.sub(r"\([\d.]+ m?s, [\d,]+ rows/s\)", "(0.1 s, 20 rows/s)", text)


class Runner:
    """kvsqlctl, talking to a kvsqld. @phoenix: executes a statement of Phoenix, and returns its rows."""

    def __init__(self, uri, variables, phoenix=None):
        self.environment = dict(os.environ, KVSQL_URI=uri, PATH=f"{support.TOP_BUILD}:{os.environ['PATH']}", LC_ALL="C.UTF-8", TERM="dumb",
                                **variables)
        self.folder = tempfile.TemporaryDirectory(prefix="kvsql-documents.")  # pylint: disable=consider-using-with
        self.phoenix = phoenix

    def run(self, command):
        """(exit status, what a terminal would show)"""
        done = subprocess.run(command, env=self.environment, cwd=self.folder.name, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        return done.returncode, stripped(done.stdout.decode())

    def keep(self, name, content):
        (pathlib.Path(self.folder.name) / name).write_text(content)

    def execute(self, language, statements):
        if language == "kvsql":
            return self.run(["kvsqlctl", "exec", statements])
        rows = [self.phoenix(" ".join(statement.split())) for statement in statements.split(";") if statement.strip()][-1]
        return 0, "".join(" | ".join(row) + "\n" for row in rows)

    def converse(self, console):
        """The commands of a console, with what they show now."""
        shown = ""
        for command in re.findall(r"^\$ ((?:.*\\\n)*.*)\n", console, re.M):
            if not command.startswith(("kvsqlctl ", "psql ")):
                raise AssertionError(f"only kvsqlctl and psql are run, not \"{command}\"; mark other commands ```sh")
            shown += f"$ {command}\n{self.run(['sh', '-c', command])[1]}"
        return shown


def rerun(text, runner):
    """The document as it would be if every example had been run now."""
    def replace(match):
        if match["file"] is not None:
            runner.keep(match["file"], match["content"])
            return match[0]
        if match["console"] is not None:
            return f"```console\n{runner.converse(match['console'])}```\n"
        status, shown = runner.execute(match["language"], match["statements"])
        if match["shown"] is not None:
            start, end = (match.start("shown") - match.start(), match.end("shown") - match.start())
            return match[0][:start] + shown + match[0][end:]
        if status != 0:
            line = text.count("\n", 0, match.start()) + 2
            raise AssertionError(f"line {line}: the statements fail:\n{shown}")
        return match[0]

    return EXAMPLE.sub(replace, text)


def check(name, runner):
    path = support.TOP_SOURCE / name
    text = path.read_text()
    if not EXAMPLE.search(text):
        raise AssertionError(f"{name} has no example")
    now = rerun(text, runner)
    if now == text:
        return
    if os.environ.get("KVSQL_UPDATE_DOCUMENTS"):
        path.write_text(now)
        return
    difference = difflib.unified_diff(text.splitlines(), now.splitlines(), f"{name}, as written", "as it is", lineterm="")
    raise AssertionError("\n".join(difference))
