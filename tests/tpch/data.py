# SPDX-License-Identifier: LGPL-2.1-or-later
"""data.py: the rows of TPC-H as CSV files, by tpchgen-cli.

tpchgen-cli (PyPI, Apache-2.0) writes what TPC's own dbgen writes, byte by byte. So each scale factor has the same rows at every
run, and answers can be compared with published ones.
"""

import pathlib
import subprocess

from systems import support

PACKAGE = "tpchgen-cli==4.0.0"
TABLES = ("region", "nation", "supplier", "part", "partsupp", "customer", "orders", "lineitem")


def generate(scale, folder):
    """Returns the file of each table."""
    program = support.program_of_package("tpchgen", "tpchgen-cli", PACKAGE)
    folder = pathlib.Path(folder)
    subprocess.run([program, "csv", f"--scale-factor={scale}", f"--output-dir={folder}", "--quiet"], check=True)
    if scale < 0.01:
        remove_duplicates(folder / "partsupp.csv")
    return {table: folder / f"{table}.csv" for table in TABLES}


def remove_duplicates(partsupp):
    """With fewer than 100 suppliers, the formula of the specification gives a part some suppliers twice."""
    found = set()
    with partsupp.open(encoding="utf-8") as file:
        lines = [line for line in file if (key := tuple(line.split(",", 2)[:2])) not in found and not found.add(key)]
    partsupp.write_text("".join(lines), encoding="utf-8")
