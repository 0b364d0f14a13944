/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history-file.c: prints and parses the local registry's history.
 *
 *     kvsql-history 1
 *     relation user 7
 *     <TAB>first line of the record
 *     <TAB>second line
 *     end 1
 *
 * As in the definitions' file, words at the start of a line belong to the format. Without "end" the
 * file was cut short.
 */
#include "config.h"

#include "daemon/registry/history-file.h"

#include <string.h>

#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"

#define FIRST_LINE "kvsql-history 1"

GString *
_kvsqld_history_print (const GPtrArray *records)
{
  GString *out = g_string_new (FIRST_LINE "\n");

  for (guint i = 0; i < records->len; i++)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i];
      g_autofree gchar *name = _kvsqld_registry_escape (record->name);
      g_autofree gchar *text = _kvsqld_record_print (record);

      text[strlen (text) - 1] = '\0'; /* the block ends with a newline of its own */
      g_string_append_printf (out, "%s %s %" G_GINT64_FORMAT "\n",
                              _kvsqld_entry_kind_name (record->kind), name, record->epoch);
      _kvsqld_block_print (out, text);
    }
  g_string_append_printf (out, "end %u\n", records->len);
  return out;
}

static KvsqlDefinitionRecord *
parse_record (gchar ***line)
{
  g_autoptr (KvsqlDefinitionRecord) record = g_new0 (KvsqlDefinitionRecord, 1);
  g_auto (GStrv) words = g_strsplit (**line, " ", 4);
  g_autofree gchar *block = NULL;
  g_autofree gchar *text = NULL;

  while (record->kind < KVSQL_N_DEFINITION_KINDS
         && g_strcmp0 (words[0], _kvsqld_entry_kind_name (record->kind)) != 0)
    record->kind++;
  if (record->kind == KVSQL_N_DEFINITION_KINDS || g_strv_length (words) != 3
      || !g_ascii_string_to_signed (words[2], 10, 0, G_MAXINT64, &record->epoch, NULL))
    return NULL;
  record->name = _kvsqld_registry_unescape (words[1]);
  (*line)++;
  block = _kvsqld_block_parse (line);
  text = block != NULL ? g_strconcat (block, "\n", NULL) : NULL;
  return record->name != NULL && text != NULL && _kvsqld_record_parse (record, text)
             ? g_steal_pointer (&record)
             : NULL;
}

static gboolean
is_end (gchar **line, guint n_records)
{
  g_autofree gchar *expected = g_strdup_printf ("end %u", n_records);

  return strcmp (line[0], expected) == 0 && line[1] != NULL && *line[1] == '\0' && line[2] == NULL;
}

GPtrArray *
_kvsqld_history_parse (const gchar *text, gsize n_bytes, const gchar *path, GError **error)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func (kvsql_definition_record_free);
  gboolean is_text = memchr (text, '\0', n_bytes) == NULL && g_utf8_validate (text, n_bytes, NULL);
  g_auto (GStrv) lines = g_strsplit_set (is_text ? text : "", "\n", -1);
  gchar **line = lines;

  if (*line != NULL && strcmp (*line, FIRST_LINE) == 0)
    for (line++; *line != NULL && !is_end (line, records->len);)
      {
        gchar **begin = line;
        KvsqlDefinitionRecord *record = parse_record (&line);

        if (record == NULL)
          {
            line = begin;
            break;
          }
        g_ptr_array_add (records, record);
      }
  if (*line != NULL && is_end (line, records->len))
    return g_steal_pointer (&records);
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "history file \"%s\" is damaged at line %u", path, (guint)(line - lines) + 1);
  kvsql_error_hint (error, "Correct that line, or move the file away: a new history begins.");
  return NULL;
}
