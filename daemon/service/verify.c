/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: the pages of VERIFY SCHEMA and REPAIR SCHEMA.
 *
 * The cursor holds the state, so any daemon can resume. If the client stops fetching, the work
 * ends.
 */
#include "config.h"

#include "core/engine/verify.h"
#include "daemon/service/service-private.h"

static GBytes *
seal (KvsqldContext *context, const KvsqlVerifyState *state)
{
  KvsqlValue *values = kvsql_arena_array (context->arena, KvsqlValue, KVSQL_N_VERIFY_COUNTERS);

  for (guint i = 0; i < KVSQL_N_VERIFY_COUNTERS; i++)
    values[i] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = (gint64)state->counters[i] };
  return kvsqld_seal_statement (context, &state->position, values, KVSQL_N_VERIFY_COUNTERS);
}

static KvsqlResultPage *
next_page (KvsqldContext *context, const KvsqlExecution *execution, KvsqlVerifyState *state,
           GError **error)
{
  gboolean has_more;
  KvsqlResultPage *page
      = kvsql_execute_verify (execution, context->statement, state, &has_more, error);

  if (page != NULL && has_more)
    page->cursor = seal (context, state);
  return page;
}

KvsqlResultPage *
kvsqld_run_verify (KvsqldContext *context, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlVerifyState state;

  return kvsql_verify_begin (&execution, &context->statement->maintain, &state, error)
             ? next_page (context, &execution, &state, error)
             : NULL;
}

KvsqlResultPage *
kvsqld_fetch_verify (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  KvsqlVerifyState state = { .position = token->position.scan };
  KvsqlResultPage *page;

  if (token->n_parameters != KVSQL_N_VERIFY_COUNTERS)
    {
      kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                       "this is not a cursor of that statement");
      return NULL;
    }
  for (guint i = 0; i < KVSQL_N_VERIFY_COUNTERS; i++)
    state.counters[i] = (guint64)token->parameters[i].integer;
  page = next_page (context, &execution, &state, error);
  if (page != NULL)
    page->columns = NULL;
  return page;
}
