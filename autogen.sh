#!/bin/sh
# Generates the build system. With arguments, or CONFIGURE=1, it also runs ./configure.
set -e
srcdir=$(dirname "$0")
(cd "$srcdir" && autoreconf --force --install)
if test $# -gt 0 || test -n "$CONFIGURE"; then exec "$srcdir/configure" "$@"; fi
