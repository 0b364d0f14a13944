/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * add-key.c: ALTER TABLE … ADD PRIMARY KEY: core/engine/add-key.h.
 */
#include "config.h"

#include "core/engine/add-key.h"

#include "daemon/service/service-private.h"

#define LONGEST_DROP_US (10 * G_TIME_SPAN_SECOND)

typedef struct
{
  KvsqldContext *context;
  const KvsqlAstStatement *statement;
  KvsqldPause pause;
  KvsqlKeyedCopy copy;
  gboolean has_copy;
} AddKey;

/* ---- the copy */

/* Also if the statement was cancelled, or its time is over. */
static gboolean
drop_copy (const AddKey *self)
{
  KvsqlAstStatement drop = { .kind = KVSQL_STATEMENT_DROP };
  KvsqlResultPage *page;
  KvsqldUndo undo;

  drop.drop = (KvsqlDrop){ .if_exists = TRUE, .name = self->copy.name };
  self->context->statement = &drop;
  kvsqld_context_begin_undo (self->context, &undo, LONGEST_DROP_US);
  page = kvsqld_run_definition (self->context, NULL);
  kvsqld_context_end_undo (self->context, &undo);
  self->context->statement = self->statement;
  kvsql_result_page_free (page);
  return page != NULL;
}

static gboolean
run (AddKey *self, const KvsqlAstStatement *statement,
     KvsqlResultPage *(*execute) (KvsqldContext *context, GError **error), GError **error)
{
  KvsqlResultPage *page;

  self->context->statement = statement;
  page = execute (self->context, error);
  self->context->statement = self->statement;
  kvsql_result_page_free (page);
  return page != NULL;
}

/* The user does not know the copy, and has inserted nothing. */
static void
explain_failure (const AddKey *self, GError **error)
{
  g_autoptr (GError) failure = *error;
  g_autoptr (GString) message = g_string_new (failure->message);
  const gchar *detail = kvsql_error_get_detail (failure);

  g_string_replace (message, self->copy.name.text, self->statement->alter.relation.text, 0);
  *error = NULL;
  kvsql_error_set (error, failure->code, self->statement->alter.relation.span,
                   "the primary key cannot be made: %s", message->str);
  kvsql_error_sqlstate (error, kvsql_error_get_sqlstate (failure));
  if (detail != NULL && failure->code != KVSQL_ERROR_DEADLINE) /* it counts tuples of the copy */
    kvsql_error_detail (error, "%s", detail);
}

static gboolean
make_copy (AddKey *self, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (self->context);
  KvsqlResultPage *filled;

  if (!kvsql_keyed_copy_plan (&execution, &self->statement->alter, &self->copy, error)
      || !run (self, self->copy.create, kvsqld_run_definition, error))
    return FALSE;
  self->has_copy = TRUE;
  filled = kvsqld_fill_new_table (self->context, self->copy.insert, error);
  self->context->statement = self->statement;
  if (filled == NULL)
    explain_failure (self, error);
  kvsql_result_page_free (filled);
  return filled != NULL;
}

/* ---- the steps */

static gboolean
await_end_of_writes (const AddKey *self, GError **error)
{
  gboolean ok;

  kvsqld_context_pause (self->context);
  ok = kvsqld_pause_await (&self->pause, error);
  kvsqld_context_resume (self->context);
  return ok;
}

static gboolean
decide_take_place (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const AddKey *self = data;

  return kvsql_decide_take_place (decision, &self->statement->alter, &self->copy, self->pause.pause,
                                  error);
}

static void
take_back (const AddKey *self, GError **error)
{
  gboolean is_dropped = !self->has_copy || drop_copy (self), is_ended;

  kvsqld_context_pause (self->context);
  is_ended = kvsqld_pause_take_back (&self->pause);
  kvsqld_context_resume (self->context);
  if (!is_dropped)
    kvsql_error_detail (error, "DROP TABLE %s: it is a copy that is not complete.",
                        self->copy.name.text);
  else if (!is_ended)
    kvsql_error_detail (error, "Writes may stay paused for some seconds.");
  else if (kvsql_error_get_detail (*error) == NULL)
    kvsql_error_detail (error, "Nothing is changed.");
}

KvsqlResultPage *
kvsqld_run_add_key (KvsqldContext *context, GError **error)
{
  AddKey self = { .context = context, .statement = context->statement };
  const KvsqlName *relation = &context->statement->alter.relation;
  KvsqlResultPage *page = kvsqld_run_definition (context, error);

  if (page == NULL)
    return NULL;
  kvsql_result_page_free (page);
  page = NULL;
  if (!kvsqld_pause_read (context, relation, &self.pause))
    {
      kvsql_error_set (error, KVSQL_ERROR_CONFLICT, relation->span,
                       "another statement has changed table \"%s\" at the same time",
                       relation->text);
      return NULL;
    }
  if (await_end_of_writes (&self, error) && make_copy (&self, error))
    page = kvsqld_change_definitions (context, decide_take_place, &self, error);
  if (page == NULL)
    take_back (&self, error);
  return page;
}
