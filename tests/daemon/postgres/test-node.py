#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""node-pg and knex: each step of node-clients.js gives with kvsqld what it gives with PostgreSQL, for a program in Berlin.

npm fetches them to the cache folder. Without Node or PostgreSQL the test is skipped.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import postgresql  # noqa: E402 pylint: disable=wrong-import-position
import support  # noqa: E402 pylint: disable=wrong-import-position
from server import Server  # noqa: E402 pylint: disable=wrong-import-position

PACKAGES = ["pg@8", "pg-cursor@2", "pg-copy-streams@7", "pg-query-stream@4", "knex@3"]
SCRIPT = pathlib.Path(__file__).resolve().parent / "node-clients.js"
SECONDS = 300
# What kvsqld gives instead.
DIFFERS = {"knex: join": [{"name": "ann", "n": "2", "t": "19.5"}, {"name": "bob", "n": "0", "t": None}]}  # no zeros at the end


def modules_or_skip():
    if not shutil.which("node") or not shutil.which("npm"):
        support.skip_all("Node and npm are not installed")
    folder = support.CACHE / "node-clients"
    if not (folder / "complete").exists():
        if not os.environ.get("KVSQL_TEST_INSTALL"):
            support.skip_all("packages of Node are not installed: " + ", ".join(PACKAGES))
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES], check=True, stdout=subprocess.DEVNULL,
                       timeout=SECONDS)
        (folder / "complete").touch()
    return folder / "node_modules"


def play(modules, port):
    """What each step gives, by its name."""
    done = subprocess.run(["node", SCRIPT, str(port), "test", "postgres"], env={**os.environ, "NODE_PATH": str(modules), "TZ": "Europe/Berlin"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return dict(line.split("\t", 1) for line in done.stdout.splitlines())


def main():
    binaries = postgresql.binaries_or_skip()
    modules = modules_or_skip()
    model = postgresql.PostgreSQL(binaries, support.temporary_folder("postgresql"))
    try:
        wanted = play(modules, model.port)
    finally:
        model.stop()
    server = Server(options=["--postgres-listen=tcp://127.0.0.1:0?auth=none"])
    server.process.stdout.readline()
    got = play(modules, int(server.process.stdout.readline().decode().rsplit(":", 1)[1].split("?")[0]))

    def check(name):
        support.equal(json.loads(got[name]), DIFFERS.get(name, json.loads(wanted[name])))

    return support.run([("/postgres/node/" + name.replace(": ", "/").replace(" ", "-"), lambda name=name: check(name)) for name in wanted])


if __name__ == "__main__":
    sys.exit(main())
