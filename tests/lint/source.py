#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rules of the source that no compiler checks: which folder may include which, and a few patterns.

The include table is that of docs/ARCHITECTURE.md. An exception from a rule is an entry here, with
its reason, and not a mark in the source.
"""

import fnmatch
import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
import tap  # noqa: E402 pylint: disable=wrong-import-position

TOP = pathlib.Path(os.environ.get("top_srcdir", ".")).resolve()
FOLDERS = ["core", "daemon", "client", "idl", "tests"]
MAX_LINES = 1500
MAX_README_LINES = 60
MAX_COLUMNS = 100
GENERATED = {"gen-c_glib"}

# Folder -> the folders and headers of ours that it may include, in addition to itself. Subfolders are
# listed by themselves.
MAY_INCLUDE = {
    "core/base": [],
    "core/store": ["core/base"],
    "core/sql": ["core/base"],
    "core/schema": ["core/base", "core/sql"],
    "core/expr": ["core/base", "core/sql", "core/schema"],
    "core/layout/ranges": ["core/base"],
    "core/layout/automata": ["core/base"],
    "core/layout/encoding": ["core/base", "core/layout/ranges", "core/layout/automata"],
    "core/layout": ["core/base", "core/sql", "core/schema", "core/layout/ranges", "core/layout/automata", "core/layout/encoding"],
    "core/scram": ["core/base"],
    "core/catalog": ["core/base", "core/scram", "core/sql", "core/schema", "core/layout", "core/layout/automata",
                     "core/expr/like.h", "core/store/costs.h"],
    "core/plan": ["core/base", "core/store", "core/sql", "core/schema", "core/expr", "core/layout", "core/layout/ranges",
                  "core/layout/encoding", "core/catalog"],
    "core/scan": ["core/base", "core/store", "core/schema", "core/expr", "core/layout", "core/catalog", "core/plan",
                  "core/anchor"],
    "core/anchor": ["core/base", "core/store", "core/schema", "core/layout/encoding"],
    "core/exec": ["core/base", "core/store", "core/expr", "core/layout", "core/plan", "core/scan"],
    "core/write": ["core/base", "core/store", "core/sql", "core/schema", "core/expr", "core/layout", "core/catalog", "core/plan",
                   "core/scan", "core/anchor", "core/exec"],
    "core/maintain": ["core/base", "core/store", "core/layout", "core/catalog", "core/plan", "core/scan", "core/write"],
    "core/infer": ["core/base", "core/store", "core/layout/encoding"],
    "core/engine": ["core/base", "core/sql", "core/schema", "core/layout", "core/catalog", "core/plan", "core/scan", "core/exec", "core/write",
                    "core/maintain", "core/infer", "core/expr/uses.h"],
    "core/advisor": ["core/base", "core/sql", "core/schema", "core/catalog", "core/plan", "core/expr/function.h", "core/store/costs.h"],
    "idl/wire": ["core/base"],
    "daemon/log": ["core/base"],
    "daemon/net": ["core/base"],
    "daemon/metrics": ["core/sql", "core/store", "core/scan"],
    "daemon/registry": ["core/base", "core/store", "core/catalog/stored-definition.h", "daemon/net"],
    "daemon/cluster": ["core/base", "core/catalog", "daemon/registry"],
    "daemon/identity": ["core/base", "core/scram", "core/catalog", "daemon/net", "daemon/log", "daemon/cluster"],
    "daemon/session": ["core/base", "core/store", "core/sql", "core/catalog", "core/plan", "core/exec", "core/engine", "daemon/log",
                       "daemon/net"],
    "daemon/recovery": ["core/base", "core/write", "daemon/log", "daemon/cluster"],
    "daemon/backfill": ["core/base", "core/sql", "core/scan", "core/write", "core/maintain", "core/engine", "daemon/cluster",
                        "daemon/recovery"],
    "daemon/service": ["core/base", "core/sql", "core/catalog", "core/plan",
                       "core/exec", "core/write", "core/maintain", "core/engine", "daemon/log", "daemon/net", "daemon/cluster",
                       "daemon/session", "daemon/backfill", "daemon/recovery", "daemon/metrics", "daemon/identity"],
    "daemon/connections": ["core/base", "idl/wire", "daemon/log", "daemon/net", "daemon/session/activity.h",
                           "daemon/identity/identity.h"],
    "daemon/rpc": ["core/base", "idl/wire", "daemon/connections", "daemon/identity", "daemon/service/service.h"],
    "daemon/postgres": ["core/base", "core/scram", "core/sql", "idl/wire", "daemon/log", "daemon/net", "daemon/session/activity.h",
                        "daemon/connections", "daemon/service/service.h", "daemon/postgres/catalogue", "daemon/postgres/copy"],
    "daemon/postgres/copy": ["core/base", "core/sql"],
    "daemon/postgres/catalogue": ["core/base", "core/sql", "core/layout", "core/catalog"],
    "daemon/monitor": ["core/base", "daemon/net", "daemon/service", "daemon/connections"],
    "daemon/stores": ["core/store"],
    "daemon/stores/rocksdb": ["core/base", "core/store", "daemon/stores"],
    "daemon/stores/hbase": ["core/base", "core/store", "daemon/net", "daemon/stores"],
    "daemon": ["core/base", "idl/wire", "daemon/log", "daemon/net", "daemon/service", "daemon/connections", "daemon/rpc", "daemon/postgres",
               "daemon/monitor", "daemon/metrics", "daemon/stores"],
    # The wire reports errors in the engine's domain; the client translates them at its edge.
    "client": ["idl/wire", "core/scram", "core/base/error.h", "core/base/civil-date.h"],
    "client/ctl/terminal": ["client"],
    "client/ctl": ["client", "client/ctl/terminal"],
    "client/ctl/adopt": ["client/ctl"],
    "client/ctl/schema": ["client/ctl", "client/ctl/terminal"],
    "client/ctl/import": ["client/ctl", "client/ctl/terminal", "core/base/hash.h"],
    "client/ctl/export": ["client/ctl", "client/ctl/terminal"],
    "client/ctl/verify": ["client/ctl", "client/ctl/terminal", "core/advisor/trial.h"],
    "client/ctl/commands": ["client/ctl", "client/ctl/adopt", "client/ctl/terminal", "client/ctl/schema", "client/ctl/import", "client/ctl/export",
                            "client/ctl/verify", "core/advisor/advise.h", "core/advisor/capture.h", "core/advisor/trial.h"],
}

# A header that more .c files see, directly or through others, is a hall without walls. core/base is for all.
MAX_SHARE_OF_SOURCES = 0.42

# A library's headers -> the only places that may include them.
LIBRARIES = {
    "thrift": ["idl/wire/", "daemon/rpc/", "client/", "tests/"],
    "rocksdb": ["daemon/stores/rocksdb/", "tests/"],
    "zookeeper": ["daemon/registry/zookeeper", "tests/"],
    "curl": ["daemon/stores/hbase/http"],
    "gnutls": ["idl/wire/tls"],
    "coin": ["core/advisor/cbc-model.c"],
    "systemd": ["daemon/systemd.c"],
    "editline": ["client/ctl/"],
    "sqlite3.h": ["daemon/postgres/catalogue/database.c"],
    "gmp.h": ["core/base/"],
    "mpfr.h": ["core/base/"],
    "zlib.h": ["core/layout/encoding/digest.c"],
}

# Generated headers are in the include path, without a folder.
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

# Files that may start a thread of their own: one that lives as long as its object, for the reason that a comment there
# gives. Jobs are for a GThreadPool.
THREADS = {
    "client/ctl/terminal/interrupt.c",
    "daemon/backfill/backfill.c",
    "daemon/cluster/clock.c",
    "daemon/cluster/periodic.c",
    "daemon/connections/idle-poller.c",
    "daemon/registry/zookeeper-session.c",
    "daemon/stores/hbase/pool.c",
    "daemon/stores/rocksdb/sync.c",
}
THREAD = re.compile(r"\b(?:g_thread_new|g_thread_try_new|pthread_create|thrd_create)\s*\(")

# Names that several files define, as each program has its own.
DEFINED_IN_EACH_PROGRAM = {"main", "LLVMFuzzerTestOneInput", "malloc", "calloc", "realloc"}


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
    return folder if folder in MAY_INCLUDE else ""


def is_within(header, places):
    return header in places or os.path.dirname(header) in places


def check_layers():
    """No folder includes a header of a folder that it may not include."""
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
    """docs/ARCHITECTURE.md shows the include table that is enforced. A row with an empty first cell continues the row before it."""
    text = (TOP / "docs/ARCHITECTURE.md").read_text()
    section = text.partition("\n| folder | may include |\n")[2].partition("\n\n")[0]
    section = re.sub(r", \|\n\| \|", ",", section)
    shown = {names[0]: names[1:] for names in (re.findall(r"`([^`]+)`", line) for line in section.splitlines()) if names}
    for folder in sorted(MAY_INCLUDE.keys() | shown.keys()):
        if shown.get(folder) != MAY_INCLUDE.get(folder):
            yield f"docs/ARCHITECTURE.md: the line of {folder} does not agree with tests/lint/source.py"


def check_include_table_is_used():
    """Every entry of the include table is needed by an include."""
    needed = {(os.path.dirname(name), place) for name, path in c_sources() for _, quote, header in includes(path) if quote == '"'
              for place in (header, os.path.dirname(header))}
    for folder, places in MAY_INCLUDE.items():
        yield from (f"{folder} includes nothing of {place}" for place in places if (folder, place) not in needed)


def check_folders_have_no_cycle():
    """No folder includes, directly or through others, a folder that includes it."""
    def below(folder, path):
        for each in MAY_INCLUDE[folder]:
            each = each if each in MAY_INCLUDE else os.path.dirname(each)
            if each in path:
                yield " -> ".join(path[path.index(each):] + [each])
            else:
                yield from below(each, path + [each])
    for folder in MAY_INCLUDE:
        yield from (f"tests/lint/source.py: {cycle}" for cycle in set(below(folder, [folder])))


def module_of(name, names):
    """A module is foo.c and foo.h, with foo-private.h. In client, a module of the API is kvsql-foo."""
    folder, _, stem = name.rpartition(".")[0].rpartition("/")
    stem = stem.removesuffix("-private")
    return f"{folder}/{stem}" if f"{folder}/kvsql-{stem}.c" not in names else f"{folder}/kvsql-{stem}"


def groups_of_cycles(edges):
    """The sets of modules that reach each other, by Tarjan's algorithm for strongly connected components."""
    order, lowest, stack, groups = {}, {}, [], []

    def visit(module):
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in sorted(edges.get(module, ())):
            if other not in order:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == order[module]:
            at = stack.index(module)
            groups.append(frozenset(stack[at:]))
            del stack[at:]

    for module in sorted(edges):
        if module not in order:
            visit(module)
    return [group for group in groups if len(group) > 1]


