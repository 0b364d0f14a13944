/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * create-index.c: CREATE INDEX: defines the schema, and fills it before it answers.
 *
 * The schema is filled by a job of the daemon, which goes on if the statement ends before it.
 */
#include "config.h"

#include "daemon/service/service-private.h"

typedef struct
{
  const KvsqlAstStatement *statement;
  const gchar **out_schema; /* the new schema, folded; NULL: it exists already */
} Creation;

static gboolean
decide (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const Creation *self = data;

  if (!kvsql_decision_make (decision, self->statement, error))
    return FALSE;
  *self->out_schema = decision->n_changes > 0 ? decision->changes[0].name : NULL;
  return TRUE;
}

static void
fill (KvsqldContext *context, const gchar *folded, KvsqlResultPage *page)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema = kvsqld_backfill_find (catalog, folded, &entry, NULL);
  KvsqldBackfillState state = { 0 };

  if (schema == NULL || kvsql_schema_is_filled (schema))
    return;
  if (!kvsqld_fill_schema (context, folded, context->call.deadline_us, &state))
    kvsql_result_page_warn (page,
                            "index \"%s\" is not filled yet, and will be read when it is: BACKFILL "
                            "SCHEMA %s shows how far it is",
                            schema->name, schema->name);
  else if (state.error != NULL)
    kvsql_result_page_warn (
        page, "index \"%s\" could not be filled: %s. BACKFILL SCHEMA %s goes on from there",
        schema->name, state.error->message, schema->name);
  kvsqld_backfill_state_clear (&state);
}

KvsqlResultPage *
kvsqld_run_create_index (KvsqldContext *context, GError **error)
{
  const gchar *schema = NULL;
  const Creation creation = { .statement = context->statement, .out_schema = &schema };
  KvsqlResultPage *page = kvsqld_change_definitions (context, decide, &creation, error);

  if (page != NULL && schema != NULL)
    fill (context, schema, page);
  return page;
}
