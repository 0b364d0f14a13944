#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds the example of the documentation with an installed library, as documented, and runs it against kvsqld."""

import os
import pathlib
import shlex
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live" / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

EXAMPLE = support.TOP_SOURCE / "docs" / "examples" / "example.c"
HEADERS = sorted(path.name for path in (support.TOP_SOURCE / "client").glob("kvsql*.h"))
PREFIX = support.temporary_folder("prefix")


def call(*command, **options):
    done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def install():
    """Installs what a program that uses the library needs, in a prefix of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "DESTDIR")}
    call("make", "-C", support.TOP_BUILD, f"prefix={PREFIX}", "install-libLTLIBRARIES",
         "install-kvsqlincludeHEADERS", "install-nodist_pkgconfigDATA", env=environment)
    for header in HEADERS:
        assert (PREFIX / "include" / "kvsql" / header).exists(), f"{header} is not installed"


def flags(*which):
    description = next(PREFIX.rglob("kvsql.pc"))
    # It contains the prefix that the tree was configured for.
    lines = [f"prefix={PREFIX}" if line.startswith("prefix=") else line for line in description.read_text().splitlines()]
    description.write_text("\n".join(lines) + "\n")
    environment = dict(os.environ)
    environment["PKG_CONFIG_PATH"] = f"{description.parent}:{os.environ.get('PKG_CONFIG_PATH', '')}"
    return shlex.split(call("pkg-config", *which, "kvsql", env=environment))


def compiler():
    """Also the sanitizers that the library under test was built with."""
    makefile = (support.TOP_BUILD / "Makefile").read_text()
    sanitizers = next(line for line in makefile.splitlines() if line.startswith("SANITIZER_CFLAGS"))
    return shlex.split(os.environ.get("CC") or "cc") + shlex.split(sanitizers.split("=", 1)[1])


def test_builds():
    call(*compiler(), "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-o", PREFIX / "example", EXAMPLE,
         *flags("--cflags", "--libs"))


def test_headers_alone():
    """Each header can be included alone."""
    source = PREFIX / "one.c"
    for header in HEADERS:
        source.write_text(f"#include <{header}>\nint main (void) {{ return 0; }}\n")
        call(*compiler(), "-std=c11", "-pedantic", "-Wall", "-Werror", "-c", "-o", PREFIX / "one.o", source,
             *flags("--cflags"))


def test_runs():
    daemon = support.Daemon()
    environment = dict(os.environ)
    environment["LD_LIBRARY_PATH"] = str(next(PREFIX.rglob("libkvsql.so")).parent)
    environment.pop("G_DEBUG", None)
    for uri in (f"kvsql://127.0.0.1:{daemon.port}", f"kvsql+unix://{daemon.socket_path}"):
        support.equal(call(PREFIX / "example", uri, env=environment),
                      "2024-02-28 100\n2024-02-29 200\n2024-03-01 300\n")
    support.equal(daemon.stop(), 0)


def main():
    return support.run([
        ("/client/example/installs", install),
        ("/client/example/headers-alone", test_headers_alone),
        ("/client/example/builds-as-written", test_builds),
        ("/client/example/runs", test_runs),
    ])


if __name__ == "__main__":
    sys.exit(main())
