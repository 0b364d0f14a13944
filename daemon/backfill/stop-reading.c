/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * stop-reading.c: see backfill.h.
 *
 * A statement that uses the last definitions with a schema may still read it when others do not
 * write it any more. So before a schema is dropped, it goes from readable back to building: it is
 * written by all, and read by statements of older definitions only. When these have ended, no
 * statement reads it, and it does not matter which daemons still write it.
 */
#include "config.h"

#include "daemon/backfill/backfill-private.h"

#define LAST_CALL_US (20 * G_TIME_SPAN_SECOND)

/* The note in place of a progress. Its id says which schema may be read again. A BACKFILL does not
 * continue there. */
static KvsqldBackfillProgress
make_note (const gchar *id)
{
  KvsqldBackfillProgress note = { .definitions = "pause" };

  note.since_ms = note.noted_ms = g_get_real_time () / 1000;
  g_strlcpy (note.id, id, sizeof note.id);
  return note;
}

/* *out_epoch: since then it is not read; -1: another commit came first. */
static gboolean
pause_once (KvsqldDefinitions *definitions, const gchar *name, const gchar *id,
            const KvsqlCall *call, gint64 *out_epoch, GError **error)
{
  const KvsqldBackfillProgress note = make_note (id);
  g_autofree gchar *text = kvsqld_backfill_progress_print (&note);
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions), after = NULL;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema = kvsqld_backfill_find (catalog, name, &entry, error);
  g_autoptr (GError) failure = NULL;

  *out_epoch = -1;
  if (schema == NULL)
    return FALSE;
  if (kvsql_schema_is_filled (schema)
      && !kvsqld_backfill_set_state (definitions, catalog, schema, name, KVSQL_STATE_BUILDING, text,
                                     call, &failure))
    {
      if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_CONFLICT))
        return kvsql_call_check (call, error);
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  after = kvsqld_definitions_get (definitions);
  *out_epoch = after->epoch;
  return TRUE;
}

gboolean
kvsqld_schema_stop_reading (KvsqldDefinitions *definitions, const gchar *schema,
                            const KvsqlCall *call, gchar **out_pause, GError **error)
{
  g_autofree gchar *id = g_uuid_string_random ();
  gint64 epoch = -1;

  *out_pause = NULL;
  while (epoch < 0)
    if (!pause_once (definitions, schema, id, call, &epoch, error))
      return FALSE;
  if (kvsqld_definitions_await (definitions, epoch, call, error))
    {
      *out_pause = g_steal_pointer (&id);
      return TRUE;
    }
  kvsqld_schema_read_again (definitions, schema, id);
  g_prefix_error (error, "the schema stays as it was: ");
  return FALSE;
}

void
kvsqld_schema_read_again (KvsqldDefinitions *definitions, const gchar *schema, const gchar *pause)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LAST_CALL_US };
  const KvsqldBackfillProgress note = make_note (pause);
  g_autoptr (GError) error = NULL;

  if (!kvsqld_backfill_finish (definitions, schema, &note, &call, &error))
    g_debug ("backfill: schema \"%s\" is not read again: %s", schema, error->message);
}
