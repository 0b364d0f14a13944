/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verified-tuples.c: see the header.
 */
#include "config.h"

#include "core/scan/verified-tuples.h"

#include "core/scan/checked-tuples.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/tuple-key.h"

/* How long a table that is listed may not be readable yet, and the time between two reads. */
#define MAKING_US (10 * G_USEC_PER_SEC)
#define PAUSE_US (50 * 1000)

/* ---- anchors */

/* The first write that anchors decide makes their table. While HBase makes it, the table is listed,
 * but cannot be read yet. */
static gboolean
get_rows (const KvsqlAnchorSource *source, const KvsqlSlice *keys, guint n, KvsqlArena *arena,
          KvsqlRows *out, gboolean *out_is_missing, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + MAKING_US;

  *out_is_missing = FALSE;
  for (;;)
    {
      g_autoptr (GError) failure = NULL;

      if (kvsql_checked_tuples_get (source, keys, n, arena, out, &failure))
        return TRUE;
      *out_is_missing
          = g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE)
            && kvsql_store_lacks_table (source->store, KVSQL_ANCHOR_TABLE, source->call);
      if (*out_is_missing)
        return TRUE;
      if (!g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE)
          || g_get_monotonic_time () >= end_us || !kvsql_call_check (source->call, NULL))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      g_usleep (PAUSE_US);
    }
}

static gboolean
read_anchors (const KvsqlAnchorSource *source, const KvsqlSlice *keys, guint n, KvsqlArena *arena,
              KvsqlCheckedTuple *out, GError **error)
{
  gboolean is_missing;
  KvsqlRows rows;

  if (!get_rows (source, keys, n, arena, &rows, &is_missing, error))
    return FALSE;
  if (!is_missing)
    return kvsql_checked_tuples_decode (source, keys, &rows, arena, out, error);
  for (guint i = 0; i < n; i++)
    out[i] = (KvsqlCheckedTuple){ .key = keys[i] };
  return TRUE;
}

/* ---- tuples that are moving */

static gboolean
is_moving (const KvsqlCheckedTuple *self)
{
  return self->anchor.is_pending && self->anchor.is_moving;
}

/* Reads the anchors of the keys to which the tuples are moving. */
static gboolean
read_targets (const KvsqlAnchorSource *source, KvsqlCheckedTuple *const *moving, guint n,
              KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *tuple;

      if (!kvsql_checked_tuple_read_record (source->relation, moving[i]->anchor.moved_tuple, arena,
                                            &tuple, error))
        return FALSE;
      keys[i] = kvsql_tuple_make_key (source->relation, tuple, arena);
    }
  return read_anchors (source, keys, n, arena, out, error);
}

/* Finds out where these tuples are. Those that are still moving, but by another statement, stay in
 * the list. */
