/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rows.c: the row keys that some statement can use.
 *
 * A row key is built attribute by attribute. An attribute may follow if that helps a statement: its
 * equalities fix all attributes before, and it has an equality, a bound or the beginning of ORDER
 * BY on this one; or the attributes after its equalities are a part of its ORDER BY, which this one
 * continues. So each prefix of a useful row key is one, too, and keys that serve several statements
 * arise by themselves. The rest of the KEY follows at the end.
 *
 * Attributes that occur in all statements in the same way are exchangeable. Of those, the one with
 * the most distinct values is first, since a prefix then selects the most. This avoids most
 * permutations.
 *
 * The search is breadth first, so that the limit cuts off the longest keys.
 */
#include "config.h"

#include "core/advisor/design.h"
#include "core/base/interrupt.h"

#define MAX_ROWS 400

typedef struct
{
  const KvsqlWorkload *workload;
  const KvsqlWorkloadRelation *relation;
  guint number; /* of the relation */
  KvsqlShape by_key;
  gchar **uses; /* by attribute: how all statements use it */
  KvsqlArena *arena;
  GHashTable *seen; /* of a prefix, as text */
  KvsqlKeyRows *rows;
  KvsqlKeyRow *prefixes; /* not extended yet: from @next on */
  guint n_prefixes, next;
} Search;

/* ---- exchangeable attributes */

static void
append_use (const KvsqlShape *shape, guint attribute, GString *out)
{
  g_string_append_printf (out, "%d%d%d%d%d,", kvsql_attribute_set_has (&shape->equal, attribute),
                          kvsql_attribute_set_has (&shape->bounded, attribute),
                          kvsql_attribute_set_has (&shape->filtered, attribute),
                          kvsql_attribute_set_has (&shape->read, attribute),
                          kvsql_attribute_set_has (&shape->assigned, attribute));
  for (guint i = 0; i < shape->n_order; i++)
    if (shape->order[i] == attribute)
      g_string_append_printf (out, "%u,", i);
}

static gchar *
describe_use (const Search *self, guint attribute)
{
  GString *use = g_string_new (NULL);

  g_string_append_printf (use, "%d,", self->relation->relation->attributes[attribute].is_key);
  for (guint i = 0; i < self->workload->n_statements; i++)
    if (self->workload->statements[i].relation == self->number
        && self->workload->statements[i].first == i)
      append_use (&self->workload->statements[i].shape, attribute, use);
  return g_string_free (use, FALSE);
}

/* Whether an exchangeable attribute should come first. */
static gboolean
has_better (const Search *self, const KvsqlAttributeSet *used, guint attribute)
{
  gdouble distinct = kvsql_workload_get_distinct (self->relation, attribute);

  for (guint a = 0; a < self->relation->relation->n_attributes; a++)
    {
      gdouble other = kvsql_workload_get_distinct (self->relation, a);

      if (a != attribute && !kvsql_attribute_set_has (used, a)
          && (other > distinct || (other == distinct && a < attribute))
          && strcmp (self->uses[a], self->uses[attribute]) == 0)
        return TRUE;
    }
  return FALSE;
}

/* ---- extensions */

static gboolean
is_next_in_order (const KvsqlKeyRow *prefix, guint n_equal, const KvsqlShape *shape,
                  guint attribute)
{
  guint at = n_equal;

  for (guint i = 0; i < shape->n_order; i++)
    {
      if (kvsql_attribute_set_has (&shape->equal, shape->order[i]))
        continue;
      if (at == prefix->n)
        return shape->order[i] == attribute;
      if (prefix->attributes[at++] != shape->order[i])
        return FALSE;
    }
  return FALSE;
}

static gboolean
helps (const KvsqlKeyRow *prefix, const KvsqlShape *shape, guint attribute)
{
  guint n_equal = kvsql_row_count_equal (prefix->attributes, prefix->n, shape);

  if (n_equal == prefix->n
      && (kvsql_attribute_set_has (&shape->equal, attribute)
          || kvsql_attribute_set_has (&shape->bounded, attribute)))
    return TRUE;
  return is_next_in_order (prefix, n_equal, shape, attribute);
}