def check_modules_have_no_cycle():
    """No module includes, directly or through others, a module that includes it."""
    names = {name: path for name, path in c_sources() if not name.startswith("tests/")}
    edges = {}
    for name, path in names.items():
        module = module_of(name, names)
        others = {module_of(header, names) for _, quote, header in includes(path) if quote == '"' and header in names}
        edges.setdefault(module, set()).update(others - {module})
    for group in groups_of_cycles(edges):
        yield "; ".join(f"{module} includes {', '.join(sorted(edges[module] & group))}" for module in sorted(group))


def check_headers_are_not_seen_by_all():
    """No header outside core/base is seen by too many .c files."""
    included = {name: [header for _, quote, header in includes(path) if quote == '"'] for name, path in c_sources()}
    programs = [name for name in included if name.endswith(".c") and not name.startswith("tests/")]
    counts = {}
    for name in programs:
        seen, waiting = set(), [name]
        while waiting:
            new = set(included.get(waiting.pop(), [])) - seen
            seen |= new
            waiting += new
        for header in seen:
            counts[header] = counts.get(header, 0) + 1
    for header, n in sorted(counts.items()):
        if n > MAX_SHARE_OF_SOURCES * len(programs) and header != "config.h" and not header.startswith("core/base/"):
            yield f"{header}: {n} of {len(programs)} .c files see it"


