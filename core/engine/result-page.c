/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * result-page.c: see the header.
 */
#include "config.h"

#include "core/engine/result-page.h"

#include "core/base/interrupt.h"

#include "core/base/memory.h"

void
kvsql_result_page_free (KvsqlResultPage *self)
{
  if (self == NULL)
    return;
  kvsql_batch_free (self->rows);
  kvsql_arena_free (self->arena);
  g_clear_pointer (&self->cursor, g_bytes_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self);
}

KvsqlResultPage *
kvsql_result_page_new_empty (gint64 affected)
{
  KvsqlResultPage *self = kvsql_new0 (KvsqlResultPage);

  self->affected = affected;
  self->done = -1;
  return self;
}

static void
add_warning (KvsqlResultPage *self, gchar *text)
{
  if (self->warnings == NULL)
    self->warnings = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->warnings, text);
}

void
kvsql_result_page_warn (KvsqlResultPage *self, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  add_warning (self, g_strdup_vprintf (format, args));
  va_end (args);
}

void
kvsql_result_page_note (KvsqlResultPage *self, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  add_warning (self, g_strconcat ("note: ", text, NULL));
}

KvsqlResultPage *
kvsql_result_page_new_table (const gchar *const *names, guint n_columns)
{
  KvsqlResultPage *self = kvsql_result_page_new_empty (-1);
  g_autofree KvsqlType *types = g_new (KvsqlType, n_columns);

  self->n_columns = n_columns;
  self->arena = kvsql_arena_new ();
  self->columns = kvsql_arena_array (self->arena, KvsqlResultColumn, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      types[i] = KVSQL_TYPE_STRING;
      self->columns[i] = (KvsqlResultColumn){ .name = kvsql_arena_strdup (self->arena, names[i]),
                                              .type = KVSQL_TYPE_STRING,
                                              .is_nullable = TRUE };
    }
  self->rows = kvsql_batch_new (types, n_columns, 16);
  return self;
}

void
kvsql_result_page_add_row (KvsqlResultPage *self, const gchar *const *texts)
{
  guint row = self->rows->n_rows;

  if (row == self->rows->capacity)
    kvsql_batch_reserve (self->rows, row * 2);
  for (guint i = 0; i < self->n_columns; i++)
    {
      KvsqlValue value = KVSQL_VALUE_NULL;
      if (texts[i] != NULL)
        value = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                              .bytes
                              = kvsql_slice_dup (self->arena, kvsql_slice_from_text (texts[i])) };
      kvsql_vector_set (&self->rows->columns[i], row, &value);
    }
  self->rows->n_rows++;
}

gchar *
kvsql_time_text (gint64 ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (ms / 1000);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%SZ") : NULL;
}

/* With @scale digits after the point, unless it has more. */
static KvsqlSlice
add_zeros (KvsqlSlice digits, guint scale, KvsqlArena *arena)
{
  const guint8 *point = memchr (digits.data, '.', digits.size);
  gsize whole = point == NULL ? digits.size : (gsize)(point - digits.data);
  gsize size = whole + 1 + scale;
  guint8 *text;

  if (size <= digits.size)
    return digits;
  text = kvsql_arena_alloc (arena, size);
  memset (text, '0', size);
  memcpy (text, digits.data, digits.size);
  text[whole] = '.';
  return kvsql_slice (text, size);
}

void
kvsql_result_show_digits (KvsqlBatch *rows, guint column, const KvsqlTypeLimit *limit,
                          KvsqlArena *arena)
{
  KvsqlVector *vector = &rows->columns[column];

  if ((limit->kind != KVSQL_LIMIT_DIGITS && limit->kind != KVSQL_LIMIT_SCALE) || limit->scale == 0
      || vector->type != KVSQL_TYPE_DECIMAL)
    return;
  for (guint i = 0; i < rows->n_rows && kvsql_interrupt_tick (); i++)
    if (!kvsql_vector_is_null (vector, i))
      vector->slices[i] = add_zeros (vector->slices[i], limit->scale, arena);
}