static gboolean
helps_some (const Search *self, const KvsqlKeyRow *prefix, guint attribute)
{
  if (helps (prefix, &self->by_key, attribute))
    return TRUE;
  for (guint i = 0; i < self->workload->n_statements; i++)
    {
      const KvsqlWorkloadStatement *statement = &self->workload->statements[i];

      if (statement->relation == self->number && statement->first == i
          && helps (prefix, &statement->shape, attribute))
        return TRUE;
    }
  return FALSE;
}

/* ---- the search */

static gboolean
is_new (Search *self, const KvsqlKeyRow *row)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->n; i++)
    g_string_append_printf (text, "%u,", row->attributes[i]);
  return g_hash_table_add (self->seen, g_string_free (text, FALSE));
}

static KvsqlAttributeSet
set_of (const KvsqlKeyRow *row)
{
  KvsqlAttributeSet set = { 0 };

  for (guint i = 0; i < row->n; i++)
    kvsql_attribute_set_add (&set, row->attributes[i]);
  return set;
}

/* The prefix, and the rest of the KEY. */
static void
add_row (Search *self, const KvsqlKeyRow *prefix)
{
  const KvsqlRelation *relation = self->relation->relation;
  KvsqlAttributeSet used = set_of (prefix);
  KvsqlKeyRow row = { .n = prefix->n };

  row.attributes = kvsql_arena_array (self->arena, guint, relation->n_attributes);
  memcpy (row.attributes, prefix->attributes, prefix->n * sizeof *row.attributes);
  for (gint a = -1; (a = kvsql_attribute_set_next (&relation->keys, a)) >= 0;)
    if (!kvsql_attribute_set_has (&used, (guint)a))
      row.attributes[row.n++] = (guint)a;
  for (guint i = 0; i < self->rows->n; i++)
    if (self->rows->items[i].n == row.n
        && memcmp (self->rows->items[i].attributes, row.attributes, row.n * sizeof *row.attributes)
               == 0)
      return;
  *KVSQL_ARENA_ADD (self->arena, self->rows->items, self->rows->n) = row;
}

static void
extend (Search *self, const KvsqlKeyRow *prefix)
{
  KvsqlAttributeSet used = set_of (prefix);

  for (guint a = 0; a < self->relation->relation->n_attributes; a++)
    {
      KvsqlKeyRow longer = { .n = prefix->n + 1 };

      if (kvsql_attribute_set_has (&used, a) || !helps_some (self, prefix, a)
          || has_better (self, &used, a))
        continue;
      longer.attributes = kvsql_arena_array (self->arena, guint, longer.n);
      memcpy (longer.attributes, prefix->attributes, prefix->n * sizeof *longer.attributes);
      longer.attributes[prefix->n] = a;
      if (is_new (self, &longer))
        *KVSQL_ARENA_ADD (self->arena, self->prefixes, self->n_prefixes) = longer;
    }
}

static void
search (Search *self)
{
  guint none = 0;
  const KvsqlKeyRow empty = { .attributes = &none };

  add_row (self, &empty);
  extend (self, &empty);
  while (self->next < self->n_prefixes && self->rows->n < MAX_ROWS && kvsql_interrupt_tick ())
    {
      KvsqlKeyRow prefix = self->prefixes[self->next++];

      add_row (self, &prefix);
      extend (self, &prefix);
    }
}

gboolean
kvsql_rows_make (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                 KvsqlKeyRows *out, GError **error)
{
  const KvsqlWorkloadRelation *of = &workload->relations[relation];
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) uses = g_new0 (gchar *, of->relation->n_attributes + 1);
  Search self = { .workload = workload, .relation = of, .number = relation, .uses = uses };

  self.by_key = (KvsqlShape){ .equal = of->relation->keys, .fan_out = 1 };
  for (guint a = 0; a < of->relation->n_attributes; a++)
    uses[a] = describe_use (&self, a);
  self.arena = arena;
  self.seen = seen;
  self.rows = out;
  *out = (KvsqlKeyRows){ 0 };
  search (&self);
  return kvsql_interrupt_check (error);
}
