/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare.h: compares one schema with the primary in two passes: what the schema lacks, and what it
 * has too much.
 *
 * Both passes compare some tuples at a time, under the locks of their keys. Where other daemons may
 * write, differences are checked a second time a moment later, because a daemon writes the schemas
 * of a tuple one after the other.
 */
#pragma once

#include "core/write/mutations.h"
#include "core/write/storage.h"
#include "core/maintain/tuple-chunk.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_DIFFERENCE_MISSING,   /* the schema has no cell of the tuple */
  KVSQL_DIFFERENCE_DIFFERENT, /* some cells are missing, or hold other bytes */
  KVSQL_DIFFERENCE_EXTRA,     /* a cell that belongs to no tuple of the primary */
} KvsqlDifferenceKind;

#define KVSQL_N_DIFFERENCES 3

/* @tuple: by attribute, with its key at least. @what: the first such cell, as text. */
typedef void (*KvsqlDifferenceFunc) (KvsqlDifferenceKind kind, const KvsqlValue *tuple,
                                     const gchar *what, gpointer data);

typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema; /* of @entry; the primary only if kvsql_primary_has_anchors () */
  const KvsqlCall *call;
  gboolean repairs;         /* differences are repaired */
  KvsqlDifferenceFunc func; /* nullable */
  gpointer data;
} KvsqlComparison;

/* From the primary to the schema: every tuple of the chunk must have its cells there. Repairs write
 * the tuple's timestamps. For a primary: from a chunk of its anchors' tuples. */
gboolean kvsql_compare_tuples (const KvsqlComparison *self, KvsqlTupleChunk *chunk,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_compare_cells:
 * @position: (nullable): @out_next of the previous call
 * @out_has_next, @out_next: (out): where to continue; bytes in @arena
 * @out_n: (out): cells compared
 *
 * From the schema to the primary: some cells, each of which must belong to a tuple. A repair
 * deletes the cell at its own timestamp.
 */
gboolean kvsql_compare_cells (const KvsqlComparison *self, const KvsqlScanPosition *position,
                              KvsqlArena *arena, gboolean *out_has_next,
                              KvsqlScanPosition *out_next, guint64 *out_n,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- shared by both passes */

/* The cells of @list as they are in the store now: puts with their timestamps. NULL: error. */
KvsqlMutationList *kvsql_stored_cells (const KvsqlComparison *self, const KvsqlMutationList *list,
                                       GError **error);
gchar *kvsql_cell_print (const KvsqlMutation *cell); /* (transfer full) */

G_END_DECLS
