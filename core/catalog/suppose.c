/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * suppose.c: see suppose.h.
 */
#include "config.h"

#include "core/catalog/suppose.h"

#include "core/catalog/compile-schema.h"
#include "core/sql/printer.h"

static gboolean
check (const KvsqlCatalog *self, const KvsqlDefineSchema *definition, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (self, &definition->relation, error);
  g_autoptr (KvsqlSchema) schema = NULL;

  if (entry == NULL)
    return FALSE;
  if (kvsql_catalog_lookup_schema (self, &definition->name) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                            "schema \"%s\" exists already", definition->name.text);
  schema = kvsql_schema_new (definition, entry->relation, error);
  return schema != NULL && kvsql_catalog_check_schema (self, schema, definition, error);
}

/* Relations first, as schemas need them. */
static KvsqlCatalog *
copy (const KvsqlCatalog *self)
{
  KvsqlCatalog *out = kvsql_catalog_new (self->epoch);

  out->write_protocol = self->write_protocol;
  out->is_protocol_announced = self->is_protocol_announced;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];

      kvsql_catalog_add_definition (out, self, entry->relation->text);
      for (guint j = 0; j < entry->n_schemas; j++)
        kvsql_catalog_add_definition (out, self, entry->schemas[j]->text);
    }
  return out;
}

static gboolean
add (KvsqlCatalog *self, const KvsqlDefineSchema *definition, GError **error)
{
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_DEFINE_SCHEMA };
  g_autoptr (GString) text = g_string_new (NULL);

  if (!check (self, definition, error))
    return FALSE;
  statement.define_schema = *definition;
  kvsql_print_statement (&statement, text);
  kvsql_catalog_add_definition (self, NULL, text->str);
  return TRUE;
}

KvsqlCatalog *
kvsql_catalog_suppose (const KvsqlCatalog *self, const KvsqlDefineSchema *definitions, guint n,
                       GError **error)
{
  g_autoptr (KvsqlCatalog) out = copy (self);

  for (guint i = 0; i < n; i++)
    if (!add (out, &definitions[i], error))
      return NULL;
  return g_steal_pointer (&out);
}
