/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proposal.c: see proposal.h.
 *
 * The statements are the daemon's own: names are in back-quotes, and each attribute ends with ','
 * or ' }'. So no parser is needed.
 */
#include "config.h"

#include "client/ctl/commands/proposal.h"

#include <stdio.h>
#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"

#define DEFINE_RELATION "DEFINE RELATION "
#define MAX_VALUES 3

/* ---- the answer */

static void
reading_free (gpointer data)
{
  KvsqlctlReading *self = data;

  g_free (self->note);
  g_free (self->fit);
  g_ptr_array_unref (self->statements);
  g_ptr_array_unref (self->undecodable);
  g_free (self);
}

void
kvsqlctl_proposal_clear (KvsqlctlProposal *self)
{
  g_clear_pointer (&self->readings, g_ptr_array_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
}

/* A relation with a note begins a reading. */
static void
add_statement (KvsqlctlProposal *self, const gchar *statement, const gchar *note)
{
  gboolean is_relation = g_str_has_prefix (statement, DEFINE_RELATION);
  KvsqlctlReading *reading;

  if (self->readings->len == 0 || (is_relation && note[0] != '\0'))
    {
      reading = g_new0 (KvsqlctlReading, 1);
      reading->statements = g_ptr_array_new_with_free_func (g_free);
      reading->undecodable = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->readings, reading);
    }
  reading = self->readings->pdata[self->readings->len - 1];
  if (note[0] != '\0')
    {
      gchar **place = is_relation ? &reading->note : &reading->fit;

      g_free (*place);
      *place = g_strdup (note);
    }
  g_ptr_array_add (reading->statements, g_strdup (statement));
}

/* Where a note belongs that is about no statement. */
static GPtrArray *
find_notes (const KvsqlctlProposal *self, const gchar *about)
{
  if (g_strcmp0 (about, "row") == 0)
    return self->cells;
  if (g_strcmp0 (about, "reading") == 0 && self->readings->len > 0)
    return ((KvsqlctlReading *)self->readings->pdata[self->readings->len - 1])->undecodable;
  return self->notes;
}

static void
add_row (KvsqlctlProposal *self, KvsqlResult *result)
{
  const gchar *definition = kvsql_result_get_text (result, 0);
  const gchar *note = kvsql_result_get_text (result, 1) ?: "";
  const gchar *about = kvsql_result_get_text (result, 2);

  if (definition != NULL)
    add_statement (self, definition, note);
  else
    g_ptr_array_add (find_notes (self, about), g_strdup (note));
}

gchar *
kvsqlctl_proposal_statement (const gchar *table, gint max_rows)
{
  g_autofree gchar *quoted = kvsqlctl_quote_text (table);

  return max_rows > 0 ? g_strdup_printf ("SHOW CREATE TABLE %s LIMIT %d", quoted, max_rows)
                      : g_strdup_printf ("SHOW CREATE TABLE %s", quoted);
}

void
kvsqlctl_print_statements (const GPtrArray *statements)
{
  for (guint i = 0; i < statements->len; i++)
    printf ("%s;\n", (const gchar *)statements->pdata[i]);
}

gboolean
kvsqlctl_proposal_query (KvsqlctlProposal *self, Kvsqlctl *ctl, const gchar *table, gint max_rows,
                         GError **error)
{
  g_autofree gchar *sql = kvsqlctl_proposal_statement (table, max_rows);
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (GError) cause = NULL;

  *self = (KvsqlctlProposal){ .readings = g_ptr_array_new_with_free_func (reading_free),
                              .notes = g_ptr_array_new_with_free_func (g_free),
                              .cells = g_ptr_array_new_with_free_func (g_free) };
  result = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  if (result == NULL)
    return FALSE;
  while (kvsql_result_next (result, &cause))
    add_row (self, result);
  if (cause != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cause));
      return FALSE;
    }
  kvsqlctl_report_warnings (ctl, kvsql_result_get_warnings (result));
  return TRUE;
}

