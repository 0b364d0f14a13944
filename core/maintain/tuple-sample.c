/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-sample.c: see the header.
 */
#include "config.h"

#include "core/maintain/tuple-sample.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/distinct-counter.h"
#include "core/base/hash.h"

/* Longer values are cut, in bytes. */
#define MAX_VALUE_BYTES 64
/* The most steps of all histograms of a relation: their text is read by each daemon. */
#define MAX_ALL_STEPS 800
#define LEAST_STEPS 8
/* If the estimate is so near to the number of values, all are taken to differ: two standard errors
 * of the counter. */
#define ALL_DIFFER 0.968

typedef struct
{
  KvsqlType type;
  KvsqlValue *values; /* [KVSQL_SAMPLE_TUPLES] of the sample, with NULL */
  KvsqlDistinctCounter distinct;
  gdouble n_values, n_bytes; /* of all tuples, without NULL */
} Attribute;

struct _KvsqlTupleSample
{
  const KvsqlRelation *relation;
  KvsqlArena *arena; /* of the values */
  gdouble n_tuples;
  guint n_sampled;
  guint n_attributes;
  Attribute *attributes;
};

KvsqlTupleSample *
kvsql_tuple_sample_new (const KvsqlRelation *relation)
{
  KvsqlTupleSample *self = g_new0 (KvsqlTupleSample, 1);

  self->relation = relation;
  self->arena = kvsql_arena_new ();
  self->n_attributes = relation->n_attributes;
  self->attributes = kvsql_arena_array (self->arena, Attribute, relation->n_attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      self->attributes[a].type = relation->attributes[a].type;
      self->attributes[a].values = kvsql_arena_array (self->arena, KvsqlValue, KVSQL_SAMPLE_TUPLES);
    }
  return self;
}

void
kvsql_tuple_sample_free (KvsqlTupleSample *self)
{
  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}

gdouble
kvsql_tuple_sample_get_n_tuples (const KvsqlTupleSample *self)
{
  return self->n_tuples;
}

/* ---- tuples */

/* Of collections and JSON no order of a cut text has a meaning. They may be large, so only whether
 * they are NULL is kept. */
static gboolean
has_histogram (KvsqlType type)
{
  return !kvsql_type_is_collection (type) && !kvsql_type_is_json (type);
}

static KvsqlValue
keep_value (KvsqlTupleSample *self, KvsqlValue value)
{
  gboolean is_text = value.type == KVSQL_TYPE_STRING;

  if (!has_histogram (value.type))
    value.bytes.size = 0;
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

static void
count_value (Attribute *self, const KvsqlVector *column, guint row)
{
  KvsqlSlice bytes;

  if (kvsql_vector_is_null (column, row))
    return;
  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_SLICE:
      bytes = column->slices[row];
      self->n_bytes += (gdouble)bytes.size;
      break;
    case KVSQL_CLASS_BOOLEAN:
      bytes = kvsql_slice (&column->booleans[row], 1);
      break;
    default:
      bytes = kvsql_slice (&column->integers[row], sizeof (gint64)); /* or a real, as large */
      break;
    }
  self->n_values++;
  kvsql_distinct_counter_add (&self->distinct,
                              kvsql_hash (KVSQL_HASH_FIXED_SEED, bytes.data, bytes.size));
}

static void
sample_tuple (KvsqlTupleSample *self, const KvsqlBatch *batch, guint row)
{
  guint at = self->n_sampled;

  if (at == KVSQL_SAMPLE_TUPLES)
    at = (guint)(g_random_double () * (self->n_tuples + 1));
  else
    self->n_sampled++;
  self->n_tuples++;
  for (guint a = 0; a < self->n_attributes && at < KVSQL_SAMPLE_TUPLES; a++)
    self->attributes[a].values[at] = keep_value (self, kvsql_vector_get (&batch->columns[a], row));
}

