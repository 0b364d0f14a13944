/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-write.c: see the header.
 */
#include "config.h"

#include "core/write/checked-write.h"

#include "core/anchor/tuple-record.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/tuple-key.h"
#include "core/write/apply.h"
#include "core/write/mutations.h"

/* ---- the anchor table */

gboolean
kvsql_checked_make_tables (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  const KvsqlSlice family = KVSQL_ANCHOR_FAMILY;
  const KvsqlTableSpec spec = { .name = KVSQL_ANCHOR_TABLE, .families = &family, .n_families = 1 };

  return kvsql_store_ensure_table (store, &spec, call, NULL, error);
}

/* The bytes of @buffer, in @arena. */
static KvsqlSlice
keep (KvsqlBuffer *buffer, KvsqlArena *arena)
{
  KvsqlSlice bytes = kvsql_slice_dup (arena, kvsql_buffer_slice (buffer));

  kvsql_buffer_clear (buffer);
  return bytes;
}

KvsqlSlice
kvsql_checked_key (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer key = { 0 };

  kvsql_tuple_append_key (self->entry->relation, tuple, &key);
  return keep (&key, arena);
}

static KvsqlSlice
row_of (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlArena *arena)
{
  KvsqlBuffer row = { 0 };

  kvsql_anchor_append_row (self->relation_id, key, &row);
  return keep (&row, arena);
}

static KvsqlSlice
state_of (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer state = { 0 };

  kvsql_anchor_append_state (anchor, &state);
  return keep (&state, arena);
}

static KvsqlSlice
payload_of (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer payload = { 0 };

  kvsql_anchor_append_payload (anchor, &payload);
  return keep (&payload, arena);
}

static KvsqlCellMutation
put_of (KvsqlSlice qualifier, KvsqlSlice value, gint64 timestamp)
{
  return (KvsqlCellMutation){ .kind = KVSQL_MUTATION_PUT,
                              .family = KVSQL_ANCHOR_FAMILY,
                              .qualifier = qualifier,
                              .value = value,
                              .timestamp = timestamp };
}

/* ---- reading */

static const KvsqlRelation *
relation_of (const KvsqlCheckedWriter *self)
{
  return self->entry->relation;
}

static gboolean
fail_damaged (const KvsqlCheckedWriter *self, KvsqlSlice key, GError **error)
{
  g_autofree gchar *text = kvsql_readable (key);

  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "the anchor of the key \"%s\" of relation \"%s\" is damaged", text,
                          relation_of (self)->name);
}

static gboolean
read_record (const KvsqlCheckedWriter *self, KvsqlSlice record, KvsqlArena *arena,
             const KvsqlValue **out)
{
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation_of (self)->n_attributes);

  *out = tuple;
  return kvsql_tuple_record_read (relation_of (self), record, arena, tuple);
}

