/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-write.c: reads a cell, edits its list of elements, and writes it if it is unchanged.
 */
#include "config.h"

#include "core/write/each-write.h"

#include "core/base/interrupt.h"
#include "core/layout/each.h"
#include "core/layout/sequence.h"
#include "core/scan/tuple-key.h"
#include "core/scan/tuple-map.h"
#include "core/write/apply.h"
#include "core/write/mutations.h"

#include <stdlib.h>

gboolean
kvsql_entry_shares_cells (const KvsqlCatalogEntry *entry)
{
  return entry->n_schemas > 0 && entry->schemas[0]->cells[0].each != NULL;
}

/* The state of one key in a cell, before and after. */
typedef struct
{
  KvsqlChange *change;
  KvsqlMutationList *list;   /* of @cell */
  const KvsqlMutation *cell; /* as a put of a cell with this tuple alone */
  const KvsqlValue *key;     /* a tuple with this key */
  const KvsqlValue *before;  /* NULL: the cell may not have the key */
  const KvsqlValue *after;   /* NULL: it is removed */
  gboolean is_placed;        /* the cell has the key, or had it */
} Edit;

typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  const KvsqlCellLayout *layout;
  const KvsqlCall *call;
  GPtrArray *lists; /* KvsqlMutationList */
  GArray *edits;    /* Edit, of all changes */

  /* of the current cell */
  KvsqlArena *arena;
  KvsqlBatch *batch; /* one row */
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
} Writer;

/* ---- making edits */

static gboolean
add_edit (Writer *self, KvsqlChange *change, const KvsqlValue *before, const KvsqlValue *after,
          GError **error)
{
  Edit edit = { .change = change,
                .list = kvsql_mutation_list_new (),
                .key = after != NULL ? after : before,
                .before = before,
                .after = after };
  const KvsqlSchema *schema = self->entry->schemas[0];

  g_ptr_array_add (self->lists, edit.list);
  if (after != NULL ? !kvsql_mutation_list_add_puts (edit.list, schema, after, 2, error)
                    : !kvsql_mutation_list_add_old (edit.list, schema, before, error))
    return FALSE;
  g_assert (edit.list->mutations->len == 1); /* a tuple is in one cell */
  edit.cell = &g_array_index (edit.list->mutations, KvsqlMutation, 0);
  g_array_append_val (self->edits, edit);
  return TRUE;
}

static gint
compare_cells (const KvsqlMutation *a, const KvsqlMutation *b)
{
  gint order = kvsql_slice_compare (a->table, b->table);

  if (order == 0)
    order = kvsql_slice_compare (a->row, b->row);
  if (order == 0)
    order = kvsql_slice_compare (a->family, b->family);
  return order != 0 ? order : kvsql_slice_compare (a->qualifier, b->qualifier);
}

static gint
compare_edits (gconstpointer a, gconstpointer b)
{
  return compare_cells (((const Edit *)a)->cell, ((const Edit *)b)->cell);
}

/* A new KEY is another element, in this cell or another one. */
static gboolean
add_edits (Writer *self, KvsqlChange *change, GError **error)
{
  change->is_applied = FALSE;
  if (change->old == NULL || change->new == NULL
      || kvsql_tuple_has_same_key (self->entry->relation, change->old, change->new))
    return add_edit (self, change, change->old, change->new, error);
  return add_edit (self, change, NULL, change->new, error)
         && add_edit (self, change, change->old, NULL, error);
}

/* ---- the value of a cell */

/* What is around the elements of a value. */
typedef struct
{
  KvsqlSlice before;
  KvsqlSlice after;
  GArray *elements; /* KvsqlSlice */
} List;

static gboolean
fail_damaged (const Writer *self, const KvsqlMutation *cell, GError **error)
{
  g_autofree gchar *row = kvsql_readable (cell->row);

  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "the tuple's cell in row \"%s\" does not fit schema \"%s\"", row,
                          self->entry->schemas[0]->name)
         || kvsql_error_hint (error, "It may hold other tuples, so it is not overwritten.");
}

/* The tuple in the row of the batch. */
static void
get_tuple (const Writer *self, KvsqlValue *out)
{
  for (guint a = 0; a < self->batch->n_columns; a++)
    out[a] = kvsql_vector_get (&self->batch->columns[a], 0);
}

/* The element is that of @edit. If the tuple is another one than expected, its change is lost. */
static void
match (const Writer *self, Edit *edit, const KvsqlValue *tuple)
{
  gboolean is_same = edit->before != NULL;

  for (guint a = 0; a < self->entry->relation->n_attributes && is_same; a++)
    is_same = kvsql_value_equal (&tuple[a], &edit->before[a]);
  edit->is_placed = TRUE;
  edit->change->is_applied = edit->change->is_applied && is_same;
}

