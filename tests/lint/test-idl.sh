#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Rules for kvsql.thrift that avoid bugs of Thrift's c_glib, and a check that the setup lists every generated type. Each
# rule is also tested with a file that violates it.
set -eu

idl=$top_srcdir/idl/kvsql.thrift
setup=$top_srcdir/idl/wire/thrift-setup.c
generated=$top_builddir/idl/gen-c_glib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failures=0

# The text without comments.
code ()
{
  sed -e 's|//.*||' "$1" | awk '
    { while (match ($0, /\/\*([^*]|\*[^\/])*\*\//)) $0 = substr ($0, 1, RSTART - 1) substr ($0, RSTART + RLENGTH)
      if (inside) { if (!match ($0, /\*\//)) next; $0 = substr ($0, RSTART + 2); inside = 0 }
      if (match ($0, /\/\*/)) { $0 = substr ($0, 1, RSTART - 1); inside = 1 }
      print }'
}

# Every rule prints its violations.
one_namespace ()
{
  n=$(code "$1" | grep -c '^namespace c_glib ') || true
  test "$n" -eq 1 || echo "$n namespaces for c_glib"
  code "$1" | grep '^namespace c_glib ' | grep -v '^namespace c_glib \([A-Z][a-z0-9]*\)*[ ;]*$' || true
}

field_ids ()
{
  code "$1" | grep -o '[0-9][0-9]*:' | tr -d : | awk '$1 < 1 || $1 > 63 { print "field id " $1 }'
}

no_maps_or_sets ()
{
  code "$1" | grep -nE '\<(map|set) *<' || true
}

no_extends_or_oneway ()
{
  code "$1" | grep -nE '\<(extends|oneway|typedef)\>' || true
}

# Lists of enums, and lists in lists.
no_lists_of_those ()
{
  enums=$(code "$1" | sed -n 's/^enum *\([A-Za-z0-9_]*\).*/\1/p' | paste -sd'|')
  code "$1" | grep -nE "list *< *(list|${enums:-none}) *[<>]" || true
}

# A struct uses only structs that are defined before it, so no struct is recursive.
no_recursion ()
{
  code "$1" | awk '
    /^(struct|union|exception) / { name = $2; inside = 1; next }
    /^}/ { if (inside) known[name] = 1; inside = 0 }
    inside && match ($0, /[0-9]+: *(required|optional)? *[A-Za-z0-9<>]+/) {
      type = substr ($0, RSTART, RLENGTH)
      sub (/^[0-9]+: *(required|optional)? */, "", type); sub (/^list</, "", type); sub (/>.*/, "", type)
      if (type !~ /^(bool|byte|i8|i16|i32|i64|double|string|binary)$/ && !(type in known)) print name " names " type
    }'
}

# Fields of structs are required or optional; fields of unions are neither.
requiredness ()
{
  code "$1" | awk '
    /^(struct|exception) / { inside = 1; next }
    /^}/ { inside = 0 }
    inside && /[0-9]+:/ && !/[0-9]+: *(required|optional) / { print $0 }'
}

# Names that generated C does not compile with.
no_clashing_names ()
{
  code "$1" | grep -nE '[ >](protocol|error|iface|parent|cseqid|return_value|result_struct) *[,;)=]?$|[ >](protocol|error|iface|parent|cseqid|return_value|result_struct) *[,;)=]' || true
  code "$1" | grep -oE 'throws *\([^)]*\)' | grep -E '[0-9]+: *[A-Za-z]+ +[a-z]+[A-Z]' || true
}

check ()
{
  count=$((count + 1))
  found=$("$1" "$2")
  if test -z "$found"; then
    echo "ok $count /lint/idl/$1"
  else
    echo "not ok $count /lint/idl/$1"
    echo "$found" | sed 's/^/# /'
    failures=$((failures + 1))
  fi
}

# catches RULE TEXT: the rule sees TEXT.
catches ()
{
  count=$((count + 1))
  printf 'namespace c_glib KvsqlRpc\nenum Colour {\n  RED = 1\n}\n%b\n' "$2" > "$work/bad.thrift"
  if test -n "$("$1" "$work/bad.thrift")"; then
    echo "ok $count /lint/idl/$1/catches"
  else
    echo "not ok $count /lint/idl/$1/catches"
    failures=$((failures + 1))
  fi
}

check_types ()
{
  count=$((count + 1))
  grep -ho 'kvsql_rpc_[a-z0-9_]*_get_type' "$generated"/*.h | sort -u > "$work/generated"
  grep -o 'kvsql_rpc_[a-z0-9_]*_get_type' "$setup" | sort -u > "$work/known"
  if test -s "$work/generated" && cmp -s "$work/generated" "$work/known"; then
    echo "ok $count /lint/idl/setup-knows-every-type"
  else
    echo "not ok $count /lint/idl/setup-knows-every-type"
    diff "$work/generated" "$work/known" | sed 's/^/# /' || true
    failures=$((failures + 1))
  fi
}

echo 1..17
for rule in one_namespace field_ids no_maps_or_sets no_extends_or_oneway no_lists_of_those no_recursion requiredness no_clashing_names; do
  check "$rule" "$idl"
done
catches one_namespace 'namespace c_glib Other'
catches field_ids 'struct S {\n  64: optional i32 a\n}'
catches no_maps_or_sets 'struct S {\n  1: optional map<string, string> a\n}'
catches no_extends_or_oneway 'service T extends Sql {\n}'
catches no_lists_of_those 'struct S {\n  1: optional list<Colour> a\n}'
catches no_recursion 'struct S {\n  1: optional list<S> a\n}'
catches requiredness 'struct S {\n  1: i32 a\n}'
catches no_clashing_names 'struct S {\n  1: optional string error\n}'
check_types
exit $((failures > 0))