/* @out borrows @keys. */
static gboolean
read_anchors (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n, KvsqlArena *arena,
              KvsqlCheckedTuple *out, GError **error)
{
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  KvsqlSlice *row_keys = kvsql_arena_array (arena, KvsqlSlice, n);
  KvsqlRows rows;

  for (guint i = 0; i < n; i++)
    row_keys[i] = row_of (self, keys[i], arena);
  if (!kvsql_store_multi_get (kvsql_storage_get_store (self->storage), KVSQL_ANCHOR_TABLE, row_keys,
                              n, &family, 1, self->call, arena, &rows, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlRow *row = &rows.rows[i];

      out[i] = (KvsqlCheckedTuple){ .key = keys[i] };
      if (!kvsql_anchor_read (rows.cells + row->first_cell, row->n_cells, &out[i].anchor)
          || (out[i].anchor.is_live
              && !read_record (self, out[i].anchor.tuple, arena, &out[i].tuple)))
        return fail_damaged (self, keys[i], error);
      out[i].newest = out[i].anchor.timestamp;
    }
  return TRUE;
}

/* A tuple without an anchor becomes an older tuple of its first anchor. */
static gboolean
read_unanchored (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                 KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  g_autofree const KvsqlValue **missing = g_new (const KvsqlValue *, n);
  g_autoptr (KvsqlTupleMap) stored = NULL;
  guint n_missing = 0;

  for (guint i = 0; i < n; i++)
    if (out[i].anchor.timestamp == 0)
      missing[n_missing++] = keys[i];
  if (n_missing == 0)
    return TRUE;
  stored = kvsql_tuple_map_new (relation_of (self), 0);
  if (!kvsql_read_primary_by_keys (kvsql_storage_get_store (self->storage), self->entry, missing,
                                   n_missing, &relation_of (self)->all, self->call, stored, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlValue *tuple
          = out[i].anchor.timestamp == 0 ? kvsql_tuple_map_find (stored, keys[i]) : NULL;
      KvsqlValue *copy;

      if (tuple == NULL)
        continue;
      copy = kvsql_arena_array (arena, KvsqlValue, relation_of (self)->n_attributes);
      for (guint a = 0; a < relation_of (self)->n_attributes; a++)
        copy[a] = kvsql_value_dup (&tuple[a], arena);
      out[i].tuple = copy;
      out[i].newest = kvsql_tuple_map_get_times (stored, tuple).newest;
    }
  return TRUE;
}

gboolean
kvsql_checked_read (const KvsqlCheckedWriter *self, const KvsqlValue *const *keys, guint n,
                    KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  KvsqlSlice *bytes = kvsql_arena_array (arena, KvsqlSlice, n);

  for (guint i = 0; i < n; i++)
    bytes[i] = kvsql_checked_key (self, keys[i], arena);
  return read_anchors (self, bytes, n, arena, out, error)
         && read_unanchored (self, keys, n, arena, out, error);
}

/* ---- step 2: the decision */

static KvsqlSlice
record_of (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer record = { 0 };

  if (tuple == NULL)
    return KVSQL_SLICE_EMPTY;
  kvsql_tuple_record_append (relation_of (self), tuple, &record);
  return keep (&record, arena);
}

static gint64
choose_timestamp (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before, GError **error)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  kvsql_key_locks_add (&locks, before->key);
  return kvsql_storage_checked_timestamp (self->storage, &locks, before->newest, error);
}

/* The anchor of a change; *out_has_room: FALSE: the write before it has to be finished first. */
static gboolean
make_anchor (const KvsqlCheckedWriter *self, const KvsqlCheckedChange *change, KvsqlArena *arena,
             KvsqlAnchor *out, gboolean *out_has_room, GError **error)
{
  const KvsqlCheckedTuple *before = change->before;
  gint64 timestamp = choose_timestamp (self, before, error);

  if (timestamp == 0)
    return FALSE;
  *out_has_room = kvsql_anchor_succeed (&before->anchor, record_of (self, change->new, arena),
                                        timestamp, out);
  if (before->anchor.timestamp == 0 && before->tuple != NULL)
    *out_has_room = kvsql_anchor_add_old (out, record_of (self, before->tuple, arena));
  return TRUE;
}

static gboolean
decide (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before, const KvsqlAnchor *anchor,
        KvsqlArena *arena, gboolean *out_applied, GError **error)
{
  const KvsqlCellMutation cells[]
      = { put_of (KVSQL_ANCHOR_STATE, state_of (anchor, arena), anchor->timestamp),
          put_of (KVSQL_ANCHOR_PAYLOAD, payload_of (anchor, arena), anchor->timestamp) };
  KvsqlCheck check = { .kind = KVSQL_CHECK_ABSENT,
                       .table = KVSQL_ANCHOR_TABLE,
                       .row = row_of (self, before->key, arena),
                       .family = KVSQL_ANCHOR_FAMILY,
                       .qualifier = KVSQL_ANCHOR_STATE,
                       .mark = anchor->timestamp };

  if (before->anchor.timestamp != 0)
    {
      check.kind = KVSQL_CHECK_EQUAL;
      check.value = state_of (&before->anchor, arena);
    }
  return kvsql_store_check_and_apply (kvsql_storage_get_store (self->storage), &check, cells,
                                      G_N_ELEMENTS (cells), self->call, out_applied, error);
}

/* ---- steps 3 and 4: the cells */

/* All cells of the anchor's tuple, and deletes of those that its older tuples may have left. */
static gboolean
add_all_cells (const KvsqlCheckedWriter *self, const KvsqlAnchor *anchor, const KvsqlValue *tuple,
               KvsqlArena *arena, KvsqlMutationList *list, GError **error)
{
  const KvsqlCatalogEntry *entry = self->entry;

  for (guint s = 0; tuple != NULL && s < entry->n_schemas; s++)
    if (!kvsql_mutation_list_add_puts (list, entry->schemas[s], tuple, anchor->timestamp, error))
      return FALSE;
  for (guint i = 0; i < anchor->n_old; i++)
    {
      const KvsqlValue *old;

      if (!read_record (self, anchor->old[i], arena, &old))
        return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                                "an anchor of relation \"%s\" is damaged",
                                relation_of (self)->name);
      for (guint s = 0; s < entry->n_schemas; s++)
        if (!kvsql_mutation_list_add_deletes (list, entry->schemas[s], old, anchor->timestamp - 1,
                                              error))
          return FALSE;
    }
  return TRUE;
}

/* If the write before was finished, only what differs. */
static gboolean
add_cells (const KvsqlCheckedWriter *self, const KvsqlCheckedChange *change,
           const KvsqlAnchor *anchor, KvsqlArena *arena, KvsqlMutationList *list, GError **error)
{
  const KvsqlCheckedTuple *before = change->before;

  if (before->anchor.timestamp == 0 || before->anchor.is_pending || before->tuple == NULL
      || change->new == NULL)
    return add_all_cells (self, anchor, change->new, arena, list, error);
  for (guint s = 0; s < self->entry->n_schemas; s++)
    if (!kvsql_mutation_list_add_difference (list, self->entry->schemas[s], before->tuple,
                                             change->new, anchor->timestamp, error))
      return FALSE;
  return TRUE;
}

/* ---- step 5 */