static gboolean
look_at_moving (const KvsqlAnchorSource *source, KvsqlCheckedTuple **moving, guint *inout_n,
                KvsqlArena *arena, GError **error)
{
  guint n = *inout_n, n_left = 0;
  KvsqlCheckedTuple *targets = kvsql_arena_array (arena, KvsqlCheckedTuple, n);
  KvsqlCheckedTuple *again = kvsql_arena_array (arena, KvsqlCheckedTuple, n);
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    keys[i] = moving[i]->key;
  if (!read_targets (source, moving, n, arena, targets, error)
      || !read_anchors (source, keys, n, arena, again, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      KvsqlCheckedTuple *tuple = moving[i];

      if (kvsql_anchor_is_arrival (&targets[i].anchor, &tuple->anchor))
        tuple->tuple = NULL;
      else if (again[i].anchor.timestamp != tuple->anchor.timestamp)
        {
          *tuple = again[i];
          if (is_moving (tuple))
            moving[n_left++] = tuple;
        }
    }
  *inout_n = n_left;
  return TRUE;
}

/* Reads the anchors of the keys. Tuples that have moved away are none. */
static gboolean
read_decided (const KvsqlAnchorSource *source, const KvsqlSlice *keys, guint n, KvsqlArena *arena,
              KvsqlCheckedTuple *out, GError **error)
{
  KvsqlCheckedTuple **moving = kvsql_arena_array (arena, KvsqlCheckedTuple *, n);
  guint n_moving = 0;

  if (!read_anchors (source, keys, n, arena, out, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (is_moving (&out[i]))
      moving[n_moving++] = &out[i];
  while (n_moving > 0)
    if (!kvsql_call_check (source->call, error)
        || !look_at_moving (source, moving, &n_moving, arena, error))
      return FALSE;
  return TRUE;
}

/* ---- keys without an anchor */

typedef struct
{
  const KvsqlVerifier *verifier;
  const KvsqlAnchorSource *source;
  const KvsqlValue **keys;   /* of which there is no anchor */
  KvsqlCheckedTuple **found; /* of these keys */
  guint n;
  KvsqlTupleMap *rows; /* of the primary schema */
} Unanchored;

static void
add_row (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  Unanchored *self = data;
  const KvsqlRelation *relation = self->source->relation;
  KvsqlValue *kept = kvsql_tuple_map_obtain (self->rows, tuple, NULL);

  for (guint a = 0; a < relation->n_attributes; a++)
    if (!relation->attributes[a].is_key)
      kvsql_tuple_map_set (self->rows, kept, a, &tuple[a]);
}

/* Whether the scanned tuples say where they are in the primary schema, and their keys alone do not.
 */
static gboolean
knows_places (const KvsqlVerifier *self)
{
  const KvsqlSchema *primary = self->entry->schemas[0];
  const KvsqlRelation *relation = self->entry->relation;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&primary->cell_key_attributes, a)
        && !kvsql_type_is_collection (relation->attributes[a].type)
        && !kvsql_attribute_set_has (self->scanned, a))
      return FALSE;
  return !primary->is_located_by_key;
}

/* Where a key alone gives no cell key, a read by keys is a scan of the whole table. Most tuples are
 * where the scanned ones say. */
static gboolean
read_rows (Unanchored *self, GError **error)
{
  const KvsqlVerifier *verifier = self->verifier;
  g_autofree const KvsqlValue **missing = g_new (const KvsqlValue *, self->n);
  guint n_missing = 0;

  if (knows_places (verifier)
      && !kvsql_read_primary_again (verifier->store, verifier->entry, self->keys, self->n,
                                    self->source->call, add_row, self, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (kvsql_tuple_map_find (self->rows, self->keys[i]) == NULL)
      missing[n_missing++] = self->keys[i];
  return n_missing == 0
         || kvsql_read_primary_by_keys (verifier->store, verifier->entry, missing, n_missing,
                                        &self->source->relation->all, self->source->call,
                                        self->rows, error);
}

/* The rows are current if there is no anchor after they were read, either. */
static gboolean
adopt_rows (Unanchored *self, KvsqlArena *arena, GError **error)
{
  KvsqlCheckedTuple *again = kvsql_arena_array (arena, KvsqlCheckedTuple, self->n);
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, self->n);

  for (guint i = 0; i < self->n; i++)
    keys[i] = self->found[i]->key;
  if (!read_rows (self, error) || !read_decided (self->source, keys, self->n, arena, again, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqlValue *row = kvsql_tuple_map_find (self->rows, self->keys[i]);

      *self->found[i] = again[i];
      if (again[i].anchor.timestamp == 0 && row != NULL)
        self->found[i]->tuple = kvsql_tuple_dup (self->source->relation, row, arena);
    }
  return TRUE;
}

static gboolean
adopt_stored (const KvsqlVerifier *verifier, const KvsqlAnchorSource *source,
              const KvsqlValue *const *scanned, guint n, KvsqlArena *arena,
              KvsqlCheckedTuple *found, GError **error)
{
  Unanchored self = { .verifier = verifier, .source = source };
  g_autoptr (KvsqlTupleMap) rows = NULL;

  self.keys = kvsql_arena_array (arena, const KvsqlValue *, n);
  self.found = kvsql_arena_array (arena, KvsqlCheckedTuple *, n);
  for (guint i = 0; i < n; i++)
    if (found[i].anchor.timestamp == 0)
      {
        self.keys[self.n] = scanned[i];
        self.found[self.n++] = &found[i];
      }
  if (self.n == 0)
    return TRUE;
  self.rows = rows = kvsql_tuple_map_new (source->relation, 0);
  return adopt_rows (&self, arena, error);
}

/* ---- tuples */

gboolean
kvsql_verified_tuples_read (const KvsqlVerifier *self, const KvsqlCall *call,
                            const KvsqlValue *const *scanned, guint n, KvsqlArena *arena,
                            const KvsqlValue **out, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  const KvsqlAnchorSource source = { .store = self->store,
                                     .relation = relation,
                                     .relation_id = relation->id,
                                     .call = call,
                                     .counts = self->counts };
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, n);
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, n);

  g_assert (relation->id != 0 && kvsql_attribute_set_contains (self->scanned, &relation->keys));
  for (guint i = 0; i < n; i++)
    keys[i] = kvsql_tuple_make_key (relation, scanned[i], arena);
  if (!read_decided (&source, keys, n, arena, found, error)
      || (!self->schema->is_primary
          && !adopt_stored (self, &source, scanned, n, arena, found, error)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    out[i]
        = found[i].anchor.timestamp == 0 && self->schema->is_primary ? scanned[i] : found[i].tuple;
  return TRUE;
}
