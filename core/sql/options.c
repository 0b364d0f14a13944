/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.c: see the header.
 */
#include "config.h"

#include "core/sql/options.h"

const KvsqlOption *
kvsql_options_find (const KvsqlOptions *self, const gchar *name)
{
  for (guint i = 0; i < self->n; i++)
    if (g_ascii_strcasecmp (self->items[i].name.text, name) == 0)
      return &self->items[i];
  return NULL;
}

gboolean
kvsql_option_is_word (const KvsqlOption *self, const gchar *word)
{
  return self->value.type == KVSQL_TYPE_STRING && self->value.bytes.size == strlen (word)
         && g_ascii_strncasecmp ((const gchar *)self->value.bytes.data, word, strlen (word)) == 0;
}

void
kvsql_options_remove (KvsqlOptions *self, const gchar *name, KvsqlArena *arena)
{
  KvsqlOption *items = kvsql_arena_array (arena, KvsqlOption, self->n + 1);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (g_ascii_strcasecmp (self->items[i].name.text, name) != 0)
      items[n++] = self->items[i];
  *self = (KvsqlOptions){ .items = items, .n = n };
}

void
kvsql_options_set (KvsqlOptions *self, const KvsqlOption *option, KvsqlArena *arena)
{
  kvsql_options_remove (self, option->name.text, arena);
  self->items[self->n++] = *option; /* kvsql_options_remove() has left room for one more */
}

KvsqlOption
kvsql_option_word (const gchar *name, const gchar *word)
{
  return (KvsqlOption){
    .name = { .text = name },
    .value = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (word) },
    .value_is_name = TRUE,
  };
}

gboolean
kvsql_option_fail (const KvsqlOption *self, const gchar *wanted, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->span, "option \"%s\" needs %s",
                          self->name.text, wanted);
}
