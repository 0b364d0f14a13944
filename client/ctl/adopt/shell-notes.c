/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shell-notes.c: see the header.
 */
#include "config.h"

#include "client/ctl/adopt/shell-notes.h"

#include <string.h>

#include "client/ctl/names.h"

#define PURGE "hbase.hstore.time.to.purge.deletes"
#define COPROCESSOR "coprocessor$"
#define PHOENIX "org.apache.phoenix."
#define FOREVER "2147483647"

/* An attribute of a family that changes what kvsql's tables are, and its option of WITH. */
typedef struct
{
  const gchar *name;
  const gchar *usual; /* what HBase makes */
  const gchar *option;
  const gchar *values; /* nullable: a number; else those that the option has */
} Attribute;

static const Attribute attributes[] = {
  { "VERSIONS", "1", "versions", NULL },
  { "TTL", FOREVER, "ttl", NULL },
  { "COMPRESSION", "NONE", "compression", " NONE GZ SNAPPY LZ4 ZSTD " },
  { "BLOOMFILTER", "ROW", "bloom", " NONE ROW ROWCOL " },
  { "DATA_BLOCK_ENCODING", "NONE", "block_encoding", " NONE PREFIX DIFF FAST_DIFF ROW_INDEX_V1 " },
};

/* The value without its explanation: "86400 SECONDS (1 DAY)". (transfer full) */
static gchar *
get_value (const KvsqlctlShellFamily *family, const Attribute *attribute)
{
  const gchar *value = g_hash_table_lookup (family->attributes, attribute->name);

  if (value == NULL || g_str_has_prefix (value, "FOREVER"))
    return g_strdup (attribute->usual);
  return g_strndup (value, strcspn (value, " "));
}

static gboolean
is_true (GHashTable *table, const gchar *name)
{
  const gchar *value = g_hash_table_lookup (table, name);

  return value != NULL && g_ascii_strcasecmp (value, "true") == 0;
}

/* ---- families */

static void
note_differences (const KvsqlctlShellFamily *family, KvsqlctlDefinition *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      g_autofree gchar *value = get_value (family, &attributes[i]);

      if (strcmp (value, attributes[i].usual) != 0)
        g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", attributes[i].name,
                                value);
    }
  kvsqlctl_definition_note (out, "family %s: %s", family->name,
                            text->len > 0 ? text->str : "as HBase makes it");
}

static void
note_risks (const KvsqlctlShellFamily *family, KvsqlctlDefinition *out)
{
  g_autofree gchar *ttl = get_value (family, &attributes[1]);
  const gchar *keeps = g_hash_table_lookup (family->attributes, "KEEP_DELETED_CELLS");
  const gchar *scope = g_hash_table_lookup (family->attributes, "REPLICATION_SCOPE");

  if (strcmp (ttl, FOREVER) != 0)
    kvsqlctl_definition_note (
        out, "family %s: each cell expires by itself after %s s: define WITH (writes = plain)",
        family->name, ttl);
  if (keeps != NULL && g_ascii_strcasecmp (keeps, "false") != 0)
    kvsqlctl_definition_note (out, "family %s: HBase keeps what kvsql deletes (KEEP_DELETED_CELLS)",
                              family->name);
  if (scope != NULL && strcmp (scope, "0") != 0)
    kvsqlctl_definition_note (out, "family %s: it is replicated, with what kvsql writes",
                              family->name);
}

/* HBase would forget deletes at the next major compaction. */
static void
note_purge (const KvsqlctlShellTable *table, KvsqlctlDefinition *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < table->families->len; i++)
    {
      const KvsqlctlShellFamily *family = table->families->pdata[i];

      if (g_hash_table_lookup (family->attributes, PURGE) == NULL)
        g_string_append_printf (
            text, ", {NAME => '%s', CONFIGURATION => {'" PURGE "' => '86400000'}}", family->name);
    }
  if (text->len > 0)
    kvsqlctl_definition_note (
        out, "before kvsql writes, so that no late put brings a deleted cell back: alter '%s'%s",
        table->name, text->str);
}

/* ---- the table */

static gboolean
has_phoenix (const KvsqlctlShellTable *table)
{
  GHashTableIter iterator;
  gpointer value;

  g_hash_table_iter_init (&iterator, table->attributes);
  while (g_hash_table_iter_next (&iterator, NULL, &value))
    if (strstr (value, PHOENIX) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
has_coprocessor (const KvsqlctlShellTable *table)
{
  GHashTableIter iterator;
  gpointer name;

  g_hash_table_iter_init (&iterator, table->attributes);
  while (g_hash_table_iter_next (&iterator, &name, NULL))
    if (g_ascii_strncasecmp (name, COPROCESSOR, strlen (COPROCESSOR)) == 0)
      return TRUE;
  return FALSE;
}

/* The value of all families. (transfer full) (nullable): NULL: they differ */
static gchar *
get_common (const KvsqlctlShellTable *table, const Attribute *attribute)
{
  g_autofree gchar *common = NULL;

  for (guint i = 0; i < table->families->len; i++)
    {
      g_autofree gchar *value = get_value (table->families->pdata[i], attribute);

      if (common != NULL && strcmp (common, value) != 0)
        return NULL;
      g_free (common);
      common = g_steal_pointer (&value);
    }
  return g_steal_pointer (&common);
}

static gboolean
has_option (const Attribute *attribute, const gchar *value)
{
  g_autofree gchar *word = g_strdup_printf (" %s ", value);

  return attribute->values == NULL || strstr (attribute->values, word) != NULL;
}

/* The options of a schema for which kvsql would make such a table. */
static void
note_options (const KvsqlctlShellTable *table, KvsqlctlDefinition *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      const Attribute *attribute = &attributes[i];
      g_autofree gchar *value = get_common (table, attribute);
      const gchar *quote = attribute->values != NULL ? "'" : "";

      if (value == NULL)
        kvsqlctl_definition_note (out, "WITH (%s = …) is of all families, which differ here",
                                  attribute->option);
      else if (!has_option (attribute, value))
        kvsqlctl_definition_note (out, "WITH has no %s = '%s'", attribute->option, value);
      else if (strcmp (value, attribute->usual) != 0)
        g_string_append_printf (text, "%s%s = %s%s%s", text->len > 0 ? ", " : "", attribute->option,
                                quote, value, quote);
    }
  if (text->len > 0)
    kvsqlctl_definition_note (out, "kvsql makes such a table with the options WITH (%s)",
                              text->str);
}

KvsqlctlDefinition *
kvsqlctl_shell_describe (const KvsqlctlShellTable *table)
{
  KvsqlctlDefinition *out = kvsqlctl_definition_new ();
  g_autofree gchar *name = g_shell_quote (table->name);

  if (table->is_disabled)
    kvsqlctl_definition_note (out, "it is disabled: enable '%s'", table->name);
  if (is_true (table->attributes, "READONLY"))
    kvsqlctl_definition_note (out, "it is READONLY: define it WITH (role = read)");
  for (guint i = 0; i < table->families->len; i++)
    note_differences (table->families->pdata[i], out);
  if (has_phoenix (table))
    {
      kvsqlctl_definition_note (out, "it is a table of Apache Phoenix: kvsqlctl adopt phoenix");
      return out;
    }
  for (guint i = 0; i < table->families->len; i++)
    note_risks (table->families->pdata[i], out);
  if (has_coprocessor (table))
    kvsqlctl_definition_note (out, "a coprocessor may change what is read and written");
  note_purge (table, out);
  note_options (table, out);
  kvsqlctl_definition_note (out, "kvsqlctl infer %s reads rows, and proposes a definition", name);
  return out;
}
