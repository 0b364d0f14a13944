#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes man/kvsql.h.3 from the comments of the headers of libkvsql and from man/kvsql.h.3.in.

Usage: man/generate.py

The template is roff. A line that begins with "@" is replaced:

  @header FILE           the comment at the top of that header
  @reference FILE TITLE  that comment, and all blocks of the header
  @members ENUM          the members of an enum
  @code FILE             a C file, without its first comment

A block is a comment like those of GObject: the name, "@parameter: text", paragraphs, "Returns: text"
and "Since: version". In a text, %NAME is a constant, #Name a type, @name a parameter, name() a
function and `text` code. A paragraph whose lines are all indented is code.
"""

import os
import pathlib
import re
import sys

TOP = pathlib.Path(os.environ.get("top_srcdir", pathlib.Path(__file__).resolve().parent.parent)).resolve()
TEMPLATE = "man/kvsql.h.3.in"
PAGE = "man/kvsql.h.3"
WIDTH = 70  # columns of a prototype in a terminal of 80

# Texts of parameters that are the same everywhere. The page does not repeat them.
COMMON_PARAMETERS = [
    r"an? (connection|statement|result|bulk|list|info|error)", "from 0", "a #GCancellable", "return location, or %NULL",
    "called in the caller's main context when the call has finished", "for @callback", "the argument of the callback",
]
# Returned type -> the function that frees it. All other objects are freed by g_object_unref().
FREED_BY = {"gchar": "g_free()", "GPtrArray": "g_ptr_array_unref()", "KvsqlParams": "kvsql_params_unref()",
            "KvsqlServerInfo": "kvsql_server_info_unref()"}
# First words of a paragraph, which the page prints in bold.
LABELS = re.compile("(Arguments|Asynchronous forms|Blocking|Errors|Kinds|Memory|Options of a URI|Ownership|Retries|"
                    "The errors of a call|Threads|Types|Units|URIs): ")


class Block:
    """One documented name."""

    def __init__(self, comment, declaration):
        self.parameters = {}  # name -> (annotations, text)
        self.paragraphs = []  # lists of lines
        self.returns = None   # (annotations, text)
        self.since = None
        self.last = ""        # the label of the last paragraph
        self.declaration = declaration
        lines = comment.split("\n")
        self.name = lines[0].rstrip(":")
        for paragraph in paragraphs_of(lines[1:]):
            self.add(paragraph)
        self.kind, self.prototype = kind_of(self.name, declaration)

    def add(self, lines):
        if lines[0].startswith("@") and not self.paragraphs:
            name = None
            for line in lines:
                match = re.match(r"@(\w+): ?(.*)$", line)
                if match:
                    name = match.group(1)
                    self.parameters[name] = match.group(2)
                else:
                    self.parameters[name] += " " + line.strip()
            self.parameters = {name: annotations_of(text) for name, text in self.parameters.items()}
        elif lines[0].startswith("Returns: "):
            self.returns = annotations_of(join(lines)[len("Returns: "):])
            self.last = "Returns"
        elif lines[0].startswith("Since: "):
            self.since = join(lines)[len("Since: "):]
            self.last = "Since"
        else:
            self.paragraphs.append(lines)
            self.last = ""

    @property
    def type(self):
        """The type that a function returns."""
        return re.match(r"(.*?)\s*\b" + self.name, self.prototype).group(1)

    @property
    def arguments(self):
        """The names of a function's arguments."""
        inner = self.prototype[self.prototype.index("(") + 1:self.prototype.rindex(")")]
        return [] if inner in ("void", "") else [re.search(r"(\w+)$", each).group(1) for each in inner.split(", ")]

    @property
    def members(self):
        """The names of an enum's members."""
        return re.findall(r"^\s+(\w+) =", self.declaration, re.M)


def paragraphs_of(lines):
    """The paragraphs of a comment, as lists of lines. Code that follows a text is a paragraph."""
    found = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [each for each in found if each]


