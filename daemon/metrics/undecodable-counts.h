/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-counts.h: the undecodable cells that scans have skipped since the daemon started, by
 * schema.
 *
 * Threads: locked.
 */
#pragma once

#include "core/scan/undecodable-cells.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 n;
  gchar *samples[KVSQL_MAX_SAMPLES]; /* the latest; NULL: none */
  guint next;
} KvsqldUndecodableCount;

typedef struct _KvsqldUndecodableCounts KvsqldUndecodableCounts;

KvsqldUndecodableCounts *kvsqld_undecodable_counts_new (void);
void kvsqld_undecodable_counts_free (KvsqldUndecodableCounts *self);
/* @n more cells, and how some of them look. */
void kvsqld_undecodable_counts_add (KvsqldUndecodableCounts *self, const gchar *schema, guint64 n,
                                    const gchar *const *samples, guint n_samples);
guint64 kvsqld_undecodable_counts_sum (KvsqldUndecodableCounts *self);

/* Called with the lock held. */
typedef void (*KvsqldUndecodableFunc) (const gchar *schema, const KvsqldUndecodableCount *count,
                                       gpointer data);

void kvsqld_undecodable_counts_foreach (KvsqldUndecodableCounts *self, KvsqldUndecodableFunc func,
                                        gpointer data);

G_END_DECLS
