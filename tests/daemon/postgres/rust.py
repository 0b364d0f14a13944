#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tokio-postgres: each step of rust-clients.rs gives with kvsqld what it gives with PostgreSQL.

Cargo fetches and builds it, which takes some minutes: tests/thorough runs it, and ./check does not. Debian 12's Cargo is too old.
"""

import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position
import compared  # noqa: E402 pylint: disable=wrong-import-position

MANIFEST = """
[package]
name = "clients"
version = "0.0.0"
edition = "2021"

[[bin]]
name = "clients"
path = "main.rs"

[profile.dev]
debug = 0

[dependencies]
bytes = "1"
chrono = { version = "0.4", default-features = false, features = ["std"] }
futures-util = { version = "0.3", features = ["sink"] }
serde_json = "1"
tokio = { version = "1", features = ["rt", "macros", "time", "net"] }
tokio-postgres = { version = "0.7", features = ["with-chrono-0_4", "with-serde_json-1", "with-uuid-1"] }
uuid = "1"
"""
OLDEST = (1, 70)  # of Cargo, for these packages
SECONDS = 1800
DIFFERS = {}


def build():
    folder = support.temporary_folder("rust")
    (folder / "Cargo.toml").write_text(MANIFEST)
    shutil.copy(HERE / "rust-clients.rs", folder / "main.rs")
    subprocess.run(["cargo", "build", "--quiet"], cwd=folder, stdin=subprocess.DEVNULL, check=True, timeout=SECONDS)
    return folder / "target" / "debug" / "clients"


def has_cargo():
    if not shutil.which("cargo"):
        return False
    said = subprocess.run(["cargo", "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
    found = re.match(r"cargo (\d+)\.(\d+)", said)
    return found is not None and tuple(map(int, found.groups())) >= OLDEST


if __name__ == "__main__":
    if not has_cargo():
        support.skip_all(f"Cargo {OLDEST[0]}.{OLDEST[1]} or later is not installed")
    program = build()
    sys.exit(compared.run("/postgres/rust/", lambda port: [program, f"host=127.0.0.1 port={port} user=test dbname=postgres"], DIFFERS))
