# SPDX-License-Identifier: LGPL-2.1-or-later
"""generator.py: the main program of each generate.py, which prints CSV, to view the data or to import it."""

import argparse
import csv
import os
import sys


def main(tables, scale):
    """@tables: name to (columns, function of the scale that yields rows). @scale: the default number of tuples."""
    parser = argparse.ArgumentParser(description="Prints the data of a scenario as CSV, always the same for one scale.")
    parser.add_argument("table", choices=sorted(tables))
    parser.add_argument("--scale", type=int, default=scale, help=f"about how many tuples ({scale})")
    arguments = parser.parse_args()
    columns, rows = tables[arguments.table]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    try:
        writer.writerow(columns)
        writer.writerows(rows(arguments.scale))
        sys.stdout.flush()
    except BrokenPipeError:  # head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
