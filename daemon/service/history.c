/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.c: the pages of SHOW HISTORY.
 *
 * The cursor holds the place in the history, so any daemon can resume.
 */
#include "config.h"

#include "core/engine/show-history.h"
#include "daemon/service/service-private.h"

static GBytes *
seal (KvsqldContext *context, const KvsqlHistoryPlace *place)
{
  KvsqlValue values[] = { { .type = KVSQL_TYPE_BIGINT, .integer = place->version },
                          { .type = KVSQL_TYPE_BIGINT, .integer = place->n_emitted } };

  return kvsqld_seal_statement (context, NULL, values, G_N_ELEMENTS (values));
}

static KvsqlResultPage *
page_from (KvsqldContext *context, KvsqlHistoryPlace place, GError **error)
{
  const KvsqlExecution execution = kvsqld_context_get_execution (context);
  gboolean has_more;
  KvsqlResultPage *page = kvsql_execute_show_history (&execution, &context->statement->show.name,
                                                      kvsqld_context_get_page_bounds (context),
                                                      &place, &has_more, error);

  if (page != NULL && has_more)
    page->cursor = seal (context, &place);
  return page;
}

KvsqlResultPage *
kvsqld_show_history (KvsqldContext *context, GError **error)
{
  return page_from (context, (KvsqlHistoryPlace){ 0 }, error);
}

KvsqlResultPage *
kvsqld_fetch_history (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  KvsqlHistoryPlace place;
  KvsqlResultPage *page;

  if (context->statement->show.what != KVSQL_SHOW_HISTORY || token->n_parameters != 2)
    {
      kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                       "this is not a cursor of that statement");
      return NULL;
    }
  place = (KvsqlHistoryPlace){ .version = token->parameters[0].integer,
                               .n_emitted = token->parameters[1].integer };
  page = page_from (context, place, error);
  if (page != NULL)
    page->columns = NULL;
  return page;
}
