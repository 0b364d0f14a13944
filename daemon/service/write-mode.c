/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-mode.c: ALTER RELATION … WITH (writes = …): gives paused writes their new mode when no
 * daemon makes writes of the former one any more (core/engine/write-mode.h).
 */
#include "config.h"

#include "core/engine/write-mode.h"

#include "daemon/log/log.h"
#include "daemon/recovery/old-writes.h"
#include "daemon/service/service-private.h"

/* How long writes are paused. */
#define LONGEST_PAUSE_US (5 * G_TIME_SPAN_SECOND)
#define STEP_US (10 * G_TIME_SPAN_MILLISECOND)
/* A writer waits longer than that, as ALTER takes back what it cannot do. Then it takes back what a
 * daemon has left that has ended. */
#define LONGEST_WAIT_US (2 * LONGEST_PAUSE_US)

/* ---- a pause */

gboolean
kvsqld_pause_read (KvsqldContext *context, const KvsqlName *relation, KvsqldPause *out)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, relation);

  if (entry == NULL || entry->relation->writes != KVSQL_WRITES_PAUSED)
    return FALSE;
  *out = (KvsqldPause){ .context = context,
                        .relation = relation,
                        .epoch = catalog->epoch,
                        .pause = entry->relation->pause,
                        .id = entry->relation->id,
                        .former = entry->relation->mode };
  return TRUE;
}

typedef struct
{
  const KvsqldPause *pause;
  KvsqlWriteMode mode;
} End;

static gboolean
decide (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const End *self = data;

  return kvsql_decide_write_mode (decision, self->pause->relation, self->pause->pause, self->mode,
                                  error);
}

static gboolean
end_pause (const KvsqldPause *self, KvsqlWriteMode mode, GError **error)
{
  const End end = { .pause = self, .mode = mode };
  g_autoptr (KvsqlResultPage) page = NULL;

  kvsqld_context_resume (self->context);
  page = kvsqld_change_definitions (self->context, decide, &end, error);
  kvsqld_context_pause (self->context);
  return page != NULL;
}

gboolean
kvsqld_pause_await (const KvsqldPause *self, GError **error)
{
  const KvsqldOldWrites old = { .definitions = self->context->service->definitions,
                                .storage = self->context->service->storage,
                                .epoch = self->epoch,
                                .relation_id = self->id };
  KvsqlCall call = self->context->call;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_PAUSE_US);
  return kvsqld_old_writes_await (&old, &call, error);
}

/* Always possible, as there are no writes in a pause. */
gboolean
kvsqld_pause_take_back (const KvsqldPause *self)
{
  KvsqldUndo undo;
  gboolean ok;

  kvsqld_context_begin_undo (self->context, &undo, LONGEST_PAUSE_US);
  ok = end_pause (self, self->former, NULL);
  kvsqld_context_end_undo (self->context, &undo);
  return ok;
}

/* ---- ALTER … WITH (writes = …) */

static gboolean
complete (const KvsqldPause *self, KvsqlWriteMode mode, GError **error)
{
  GError *failure = NULL;

  if ((self->former == mode || kvsqld_pause_await (self, &failure))
      && end_pause (self, mode, &failure))
    return TRUE;
  if (kvsqld_pause_take_back (self))
    g_prefix_error (&failure, "the writes stay as they were: ");
  else
    kvsql_error_hint (&failure, "If writes stay paused, repeat ALTER RELATION.");
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
complete_alter (KvsqldContext *context, GError **error)
{
  const KvsqlAlter *alter = &context->statement->alter;
  KvsqldPause pause;
  KvsqlWriteMode mode;
  gboolean ok;

  if (!kvsqld_pause_read (context, &alter->relation, &pause))
    return TRUE;
  if (!kvsql_alter_read_mode (alter, &mode, error))
    return FALSE;
  kvsqld_context_pause (context);
  ok = complete (&pause, mode, error);
  kvsqld_context_resume (context);
  return ok;
}

KvsqlResultPage *
kvsqld_run_alter (KvsqldContext *context, GError **error)
{
  g_autoptr (KvsqlResultPage) page = kvsqld_run_definition (context, error);

  if (page == NULL
      || (context->statement->alter.what == KVSQL_ALTER_OPTIONS
          && !complete_alter (context, error)))
    return NULL;
  return g_steal_pointer (&page);
}

/* ---- writers */

/* The history gets the text of a statement. */
static void
take_back_for_writer (KvsqldContext *self, const KvsqlRelation *relation)
{
  const KvsqlName name
      = { .span = KVSQL_SPAN_NONE, .text = relation->name, .is_quoted = relation->is_quoted };
  const KvsqldPause pause
      = { .context = self, .relation = &name, .pause = relation->pause, .former = relation->mode };
  g_autofree gchar *text = kvsql_print_former_mode (relation);
  const KvsqlSlice sql = self->sql;

  self->sql = kvsql_slice_from_text (text);
  kvsqld_context_pause (self);
  if (kvsqld_pause_take_back (&pause))
    kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL,
                "ALTER RELATION had been interrupted: taken back by \"%s\"", text);
  kvsqld_context_resume (self);
  self->sql = sql;
}

gboolean
kvsqld_context_await_writes (KvsqldContext *self, const KvsqlAstStatement *statement,
                             GError **error)
{
  KvsqldDefinitions *definitions = self->service->definitions;
  gint64 until_us = g_get_monotonic_time () + LONGEST_WAIT_US;
  const KvsqlRelation *relation;
  gboolean has_waited = FALSE;

  while ((relation = kvsql_statement_find_paused (self->catalog, statement)) != NULL)
    {
      g_autoptr (KvsqlCatalog) used = kvsql_catalog_ref (self->catalog); /* has @relation */

      if (!kvsqld_definitions_may_write (definitions, self->catalog, error))
        return FALSE;
      has_waited = TRUE;
      if (g_cancellable_is_cancelled (self->call.cancellable))
        return kvsql_call_check (&self->call, error);
      if (!kvsql_call_check (&self->call, NULL))
        return kvsql_fail_paused (relation, error);
      if (g_get_monotonic_time () >= until_us)
        {
          take_back_for_writer (self, relation);
          until_us += LONGEST_WAIT_US;
          continue;
        }
      kvsqld_context_pause (self);
      g_usleep (STEP_US);
      kvsqld_context_resume (self);
    }
  return !has_waited || kvsqld_definitions_may_write (definitions, self->catalog, error);
}
