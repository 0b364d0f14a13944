/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill-private.h: shared by the files of the backfill.
 */
#pragma once

#include "daemon/backfill/backfill.h"
#include "daemon/backfill/parts.h"
#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

/* ---- progress of filling a schema (progress.c) */

/* The progress as it is stored in the registry, so that any daemon can resume. */
typedef struct
{
  gchar id[37];               /* of this filling; a schema that is defined again gets another one */
  gchar definitions[65];      /* hash of the definitions that the position depends on */
  gboolean is_sweeping;       /* the second pass, which reads the schema */
  KvsqlScanPosition position; /* if there are no parts; without a row: at the start */
  KvsqldPartProgress *parts;  /* of the first pass */
  guint n_parts;              /* 0: the primary was not cut */
  guint64 n_tuples;           /* put before these positions */
  gint64 since_ms, noted_ms;  /* since 1970 */
} KvsqldBackfillProgress;

/* Copies it, with its bytes in @arena. */
KvsqldBackfillProgress *kvsqld_backfill_progress_dup (const KvsqldBackfillProgress *self,
                                                      KvsqlArena *arena);
/* Bytes are in @arena. FALSE: not the text of a progress. */
gboolean kvsqld_backfill_progress_parse (const gchar *text, KvsqlArena *arena,
                                         KvsqldBackfillProgress *out);
gchar *kvsqld_backfill_progress_print (const KvsqldBackfillProgress *self); /* (transfer full) */

/* The stored progress of a schema that is being filled. If there is none, or if the definitions
 * have changed since, begins a new filling and stores it in the registry. */
gboolean kvsqld_backfill_progress_open (KvsqldDefinitions *definitions, const gchar *schema,
                                        const KvsqlCall *call, KvsqlArena *arena,
                                        KvsqldBackfillProgress *out,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Stores the progress, unless the stored one is already further. KVSQL_ERROR_CONFLICT: another
 * filling has begun since. */
gboolean kvsqld_backfill_progress_note (KvsqldDefinitions *definitions, const gchar *schema,
                                        const KvsqldBackfillProgress *self, const KvsqlCall *call,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the schema is still being filled by the same filling. KVSQL_ERROR_CONFLICT if not. */
gboolean kvsqld_backfill_progress_check (const KvsqldBackfillProgress *self,
                                         const KvsqlCatalog *catalog, const gchar *schema,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- states (state.c) */

/* Commits the schema with another state, if it is still as in @catalog. Its note, the progress of
 * filling it, is replaced. @note: (nullable): removed */
gboolean kvsqld_backfill_set_state (KvsqldDefinitions *definitions, const KvsqlCatalog *catalog,
                                    const KvsqlSchema *schema, const gchar *name,
                                    KvsqlSchemaState state, const gchar *note,
                                    const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Waits until the relation is written by the definitions of @catalog, and by no older ones.
 * @late_us: KvsqldOldWrites.late_us */
gboolean kvsqld_backfill_await (KvsqldDefinitions *definitions, KvsqlStorage *storage,
                                const KvsqlCatalog *catalog, const KvsqlRelation *relation,
                                gint64 log_wait_us, gint64 late_us, const KvsqlCall *call,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Marks the schema readable: it holds every tuple. */
gboolean kvsqld_backfill_finish (KvsqldDefinitions *definitions, const gchar *schema,
                                 const KvsqldBackfillProgress *progress, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
