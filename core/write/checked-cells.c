/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-cells.c: see the header.
 */
#include "config.h"

#include "core/write/checked-cells.h"

#include "core/catalog/catalog.h"
#include "core/write/apply.h"

/* What older tuples have left. */
static gboolean
add_deletes (const KvsqlCheckedWriter *self, const KvsqlAnchor *anchor, KvsqlArena *arena,
             KvsqlMutationList *list, GError **error)
{
  for (guint i = 0; i < anchor->n_old; i++)
    {
      const KvsqlValue *old;

      if (!_kvsql_checked_read_record (self, anchor->old[i], arena, &old, error))
        return FALSE;
      for (guint s = 0; s < self->entry->n_schemas; s++)
        if (!kvsql_mutation_list_add_deletes (list, self->entry->schemas[s], old,
                                              anchor->timestamp - 1, error))
          return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_checked_add_cells (const KvsqlCheckedWriter *self, const KvsqlAnchor *anchor,
                         const KvsqlValue *tuple, const KvsqlValue *before, KvsqlArena *arena,
                         KvsqlMutationList *list, GError **error)
{
  const KvsqlCatalogEntry *entry = self->entry;
  /* A backfill puts the primary's tuple with the primary's timestamp: so that is written, too. */
  gboolean differs_only = before != NULL && tuple != NULL && kvsql_entry_is_filled (entry);

  for (guint s = 0; tuple != NULL && s < entry->n_schemas; s++)
    if (differs_only ? !kvsql_mutation_list_add_difference (list, entry->schemas[s], before, tuple,
                                                            anchor->timestamp, error)
                     : !kvsql_mutation_list_add_puts (list, entry->schemas[s], tuple,
                                                      anchor->timestamp, error))
      return FALSE;
  return differs_only || add_deletes (self, anchor, arena, list, error);
}

/* A schema may have been added of which this daemon does not know: then the cells that the write
 * has left there are still to be deleted. A change of schemas waits for every daemon that may use
 * timestamps (daemon/recovery/old-writes.h). So this daemon knew all schemas in which the anchors
 * that it has read could have cells, if it may use timestamps still. */
static gboolean
check_clearing (const KvsqlCheckedWriter *self, GError **error)
{
  return kvsql_storage_may_write (self->storage, error);
}

/* This may be long after the write was decided, so the anchor of a deleted tuple may have been
 * cleared by another daemon, and removed. */
static void
clear_anchors (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples, guint n)
{
  g_autoptr (KvsqlCheckedClears) clears = kvsql_checked_clears_new ();
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const KvsqlAnchor *anchor = &tuples[i].anchor;

      if (!anchor->is_pending)
        continue;
      if (anchor->is_live)
        _kvsql_checked_add_clear (self, tuples[i].key, anchor, clears);
      else
        _kvsql_checked_clear_dead (self, tuples[i].key, anchor);
      any = any || anchor->is_live;
    }
  if (any)
    kvsql_checked_clears_run_locked (clears, self->storage, self->call);
}

gboolean
kvsql_checked_put_cells (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples, guint n,
                         GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint i = 0; i < n; i++)
    if (tuples[i].anchor.is_pending
        && !kvsql_checked_add_cells (self, &tuples[i].anchor, tuples[i].tuple, NULL, arena, list,
                                     error))
      return FALSE;
  return kvsql_mutation_list_apply (list, self->storage, self->call, error);
}

gboolean
kvsql_checked_clear (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples, guint n,
                     GError **error)
{
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    any = any || tuples[i].anchor.is_pending;
  if (!any)
    return TRUE;
  if (!check_clearing (self, error))
    return FALSE;
  clear_anchors (self, tuples, n);
  return TRUE;
}

gboolean
kvsql_checked_write_cells (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples, guint n,
                           GError **error)
{
  return kvsql_checked_put_cells (self, tuples, n, error)
         && kvsql_checked_clear (self, tuples, n, error);
}

gboolean
kvsql_checked_fail_unfinished (const GError *cause, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write is decided, but not in all schemas yet: %s", cause->message);
  return kvsql_error_hint (error,
                           "It will be finished. Read the data before you repeat the statement.");
}
