#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Each tracked file is in the tarball, by make's own list of its files."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import tap  # noqa: E402 pylint: disable=wrong-import-position

TOP = pathlib.Path(os.environ.get("top_srcdir", ".")).resolve()
BUILT = pathlib.Path(os.environ.get("top_builddir", ".")).resolve()
# What dist-hook copies, because automake cannot list it.
COPIED = {"check", *(str(folder.relative_to(TOP)) for folder in TOP.glob("tests/scenarios/*/"))}


def read_listed():
    """What make distributes: files, and folders as a whole."""
    command = ["make", "-s", "-C", BUILT, "--no-print-directory", "--eval", "list-files: ; @echo $(DISTFILES)", "list-files"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return {os.path.relpath(BUILT / name if name.startswith("../") else TOP / name, TOP) for name in names}


def check_tarball():
    """Yields the tracked files that are neither listed nor in a listed folder."""
    listed = read_listed() | COPIED
    tracked = subprocess.run(["git", "-C", TOP, "ls-files"], check=True, capture_output=True, text=True).stdout.split()
    for name in tracked:
        path = pathlib.PurePath(name)
        if path.name != ".gitignore" and listed.isdisjoint([name, *map(str, path.parents)]):
            yield f"{name}: not in the tarball; add it to EXTRA_DIST in its folder's Makemodule.am"


if __name__ == "__main__":
    if not (TOP / ".git").exists():
        print("1..0 # SKIP not a clone")
        sys.exit(0)
    sys.exit(tap.report("distributed", tap.checks_of(globals())))
