/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cancel.h: CancelRequest: a client cancels the statement of its session on another connection, by
 * the secret that it got at the start.
 *
 * Threads: any; a lock guards the table. The lock of a session is acquired under it.
 */
#pragma once

#include "daemon/session/activity.h"

G_BEGIN_DECLS

typedef struct _KvsqldPgCancels KvsqldPgCancels;

/* A member of the session. */
typedef struct
{
  guint32 process_id; /* what PostgreSQL calls so: a number of the session */
  guint32 key;
  KvsqldSession *session; /* borrowed */
  gint is_cancelled;      /* atomic: set by a request, cleared when answers begin */
} KvsqldPgCancel;

KvsqldPgCancels *kvsqld_pg_cancels_new (void);
void kvsqld_pg_cancels_free (KvsqldPgCancels *self); /* it must be empty; accepts NULL */

/* Sets all members of @entry, with a random key. */
void kvsqld_pg_cancels_add (KvsqldPgCancels *self, KvsqldPgCancel *entry, KvsqldSession *session);
void kvsqld_pg_cancels_remove (KvsqldPgCancels *self, KvsqldPgCancel *entry);
/* No effect if there is no such session, or if the key is another one. */
void kvsqld_pg_cancels_fire (KvsqldPgCancels *self, guint32 process_id, guint32 key);

G_END_DECLS
