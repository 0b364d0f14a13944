#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A service in one process on each embedded store, then kvsqld on RocksDB, under valgrind: no bad access and no
definite leak after many statements.

Minutes long, so only on demand: KVSQL_TEST_VALGRIND=10000 is the number of statements (./check --thorough).
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

if not os.environ.get("KVSQL_TEST_VALGRIND"):
    support.skip_all("KVSQL_TEST_VALGRIND is not set; ./check --thorough sets it")
if not shutil.which("valgrind"):
    support.skip_all("valgrind is not installed")

from client import Client, fails  # noqa: E402 pylint: disable=wrong-import-position

# pylint: disable-next=import-error,wrong-import-position
from kvsql.ttypes import ErrorCode, QueryOptions, Value  # noqa: E402

STATEMENTS = int(os.environ["KVSQL_TEST_VALGRIND"])
WRAPPER = ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
           "--error-exitcode=9", f"--suppressions={support.TOP_SOURCE / '.ci' / 'valgrind.txt'}"]


def run_statements(client, statements):
    """Statements of every kind, valid and invalid. @statements: how many."""
    prepared = client.call.prepare("SELECT v FROM t WHERE k = ?")
    for number in range(statements // 10):
        key = f"k{number % 100}"
        client.query("INSERT INTO t VALUES (?, ?, ?)", Value(s=key), Value(s=f"value {number}"), Value(i=number))
        client.query(f"INSERT INTO t VALUES ('{key}x', 'two', 2), ('{key}y', 'three', 3)")
        client.rows(f"SELECT * FROM t WHERE k = '{key}'")
        client.call.execute(prepared.id, [Value(s=key)], QueryOptions())
        page = client.query("SELECT k, n FROM t WHERE n > 1 ORDER BY n DESC LIMIT 5", maxRows=3)
        if page.cursor is not None:
            client.call.fetch(page.cursor, QueryOptions())
        client.query("SELECT k FROM t", maxRows=2)  # its cursor is left alone
        client.call.explain(f"SELECT * FROM t WHERE k >= '{key}' OR n IN (1, 2, 3)", [], False, None)
        fails(ErrorCode.SYNTAX, client.query, "SELECT FROM WHERE")
        fails(ErrorCode.UNKNOWN_NAME, client.query, f"SELECT nothing{number} FROM t")
        client.query(f"DELETE FROM t WHERE k = '{key}y'")
    client.call.closeStatement(prepared.id)


def run_in_process():
    """tests/daemon/service/test-soak: statements of every kind, without the wire."""
    command = [str(support.TOP_BUILD / "libtool"), "--mode=execute", *WRAPPER,
               str(support.TOP_BUILD / "tests/daemon/service/test-soak")]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, check=False, env={**os.environ, "KVSQL_TEST_SOAK_STATEMENTS": str(STATEMENTS),
                                                          "G_SLICE": "always-malloc"})
    if process.returncode != 0:
        raise AssertionError(f"exit status {process.returncode}\n{process.stdout}")


def main():
    folder = support.temporary_folder("valgrind")
    try:
        daemon = support.Daemon(store=f"rocksdb://{folder}/data", wrapper=WRAPPER)
    except support.Skip as reason:
        support.skip_all(str(reason))

    def statements():
        with Client(daemon.socket_path) as client:
            client.query("DEFINE RELATION t { k STRING KEY, v STRING, n INT }")
            client.query("DEFINE PRIMARY SCHEMA t_p FOR t { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER attr_name['k'], "
                         "VALUE attr_value['k'] }")
            client.query("DEFINE SCHEMA t_s FOR t { TABLE 's', ROW 'x':k, FAMILY 'f', QUALIFIER '', "
                         "VALUE suffix('|'){v}:n }")
            run_statements(client, STATEMENTS)

    def clean():
        status = daemon.stop()
        if status != 0:
            raise AssertionError(f"exit status {status}\n{daemon.log.read_text()}")

    return support.run([(f"/valgrind/{STATEMENTS}-statements-in-one-process", run_in_process),
                        (f"/valgrind/{STATEMENTS}-statements", statements),
                        ("/valgrind/nothing-lost", clean)])


if __name__ == "__main__":
    sys.exit(main())
