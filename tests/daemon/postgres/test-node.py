#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""node-pg and knex: each step of node-clients.js gives with kvsqld what it gives with PostgreSQL.

npm fetches them to the cache folder. Without Node or PostgreSQL the test is skipped.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import compared  # noqa: E402 pylint: disable=wrong-import-position

PACKAGES = ["pg@8", "pg-cursor@2", "pg-copy-streams@7", "pg-query-stream@4", "knex@3"]
SCRIPT = pathlib.Path(__file__).resolve().parent / "node-clients.js"


def modules_or_skip():
    if not shutil.which("node") or not shutil.which("npm"):
        support.skip_all("Node and npm are not installed")
    folder = support.CACHE / "node-clients"
    if not (folder / "complete").exists():
        if not os.environ.get("KVSQL_TEST_INSTALL"):
            support.skip_all("packages of Node are not installed: " + ", ".join(PACKAGES))
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, *PACKAGES], check=True, stdout=subprocess.DEVNULL,
                       timeout=compared.SECONDS)
        (folder / "complete").touch()
    return folder / "node_modules"


if __name__ == "__main__":
    sys.exit(compared.run("/postgres/node/", lambda port: ["node", SCRIPT, str(port), "test", "postgres"], {}, NODE_PATH=str(modules_or_skip())))