/* Only saves work for others: whether it was done does not matter. */
static void
clear_pending (const KvsqlCheckedWriter *self, KvsqlSlice key, const KvsqlAnchor *anchor,
               KvsqlArena *arena)
{
  KvsqlAnchor cleared = *anchor;
  KvsqlCellMutation put;
  KvsqlCheck check = { .kind = KVSQL_CHECK_EQUAL,
                       .table = KVSQL_ANCHOR_TABLE,
                       .row = row_of (self, key, arena),
                       .family = KVSQL_ANCHOR_FAMILY,
                       .qualifier = KVSQL_ANCHOR_STATE,
                       .value = state_of (anchor, arena) };
  gboolean is_applied;

  cleared.is_pending = FALSE;
  put = put_of (KVSQL_ANCHOR_STATE, state_of (&cleared, arena), anchor->timestamp);
  if (!kvsql_store_check_and_apply (kvsql_storage_get_store (self->storage), &check, &put, 1,
                                    self->call, &is_applied, NULL))
    return;
}

/* ---- all steps */

static gboolean
finish (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *tuples, guint n, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint i = 0; i < n; i++)
    if (tuples[i].anchor.is_pending
        && !add_all_cells (self, &tuples[i].anchor, tuples[i].tuple, arena, list, error))
      return FALSE;
  if (!kvsql_mutation_list_apply (list, self->storage, self->call, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (tuples[i].anchor.is_pending)
      clear_pending (self, tuples[i].key, &tuples[i].anchor, arena);
  return TRUE;
}

gboolean
kvsql_checked_finish (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n, guint *out_n,
                      GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, n);

  *out_n = 0;
  if (!read_anchors (self, keys, n, arena, found, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    *out_n += found[i].anchor.is_pending;
  return finish (self, found, n, error);
}

/* A change on its way. */
typedef struct
{
  KvsqlCheckedChange *change;
  KvsqlAnchor anchor;
  guint first, n; /* its mutations in the list */
} Step;

/* Step 1 of a list of changes: makes anchors and cells. What a schema cannot hold is not decided.
 * A change whose anchor has no room is left out: first, what it waits for is finished. */
static gboolean
prepare (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n, KvsqlArena *arena,
         KvsqlMutationList *list, Step *steps, guint *out_n, GError **error)
{
  *out_n = 0;
  for (guint i = 0; i < n; i++)
    {
      Step *step = &steps[*out_n];
      gboolean has_room;

      *step = (Step){ .change = &changes[i], .first = list->mutations->len };
      if (!make_anchor (self, &changes[i], arena, &step->anchor, &has_room, error))
        return FALSE;
      if (has_room ? !add_cells (self, &changes[i], &step->anchor, arena, list, error)
                   : !finish (self, changes[i].before, 1, error))
        return FALSE;
      step->n = list->mutations->len - step->first;
      *out_n += has_room;
    }
  return kvsql_mutation_list_ensure_tables (list, self->storage, self->call, error);
}

/* Removes the cells of changes that are not applied. */
static void
remove_lost (KvsqlMutationList *list, const Step *steps, guint n)
{
  for (guint i = n; i > 0; i--)
    if (!steps[i - 1].change->is_applied && steps[i - 1].n > 0)
      kvsql_mutation_list_remove (list, steps[i - 1].first, steps[i - 1].n);
}

static gboolean
fail_unfinished (const GError *cause, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write is decided, but not in all schemas yet: %s", cause->message);
  return kvsql_error_hint (error,
                           "It will be finished. Read the data before you repeat the statement.");
}

/* Steps 3 to 5. */
static gboolean
write_decided (const KvsqlCheckedWriter *self, const Step *steps, guint n, KvsqlArena *arena,
               KvsqlMutationList *list, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (!kvsql_mutation_list_apply (list, self->storage, self->call, &failure))
    {
      for (guint i = 0; i < n; i++)
        steps[i].change->is_applied = FALSE;
      return fail_unfinished (failure, error);
    }
  for (guint i = 0; i < n; i++)
    if (steps[i].change->is_applied)
      clear_pending (self, steps[i].change->before->key, &steps[i].anchor, arena);
  return TRUE;
}

gboolean
kvsql_checked_apply (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                     GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  Step *steps = kvsql_arena_array (arena, Step, n);
  GError *undecided = NULL, *unfinished = NULL;
  guint n_steps;

  for (guint i = 0; i < n; i++)
    changes[i].is_applied = FALSE;
  if (!prepare (self, changes, n, arena, list, steps, &n_steps, error))
    return FALSE;
  for (guint i = 0; i < n_steps && undecided == NULL; i++)
    if (!decide (self, steps[i].change->before, &steps[i].anchor, arena,
                 &steps[i].change->is_applied, &undecided))
      steps[i].change->is_applied = FALSE;
  remove_lost (list, steps, n_steps);
  /* also if a later change has failed */
  if (!write_decided (self, steps, n_steps, arena, list, &unfinished))
    g_clear_error (&undecided);
  if (unfinished == NULL && undecided == NULL)
    return TRUE;
  g_propagate_error (error, unfinished != NULL ? unfinished : undecided);
  return FALSE;
}
