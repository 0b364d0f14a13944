/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statistics.c: a reservoir sample of tuples, sorted by each attribute.
 *
 * The sorted sample is both a histogram and a list of common values: the share of a range is the
 * share of the sample in this range.
 */
#include "config.h"

#include "core/plan/statistics.h"
#include "core/schema/relation.h"

#include <stdlib.h>

/* Longer values are cut, in bytes. */
#define MAX_VALUE_BYTES 64

KvsqlStatistics *
kvsql_statistics_new (const KvsqlRelation *relation)
{
  KvsqlStatistics *self = g_new0 (KvsqlStatistics, 1);

  self->ref_count = 1;
  self->arena = kvsql_arena_new ();
  self->relation_text = kvsql_arena_strdup (self->arena, relation->text);
  self->relation_name = kvsql_arena_strdup (self->arena, relation->name);
  self->made_us = g_get_real_time ();
  self->n_attributes = relation->n_attributes;
  self->types = kvsql_arena_array (self->arena, KvsqlType, relation->n_attributes);
  self->attributes
      = kvsql_arena_array (self->arena, KvsqlAttributeStatistics, relation->n_attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      self->types[a] = relation->attributes[a].type;
      self->attributes[a].values = kvsql_arena_array (self->arena, KvsqlValue, KVSQL_SAMPLE_TUPLES);
    }
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

/* ---- the sample */

static KvsqlValue
keep_value (KvsqlStatistics *self, KvsqlValue value)
{
  gboolean is_text = value.type == KVSQL_TYPE_STRING || kvsql_type_is_collection (value.type)
                     || kvsql_type_is_json (value.type);

  if (is_text || value.type == KVSQL_TYPE_BYTES)
    {
      gsize size = MIN (value.bytes.size, MAX_VALUE_BYTES);
      while (is_text && size > 0 && size < value.bytes.size
             && (value.bytes.data[size] & 0xc0) == 0x80)
        size--; /* not in the middle of a character */
      value.bytes.size = size;
    }
  return kvsql_value_dup (&value, self->arena);
}

void
kvsql_statistics_add (KvsqlStatistics *self, const KvsqlBatch *batch)
{
  for (guint row = 0; row < batch->n_rows; row++)
    {
      guint at = self->n_sampled;

      if (at == KVSQL_SAMPLE_TUPLES)
        at = (guint)(g_random_double () * (self->n_tuples + 1));
      else
        self->n_sampled++;
      self->n_tuples++;
      for (guint a = 0; a < self->n_attributes && at < KVSQL_SAMPLE_TUPLES; a++)
        self->attributes[a].values[at]
            = keep_value (self, kvsql_vector_get (&batch->columns[a], row));
    }
}

static int
compare_values (const void *a, const void *b)
{
  return kvsql_value_compare (a, b);
}

/* The estimator of PostgreSQL: Haas and Stokes, "Estimating the number of classes in a finite
 * population". */
static gdouble
estimate_distinct (const KvsqlStatistics *self, const KvsqlAttributeStatistics *attribute)
{
  gdouble sampled = attribute->n_values, distinct = 0, once = 0;
  gdouble all = self->n_sampled == 0 ? 0 : self->n_tuples * sampled / self->n_sampled;

  for (guint i = 0, j; i < attribute->n_values; i = j)
    {
      for (j = i + 1; j < attribute->n_values
                      && compare_values (&attribute->values[i], &attribute->values[j]) == 0;
           j++)
        ;
      distinct++;
      once += j == i + 1;
    }
  if (distinct == 0 || all <= sampled)
    return distinct;
  return CLAMP (sampled * distinct / (sampled - once + once * sampled / all), distinct, all);
}

void
kvsql_statistics_finish (KvsqlStatistics *self, gboolean is_complete)
{
  g_assert (self->n_sampled <= KVSQL_SAMPLE_TUPLES && self->n_sampled <= self->n_tuples);
  self->is_complete = is_complete;
  for (guint a = 0; a < self->n_attributes; a++)
    {
      KvsqlAttributeStatistics *attribute = &self->attributes[a];

      for (guint i = 0; i < self->n_sampled; i++)
        if (kvsql_value_is_null (&attribute->values[i]))
          attribute->n_nulls++;
        else
          attribute->values[attribute->n_values++] = attribute->values[i];
      qsort (attribute->values, attribute->n_values, sizeof (KvsqlValue), compare_values);
      attribute->distinct = estimate_distinct (self, attribute);
    }
}

/* ---- estimates */

/* The number of values below @bound, or up to it. */
static guint
count_below (const KvsqlAttributeStatistics *self, const KvsqlValue *bound, gboolean with_bound)
{
  guint low = 0, high = self->n_values;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      gint order = kvsql_value_compare (&self->values[middle], bound);
      if (order < 0 || (order == 0 && with_bound))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gdouble
share_of_interval (const KvsqlStatistics *self, const KvsqlAttributeStatistics *attribute,
                   const KvsqlInterval *interval)
{
  guint from
      = interval->has_low ? count_below (attribute, &interval->low, interval->low_is_open) : 0;
  guint to = interval->has_high ? count_below (attribute, &interval->high, !interval->high_is_open)
                                : attribute->n_values;
  guint n = to > from ? to - from : 0;

  /* a sample says little about a rare value: assume that it is one of the distinct values */
  if (n <= 1 && kvsql_interval_is_point (interval))
    return 1 / MAX (attribute->distinct, 1);
  return MAX (n, 0.5) / self->n_sampled;
}

gdouble
kvsql_statistics_get_share (const KvsqlStatistics *self, guint attribute,
                            const KvsqlConstraint *constraint)
{
  const KvsqlAttributeStatistics *known = &self->attributes[attribute];
  gdouble share = 0;

  if (!constraint->is_constrained || self->n_sampled == 0)
    return 1;
  if (constraint->allows_null)
    share += (gdouble)known->n_nulls / self->n_sampled;
  for (guint i = 0; i < constraint->n_intervals; i++)
    share += share_of_interval (self, known, &constraint->intervals[i]);
  return MIN (share, 1);
}

gboolean
kvsql_statistics_get_most_common (const KvsqlStatistics *self, guint attribute, KvsqlValue *out,
                                  guint *out_n)
{
  const KvsqlAttributeStatistics *known = &self->attributes[attribute];

  *out_n = 1;
  for (guint i = 0, j; i < known->n_values; i = j)
    {
      for (j = i + 1;
           j < known->n_values && compare_values (&known->values[i], &known->values[j]) == 0; j++)
        ;
      if (j - i > *out_n)
        {
          *out_n = j - i;
          *out = known->values[i];
        }
    }
  return *out_n > 1;
}

/* ---- sets */

GHashTable *
kvsql_statistics_set_add (GHashTable *old, KvsqlStatistics *added)
{
  GHashTable *set = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                           (GDestroyNotify)kvsql_statistics_unref);
  GHashTableIter iter;
  gpointer value;

  if (old != NULL)
    {
      g_hash_table_iter_init (&iter, old);
      while (g_hash_table_iter_next (&iter, NULL, &value))
        {
          KvsqlStatistics *known = value;
          if (!g_str_equal (known->relation_name, added->relation_name))
            g_hash_table_replace (set, (gpointer)known->relation_text,
                                  kvsql_statistics_ref (known));
        }
    }
  g_hash_table_replace (set, (gpointer)added->relation_text, kvsql_statistics_ref (added));
  return set;
}

const KvsqlStatistics *
kvsql_statistics_set_find (GHashTable *set, const KvsqlRelation *relation)
{
  return set == NULL ? NULL : g_hash_table_lookup (set, relation->text);
}
