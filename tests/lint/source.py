#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rules that the source keeps and no compiler checks: who may include whom, and a few greps.

The include table is the one of docs/ARCHITECTURE.md. A rule that must be broken somewhere is
broken here, in sight, with its reason, not by a mark in the source.
"""

import os
import pathlib
import re
import sys

TOP = pathlib.Path(os.environ.get("top_srcdir", ".")).resolve()
FOLDERS = ["core", "daemon", "client", "idl", "tests"]
MAX_LINES = 1500
GENERATED = {"gen-c_glib"}

# Folder -> the folders of ours it may include. The longest matching folder counts.
MAY_INCLUDE = {
    "core/base": [],
    "core/store": ["core/base"],
    "core/sql": ["core/base"],
    "core/schema": ["core/base", "core/sql"],
    "core/expr": ["core/base", "core/sql", "core/schema"],
    "core/layout": ["core/base", "core/store", "core/sql", "core/schema"],
    "core/catalog": ["core/base", "core/store", "core/sql", "core/schema", "core/layout"],
    "core/plan": ["core/base", "core/store", "core/sql", "core/schema", "core/expr", "core/layout", "core/catalog"],
    "core/exec": ["core/base", "core/store", "core/sql", "core/schema", "core/expr", "core/layout", "core/catalog", "core/plan"],
    "idl/wire": ["core/base"],
    "daemon": ["core", "idl/wire"],
    "daemon/rpc": ["daemon/service.h", "daemon/log.h", "daemon/listen.h", "core/base", "idl/wire"],
    "daemon/registry": ["core/base", "core/store"],
    "daemon/stores": ["core/base", "core/store", "idl/wire"],
    # The wire reports errors in the engine's domain; the client translates them at its edge.
    "client": ["idl/wire", "core/base/error.h"],
    "client/ctl": ["client"],
}

# A library's headers -> the only places that may name them.
LIBRARIES = {
    "thrift": ["idl/wire/", "daemon/rpc/", "client/", "tests/"],
    "rocksdb": ["daemon/stores/rocksdb", "tests/"],
    "zookeeper": ["daemon/registry/zookeeper", "tests/"],
    "curl": ["daemon/stores/hbase/http"],
    "systemd": ["daemon/systemd.c"],
    "editline": ["client/ctl/"],
    "gmp.h": ["core/base/"],
    "zlib.h": ["core/layout/digest.c"],
}

# Generated headers stand in the include path without a folder.
GENERATED_HEADER = re.compile(r"^kvsql_rpc_\w+\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)

# Pattern -> what to do instead. Applied to code without comments and strings.
FORBIDDEN = {
    r"\bgoto\b": "return early and free by scope",
    r"\bg_error\s*\(": "it aborts the daemon; return an error",
    r"\babort\s*\(\s*\)": "return an error",
    r"\bexit\s*\(": "return a status from main()",
    r"\b(?:strcpy|strcat|sprintf|vsprintf|gets)\s*\(": "unbounded; use GLib's",
    r"\b(?:strtok|localtime|gmtime|asctime|ctime|strerror)\s*\(": "not safe with threads",
    r"\bg_print(?:err)?\s*\(": "the log is for the daemon, the printer for kvsqlctl",
}
FORBIDDEN_EXCEPT = {
    r"\bg_error\s*\(": ["tests/"],
    r"\bexit\s*\(": ["tests/"],
    r"\babort\s*\(\s*\)": ["tests/"],
    r"\bg_print(?:err)?\s*\(": ["tests/", "client/ctl/", "daemon/main.c", "daemon/daemon.c"],
}


def sources():
    for folder in FOLDERS:
        for path in sorted((TOP / folder).rglob("*")):
            if path.is_file() and not GENERATED & set(path.parts):
                yield path.relative_to(TOP).as_posix(), path


def c_sources():
    return [(name, path) for name, path in sources() if name.endswith((".c", ".h"))]


def without_comments(text, keep_strings=False):
    """Blanks comments (and strings), keeping the line numbers."""
    def blank(match):
        if keep_strings and match.group(0)[0] in "\"'":
            return match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text, flags=re.S)


def includes(path):
    text = without_comments(path.read_text(), keep_strings=True)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def rule_of(name):
    folder = os.path.dirname(name)
    while folder and folder not in MAY_INCLUDE:
        folder = os.path.dirname(folder)
    return folder


def is_within(header, places):
    return any(header == place or header.startswith(place + "/") for place in places)


def check_layers():
    """No folder includes what lies above or beside it."""
    for name, path in c_sources():
        folder = rule_of(name)
        if name.startswith("tests/") or not folder:
            continue
        allowed = MAY_INCLUDE[folder] + [folder]
        for line, quote, header in includes(path):
            if quote == "<" or header == "config.h":
                continue
            if GENERATED_HEADER.match(header):
                if not name.startswith(("idl/wire/", "daemon/rpc/", "client/kvsql")):
                    yield f"{name}:{line}: generated code is only for wire, rpc and the client library"
            elif "/" not in header:
                if folder not in ("client",):
                    yield f"{name}:{line}: \"{header}\" is not a path from the top"
            elif not is_within(header, allowed):
                yield f"{name}:{line}: {folder} may not include \"{header}\""


def check_folders_are_known():
    """Every folder with C sources has a line in the include table."""
    for name, _ in c_sources():
        if not name.startswith("tests/") and not rule_of(name):
            yield f"{name}: its folder is not in the include table"


def check_include_table_is_documented():
    """docs/ARCHITECTURE.md shows the include table that is enforced."""
    text = (TOP / "docs/ARCHITECTURE.md").read_text()
    section = text.partition("\n| folder | may include |\n")[2].partition("\n\n")[0]
    shown = {names[0]: names[1:] for names in (re.findall(r"`([^`]+)`", line) for line in section.splitlines()) if names}
    for folder in sorted(MAY_INCLUDE.keys() | shown.keys()):
        if shown.get(folder) != MAY_INCLUDE.get(folder):
            yield f"docs/ARCHITECTURE.md: the line of {folder} does not agree with tests/lint/source.py"


def check_libraries():
    """Each library is named by its own wrapper only."""
    for name, path in c_sources():
        for line, quote, header in includes(path):
            places = LIBRARIES.get(header.split("/")[0])
            if quote == "<" and places is not None and not name.startswith(tuple(places)):
                yield f"{name}:{line}: <{header}> is only for {', '.join(places)}"


def check_forbidden():
    """Calls that have no place here."""
    for name, path in c_sources():
        text = without_comments(path.read_text())
        for pattern, advice in FORBIDDEN.items():
            if name.startswith(tuple(FORBIDDEN_EXCEPT.get(pattern, ["\0"]))):
                continue
            for match in re.finditer(pattern, text):
                yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(0)}: {advice}"


def check_headers_are_guarded():
    """Every header begins its code with #pragma once."""
    for name, path in c_sources():
        if name.endswith(".h") and "#pragma once" not in path.read_text():
            yield f"{name}: no #pragma once"


