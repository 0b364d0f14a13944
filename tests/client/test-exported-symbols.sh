#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# libkvsql exports the names of its map, the map contains the functions of its headers, and no symbol of Thrift is exported.
set -eu

library=$top_builddir/.libs/libkvsql.so
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

sed -n 's/^  \(kvsql_[a-z0-9_]*\);$/\1/p' "$top_srcdir/client/libkvsql.map" | sort >"$folder/map"
# Of gold, local symbols are among them, too.
nm -D --defined-only "$library" | awk '$2 !~ /^[Aabdrt]$/ { sub (/@.*/, "", $3); print $3 }' | sort >"$folder/library"
# G_DECLARE_FINAL_TYPE declares a _get_type; comments mention functions as name(), declarations as "name (".
cat "$top_srcdir"/client/kvsql.h "$top_srcdir"/client/kvsql-*.h >"$folder/headers"
{
  grep -oE '\bkvsql_[a-z0-9_]+ \(' "$folder/headers" | tr -d ' ('
  sed -n 's/^G_DECLARE_FINAL_TYPE ([A-Za-z]*, \([a-z_]*\),.*/\1_get_type/p' "$folder/headers"
} | sort -u >"$folder/declared"

failures=0
# same NUMBER NAME WANT HAVE
same ()
{
  if difference=$(diff "$folder/$3" "$folder/$4"); then
    echo "ok $1 /client/symbols/$2"
  else
    echo "$difference" | sed 's/^/# /'
    echo "not ok $1 /client/symbols/$2"
    failures=$((failures + 1))
  fi
}

echo 1..3
same 1 library-exports-the-map map library
same 2 map-names-the-headers declared map
if grep -nE 'thrift|kvsql_rpc|KvsqlRpc|idl/|core/' "$folder/headers" | grep -v 'kvsql.thrift' | sed 's/^/# /' | grep .; then
  echo "not ok 3 /client/symbols/headers-are-self-contained"
  failures=$((failures + 1))
else
  echo "ok 3 /client/symbols/headers-are-self-contained"
fi
exit $((failures > 0))
