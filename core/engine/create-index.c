/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * create-index.c: CREATE INDEX: an index schema.
 *
 * Its row keys are the columns of the index and the rest of the KEY, its value the included
 * columns.
 */
#include "config.h"

#include "core/engine/created-schema.h"
#include "core/sql/printer.h"

/* The name that PostgreSQL gives, too: relation_column_…_idx. (transfer full) */
static gchar *
make_name (const KvsqlExecution *execution, const KvsqlCreateIndex *create,
           const KvsqlRelation *relation)
{
  g_autoptr (GString) stem = g_string_new (NULL);
  g_autofree gchar *folded = kvsql_name_fold (relation->name, relation->is_quoted);

  g_string_append (stem, folded);
  for (guint i = 0; i < create->n_columns; i++)
    g_string_append_printf (stem, "_%s", create->columns[i].name.text);
  g_string_append (stem, "_idx");
  return kvsql_unused_schema_name (execution->catalog, stem->str);
}

static gboolean
append_columns (const KvsqlCreateIndex *create, const KvsqlRelation *relation, GString *row,
                GString *value, GError **error)
{
  KvsqlAttributeSet seen = { 0 };
  guint attribute;

  for (guint i = 0; i < create->n_columns; i++)
    {
      if (!kvsql_relation_find (relation, &create->columns[i].name, &attribute, error))
        return FALSE;
      if (kvsql_attribute_set_has (&seen, attribute))
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, create->columns[i].name.span,
                                "column \"%s\" is in the index twice",
                                relation->attributes[attribute].name);
      kvsql_attribute_set_add (&seen, attribute);
      kvsql_append_ordered (&relation->attributes[attribute], create->columns[i].is_descending,
                            row);
    }
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && !kvsql_attribute_set_has (&seen, i))
      {
        kvsql_attribute_set_add (&seen, i);
        kvsql_append_ordered (&relation->attributes[i], FALSE, row);
      }
  for (guint i = 0; i < create->n_included; i++)
    {
      if (!kvsql_relation_find (relation, &create->included[i], &attribute, error))
        return FALSE;
      if (kvsql_attribute_set_has (&seen, attribute))
        continue;
      kvsql_attribute_set_add (&seen, attribute);
      kvsql_append_ordered (&relation->attributes[attribute], FALSE, value);
    }
  return TRUE;
}

/* (transfer full): the text of DEFINE SCHEMA */
static gchar *
write_schema (const KvsqlExecution *execution, const KvsqlCreateIndex *create,
              const KvsqlRelation *relation, const KvsqlName *name, GError **error)
{
  g_autoptr (GString) row = g_string_new (NULL), value = g_string_new (NULL);
  const KvsqlName relation_name = { .text = relation->name, .is_quoted = relation->is_quoted };
  g_autofree gchar *folded = kvsql_name_fold (name->text, name->is_quoted);
  g_autofree gchar *table = NULL;
  GString *out;

  if (!append_columns (create, relation, row, value, error))
    return NULL;
  table = kvsql_unused_table_name (execution, folded);
  out = g_string_new (create->if_not_exists ? "DEFINE SCHEMA IF NOT EXISTS " : "DEFINE SCHEMA ");
  kvsql_print_name (name, out);
  g_string_append (out, " FOR ");
  kvsql_print_name (&relation_name, out);
  g_string_append_printf (out, " { TABLE '%s', ROW %s, FAMILY 'f'", table, row->str);
  if (value->len > 0)
    g_string_append_printf (out, ", VALUE %s", value->str);
  g_string_append (out, " }");
  return g_string_free (out, FALSE);
}

gboolean
kvsql_decide_create_index (KvsqlDecision *self, const KvsqlCreateIndex *create, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_catalog_find (self->execution->catalog, &create->relation, error);
  const KvsqlDefineSchema *definition;
  KvsqlName name = create->name;
  g_autofree gchar *made = NULL, *text = NULL;
  GError *failure = NULL;

  if (entry == NULL)
    return FALSE;
  if (name.text == NULL)
    {
      made = make_name (self->execution, create, entry->relation);
      name = (KvsqlName){ .text = made, .span = create->relation.span };
    }
  text = write_schema (self->execution, create, entry->relation, &name, error);
  if (text == NULL)
    return FALSE;
  definition = kvsql_created_schema_parse (self, text, &failure);
  if (definition == NULL || !kvsql_decision_add_schema (self, entry, definition, FALSE, &failure))
    return kvsql_created_schema_fail (failure, name.span, error);
  return TRUE;
}
