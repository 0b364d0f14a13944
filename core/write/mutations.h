/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutations.h: encodes a tuple as mutations, schema by schema.
 */
#pragma once

#include "core/write/storage.h"
#include "core/store/store.h"

G_BEGIN_DECLS

/* The mutations of one statement. */
typedef struct
{
  KvsqlArena *arena;
  GArray *mutations; /* KvsqlMutation, with its const KvsqlSchema * as tag */
  GHashTable *cells; /* KvsqlMutation (by its cell key) -> index of the last put to that cell, or of
                        another mutation */
  guint n_in_cells;  /* mutations that are in @cells */
  guint n_puts;
  guint capacity;      /* of @mutations, at least */
  KvsqlBuffer scratch; /* a field being encoded */
  gboolean is_stored;  /* all puts are cells that the store has: they need no round-trip check */
  gboolean
      is_unverified; /* of the cell being encoded: only decoding can show whether it round-trips */
} KvsqlMutationList;

KvsqlMutationList *kvsql_mutation_list_new (void);
void kvsql_mutation_list_free (KvsqlMutationList *self); /* accepts NULL */
/* Makes room for @n more mutations, to avoid repeated reallocation. */
void kvsql_mutation_list_reserve (KvsqlMutationList *self, guint n);
void kvsql_mutation_list_remove (KvsqlMutationList *self, guint first, guint n);

/**
 * kvsql_mutation_list_add_puts:
 * @timestamp: of the puts; cells that the tuple leaves out are deleted at @timestamp - 1
 *
 * Adds the cells of a tuple under one schema.
 * - state = deleting: all cells are deleted at @timestamp - 1.
 * - role = read: there are none; an error if the schema is the primary.
 * - role = shadow: there are none if encoding fails.
 *
 * Unless it is certain that a tuple round-trips (encode-plan.h), its cells are decoded again and
 * compared. A tuple that would be read back different is an error, which names the attribute, the
 * schema and the offending byte.
 */
gboolean kvsql_mutation_list_add_puts (KvsqlMutationList *self, const KvsqlSchema *schema,
                                       const KvsqlValue *tuple, gint64 timestamp,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_mutation_list_add_deletes:
 * @timestamp: cells up to this time are deleted
 *
 * Deletes every cell that the tuple may have under one schema, except the cells that this list
 * puts.
 */
gboolean kvsql_mutation_list_add_deletes (KvsqlMutationList *self, const KvsqlSchema *schema,
                                          const KvsqlValue *tuple, gint64 timestamp,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The cells of a stored tuple, as puts. Values that the schema cannot hold are left out. */
gboolean kvsql_mutation_list_add_old (KvsqlMutationList *self, const KvsqlSchema *schema,
                                      const KvsqlValue *tuple,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_mutation_list_add_difference:
 *
 * Turns the cells of @old_tuple into those of @new_tuple: puts of changed and new cells at
 * @timestamp, deletes of the others at @timestamp - 1. Equal cells are not written, except in a
 * schema that is being filled: it may lack them, so all are written.
 */
gboolean kvsql_mutation_list_add_difference (KvsqlMutationList *self, const KvsqlSchema *schema,
                                             const KvsqlValue *old_tuple,
                                             const KvsqlValue *new_tuple, gint64 timestamp,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For a list that only deletes cells of a tuple: puts one of the remaining cells (in @before)
 * again, so that the newest timestamp of the tuple shows the change. */
void kvsql_mutation_list_touch (KvsqlMutationList *self, const KvsqlSchema *schema,
                                const KvsqlMutationList *before, gint64 timestamp);

/* The put of the list that has the cell key of @address. */
const KvsqlMutation *kvsql_mutation_list_find_put (KvsqlMutationList *self,
                                                   const KvsqlMutation *address);

/**
 * kvsql_mutation_list_is_expected:
 * @cell: of the schema, as the store has it
 * @old_tuple, @new_tuple: of the change that writes this cell, nullable
 *
 * Whether readers see in a cell what the change starts from: the values of the old tuple, or
 * nothing where that has no cell. A value may have other forms than the one that is written, as
 * JSON with blanks has. A cell that fits no layout is read as one that is absent.
 */
gboolean kvsql_mutation_list_is_expected (KvsqlMutationList *self, const KvsqlSchema *schema,
                                          const KvsqlMutation *cell, const KvsqlValue *old_tuple,
                                          const KvsqlValue *new_tuple);

/* TRUE if writing tuples like this one would leave cells out, or would write cells with the same
 * timestamp as a backfill's. */
gboolean kvsql_schema_may_leave_out (const KvsqlSchema *schema, const KvsqlValue *tuple);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlMutationList, kvsql_mutation_list_free)

G_END_DECLS
