/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * answer.c: see answer.h.
 */
#include "config.h"

#include "client/ctl/verify/answer.h"

#include <math.h>
#include <string.h>

/* Sums of DOUBLE in another order of the rows. */
#define TOLERANCE 1e-9

KvsqlctlAnswer *
kvsqlctl_answer_new (void)
{
  KvsqlctlAnswer *self = g_new0 (KvsqlctlAnswer, 1);

  self->rows = g_ptr_array_new ();
  self->is_complete = TRUE;
  self->affected = -1;
  return self;
}

void
kvsqlctl_answer_free (KvsqlctlAnswer *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->rows->len; i++)
    {
      gchar **row = self->rows->pdata[i];

      for (guint c = 0; c < self->n_columns; c++)
        g_free (row[c]);
      g_free (row);
    }
  g_ptr_array_unref (self->rows);
  g_free (self->types);
  g_clear_error (&self->failure);
  g_free (self);
}

/* ---- reading */

/* FNV-1a. */
static guint64
add_hash (guint64 hash, const gchar *text)
{
  const gchar *bytes = text != NULL ? text : "\001NULL";

  for (const gchar *c = bytes; *c != '\0'; c++)
    hash = (hash ^ (guint8)*c) * G_GUINT64_CONSTANT (1099511628211);
  return (hash ^ 0xff) * G_GUINT64_CONSTANT (1099511628211);
}

/* So that sums of hashes of rows differ. */
static guint64
mix (guint64 hash)
{
  hash ^= hash >> 33;
  hash *= G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  hash *= G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 33);
}

static void
add_row (KvsqlctlAnswer *self, KvsqlResult *result, const guint *order, guint n_order, guint64 most)
{
  guint64 hash = G_GUINT64_CONSTANT (14695981039346656037);
  gchar **row = NULL;

  if (self->n_rows < most)
    {
      row = g_new0 (gchar *, self->n_columns + 1);
      g_ptr_array_add (self->rows, row);
    }
  else
    self->is_complete = FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    {
      const gchar *text = kvsql_result_get_text (result, i);

      hash = add_hash (hash, text);
      for (guint o = 0; o < n_order; o++)
        if (order[o] == i)
          self->order = add_hash (self->order, text);
      if (row != NULL)
        row[i] = g_strdup (text);
    }
  self->sum += mix (hash);
  self->n_rows++;
}

gboolean
kvsqlctl_answer_read (KvsqlctlAnswer *self, KvsqlResult *result, const guint *order, guint n_order,
                      guint64 most, gdouble *out_seconds, GCancellable *cancellable, GError **error)
{
  GError *local = NULL;
  gboolean has_more;

  self->n_columns = kvsql_result_get_n_columns (result);
  self->affected = kvsql_result_get_affected (result);
  self->types = g_new0 (KvsqlColumnType, self->n_columns + 1);
  for (guint i = 0; i < self->n_columns; i++)
    self->types[i] = kvsql_result_get_column_type (result, i);
  do
    {
      gint64 began_us;

      for (guint left = kvsql_result_get_n_page_rows (result); left > 0; left--)
        if (kvsql_result_next (result, NULL))
          add_row (self, result, order, n_order, most);
      began_us = g_get_monotonic_time ();
      has_more = self->n_columns > 0 && kvsql_result_next_page (result, cancellable, &local);
      if (out_seconds != NULL)
        *out_seconds += (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
    }
  while (has_more);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* ---- comparing */

static gboolean
is_real (KvsqlColumnType type)
{
  return type == KVSQL_COLUMN_TYPE_FLOAT || type == KVSQL_COLUMN_TYPE_DOUBLE;
}

static gboolean
is_equal (KvsqlColumnType type, gboolean is_computed, const gchar *a, const gchar *b)
{
  gdouble one, other;

  if (g_strcmp0 (a, b) == 0)
    return TRUE;
  if (!is_computed || !is_real (type) || a == NULL || b == NULL)
    return FALSE;
  one = g_ascii_strtod (a, NULL);
  other = g_ascii_strtod (b, NULL);
  return fabs (one - other) <= TOLERANCE * MAX (fabs (one), fabs (other));
}

/* Numbers that may differ a little come last. */
static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const KvsqlctlAnswer *self = data;
  gchar *const *left = *(gchar * *const *)a, *const *right = *(gchar * *const *)b;

  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->n_columns; i++)
      {
        gdouble one, other;

        if (is_real (self->types[i]) != (pass == 1) || g_strcmp0 (left[i], right[i]) == 0)
          continue;
        if (pass == 0 || left[i] == NULL || right[i] == NULL)
          return g_strcmp0 (left[i], right[i]);
        one = g_ascii_strtod (left[i], NULL);
        other = g_ascii_strtod (right[i], NULL);
        if (one != other)
          return one < other ? -1 : 1;
      }
  return 0;
}

