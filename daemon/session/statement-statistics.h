/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-statistics.h: what statements of each shape have cost, by role.
 *
 * The number of shapes is bounded: if there is one too many, a sixteenth of them is evicted, those
 * with the fewest recent calls first. A text is bounded, too.
 *
 * Threads: locked; counting takes no lock.
 */
#pragma once

#include "core/store/usage.h"

G_BEGIN_DECLS

#define KVSQLD_MAX_SHAPE_BYTES 4096 /* of a text */

/* One shape of one role. Its counts are from when it came into the table. */
typedef struct
{
  gint ref_count;
  guint64 fingerprint; /* core/sql/fingerprint.h */
  gchar *role;         /* "": the client had none */
  gchar *text;
  gboolean is_whole; /* else the text was cut */
  guint64 usage;     /* calls, of which evictions halve what was before; atomic */
  gint64 since_ms;
  KvsqlCount last_ms; /* when the last one began */
  KvsqlCount n_calls; /* without fetches of further pages */
  KvsqlCount n_errors;
  KvsqlCount n_rows; /* given or changed */
  KvsqlCount n_rows_read;
  KvsqlCount n_cells_read;
  KvsqlCount n_store_calls;
  KvsqlCount total_us; /* with fetches */
  KvsqlCount max_us;   /* of one request */
} KvsqldShape;

KvsqldShape *kvsqld_shape_ref (KvsqldShape *self); /* accepts NULL */
void kvsqld_shape_unref (KvsqldShape *self);       /* accepts NULL */

/* What one request adds to its shape. */
typedef struct
{
  gboolean is_fetch; /* of a further page */
  gboolean is_error;
  gint64 began_ms;
  gint64 duration_us;
  gint64 n_rows;
  const KvsqlUsage *usage;
} KvsqldShapeUse;

void kvsqld_shape_count (KvsqldShape *self, const KvsqldShapeUse *use);

typedef struct _KvsqldStatementStatistics KvsqldStatementStatistics;

KvsqldStatementStatistics *kvsqld_statement_statistics_new (void);
void kvsqld_statement_statistics_free (KvsqldStatementStatistics *self); /* accepts NULL */
/* Forgets all shapes if the number is another one. 0: nothing is remembered. */
void kvsqld_statement_statistics_set_max (KvsqldStatementStatistics *self, guint max_shapes);
/* The seed of fingerprints in this table. */
guint64 kvsqld_statement_statistics_get_seed (const KvsqldStatementStatistics *self);

/* (transfer full) (nullable) */
KvsqldShape *kvsqld_statement_statistics_find (KvsqldStatementStatistics *self, guint64 fingerprint,
                                               const gchar *role);
/* Adds a shape if it is still not there.
 * @text: cut if it is longer than %KVSQLD_MAX_SHAPE_BYTES
 *
 * Returns: (transfer full) (nullable): NULL if nothing is remembered */
KvsqldShape *kvsqld_statement_statistics_add (KvsqldStatementStatistics *self, guint64 fingerprint,
                                              const gchar *role, const gchar *text,
                                              gboolean is_whole);

/* (element-type KvsqldShape) (transfer full): those that took most time first */
GPtrArray *kvsqld_statement_statistics_list (KvsqldStatementStatistics *self);
/* Forgets the shapes of the roles for which @is_of is TRUE; NULL: all, and the number of evictions.
 */
void kvsqld_statement_statistics_reset (KvsqldStatementStatistics *self,
                                        gboolean (*is_of) (const gchar *role, gpointer data),
                                        gpointer data);
guint kvsqld_statement_statistics_get_size (KvsqldStatementStatistics *self);
/* Shapes that were evicted since the last reset of all. */
gint64 kvsqld_statement_statistics_get_n_evicted (const KvsqldStatementStatistics *self);
/* When that was, or when the table was made. */
gint64 kvsqld_statement_statistics_get_since (KvsqldStatementStatistics *self);

G_END_DECLS
