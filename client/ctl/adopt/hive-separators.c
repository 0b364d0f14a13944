/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-separators.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/hive-separators.h"

#include <errno.h>
#include <string.h>

/* A delimiter of Hive is a number, or its first character counts. */
static guint8
read_byte (const gchar *text, guint8 otherwise)
{
  gchar *end = NULL;
  gint64 number;

  if (text == NULL || text[0] == '\0')
    return otherwise;
  number = g_ascii_strtoll (text, &end, 10);
  if (end != text && *end == '\0' && !g_ascii_isspace (text[0]) && number >= G_MININT8
      && number <= G_MAXINT8)
    return (guint8)number;
  return (guint8)g_utf8_get_char (text);
}

void
kvsqlctl_hive_separators_init (KvsqlctlHiveSeparators *self, const KvsqlctlHiveTable *table)
{
  const gchar *field = kvsqlctl_hive_table_get (table, "field.delim");

  if (field == NULL)
    field = kvsqlctl_hive_table_get (table, "serialization.format");
  self->bytes[0] = read_byte (field, 1);
  self->bytes[1] = read_byte (kvsqlctl_hive_table_get (table, "collection.delim"), 2);
  self->bytes[2] = read_byte (kvsqlctl_hive_table_get (table, "mapkey.delim"), 3);
  for (guint i = 3; i < KVSQLCTL_HIVE_LEVELS; i++)
    self->bytes[i] = (guint8)(i + 1);
}

gchar *
kvsqlctl_hive_separators_write (const KvsqlctlHiveSeparators *self, guint level)
{
  guint8 byte = self->bytes[level];

  return g_ascii_isgraph (byte) && byte != '\'' ? g_strdup_printf ("'%c'", byte)
                                                : g_strdup_printf ("x'%02x'", byte);
}

gchar *
kvsqlctl_hive_separators_list (const KvsqlctlHiveSeparators *self, guint level, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = level; i < level + n; i++)
    {
      g_autofree gchar *separator = kvsqlctl_hive_separators_write (self, i);

      g_string_append_printf (out, "%s%s", i > level ? ", " : "", separator);
    }
  return g_string_free (out, FALSE);
}

gboolean
kvsqlctl_hive_separators_are_text (const KvsqlctlHiveSeparators *self, guint level, guint n)
{
  for (guint i = level; i < level + n; i++)
    if (self->bytes[i] == 0 || self->bytes[i] > 0x7f)
      return FALSE;
  return TRUE;
}
