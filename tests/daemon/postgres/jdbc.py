#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pgjdbc: each step of JdbcClient.java gives with kvsqld what it gives with PostgreSQL.

Maven fetches the driver, so tests/thorough runs it, and ./check does not.
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import compared  # noqa: E402 pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent


def class_path():
    jars = support.CACHE / "jdbc"
    if not (jars / "complete").exists():
        subprocess.run(["mvn", "-q", "-B", "-f", HERE / "jdbc-jars.xml", "dependency:copy-dependencies", f"-DoutputDirectory={jars}"], check=True,
                       stdout=subprocess.DEVNULL, timeout=compared.SECONDS)
        (jars / "complete").touch()
    classes = support.temporary_folder("jdbc")
    subprocess.run(["javac", "-d", classes, "-cp", f"{jars}/*", HERE / "JdbcClient.java"], check=True)
    return f"{classes}:{jars}/*"


if __name__ == "__main__":
    if not shutil.which("javac") or not shutil.which("mvn"):
        support.skip_all("there is no Java compiler, or no Maven")
    path = class_path()
    sys.exit(compared.run("/postgres/jdbc/", lambda port: ["java", "-cp", path, "JdbcClient", f"jdbc:postgresql://127.0.0.1:{port}/postgres"], {}))
