/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * explain-supposed.c: EXPLAIN … WITH SCHEMA: the plan with schemas that do not exist.
 *
 * The statement is planned by the same planner, on a catalog that has the schemas. Nothing is
 * stored, and no table of theirs is read.
 */
#include "config.h"

#include "core/catalog/suppose.h"
#include "core/engine/explain.h"

#define MAX_SUPPOSED 100

/* The relation of the explained statement, for schemas without FOR. */
static const KvsqlName *
find_relation (const KvsqlAstStatement *statement)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return &statement->select.from.relation;
    case KVSQL_STATEMENT_INSERT:
      return &statement->insert.relation;
    case KVSQL_STATEMENT_UPDATE:
      return &statement->update.relation;
    default:
      return &statement->delete_.relation;
    }
}

static gboolean
is_read_or_write (const KvsqlAstStatement *statement)
{
  return statement->kind == KVSQL_STATEMENT_SELECT || statement->kind == KVSQL_STATEMENT_INSERT
         || statement->kind == KVSQL_STATEMENT_UPDATE || statement->kind == KVSQL_STATEMENT_DELETE;
}

static gboolean
check (const KvsqlExplain *explain, GError **error)
{
  KvsqlSpan span = explain->schemas[0].name.span;

  if (!is_read_or_write (explain->statement))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "WITH SCHEMA is for SELECT, INSERT, UPDATE and DELETE");
  if (explain->is_analyze)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "ANALYZE cannot execute a statement with schemas that do not exist")
           || kvsql_error_hint (error, "Use EXPLAIN without ANALYZE.");
  if (explain->has_calls && explain->statement->kind != KVSQL_STATEMENT_INSERT)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                            "CALLS would read schemas that do not exist")
           || kvsql_error_hint (error, "Use EXPLAIN without CALLS, or explain an INSERT.");
  if (explain->n_schemas > MAX_SUPPOSED)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, span, "EXPLAIN supposes more than %d schemas",
                            MAX_SUPPOSED);
  return TRUE;
}

/* A schema without FOR is of the relation of the statement. */
static gboolean
set_relation (const KvsqlExplain *explain, KvsqlDefineSchema *definition, GError **error)
{
  if (definition->relation.text == NULL)
    definition->relation = *find_relation (explain->statement);
  return definition->relation.text != NULL
         || kvsql_error_set (error, KVSQL_ERROR_SYNTAX, definition->name.span,
                             "the relation of schema \"%s\" is missing", definition->name.text)
         || kvsql_error_hint (error, "Write WITH SCHEMA %s FOR and the relation.",
                              definition->name.text);
}

KvsqlCatalog *
kvsql_explain_suppose (const KvsqlExecution *self, const KvsqlExplain *explain, GError **error)
{
  g_autofree KvsqlDefineSchema *definitions = NULL;

  if (explain->n_schemas == 0)
    return kvsql_catalog_ref (self->catalog);
  if (!check (explain, error))
    return NULL;
  definitions = g_memdup2 (explain->schemas, explain->n_schemas * sizeof *definitions);
  for (guint i = 0; i < explain->n_schemas; i++)
    if (!set_relation (explain, &definitions[i], error))
      return NULL;
  return kvsql_catalog_suppose (self->catalog, definitions, explain->n_schemas, error);
}
