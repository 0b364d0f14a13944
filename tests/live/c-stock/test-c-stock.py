#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Builds client.c from kvsql.thrift without libkvsql, and runs it in all four wire formats."""

import os
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "python"))
import support  # noqa: E402 pylint: disable=wrong-import-position

FORMATS = [(framing, protocol) for framing in ("framed", "unframed") for protocol in ("binary", "compact")]


def build():
    """The program, built as a user would build it: the Thrift compiler, pkg-config, a C compiler."""
    generated = support.generate(support.TOP_SOURCE / "idl" / "kvsql.thrift", "c_glib")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "thrift_c_glib"], check=True,
                           capture_output=True, text=True).stdout
    program = generated / "client"
    # Generated code causes warnings. Sanitizer flags of the build under test are not used here.
    subprocess.run([*shlex.split(os.environ.get("CC") or "cc"), "-w", "-g", "-o", str(program), f"-I{generated}",
                    str(HERE / "client.c"), *map(str, sorted(generated.glob("*.c"))), *shlex.split(flags)], check=True)
    return program


def run(program, port, framing, protocol):
    done = subprocess.run([str(program), "127.0.0.1", str(port), framing, protocol], capture_output=True, text=True,
                          timeout=120, check=False)
    print("".join(f"# {framing} {protocol}: {line}\n" for line in done.stdout.splitlines()), end="")
    if done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}\n{done.stderr}")
    assert done.stdout.splitlines()[-1].startswith("1.."), "the program ended early"


def main():
    try:
        daemon = support.Daemon()
    except support.Skip as reason:
        support.skip_all(str(reason))
    program = build()
    return support.run([(f"/c-stock/{framing}/{protocol}", lambda f=framing, p=protocol: run(program, daemon.port, f, p))
                        for framing, protocol in FORMATS])


if __name__ == "__main__":
    sys.exit(main())
