/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare.h: one schema against the primary, in two walks: what it lacks, and what it has too much.
 *
 * Both look at a portion of tuples under their locks. Where other daemons may write, what differs
 * is looked at a second time a moment later: they write the schemas of a tuple one after the other.
 */
#pragma once

#include "core/exec/mutations.h"
#include "core/exec/tuple-chunk.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_DIFFERENCE_MISSING,   /* no cell of the tuple is there */
  KVSQL_DIFFERENCE_DIFFERENT, /* some are, or hold other bytes */
  KVSQL_DIFFERENCE_EXTRA,     /* a cell that no tuple of the primary has */
} KvsqlDifferenceKind;

#define KVSQL_N_DIFFERENCES 3

/* @tuple: by attribute, its key at least. @what: the first such cell, for people. */
typedef void (*KvsqlDifferenceFunc) (KvsqlDifferenceKind kind, const KvsqlValue *tuple,
                                     const gchar *what, gpointer data);

typedef struct
{
  KvsqlEngine *engine;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema; /* of @entry, written by kvsql */
  const KvsqlCall *call;
  gboolean mends;           /* what differs is put right */
  KvsqlDifferenceFunc func; /* nullable */
  gpointer data;
} KvsqlComparison;

/* From the primary to the schema: every tuple of the chunk has its cells there. Mended with the
 * tuple's timestamps. */
gboolean kvsql_compare_tuples (const KvsqlComparison *self, KvsqlTupleChunk *chunk, GError **error);

/**
 * kvsql_compare_cells:
 * @position: (nullable): @out_next of the call before
 * @out_has_next, @out_next: (out): where to go on, its bytes in @arena
 * @out_n: (out): cells looked at
 *
 * From the schema to the primary: some cells, each of which some tuple has. Mended by deleting it
 * at its own timestamp.
 */
gboolean kvsql_compare_cells (const KvsqlComparison *self, const KvsqlScanPosition *position,
                              KvsqlArena *arena, gboolean *out_has_next,
                              KvsqlScanPosition *out_next, guint64 *out_n, GError **error);

/* ---- shared by both walks */

/* The cells that @list names, as they are in the store: puts with their timestamps. NULL: error. */
KvsqlMutationList *kvsql_stored_cells (const KvsqlComparison *self, const KvsqlMutationList *list,
                                       GError **error);
gchar *kvsql_cell_print (const KvsqlMutation *cell); /* (transfer full) */

G_END_DECLS