def check_config_first():
    """config.h comes first in every C file of the tree: it decides what the system headers show."""
    for name, path in c_sources():
        if name.endswith(".c") and not name.startswith(("tests/", "docs/")):
            first = next(includes(path), (0, "", ""))
            if first[2] != "config.h":
                yield f"{name}: the first include is not \"config.h\""


def check_no_config_shadow():
    """A folder's own config.h would be found before autoconf's by every file beside it."""
    for name, _ in c_sources():
        if name.endswith("/config.h"):
            yield f"{name}: hides autoconf's config.h"


def check_licence():
    """Every source says its licence in its first lines."""
    for name, path in sources():
        if not name.endswith((".c", ".h", ".py", ".sh")):
            continue
        head = path.read_text(errors="replace").splitlines()[:3]
        if not any("SPDX-License-Identifier: LGPL-2.1-or-later" in line for line in head):
            yield f"{name}: no SPDX line at its top"


def check_length():
    """No file is so long that it holds two ideas."""
    for name, path in c_sources():
        lines = path.read_text().count("\n")
        if lines > MAX_LINES:
            yield f"{name}: {lines} lines, over {MAX_LINES}"


def check_white_space():
    """No tabs, no white space at the end of a line, a newline at the end of a file."""
    for name, path in c_sources():
        text = path.read_text()
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip() or "\t" in line:
                yield f"{name}:{number}: tab, or white space at the end"
        if text and not text.endswith("\n"):
            yield f"{name}: no newline at its end"


def check_files_are_listed_once():
    """No list of a Makemodule.am names a file twice, as merges leave it."""
    for path in sorted(TOP.rglob("Makemodule.am")):
        name = path.relative_to(TOP)
        if name.parts[0].startswith("_build"):
            continue
        for line in path.read_text().replace("\\\n", " ").splitlines():
            words = re.findall(r"%D%/\S+", line) if re.match(r"[\w%]+ *\+?=", line) else []
            for word in sorted({word for word in words if words.count(word) > 1}):
                yield f"{name}: {word} stands twice in one list"


def check_statements_have_a_manual():
    """kvsql-sql(7) names every statement and every layout element."""
    page = re.sub(r"\\f[BIRP]", "", (TOP / "man/kvsql-sql.7").read_text())
    grammar = (TOP / "docs/grammar.ebnf").read_text().partition("\n/* ---- expressions")[0]
    for word in sorted(set(re.findall(r"'([A-Z]+)'", grammar))):
        if not re.search(rf"\b{word}\b", page):
            yield f"man/kvsql-sql.7: no {word}"
    for path in sorted((TOP / "core/layout").glob("el-*.c")):
        for element in re.findall(r'^  \.name = "(\w+)",$', path.read_text(), re.M):
            if not re.search(rf"\b{element}[{{(]", page):
                yield f"man/kvsql-sql.7: no element {element}"


def check_idl():
    """kvsql.thrift keeps the rules that every language's generator can live with."""
    text = (TOP / "idl/kvsql.thrift").read_text()
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    for pattern, reason in {
            r"\bmap\s*<": "c_glib hashes the address of a binary key",
            r"\bset\s*<": "c_glib hashes the address of a binary member",
            r"\bextends\b": "c_glib spins on an unknown method",
            r"\boneway\b": "c_glib corrupts the next reply",
            r"list\s*<\s*list\b": "requests hold no nested containers"}.items():
        if re.search(pattern, code):
            yield f"idl/kvsql.thrift: {pattern}: {reason}"
    for number in re.findall(r"^\s*(\d+):", code, re.M):
        if not 1 <= int(number) <= 63:
            yield f"idl/kvsql.thrift: field id {number} is not in 1..63"
    for word in ("protocol", "error", "iface", "parent", "cseqid", "return_value", "result_struct"):
        if re.search(rf"\b{word}\s*[,)}}]", code):
            yield f"idl/kvsql.thrift: a field named {word} does not compile in C"


def main():
    checks = [(name[6:].replace("_", "-"), check) for name, check in globals().items()
              if name.startswith("check_")]
    print(f"1..{len(checks)}")
    failed = 0
    for number, (name, check) in enumerate(checks, 1):
        problems = list(check())
        for problem in problems:
            print("#", problem)
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} /lint/{name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
