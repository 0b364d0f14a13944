#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every C file has the format of clang-format 14.
set -eu

echo 1..1
formatter=
for candidate in clang-format-14 clang-format; do
  if command -v "$candidate" >/dev/null && "$candidate" --version | grep -q 'version 14\.'; then
    formatter=$candidate
    break
  fi
done
if test -z "$formatter"; then
  echo "ok 1 /lint/format # SKIP clang-format 14 is not installed"
  exit 0
fi
cd "$top_srcdir"
if ! test -f .clang-format; then
  echo "ok 1 /lint/format # SKIP this tree has no .clang-format"
  exit 0
fi

if ! found=$(find core daemon client idl tests docs -name '*.[ch]' -not -path '*/gen-c_glib/*' |
    xargs "$formatter" --style=file --dry-run -Werror 2>&1); then
  echo "$found" | sed 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/not formatted: \1/' | grep -v '^[ ^]' | sort -u | sed 's/^/# /'
  echo "not ok 1 /lint/format"
  exit 1
fi
echo "ok 1 /lint/format"
