#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The payloads of attack.py, several rounds, against a kvsqld on RocksDB that has data: it keeps answering in constant memory."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

ROUNDS = 4
# Most payloads announce more bytes than they send. Without short time limits a round would take minutes.
LIMITS = "[limits]\nhandshake_timeout_ms = 500\nread_timeout_ms = 500\n"
DEFINITIONS = """
DEFINE RELATION t { k STRING KEY, n INT };
DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 't', ROW k, FAMILY 'f', QUALIFIER '', VALUE n };
INSERT INTO t VALUES ('a', 1), ('b', 2);
"""


def statement(daemon, sql):
    done = subprocess.run([str(support.TOP_BUILD / "kvsqlctl"), "--connect", f"kvsql+unix://{daemon.socket_path}",
                           "--format", "csv", "exec", sql], check=False, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"{done.stderr}\n{daemon.log.read_text()}")
    return done.stdout


def main():
    # Sanitizers keep freed memory for a while, and data about it.
    is_sanitized = bool(os.environ.get("KVSQL_TEST_SANITIZERS", "").strip())
    folder = support.temporary_folder("attack")
    try:
        daemon = support.Daemon(store=f"rocksdb://{folder}/data", configuration=LIMITS)
    except support.Skip as reason:
        support.skip_all(str(reason))
    statement(daemon, DEFINITIONS)
    before = statement(daemon, "SELECT k, n FROM t")
    attack = subprocess.run([sys.executable, str(pathlib.Path(__file__).resolve().with_name("attack.py")), "127.0.0.1",
                             str(daemon.port), f"--pid={daemon.process.pid}", f"--rounds={ROUNDS}", f"--timeout={120 if is_sanitized else 30}",
                             f"--max-rss={2500 if is_sanitized else 300}", f"--max-growth={400 if is_sanitized else 16}"],
                            check=False)
    after = statement(daemon, "SELECT k, n FROM t")
    status = daemon.stop()
    if (before, after, status) != ("k,n\na,1\nb,2\n", before, 0):
        print(f"# before: {before!r}, after: {after!r}, kvsqld ended with {status}, saying:")
        print("".join(f"# {line}\n" for line in daemon.log.read_text().splitlines()[-20:]), end="")
        return 1
    return attack.returncode


if __name__ == "__main__":
    sys.exit(main())
