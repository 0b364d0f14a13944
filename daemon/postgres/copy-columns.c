/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copy-columns.c: see copy-columns.h.
 */
#include "config.h"

#include "daemon/postgres/copy-columns.h"

#include "core/sql/ast-definition.h"

static gboolean
is_named (const KvsqlName *name, const gchar *column)
{
  return name->is_quoted ? strcmp (name->text, column) == 0
                         : g_ascii_strcasecmp (name->text, column) == 0;
}

gboolean
kvsqld_pg_copy_find_columns (const KvsqlCopy *copy, const KvsqlCopyColumns *listed,
                             const gchar *option, const KvsqlResultColumn *columns, guint n_columns,
                             gboolean *out, GError **error)
{
  gboolean is_all = copy->n_attributes == 0;

  for (guint i = 0; i < n_columns; i++)
    out[i] = listed->is_all;
  for (guint i = 0; i < listed->n_names; i++)
    {
      guint column = 0;

      while (column < n_columns && !is_named (&listed->names[i], columns[column].name))
        column++;
      if (column == n_columns && is_all)
        {
          kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, listed->names[i].span,
                           "column \"%s\" does not exist", listed->names[i].text);
          return kvsql_error_sqlstate (error, "42703");
        }
      if (column == n_columns)
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, listed->names[i].span,
                           "%s column \"%s\" not referenced by COPY", option,
                           listed->names[i].text);
          return kvsql_error_sqlstate (error, "42P10");
        }
      out[column] = TRUE;
    }
  return TRUE;
}

const gchar *
kvsqld_pg_copy_get_relation (const KvsqlCopy *copy)
{
  return copy->relation->text;
}

const gchar **
kvsqld_pg_copy_get_attributes (const KvsqlCopy *copy, KvsqlArena *arena)
{
  const gchar **names = kvsql_arena_array (arena, const gchar *, copy->n_attributes + 1);

  for (guint i = 0; i < copy->n_attributes; i++)
    names[i] = copy->attributes[i].text;
  return names;
}
