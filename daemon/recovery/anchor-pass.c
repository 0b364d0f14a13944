/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor-pass.c: see the header.
 */
#include "config.h"

#include "daemon/recovery/anchor-pass.h"

#include "core/write/dead-anchors.h"
#include "daemon/cluster/holders.h"

/* The first step of a relation. Small, as nothing is known about its size. */
#define FIRST_PARTS (KVSQL_ANCHOR_PARTS / 1024)
/* A step that took less is followed by one of twice as many parts; after one that took more, they
 * are half as many. */
#define SHORT_US (100 * G_TIME_SPAN_MILLISECOND)
#define LONG_US (500 * G_TIME_SPAN_MILLISECOND)
/* After one that was not done in time. */
#define FEWER 16

gboolean
kvsqld_anchor_pass_begin (KvsqldAnchorPass *self, KvsqlStorage *storage, gint64 age_ms,
                          const KvsqlCall *call, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);

  *self = (KvsqldAnchorPass){ .n_parts = FIRST_PARTS };
  self->is_over = kvsql_store_lacks_table (store, KVSQL_ANCHOR_TABLE, call);
  return self->is_over
         || (kvsql_storage_ensure_anchors (storage, call, error)
             && kvsql_dead_anchors_find_limit (storage, age_ms, call, &self->before, error));
}

guint
kvsqld_anchor_pass_get_percent (const KvsqldAnchorPass *self)
{
  return self->part * 100 / KVSQL_ANCHOR_PARTS;
}

static void
skip_relation (KvsqldAnchorPass *self)
{
  self->is_over = self->relation_id == G_MAXUINT64;
  self->relation_id++;
  self->part = 0;
  self->n_parts = FIRST_PARTS;
}

/* Whether all definitions are known: a relation that none of them has is not defined. */
static gboolean
knows_all (const KvsqlCatalog *catalog)
{
  return catalog->epoch > 0 && catalog->load_errors->len == 0;
}

/* *out_is_orphaned: no daemon uses a definition that has the relation. *out_entry: NULL: there is
 * none, or nothing may be removed. */
static gboolean
find_entry (const KvsqldAnchorPass *self, const KvsqldAnchorStep *step,
            const KvsqlCatalogEntry **out_entry, gboolean *out_is_orphaned, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find_id (step->catalog, self->relation_id);
  g_autoptr (GError) failure = NULL;

  *out_entry = entry != NULL && entry->relation->writes == KVSQL_WRITES_CHECKED ? entry : NULL;
  *out_is_orphaned = FALSE;
  if (entry != NULL || !knows_all (step->catalog))
    return TRUE;
  *out_is_orphaned
      = kvsqld_holders_check_epoch (step->registry, step->catalog->epoch, step->call, &failure);
  if (*out_is_orphaned || g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Chooses the size of the next step. */
static void
advance (KvsqldAnchorPass *self, guint32 n, gint64 took_us)
{
  self->part += n;
  if (took_us < SHORT_US)
    self->n_parts = MIN (2 * self->n_parts, KVSQL_ANCHOR_PARTS);
  else if (took_us > LONG_US)
    self->n_parts = MAX (self->n_parts / 2, 1);
  if (self->part == KVSQL_ANCHOR_PARTS)
    skip_relation (self);
}

/* A step that was not done in time goes on with fewer parts. If it cannot be made smaller, and has
 * removed nothing, it is left to the next pass. */
static gboolean
handle_failure (KvsqldAnchorPass *self, guint32 n, guint64 n_removed, GError *failure,
                GError **error)
{
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_DEADLINE) && (n > 1 || n_removed > 0))
    {
      self->n_parts = MAX (n / FEWER, 1);
      g_error_free (failure);
      return TRUE;
    }
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_DEADLINE))
    advance (self, n, LONG_US);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
remove_parts (KvsqldAnchorPass *self, KvsqldAnchorStep *step, const KvsqlCatalogEntry *entry,
              GError **error)
{
  const KvsqlDeadAnchors dead = { .writer = { .storage = step->storage,
                                              .entry = entry,
                                              .relation_id = self->relation_id,
                                              .call = step->call },
                                  .before = self->before };
  guint32 n = MIN (self->n_parts, KVSQL_ANCHOR_PARTS - self->part);
  gint64 begun_us = g_get_monotonic_time ();
  GError *failure = NULL;
  guint64 n_removed;
  gboolean ok = kvsql_dead_anchors_remove (&dead, self->part, n, &n_removed, &failure);

  if (entry != NULL)
    step->n_dead += n_removed;
  else
    step->n_orphaned += n_removed;
  if (!ok)
    return handle_failure (self, n, n_removed, failure, error);
  advance (self, n, g_get_monotonic_time () - begun_us);
  return TRUE;
}

gboolean
kvsqld_anchor_pass_step (KvsqldAnchorPass *self, KvsqldAnchorStep *step, GError **error)
{
  const KvsqlCatalogEntry *entry;
  gboolean is_orphaned;
  guint64 found;

  if (self->part == 0 && !self->is_over)
    {
      if (!kvsql_dead_anchors_find_relation (step->storage, self->relation_id, step->call, &found,
                                             error))
        return FALSE;
      self->is_over = found == 0;
      self->relation_id = found;
    }
  if (self->is_over)
    return TRUE;
  if (!find_entry (self, step, &entry, &is_orphaned, error))
    return FALSE;
  if (entry != NULL || is_orphaned)
    return remove_parts (self, step, entry, error);
  skip_relation (self);
  return TRUE;
}
