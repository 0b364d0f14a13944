/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-types.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/phoenix-types.h"

#include <string.h>

#define ARRAY 3000 /* is added to the number of the elements' type */

/* DATE and TIME of Phoenix have milliseconds. */
static const KvsqlctlPhoenixType types[] = {
  { -6, "TINYINT", "SMALLINT", "flipped(1)" },
  { -5, "BIGINT", "BIGINT", "phoenix" },
  { -3, "VARBINARY", "BYTES", "phoenix", .is_open = TRUE },
  { -2, "BINARY", "BYTES", "fixed(%d)" },
  { 1, "CHAR", "STRING", "fixed(%d, ' ')" },
  { 3, "DECIMAL", "DECIMAL", "phoenix", .is_open = TRUE },
  { 4, "INTEGER", "INT", "phoenix" },
  { 5, "SMALLINT", "SMALLINT", "flipped(2)" },
  { 6, "FLOAT", "FLOAT", "phoenix" },
  { 8, "DOUBLE", "DOUBLE", "phoenix" },
  { 9, "UNSIGNED_INT", "INT", "unsigned(4)" },
  { 10, "UNSIGNED_LONG", "BIGINT", "unsigned(8)" },
  { 11, "UNSIGNED_TINYINT", "INT", "unsigned(1)" },
  { 12, "VARCHAR", "STRING", "phoenix", .is_open = TRUE },
  { 13, "UNSIGNED_SMALLINT", "INT", "unsigned(2)" },
  { 14, "UNSIGNED_FLOAT", "FLOAT", "" },
  { 15, "UNSIGNED_DOUBLE", "DOUBLE", "" },
  { 16, "BOOLEAN", "BOOLEAN", "phoenix", .cannot_descend = TRUE },
  { 18, "UNSIGNED_TIME", "TIMESTAMP", "unsigned(8)" },
  { 19, "UNSIGNED_DATE", "TIMESTAMP", "unsigned(8)" },
  { 20, "UNSIGNED_TIMESTAMP", "TIMESTAMP", "unsigned(8)", .has_nanoseconds = TRUE },
  { 91, "DATE", "TIMESTAMP", "phoenix" },
  { 92, "TIME", "TIMESTAMP", "phoenix" },
  { 93, "TIMESTAMP", "TIMESTAMP", "phoenix", .has_nanoseconds = TRUE },
};

/* clang-format off */
#define ARRAY_OF(number, name, element, layout) \
  { ARRAY + (number), name " ARRAY", "LIST<" element ">", layout, .cannot_be_key = TRUE }
/* clang-format on */
static const KvsqlctlPhoenixType arrays[] = {
  ARRAY_OF (-6, "TINYINT", "INT", "phoenix(tinyint)"),
  ARRAY_OF (-5, "BIGINT", "BIGINT", "phoenix"),
  ARRAY_OF (-2, "BINARY", "BYTES", "phoenix(binary, %d)"),
  ARRAY_OF (1, "CHAR", "STRING", "phoenix(char, %d)"),
  ARRAY_OF (3, "DECIMAL", "DECIMAL", "phoenix"),
  ARRAY_OF (4, "INTEGER", "INT", "phoenix"),
  ARRAY_OF (5, "SMALLINT", "INT", "phoenix(smallint)"),
  ARRAY_OF (6, "FLOAT", "FLOAT", "phoenix"),
  ARRAY_OF (8, "DOUBLE", "DOUBLE", "phoenix"),
  ARRAY_OF (9, "UNSIGNED_INT", "INT", "phoenix(unsigned_int)"),
  ARRAY_OF (10, "UNSIGNED_LONG", "BIGINT", "phoenix(unsigned_long)"),
  ARRAY_OF (11, "UNSIGNED_TINYINT", "INT", "phoenix(unsigned_tinyint)"),
  ARRAY_OF (12, "VARCHAR", "STRING", "phoenix"),
  ARRAY_OF (13, "UNSIGNED_SMALLINT", "INT", "phoenix(unsigned_smallint)"),
  ARRAY_OF (14, "UNSIGNED_FLOAT", "FLOAT", "phoenix(unsigned_float)"),
  ARRAY_OF (15, "UNSIGNED_DOUBLE", "DOUBLE", "phoenix(unsigned_double)"),
  ARRAY_OF (16, "BOOLEAN", "BOOLEAN", "phoenix"),
  ARRAY_OF (18, "UNSIGNED_TIME", "TIMESTAMP", "phoenix(unsigned_time)"),
  ARRAY_OF (19, "UNSIGNED_DATE", "TIMESTAMP", "phoenix(unsigned_date)"),
  ARRAY_OF (20, "UNSIGNED_TIMESTAMP", "TIMESTAMP", "phoenix(unsigned_timestamp)"),
  ARRAY_OF (91, "DATE", "TIMESTAMP", "phoenix"),
  ARRAY_OF (92, "TIME", "TIMESTAMP", "phoenix"),
  ARRAY_OF (93, "TIMESTAMP", "TIMESTAMP", "phoenix(timestamp)"),
};

