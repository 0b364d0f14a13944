# SPDX-License-Identifier: LGPL-2.1-or-later
"""chart.py: draws a series of (date, number) as columns in a terminal."""

EIGHTHS = " ▁▂▃▄▅▆▇█"
HASHES = " ##"


def can_show(text, encoding):
    try:
        text.encode(encoding or "ascii")
        return True
    except UnicodeEncodeError:
        return False


def average(values):
    return sum(values) / len(values)


def draw(series, n_columns, n_lines, encoding="ascii"):
    """Lines of text: @n_columns columns, each the mean of some consecutive days, scaled from 0 to the maximum."""
    levels = EIGHTHS if can_show(EIGHTHS, encoding) else HASHES
    bounds = [len(series) * column // n_columns for column in range(n_columns + 1)]
    heights = [average([number for _, number in series[low:high]]) for low, high in zip(bounds, bounds[1:])]
    top, steps = max(heights), len(levels) - 1
    filled = [round(height / top * n_lines * steps) for height in heights]
    margin = len(f"{top:,.0f}")
    lines = []
    for line in reversed(range(n_lines)):
        columns = "".join(levels[min(max(each - line * steps, 0), steps)] for each in filled)
        label = f"{top * (line + 1) / n_lines:,.0f}"
        lines.append(f"{label:>{margin}} |{columns}".rstrip())
    lines.append(" " * margin + " +" + "-" * n_columns)
    return lines + [" " * (margin + 2) + months(series, bounds)]


def months(series, bounds):
    """The name of a month under its first day, if there is space."""
    text = ""
    for column, (low, high) in enumerate(zip(bounds, bounds[1:])):
        first = next((day for day, _ in series[low:high] if day.day == 1), None)
        if first is not None and len(text) <= column:
            text = text.ljust(column) + first.strftime("%b")
    return text
