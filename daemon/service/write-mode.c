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

/* ---- ALTER */

/* Writes that are paused. */
typedef struct
{
  KvsqldContext *context;
  const KvsqlName *relation;
  gint64 epoch;  /* since then they are paused */
  guint64 pause; /* KvsqlRelation.pause */
  guint64 id;    /* of checked and blind writes in the log; 0: they were plain */
  KvsqlWriteMode former;
  KvsqlWriteMode mode;
} Pause;

static gboolean
decide (KvsqlDecision *decision, gconstpointer data, GError **error)
{
  const Pause *self = data;

  return kvsql_decide_write_mode (decision, self->relation, self->pause, self->mode, error);
}

static gboolean
end_pause (const Pause *self, KvsqlWriteMode mode, GError **error)
{
  const Pause step = { .relation = self->relation, .pause = self->pause, .mode = mode };
  g_autoptr (KvsqlResultPage) page = NULL;

  kvsqld_context_resume (self->context);
  page = kvsqld_change_definitions (self->context, decide, &step, error);
  kvsqld_context_pause (self->context);
  return page != NULL;
}

/* Waits until no daemon writes in the former mode. */
static gboolean
await_end_of_writes (const Pause *self, GError **error)
{
  const KvsqldOldWrites old = { .definitions = self->context->service->definitions,
                                .storage = self->context->service->storage,
                                .epoch = self->epoch,
                                .relation_id = self->id };
  KvsqlCall call = self->context->call;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_PAUSE_US);
  return kvsqld_old_writes_await (&old, &call, error);
}

/* Always possible, as there are no writes in a pause. Also if the statement was cancelled, or its
 * time is over. */
static gboolean
take_back (const Pause *self)
{
  KvsqldUndo undo;
  gboolean ok;

  kvsqld_context_begin_undo (self->context, &undo, LONGEST_PAUSE_US);
  ok = end_pause (self, self->former, NULL);
  kvsqld_context_end_undo (self->context, &undo);
  return ok;
}

static gboolean
complete (const Pause *self, GError **error)
{
  GError *failure = NULL;

  if ((self->former == self->mode || await_end_of_writes (self, &failure))
      && end_pause (self, self->mode, &failure))
    return TRUE;
  if (take_back (self))
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
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (context->service->definitions);
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, &alter->relation);
  Pause pause = { .context = context, .relation = &alter->relation, .epoch = catalog->epoch };
  gboolean ok;

  if (entry == NULL || entry->relation->writes != KVSQL_WRITES_PAUSED)
    return TRUE;
  if (!kvsql_alter_read_mode (alter, &pause.mode, error))
    return FALSE;
  pause.pause = entry->relation->pause;
  pause.id = entry->relation->id;
  pause.former = entry->relation->mode;
  kvsqld_context_pause (context);
  ok = complete (&pause, error);
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
  const Pause pause
      = { .context = self, .relation = &name, .pause = relation->pause, .former = relation->mode };
  g_autofree gchar *text = kvsql_print_former_mode (relation);
  const KvsqlSlice sql = self->sql;

  self->sql = kvsql_slice_from_text (text);
  kvsqld_context_pause (self);
  if (take_back (&pause))
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
