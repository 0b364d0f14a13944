/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role-usage.h: what each role uses of this daemon, for the limits of roles.
 *
 * A session joins the role that has logged in at its first statement, and leaves it at its end. So
 * a limit is compared with a counter, however many sessions and statements there are.
 *
 * Threads: any thread may call all functions.
 */
#pragma once

#include "core/store/usage.h"

G_BEGIN_DECLS

typedef struct _KvsqldRoleUsages KvsqldRoleUsages;

typedef struct
{
  gchar *name; /* of the role */
  KvsqldRoleUsages *all;
  guint n_sessions;      /* under the lock of the table */
  KvsqlCount n_running;  /* statements */
  KvsqlAccount *account; /* of its statements, cursors and prepared statements */
} KvsqldRoleUsage;

/* @account: the parent of the roles' accounts */
KvsqldRoleUsages *kvsqld_role_usages_new (KvsqlAccount *account);
void kvsqld_role_usages_free (KvsqldRoleUsages *self); /* accepts NULL; no session may be left */

/* Adds a session to those of @role. NULL: there are @max_sessions already; -1: no limit. */
KvsqldRoleUsage *kvsqld_role_usages_join (KvsqldRoleUsages *self, const gchar *role,
                                          gint64 max_sessions);
void kvsqld_role_usage_leave (KvsqldRoleUsage *self); /* accepts NULL */

G_END_DECLS
