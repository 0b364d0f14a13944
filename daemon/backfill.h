/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.h: schemas being filled, each by a job of this daemon that outlives the statement.
 *
 * A schema that is added to a relation with tuples goes from deleting (kvsqld_backfill_begin()) to
 * building or rebuilding, and when a job has filled it to readable. Before each step everybody has
 * to know of the one before: docs/ARCHITECTURE.md says why.
 *
 * Threads: all calls from any thread.
 */
#pragma once

#include "core/exec/engine.h"
#include "daemon/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqldBackfills KvsqldBackfills;

/* All are borrowed and must outlive it. */
KvsqldBackfills *kvsqld_backfills_new (KvsqlEngine *engine, KvsqldDefinitions *definitions);
void kvsqld_backfills_free (KvsqldBackfills *self); /* ends all jobs; accepts NULL */

/* What is known of a job. */
typedef struct
{
  gboolean is_running;
  const gchar *phase;  /* what it does now */
  guint64 n_before;    /* put by jobs before this one, which goes on behind these */
  guint64 n_tuples;    /* put, with those */
  gdouble first_share; /* as @share was at first */
  gdouble share;       /* of the relation, 0 to 1; < 0: not known */
  gint64 elapsed_us;   /* of this job's filling */
  gint64 since_ms;     /* of this job, since 1970 */
  GError *error;       /* (transfer full) (nullable): why it ended */
} KvsqldBackfillState;

void kvsqld_backfill_state_clear (KvsqldBackfillState *self);

/* @schema: folded. A job that runs goes on. */
void kvsqld_backfills_start (KvsqldBackfills *self, const gchar *schema);
/* As soon as the job has ended, or at @until_us. FALSE: this daemon has none. */
gboolean kvsqld_backfills_wait (KvsqldBackfills *self, const gchar *schema, gint64 until_us,
                                KvsqldBackfillState *out);
/* (element-type utf8) (transfer full): the schemas whose jobs run. */
GPtrArray *kvsqld_backfills_list (KvsqldBackfills *self);

/**
 * kvsqld_backfill_begin:
 *
 * A schema in state deleting is written from now on, once everybody knows it; in any other state
 * nothing is to be done. Waits until the call's deadline for those who do not.
 */
gboolean kvsqld_backfill_begin (KvsqldDefinitions *definitions, KvsqlEngine *engine,
                                const gchar *schema, const KvsqlCall *call, GError **error);

/* What some daemon has noted last of a schema that is being filled; FALSE: nothing. */
gboolean kvsqld_backfill_get_noted (const KvsqlCatalog *catalog, const gchar *schema,
                                    guint64 *out_n_tuples, gint64 *out_noted_ms);

/* The schema of that folded name, and its relation; KVSQL_ERROR_UNKNOWN_NAME if it was dropped. */
const KvsqlSchema *kvsqld_backfill_find (const KvsqlCatalog *catalog, const gchar *schema,
                                         const KvsqlCatalogEntry **out_entry, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldBackfills, kvsqld_backfills_free)

G_END_DECLS
