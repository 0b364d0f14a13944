# SPDX-License-Identifier: LGPL-2.1-or-later
"""compared.py: a program of a client library runs on kvsqld and on PostgreSQL, and each of its steps has to give the same.

The program prints a line for each step: its name, a tab, and what it gives as JSON. It runs in the zone of Berlin.
"""

import json
import os
import subprocess

import postgresql
import support
from server import Server

SECONDS = 300


def play(command, environment):
    """What each step gives, by its name."""
    done = subprocess.run(command, env={**os.environ, **environment, "TZ": "Europe/Berlin"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stdout + done.stderr)
    return dict(line.split("\t", 1) for line in done.stdout.splitlines())


def run(prefix, command, differs, **environment):
    """@command: gives the program and its arguments for a port; @differs: by step, what kvsqld gives instead."""
    model = postgresql.PostgreSQL(postgresql.binaries_or_skip(), support.temporary_folder("postgresql"))
    try:
        wanted = play(command(model.port), environment)
    finally:
        model.stop()
    server = Server(options=["--postgres-listen=tcp://127.0.0.1:0?auth=none"])
    server.process.stdout.readline()
    got = play(command(int(server.process.stdout.readline().decode().rsplit(":", 1)[1].split("?")[0])), environment)

    def check(name):
        support.equal(json.loads(got[name]), differs.get(name, json.loads(wanted[name])))

    return support.run([(prefix + name.replace(": ", "/").replace(" ", "-"), lambda name=name: check(name)) for name in wanted])
