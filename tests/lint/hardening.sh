#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The installed programs are hardened as configure has decided: stack protector, checked buffers, and relocations that
# are complete and read-only before the first statement.
set -eu

count=0
failures=0

say ()
{
  count=$((count + 1))
  if test "$1" = yes; then
    echo "ok $count /lint/hardening/$2"
  else
    echo "not ok $count /lint/hardening/$2"
    failures=$((failures + 1))
  fi
}

# has TEXT PATTERN: yes or no
has ()
{
  if printf '%s\n' "$1" | grep -Eq "$2"; then echo yes; else echo no; fi
}

if ! command -v readelf >/dev/null; then
  echo "1..0 # SKIP readelf is not installed"
  exit 0
fi
if ! grep -q '^#define KVSQL_HARDENED 1' "$top_builddir/config.h"; then
  echo "1..0 # SKIP this build has sanitizers"
  exit 0
fi
flags=$(sed -n 's/^HARDEN_[A-Z]* = //p' "$top_builddir/Makefile")
is_optimized=$(sed -n 's/^CFLAGS = //p' "$top_builddir/Makefile")
for name in kvsqld kvsqlctl libkvsql.so; do
  file=$top_builddir/.libs/$name
  test -f "$file" || file=$top_builddir/$name
  dynamic=$(readelf -d "$file")
  segments=$(readelf -lW "$file")
  symbols=$(readelf --dyn-syms -W "$file")
  case $flags in *-z,now*) say "$(has "$dynamic" 'BIND_NOW|Flags:.*NOW')" "$name/bind-now" ;; esac
  case $flags in *-z,relro*) say "$(has "$segments" GNU_RELRO)" "$name/relro" ;; esac
  case $flags in *-fstack-protector*) say "$(has "$symbols" __stack_chk_fail)" "$name/stack-protector" ;; esac
  case $is_optimized in *-O[123s]*) say "$(has "$symbols" '__[a-z]+_chk')" "$name/fortify" ;; esac
done
echo "1..$count"
exit "$failures"
