/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * answer.c: see the header.
 */
#include "config.h"

#include "tests/slt/answer.h"

#include "core/base/decimal.h"

#include <math.h>

#define MAX_SHOWN 24

void
slt_answer_init (SltAnswer *self, guint n_columns)
{
  self->values = g_ptr_array_new_with_free_func (g_free);
  self->n_columns = n_columns;
}

void
slt_answer_clear (SltAnswer *self)
{
  g_clear_pointer (&self->values, g_ptr_array_unref);
}

/* ---- one value */

/* The number at the beginning of a text, as in SQLite. */
static gdouble
number_in_text (KvsqlSlice text)
{
  g_autofree gchar *copy = g_strndup ((const gchar *)text.data, text.size);

  return g_ascii_strtod (copy, NULL);
}

static gdouble
as_real (const KvsqlValue *value)
{
  switch (value->type)
    {
    case KVSQL_TYPE_BOOLEAN:
      return value->boolean;
    case KVSQL_TYPE_FLOAT:
    case KVSQL_TYPE_DOUBLE:
      return value->real;
    case KVSQL_TYPE_DECIMAL:
      return kvsql_decimal_to_double (value->bytes);
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_BYTES:
      return number_in_text (value->bytes);
    default:
      return (gdouble)value->integer;
    }
}

static gchar *
whole_number (const KvsqlValue *value)
{
  gdouble real;

  if (kvsql_type_get_class (value->type) == KVSQL_CLASS_INTEGER)
    return g_strdup_printf ("%" G_GINT64_FORMAT, value->integer);
  real = as_real (value);
  if (isnan (real) || fabs (real) > 9e18)
    return g_strdup_printf ("%f", real);
  return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64)real);
}

static gchar *
real_number (const KvsqlValue *value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE + 400];

  g_ascii_formatd (text, sizeof text, "%.3f", as_real (value));
  return g_strdup (text);
}

static gchar *
printable_text (const KvsqlValue *value)
{
  GString *text = g_string_new (NULL);

  if (value->type == KVSQL_TYPE_BOOLEAN)
    g_string_append (text, value->boolean ? "1" : "0");
  else
    kvsql_value_append_text (value, text);
  if (text->len == 0)
    g_string_append (text, "(empty)");
  for (gsize i = 0; i < text->len; i++)
    if (!g_ascii_isprint (text->str[i]))
      text->str[i] = '@';
  return g_string_free (text, FALSE);
}

static gchar *
format_value (const KvsqlValue *value, gchar letter)
{
  if (value->type == KVSQL_TYPE_NULL)
    return g_strdup ("NULL");
  return letter == 'I'   ? whole_number (value)
         : letter == 'R' ? real_number (value)
                         : printable_text (value);
}

gboolean
slt_answer_add (SltAnswer *self, const KvsqlResultPage *page, const gchar *types)
{
  if (page->rows == NULL || page->n_columns != self->n_columns)
    return FALSE;
  for (guint row = 0; row < page->rows->n_rows; row++)
    for (guint c = 0; c < page->n_columns; c++)
      {
        KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], row);
        g_ptr_array_add (self->values, format_value (&value, types[c]));
      }
  return TRUE;
}

/* ---- comparing */

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer n_columns)
{
  const gchar *const *x = a, *const *y = b;

  for (guint c = 0; c < GPOINTER_TO_UINT (n_columns); c++)
    {
      gint order = strcmp (x[c], y[c]);
      if (order != 0)
        return order;
    }
  return 0;
}

static void
sort_values (SltAnswer *self, SltSort sort)
{
  guint n = sort == SLT_ROWSORT ? self->n_columns : 1;

  if (sort != SLT_NOSORT && n > 0 && self->values->len > 0)
    g_qsort_with_data (self->values->pdata, (gint)(self->values->len / n), n * sizeof (gpointer),
                       compare_rows, GUINT_TO_POINTER (n));
}

gchar *
slt_answer_hash (const SltAnswer *self)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  for (guint i = 0; i < self->values->len; i++)
    {
      g_checksum_update (sum, self->values->pdata[i], -1);
      g_checksum_update (sum, (const guchar *)"\n", 1);
    }
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
same_hash (const SltAnswer *self, const SltRecord *record)
{
  g_autofree gchar *hash = slt_answer_hash (self);

  return self->values->len == record->n_hashed && g_str_equal (hash, record->hash);
}

gboolean
slt_answer_matches (SltAnswer *self, const SltRecord *record)
{
  sort_values (self, record->sort);
  if (record->hash != NULL)
    return same_hash (self, record);
  if (self->values->len != record->expected->len)
    return FALSE;
  for (guint i = 0; i < self->values->len; i++)
    if (!g_str_equal (self->values->pdata[i], record->expected->pdata[i]))
      return FALSE;
  return TRUE;
}

void
slt_answer_append (const SltAnswer *self, GString *out)
{
  for (guint i = 0; i < MIN (self->values->len, MAX_SHOWN); i++)
    g_string_append_printf (out, " %s", (const gchar *)self->values->pdata[i]);
  g_string_append_printf (out, " (%u values)", self->values->len);
}
