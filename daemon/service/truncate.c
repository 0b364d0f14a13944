/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * truncate.c: TRUNCATE of several tables, and RESTART IDENTITY.
 *
 * The tables become empty one after the other. A wrong name changes nothing.
 */
#include "config.h"

#include "core/engine/sequence-use.h"
#include "core/engine/write.h"
#include "daemon/service/service-private.h"

static KvsqlResultPage *
delete_all (KvsqldContext *context, const KvsqlName *relation, GError **error)
{
  KvsqlAstStatement *statement
      = kvsql_arena_copy (context->arena, context->statement, sizeof *statement);
  KvsqlExecution execution;

  statement->kind = KVSQL_STATEMENT_DELETE;
  statement->delete_ = (KvsqlDelete){ .is_truncate = TRUE, .relation = *relation };
  if (!kvsqld_context_await_writes (context, statement, error))
    return NULL;
  execution = kvsqld_context_get_execution (context);
  return kvsql_execute_write_page (&execution, statement, error);
}

static gboolean
restart_sequences (KvsqldContext *context, const KvsqlName *relation, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (context->catalog, relation, error);
  g_autoptr (GPtrArray) sequences = NULL;

  if (entry == NULL)
    return FALSE;
  sequences = kvsql_catalog_list_sequences_of (context->catalog, entry);
  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];

      if (!context->source.set (context, sequence->name, sequence->start, FALSE, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_names (const KvsqldContext *context, const KvsqlTruncate *truncate, GError **error)
{
  for (guint i = 0; i < truncate->n_relations; i++)
    if (kvsql_catalog_find (context->catalog, &truncate->relations[i], error) == NULL)
      return FALSE;
  return TRUE;
}

/* What the tables before have lost. */
static void
tell_done (const KvsqlTruncate *truncate, guint n_done, GError **error)
{
  if (n_done > 0)
    kvsql_error_detail (error, "%u of %u tables are empty already.", n_done, truncate->n_relations);
}

KvsqlResultPage *
kvsqld_run_truncate (KvsqldContext *context, GError **error)
{
  const KvsqlTruncate *truncate = &context->statement->truncate;
  KvsqlResultPage *page = NULL;
  gint64 affected = 0;

  if (!check_names (context, truncate, error))
    return NULL;
  for (guint i = 0; i < truncate->n_relations; i++)
    {
      g_clear_pointer (&page, kvsql_result_page_free);
      page = delete_all (context, &truncate->relations[i], error);
      if (page != NULL && truncate->restarts_sequences
          && !restart_sequences (context, &truncate->relations[i], error))
        g_clear_pointer (&page, kvsql_result_page_free);
      if (page == NULL)
        {
          tell_done (truncate, i, error);
          return NULL;
        }
      affected += page->affected;
    }
  page->affected = affected;
  return page;
}
