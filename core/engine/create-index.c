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

/* A column that the statement names, which it may do once. */
static gboolean
find_column (const KvsqlRelation *relation, const KvsqlName *name, KvsqlAttributeSet *given,
             guint *out, GError **error)
{
  if (!kvsql_relation_find (relation, name, out, error))
    return FALSE;
  if (kvsql_attribute_set_has (given, *out))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "column \"%s\" is in the index twice", relation->attributes[*out].name);
  kvsql_attribute_set_add (given, *out);
  return TRUE;
}

static gboolean
append_columns (const KvsqlCreateIndex *create, const KvsqlRelation *relation, GString *row,
                GString *value, GError **error)
{
  KvsqlAttributeSet given = { 0 };
  guint attribute;

  for (guint i = 0; i < create->n_columns; i++)
    {
      if (!find_column (relation, &create->columns[i].name, &given, &attribute, error))
        return FALSE;
      kvsql_append_ordered (&relation->attributes[attribute], create->columns[i].is_descending,
                            row);
    }
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && !kvsql_attribute_set_has (&given, i))
      kvsql_append_ordered (&relation->attributes[i], FALSE, row);
  for (guint i = 0; i < create->n_included; i++)
    {
      if (!find_column (relation, &create->included[i], &given, &attribute, error))
        return FALSE;
      if (!relation->attributes[attribute].is_key) /* the KEY is in the row key */
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
  table = kvsql_unused_table_name (execution, folded, error);
  if (table == NULL)
    return NULL;
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
  KvsqlName name = create->name;
  g_autofree gchar *made = NULL, *text = NULL;

  if (entry == NULL)
    return FALSE;
  if (name.text == NULL)
    {
      made = make_name (self->execution, create, entry->relation);
      name = (KvsqlName){ .text = made, .span = create->relation.span };
    }
  text = write_schema (self->execution, create, entry->relation, &name, error);
  return text != NULL
         && kvsql_decision_add_created_schema (self, entry, text, FALSE, name.span, error);
}
