/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rejected-tuples.c: halves a batch until single tuples are left.
 */
#include "config.h"

#include "core/write/storage.h"
#include "core/write/rejected-tuples.h"
#include "core/scan/tuple-key.h"

/* Each one costs about twenty requests. */
#define MAX_REJECTED 8

typedef struct
{
  KvsqlRejectedTuples *found;
  const KvsqlValue *const *tuples;
  KvsqlWriteAgainFunc write;
  gpointer data;
  GError *first; /* the error of the first rejected tuple */
} Search;

/* All of these tuples were rejected together, with @failure (transfer full). */
static gboolean
halve (Search *self, guint first, guint n, GError *failure, GError **error)
{
  guint middle = first + n / 2;
  guint bounds[] = { first, middle, first + n };

  if (n == 1)
    {
      g_ptr_array_add (self->found->rejected, (gpointer)self->tuples[first]);
      if (self->first == NULL)
        self->first = failure;
      else
        g_error_free (failure);
      return TRUE;
    }
  g_error_free (failure);
  for (guint i = 0; i < 2; i++)
    {
      guint n_half = bounds[i + 1] - bounds[i];
      GError *local = NULL;

      if (self->found->rejected->len == MAX_REJECTED)
        {
          self->found->is_cut = TRUE;
          return TRUE;
        }
      if (self->write (self->tuples + bounds[i], n_half, self->data, &local))
        {
          self->found->n_written += n_half;
          continue;
        }
      if (!g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_STORE))
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (!halve (self, bounds[i], n_half, local, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_rejected_tuples_find (KvsqlRejectedTuples *self, const KvsqlValue *const *tuples,
                            guint n_tuples, KvsqlWriteAgainFunc write, gpointer data,
                            GError **error)
{
  Search search = { .found = self, .tuples = tuples, .write = write, .data = data };
  GError *whole = *error, *other = NULL;

  *self = (KvsqlRejectedTuples){ .rejected = g_ptr_array_new () };
  *error = NULL;
  if (halve (&search, 0, n_tuples, g_error_copy (whole), &other))
    *error = search.first != NULL ? search.first : g_error_copy (whole);
  else
    {
      g_clear_error (&search.first);
      *error = other;
    }
  g_error_free (whole);
  return other == NULL;
}

void
kvsql_rejected_tuples_report (const KvsqlRejectedTuples *self, const KvsqlRelation *relation,
                              guint n_before, GError **error)
{
  g_autoptr (GString) keys = g_string_new (NULL);

  for (guint i = 0; i < self->rejected->len; i++)
    {
      g_autofree gchar *key = kvsql_tuple_print_key (relation, self->rejected->pdata[i]);

      g_string_append_printf (keys, "%s(%s)", i > 0 ? ", " : "", key);
    }
  if (self->rejected->len == 0)
    kvsql_error_detail (error, "All %u tuples were written when they were tried again.",
                        n_before + self->n_written);
  else if (self->is_cut)
    kvsql_error_detail (error, "%u tuples were written. Not written are %s, and perhaps others.",
                        n_before + self->n_written, keys->str);
  else
    kvsql_error_detail (error, "%u tuples were written. Not written: %s.",
                        n_before + self->n_written, keys->str);
}

void
kvsql_rejected_tuples_clear (KvsqlRejectedTuples *self)
{
  g_clear_pointer (&self->rejected, g_ptr_array_unref);
}