def check_folders_have_a_readme():
    """The README.md of each folder has a table of its files, `foo.c` also for foo.h, and fits on a screen."""
    for folder in MAY_INCLUDE:
        path = TOP / folder / "README.md"
        if not path.exists():
            yield f"{folder}: no README.md"
            continue
        text = path.read_text()
        if text.count("\n") > MAX_README_LINES:
            yield f"{folder}/README.md: more than {MAX_README_LINES} lines"
        files = {each.name for each in path.parent.iterdir() if each.suffix in (".c", ".h")}
        missing = set(files)
        for row in re.findall(r"^\| ([^|]+) \|", text.partition("\n| file | contents |\n")[2], re.M):
            for pattern in row.replace("\\*", "*").split(", ") if not row.startswith("---") else []:
                found = {each for each in files if fnmatch.fnmatch(each, pattern) or fnmatch.fnmatch(each, re.sub(r"c$", "h", pattern))}
                if not found:
                    yield f"{folder}/README.md: there is no {pattern}"
                elif not found <= missing:
                    yield f"{folder}/README.md: {pattern} is in two rows"
                missing -= found
        if missing:
            yield f"{folder}/README.md: no {', '.join(sorted(missing))}"


def check_libraries():
    """Only the wrapper of a library includes its headers."""
    for name, path in c_sources():
        for line, quote, header in includes(path):
            places = LIBRARIES.get(header.split("/")[0])
            if quote == "<" and places is not None and not name.startswith(tuple(places)):
                yield f"{name}:{line}: <{header}> is only for {', '.join(places)}"


