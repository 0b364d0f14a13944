#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later

"""kvsqlctl export of tables of HBase, of one region and of several: the same file from one connection and from many, and after a kill."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import support  # noqa: E402 pylint: disable=wrong-import-position

PROGRAM = support.TOP_BUILD / "kvsqlctl"
N_ROWS = 12000
SPLITS = "'\\x8000000000000bb8,\\x8000000000001770'"


class Session:
    environment = None
    folder = None


def run(*arguments):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, timeout=300, check=True, env=Session.environment)


def define(name, options):
    run("exec", f"DEFINE RELATION {name} {{ id BIGINT KEY, name STRING, n INT }};"
                f"DEFINE PRIMARY SCHEMA {name}_rows FOR {name} {{ TABLE '{name}', ROW ordered{{id}}, FAMILY 'f', QUALIFIER attr_name[id], "
                f"VALUE attr_value[id] }}{options}")
    path = Session.folder / f"{name}.csv"
    path.write_text("id,name,n\r\n" + "".join(f"{n},row {n} {'x' * (n % 60)},{n % 7}\r\n" for n in range(N_ROWS)), newline="")
    run("import", name, path)
    return path.read_bytes()


def check(name, options):
    expected = define(name, options)
    path = Session.folder / f"{name}.out"
    for jobs in (1, 4):
        run("export", name, "-O", path, "-o", "csv", "-j", jobs)
        assert path.read_bytes() == expected, jobs
        path.unlink()
    with subprocess.Popen([str(PROGRAM), "export", name, "-O", str(path), "-o", "csv", "-j", "3"], env=Session.environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not pathlib.Path(f"{path}.kvsql-export").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    run("export", name, "-O", path, "-o", "csv", "-j", "2")
    assert path.read_bytes() == expected
    support.equal(sorted(each.name for each in Session.folder.glob(f"{name}.out*")), [f"{name}.out"])


def test_one_region():
    check("whole", "")


def test_several_regions():
    check("cut", f" WITH (splits = {SPLITS})")


def main():
    url = os.environ.get("KVSQL_TEST_HBASE_URL")
    if not url:
        support.skip_all("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md")
    Session.folder = support.temporary_folder("export")
    namespace = Session.folder.name.replace("-", "_")
    daemon = support.Daemon(store=f"{url}{'&' if '?' in url else '?'}namespace={namespace}")
    Session.environment = {**os.environ, "KVSQL_URI": f"kvsql+unix://{daemon.socket_path}", "LC_ALL": "C.UTF-8"}
    return support.run([("/live/export/one-region", test_one_region), ("/live/export/several-regions", test_several_regions)])


if __name__ == "__main__":
    sys.exit(main())