static Edit *
find_edit (KvsqlTupleMap *keys, GHashTable *edits, const KvsqlValue *tuple)
{
  gconstpointer key = kvsql_tuple_map_find (keys, tuple);

  return key == NULL ? NULL : g_hash_table_lookup (edits, key);
}

static gboolean
decode_next (Writer *self, KvsqlEachWalk *walk, KvsqlDecoder *decoder, gboolean *out_any,
             gboolean *out_fits)
{
  KvsqlEachStep step;

  for (guint c = 0; c < self->batch->n_columns; c++)
    if (self->batch->columns[c].has_nulls)
      kvsql_vector_clear_null (&self->batch->columns[c], 0);
  step = kvsql_each_next (walk, decoder);
  *out_any = step == KVSQL_EACH_ELEMENT;
  *out_fits = step != KVSQL_EACH_DAMAGED
              && (!*out_any || self->layout->derived == NULL
                  || kvsql_derived_finish (self->layout->derived, self->entry->relation, decoder));
  return *out_any && *out_fits;
}

/* Splits a value, and matches its tuples with edits. @owners: (nullable): the Edit of each element,
 * or NULL */
static gboolean
split (Writer *self, const KvsqlMutation *cell, KvsqlSlice value, KvsqlTupleMap *keys,
       GHashTable *edits, GPtrArray *owners, List *out, GError **error)
{
  KvsqlSequence *const *fields = self->layout->fields;
  KvsqlDecoder decoder = { .batch = self->batch, .arena = self->arena, .slots = self->slots };
  g_autoptr (KvsqlTupleMap) seen = kvsql_tuple_map_new (self->entry->relation, 0);
  const KvsqlEach *each = self->layout->each;
  gsize n_after = (gsize)each->after->fixed_size;
  KvsqlEachWalk walk;
  gboolean any, fits = TRUE;
  guint n = 0;

  if (value.size == 0)
    value = kvsql_slice ("", 0); /* an empty slice may have a NULL pointer */
  kvsql_batch_reset (self->batch);
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_TABLE], cell->table, &decoder)
      || !kvsql_sequence_decode (fields[KVSQL_FIELD_ROW], cell->row, &decoder)
      || !kvsql_sequence_decode (fields[KVSQL_FIELD_FAMILY], cell->family, &decoder)
      || !kvsql_each_begin (each, fields, cell->qualifier, value, &decoder, &walk))
    return fail_damaged (self, cell, error);
  out->before
      = kvsql_slice (value.data, value.size - walk.value.rest.size - each->count_size - n_after);
  out->after = kvsql_slice (value.data + value.size - n_after, n_after);
  while (decode_next (self, &walk, &decoder, &any, &fits))
    {
      KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
      Edit *edit;

      get_tuple (self, tuple);
      if (!kvsql_interrupt_poll (error) || kvsql_tuple_map_obtain (seen, tuple, error) == NULL)
        return FALSE;
      edit = find_edit (keys, edits, tuple);
      if (edit != NULL && owners != NULL)
        match (self, edit, tuple);
      g_array_append_val (out->elements, walk.value.element);
      if (owners != NULL)
        g_ptr_array_add (owners, edit);
      n++;
    }
  /* two tuples with one key */
  return (fits && kvsql_tuple_map_get_size (seen) == n) || fail_damaged (self, cell, error);
}

static gboolean
append_count (const Writer *self, guint n, KvsqlBuffer *out, GError **error)
{
  guint size = self->layout->each->count_size;

  if (size < 4 && n >> 8 * size != 0)
    return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                            "a cell of schema \"%s\" would hold %u tuples, which do not fit "
                            "each(%u)",
                            self->entry->schemas[0]->name, n, size);
  for (guint i = size; i-- > 0;)
    {
      const guint8 byte = (guint8)(n >> 8 * i);
      kvsql_buffer_append (out, &byte, 1);
    }
  return TRUE;
}

static gboolean
join (const Writer *self, const List *list, KvsqlBuffer *out, GError **error)
{
  const KvsqlEach *each = self->layout->each;
  guint n = list->elements->len;

  kvsql_buffer_append_slice (out, list->before);
  if (each->count_size > 0 && !append_count (self, n, out, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        kvsql_buffer_append_slice (out, each->separator);
      kvsql_buffer_append_slice (out, g_array_index (list->elements, KvsqlSlice, i));
    }
  kvsql_buffer_append_slice (out, list->after);
  if (out->size > 0)
    return TRUE;
  /* not every store distinguishes an empty cell from a missing one */
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "the value of a cell of schema \"%s\" would be empty",
                          self->entry->schemas[0]->name)
         || kvsql_error_hint (error, "Such a cell could not be compared with a missing one.");
}