def check_forbidden():
    """No call of a forbidden function."""
    for name, path in c_sources():
        text = without_comments(path.read_text())
        for pattern, advice in FORBIDDEN.items():
            if name.startswith(tuple(FORBIDDEN_EXCEPT.get(pattern, ["\0"]))):
                continue
            for match in re.finditer(pattern, text):
                yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group(0)}: {advice}"


def check_threads():
    """Only the files in THREADS start a thread, and each of them does."""
    starting = {name for name, path in c_sources()
                if not name.startswith("tests/") and THREAD.search(without_comments(path.read_text()))}
    for name in sorted(starting - THREADS):
        yield f"{name}: starts a thread; use a GThreadPool"
    for name in sorted(THREADS - starting):
        yield f"tests/lint/source.py: {name} starts no thread"


def definitions(text):
    """The types and the functions that are not static of a C file, without those that macros define."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", "", without_comments(text), flags=re.M)
    yield from re.findall(r"^\}[ \t]*(?:G_GNUC_\w+[ \t]+)?(\w+);", text, re.M)
    yield from re.findall(r"^(?:typedef )?(?:struct|union|enum) _?(\w+)\s*\{", text, re.M)
    for head, name in re.findall(r"^(\w[^\n;{}()=]*)\n(\w+) \([^;{}]*\)\n\{", text, re.M):
        if "static" not in head.split():
            yield name


def check_names_are_unique():
    """No public type or function is defined twice. Tests may replace functions of the program that they test."""
    found = {}
    for name, path in c_sources():
        for definition in set(definitions(path.read_text())):
            found.setdefault((name.startswith("tests/"), definition), []).append(name)
    for (_, definition), names in sorted(found.items()):
        is_public = definition.lower().startswith("kvsql") or definition.islower() or any(name.endswith(".h") for name in names)
        if len(names) > 1 and is_public and definition not in DEFINED_IN_EACH_PROGRAM:
            yield f"{definition} is defined in {', '.join(names)}"


def check_headers_are_guarded():
    """Every header begins its code with #pragma once."""
    for name, path in c_sources():
        if name.endswith(".h") and "#pragma once" not in path.read_text():
            yield f"{name}: no #pragma once"


