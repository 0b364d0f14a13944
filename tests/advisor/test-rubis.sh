#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The advice for the statements of RUBiS is as in rubis.expected, in all mixes and at some limits.
# KVSQL_UPDATE_GOLDEN=1 writes that file.
set -eu

program=$top_builddir/kvsqlctl
workload=$top_srcdir/tests/advisor/rubis.workload
expected=$top_srcdir/tests/advisor/rubis.expected
found=$(mktemp)
trap 'rm -f "$found"' EXIT

# advise OPTION...: the cost, and each schema on a line
advise ()
{
  echo "== $*"
  "$program" advise --offline --workload "$workload" --cost-model nose --format json "$@" | python3 -c '
import json, sys
advice = json.load(sys.stdin)
print("cost %.9f, %d bytes, gap %g" % (advice["cost"], advice["bytes"], advice["gap"]))
for schema in advice["schemas"]:
    print("%s %s: %s -> %s; %s" % ("PRIMARY" if schema["primary"] else "       ", schema["relation"], ", ".join(schema["row"]),
                                   ", ".join(schema["value"]), ", ".join(map(str, schema["statements"]))))'
}

{
  advise --mix browsing
  advise --mix bidding
  advise --mix write_medium
  advise --mix write_heavy
  advise --mix bidding --storage-limit 45MB
  advise --mix bidding --max-schemas 1
} >"$found"

echo 1..1
if test -n "${KVSQL_UPDATE_GOLDEN:-}"; then
  cp "$found" "$expected"
fi
if diff -u "$expected" "$found" | sed 's/^/# /' | grep .; then
  echo "not ok 1 /advisor/rubis"
  exit 1
fi
echo "ok 1 /advisor/rubis"
