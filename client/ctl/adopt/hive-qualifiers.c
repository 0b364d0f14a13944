/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-qualifiers.c: see the header.
 *
 * What other columns have is left out by a regular expression: the texts that differ from all of
 * theirs. It follows the tree of their bytes. At each byte, a text ends, goes on in one of the
 * branches, or goes on in any other way: (?:[^ab].*|a…|b…)?
 */
#include "config.h"

#include "client/ctl/adopt/hive-qualifiers.h"

#include <string.h>

#include "client/ctl/names.h"

/* The limits of regexp (…) in layouts. */
#define MAX_LENGTH 4000
#define MAX_DEPTH 40

/* A text that another column has: itself, or all that begin with it. */
typedef struct
{
  const gchar *rest; /* after what the map's begin with */
  gboolean is_prefix;
} Taken;

static void
append_byte (gchar byte, GString *out)
{
  if (g_ascii_isalnum (byte) || byte == '_')
    g_string_append_c (out, byte);
  else
    g_string_append_printf (out, "\\x%02x", (guchar)byte);
}

static void
append_text (const gchar *text, GString *out)
{
  for (; *text != '\0'; text++)
    append_byte (*text, out);
}

/* (transfer full): of those whose next byte is @byte, what is after it */
static GArray *
branch (const GArray *taken, gchar byte)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (Taken));

  for (guint i = 0; i < taken->len; i++)
    {
      Taken one = g_array_index (taken, Taken, i);

      if (one.rest[0] != byte)
        continue;
      one.rest++;
      g_array_append_val (out, one);
    }
  return out;
}

/* Whether all texts here are taken, or the one that ends here. */
static gboolean
has_end (const GArray *taken, gboolean of_prefix)
{
  for (guint i = 0; i < taken->len; i++)
    if (g_array_index (taken, Taken, i).rest[0] == '\0'
        && (!of_prefix || g_array_index (taken, Taken, i).is_prefix))
      return TRUE;
  return FALSE;
}

/* The bytes that begin a branch, each once. (transfer full) */
static gchar *
list_branches (const GArray *taken)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < taken->len; i++)
    {
      gchar byte = g_array_index (taken, Taken, i).rest[0];

      if (byte != '\0' && strchr (out->str, byte) == NULL)
        g_string_append_c (out, byte);
    }
  return g_string_free (out, FALSE);
}

/* FALSE: it would be too large. */
static gboolean
append_others (const GArray *taken, guint depth, GString *out)
{
  g_autofree gchar *bytes = list_branches (taken);
  gboolean may_end = !has_end (taken, FALSE);

  if (depth == MAX_DEPTH || out->len > MAX_LENGTH)
    return FALSE;
  if (bytes[0] == '\0')
    {
      g_string_append (out, may_end ? ".*" : ".+");
      return TRUE;
    }
  g_string_append (out, "(?:[^");
  append_text (bytes, out);
  g_string_append (out, "].*");
  for (const gchar *byte = bytes; *byte != '\0'; byte++)
    {
      g_autoptr (GArray) next = branch (taken, *byte);

      if (has_end (next, TRUE))
        continue;
      g_string_append_c (out, '|');
      append_byte (*byte, out);
      if (!append_others (next, depth + 1, out))
        return FALSE;
    }
  g_string_append (out, may_end ? ")?" : ")");
  return TRUE;
}

/* Of columns in the same family, and whose texts begin as those of the map. FALSE: another map has
 * all of them. */
static gboolean
find_taken (const GPtrArray *mappings, guint place, GArray *out)
{
  const KvsqlctlHiveMapping *self = mappings->pdata[place];

  for (guint i = 0; i < mappings->len; i++)
    {
      const KvsqlctlHiveMapping *other = mappings->pdata[i];
      Taken one;

      if (i == place || g_strcmp0 (other->family, self->family) != 0
          || !g_str_has_prefix (other->qualifier, self->qualifier))
        continue;
      one.rest = other->qualifier + strlen (self->qualifier);
      one.is_prefix = other->place == KVSQLCTL_HIVE_FAMILY;
      if (one.is_prefix && one.rest[0] == '\0' && i > place)
        continue; /* the first one of two has them */
      if (one.is_prefix && one.rest[0] == '\0')
        return FALSE;
      g_array_append_val (out, one);
    }
  return TRUE;
}

gchar *
kvsqlctl_hive_qualifiers_write (const GPtrArray *mappings, guint place, gboolean hides_prefix,
                                const gchar *key, const gchar **out_reason,
                                gboolean *out_is_narrower)
{
  const KvsqlctlHiveMapping *self = mappings->pdata[place];
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (Taken));
  g_autoptr (GString) expression = g_string_new (NULL);
  g_autofree gchar *inner = NULL, *prefix = kvsqlctl_quote_text (self->qualifier);
  gboolean has_prefix = self->qualifier[0] != '\0';

  *out_is_narrower = FALSE;
  if (!find_taken (mappings, place, taken))
    {
      *out_reason = "another column has the same cells";
      return NULL;
    }
  *out_is_narrower = taken->len > 0;
  if (has_prefix && !hides_prefix)
    append_text (self->qualifier, expression);
  if (!append_others (taken, 0, expression) || expression->len > MAX_LENGTH)
    {
      *out_reason = "the names of the other columns of its family are too long";
      return NULL;
    }
  inner = taken->len > 0 || (has_prefix && !hides_prefix)
              ? g_strdup_printf ("regexp('%s'){%s}", expression->str, key)
              : g_strdup (key);
  return has_prefix && hides_prefix ? g_strdup_printf ("prefix(%s){%s}", prefix, inner)
                                    : g_steal_pointer (&inner);
}