/* ---- the edits of a cell */

typedef struct
{
  Edit *edits;
  guint n;
  KvsqlTupleMap *keys; /* of the edits */
  GHashTable *by_key;  /* tuple of @keys -> Edit */
} Group;

static void
group_init (Group *self, const KvsqlRelation *relation, Edit *edits, guint n)
{
  *self = (Group){ .edits = edits,
                   .n = n,
                   .keys = kvsql_tuple_map_new (relation, 0),
                   .by_key = g_hash_table_new (NULL, NULL) };
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (self->by_key, kvsql_tuple_map_obtain (self->keys, edits[i].key, NULL),
                         &edits[i]);
  g_assert (g_hash_table_size (self->by_key) == n); /* no two changes have a key in common */
}

static void
group_clear (Group *self)
{
  kvsql_tuple_map_free (self->keys);
  g_hash_table_unref (self->by_key);
}

/* The element of a tuple, from the value of a cell with this tuple alone. */
static gboolean
get_element (Writer *self, const Group *group, const Edit *edit, List *out, GError **error)
{
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  List one = { .elements = elements };

  if (!split (self, edit->cell, edit->cell->value, group->keys, group->by_key, NULL, &one, error))
    return FALSE;
  g_assert (elements->len == 1);
  g_array_append_vals (out->elements, elements->data, 1);
  out->before = one.before; /* the same in all tuples of the cell */
  out->after = one.after;
  return TRUE;
}

/* The new list; *@out_any: anything is to be written. @old: of the cell; data NULL: it is absent */
static gboolean
make_list (Writer *self, Group *group, KvsqlSlice old, List *out, gboolean *out_any, GError **error)
{
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GPtrArray) owners = g_ptr_array_new ();
  List before = { .elements = elements };

  *out_any = FALSE;
  for (guint i = 0; i < group->n; i++)
    {
      group->edits[i].is_placed = FALSE;
      group->edits[i].change->is_applied = TRUE;
    }
  if (old.data != NULL
      && !split (self, group->edits[0].cell, old, group->keys, group->by_key, owners, &before,
                 error))
    return FALSE;
  for (guint i = 0; i < group->n; i++)
    if (!group->edits[i].is_placed && group->edits[i].before != NULL)
      group->edits[i].change->is_applied = FALSE;
  out->before = before.before;
  out->after = before.after;
  for (guint i = 0; i < elements->len; i++)
    {
      const Edit *edit = owners->pdata[i];
      gboolean is_edited = edit != NULL && edit->change->is_applied;

      if (!is_edited)
        g_array_append_vals (out->elements, &g_array_index (elements, KvsqlSlice, i), 1);
      else if (edit->after != NULL && !get_element (self, group, edit, out, error))
        return FALSE;
      *out_any = *out_any || is_edited;
    }
  for (guint i = 0; i < group->n; i++)
    {
      const Edit *edit = &group->edits[i];

      if (edit->is_placed || edit->after == NULL || !edit->change->is_applied)
        continue;
      if (!get_element (self, group, edit, out, error))
        return FALSE;
      *out_any = TRUE;
    }
  return TRUE;
}

/* ---- the store */

static gboolean
read_cell (Writer *self, const KvsqlMutation *cell, KvsqlSlice *out_value, gint64 *out_timestamp,
           GError **error)
{
  const KvsqlColumn column = { .family = cell->family, .qualifier = cell->qualifier };
  KvsqlCall tagged = self->call == NULL ? (KvsqlCall){ 0 } : *self->call;
  KvsqlRows rows;

  tagged.tag = self->entry->schemas[0];
  *out_value = KVSQL_SLICE_EMPTY;
  *out_timestamp = 0;
  if (!kvsql_store_multi_get (kvsql_storage_get_store (self->storage), cell->table, &cell->row, 1,
                              &column, 1, &tagged, self->arena, &rows, error))
    return FALSE;
  for (guint i = 0; i < rows.n_cells; i++)
    if (kvsql_slice_equal (rows.cells[i].family, cell->family)
        && kvsql_slice_equal (rows.cells[i].qualifier, cell->qualifier))
      {
        *out_value = rows.cells[i].value.size > 0 ? rows.cells[i].value : kvsql_slice ("", 0);
        *out_timestamp = rows.cells[i].timestamp;
      }
  return TRUE;
}

