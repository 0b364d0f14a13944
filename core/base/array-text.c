/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * array-text.c: reads PostgreSQL's text of an array.
 */
#include "config.h"

#include "core/base/array-text.h"

#include "core/base/collection.h"
#include "core/base/interrupt.h"

typedef struct
{
  const guint8 *at, *end;
  GString *element; /* the present one, without quotes */
  gboolean was_quoted;
} Reader;

static void
skip_blanks (Reader *self)
{
  while (self->at < self->end && g_ascii_isspace ((gchar)*self->at))
    self->at++;
}

gboolean
kvsql_array_text_is_one (KvsqlSlice text)
{
  Reader self = { .at = text.data, .end = text.data + text.size };

  skip_blanks (&self);
  return self.at < self.end && *self.at == '{';
}

static gboolean
malformed (KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "malformed array literal: \"%s\"",
                   shown);
  kvsql_error_hint (error, "Write a list as '{a,\"b c\",NULL}', or as a JSON array: '[1, 2]'.");
  return kvsql_error_sqlstate (error, "22P02");
}

/* After the first quote. */
static gboolean
read_quoted (Reader *self)
{
  self->was_quoted = TRUE;
  for (; self->at < self->end && *self->at != '"'; self->at++)
    {
      if (*self->at == '\\' && ++self->at == self->end)
        return FALSE;
      g_string_append_c (self->element, (gchar)*self->at);
    }
  if (self->at == self->end)
    return FALSE;
  self->at++;
  skip_blanks (self);
  return self->at < self->end && (*self->at == ',' || *self->at == '}');
}

static gboolean
read_plain (Reader *self)
{
  gsize kept = 0; /* without the blanks at its end */

  while (self->at < self->end && *self->at != ',' && *self->at != '}')
    {
      gboolean is_blank = g_ascii_isspace ((gchar)*self->at);

      if (*self->at == '{' || *self->at == '"')
        return FALSE;
      if (*self->at == '\\' && ++self->at == self->end)
        return FALSE;
      g_string_append_c (self->element, (gchar)*self->at++);
      kept = is_blank ? kept : self->element->len;
    }
  g_string_truncate (self->element, kept);
  return self->at < self->end && kept > 0;
}

static gboolean
read_element (Reader *self)
{
  g_string_truncate (self->element, 0);
  self->was_quoted = FALSE;
  skip_blanks (self);
  if (self->at < self->end && *self->at == '"')
    {
      self->at++;
      return read_quoted (self);
    }
  return read_plain (self);
}

static gboolean
read_all (Reader *self, KvsqlType type, KvsqlArena *arena, KvsqlSlice whole, KvsqlSlice *out,
          GError **error)
{
  KvsqlValue *values = NULL;
  guint n = 0;

  skip_blanks (self);
  self->at++; /* the brace */
  skip_blanks (self);
  if (self->at < self->end && *self->at == '}')
    self->at++;
  else
    while (TRUE)
      {
        KvsqlValue *value;

        if (!kvsql_interrupt_poll (error))
          return FALSE;
        if (!read_element (self))
          return malformed (whole, error);
        value = KVSQL_ARENA_ADD (arena, values, n);
        if (!kvsql_collection_check_size (type, n, error))
          return FALSE;
        *value = KVSQL_VALUE_NULL;
        if ((self->was_quoted || g_ascii_strcasecmp (self->element->str, "NULL") != 0)
            && !kvsql_value_parse_scalar (kvsql_type_get_element (type),
                                          kvsql_slice (self->element->str, self->element->len),
                                          arena, value, error))
          return FALSE;
        if (*self->at++ == '}')
          break;
      }
  skip_blanks (self);
  if (self->at != self->end)
    return malformed (whole, error);
  *out = kvsql_list_join (values, n, arena);
  return TRUE;
}

gboolean
kvsql_array_text_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out,
                        GError **error)
{
  g_autoptr (GString) element = g_string_new (NULL);
  Reader self = { .at = text.data, .end = text.data + text.size, .element = element };

  return read_all (&self, type, arena, text, out, error);
}
