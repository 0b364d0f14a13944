/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * like.c: compiles and matches LIKE patterns.
 */
#include "config.h"

#include "core/expr/like.h"

#include "core/expr/letter-case.h"

KvsqlLike *
kvsql_like_compile (KvsqlSlice pattern, gint escape, gboolean is_bytes, KvsqlArena *arena,
                    GError **error)
{
  KvsqlLike *self = kvsql_arena_new0 (arena, KvsqlLike);
  gboolean in_prefix = TRUE;

  self->bytes = kvsql_arena_alloc0 (arena, pattern.size + 1);
  self->kinds = kvsql_arena_alloc0 (arena, pattern.size + 1);
  self->is_bytes = is_bytes;
  for (gsize i = 0; i < pattern.size; i++)
    {
      guint8 byte = pattern.data[i], kind = 0;
      if (escape >= 0 && byte == escape)
        {
          if (++i == pattern.size)
            {
              kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                               "LIKE pattern must not end with the escape character");
              kvsql_error_sqlstate (error, "22025");
              return NULL;
            }
          byte = pattern.data[i];
        }
      else if (byte == '%' || byte == '_')
        kind = byte;
      if (kind == '%' && self->size > 0 && self->kinds[self->size - 1] == '%')
        continue;
      self->bytes[self->size] = byte;
      self->kinds[self->size++] = kind;
      in_prefix = in_prefix && kind == 0;
      self->prefix_size += in_prefix;
    }
  self->is_exact = self->prefix_size == self->size;
  self->is_prefix = self->size == self->prefix_size + 1 && self->kinds[self->prefix_size] == '%';
  return self;
}

/* @pattern with \ as its escape character. */
static GString *
with_backslash (KvsqlSlice pattern, gint escape)
{
  GString *text = g_string_sized_new (pattern.size + 1);

  for (gsize i = 0; i < pattern.size; i++)
    {
      guint8 byte = pattern.data[i];
      if (escape >= 0 && byte == escape)
        {
          g_string_append_c (text, '\\');
          if (++i < pattern.size)
            g_string_append_c (text, (gchar)pattern.data[i]);
          continue;
        }
      if (byte == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, (gchar)byte);
    }
  return text;
}

KvsqlLike *
kvsql_like_compile_caseless (KvsqlSlice pattern, gint escape, KvsqlArena *arena, GError **error)
{
  g_autoptr (GString) text = with_backslash (pattern, escape), lower = g_string_new (NULL);

  for (const gchar *p = text->str, *end = text->str + text->len; p < end;)
    {
      gunichar c = g_utf8_get_char_validated (p, end - p);
      if (c == (gunichar)-1 || c == (gunichar)-2)
        {
          g_string_append_c (lower, *p++);
          continue;
        }
      g_string_append_unichar (lower, kvsql_letter_to_lower (c));
      p = g_utf8_next_char (p);
    }
  return kvsql_like_compile (kvsql_slice (lower->str, lower->len), '\\', FALSE, arena, error);
}

KvsqlLike *
kvsql_like_new_prefix (KvsqlSlice prefix, gboolean is_bytes, KvsqlArena *arena)
{
  KvsqlLike *self = kvsql_arena_new0 (arena, KvsqlLike);

  self->bytes = kvsql_arena_alloc0 (arena, prefix.size + 1);
  self->kinds = kvsql_arena_alloc0 (arena, prefix.size + 1);
  memcpy (self->bytes, prefix.data, prefix.size);
  self->bytes[prefix.size] = self->kinds[prefix.size] = '%';
  self->size = prefix.size + 1;
  self->prefix_size = prefix.size;
  self->is_prefix = TRUE;
  self->is_bytes = is_bytes;
  return self;
}

gboolean
kvsql_like_escape (KvsqlSlice text, gint *out_escape, GError **error)
{
  if (text.size > 1)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "ESCAPE needs one character or none");
  *out_escape = text.size == 0 ? -1 : text.data[0];
  return TRUE;
}

static gsize
character_size (const KvsqlLike *self, KvsqlSlice text, gsize at)
{
  gsize size = 1;

  if (self->is_bytes)
    return 1;
  while (at + size < text.size && (text.data[at + size] & 0xc0) == 0x80)
    size++;
  return size;
}

gboolean
kvsql_like_matches (const KvsqlLike *self, KvsqlSlice text)
{
  gsize p = 0, t = 0, star = G_MAXSIZE, resume = 0;

  while (t < text.size)
    {
      if (p < self->size && self->kinds[p] == '%')
        {
          star = p++;
          resume = t;
        }
      else if (p < self->size && self->kinds[p] == '_')
        {
          t += character_size (self, text, t);
          p++;
        }
      else if (p < self->size && self->bytes[p] == text.data[t])
        {
          p++;
          t++;
        }
      else if (star != G_MAXSIZE)
        {
          p = star + 1;
          resume += character_size (self, text, resume);
          t = resume;
        }
      else
        return FALSE;
    }
  while (p < self->size && self->kinds[p] == '%')
    p++;
  return p == self->size;
}
