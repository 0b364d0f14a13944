/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * index.c: what reading through an index means: less to check before, gets behind it.
 */
#include "config.h"

#include "core/plan/bind.h"
#include "core/plan/index.h"

/* ---- the part of a predicate that an index decides */

static const KvsqlPredicate *
weaken_and (const KvsqlPredicate *predicate, const KvsqlAttributeSet *attributes, KvsqlArena *arena)
{
  KvsqlPredicate *result = kvsql_arena_copy (arena, predicate, sizeof *predicate);

  result->children = kvsql_arena_array (arena, KvsqlPredicate *, predicate->n_children);
  result->n_children = 0;
  for (guint i = 0; i < predicate->n_children; i++)
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
  /* what could fail waits until the whole predicate has chosen its rows */
  if (kvsql_attribute_set_contains (attributes, &used) && !predicate->can_fail)
    return predicate->kind == KVSQL_PREDICATE_CONSTANT && predicate->truth ? NULL : predicate;
  /* without NOT a tree can only lose by what its leaves lose */
  if (predicate->kind == KVSQL_PREDICATE_AND)
    return weaken_and (predicate, attributes, arena);
  if (predicate->kind == KVSQL_PREDICATE_OR)
    return weaken_or (predicate, attributes, arena);
  return NULL;
}

/* ---- the candidate */

void
kvsql_candidate_make_index (const KvsqlSchema *schema, const KvsqlSchema *primary,
                            const KvsqlBoxes *boxes, const KvsqlPredicate *predicate,
                            const KvsqlAttributeSet *needed,
                            const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                            KvsqlCandidate *out)
{
  KvsqlAttributeSet address = primary->address_attributes;
  KvsqlBoxes whole = *boxes;

  /* An entry of the index must tell where its tuple lies in the primary; the keys of a map are in
   * QUALIFIER, and whole rows are read. */
  if (primary->map_attribute >= 0)
    kvsql_attribute_set_remove (&address, primary->map_attribute);
  if (schema == primary || !kvsql_schema_is_readable (primary)
      || !kvsql_attribute_set_contains (&schema->holds, &address))
    return;
  /* an entry is compared with its tuple, so a map in it has to be complete */
  whole.map_keys = NULL;
  kvsql_candidate_make (schema, &whole, &schema->holds, capabilities, arena, out);
  out->fetch_schema = primary;
  for (guint a = 0; a < schema->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (needed, a) && !kvsql_attribute_set_has (&schema->holds, a))
      kvsql_attribute_set_add (&out->fetched, a);
  if (!out->is_proved)
    out->index_predicate = kvsql_predicate_weaken (predicate, &schema->holds, arena);
  kvsql_candidate_estimate (out, out->rows, capabilities);
}
