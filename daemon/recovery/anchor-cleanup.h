/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor-cleanup.h: now and then, one of the daemons removes the anchors that no writer needs any
 * more (anchor-pass.h).
 *
 * That is the one with the smallest id of those that may write. If two take themselves for it, they
 * do no harm. A daemon that may not write, or has lost the registry, removes nothing.
 *
 * Threads: a thread of its own; all functions may be called by any thread.
 */
#pragma once

#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqlStorage KvsqlStorage; /* core/write/storage.h */
typedef struct _KvsqldAnchorCleanup KvsqldAnchorCleanup;

typedef struct
{
  gint64 interval_s; /* from the end of a pass to the beginning of the next one; 0: there is none */
  gint64 late_s;     /* late_request_s */
  gint64 grace_s;    /* delete_grace_s */
} KvsqldAnchorTimes;

/* @storage: (borrowed). @definitions: (borrowed). @own_id: of this daemon (holders.h) */
KvsqldAnchorCleanup *kvsqld_anchor_cleanup_new (KvsqlStorage *storage,
                                                KvsqldDefinitions *definitions, guint64 own_id,
                                                const KvsqldAnchorTimes *times);
void kvsqld_anchor_cleanup_free (KvsqldAnchorCleanup *self); /* accepts NULL */

typedef enum
{
  KVSQLD_CLEANUP_OFF,
  KVSQLD_CLEANUP_WAITS,     /* for late_request_s, for its time, or because of an error */
  KVSQLD_CLEANUP_ELSEWHERE, /* another daemon does it */
  KVSQLD_CLEANUP_RUNS,
} KvsqldCleanupState;

typedef struct
{
  KvsqldCleanupState state;
  guint64 relation_id; /* if it runs: of these anchors */
  guint percent;       /* of them */
  guint64 n_dead;      /* anchors of deleted tuples that were removed here, since the start */
  guint64 n_orphaned;  /* the same, of relations that are not defined any more */
  guint64 n_passes;    /* that were completed here, since the start */
  gint64 last_ms;      /* when the last of them was completed; 0: none */
  gchar *last_error;   /* (transfer full) (nullable): why the last step failed */
} KvsqldAnchorCleanupStatus;

void kvsqld_anchor_cleanup_get_status (KvsqldAnchorCleanup *self, KvsqldAnchorCleanupStatus *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldAnchorCleanup, kvsqld_anchor_cleanup_free)

G_END_DECLS
