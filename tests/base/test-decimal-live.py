#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares functions of DECIMAL with those of a live PostgreSQL 15, if Debian's package is installed.

KVSQL_TEST_SEED repeats a run; KVSQL_TEST_CALLS says how many calls are compared.
"""

import atexit
import os
import pathlib
import pwd
import random
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
SECONDS = 300


def unprivileged():
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def start_postgresql(folder):
    """A cluster with a UNIX socket in @folder, which has to be short: a socket's path is."""
    user = unprivileged()
    if user:
        os.chown(folder, user["user"], user["group"])

    def run(program, *arguments):
        subprocess.run([str(BINARIES / program), "-D", str(folder / "data"), *arguments], cwd=folder, check=True, timeout=SECONDS,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, **user)

    run("initdb", "-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8", "--locale=C")
    atexit.register(run, "pg_ctl", "stop", "-m", "immediate")
    run("pg_ctl", "start", "-w", "-l", str(folder / "log"), "-o", f"-c listen_addresses='' -c fsync=off -k {folder}")


def test_decimals():
    seed = os.environ.get("KVSQL_TEST_SEED") or str(random.randrange(2**31))
    calls = os.environ.get("KVSQL_TEST_CALLS") or "3000"
    print(f"# KVSQL_TEST_SEED={seed}", flush=True)
    folder = support.temporary_folder("pg")
    start_postgresql(folder)
    table = folder / "table"
    with open(table, "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, str(HERE / "postgresql-decimals.py"), seed, calls, "-h", str(folder), "-U", "test"],
                       stdout=out, check=True, timeout=SECONDS)
    done = subprocess.run([str(support.TOP_BUILD / "tests/base/test-decimal-postgresql"), str(table)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-3000:]


def main():
    if not (BINARIES / "initdb").exists() or not shutil.which("psql"):
        support.skip_all("PostgreSQL 15 is not installed: apt-get install postgresql-15")
    if not (support.TOP_BUILD / "tests/base/test-decimal-postgresql").exists():
        support.skip_all("tests/base/test-decimal-postgresql is not built")
    return support.run([("/base/decimal/as-a-live-postgresql", test_decimals)])


if __name__ == "__main__":
    sys.exit(main())
