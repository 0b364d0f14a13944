/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * audit.h: the audit log: log-ins, refused statements, changes of definitions, roles and rights,
 * and reads of tables of the store by their names, each with its role.
 *
 * Its lines are those of log.h, with the message id KVSQLD_MESSAGE_AUDIT and fields of their own
 * (KVSQL_AUDIT, KVSQL_ROLE, KVSQL_OUTCOME, KVSQL_STATEMENT). They are written at each log level,
 * and none is left out. They have no values of statements, and so no passwords; names of
 * tables are shown.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_MESSAGE_AUDIT "5f3a0c0e6d0b4d6f9a0c6f2d1f6b7a0b"

typedef enum
{
  KVSQLD_AUDIT_NOTHING, /* no event */
  KVSQLD_AUDIT_LOG_IN,
  KVSQLD_AUDIT_DEFINITION,
  KVSQLD_AUDIT_ROLE,
  KVSQLD_AUDIT_RIGHT,
  KVSQLD_AUDIT_OPERATION, /* KILL, BACKUP */
  KVSQLD_AUDIT_TABLE,     /* SHOW TABLES, TABLE 't' */
  KVSQLD_AUDIT_REFUSED,
} KvsqldAuditEvent;

typedef struct
{
  KvsqldAuditEvent event;
  const gchar *role;      /* nullable: not known */
  const gchar *peer;      /* nullable: the daemon itself */
  const gchar *statement; /* nullable: without its values */
  const gchar *sqlstate;  /* nullable: it has succeeded */
} KvsqldAuditLine;

/* off: nothing is written. */
void kvsqld_audit_set_enabled (gboolean is_enabled);
gboolean kvsqld_audit_is_enabled (void);

void kvsqld_audit (const KvsqldAuditLine *line);

G_END_DECLS
