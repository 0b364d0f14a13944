/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * define.c: DEFINE, DROP, ALTER RELATION, COMMENT ON and RESTORE: commits what the engine decides.
 *
 * A change is decided on a snapshot, and committed only if the registry still has that epoch. If
 * another commit came first, the change is decided again on the newer definitions. This is where a
 * second DEFINE of the same name fails.
 */
#include "config.h"

#include <unistd.h>

#include "core/base/interrupt.h"
#include "core/engine/definitions.h"
#include "daemon/net/peer-name.h"
#include "daemon/service/service-private.h"
#include "daemon/session/statement-shape.h"

#define LONGEST_WAIT_US (5 * G_TIME_SPAN_SECOND)

#define MAX_ATTEMPTS 20

/* The client and the statement, for the history; in the context's arena. */
static void
make_author (KvsqldContext *context, KvsqldAuthor *out)
{
  /* a statement about roles may have a password */
  g_autofree gchar *statement
      = context->statement->kind == KVSQL_STATEMENT_ROLE
            ? kvsqld_statement_shape (context->sql)
            : g_strndup ((const gchar *)context->sql.data, context->sql.size);
  g_autofree gchar *peer = kvsqld_peer_name (context->request->peer ?: "");
  const gchar *role = context->request->identity != NULL ? context->request->identity->role : NULL;
  g_autofree gchar *by
      = role != NULL ? g_strdup_printf ("%s (%s)", role, peer) : g_steal_pointer (&peer);

  g_strstrip (statement);
  *out = (KvsqldAuthor){
    .by = kvsql_arena_strdup (context->arena, by),
    .daemon = kvsql_arena_printf (context->arena, "%s-%d", g_get_host_name (), (gint)getpid ()),
    .statement = kvsql_arena_strdup (context->arena, statement),
    .at_ms = context->now,
  };
}

/* TRUE with *out_is_late if another commit came first. */
static gboolean
decide_and_commit (KvsqldContext *context, KvsqldDecide decide, gconstpointer data,
                   KvsqlDefinitionChange *changes, KvsqlResultPage *page, gboolean *out_is_late,
                   GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlDecision decision = { .execution = &execution, .page = page, .changes = changes };
  g_autoptr (GError) failure = NULL;
  KvsqldAuthor author;

  *out_is_late = FALSE;
  if (!decide (&decision, data, error) || !kvsql_interrupt_poll (error))
    return FALSE;
  if (decision.n_changes == 0)
    return TRUE;
  make_author (context, &author);
  if (kvsqld_definitions_commit (context->service->definitions, context->catalog, changes,
                                 decision.n_changes, &author, &context->call, &failure))
    return TRUE;
  *out_is_late = g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

KvsqlResultPage *
kvsqld_change_definitions (KvsqldContext *context, KvsqldDecide decide, gconstpointer data,
                           GError **error)
{
  KvsqlDefinitionChange *changes
      = kvsql_arena_array (context->arena, KvsqlDefinitionChange, KVSQL_MAX_DEFINITION_CHANGES);

  for (guint attempt = 0;; attempt++)
    {
      g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_empty (-1);
      g_autoptr (GError) failure = NULL;
      gboolean is_late;

      if (decide_and_commit (context, decide, data, changes, page, &is_late, &failure))
        return g_steal_pointer (&page);
      if (!is_late || attempt == MAX_ATTEMPTS)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
      kvsqld_context_pause (context);
      kvsqld_context_resume (context);
      if (!kvsqld_context_is_allowed (context, context->statement, error))
        return NULL;
    }
}

/* All daemons have to know a schema before any daemon writes to it. If waiting for them takes too
 * long, it is left to BACKFILL. */
static void
begin_writing (KvsqldContext *context, const KvsqlName *name, KvsqlResultPage *page)
{
  g_autofree gchar *folded = kvsql_catalog_fold_name (context->catalog, name);
  KvsqlCall call = context->call;
  g_autoptr (GError) error = NULL;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_WAIT_US);
  kvsqld_context_pause (context);
  if (!kvsqld_backfill_begin (context->service->definitions, context->service->storage, folded, 0,
                              &call, &error))
    kvsql_result_page_warn (page, "schema \"%s\" is not written yet: %s", name->text,
                            error->message);
  kvsqld_context_resume (context);
}

/* The same for all schemas of a relation that are in that state. */
static void
begin_writing_all (KvsqldContext *context, const KvsqlName *relation, KvsqlResultPage *page)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, relation);

  for (guint i = 0; entry != NULL && i < entry->n_schemas; i++)
    {
      KvsqlName name = { .text = entry->schemas[i]->name,
                         .is_quoted = entry->schemas[i]->is_quoted,
                         .span = KVSQL_SPAN_NONE };

      if (entry->schemas[i]->options.state == KVSQL_STATE_DELETING)
        begin_writing (context, &name, page);
    }
}

