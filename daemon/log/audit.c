/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * audit.c: see audit.h.
 */
#include "config.h"

#include "daemon/log/audit.h"

#define NOTICE "5" /* the priority in the journal */
#define MAX_FIELDS 10

static gint is_on;

void
kvsqld_audit_set_enabled (gboolean is_enabled)
{
  g_atomic_int_set (&is_on, is_enabled);
}

gboolean
kvsqld_audit_is_enabled (void)
{
  return g_atomic_int_get (&is_on);
}

static void
add (GLogField *fields, gsize *n, const gchar *key, const gchar *value)
{
  if (value != NULL)
    fields[(*n)++] = (GLogField){ .key = key, .value = value, .length = -1 };
}

void
kvsqld_audit (const KvsqldAuditLine *line)
{
  static const gchar *const events[]
      = { [KVSQLD_AUDIT_LOG_IN] = "log-in",       [KVSQLD_AUDIT_DEFINITION] = "definition",
          [KVSQLD_AUDIT_ROLE] = "role",           [KVSQLD_AUDIT_RIGHT] = "right",
          [KVSQLD_AUDIT_OPERATION] = "operation", [KVSQLD_AUDIT_TABLE] = "table",
          [KVSQLD_AUDIT_REFUSED] = "refused" };
  const gchar *event = events[line->event];
  const gchar *outcome = line->sqlstate != NULL ? line->sqlstate : "ok";
  g_autofree gchar *message = NULL;
  GLogField fields[MAX_FIELDS];
  gsize n = 0;

  if (!kvsqld_audit_is_enabled ())
    return;
  message = g_strdup_printf ("audit: %s %s by %s%s%s", event, outcome,
                             line->role != NULL ? line->role : "an unknown client",
                             line->statement != NULL ? ": " : "",
                             line->statement != NULL ? line->statement : "");
  add (fields, &n, "MESSAGE", message);
  add (fields, &n, "MESSAGE_ID", KVSQLD_MESSAGE_AUDIT);
  add (fields, &n, "PRIORITY", NOTICE);
  add (fields, &n, "GLIB_DOMAIN", G_LOG_DOMAIN);
  add (fields, &n, "SYSLOG_IDENTIFIER", "kvsqld");
  add (fields, &n, "KVSQL_AUDIT", event);
  add (fields, &n, "KVSQL_OUTCOME", outcome);
  add (fields, &n, "KVSQL_ROLE", line->role);
  add (fields, &n, "KVSQL_PEER", line->peer);
  add (fields, &n, "KVSQL_STATEMENT", line->statement);
  g_log_structured_array (G_LOG_LEVEL_MESSAGE, fields, n);
}
