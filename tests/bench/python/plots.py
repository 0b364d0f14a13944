# SPDX-License-Identifier: LGPL-2.1-or-later
"""plots.py: line charts as SVG, of latency against throughput and of cost against size."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 80, 190, 44, 56
COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8d5a97", "#b8860b", "#4d4d4d", "#008b8b", "#d1495b"]


class Axis:
    """Maps values to positions. Logarithmic if requested, and if all values are above 0."""

    def __init__(self, values, begin, end, is_logarithmic):
        self.is_logarithmic = is_logarithmic and min(values) > 0
        low, high = (min(values), max(values)) if self.is_logarithmic else (0, max(values) * 1.05 or 1)
        if self.is_logarithmic and low == high:
            low, high = low / 2, high * 2
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def place(self, value):
        if self.is_logarithmic:
            share = (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        if self.is_logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            ticks = [step * 10.0 ** power for power in powers for step in (1, 2, 5)]
        else:
            step = 10.0 ** math.floor(math.log10(self.high))
            step = step / 5 if self.high / step < 2 else step / 2 if self.high / step < 5 else step
            ticks = [i * step for i in range(int(self.high / step) + 1)]
        return [tick for tick in ticks if self.low <= tick <= self.high]


def short(value):
    for limit, divisor, letter in ((1e6, 1e6, "M"), (1e3, 1e3, "k")):
        if value >= limit:
            return f"{value / divisor:g}{letter}"
    return f"{value:g}"


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def frame(title, x_title, y_title, x_axis, y_axis):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [text((LEFT + right) / 2, 24, title, more=' font-weight="bold"'), text((LEFT + right) / 2, HEIGHT - 14, x_title),
             text(20, (TOP + bottom) / 2, y_title, more=f' transform="rotate(-90 20 {(TOP + bottom) / 2})"')]
    for tick in x_axis.ticks():
        x = x_axis.place(tick)
        parts += [f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>', text(x, bottom + 18, short(tick))]
    for tick in y_axis.ticks():
        y = y_axis.place(tick)
        parts += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#ddd"/>',
                  text(LEFT - 8, y + 4, short(tick), "end")]
    return parts


def curve(points, x_axis, y_axis, colour, dash):
    places = [(x_axis.place(x), y_axis.place(y)) for x, y in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>',
            *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)]


def chart(title, x_title, y_title, series, x_logarithmic=False, y_logarithmic=False):
    """@series: name → [(x, y)]. A name that ends in p99 is drawn dashed, in the colour of the one before it."""
    points = [point for some in series.values() for point in some]
    x_axis = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, x_logarithmic)
    y_axis = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, y_logarithmic)
    parts, colour = frame(title, x_title, y_title, x_axis, y_axis), -1
    for row, (name, some) in enumerate(series.items()):
        is_dashed = name.endswith("p99")
        colour += 0 if is_dashed and row > 0 else 1
        stroke, dash = COLOURS[colour % len(COLOURS)], ' stroke-dasharray="5 4"' if is_dashed else ""
        y = TOP + 10 + row * 20
        parts += curve(some, x_axis, y_axis, stroke, dash)
        parts += [f'<line x1="{WIDTH - RIGHT + 14}" y1="{y}" x2="{WIDTH - RIGHT + 38}" y2="{y}" stroke="{stroke}" '
                  f'stroke-width="2"{dash}/>', text(WIDTH - RIGHT + 44, y + 4, name, "start")]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="sans-serif" font-size="12">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def growth(figures, folder):
    """Draws cost against size from a run's figures. Returns the files."""
    written = []
    for workload, key, what in (("scan, by rows of the table", "us", "µs a row"),
                            ("point select, by rows of the table", "p50", "µs, p50")):
        prefix = f"Growth: {workload}: "
        points = sorted((int(name[len(prefix):].split(" ")[0].replace(",", "")), whole[key]["median"])
                        for name, whole in figures.items() if name.startswith(prefix))
        if len(points) > 1:
            path = folder / f"{workload.split(',')[0].replace(' ', '-')}-by-size.svg"
            path.write_text(chart(workload, "rows", what, {"kvsqld": points}, x_logarithmic=True), encoding="utf-8")
            written.append(path)
    return written
