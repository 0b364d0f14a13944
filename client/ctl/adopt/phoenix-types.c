/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-types.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/phoenix-types.h"

#include <string.h>

#define PHOENIX "phoenix{"
#define NO_NANOSECONDS "}:x'00000000'"
#define ARRAY 3000 /* is added to the number of the elements' type */

/* DATE and TIME of Phoenix have milliseconds. */
static const KvsqlctlPhoenixType types[] = {
  { -6, "TINYINT", "SMALLINT", "flipped(1){", "}" },
  { -5, "BIGINT", "BIGINT", PHOENIX, "}" },
  { -3, "VARBINARY", "BYTES", PHOENIX, "}", .is_open = TRUE },
  { -2, "BINARY", "BYTES", "fixed(%d){", "}" },
  { 1, "CHAR", "STRING", "fixed(%d, ' '){", "}" },
  { 3, "DECIMAL", "DECIMAL", PHOENIX, "}", .is_open = TRUE },
  { 4, "INTEGER", "INT", PHOENIX, "}" },
  { 5, "SMALLINT", "SMALLINT", "flipped(2){", "}" },
  { 6, "FLOAT", "FLOAT", PHOENIX, "}" },
  { 8, "DOUBLE", "DOUBLE", PHOENIX, "}" },
  { 9, "UNSIGNED_INT", "INT", "unsigned(4){", "}" },
  { 10, "UNSIGNED_LONG", "BIGINT", "unsigned(8){", "}" },
  { 11, "UNSIGNED_TINYINT", "INT", "unsigned(1){", "}" },
  { 12, "VARCHAR", "STRING", PHOENIX, "}", .is_open = TRUE },
  { 13, "UNSIGNED_SMALLINT", "INT", "unsigned(2){", "}" },
  { 14, "UNSIGNED_FLOAT", "FLOAT", "", "" },
  { 15, "UNSIGNED_DOUBLE", "DOUBLE", "", "" },
  { 16, "BOOLEAN", "BOOLEAN", PHOENIX, "}", .cannot_descend = TRUE },
  { 18, "UNSIGNED_TIME", "TIMESTAMP", "unsigned(8){", "}" },
  { 19, "UNSIGNED_DATE", "TIMESTAMP", "unsigned(8){", "}" },
  { 20, "UNSIGNED_TIMESTAMP", "TIMESTAMP", "unsigned(8){", NO_NANOSECONDS,
    .after_descending = "}:x'ffffffff'" },
  { 91, "DATE", "TIMESTAMP", PHOENIX, "}" },
  { 92, "TIME", "TIMESTAMP", PHOENIX, "}" },
  { 93, "TIMESTAMP", "TIMESTAMP", PHOENIX, NO_NANOSECONDS, .after_descending = "}:x'ffffffff'" },
};

#define DECIMAL 3
#define VARCHAR 12
#define VARBINARY (-3)
#define CHAR 1
#define BINARY (-2)

static const KvsqlctlPhoenixType integer_as_decimal
    = { DECIMAL, "DECIMAL", NULL, "phoenix_decimal{", "}", .is_open = TRUE };
/* The bytes are those of the column, with its spaces. */
static const KvsqlctlPhoenixType char_as_varchar
    = { VARCHAR, "VARCHAR", NULL, "fixed(%d, ' '){", "}", .is_open = TRUE };
static const KvsqlctlPhoenixType binary_as_varbinary
    = { VARBINARY, "VARBINARY", NULL, "fixed(%d){", "}", .is_open = TRUE };

const KvsqlctlPhoenixType *
kvsqlctl_phoenix_type_find (gint number)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].number == number)
      return &types[i];
  return NULL;
}

static gboolean
is_integer (const KvsqlctlPhoenixType *self)
{
  return strcmp (self->type, "INT") == 0 || strcmp (self->type, "BIGINT") == 0
         || strcmp (self->type, "SMALLINT") == 0;
}

const KvsqlctlPhoenixType *
kvsqlctl_phoenix_type_find_in_index (gint number, gint in_index)
{
  const KvsqlctlPhoenixType *type = kvsqlctl_phoenix_type_find (number);

  if (type == NULL || number == in_index)
    return type;
  if (in_index == DECIMAL && is_integer (type))
    return &integer_as_decimal;
  if (in_index == VARCHAR && number == CHAR)
    return &char_as_varchar;
  return in_index == VARBINARY && number == BINARY ? &binary_as_varbinary : NULL;
}

gchar *
kvsqlctl_phoenix_type_describe (gint number)
{
  const KvsqlctlPhoenixType *type = kvsqlctl_phoenix_type_find (number);
  const KvsqlctlPhoenixType *of_elements = kvsqlctl_phoenix_type_find (number - ARRAY);

  if (type != NULL)
    return g_strdup (type->name);
  return of_elements != NULL ? g_strconcat (of_elements->name, " ARRAY", NULL)
                             : g_strdup_printf ("type %d", number);
}

static void
append_before (const KvsqlctlPhoenixType *self, gint column_size, GString *out)
{
  const gchar *size = strstr (self->before, "%d");

  if (size == NULL)
    g_string_append (out, self->before);
  else
    g_string_append_printf (out, "%.*s%d%s", (int)(size - self->before), self->before, column_size,
                            size + strlen ("%d"));
}

gchar *
kvsqlctl_phoenix_type_value (const KvsqlctlPhoenixType *self, const KvsqlctlPhoenixColumn *column,
                             const gchar *attribute)
{
  GString *out = g_string_new (NULL);

  append_before (self, column->size, out);
  g_string_append (out, attribute);
  g_string_append (out, self->after);
  return g_string_free (out, FALSE);
}

/* Phoenix ends a NULL in descending order with 00 instead of FF. */
gchar *
kvsqlctl_phoenix_type_key (const KvsqlctlPhoenixType *self, const KvsqlctlPhoenixColumn *column,
                           gint size, const gchar *attribute, gboolean may_be_null,
                           gboolean is_last)
{
  gboolean is_ended = self->is_open && (!is_last || column->is_descending);
  const gchar *rest = strchr (self->after, ':'); /* of the value, after its braces */
  GString *out = g_string_new (NULL);

  if (may_be_null && column->is_descending)
    g_string_append (out, "null(x'00'){");
  g_string_append (out, column->is_descending ? "desc{" : "");
  g_string_append (out, is_ended ? "suffix(x'00'){" : "");
  if (may_be_null && !column->is_descending)
    g_string_append (out, "null(''){");
  append_before (self, size, out);
  g_string_append (out, attribute);
  g_string_append_len (out, self->after,
                       rest != NULL ? rest - self->after : (gssize)strlen (self->after));
  for (guint i = may_be_null + is_ended + column->is_descending; i > 0; i--)
    g_string_append_c (out, '}');
  if (rest != NULL)
    g_string_append (out, column->is_descending ? strchr (self->after_descending, ':') : rest);
  return g_string_free (out, FALSE);
}