#define DECIMAL 3
#define VARCHAR 12
#define VARBINARY (-3)
#define CHAR 1
#define BINARY (-2)

static const KvsqlctlPhoenixType integer_as_decimal
    = { DECIMAL, "DECIMAL", NULL, "phoenix_decimal", .is_open = TRUE };
/* The bytes are those of the column, with its spaces. */
static const KvsqlctlPhoenixType char_as_varchar
    = { VARCHAR, "VARCHAR", NULL, "fixed(%d, ' ')", .is_open = TRUE };
static const KvsqlctlPhoenixType binary_as_varbinary
    = { VARBINARY, "VARBINARY", NULL, "fixed(%d)", .is_open = TRUE };

const KvsqlctlPhoenixType kvsqlctl_phoenix_unknown_type = { 0, NULL, "BYTES", "" };

const KvsqlctlPhoenixType *
kvsqlctl_phoenix_type_find (gint number)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].number == number)
      return &types[i];
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i].number == number)
      return &arrays[i];
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

gboolean
kvsqlctl_phoenix_type_ends_with_zero (gint number, gint in_index)
{
  return in_index == DECIMAL || (in_index == VARCHAR && number == VARCHAR);
}

gboolean
kvsqlctl_phoenix_type_is_text (gint number)
{
  return number == VARCHAR;
}

gchar *
kvsqlctl_phoenix_type_describe (gint number)
{
  const KvsqlctlPhoenixType *type = kvsqlctl_phoenix_type_find (number);

  return type != NULL ? g_strdup (type->name) : g_strdup_printf ("type %d", number);
}

static void
append_value (const KvsqlctlPhoenixType *self, gint size, const gchar *attribute, GString *out)
{
  const gchar *place = strstr (self->element, "%d");

  if (place != NULL)
    g_string_append_printf (out, "%.*s%d%s", (int)(place - self->element), self->element, size,
                            place + strlen ("%d"));
  else
    g_string_append (out, self->element);
  g_string_append_printf (out, self->element[0] != '\0' ? "{%s}" : "%s", attribute);
}

gchar *
kvsqlctl_phoenix_type_value (const KvsqlctlPhoenixType *self, const KvsqlctlPhoenixColumn *column,
                             const gchar *attribute)
{
  GString *out = g_string_new (NULL);

  append_value (self, column->size, attribute, out);
  g_string_append (out, self->has_nanoseconds ? ":x'00000000'" : "");
  return g_string_free (out, FALSE);
}

/* Phoenix ends a NULL in descending order with 00 instead of FF. */
gchar *
kvsqlctl_phoenix_type_key (const KvsqlctlPhoenixType *self, const KvsqlctlPhoenixColumn *column,
                           gint size, const gchar *attribute, gboolean may_be_null,
                           gboolean is_last)
{
  gboolean descends = kvsqlctl_phoenix_column_descends (column);
  const gchar *const outer[]
      = { may_be_null && descends ? "null(x'00'){" : NULL, descends ? "desc{" : NULL,
          self->is_open && (!is_last || descends) ? "suffix(x'00'){" : NULL,
          may_be_null && !descends ? "null(''){" : NULL };
  g_autoptr (GString) braces = g_string_new (NULL);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (outer); i++)
    if (outer[i] != NULL)
      {
        g_string_append (out, outer[i]);
        g_string_append_c (braces, '}');
      }
  append_value (self, size, attribute, out);
  g_string_append (out, braces->str);
  if (self->has_nanoseconds)
    g_string_append (out, descends ? ":x'ffffffff'" : ":x'00000000'");
  return g_string_free (out, FALSE);
}
