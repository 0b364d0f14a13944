/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill-private.h: shared by the files of the backfill.
 */
#pragma once

#include "core/maintain/tuple-chunk.h"
#include "daemon/backfill/backfill.h"

G_BEGIN_DECLS

/* ---- progress of filling a schema (progress.c) */

/* A part of the primary that is not done. */
typedef struct
{
  KvsqlScanPart rows;
  KvsqlScanPosition position; /* before which all is done; without a row: at its start */
} KvsqldPartProgress;

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

/* ---- chunks in progress (marks.c) */

/* Chunks begin in the order of the primary, and end in any order. Not locked: the caller holds a
 * lock. */
typedef struct _KvsqldMarks KvsqldMarks;
typedef struct _KvsqldMark KvsqldMark;

KvsqldMarks *kvsqld_marks_new (void);
void kvsqld_marks_free (KvsqldMarks *self);
/* @next: (nullable): the position after the chunk; NULL: the end. Borrowed until the chunk ends. */
KvsqldMark *kvsqld_marks_begin (KvsqldMarks *self, const KvsqlScanPosition *next, guint64 n_tuples);
void kvsqld_marks_end (KvsqldMarks *self, KvsqldMark *mark);
/* TRUE with the position before which all chunks have ended, if it has moved since the last call.
 * Without a row: the end. Bytes are valid until the next chunk ends. @out_n: tuples between the
 * last position and this one. */
gboolean kvsqld_marks_advance (KvsqldMarks *self, KvsqlScanPosition *out, guint64 *out_n);

/* ---- parts of the primary (parts.c) */

/* Workers read different parts, and put in any order what they have read. Not locked: the caller
 * holds a lock. */
typedef struct _KvsqldParts KvsqldParts;
typedef struct _KvsqldPart KvsqldPart;

/* Copies of what a part is, and how far it is done. Bytes are in @arena. */
KvsqldPartProgress kvsqld_part_progress_dup (const KvsqldPartProgress *self, KvsqlArena *arena);

/* The parts of a progress that are left; without parts, all of the primary after its position. */
KvsqldParts *kvsqld_parts_new (const KvsqldBackfillProgress *progress);
void kvsqld_parts_free (KvsqldParts *self); /* accepts NULL */
guint kvsqld_parts_count (const KvsqldParts *self);
/* A part that has more to read and that no other worker reads, until kvsqld_part_release(). NULL:
 * there is none; *out_is_over: no part has more to read. */
KvsqldPart *kvsqld_parts_take (KvsqldParts *self, gboolean *out_is_over);
/* What its worker reads next. May be called without the lock. */
const KvsqlScanPart *kvsqld_part_get_rows (const KvsqldPart *self);         /* (nullable) */
const KvsqlScanPosition *kvsqld_part_get_position (const KvsqldPart *self); /* (nullable) */
/* @chunk: (nullable): that was read; NULL: none, because of an error. Returns: its mark */
KvsqldMark *kvsqld_part_release (KvsqldPart *self, const KvsqlTupleChunk *chunk);
/* The chunk of that mark was put. */
void kvsqld_part_end (KvsqldPart *self, KvsqldMark *mark);
/* TRUE if more is done than at the last call: sets parts and number of tuples of the progress.
 * Bytes are in @arena. FALSE also if all is done: there is nothing to resume. */
gboolean kvsqld_parts_advance (KvsqldParts *self, KvsqlArena *arena, KvsqldBackfillProgress *inout);
/* How much of the primary was read, 0 to 1, if rows are distributed evenly. */
gdouble kvsqld_parts_get_share (const KvsqldParts *self, const KvsqlRowRange *bounds);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldParts, kvsqld_parts_free)

/* ---- states (state.c) */

/* Commits the schema with another state, if it is still as in @catalog. Its note, the progress of
 * filling it, is replaced. @note: (nullable): removed */
gboolean kvsqld_backfill_set_state (KvsqldDefinitions *definitions, const KvsqlCatalog *catalog,
                                    const KvsqlSchema *schema, const gchar *name,
                                    KvsqlSchemaState state, const gchar *note,
                                    const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Waits until the relation is written by the definitions of @catalog, and by no older ones. */
gboolean kvsqld_backfill_await (KvsqldDefinitions *definitions, KvsqlStorage *storage,
                                const KvsqlCatalog *catalog, const KvsqlRelation *relation,
                                gint64 patience_us, const KvsqlCall *call,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Marks the schema readable: it holds every tuple. */
gboolean kvsqld_backfill_finish (KvsqldDefinitions *definitions, const gchar *schema,
                                 const KvsqldBackfillProgress *progress, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