static void
report_rows (KvsqldContext *context, const KvsqlName *name, KvsqlResultPage *page)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (catalog, name);
  const KvsqlExecution execution = kvsqld_context_get_execution (context);

  if (schema != NULL)
    kvsql_schema_report_rows (&execution, schema, page);
}

/* A schema of a relation that had no tuples: there is little to fill, but all daemons have to know
 * it before it is read. */
static void
fill_at_once (KvsqldContext *context, const KvsqlName *name, KvsqlResultPage *page)
{
  g_autofree gchar *folded = kvsql_catalog_fold_name (context->catalog, name);
  KvsqldBackfillState state = { 0 };

  if (!kvsqld_fill_schema (context, folded, g_get_monotonic_time () + LONGEST_WAIT_US, &state))
    kvsql_result_page_warn (page,
                            "schema \"%s\" is not read yet (%s): BACKFILL SCHEMA %s shows how far "
                            "it is",
                            name->text, state.phase, name->text);
  else if (state.error != NULL)
    kvsql_result_page_warn (page,
                            "schema \"%s\" is not read yet: %s. BACKFILL SCHEMA %s goes on from "
                            "there",
                            name->text, state.error->message, name->text);
  kvsqld_backfill_state_clear (&state);
}

typedef struct
{
  const KvsqlAstStatement *statement;
  gboolean *out_fills_at_once;
} Definition;

static gboolean
decide_statement (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const Definition *self = data;
  gboolean ok = kvsql_decision_make (decision, self->statement, error);

  *self->out_fills_at_once = ok && decision->fills_at_once;
  return ok;
}

/* After the commit: begins to write new schemas. @is_new: of DEFINE SCHEMA: it did not exist */
static void
follow_up (KvsqldContext *context, gboolean is_new, gboolean fills_at_once, KvsqlResultPage *page)
{
  const KvsqlAstStatement *statement = context->statement;

  if (statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA)
    {
      const KvsqlDefineSchema *definition = &statement->define_schema;

      if (definition->is_primary)
        begin_writing_all (context, &definition->relation, page);
      else if (fills_at_once)
        fill_at_once (context, &definition->name, page);
      else
        begin_writing (context, &definition->name, page);
      if (is_new)
        report_rows (context, &definition->name, page);
    }
  else if (statement->kind == KVSQL_STATEMENT_ALTER && statement->alter.what == KVSQL_ALTER_ADD)
    begin_writing_all (context, &statement->alter.relation, page);
  else if (statement->kind == KVSQL_STATEMENT_RESTORE && statement->restore.is_schema)
    {
      if (fills_at_once)
        fill_at_once (context, &statement->restore.name, page);
      else
        begin_writing (context, &statement->restore.name, page);
    }
  else if (statement->kind == KVSQL_STATEMENT_RESTORE)
    begin_writing_all (context, &statement->restore.name, page);
}

/* ---- DROP SCHEMA */

/* The schema of a DROP SCHEMA, if statements of other daemons may read it when this one does not
 * write it any more. */
static const KvsqlSchema *
find_read (const KvsqldContext *context)
{
  const KvsqlAstStatement *statement = context->statement;
  const KvsqlStore *store = context->service->store;
  const KvsqlSchema *schema;

  if (statement->kind != KVSQL_STATEMENT_DROP || !statement->drop.is_schema
      || (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return NULL;
  schema = kvsql_catalog_lookup_schema (context->catalog, &statement->drop.name);
  return schema != NULL && !schema->is_primary && schema->options.role == KVSQL_ROLE_ANY
                 && kvsql_schema_is_readable (schema)
             ? schema
             : NULL;
}

static gboolean
stop_reading (KvsqldContext *context, const gchar *folded, gchar **out_pause, GError **error)
{
  KvsqlCall call = context->call;
  gboolean ok;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_WAIT_US);
  kvsqld_context_pause (context);
  ok = kvsqld_schema_stop_reading (context->service->definitions, folded, &call, out_pause, error);
  kvsqld_context_resume (context);
  return ok;
}

/* ---- the statement */

KvsqlResultPage *
kvsqld_run_definition (KvsqldContext *context, GError **error)
{
  const KvsqlAstStatement *statement = context->statement;
  gboolean is_new
      = statement->kind == KVSQL_STATEMENT_DEFINE_SCHEMA
        && kvsql_catalog_lookup_schema (context->catalog, &statement->define_schema.name) == NULL;
  const KvsqlSchema *read = find_read (context);
  g_autofree gchar *folded = read != NULL ? kvsql_name_fold (read->name, read->is_quoted) : NULL;
  g_autofree gchar *pause = NULL;
  gboolean fills_at_once = FALSE;
  const Definition definition = { statement, &fills_at_once };
  KvsqlResultPage *page;

  if (folded != NULL && !stop_reading (context, folded, &pause, error))
    return NULL;
  page = kvsqld_change_definitions (context, decide_statement, &definition, error);
  if (page != NULL)
    follow_up (context, is_new, fills_at_once, page);
  else if (pause != NULL)
    kvsqld_schema_read_again (context->service->definitions, folded, pause);
  return page;
}
