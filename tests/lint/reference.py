#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The reference is complete: the headers of libkvsql, the page kvsql.h(3) made of them, kvsql.thrift."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "man"))
import generate
import tap  # noqa: E402 pylint: disable=wrong-import-position

TOP = generate.TOP


def blocks():
    return [(f"client/{name}", block) for name in generate.headers() for block in generate.read_header(name)[1]]


def public_names(text):
    """The macros, types and functions that a header declares."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    yield from re.findall(r"^#define (\w+)", code, re.M)
    yield from re.findall(r"^typedef struct \w+ (\w+);", code, re.M)
    yield from re.findall(r"^\} (\w+);", code, re.M)
    for name in re.findall(r"^G_DECLARE_FINAL_TYPE \(\w+, (\w+),", code, re.M):
        yield f"{name}_get_type"
    yield from re.findall(r"^\w[\w *]*?\b(kvsql_\w+) \([^;{}]*;", code, re.M)


def check_public_names_have_a_block():
    """Each function of libkvsql.map, and each name that a header declares, has a block of documentation."""
    documented = {block.name for _, block in blocks()}
    exported = re.findall(r"^  (kvsql_\w+);$", (TOP / "client/libkvsql.map").read_text(), re.M)
    for name in sorted(set(exported) - documented):
        yield f"client/libkvsql.map: no header has a block of documentation for {name}"
    for header in generate.headers():
        for name in public_names((TOP / "client" / header).read_text()):
            if name not in documented and name not in exported:
                yield f"client/{header}: {name} has no block of documentation"


def check_blocks_are_complete():
    """A block has a text, all parameters or members in their order, "Returns:" for what is returned, "Since:" at its end."""
    for where, block in blocks():
        where = f"{where}: {block.name}"
        if block.kind == "function" and not re.search(rf"\b{block.name} \(", block.prototype):
            yield f"{where}: the block is not before its declaration"
            continue
        expected = block.arguments if block.kind == "function" else block.members if block.kind == "enum" else []
        if list(block.parameters) != expected:
            yield f"{where}: documents ({', '.join(block.parameters)}), not ({', '.join(expected)})"
        for name, (_, text) in block.parameters.items():
            if not text:
                yield f"{where}: @{name} has no text"
        if not block.paragraphs:
            yield f"{where}: does not say what it does"
        returns = block.kind == "function" and block.type != "void"
        if returns != (block.returns is not None):
            yield f"{where}: {'no' if returns else 'needless'} \"Returns:\""
        if block.since is None or block.last != "Since":
            yield f"{where}: \"Since:\" is not its last line"


def check_ownership_is_stated():
    """A returned pointer is (transfer full) or (transfer none), and a nullable one is marked or says when %NULL is returned."""
    for where, block in blocks():
        if block.kind == "function" and block.returns and block.type.endswith("*"):
            if not any(each.startswith("transfer ") for each in block.returns[0]):
                yield f"{where}: {block.name}: \"Returns:\" has no (transfer …)"
            if "nullable" in block.returns[0] and "%NULL" not in block.returns[1]:
                yield f"{where}: {block.name}: \"Returns:\" does not say when it is %NULL"


# Parameters of public functions that need no check, with the reason.
UNCHECKED = {
    ("kvsql_column_type_get_name", "type"): 'any number is accepted: "UNKNOWN" for one that is not in the enum',
    ("kvsql_bulk_append_text", "type"): "a newer kvsqld has more types: their values are sent as text",
    ("kvsql_params_add_text", "type"): "a newer kvsqld has more types: their values are sent as text",
}
OBJECTS = {"KvsqlConnection": "CONNECTION", "KvsqlStatement": "STATEMENT", "KvsqlResult": "RESULT", "KvsqlBulk": "BULK"}


def definitions():
    """The functions of libkvsql: (file, name) -> (names of parameters, body)."""
    found = {}
    for path in sorted((TOP / "client").glob("*.c")):
        for name, arguments, body in re.findall(r"^(\w+) \(((?:[^{;\n]|\n +)*?)\)\n\{\n(.*?)^\}", path.read_text(), re.M | re.S):
            names = [re.search(r"\w*$", each.strip()).group() for each in arguments.split(",")]
            found[path.name, name] = (names, body)
    return found


def condition_for(type_name):
    """The expression that a check of a parameter contains, with "@" for its name; None if the type needs no check."""
    plain = type_name.removeprefix("const ").removesuffix(" *")
    if type_name == "GError **":
        return r"\(@ == NULL \|\| \*@ == NULL,?"
    if type_name == "GAsyncResult *":
        return r"g_task_is_valid \(@, "
    if plain in OBJECTS:
        return rf"KVSQL_IS_{OBJECTS[plain]} \(@\)"
    if type_name.endswith("*") or type_name == "gconstpointer":
        return r"\b@ != NULL"
    return r"\b@\b" if plain in ("KvsqlColumnType", "KvsqlExplainFlags") else None


def has_check(functions, file, function, parameter, condition):
    """Whether @function checks the parameter, or gives it to a function of its file that checks it."""
    names, body = functions[file, function]
    checks = re.findall(r"g_return(?:_val)?_if_fail (\(.*?\));", body, re.S)
    if any(re.search(condition.replace("@", parameter), each) for each in checks):
        return True
    for callee, arguments in re.findall(r"\b(\w+) \(((?:[^()]|\([^()]*\))*)\)", body):
        given = [each.strip() for each in arguments.split(",")]
        if callee != function and parameter in given and (file, callee) in functions:
            inner = functions[file, callee][0][given.index(parameter)]
            if has_check(functions, file, callee, inner, condition):
                return True
    return False


def check_arguments_are_checked():
    """A public function checks its objects, enums, pointers that are not nullable, and @error (g_return_if_fail)."""
    functions = definitions()
    files = {name: file for file, name in functions}
    unused = set(UNCHECKED)
    for _, block in blocks():
        inner = block.prototype.partition("(")[2].rpartition(")")[0] if block.kind == "function" else "void"
        for number, each in enumerate(inner.split(", ") if inner != "void" else []):
            type_name, name = re.match(r"(.*?) ?(\w+)$", each).groups()
            condition = condition_for(type_name)
            if condition is None or {"nullable", "optional"} & set(block.parameters[name][0]):
                continue
            file = files[block.name]
            defined = functions[file, block.name][0][number] # may have another name than in the header
            if (block.name, name) in UNCHECKED:
                unused.discard((block.name, name))
            elif not has_check(functions, file, block.name, defined, condition):
                yield f"client/{file}: {block.name} does not check @{name}"
    for name, parameter in sorted(unused):
        yield f"tests/lint/reference.py: UNCHECKED: {name} has no @{parameter} that needs a check"


def check_page_is_up_to_date():
    """man/kvsql.h.3 is what man/generate.py writes."""
    if (TOP / generate.PAGE).read_text() != generate.page():
        yield f"{generate.PAGE}: differs from the headers or from {generate.TEMPLATE}: run man/generate.py"


def check_idl_has_comments():
    """Each method, type, field and value of kvsql.thrift has a comment before it. Generators copy it to their code."""
    is_comment = False
    before = ""
    for number, line in enumerate((TOP / "idl/kvsql.thrift").read_text().split("\n"), 1):
        text = line.strip()
        if is_comment or text.startswith("/*"):
            is_comment = not text.endswith("*/")
        elif re.match(r"(struct|union|enum|exception|service) |\w+ = \d|\d+: |[\w<>]+ \w+ \(", text):
            if not before.endswith("*/"):
                yield f"idl/kvsql.thrift:{number}: no comment: {text}"
        before = text


def main():
    return tap.report("/lint/reference", tap.checks_of(globals()))


if __name__ == "__main__":
    sys.exit(main())