def join(lines):
    return " ".join(line.strip() for line in lines)


def annotations_of(text):
    match = re.match(r"((?:\([^()]*\) ?)*)(?::\s*)?(.*)$", text, re.S)
    return re.findall(r"\(([^()]*)\)", match.group(1)), match.group(2).strip()


def kind_of(name, declaration):
    """What a declaration declares, and its text on one line."""
    line = re.sub(r"\s+", " ", declaration).strip()
    if line.startswith("#define"):
        return "macro", declaration.split("\n")[0]
    if line.startswith("typedef enum"):
        return "enum", f"enum {name}"
    if line.startswith("typedef struct"):
        return "type", f"typedef struct _{name} {name};"
    if line.startswith("G_DECLARE_FINAL_TYPE"):
        return "function", f"GType {name} (void);"
    return "function", re.sub(r" G_GNUC_\w+(?: \([^()]*\))?", "", line.partition(";")[0]) + ";"


def comment_lines(comment):
    return "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip("\n").split("\n"))


def read_header(name):
    """The first comment of a header, without its licence, and its blocks."""
    text = (TOP / "client" / name).read_text()
    top = comment_lines(re.match(r"/\*(.*?)\n \*/", text, re.S).group(1))
    blocks = [Block(comment_lines(match.group(1)), match.group(2))
              for match in re.finditer(r"^/\*\*\n(.*?)\n \*/\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)]
    return paragraphs_of(top.split("\n"))[1:], blocks


def headers():
    return sorted(path.name for path in (TOP / "client").glob("kvsql*.h"))


# ---- roff

def escape(text, is_code=False):
    text = text.replace("\\", "\\e")
    if is_code:
        text = text.replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    text = text.replace("…", "...")
    return "".join(each if ord(each) < 128 else f"\\[u{ord(each):04X}]" for each in text)


def bold(text):
    return f"\\fB{escape(text, True)}\\fP"


def italic(text):
    return f"\\fI{escape(text, True)}\\fP"


def whole(text):
    """A font change and a word that is not hyphenated. Long ones may be broken before "[" and "&"."""
    return "\\%" + re.sub(r"(?<=\w)([\[,&])", r"\\:\1", text) if "://" in text else "\\%" + text


MARKUP = re.compile(r"`([^`]+)`|%(\w+)|#(\w+)|(?<!\w)@(\w+)|\b(\w+) ?\(\)|(?<![\w.-])(-1)\b")


def inline(text):
    """A text with its markup as roff."""
    parts, at = [], 0
    for match in MARKUP.finditer(text):
        code, constant, type_name, parameter, function, minus = match.groups()
        parts.append(escape(text[at:match.start()]))
        if code or constant:
            parts.append(whole(bold(code or constant)))
        elif type_name or parameter:
            parts.append(whole(italic(type_name or parameter)))
        elif function:
            parts.append(whole(bold(function)) + "()")
        else:
            parts.append(escape(minus, True))
        at = match.end()
    return "".join(parts + [escape(text[at:])])


def sentences(text):
    """One line of roff for each sentence; none of them is a request."""
    for line in re.split(r"(?<=[.:])\s+(?=[A-Z%#@`\"])", text):
        line = inline(line)
        yield "\\&" + line if line.startswith((".", "'")) else line


def capital(text):
    """A text that begins with a capital letter, if its first word is not a name."""
    return text if re.match(r"\w+[_(]|kvsqld\b|libkvsql\b", text) else text[0].upper() + text[1:]


def sentence(text):
    return capital(text) + ("" if text.endswith(".") else ".")


def paragraph(lines):
    if all(line.startswith("  ") for line in lines):
        return [".PP", ".RS 4", ".nf"] + [escape(line[2:], True) for line in lines] + [".fi", ".RE"]
    text = join(lines)
    label = LABELS.match(text)
    if not label:
        return [".PP"] + list(sentences(text))
    return [".PP", f"\\fB{label.group(1)}:\\fP"] + list(sentences(capital(text[label.end():])))


def wrapped(block):
    """A prototype in lines of at most WIDTH columns."""
    head, _, inner = block.prototype.partition(" (")
    arguments = [f"{each}," for each in inner.rpartition(")")[0].split(", ")]
    arguments[-1] = f"{arguments[-1][:-1]});"
    lines = [f"{head} ("]
    indent = len(lines[0])
    if indent + max(map(len, arguments)) > WIDTH:
        indent = 8
        lines.append(" " * indent)
    for each in arguments:
        if not lines[-1].endswith(("(", " ")):
            if len(lines[-1]) + 1 + len(each) > WIDTH:
                lines.append(" " * indent)
            else:
                lines[-1] += " "
        lines[-1] += each
    return lines


def prototype(block):
    lines = wrapped(block) if block.kind == "function" else [block.prototype]
    names = block.arguments if block.kind == "function" else []
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        parts = re.split(rf"\b({'|'.join(names)})(?=[,)])", line.strip()) if names else [line.strip()]
        text = "".join(italic(part) if number % 2 else bold(part) if part else "" for number, part in enumerate(parts))
        yield " " * indent + text


def is_common(text):
    return any(re.fullmatch(pattern, text) for pattern in COMMON_PARAMETERS)


def list_of(parameters, is_member):
    for name, (annotations, text) in parameters.items():
        if is_common(text):
            continue
        yield ".TP"
        yield bold(name) if is_member else italic(name)
        yield from sentences(sentence(text))


def ownership(block):
    if "transfer full" not in block.returns[0]:
        return ""
    return f" Free it with {FREED_BY.get(re.sub(r'const|[ *]', '', block.type), 'g_object_unref()')}."


def returned(block):
    yield ".PP"
    yield "\\fBReturns:\\fP"
    yield from sentences(sentence(block.returns[1]) + ownership(block))


def entry(block, shown_elsewhere):
    yield from [".PP", ".nf"]
    yield from prototype(block)
    yield from [".fi", ".RS 4"]
    body = paragraph(block.paragraphs[0])
    if block.kind == "function":
        body += list_of(block.parameters, False)
    for lines in block.paragraphs[1:]:
        body += paragraph(lines)
    if block.kind == "enum":
        body += [".PP", "See ERRORS."] if block.name in shown_elsewhere else list_of(block.parameters, True)
    if block.returns:
        body += returned(block)
    yield from body[1:] if body[0] == ".PP" else body
    yield ".RE"


def page():
    """The text of the manual page."""
    template = (TOP / TEMPLATE).read_text()
    elsewhere = re.findall(r"^@members (\w+)$", template, re.M)
    blocks = {block.name: block for name in headers() for block in read_header(name)[1]}
    out = ['.\\" SPDX-License-Identifier: LGPL-2.1-or-later',
           f'.\\" Written by man/generate.py from client/kvsql*.h and {TEMPLATE}: change those.']
    for line in template.rstrip("\n").split("\n"):
        word, _, rest = line.partition(" ")
        if word in ("@header", "@reference"):
            name, _, title = rest.partition(" ")
            paragraphs, documented = read_header(name)
            # The first paragraph only names the header.
            lines = [each for lines in paragraphs[1:] for each in paragraph(lines)]
            if title:
                for block in documented:
                    if not block.name.endswith("_get_type"):
                        lines += entry(block, elsewhere)
                lines[0] = f".SS {title} ({name})"
            out += lines
        elif word == "@members":
            out += list_of(blocks[rest].parameters, True)
        elif word == "@code":
            text = (TOP / rest).read_text().partition("*/\n")[2].rstrip("\n")
            out += [".PP", ".nf"] + ["\\&" + escape(each, True) if each.startswith((".", "'")) else escape(each, True)
                                     for each in text.split("\n")] + [".fi"]
        else:
            out.append(line)
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) > 1:
        sys.exit(__doc__.strip())
    (TOP / PAGE).write_text(page())


if __name__ == "__main__":
    main()
