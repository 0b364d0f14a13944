/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics.c: see the header.
 */
#include "config.h"

#include "core/catalog/statistics.h"

KvsqlStatistics *
kvsql_statistics_new (const KvsqlRelation *relation)
{
  KvsqlStatistics *self = g_new0 (KvsqlStatistics, 1);

  self->ref_count = 1;
  self->arena = kvsql_arena_new ();
  self->relation_text = kvsql_arena_strdup (self->arena, relation->text);
  self->made_us = g_get_real_time ();
  self->n_attributes = relation->n_attributes;
  self->attributes
      = kvsql_arena_array (self->arena, KvsqlAttributeStatistics, relation->n_attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    self->attributes[a].distinct = KVSQL_ASSUMED_VALUES;
  return self;
}

KvsqlStatistics *
kvsql_statistics_ref (KvsqlStatistics *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
kvsql_statistics_unref (KvsqlStatistics *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}

gboolean
kvsql_statistics_get_most_common (const KvsqlStatistics *self, guint attribute, KvsqlValue *out,
                                  guint *out_n)
{
  const KvsqlAttributeStatistics *known = &self->attributes[attribute];

  *out_n = 1;
  for (guint i = 0; i < known->n_steps; i++)
    if (known->steps[i].equal > *out_n)
      {
        *out_n = known->steps[i].equal;
        *out = known->steps[i].value;
      }
  return *out_n > 1;
}

/* ---- sets */

GHashTable *
kvsql_statistics_set_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                (GDestroyNotify)kvsql_statistics_unref);
}

void
kvsql_statistics_set_insert (GHashTable *self, KvsqlStatistics *statistics)
{
  g_hash_table_replace (self, (gpointer)statistics->relation_text, statistics);
}

const KvsqlStatistics *
kvsql_statistics_set_find (GHashTable *self, const KvsqlRelation *relation)
{
  /* without any, the definition need not be hashed */
  return self == NULL || g_hash_table_size (self) == 0 ? NULL
                                                       : g_hash_table_lookup (self, relation->text);
}
