/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state.c: moves a schema from one state to the next, when all daemons are ready for it.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/maintain/filling.h"
#include "core/maintain/probe.h"
#include "core/write/blind-write.h"
#include "daemon/backfill/backfill-private.h"
#include "daemon/recovery/old-writes.h"

/* For the step after a wait that was longer than the call. */
#define STEP_US (20 * G_TIME_SPAN_SECOND)

gboolean
kvsqld_backfill_set_state (KvsqldDefinitions *definitions, const KvsqlCatalog *catalog,
                           const KvsqlSchema *schema, const gchar *name, KvsqlSchemaState state,
                           const gchar *note, const KvsqlCall *call, GError **error)
{
  g_autofree gchar *text = kvsql_schema_print_with_state (schema, state);
  KvsqlDefinitionChange changes[]
      = { { .kind = KVSQL_DEFINITION_SCHEMA, .name = name, .text = text },
          { .kind = KVSQL_DEFINITION_BACKFILL, .name = name, .text = note } };

  return kvsql_interrupt_check (error)
         && kvsqld_definitions_commit (definitions, catalog, changes, G_N_ELEMENTS (changes), NULL,
                                       call, error);
}

/* Whether the schema's tables may already hold cells of it. */
static gboolean
has_cells (KvsqlStorage *storage, const KvsqlSchema *schema, const KvsqlCall *call, gboolean *out,
           GError **error)
{
  static const KvsqlProbeLimits limits = { .max_cells = 100000, .stops_at_own = TRUE };
  g_auto (KvsqlProbe) found = { 0 };

  if (!kvsql_probe_run (kvsql_storage_get_store (storage), schema, &limits, call, &found, error))
    return FALSE;
  *out = found.n_own_cells > 0 || found.has_more;
  return TRUE;
}

gboolean
kvsqld_backfill_await (KvsqldDefinitions *definitions, KvsqlStorage *storage,
                       const KvsqlCatalog *catalog, const KvsqlRelation *relation,
                       gint64 log_wait_us, gint64 late_us, const KvsqlCall *call, GError **error)
{
  const KvsqldOldWrites old = { .definitions = definitions,
                                .storage = storage,
                                .epoch = catalog->epoch,
                                .relation_id = relation != NULL ? relation->id : 0,
                                .log_wait_us = log_wait_us,
                                .late_us = late_us };

  return kvsqld_old_writes_await (&old, call, error);
}

/* A blind write of one row is in no log. The daemons that know the new schema log theirs. A
 * relation without tuples is not waited for: it was hardly ever written, and an hour would be too
 * long for a new one. */
static gboolean
find_late_us (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlCall *call,
              gint64 *out, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  gboolean has_tuples = FALSE;

  *out = 0;
  if (!kvsql_entry_is_blind (entry, &store->capabilities) || kvsql_entry_needed_intents (entry)
      || !entry->schemas[0]->is_primary)
    return TRUE;
  if (!kvsql_schema_has_tuples (store, entry->schemas[0], call, &has_tuples, error))
    return FALSE;
  *out = has_tuples ? kvsql_storage_get_late (storage) * 1000 : 0;
  return TRUE;
}

/* TRUE with *out_again if another commit came first. */
static gboolean
begin_once (KvsqldDefinitions *definitions, KvsqlStorage *storage, const gchar *name,
            gint64 log_wait_us, const KvsqlCall *call, gboolean *out_again, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);
  g_autoptr (GError) local = NULL;
  KvsqlCall step = *call;
  gboolean is_used;
  gint64 late_us;

  *out_again = FALSE;
  if (schema == NULL)
    return FALSE;
  if (schema->options.state != KVSQL_STATE_DELETING)
    return TRUE;
  if (!find_late_us (storage, entry, call, &late_us, error)
      || !kvsqld_backfill_await (definitions, storage, catalog, entry->relation, log_wait_us,
                                 late_us, call, error))
    return FALSE;
  step.deadline_us = MAX (step.deadline_us, g_get_monotonic_time () + STEP_US);
  if (!has_cells (storage, schema, &step, &is_used, error))
    return FALSE;
  if (kvsqld_backfill_set_state (definitions, catalog, schema, name,
                                 is_used ? KVSQL_STATE_REBUILDING : KVSQL_STATE_BUILDING, NULL,
                                 &step, &local))
    return TRUE;
  *out_again = g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  if (!*out_again)
    g_propagate_error (error, g_steal_pointer (&local));
  return *out_again;
}

gboolean
kvsqld_backfill_begin (KvsqldDefinitions *definitions, KvsqlStorage *storage, const gchar *schema,
                       gint64 log_wait_us, const KvsqlCall *call, GError **error)
{
  KvsqlCall step = *call;
  gboolean again = TRUE;

  while (again)
    {
      if (!kvsql_call_check (&step, error)
          || !begin_once (definitions, storage, schema, log_wait_us, &step, &again, error))
        return FALSE;
      if (log_wait_us > 0)
        step.deadline_us = MAX (step.deadline_us, g_get_monotonic_time () + STEP_US);
    }
  return TRUE;
}

gboolean
kvsqld_backfill_finish (KvsqldDefinitions *definitions, const gchar *name,
                        const KvsqldBackfillProgress *progress, const KvsqlCall *call,
                        GError **error)
{
  for (;;)
    {
      g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
      const KvsqlCatalogEntry *entry;
      const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);
      g_autoptr (GError) local = NULL;

      if (schema == NULL)
        return FALSE;
      if (kvsql_schema_is_filled (schema))
        return TRUE;
      if (!kvsqld_backfill_progress_check (progress, catalog, name, error))
        return FALSE;
      if (kvsqld_backfill_set_state (definitions, catalog, schema, name, KVSQL_STATE_READABLE, NULL,
                                     call, &local))
        return TRUE;
      if (!g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT)
          || !kvsql_call_check (call, error))
        {
          if (error != NULL && *error == NULL)
            g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
    }
}