/* ---- attributes */

static void
attribute_free (gpointer data)
{
  KvsqlctlProposedAttribute *self = data;

  g_free (self->relation);
  g_free (self->name);
  g_free (self->type);
  g_free (self);
}

/* After the name in back-quotes at @start. @out: without them */
static const gchar *
take_name (const gchar *start, gchar **out)
{
  g_autoptr (GString) name = g_string_new (NULL);
  const gchar *at = start + 1;

  for (; *at != '\0' && (*at != '`' || at[1] == '`'); at++)
    {
      g_string_append_c (name, *at);
      at += *at == '`';
    }
  *out = g_string_free (g_steal_pointer (&name), FALSE);
  return *at == '`' ? at + 1 : at;
}

/* "name { `a` STRING KEY, `b` MAP<STRING, INT> }" */
static void
add_attributes (const gchar *text, GPtrArray *out)
{
  const gchar *brace = strstr (text, " { ");
  const gchar *at = brace == NULL ? NULL : strchr (brace, '`');

  while (at != NULL)
    {
      KvsqlctlProposedAttribute *attribute = g_new0 (KvsqlctlProposedAttribute, 1);
      const gchar *type = take_name (at, &attribute->name) + 1;
      const gchar *next = strchr (type, '`'), *end = next;
      g_autofree gchar *rest = NULL;

      if (end == NULL)
        end = type + strlen (type);
      rest = g_strndup (type, (gsize)(end - type));
      attribute->is_key = strstr (rest, " KEY") != NULL;
      rest[strcspn (rest, " }")] = '\0';
      g_strdelimit (rest, ",", '\0');
      attribute->type = g_strdup (rest);
      attribute->relation = g_strndup (text, (gsize)(brace - text));
      g_ptr_array_add (out, attribute);
      at = next;
    }
}

GPtrArray *
kvsqlctl_reading_list_attributes (const KvsqlctlReading *self)
{
  GPtrArray *out = g_ptr_array_new_with_free_func (attribute_free);

  for (guint i = 0; i < self->statements->len; i++)
    {
      const gchar *statement = self->statements->pdata[i];

      if (g_str_has_prefix (statement, DEFINE_RELATION))
        add_attributes (statement + strlen (DEFINE_RELATION), out);
    }
  return out;
}

void
kvsqlctl_proposed_attribute_add_rename (const KvsqlctlProposedAttribute *self, const gchar *name,
                                        GPtrArray *out)
{
  g_autofree gchar *from = kvsqlctl_quote_name (self->name), *to = kvsqlctl_quote_name (name);

  if (!g_str_equal (self->name, name))
    g_ptr_array_add (
        out, g_strdup_printf ("ALTER RELATION %s RENAME %s TO %s", self->relation, from, to));
}

/* ---- values */

/* The value after "name = ", up to the next ", ". A text is in quotes. */
static gchar *
take_value (const gchar *start)
{
  const gchar *end = start;

  if (*end == '\'')
    for (end++; *end != '\0' && (*end != '\'' || end[1] == '\''); end++)
      end += *end == '\'';
  end += strcspn (end, ",");
  return g_strndup (start, (gsize)(end - start));
}

gchar *
kvsqlctl_proposal_show_values (const KvsqlctlProposal *self, const gchar *attribute)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *before = g_strdup_printf (" %s = ", attribute);

  for (guint i = 0; i < self->cells->len && values->len < MAX_VALUES; i++)
    {
      const gchar *found = strstr (self->cells->pdata[i], before);
      g_autofree gchar *value = found == NULL ? NULL : take_value (found + strlen (before));

      if (value != NULL && !g_ptr_array_find_with_equal_func (values, value, g_str_equal, NULL))
        g_ptr_array_add (values, g_steal_pointer (&value));
    }
  g_ptr_array_add (values, NULL);
  return g_strjoinv (", ", (gchar **)values->pdata);
}