static void
append_row (const KvsqlctlAnswer *self, gchar *const *row, GString *out)
{
  g_string_append_c (out, '(');
  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", row[i] != NULL ? row[i] : "NULL");
  g_string_append_c (out, ')');
}

static gboolean
are_rows_equal (const KvsqlctlAnswer *self, gboolean is_computed, gchar *const *a, gchar *const *b)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (!is_equal (self->types[i], is_computed, a[i], b[i]))
      return FALSE;
  return TRUE;
}

static void
append_row_at (const KvsqlctlAnswer *self, guint at, GString *out)
{
  if (at < self->rows->len)
    append_row (self, self->rows->pdata[at], out);
  else
    g_string_append (out, "none");
}

/* The first rows, in the order of their values, that differ. */
static gchar *
compare_all (KvsqlctlAnswer *a, KvsqlctlAnswer *b, gboolean is_computed)
{
  if (a->n_columns != b->n_columns)
    return g_strdup ("the answers have different columns");
  if (!a->is_complete || !b->is_complete)
    return is_computed ? NULL : g_strdup ("some rows differ");
  g_ptr_array_sort_with_data (a->rows, compare_rows, a);
  g_ptr_array_sort_with_data (b->rows, compare_rows, b);
  for (guint i = 0; i < MAX (a->rows->len, b->rows->len); i++)
    {
      g_autoptr (GString) text = NULL;

      if (i < MIN (a->rows->len, b->rows->len)
          && are_rows_equal (a, is_computed, a->rows->pdata[i], b->rows->pdata[i]))
        continue;
      text = g_string_new ("the first rows that differ: today ");
      append_row_at (a, i, text);
      g_string_append (text, ", advised ");
      append_row_at (b, i, text);
      return g_string_free (g_steal_pointer (&text), FALSE);
    }
  return NULL;
}

static gchar *
compare_counts (KvsqlctlAnswer *a, KvsqlctlAnswer *b, gboolean with_rows)
{
  g_autofree gchar *rows = with_rows ? compare_all (a, b, FALSE) : NULL;

  return g_strdup_printf ("today %" G_GUINT64_FORMAT " rows, advised %" G_GUINT64_FORMAT "%s%s",
                          a->n_rows, b->n_rows, rows != NULL ? "; " : "", rows != NULL ? rows : "");
}

static gchar *
compare_failures (const KvsqlctlAnswer *a, const KvsqlctlAnswer *b)
{
  if (a->failure != NULL && b->failure != NULL
      && g_error_matches (a->failure, b->failure->domain, b->failure->code))
    return NULL;
  return g_strdup_printf ("today: %s; advised: %s",
                          a->failure != NULL ? a->failure->message : "it succeeds",
                          b->failure != NULL ? b->failure->message : "it succeeds");
}

gchar *
kvsqlctl_answer_compare (KvsqlctlAnswer *a, KvsqlctlAnswer *b, const KvsqlTrialStatement *statement)
{
  gboolean is_computed = statement != NULL && statement->is_computed;
  gboolean is_count = statement != NULL && statement->answer == KVSQL_TRIAL_COUNT;

  if (a->failure != NULL || b->failure != NULL)
    return compare_failures (a, b);
  if (a->affected != b->affected)
    return g_strdup_printf ("today it changes %" G_GINT64_FORMAT
                            " tuples, advised %" G_GINT64_FORMAT,
                            a->affected, b->affected);
  if (a->n_rows != b->n_rows)
    return compare_counts (a, b, !is_count);
  if (a->order != b->order && !is_computed)
    return g_strdup ("the rows are in another order than that of ORDER BY");
  if (a->sum == b->sum || is_count)
    return NULL;
  return compare_all (a, b, is_computed);
}
