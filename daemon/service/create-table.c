/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * create-table.c: CREATE TABLE … AS: defines a table with the columns of a query, and then inserts
 * what the query gives.
 *
 * These are two steps: clients can see the table before it is filled. If the second one fails, the
 * table is dropped again.
 */
#include "config.h"

#include "core/engine/prepare.h"
#include "core/engine/write.h"
#include "core/sql/lexer.h"
#include "daemon/service/service-private.h"

#define LONGEST_DROP_US (10 * G_TIME_SPAN_SECOND)

/* ---- columns */

static const gchar *
name_of_type (const KvsqlResultColumn *column, KvsqlArena *arena)
{
  g_autofree gchar *limited = NULL;

  if (!kvsql_type_limit_is_named (&column->limit))
    return kvsql_type_get_name (column->type);
  limited = kvsql_type_limit_to_text (&column->limit);
  return kvsql_arena_strdup (arena, limited);
}

static void
add_column (KvsqlCreateTable *table, const KvsqlResultColumn *column, KvsqlArena *arena)
{
  const KvsqlSpan span = table->relation.name.span;
  const gboolean needs_quotes = kvsql_lexer_needs_quotes (column->name, strlen (column->name));
  const guint i = table->relation.n_attributes++;
  KvsqlAttributeDefinition *added = &table->relation.attributes[i];

  *added = (KvsqlAttributeDefinition){
    .span = span,
    .name = { .text = column->name, .is_quoted = needs_quotes, .span = span },
    .type_name = { .text = name_of_type (column, arena), .span = span },
  };
  if (i < table->n_columns)
    added->name = table->columns[i];
}

static gboolean
add_columns (KvsqldContext *context, const KvsqlAstStatement *query, KvsqlCreateTable *table,
             GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlResultColumn *columns;
  guint n;

  if (!kvsql_execute_prepare (&execution, query, &columns, &n, error))
    return FALSE;
  if (table->n_columns > n)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, table->columns[n].span,
                            "too many column names were specified: the query has %u column%s", n,
                            n == 1 ? "" : "s");
  table->relation.attributes = kvsql_arena_array (context->arena, KvsqlAttributeDefinition, n + 1);
  for (guint i = 0; i < n; i++)
    add_column (table, &columns[i], context->arena);
  return TRUE;
}

/* ---- tuples */

/* Also if the statement was cancelled, or its time is over. */
static void
drop (KvsqldContext *context, const KvsqlName *name, GError **error)
{
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_DROP };
  g_autoptr (GError) failure = NULL;
  KvsqlResultPage *page;
  KvsqldUndo undo;

  statement.drop = (KvsqlDrop){ .if_exists = TRUE, .name = *name };
  context->statement = &statement;
  kvsqld_context_begin_undo (context, &undo, LONGEST_DROP_US);
  page = kvsqld_run_definition (context, &failure);
  kvsqld_context_end_undo (context, &undo);
  if (page != NULL)
    kvsql_error_detail (error, "The table \"%s\" is dropped again.", name->text);
  else
    kvsql_error_detail (error, "The table \"%s\" has a part of the rows, and cannot be dropped: %s",
                        name->text, failure->message);
  kvsql_result_page_free (page);
}

KvsqlResultPage *
kvsqld_fill_new_table (KvsqldContext *context, const KvsqlAstStatement *statement, GError **error)
{
  KvsqlExecution execution;

  /* the definitions with the table */
  kvsqld_context_pause (context);
  kvsqld_context_resume (context);
  context->statement = statement;
  if (!kvsqld_context_may_execute (context, statement, error)
      || !kvsqld_context_await_writes (context, statement, error)
      || !kvsqld_context_run_subqueries (context, error))
    return NULL;
  execution = kvsqld_context_get_execution (context);
  return kvsql_execute_write_page (&execution, context->statement, error);
}

static KvsqlResultPage *
fill (KvsqldContext *context, const KvsqlAstStatement *query, const KvsqlName *name,
      KvsqlResultPage *page, GError **error)
{
  KvsqlAstStatement *statement = kvsql_arena_new0 (context->arena, KvsqlAstStatement);
  KvsqlResultPage *filled;

  *statement = *query;
  statement->kind = KVSQL_STATEMENT_INSERT;
  statement->insert = (KvsqlInsert){ .relation = *name };
  statement->insert.select
      = kvsql_arena_copy (context->arena, &query->select, sizeof query->select);
  filled = kvsqld_fill_new_table (context, statement, error);
  if (filled == NULL)
    drop (context, name, error);
  else
    page->affected = filled->affected;
  kvsql_result_page_free (filled);
  if (filled == NULL)
    g_clear_pointer (&page, kvsql_result_page_free);
  return page;
}

/* ---- the statement */

/* *@out_exists: another client has made the table, maybe since the statement began: it fills it. */
static KvsqlResultPage *
define_table (KvsqldContext *context, KvsqlAstStatement *statement, gboolean *out_exists,
              GError **error)
{
  KvsqlDefineRelation *relation = &statement->create_table.relation;
  const gboolean if_not_exists = relation->if_not_exists;
  GError *failure = NULL;
  KvsqlResultPage *page;

  context->statement = statement;
  relation->if_not_exists = FALSE;
  page = kvsqld_run_definition (context, &failure);
  *out_exists = if_not_exists && g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_ALREADY_EXISTS);
  if (page == NULL && !*out_exists)
    g_propagate_error (error, failure);
  if (!*out_exists)
    return page;
  g_error_free (failure);
  relation->if_not_exists = TRUE;
  return kvsqld_run_definition (context, error);
}

static KvsqlResultPage *
run_with_query (KvsqldContext *context, const KvsqlCreateTable *create, GError **error)
{
  KvsqlAstStatement *define = kvsql_arena_copy (context->arena, context->statement, sizeof *define),
                    *query = kvsql_arena_copy (context->arena, context->statement, sizeof *query);
  const KvsqlName *name = &create->relation.name;
  KvsqlResultPage *page;
  gboolean exists;

  query->kind = KVSQL_STATEMENT_SELECT;
  query->select = *create->query;
  define->create_table.query = NULL;
  if (!add_columns (context, query, &define->create_table, error))
    return NULL;
  page = define_table (context, define, &exists, error);
  if (page == NULL || exists || create->is_empty)
    return page;
  return fill (context, query, name, page, error);
}

KvsqlResultPage *
kvsqld_run_create_table (KvsqldContext *context, GError **error)
{
  const KvsqlCreateTable *create = &context->statement->create_table;

  return create->query != NULL ? run_with_query (context, create, error)
                               : kvsqld_run_definition (context, error);
}