/* A timestamp after that of the cell. Where other daemons write, a put is early, so that no delete
 * of theirs hides it. */
static gint64
choose_timestamp (Writer *self, const Group *group, gint64 newest, gboolean is_early,
                  GError **error)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  for (guint i = 0; i < group->n; i++)
    kvsql_key_locks_add_tuples (&locks, self->entry->relation, &group->edits[i].key, 1);
  return is_early ? kvsql_storage_early_timestamp (self->storage, &locks, newest, error)
                  : kvsql_storage_next_timestamp_after (self->storage, &locks, TRUE, newest, error);
}

/* Whether the cell has all edits of the group. @value: data NULL: it is absent */
static gboolean
holds_edits (Writer *self, const Group *group, KvsqlSlice value, gboolean *out, GError **error)
{
  g_autofree Edit *edits = g_new (Edit, group->n);
  g_autofree KvsqlChange *changes = g_new0 (KvsqlChange, group->n);
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GPtrArray) owners = g_ptr_array_new ();
  List list = { .elements = elements };
  Group expected;
  gboolean ok;

  for (guint i = 0; i < group->n; i++)
    {
      changes[i].is_applied = TRUE;
      edits[i] = group->edits[i];
      edits[i].is_placed = FALSE;
      edits[i].before = edits[i].after;
      edits[i].change = &changes[i];
    }
  group_init (&expected, self->entry->relation, edits, group->n);
  ok = value.data == NULL
       || split (self, edits[0].cell, value, expected.keys, expected.by_key, owners, &list, error);
  *out = TRUE;
  for (guint i = 0; i < group->n; i++)
    if (group->edits[i].change->is_applied)
      *out = *out && changes[i].is_applied && edits[i].is_placed == (edits[i].before != NULL);
  group_clear (&expected);
  return ok;
}

/* Whether the cell has what was written. Between the read and the compare-and-set, other statements
 * may have changed the cell and changed it back, with timestamps that hide this write. Within this
 * daemon the tuples are locked, so nothing was done, and the cell is read again. Another daemon may
 * also have changed the tuples after this write. */
static gboolean
verify (Writer *self, const Group *group, gint64 timestamp, gboolean *out_written, GError **error)
{
  KvsqlSlice value;
  gint64 found;

  if (!read_cell (self, group->edits[0].cell, &value, &found, error))
    return FALSE;
  *out_written = found == timestamp || kvsql_storage_is_dry (self->storage);
  if (*out_written)
    return TRUE;
  if (!holds_edits (self, group, value, out_written, error))
    return FALSE;
  if (*out_written || !kvsql_storage_has_others (self->storage))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write may or may not have been done: another daemon has written the same "
                   "cell in the meantime");
  return kvsql_error_hint (error, "Read the data before you repeat the statement.");
}

static gboolean
ensure_tables (Writer *self, const Group *group, GError **error)
{
  for (guint i = 0; i < group->n; i++)
    if (group->edits[i].after != NULL)
      return kvsql_mutation_list_ensure_tables (group->edits[i].list, self->storage, self->call,
                                                error);
  return TRUE;
}

/* Writes the value, or deletes the cell if @value has no elements. *@out_written is FALSE if the
 * cell has changed since it was read: nothing was done then. */
static gboolean
write_cell (Writer *self, const Group *group, KvsqlSlice old, gint64 newest, KvsqlSlice value,
            gboolean *out_written, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  gboolean is_early = value.data != NULL && kvsql_storage_has_others (self->storage);
  KvsqlMutation mutation = *group->edits[0].cell;
  g_auto (KvsqlMutationRows) rows = { 0 };
  KvsqlCheck check = { .kind = old.data == NULL ? KVSQL_CHECK_ABSENT : KVSQL_CHECK_EQUAL,
                       .table = mutation.table,
                       .row = mutation.row,
                       .family = mutation.family,
                       .qualifier = mutation.qualifier,
                       .value = old };
  gint64 timestamp = choose_timestamp (self, group, newest, is_early, error);

  if (timestamp == 0 || !ensure_tables (self, group, error))
    return FALSE;
  check.mark = timestamp;
  mutation.kind = value.data != NULL ? KVSQL_MUTATION_PUT : KVSQL_MUTATION_DELETE;
  mutation.timestamp = value.data != NULL ? timestamp : timestamp - 1;
  mutation.value = value;
  kvsql_mutation_rows_init (&rows, &mutation, 1);
  if (!kvsql_store_check_and_apply (store, &check, rows.cells, 1, self->call, out_written, error))
    return FALSE;
  if (*out_written && !verify (self, group, timestamp, out_written, error))
    return FALSE;
  if (is_early && *out_written)
    kvsql_storage_await (self->storage, timestamp);
  return TRUE;
}

