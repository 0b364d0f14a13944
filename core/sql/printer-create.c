/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-create.c: canonical text of CREATE TABLE, CREATE INDEX and CREATE VIEW.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

static void
print_names (const KvsqlName *names, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? "(" : ", ");
      kvsql_print_name (&names[i], out);
    }
  g_string_append_c (out, ')');
}

static void
print_table_as (const KvsqlCreateTable *self, GString *out)
{
  if (self->n_columns > 0)
    {
      g_string_append_c (out, ' ');
      print_names (self->columns, self->n_columns, out);
    }
  kvsql_print_options (&self->relation.options, out);
  g_string_append (out, " AS ");
  kvsql_print_select (self->query, out);
  if (self->is_empty)
    g_string_append (out, " WITH NO DATA");
}

void
kvsql_print_create_table (const KvsqlCreateTable *self, GString *out)
{
  const KvsqlDefineRelation *relation = &self->relation;

  g_string_append (out, "CREATE TABLE ");
  if (relation->if_not_exists)
    g_string_append (out, "IF NOT EXISTS ");
  kvsql_print_name (&relation->name, out);
  if (self->query != NULL)
    {
      print_table_as (self, out);
      return;
    }
  g_string_append (out, " (");
  for (guint i = 0; i < relation->n_attributes; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      kvsql_print_attribute (&relation->attributes[i], out);
    }
  kvsql_print_constraints (relation->constraints, relation->n_constraints,
                           relation->n_attributes > 0 ? ", " : "", ", ", out);
  if (self->n_key > 0)
    {
      g_string_append (out, relation->n_attributes + relation->n_constraints > 0 ? ", PRIMARY KEY "
                                                                                 : "PRIMARY KEY ");
      print_names (self->key, self->n_key, out);
    }
  g_string_append_c (out, ')');
  kvsql_print_options (&relation->options, out);
}

void
kvsql_print_create_index (const KvsqlCreateIndex *self, GString *out)
{
  g_string_append (out, "CREATE INDEX ");
  if (self->if_not_exists)
    g_string_append (out, "IF NOT EXISTS ");
  if (self->name.text != NULL)
    {
      kvsql_print_name (&self->name, out);
      g_string_append_c (out, ' ');
    }
  g_string_append (out, "ON ");
  kvsql_print_name (&self->relation, out);
  for (guint i = 0; i < self->n_columns; i++)
    {
      g_string_append (out, i == 0 ? " (" : ", ");
      kvsql_print_name (&self->columns[i].name, out);
      g_string_append (out, self->columns[i].is_descending ? " DESC" : "");
    }
  g_string_append_c (out, ')');
  if (self->n_included == 0)
    return;
  g_string_append (out, " INCLUDE ");
  print_names (self->included, self->n_included, out);
}

/* The query stays as it was written: with its WITH, comments and lines. */
void
kvsql_print_create_view (const KvsqlCreateView *self, GString *out)
{
  g_string_append (out, self->is_replacement ? "CREATE OR REPLACE VIEW " : "CREATE VIEW ");
  kvsql_print_name (&self->name, out);
  if (self->n_columns > 0)
    {
      g_string_append_c (out, ' ');
      print_names (self->columns, self->n_columns, out);
    }
  g_string_append (out, " AS ");
  g_string_append_len (out, (const gchar *)self->query_text.data, self->query_text.size);
}
