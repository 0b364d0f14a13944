#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""generate.py: Debian's packages and their dependencies, from the machine's own lists.

First come those that are installed (dpkg's status file), then, if more are wanted, all that can be (apt-cache dumpavail).
"""

import datetime
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import generator  # noqa: E402 pylint: disable=wrong-import-position

FULL = 400_000
STATUS = pathlib.Path("/var/lib/dpkg/status")
TYPES = ["Pre-Depends", "Depends", "Recommends", "Suggests", "Enhances", "Breaks", "Conflicts", "Replaces", "Provides"]
PROPERTIES = {"Version": "version", "Section": "section", "Priority": "priority", "Installed-Size": "size"}
PACKAGE = re.compile(r"([a-z0-9][a-z0-9+.-]*)(?::[a-z0-9-]+)?(?:\s*\((.*?)\))?")
RELEASE = datetime.datetime(2023, 6, 10)  # of Debian 12
NODE_COLUMNS = ["id", "c", "p", "u"]
LINK_COLUMNS = ["start", "type", "end", "c", "p", "u"]


def packages(text):
    """The paragraphs of a control file: field to value. Of several paragraphs of one package, the first."""
    seen = set()
    for paragraph in re.split(r"\n\n+", text):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.M))
        if "Package" in fields and fields["Package"] not in seen:
            seen.add(fields["Package"])
            yield fields


def relations(fields):
    """(type, other package, properties), each pair of a type and a package once."""
    found = {}
    for kind in TYPES:
        for group in filter(None, fields.get(kind, "").split(",")):
            alternatives = group.split("|")
            for place, alternative in enumerate(alternatives, 1):
                name, version = PACKAGE.match(alternative.strip()).groups()
                properties = {"version": version} if version else {}
                if len(alternatives) > 1:
                    properties["alternative"] = str(place)
                found.setdefault((kind, name), properties)
    return [(kind, name, properties) for (kind, name), properties in found.items()]


def as_map(properties):
    """The canonical form of maps: ascending keys, no blanks."""
    return json.dumps(properties, sort_keys=True, separators=(",", ":"), ensure_ascii=False) if properties else None


def of_text(text, scale):
    nodes, links = {}, []
    for fields in packages(text):
        if len(nodes) + len(links) >= scale:
            break
        name = fields["Package"]
        nodes[name] = {mine: fields[theirs] for theirs, mine in PROPERTIES.items() if theirs in fields}
        links += [(name, kind, other, properties) for kind, other, properties in relations(fields)]
    for _, _, other, _ in links:
        nodes.setdefault(other, {})  # named by other packages only
    return nodes, links


def graph(scale):
    """(tuples of node, tuples of link). Times of creation are unknown: one second after the other, in the order of the list."""
    text = STATUS.read_text()
    nodes, links = of_text(text, scale)
    if len(nodes) + len(links) < scale:  # prints nothing if no lists were fetched yet
        available = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, check=True).stdout
        nodes, links = of_text(text + "\n\n" + available.decode(errors="replace"), scale)
    clock = (RELEASE + datetime.timedelta(seconds=second) for second in range(len(nodes) + len(links)))
    created = (moment.isoformat(timespec="milliseconds") + "Z" for moment in clock)
    return ([(name, next(created), as_map(properties), None) for name, properties in nodes.items()],
            [(*key, next(created), as_map(properties), None) for *key, properties in links])


TABLES = {"node": (NODE_COLUMNS, lambda scale: graph(scale)[0]), "link": (LINK_COLUMNS, lambda scale: graph(scale)[1])}

if __name__ == "__main__":
    generator.main(TABLES, FULL)
