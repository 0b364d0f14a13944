/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.h: fills schemas, each by a job of this daemon that outlives its statement.
 *
 * A schema that is added to a relation with tuples goes from deleting (kvsqld_backfill_begin()) to
 * building or rebuilding, and when a job has filled it to readable. Before each step all daemons
 * have to know the step before: docs/ARCHITECTURE.md says why.
 *
 * Threads: all functions may be called by any thread.
 */
#pragma once

#include "core/base/account.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

typedef struct _KvsqlCatalog KvsqlCatalog;           /* core/catalog/catalog.h */
typedef struct _KvsqlCatalogEntry KvsqlCatalogEntry; /* the same */
typedef struct _KvsqldDefinitions KvsqldDefinitions; /* daemon/cluster/definitions.h */

typedef struct _KvsqldBackfills KvsqldBackfills;

/* All arguments are borrowed and must outlive it. @account: (nullable): of the memory of jobs */
KvsqldBackfills *kvsqld_backfills_new (KvsqlStorage *storage, KvsqldDefinitions *definitions,
                                       KvsqlAccount *account);
void kvsqld_backfills_free (KvsqldBackfills *self); /* ends all jobs; accepts NULL */

/* The state of a job. */
typedef struct
{
  gboolean is_running;
  const gchar *phase;  /* what the job does now */
  guint64 n_before;    /* put by earlier jobs, which this job continues */
  guint64 n_tuples;    /* put, with @n_before */
  gdouble first_share; /* @share at the start of this job */
  gdouble share;       /* done share of the relation, 0 to 1; < 0: not known */
  gint64 elapsed_us;   /* of filling in this job */
  gint64 since_ms;     /* start of this job, in milliseconds since 1970 */
  GError *error;       /* (transfer full) (nullable): why the job failed; NULL while it runs */
} KvsqldBackfillState;

void kvsqld_backfill_state_clear (KvsqldBackfillState *self);

/* @schema: folded. Does nothing if the job already runs. */
void kvsqld_backfills_start (KvsqldBackfills *self, const gchar *schema);
/* Waits until the job has ended, or until @until_us. FALSE: this daemon has no such job. */
gboolean kvsqld_backfills_wait (KvsqldBackfills *self, const gchar *schema, gint64 until_us,
                                KvsqldBackfillState *out);

/**
 * kvsqld_backfill_begin:
 * @log_wait_us: how much longer it waits for checked writes that may be late
 *
 * Moves a schema from state deleting to being written, after all daemons know it
 * (daemon/recovery/old-writes.h). Waits for them until the call's deadline. Does nothing for a
 * schema in another state.
 */
gboolean kvsqld_backfill_begin (KvsqldDefinitions *definitions, KvsqlStorage *storage,
                                const gchar *schema, gint64 log_wait_us, const KvsqlCall *call,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsqld_schema_stop_reading:
 * @out_pause: (transfer full)
 *
 * Moves a readable schema back to building, and waits until no statement of any daemon reads it.
 * Then it can be dropped. If they read it until the call's deadline, it is readable again:
 * KVSQL_ERROR_UNAVAILABLE. If this daemon ends in the middle, the schema needs a BACKFILL.
 */
gboolean kvsqld_schema_stop_reading (KvsqldDefinitions *definitions, const gchar *schema,
                                     const KvsqlCall *call, gchar **out_pause,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* If the schema was not dropped: makes it readable, unless it was defined or filled again. */
void kvsqld_schema_read_again (KvsqldDefinitions *definitions, const gchar *schema,
                               const gchar *pause);

/* The progress of a schema that is being filled, as last stored by any daemon. FALSE: there is
 * none. */
gboolean kvsqld_backfill_get_noted (const KvsqlCatalog *catalog, const gchar *schema,
                                    guint64 *out_n_tuples, gint64 *out_noted_ms);

/* The schema of that folded name, and its relation. KVSQL_ERROR_UNKNOWN_NAME if it was dropped. */
const KvsqlSchema *kvsqld_backfill_find (const KvsqlCatalog *catalog, const gchar *schema,
                                         const KvsqlCatalogEntry **out_entry, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldBackfills, kvsqld_backfills_free)

G_END_DECLS
