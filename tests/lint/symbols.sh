#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The archives use only the libraries of their layer. Headers of other libraries are in the default include path,
# so only the undefined symbols prove which libraries the engine and the client use.
set -eu

count=0
failures=0

# uses NAME ARCHIVE PATTERN: fails if the archive needs a symbol that matches.
uses ()
{
  count=$((count + 1))
  archive=$top_builddir/.libs/$2
  test -f "$archive" || archive=$top_builddir/$2
  if ! test -f "$archive"; then
    echo "not ok $count /lint/symbols/$1"
    echo "# $2 is not built"
    failures=$((failures + 1))
    return
  fi
  found=$(nm -u "$archive" 2>/dev/null | awk '$1 == "U" { print $2 }' | grep -E "$3" | sort -u || true)
  if test -n "$found"; then
    echo "not ok $count /lint/symbols/$1"
    echo "$found" | sed 's/^/# needs /'
    failures=$((failures + 1))
  else
    echo "ok $count /lint/symbols/$1"
  fi
}

echo 1..4
uses core-names-no-server libkvsql-core.a '^(thrift_|rocksdb_|zoo_|zookeeper_|zerror|sd_|kvsqld_|kvsql_rpc_)'
uses core-opens-no-socket libkvsql-core.a '^(socket|connect|bind|listen|accept4?|g_socket_.*|g_tcp_.*)$'
uses core-starts-no-thread libkvsql-core.a '^(pthread_create|g_thread_new|g_thread_try_new|g_thread_pool_new.*|g_task_run_in_thread.*)$'
uses wire-names-no-engine libkvsql-idl.a '^(kvsqld_|rocksdb_|zoo_|zookeeper_)'
exit $((failures > 0))
