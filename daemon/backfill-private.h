/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill-private.h: what the files of the backfill share.
 */
#pragma once

#include "core/exec/tuple-scan.h"
#include "daemon/backfill.h"

G_BEGIN_DECLS

/* ---- how far a schema is filled (backfill-progress.c) */

/* As the registry keeps it for whoever goes on. */
typedef struct
{
  gchar id[37];               /* of this filling: a schema that is defined again gets another */
  gchar definitions[65];      /* hash of what the place depends on */
  gboolean is_sweeping;       /* of the second walk, through the schema */
  KvsqlScanPosition position; /* without a row: from the start */
  guint64 n_tuples;           /* put before that place */
  gint64 since_ms, noted_ms;  /* since 1970 */
} KvsqldBackfillProgress;

/* Bytes in @arena. FALSE: that is none of ours. */
gboolean kvsqld_backfill_progress_parse (const gchar *text, KvsqlArena *arena,
                                         KvsqldBackfillProgress *out);
gchar *kvsqld_backfill_progress_print (const KvsqldBackfillProgress *self); /* (transfer full) */

/* What is known of a schema that is being filled. Where nothing is, or the definitions are others
 * by now, a new filling begins, and the registry knows it. */
gboolean kvsqld_backfill_progress_open (KvsqldDefinitions *definitions, const gchar *schema,
                                        const KvsqlCall *call, KvsqlArena *arena,
                                        KvsqldBackfillProgress *out, GError **error);
/* Keeps it, unless somebody else is further. KVSQL_ERROR_CONFLICT: it is another filling by now. */
gboolean kvsqld_backfill_progress_note (KvsqldDefinitions *definitions, const gchar *schema,
                                        const KvsqldBackfillProgress *self, const KvsqlCall *call,
                                        GError **error);
/* Whether the schema is being filled, and in the same go. KVSQL_ERROR_CONFLICT if not. */
gboolean kvsqld_backfill_progress_check (const KvsqldBackfillProgress *self,
                                         const KvsqlCatalog *catalog, const gchar *schema,
                                         GError **error);

/* ---- portions that are under way (backfill-marks.c) */

/* Portions are begun in the order of the primary and end in any. No locks: the caller has one. */
typedef struct _KvsqldMarks KvsqldMarks;
typedef struct _KvsqldMark KvsqldMark;

KvsqldMarks *kvsqld_marks_new (void);
void kvsqld_marks_free (KvsqldMarks *self);
/* @next: (nullable): the place behind the portion; NULL: the end. Borrowed until the end. */
KvsqldMark *kvsqld_marks_begin (KvsqldMarks *self, const KvsqlScanPosition *next, guint64 n_tuples);
void kvsqld_marks_end (KvsqldMarks *self, KvsqldMark *mark);
/* TRUE with the place before which everything is done, if it is further than the last time. Bytes
 * valid until the next end. @out_n: tuples from the last place to this one. */
gboolean kvsqld_marks_advance (KvsqldMarks *self, KvsqlScanPosition *out, guint64 *out_n);

/* ---- states (backfill-state.c) */

/* The schema holds every tuple: it is readable from now on. */
gboolean kvsqld_backfill_finish (KvsqldDefinitions *definitions, const gchar *schema,
                                 const KvsqldBackfillProgress *progress, const KvsqlCall *call,
                                 GError **error);

G_END_DECLS
