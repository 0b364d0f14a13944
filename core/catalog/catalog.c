/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalog.c: looking up, and building a snapshot from canonical definitions.
 */
#include "config.h"

#include "core/catalog/catalog.h"
#include "core/sql/parser.h"

static void
entry_free (gpointer data)
{
  KvsqlCatalogEntry *entry = data;

  for (guint i = 0; i < entry->n_schemas; i++)
    kvsql_schema_unref (entry->schemas[i]);
  g_free (entry->schemas);
  kvsql_relation_unref (entry->relation);
  g_free (entry);
}

KvsqlCatalog *
kvsql_catalog_new (gint64 epoch)
{
  KvsqlCatalog *self = g_atomic_rc_box_new0 (KvsqlCatalog);

  self->epoch = epoch;
  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->troubles = g_ptr_array_new_with_free_func (g_free);
  self->notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

KvsqlCatalog *
kvsql_catalog_ref (KvsqlCatalog *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
catalog_clear (gpointer data)
{
  KvsqlCatalog *self = data;

  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->troubles);
  g_hash_table_unref (self->notes);
}

void
kvsql_catalog_unref (KvsqlCatalog *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, catalog_clear);
}

/* ---- looking up */

const KvsqlCatalogEntry *
kvsql_catalog_lookup (const KvsqlCatalog *self, const KvsqlName *name)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      if (kvsql_name_means (name, entry->relation->name, entry->relation->is_quoted))
        return entry;
    }
  return NULL;
}

const KvsqlSchema *
kvsql_catalog_lookup_schema (const KvsqlCatalog *self, const KvsqlName *name)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        if (kvsql_name_means (name, entry->schemas[j]->name, entry->schemas[j]->is_quoted))
          return entry->schemas[j];
    }
  return NULL;
}

static void
not_found (const gchar *kind, const KvsqlName *name, GPtrArray *known, gint64 epoch, GError **error)
{
  const gchar *near = kvsql_suggest (name->text, (const gchar *const *)known->pdata, known->len);

  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "%s \"%s\" does not exist", kind,
                   name->text);
  if (near != NULL)
    kvsql_error_hint (error, "Did you mean \"%s\"?", near);
  else if (known->len == 0 && epoch < 0)
    kvsql_error_hint (error,
                      "The definitions are not known: the registry has not been reached yet. "
                      "See SHOW STATUS.");
  else if (known->len == 0)
    kvsql_error_hint (error, "Nothing is defined yet; begin with DEFINE RELATION.");
}

const KvsqlCatalogEntry *
kvsql_catalog_find (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (self, name);
  g_autoptr (GPtrArray) known = NULL;

  if (entry != NULL)
    return entry;
  known = g_ptr_array_new ();
  for (guint i = 0; i < self->entries->len; i++)
    g_ptr_array_add (known,
                     (gpointer)((KvsqlCatalogEntry *)self->entries->pdata[i])->relation->name);
  not_found ("relation", name, known, self->epoch, error);
  return NULL;
}

const KvsqlSchema *
kvsql_catalog_find_schema (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (self, name);
  g_autoptr (GPtrArray) known = NULL;

  if (schema != NULL)
    return schema;
  known = g_ptr_array_new ();
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        g_ptr_array_add (known, (gpointer)entry->schemas[j]->name);
    }
  not_found ("schema", name, known, self->epoch, error);
  return NULL;
}

gboolean
kvsql_catalog_find_nothing (const KvsqlCatalog *self, const KvsqlName *name, GError **error)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  const gchar *near;

  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      g_ptr_array_add (known, (gpointer)entry->relation->name);
      for (guint j = 0; j < entry->n_schemas; j++)
        g_ptr_array_add (known, (gpointer)entry->schemas[j]->name);
    }
  near = kvsql_suggest (name->text, (const gchar *const *)known->pdata, known->len);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "there is no relation or schema \"%s\"", name->text);
  return near != NULL && kvsql_error_hint (error, "Did you mean \"%s\"?", near);
}

/* ---- building */

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const KvsqlCatalogEntry *x = *(const KvsqlCatalogEntry *const *)a,
                          *y = *(const KvsqlCatalogEntry *const *)b;

  return strcmp (x->relation->name, y->relation->name);
}

static gboolean
add_relation (KvsqlCatalog *self, const KvsqlDefineRelation *definition, GError **error)
{
  KvsqlRelation *relation = kvsql_relation_new (definition, error);
  KvsqlCatalogEntry *entry;

  if (relation == NULL)
    return FALSE;
  entry = g_new0 (KvsqlCatalogEntry, 1);
  entry->relation = relation;
  g_ptr_array_add (self->entries, entry);
  g_ptr_array_sort (self->entries, compare_entries);
  return TRUE;
}

static void
introduce (KvsqlCatalog *self, KvsqlSchema *schema)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        kvsql_schema_add_neighbour (schema, entry->schemas[j]);
    }
}

static gboolean
add_schema (KvsqlCatalog *self, const KvsqlDefineSchema *definition, GError **error)
{
  KvsqlCatalogEntry *entry
      = (KvsqlCatalogEntry *)kvsql_catalog_find (self, &definition->relation, error);
  KvsqlSchema *schema;
  guint at;

  if (entry == NULL)
    return FALSE;
  schema = kvsql_schema_new (definition, entry->relation, error);
  if (schema == NULL)
    return FALSE;
  introduce (self, schema);
  entry->schemas = g_renew (KvsqlSchema *, entry->schemas, entry->n_schemas + 1);
  at = schema->is_primary ? 0 : entry->n_schemas;
  memmove (entry->schemas + at + 1, entry->schemas + at,
           (entry->n_schemas - at) * sizeof (KvsqlSchema *));
  entry->schemas[at] = schema;
  entry->n_schemas++;
  return TRUE;
}

void
kvsql_catalog_add_definition (KvsqlCatalog *self, const gchar *text)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (text), arena, &error);
  gboolean ok = statement != NULL;

  if (ok && statement->kind == KVSQL_STATEMENT_DEFINE_RELATION)
    ok = add_relation (self, &statement->define_relation, &error);
  else if (ok)
    ok = add_schema (self, &statement->define_schema, &error);
  if (!ok)
    g_ptr_array_add (self->troubles, g_strdup_printf ("%s: %s", text, error->message));
}

gboolean
kvsql_catalog_check_schema (const KvsqlCatalog *self, const KvsqlSchema *schema,
                            const KvsqlDefineSchema *definition, GError **error)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = self->entries->pdata[i];
      for (guint j = 0; j < entry->n_schemas; j++)
        {
          const KvsqlSchema *other = entry->schemas[j];
          if (schema->is_primary && other->is_primary && other->relation == schema->relation)
            return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                                    "relation \"%s\" already has a primary schema, \"%s\"",
                                    entry->relation->name, other->name)
                   || kvsql_error_hint (error, "Leave out PRIMARY to add another schema.");
          if (!kvsql_schema_check_apart (schema, other, definition->name.span, error))
            return FALSE;
        }
    }
  return TRUE;
}
