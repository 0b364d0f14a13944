/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * undecodable-counts.c: see the header.
 */
#include "config.h"

#include "daemon/metrics/undecodable-counts.h"

struct _KvsqldUndecodableCounts
{
  GMutex mutex;
  GHashTable *schemas; /* name -> KvsqldUndecodableCount */
};

static void
count_free (gpointer data)
{
  KvsqldUndecodableCount *self = data;

  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    g_free (self->samples[i]);
  g_free (self);
}

KvsqldUndecodableCounts *
kvsqld_undecodable_counts_new (void)
{
  KvsqldUndecodableCounts *self = g_new0 (KvsqldUndecodableCounts, 1);

  g_mutex_init (&self->mutex);
  self->schemas = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, count_free);
  return self;
}

void
kvsqld_undecodable_counts_free (KvsqldUndecodableCounts *self)
{
  g_hash_table_unref (self->schemas);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static void
add_sample (KvsqldUndecodableCount *self, const gchar *sample)
{
  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    if (g_strcmp0 (self->samples[i], sample) == 0)
      return;
  g_free (self->samples[self->next]);
  self->samples[self->next] = g_strdup (sample);
  self->next = (self->next + 1) % KVSQL_MAX_SAMPLES;
}

void
kvsqld_undecodable_counts_add (KvsqldUndecodableCounts *self, const gchar *schema, guint64 n,
                               const gchar *const *samples, guint n_samples)
{
  KvsqldUndecodableCount *known;

  if (n == 0)
    return;
  g_mutex_lock (&self->mutex);
  known = g_hash_table_lookup (self->schemas, schema);
  if (known == NULL)
    {
      known = g_new0 (KvsqldUndecodableCount, 1);
      g_hash_table_insert (self->schemas, g_strdup (schema), known);
    }
  known->n += n;
  for (guint i = 0; i < n_samples; i++)
    add_sample (known, samples[i]);
  g_mutex_unlock (&self->mutex);
}

void
kvsqld_undecodable_counts_foreach (KvsqldUndecodableCounts *self, KvsqldUndecodableFunc func,
                                   gpointer data)
{
  GHashTableIter iter;
  gpointer schema, count;

  g_mutex_lock (&self->mutex);
  g_hash_table_iter_init (&iter, self->schemas);
  while (g_hash_table_iter_next (&iter, &schema, &count))
    func (schema, count, data);
  g_mutex_unlock (&self->mutex);
}

static void
add_to_sum (const gchar *schema, const KvsqldUndecodableCount *count, gpointer sum)
{
  *(guint64 *)sum += count->n;
}

guint64
kvsqld_undecodable_counts_sum (KvsqldUndecodableCounts *self)
{
  guint64 sum = 0;

  kvsqld_undecodable_counts_foreach (self, add_to_sum, &sum);
  return sum;
}
