# SPDX-License-Identifier: LGPL-2.1-or-later
"""generator.py: makes a generate.py a program that prints CSV, to look at the data or to import it by hand."""

import argparse
import csv
import os
import sys


def main(tables, scale):
    """@tables: name to (columns, function of scale that gives rows); @scale: how many tuples by default."""
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
