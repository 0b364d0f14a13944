#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""No files call each other in a circle, by the symbols of their objects.

source.py sees only what a file includes. Two files with one header can call each other through it, and
then neither can be read without the other.
"""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
import source  # noqa: E402 pylint: disable=wrong-import-position
import tap  # noqa: E402 pylint: disable=wrong-import-position

BUILT = pathlib.Path(os.environ.get("top_builddir", ".")).resolve()
FOLDERS = ["core", "daemon", "client", "idl"]

# What is nested in SQL or in a layout is nested in the code, too. Each line: the files that may be in one circle.
RECURSIONS = [
    ("core/sql/parser", "expressions contain queries, and queries contain expressions"),
    ("daemon/postgres/catalogue/translate", "expressions contain queries, and queries contain expressions"),
    ("core/sql/printer", "the same, printed"),
    ("core/expr/bind-", "operands of CASE, IN and the like are expressions"),
    ("core/plan/explain", "operands of a set operation are plans"),
    ("core/layout/", "elements contain sequences of elements"),
]


def source_of(path, names):
    """An object is called after its source, or "TARGET-SOURCE"; no target of Automake has a "-" in its name."""
    folder = path.parent.relative_to(BUILT).as_posix().removesuffix("/.libs")
    for stem in (path.stem, path.stem.partition("-")[2]):
        if f"{folder}/{stem}.c" in names:
            return f"{folder}/{stem}.c"
    return None


def symbols_of(paths):
    """For each object: the names that it defines for others, and those that it needs."""
    found = {str(path): (set(), set()) for path in paths}
    text = subprocess.run(["nm", "-A", *found], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        path, _, rest = line.partition(":")
        *_, kind, symbol = rest.split()
        if kind in "TDRBV":
            found[path][0].add(symbol)
        elif kind == "U":
            found[path][1].add(symbol)
    return found


def calls():
    """Source -> source that defines a symbol of it -> these symbols."""
    names = {name for name, _ in source.c_sources() if name.endswith(".c") and not name.startswith("tests/")}
    defined_by, needed_by = {}, {}
    objects = {path: source_of(path, names) for folder in FOLDERS for path in (BUILT / folder).rglob("*.o")}
    objects = {str(path): name for path, name in objects.items() if name is not None}
    for path, (defined, needed) in symbols_of(objects).items():
        defined_by.update(dict.fromkeys(defined, objects[path]))
        needed_by.setdefault(objects[path], set()).update(needed)
    edges = {name: {} for name in needed_by}
    for name, needed in needed_by.items():
        for symbol in sorted(needed):
            other = defined_by.get(symbol, name)
            if other != name:
                edges[name].setdefault(other, []).append(symbol)
    return names, edges


def check_objects(names, edges):
    missing = sorted(names - set(edges))
    if missing:
        yield f"not built, so nothing is known of {', '.join(missing)}"


def check_circles(edges):
    for group in source.groups_of_cycles(edges):
        if any(all(name.startswith(start) for name in group) for start, _ in RECURSIONS):
            continue
        for name in sorted(group):
            for other in sorted(set(edges[name]) & group):
                yield f"{name} calls {other}: {', '.join(edges[name][other][:3])}"


def main():
    names, edges = calls()
    return tap.report("/lint/calls", [("objects", lambda: check_objects(names, edges)), ("circles", lambda: check_circles(edges))])


if __name__ == "__main__":
    sys.exit(main())
