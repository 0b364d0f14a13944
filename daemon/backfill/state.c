/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state.c: moves a schema from one state to the next, when all daemons are ready for it.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/maintain/probe.h"
#include "daemon/backfill/backfill-private.h"

/* Commits the schema with another state, if it is still as in @catalog. The progress of filling is
 * removed. */
static gboolean
set_state (KvsqldDefinitions *definitions, const KvsqlCatalog *catalog, const KvsqlSchema *schema,
           const gchar *name, KvsqlSchemaState state, const KvsqlCall *call, GError **error)
{
  g_autofree gchar *text = kvsql_schema_print_with_state (schema, state);
  KvsqlDefinitionChange changes[]
      = { { .kind = KVSQL_DEFINITION_SCHEMA, .name = name, .text = text },
          { .kind = KVSQL_DEFINITION_BACKFILL, .name = name } };

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

/* TRUE with *out_again if another commit came first. */
static gboolean
begin_once (KvsqldDefinitions *definitions, KvsqlStorage *storage, const gchar *name,
            const KvsqlCall *call, gboolean *out_again, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions);
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);
  g_autoptr (GError) local = NULL;
  gboolean is_used;

  *out_again = FALSE;
  if (schema == NULL)
    return FALSE;
  if (schema->options.state != KVSQL_STATE_DELETING)
    return TRUE;
  if (!kvsqld_definitions_await (definitions, catalog->epoch, call, error)
      || !has_cells (storage, schema, call, &is_used, error))
    return FALSE;
  if (set_state (definitions, catalog, schema, name,
                 is_used ? KVSQL_STATE_REBUILDING : KVSQL_STATE_BUILDING, call, &local))
    return TRUE;
  *out_again = g_error_matches (local, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  if (!*out_again)
    g_propagate_error (error, g_steal_pointer (&local));
  return *out_again;
}

gboolean
kvsqld_backfill_begin (KvsqldDefinitions *definitions, KvsqlStorage *storage, const gchar *schema,
                       const KvsqlCall *call, GError **error)
{
  gboolean again = TRUE;

  while (again)
    if (!kvsql_call_check (call, error)
        || !begin_once (definitions, storage, schema, call, &again, error))
      return FALSE;
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
      if (set_state (definitions, catalog, schema, name, KVSQL_STATE_READABLE, call, &local))
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