void
kvsql_tuple_sample_add (KvsqlTupleSample *self, const KvsqlBatch *batch)
{
  for (guint row = 0; row < batch->n_rows; row++)
    sample_tuple (self, batch, row);
  for (guint a = 0; a < self->n_attributes; a++)
    for (guint row = 0; row < batch->n_rows; row++)
      count_value (&self->attributes[a], &batch->columns[a], row);
}

/* ---- statistics */

static int
compare_values (const void *a, const void *b)
{
  return kvsql_value_compare (a, b);
}

/* The values that are kept of the sample: all, if there are few. Else the least one, and each that
 * is common, or that ends one of equally large parts. Returns the number of distinct values. */
static guint
make_steps (const KvsqlValue *values, guint n, guint max_steps, KvsqlHistogramStep *steps,
            guint *out_n)
{
  guint n_distinct = 0, least = 1, last = 0;

  for (guint i = 0; i < n; i++)
    n_distinct += i == 0 || compare_values (&values[i - 1], &values[i]) != 0;
  if (n_distinct > max_steps)
    least = n / (max_steps - 1) + 1;
  *out_n = 0;
  for (guint i = 0, j; i < n; i = j)
    {
      for (j = i + 1; j < n && compare_values (&values[i], &values[j]) == 0; j++)
        ;
      if (i > 0 && j < n && j - last < least)
        continue;
      steps[(*out_n)++] = (KvsqlHistogramStep){ .value = values[i], .below = i, .equal = j - i };
      last = j;
    }
  return n_distinct;
}

/* In a sample that is not the whole relation, values may be missing. */
static gdouble
estimate_distinct (const KvsqlTupleSample *self, const Attribute *attribute, guint in_sample)
{
  gdouble estimate = kvsql_distinct_counter_estimate (&attribute->distinct);

  if (self->n_sampled >= self->n_tuples && has_histogram (attribute->type))
    return in_sample;
  if (estimate >= ALL_DIFFER * attribute->n_values)
    return attribute->n_values;
  return MAX (round (estimate), in_sample);
}

static void
finish_attribute (const KvsqlTupleSample *self, Attribute *attribute, KvsqlArena *arena,
                  KvsqlAttributeStatistics *out)
{
  guint max_steps = CLAMP (MAX_ALL_STEPS / self->n_attributes, LEAST_STEPS, KVSQL_MAX_STEPS);
  KvsqlHistogramStep steps[KVSQL_MAX_STEPS + 2];
  guint n = 0, n_distinct = 0;

  for (guint i = 0; i < self->n_sampled; i++)
    if (!kvsql_value_is_null (&attribute->values[i]))
      attribute->values[n++] = attribute->values[i];
  if (has_histogram (attribute->type))
    {
      qsort (attribute->values, n, sizeof (KvsqlValue), compare_values);
      n_distinct = make_steps (attribute->values, n, max_steps - 1, steps, &out->n_steps);
    }
  g_assert (out->n_steps <= KVSQL_MAX_STEPS);
  out->n_nulls = self->n_sampled - n;
  out->distinct = estimate_distinct (self, attribute, n_distinct);
  out->bytes = attribute->n_values > 0 ? attribute->n_bytes / attribute->n_values : 0;
  out->steps = kvsql_arena_array (arena, KvsqlHistogramStep, out->n_steps);
  for (guint i = 0; i < out->n_steps; i++)
    {
      out->steps[i] = steps[i];
      out->steps[i].value = kvsql_value_dup (&steps[i].value, arena);
    }
}

KvsqlStatistics *
kvsql_tuple_sample_finish (KvsqlTupleSample *self, gboolean is_complete)
{
  KvsqlStatistics *out = kvsql_statistics_new (self->relation);

  g_assert (self->n_sampled <= KVSQL_SAMPLE_TUPLES && self->n_sampled <= self->n_tuples);
  out->n_tuples = self->n_tuples;
  out->n_sampled = self->n_sampled;
  out->is_complete = is_complete;
  for (guint a = 0; a < self->n_attributes; a++)
    finish_attribute (self, &self->attributes[a], out->arena, &out->attributes[a]);
  return out;
}