def check_config_first():
    """config.h is the first include of every C file, as it sets macros for the system headers."""
    for name, path in c_sources():
        if name.endswith(".c") and not name.startswith(("tests/", "docs/")):
            first = next(includes(path), (0, "", ""))
            if first[2] != "config.h":
                yield f"{name}: the first include is not \"config.h\""


def check_no_config_shadow():
    """A folder's own config.h would hide autoconf's from the files of that folder."""
    for name, _ in c_sources():
        if name.endswith("/config.h"):
            yield f"{name}: hides autoconf's config.h"


def check_results_are_used():
    """The compiler reports a caller that ignores FALSE. A function with "fail" in its name only sets an error. Callers of libkvsql
    decide for themselves."""
    prototype = re.compile(r"^gboolean\s+(\w+)\s*\([^;{}]*?GError \*\*\w+\)\s*([^;]*);", re.M)
    for name, path in c_sources():
        if not name.endswith(".h") or name.startswith("client/kvsql"):
            continue
        for function, attributes in prototype.findall(without_comments(path.read_text())):
            if "_fail" not in function and "G_GNUC_WARN_UNUSED_RESULT" not in attributes:
                yield f"{name}: {function}() lacks G_GNUC_WARN_UNUSED_RESULT"


def check_licence():
    """Every source has its licence in its first lines."""
    for name, path in sources():
        if not name.endswith((".c", ".h", ".py", ".sh")):
            continue
        head = path.read_text(errors="replace").splitlines()[:3]
        if not any("SPDX-License-Identifier: LGPL-2.1-or-later" in line for line in head):
            yield f"{name}: no SPDX line at its top"


def check_length():
    """No file is longer than MAX_LINES, but for facts that generate.py has written down."""
    for name, path in c_sources():
        text = path.read_text()
        lines = text.count("\n")
        if lines > MAX_LINES and "Written by generate.py." not in text[:500]:
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
    """No list of a Makemodule.am has a file twice, as after a merge."""
    for path in sorted(TOP.rglob("Makemodule.am")):
        name = path.relative_to(TOP)
        if name.parts[0].startswith("_build"):
            continue
        for line in path.read_text().replace("\\\n", " ").splitlines():
            words = re.findall(r"%D%/\S+", line) if re.match(r"[\w%]+ *\+?=", line) else []
            for word in sorted({word for word in words if words.count(word) > 1}):
                yield f"{name}: {word} is twice in one list"


def check_tests_are_run():
    """Every test function of a Python program is in the list of its tests. In C, the compiler reports an unused function."""
    for name, path in sources():
        text = path.read_text() if name.endswith(".py") else ""
        if "globals()" in text:
            continue
        for function in re.findall(r"^def (test_\w+)", text, re.M):
            if len(re.findall(rf"\b{function}\b", text)) < 2:
                yield f"{name}: {function} is in no list of tests"


def documents():
    for pattern in ["*.md", "NEWS", "docs/*.md"] + [f"{folder}/**/*.md" for folder in FOLDERS]:
        yield from sorted(TOP.glob(pattern))


def check_documents_are_narrow():
    """No line of a document, in tables and examples too, has more than MAX_COLUMNS characters."""
    for path in documents():
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if len(line) > MAX_COLUMNS:
                yield f"{path.relative_to(TOP)}:{number}: line of {len(line)} columns; at most {MAX_COLUMNS}"


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
    """kvsql.thrift uses only what every language's generator supports."""
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
    return tap.report("/lint", tap.checks_of(globals()))


if __name__ == "__main__":
    sys.exit(main())
