/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-values.c: see the header.
 *
 * The forms are those of LazyUtils and of the classes LazyDio… of Hive 4.
 */
#include "config.h"

#include "client/ctl/adopt/hive-values.h"

#include <string.h>

#include "client/ctl/names.h"

#define DEFAULT_NULL "\\N"

typedef struct
{
  const gchar *name;
  const gchar *type;   /* in kvsql; %d: the size, %s: the size and scale */
  const gchar *in_map; /* without limits */
  const gchar *text;   /* the element, up to its brace; %d: the size; empty: the bare attribute */
  const gchar *binary; /* the same with #b; nullable: Hive has none */
  const gchar *note;   /* nullable */
  gboolean is_text;    /* bytes that no other value has may be the value, too */
} Value;

static const Value values[] = {
  { "boolean", "BOOLEAN", "BOOLEAN", "text", "" },
  { "tinyint", "SMALLINT", "INT", "text", "byte" },
  { "smallint", "SMALLINT", "INT", "text", "short" },
  { "int", "INT", "INT", "text", "" },
  { "bigint", "BIGINT", "BIGINT", "text", "" },
  { "float", "FLOAT", "FLOAT", "hive", "" },
  { "double", "DOUBLE", "DOUBLE", "hive", "" },
  { "string", "STRING", "STRING", "", NULL, .is_text = TRUE },
  { "varchar", "VARCHAR(%d)", "STRING", "", NULL, .is_text = TRUE },
  { "char", "CHAR(%d)", "STRING", "fixed(%d, ' ')", NULL,
    "values of other than %d bytes are not read: those with letters other than ASCII" },
  { "binary", "BYTES", "BYTES", "base64", "" },
  { "decimal", "NUMERIC(%s)", "DECIMAL", "hive(%d)", NULL },
  { "date", "DATE", "DATE", "text", NULL },
  { "timestamp", "TIMESTAMP", "TIMESTAMP", "hive", NULL,
    "times of less than a millisecond are not read" },
  { "timestamp with local time zone", "STRING", "STRING", "", NULL, "its text", .is_text = TRUE },
};

static const Value *
find (const KvsqlctlHiveType *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (values[i].name, type->name) == 0)
      return &values[i];
  g_return_val_if_reached (&values[0]);
}

/* Replaces what is for the size in @pattern. */
static void
append_pattern (const gchar *pattern, const gchar *size, GString *out)
{
  const gchar *place = strchr (pattern, '%');

  if (place == NULL)
    g_string_append (out, pattern);
  else
    g_string_append_printf (out, "%.*s%s%s", (int)(place - pattern), pattern, size, place + 2);
}

gchar *
kvsqlctl_hive_value_get_type (const KvsqlctlHiveType *type, KvsqlctlHiveUse use)
{
  const Value *value = find (type);
  GString *out = g_string_new (NULL);
  g_autofree gchar *size = strcmp (type->name, "decimal") == 0
                               ? g_strdup_printf ("%d, %d", type->size, type->scale)
                               : g_strdup_printf ("%d", type->size);

  append_pattern (use == KVSQLCTL_HIVE_IN_MAP ? value->in_map : value->type, size, out);
  return g_string_free (out, FALSE);
}

/* Hive writes 01 for true, and reads any byte but 00, which in a key would be several forms. */
static const gchar *
binary_element (const Value *value, KvsqlctlHiveUse use, const KvsqlctlHiveForm *form)
{
  gboolean has_one_form = form->is_writable || use == KVSQLCTL_HIVE_IN_KEY;

  return strcmp (value->name, "boolean") == 0 && has_one_form ? "phoenix" : value->binary;
}

/* The text of NULL; NULL: there is none. Hive leaves out a cell that is NULL, and writes no bytes
 * for a field. It reads its text of NULL as NULL, which a number never is. */
static const gchar *
null_text (const Value *value, gboolean is_binary, KvsqlctlHiveUse use,
           const KvsqlctlHiveForm *form)
{
  if (use == KVSQLCTL_HIVE_IN_KEY || use == KVSQLCTL_HIVE_IN_MAP || is_binary)
    return NULL;
  if (use == KVSQLCTL_HIVE_IN_FIELD && !value->is_text)
    return "";
  return value->is_text || strcmp (form->null_text, DEFAULT_NULL) != 0 ? form->null_text : NULL;
}

gchar *
kvsqlctl_hive_value_write (const KvsqlctlHiveType *type, gboolean is_binary, KvsqlctlHiveUse use,
                           const KvsqlctlHiveForm *form, const gchar *attribute)
{
  const Value *value = find (type);
  const gchar *element = is_binary ? binary_element (value, use, form) : value->text;
  const gchar *null = null_text (value, is_binary, use, form);
  g_autofree gchar *size
      = g_strdup_printf ("%d", strcmp (type->name, "decimal") == 0 ? type->scale : type->size);
  g_autofree gchar *quoted = null != NULL ? kvsqlctl_quote_text (null) : NULL;
  GString *out;

  if (element == NULL)
    return NULL;
  out = g_string_new (NULL);
  if (quoted != NULL)
    g_string_append_printf (out, "null(%s){", quoted);
  append_pattern (element, size, out);
  g_string_append_printf (out, element[0] != '\0' ? "{%s}" : "%s", attribute);
  if (quoted != NULL)
    g_string_append_c (out, '}');
  return g_string_free (out, FALSE);
}

gchar *
kvsqlctl_hive_value_get_check (const KvsqlctlHiveType *type, const gchar *attribute)
{
  return strcmp (type->name, "tinyint") == 0
             ? g_strdup_printf ("%s BETWEEN -128 AND 127", attribute)
             : NULL;
}

gchar *
kvsqlctl_hive_value_get_note (const KvsqlctlHiveType *type)
{
  const gchar *note = find (type)->note;
  g_autofree gchar *size = g_strdup_printf ("%d", type->size);
  g_autofree gchar *name = kvsqlctl_hive_type_describe (type);
  GString *out;

  if (note == NULL)
    return NULL;
  out = g_string_new (name);
  g_string_append (out, ": ");
  append_pattern (note, size, out);
  return g_string_free (out, FALSE);
}
