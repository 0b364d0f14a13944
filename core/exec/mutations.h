/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * mutations.h: what a tuple is written as, schema by schema.
 */
#pragma once

#include "core/catalog/catalog.h"

G_BEGIN_DECLS

/* Mutations of one statement, and the schema of each. */
typedef struct
{
  KvsqlArena *arena;
  GArray *mutations;  /* KvsqlMutation */
  GPtrArray *schemas; /* const KvsqlSchema *, one a mutation */
  GHashTable *cells; /* KvsqlMutation (address) -> index of the last put to it, or other mutation */
  guint n_in_cells;  /* mutations that are in it */
  guint n_puts;
  guint capacity;      /* both arrays have room for so many, if not for more */
  KvsqlBuffer scratch; /* a field being encoded */
  gboolean is_stored;  /* what is put is in the store already: it need not be decoded again */
  gboolean in_doubt;   /* of the cell being encoded: only decoding it tells whether it comes back */
} KvsqlMutationList;

KvsqlMutationList *kvsql_mutation_list_new (void);
void kvsql_mutation_list_free (KvsqlMutationList *self); /* accepts NULL */
/* Room for @n more mutations, which would else be made, and moved to, again and again. */
void kvsql_mutation_list_reserve (KvsqlMutationList *self, guint n);

/**
 * kvsql_mutation_list_add_puts:
 * @timestamp: of the puts; cells that the tuple leaves out are deleted at @timestamp - 1
 *
 * The cells of a tuple under one schema. Under one with state = deleting they are all deleted at
 * @timestamp - 1. Of one with role = read there are none, and if that is the
 * primary it is an error; with role = shadow, none where this would fail. Unless it is certain that
 * it comes back (encode-plan.h), what was made is decoded again and compared: a tuple that would
 * come back different is refused, with the attribute, the schema and the offending byte.
 */
gboolean kvsql_mutation_list_add_puts (KvsqlMutationList *self, const KvsqlSchema *schema,
                                       const KvsqlValue *tuple, gint64 timestamp, GError **error);

/**
 * kvsql_mutation_list_add_deletes:
 * @timestamp: what was put up to here goes
 *
 * Every cell that the tuple may have under one schema, but not those that are put by this list.
 */
gboolean kvsql_mutation_list_add_deletes (KvsqlMutationList *self, const KvsqlSchema *schema,
                                          const KvsqlValue *tuple, gint64 timestamp,
                                          GError **error);

/* The cells of a stored tuple, as puts; what its schema cannot hold is left out. */
gboolean kvsql_mutation_list_add_old (KvsqlMutationList *self, const KvsqlSchema *schema,
                                      const KvsqlValue *tuple, GError **error);

/**
 * kvsql_mutation_list_add_difference:
 *
 * What makes the cells of @new_tuple out of those of @old_tuple: puts of the cells that change or
 * come at @timestamp, deletes of those that go at @timestamp - 1. Cells that are as they were stay,
 * but in a schema that is being filled, which may lack them: there all are written.
 */
gboolean kvsql_mutation_list_add_difference (KvsqlMutationList *self, const KvsqlSchema *schema,
                                             const KvsqlValue *old_tuple,
                                             const KvsqlValue *new_tuple, gint64 timestamp,
                                             GError **error);

/* For a list that only takes cells of a tuple away: puts one of those that stay (@before has them)
 * again, so that the tuple's timestamp tells of the change. */
void kvsql_mutation_list_touch (KvsqlMutationList *self, const KvsqlSchema *schema,
                                const KvsqlMutationList *before, gint64 timestamp);

/* The put of the list to the cell that @address names. */
const KvsqlMutation *kvsql_mutation_list_find_put (KvsqlMutationList *self,
                                                   const KvsqlMutation *address);

/* TRUE if writing tuples like this one would leave cells out, or meet cells of the same timestamp
 * that a backfill puts. */
gboolean kvsql_schema_may_leave_out (const KvsqlSchema *schema, const KvsqlValue *tuple);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlMutationList, kvsql_mutation_list_free)

G_END_DECLS
