/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index.c: access paths with an index lookup: the predicate that the index can check, and the cost
 * of the gets.
 */
#include "config.h"

#include "core/plan/index.h"

#include "core/base/interrupt.h"
#include "core/plan/make-access-path.h"

/* ---- predicates that an index decides */

static const KvsqlPredicate *
weaken_and (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes, KvsqlArena *arena)
{
  KvsqlPredicate *result = kvsql_arena_copy (arena, predicate, sizeof *predicate);

  result->children = kvsql_arena_array (arena, KvsqlPredicate *, predicate->n_children);
  result->n_children = 0;
  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *child
          = kvsql_predicate_weaken (predicate->children[i], attributes, arena);
      if (child != NULL)
        result->children[result->n_children++] = (KvsqlPredicate *)child;
    }
  if (result->n_children > 1)
    return result;
  return result->n_children == 1 ? result->children[0] : NULL;
}

static const KvsqlPredicate *
weaken_or (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes, KvsqlArena *arena)
{
  KvsqlPredicate *result = kvsql_arena_copy (arena, predicate, sizeof *predicate);

  result->children = kvsql_arena_array (arena, KvsqlPredicate *, predicate->n_children);
  for (guint i = 0; i < predicate->n_children; i++)
    {
      if (!kvsql_interrupt_tick ())
        return NULL;
      result->children[i]
          = (KvsqlPredicate *)kvsql_predicate_weaken (predicate->children[i], attributes, arena);
      if (result->children[i] == NULL)
        return NULL;
    }
  return result;
}

const KvsqlPredicate *
kvsql_predicate_weaken (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes,
                        KvsqlArena *arena)
{
  KvsqlAttributeSet used = { 0 };

  kvsql_predicate_collect (predicate, &used);
  /* a leaf that can fail is evaluated only on rows that satisfy the whole predicate */
  if (kvsql_attribute_set_contains (attributes, &used) && !predicate->can_fail)
    return predicate->kind == KVSQL_PREDICATE_CONSTANT && predicate->truth ? NULL : predicate;
  /* without NOT, a weaker leaf makes the tree weaker */
  if (predicate->kind == KVSQL_PREDICATE_AND)
    return weaken_and (predicate, attributes, arena);
  if (predicate->kind == KVSQL_PREDICATE_OR)
    return weaken_or (predicate, attributes, arena);
  return NULL;
}

/* ---- the access path */

void
kvsql_access_path_make_index (const KvsqlSchema *schema, const KvsqlSchema *primary,
                              const KvsqlDnf *dnf, const KvsqlPredicate *predicate,
                              const KvsqlAttributeSet *needed,
                              const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                              KvsqlAccessPath *out)
{
  KvsqlAttributeSet address = primary->cell_key_attributes;
  KvsqlDnf whole = *dnf;

  /* The attributes of an index entry must determine the cell keys in the primary. Keys of a map are
   * not needed: they are in QUALIFIER, and the lookup reads whole rows. */
  if (primary->map_attribute >= 0)
    kvsql_attribute_set_remove (&address, primary->map_attribute);
  if (schema == primary || !kvsql_schema_is_readable (primary)
      || !kvsql_attribute_set_contains (&schema->holds, &address))
    return;
  /* an entry is compared with its tuple, so its map has to be complete */
  whole.map_keys = NULL;
  kvsql_access_path_make (schema, &whole, &schema->holds, capabilities, arena, out);
  out->lookup_schema = primary;
  for (guint a = 0; a < schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (needed, a) && !kvsql_attribute_set_has (&schema->holds, a))
      kvsql_attribute_set_add (&out->looked_up, a);
  if (!out->is_exact)
    out->index_predicate = kvsql_predicate_weaken (predicate, &schema->holds, arena);
  kvsql_access_path_estimate (out, out->rows, capabilities);
}
