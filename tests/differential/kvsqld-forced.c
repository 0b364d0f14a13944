/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsqld-forced.c: a kvsqld whose joins have the method and the memory that the environment says.
 *
 * KVSQL_FORCED_JOIN: lookup, hash, nested-loop or merge, where that is possible.
 * KVSQL_FORCED_JOIN_BYTES: of the rows that each join keeps in memory.
 */
#include "config.h"

#include "core/exec/join.h"
#include "core/plan/join-plan.h"
#include "daemon/daemon.h"

static const gchar *const methods[] = {
  [KVSQL_JOIN_METHOD_CHEAPEST] = "cheapest", [KVSQL_JOIN_METHOD_LOOKUP] = "lookup",
  [KVSQL_JOIN_METHOD_HASH] = "hash",         [KVSQL_JOIN_METHOD_NESTED_LOOP] = "nested-loop",
  [KVSQL_JOIN_METHOD_MERGE] = "merge",
};

int
main (int argc, char **argv)
{
  const gchar *method = g_getenv ("KVSQL_FORCED_JOIN"),
              *bytes = g_getenv ("KVSQL_FORCED_JOIN_BYTES");
  guint m = 0;

  while (method != NULL && g_strcmp0 (method, methods[m]) != 0)
    if (++m == G_N_ELEMENTS (methods))
      {
        g_printerr ("KVSQL_FORCED_JOIN: no method \"%s\"\n", method);
        return 2;
      }
  kvsql_join_forced_method = m;
  if (bytes != NULL)
    kvsql_join_forced_bytes = g_ascii_strtoull (bytes, NULL, 10);
  return kvsqld_daemon_main (argc, argv);
}