/* *@out_done is FALSE if the cell has changed in the meantime. */
static gboolean
try_group (Writer *self, Group *group, gboolean *out_done, GError **error)
{
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  List list = { .elements = elements };
  KvsqlBuffer value = { 0 };
  KvsqlSlice old;
  gint64 newest;
  gboolean any, ok;

  *out_done = TRUE;
  kvsql_arena_reset (self->arena);
  if (!read_cell (self, group->edits[0].cell, &old, &newest, error))
    return FALSE;
  if (old.data != NULL && old.size == 0)
    return fail_damaged (self, group->edits[0].cell, error);
  if (!make_list (self, group, old, &list, &any, error))
    return FALSE;
  if (!any)
    return TRUE;
  ok = elements->len == 0 || join (self, &list, &value, error);
  ok = ok
       && write_cell (self, group, old, newest,
                      elements->len == 0 ? KVSQL_SLICE_EMPTY : kvsql_buffer_slice (&value),
                      out_done, error);
  kvsql_buffer_clear (&value);
  return ok;
}

static gboolean
write_group (Writer *self, Edit *edits, guint n, GError **error)
{
  gboolean ok = TRUE, is_done = FALSE;
  Group group;

  group_init (&group, self->entry->relation, edits, n);
  while (ok && !is_done)
    ok = kvsql_call_check (self->call, error) && try_group (self, &group, &is_done, error);
  for (guint i = 0; i < n && !ok; i++)
    edits[i].change->is_applied = FALSE;
  group_clear (&group);
  return ok;
}

/* ---- changes */

/* A tuple that moves to another cell is put there first, so that it is never lost. If it is not as
 * it was, the put is taken back. */
static gboolean
write_move (Writer *self, Edit *put, Edit *removal, GError **error)
{
  KvsqlChange *change = put->change;

  if (!write_group (self, put, 1, error))
    return FALSE;
  if (!change->is_applied)
    return TRUE;
  if (!write_group (self, removal, 1, error))
    return FALSE;
  if (change->is_applied)
    return TRUE;
  put->before = put->after;
  put->after = NULL;
  if (!write_group (self, put, 1, error))
    return FALSE;
  change->is_applied = FALSE;
  return TRUE;
}

static gboolean
is_move (const GArray *edits, guint i)
{
  return i + 1 < edits->len
         && g_array_index (edits, Edit, i).change == g_array_index (edits, Edit, i + 1).change
         && compare_cells (g_array_index (edits, Edit, i).cell,
                           g_array_index (edits, Edit, i + 1).cell)
                != 0;
}

/* Takes the edits of moves out, and writes them. */
static gboolean
write_moves (Writer *self, GError **error)
{
  guint n = 0;

  for (guint i = 0; i < self->edits->len; i++)
    {
      Edit *edit = &g_array_index (self->edits, Edit, i);

      if (!is_move (self->edits, i))
        {
          g_array_index (self->edits, Edit, n++) = *edit;
          continue;
        }
      if (!write_move (self, edit, edit + 1, error))
        return FALSE;
      i++;
    }
  g_array_set_size (self->edits, n);
  return TRUE;
}

static gboolean
write_all (Writer *self, GError **error)
{
  Edit *edits;

  if (!write_moves (self, error))
    return FALSE;
  g_array_sort (self->edits, compare_edits);
  edits = (Edit *)self->edits->data;
  for (guint i = 0, n; i < self->edits->len; i += n)
    {
      for (n = 1; i + n < self->edits->len && compare_edits (&edits[i], &edits[i + n]) == 0; n++)
        ;
      if (!write_group (self, &edits[i], n, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_each_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                          KvsqlChange *changes, guint n_changes, const KvsqlCall *call,
                          GError **error)
{
  const KvsqlRelation *relation = entry->relation;
  g_autoptr (GPtrArray) lists
      = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsql_mutation_list_free);
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (Edit));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) batch = NULL;
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  Writer self = { .storage = storage,
                  .entry = entry,
                  .layout = &entry->schemas[0]->cells[0],
                  .call = call,
                  .lists = lists,
                  .edits = edits,
                  .arena = arena };

  for (guint a = 0; a < relation->n_attributes; a++)
    types[a] = relation->attributes[a].type;
  self.batch = batch = kvsql_batch_new (types, relation->n_attributes, 1);
  for (guint i = 0; i < n_changes; i++)
    if (!add_edits (&self, &changes[i], error))
      return FALSE;
  return write_all (&self, error);
}
