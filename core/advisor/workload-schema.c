/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * workload-schema.c: schemas that exist: DEFINE SCHEMA in a workload.
 */
#include "config.h"

#include "core/advisor/workload-private.h"
#include "core/catalog/compile-schema.h"

static const KvsqlWorkloadSchema *
find_primary (const KvsqlWorkload *self, guint relation)
{
  for (guint i = 0; i < self->n_schemas; i++)
    if (self->schemas[i].relation == relation && self->schemas[i].schema->is_primary)
      return &self->schemas[i];
  return NULL;
}

static KvsqlWorkloadSchema *
find_schema (const KvsqlWorkload *self, const KvsqlName *name)
{
  for (guint i = 0; i < self->n_schemas; i++)
    if (kvsql_name_means (name, self->schemas[i].name, self->schemas[i].schema->is_quoted))
      return &self->schemas[i];
  return NULL;
}

gboolean
kvsql_workload_add_schema (KvsqlWorkload *self, const KvsqlAstStatement *ast, KvsqlSlice text,
                           GError **error)
{
  const KvsqlDefineSchema *define = &ast->define_schema;
  guint relation = kvsql_workload_find_relation (self, &define->relation, error);
  KvsqlWorkloadSchema *schema;
  KvsqlSchema *compiled;

  if (relation == G_MAXUINT)
    return FALSE;
  if (find_schema (self, &define->name) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, define->name.span,
                            "schema \"%s\" is defined twice", define->name.text);
  if (define->is_primary && find_primary (self, relation) != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, define->name.span,
                            "relation \"%s\" has two primary schemas", define->relation.text);
  compiled = kvsql_schema_new (define, self->relations[relation].relation, error);
  if (compiled == NULL)
    return FALSE;
  schema = KVSQL_ARENA_ADD (self->arena, self->schemas, self->n_schemas);
  *schema = (KvsqlWorkloadSchema){ .relation = relation, .schema = compiled };
  schema->name = compiled->name;
  schema->text = kvsql_arena_strndup (self->arena, (const gchar *)text.data, text.size);
  schema->is_kept = define->is_primary; /* tuples are in it */
  return TRUE;
}

static gboolean
fail_unknown (const KvsqlWorkload *self, const gchar *name, GError **error)
{
  g_autofree const gchar **names = g_new0 (const gchar *, self->n_schemas + 1);
  const gchar *suggestion;

  for (guint i = 0; i < self->n_schemas; i++)
    names[i] = self->schemas[i].name;
  suggestion = kvsql_suggest (name, names, self->n_schemas);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "schema \"%s\" to be kept does not exist", name);
  if (suggestion != NULL)
    return kvsql_error_hint (error, "Did you mean \"%s\"?", suggestion);
  return kvsql_error_hint (error, "The workload defines the schemas that exist: DEFINE SCHEMA.");
}

gboolean
kvsql_workload_keep (KvsqlWorkload *self, const gchar *const *names, gboolean all, GError **error)
{
  for (guint i = 0; all && i < self->n_schemas; i++)
    self->schemas[i].is_kept = TRUE;
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const KvsqlName name = { .text = names[i] };
      KvsqlWorkloadSchema *schema = find_schema (self, &name);

      if (schema == NULL)
        return fail_unknown (self, names[i], error);
      schema->is_kept = TRUE;
    }
  return TRUE;
}
