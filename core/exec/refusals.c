/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * refusals.c: halving until single tuples are left.
 */
#include "config.h"

#include "core/exec/engine.h"
#include "core/exec/refusals.h"

/* Each costs some twenty requests. */
#define MAX_REFUSED 8

typedef struct
{
  KvsqlRefusals *found;
  const KvsqlValue *const *tuples;
  KvsqlWriteAgainFunc write;
  gpointer data;
  GError *first; /* why the first one that is at fault is refused */
} Search;

/* All of these were refused at once, as @failure (transfer full) says. */
static gboolean
halve (Search *self, guint first, guint n, GError *failure, GError **error)
{
  guint middle = first + n / 2;
  guint bounds[] = { first, middle, first + n };

  if (n == 1)
    {
      g_ptr_array_add (self->found->refused, (gpointer)self->tuples[first]);
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

      if (self->found->refused->len == MAX_REFUSED)
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
kvsql_refusals_find (KvsqlRefusals *self, const KvsqlValue *const *tuples, guint n_tuples,
                     KvsqlWriteAgainFunc write, gpointer data, GError **error)
{
  Search search = { .found = self, .tuples = tuples, .write = write, .data = data };
  GError *whole = *error, *other = NULL;

  *self = (KvsqlRefusals){ .refused = g_ptr_array_new () };
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
kvsql_refusals_tell (const KvsqlRefusals *self, const KvsqlRelation *relation, guint n_before,
                     GError **error)
{
  g_autoptr (GString) keys = g_string_new (NULL);

  for (guint i = 0; i < self->refused->len; i++)
    {
      g_autofree gchar *key = kvsql_tuple_print_key (relation, self->refused->pdata[i]);

      g_string_append_printf (keys, "%s(%s)", i > 0 ? ", " : "", key);
    }
  if (self->refused->len == 0)
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
kvsql_refusals_clear (KvsqlRefusals *self)
{
  g_clear_pointer (&self->refused, g_ptr_array_unref);
}
