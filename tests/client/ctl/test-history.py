#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The history of kvsqlctl's shell on a terminal: it keeps statements, and none with a password."""

import os
import pathlib
import pty
import re
import select
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

SECONDS = 60
KEPT = ["SHOW RELATIONS;", "SELECT 1 AS password;"]
SECRET = ["CREATE USER ann PASSWORD 'secret1';", "alter role ann password $$secret2$$;", "CREATE ROLE bob LOGIN\nPASSWORD\n'secret3';"]


def talk(program, environment, text):
    """Types a text at the terminal of a program, up to its end."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(program[0], program, environment)
    limit = time.monotonic() + SECONDS
    output, pending = b"", text.encode()
    while time.monotonic() < limit:
        readable, writable, _ = select.select([terminal], [terminal] if pending else [], [], 1)
        if writable and b"kvsql" in output:  # the prompt
            pending = pending[os.write(terminal, pending[:64]):]
        if readable:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            output += data
    os.waitpid(child, 0)
    return output.decode(errors="replace")


def test_history():
    daemon = support.Daemon()
    state = support.temporary_folder("history")
    environment = {**os.environ, "XDG_STATE_HOME": str(state), "TERM": "dumb"}
    output = talk([str(support.TOP_BUILD / "kvsqlctl"), "-c", f"kvsql+unix://{daemon.socket_path}", "shell"], environment,
                  "\n".join([KEPT[0], *SECRET, KEPT[1], "\\q", ""]))
    # libedit writes a space as \\040
    history = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), (state / "kvsql" / "history").read_text())
    for statement in KEPT:
        assert statement in history, (history, output)
    for secret in ("secret1", "secret2", "secret3", "PASSWORD"):
        assert secret not in history, history
    assert "secret1" in output, output
    support.equal(daemon.stop(), 0)


if __name__ == "__main__":
    sys.exit(support.run([("/ctl/history", test_history)]))
