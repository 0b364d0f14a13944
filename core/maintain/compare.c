/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare.c: compares the expected cells of tuples in a schema with the stored cells.
 */
#include "config.h"

#include "core/maintain/compare.h"

#include "core/base/hash.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/tuple-key.h"
#include "core/write/apply.h"
#include "core/write/blind-write.h"
#include "core/write/checked-current.h"

#define PORTION_TUPLES 250
#define ROWS_AT_ONCE 100
#define ATTEMPTS 3
#define PAUSE_US 50000

/* ---- cells of the store */

static guint
hash_row (gconstpointer key)
{
  return kvsql_slice_hash_func (&((const KvsqlMutation *)key)->row);
}

static gboolean
equal_rows (gconstpointer a, gconstpointer b)
{
  const KvsqlMutation *x = a, *y = b;

  return kvsql_slice_equal (x->row, y->row) && kvsql_slice_equal (x->table, y->table);
}

static const KvsqlMutation *
nth (const KvsqlMutationList *list, guint i)
{
  return &g_array_index (list->mutations, KvsqlMutation, i);
}

/* The distinct rows of the list, grouped by table. */
static GPtrArray *
rows_of (const KvsqlMutationList *list)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_row, equal_rows);
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < list->mutations->len; i++)
    if (g_hash_table_add (seen, (gpointer)nth (list, i)))
      g_ptr_array_add (rows, (gpointer)nth (list, i));
  return rows;
}

static void
add_rows (KvsqlSlice table, const KvsqlRows *rows, KvsqlMutationList *out)
{
  table = kvsql_slice_dup (out->arena, table);
  for (guint r = 0; r < rows->n_rows; r++)
    for (guint c = 0; c < rows->rows[r].n_cells; c++)
      {
        const KvsqlCell *cell = &rows->cells[rows->rows[r].first_cell + c];
        KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                              .table = table,
                              .row = rows->rows[r].key,
                              .family = cell->family,
                              .qualifier = cell->qualifier,
                              .value = cell->value,
                              .timestamp = cell->timestamp };
        g_array_append_val (out->mutations, put);
      }
}

/* The columns of these rows that are in the list. If a row belongs to one tuple alone, all its
 * columns. */
static KvsqlColumn *
columns_of (const KvsqlComparison *self, const KvsqlMutationList *list, GHashTable *wanted,
            KvsqlArena *arena, guint *out_n)
{
  KvsqlColumn *columns;
  guint n = 0;

  *out_n = 0;
  if (self->schema->is_row_whole)
    return NULL;
  columns = kvsql_arena_array (arena, KvsqlColumn, list->mutations->len);
  for (guint i = 0; i < list->mutations->len; i++)
    if (g_hash_table_contains (wanted, nth (list, i)))
      {
        gboolean is_known = FALSE;
        for (guint j = 0; j < n && !is_known; j++)
          is_known = kvsql_slice_equal (columns[j].qualifier, nth (list, i)->qualifier)
                     && kvsql_slice_equal (columns[j].family, nth (list, i)->family);
        if (!is_known)
          columns[n++] = (KvsqlColumn){ .family = nth (list, i)->family,
                                        .qualifier = nth (list, i)->qualifier };
      }
  *out_n = n;
  return columns;
}

KvsqlMutationList *
kvsql_stored_cells (const KvsqlComparison *self, const KvsqlMutationList *list, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_autoptr (KvsqlMutationList) stored = kvsql_mutation_list_new ();
  g_autoptr (GPtrArray) rows = rows_of (list);

  if (!kvsql_mutation_list_ensure_tables (list, self->storage, self->call, error))
    return NULL;
  for (guint i = 0, n; i < rows->len; i += n)
    {
      const KvsqlMutation *first = rows->pdata[i];
      g_autoptr (GHashTable) wanted = g_hash_table_new (hash_row, equal_rows);
      KvsqlSlice keys[ROWS_AT_ONCE];
      KvsqlColumn *columns;
      KvsqlRows found;
      guint n_columns;

      for (n = 0; n < ROWS_AT_ONCE && i + n < rows->len; n++)
        {
          const KvsqlMutation *row = rows->pdata[i + n];
          if (!kvsql_slice_equal (row->table, first->table))
            break;
          keys[n] = row->row;
          g_hash_table_add (wanted, (gpointer)row);
        }
      columns = columns_of (self, list, wanted, stored->arena, &n_columns);
      if (!kvsql_store_multi_get (store, first->table, keys, n, columns, n_columns, self->call,
                                  stored->arena, &found, error))
        return NULL;
      add_rows (first->table, &found, stored);
    }
  return g_steal_pointer (&stored);
}

gchar *
kvsql_cell_print (const KvsqlMutation *cell)
{
  g_autofree gchar *table = kvsql_readable (cell->table);
  g_autofree gchar *row = kvsql_readable (cell->row);
  g_autofree gchar *family = kvsql_readable (cell->family);
  g_autofree gchar *qualifier = kvsql_readable (cell->qualifier);

  return g_strdup_printf ("table \"%s\", row \"%s\", column %s:%s", table, row, family, qualifier);
}

/* ---- one tuple */

typedef struct
{
  guint n_puts;
  guint n_missing;
  guint n_wrong;
  gint64 newest;       /* timestamp of a wrong cell */
  gchar *what;         /* the first difference; NULL: there is none */
  guint first, n;      /* of the list of repairs */
  gboolean is_changed; /* the tuple was written since it was read */
} Finding;

static void
note (Finding *self, const KvsqlMutation *cell, const KvsqlMutation *stored)
{
  g_autofree gchar *place = NULL, *value = NULL;

  if (self->what != NULL)
    return;
  place = kvsql_cell_print (cell);
  value = stored == NULL ? NULL : kvsql_readable (stored->value);
  if (stored == NULL)
    self->what = g_strdup_printf ("%s is absent", place);
  else
    self->what = g_strdup_printf (cell->kind == KVSQL_MUTATION_PUT
                                      ? "%s holds \"%s\", not what the tuple has"
                                      : "%s holds \"%s\", and the tuple has no such cell",
                                  place, value);
}

/* Compares the cells of a tuple. The repairs are added to @repairs. If anchors decide, they are
 * what the write of the tuple has put and deleted: another writer may change the tuple meanwhile.
 */
static void
compare_tuple (const KvsqlMutation *cells, guint n_cells, KvsqlMutationList *stored,
               gboolean has_anchors, GArray *repairs, Finding *out)
{
  *out = (Finding){ .first = repairs->len };
  for (guint i = 0; i < n_cells; i++)
    {
      const KvsqlMutation *there = kvsql_mutation_list_find_put (stored, &cells[i]);
      KvsqlMutation fix = cells[i];
      gboolean is_put = fix.kind == KVSQL_MUTATION_PUT;

      out->n_puts += is_put;
      if (is_put ? there != NULL && kvsql_slice_equal (there->value, fix.value) : there == NULL)
        continue;
      out->n_missing += is_put && there == NULL;
      out->n_wrong += there != NULL;
      note (out, &cells[i], there);
      if (there != NULL)
        out->newest = MAX (out->newest, there->timestamp);
      if (there != NULL && !has_anchors)
        fix.timestamp = is_put ? MAX (fix.timestamp, there->timestamp) : there->timestamp;
      g_array_append_val (repairs, fix);
    }
  out->n = repairs->len - out->first;
}

/* ---- some tuples at a time */

static gboolean
has_anchors (const KvsqlComparison *self)
{
  return kvsql_entry_has_anchors (self->entry, self->storage);
}

/* Adds the expected cells of a tuple, and notes where they end. */
static gboolean
expect (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, guint i, gboolean is_again,
        KvsqlMutationList *list, GArray *ends, GError **error)
{
  gint64 timestamp = g_array_index (chunk->timestamps, gint64, i);
  g_auto (KvsqlKeyLocks) locks = { 0 };

  /* cells that a delete in the store hides have to be put again */
  if (is_again && self->repairs && !has_anchors (self))
    {
      kvsql_key_locks_add_tuples (&locks, self->entry->relation,
                                  (const KvsqlValue *const *)chunk->tuples->pdata + i, 1);
      timestamp
          = kvsql_storage_next_timestamp_after (self->storage, &locks, TRUE, timestamp, error);
      if (timestamp == 0)
        return FALSE;
    }
  if (!kvsql_mutation_list_add_puts (list, self->schema, chunk->tuples->pdata[i], timestamp, error))
    return FALSE;
  g_array_append_val (ends, list->mutations->len);
  return TRUE;
}

/* What differs, for each tuple of @chunk. */
typedef struct
{
  KvsqlMutationList *expected; /* has the bytes of @repairs */
  GArray *repairs;             /* KvsqlMutation */
  Finding *findings;
  guint n;
} Findings;

static void
findings_clear (Findings *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->findings[i].what);
  g_free (self->findings);
  kvsql_mutation_list_free (self->expected);
  g_clear_pointer (&self->repairs, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Findings, findings_clear)

static gboolean
find_differences (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, gboolean is_again,
                  Findings *out, GError **error)
{
  g_autoptr (KvsqlMutationList) stored = NULL;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = 0;

  out->expected = kvsql_mutation_list_new ();
  out->repairs = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  for (guint i = 0; i < chunk->tuples->len; i++)
    if (!expect (self, chunk, i, is_again, out->expected, ends, error))
      return FALSE;
  stored = kvsql_stored_cells (self, out->expected, error);
  if (stored == NULL)
    return FALSE;
  out->findings = g_new0 (Finding, chunk->tuples->len);
  out->n = chunk->tuples->len;
  for (guint i = 0; i < out->n; i++)
    {
      guint end = g_array_index (ends, guint, i);

      compare_tuple (&g_array_index (out->expected->mutations, KvsqlMutation, at), end - at, stored,
                     has_anchors (self), out->repairs, &out->findings[i]);
      at = end;
    }
  return TRUE;
}

/* An anchor that still has the T that was read before the cells: what differs is no write that is
 * on its way. */
static gboolean
find_changed (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, Findings *inout,
              GError **error)
{
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->storage, self->entry, self->call, NULL);
  const gint64 *times = &g_array_index (chunk->timestamps, gint64, 0);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCheckedTuple *found = kvsql_arena_array (arena, KvsqlCheckedTuple, inout->n);

  if (inout->repairs->len == 0)
    return TRUE;
  if (!kvsql_checked_read_current (&writer, (const KvsqlValue *const *)chunk->tuples->pdata, times,
                                   inout->n, arena, found, error))
    return FALSE;
  for (guint i = 0; i < inout->n; i++)
    inout->findings[i].is_changed = found[i].tuple == NULL || found[i].newest != times[i];
  return TRUE;
}

static void
report (const KvsqlComparison *self, const KvsqlValue *tuple, const Finding *finding)
{
  if (self->func != NULL)
    self->func (finding->n_missing == finding->n_puts && finding->n_wrong == 0
                    ? KVSQL_DIFFERENCE_MISSING
                    : KVSQL_DIFFERENCE_DIFFERENT,
                tuple, finding->what, self->data);
}

/* If it @judges, differences are reported, and repaired; but tuples that were written meanwhile
 * become suspects. Otherwise all that differ do. @is_again: repairs have been written; suspects
 * have the newest timestamp of their wrong cells */
static gboolean
judge (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, const Findings *found,
       gboolean judges, gboolean is_again, KvsqlTupleChunk *out_suspects, GError **error)
{
  g_autoptr (KvsqlMutationList) repairs = kvsql_mutation_list_new ();

  for (guint i = 0; i < found->n; i++)
    {
      const Finding *finding = &found->findings[i];

      if (finding->what == NULL)
        continue;
      if (!judges || finding->is_changed)
        kvsql_tuple_chunk_add (out_suspects, self->entry->relation, chunk->tuples->pdata[i],
                               is_again ? finding->newest
                                        : g_array_index (chunk->timestamps, gint64, i));
      else
        {
          report (self, chunk->tuples->pdata[i], finding);
          g_array_append_vals (repairs->mutations,
                               &g_array_index (found->repairs, KvsqlMutation, finding->first),
                               finding->n);
        }
    }
  return !self->repairs || kvsql_mutation_list_apply (repairs, self->storage, self->call, error);
}

/* Compares all tuples of @chunk. */
static gboolean
compare_now (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, gboolean judges,
             gboolean is_again, KvsqlTupleChunk *out_suspects, GError **error)
{
  g_auto (Findings) found = { 0 };

  return find_differences (self, chunk, is_again, &found, error)
         && (!judges || !has_anchors (self) || find_changed (self, chunk, &found, error))
         && judge (self, chunk, &found, judges, is_again, out_suspects, error);
}

static void
set_tuple_again (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  gpointer *both = data;

  kvsql_tuple_chunk_add (both[0], both[1], tuple, timestamp);
}

/* The present tuples of those keys. What is decided for them and not finished is no difference. */
static gboolean
read_again (const KvsqlComparison *self, const KvsqlTupleChunk *before, KvsqlTupleChunk *out,
            GError **error)
{
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->storage, self->entry, self->call, NULL);
  const KvsqlValue *const *tuples = (const KvsqlValue *const *)before->tuples->pdata;
  gpointer both[] = { out, self->entry->relation };

  if (has_anchors (self))
    return kvsql_checked_finish_rows (&writer, tuples, before->tuples->len, error)
           && kvsql_tuple_chunk_add_current (out, before, 0, before->tuples->len, TRUE,
                                             self->storage, self->entry, self->call, error);
  return kvsql_read_primary_again (kvsql_storage_get_store (self->storage), self->entry, tuples,
                                   before->tuples->len, self->call, set_tuple_again, both, error);
}

/* After the repairs of @chunk: a delete may hide what was put, or a newer cell. */
static gboolean
repair_hidden (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, GError **error)
{
  const KvsqlComparison silent = { .storage = self->storage,
                                   .entry = self->entry,
                                   .schema = self->schema,
                                   .call = self->call,
                                   .repairs = TRUE };
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->storage, self->entry, self->call, NULL);
  g_autoptr (KvsqlTupleChunk) hidden = kvsql_tuple_chunk_new ();

  if (!has_anchors (self))
    return compare_now (&silent, chunk, TRUE, TRUE, NULL, error);
  return compare_now (&silent, chunk, FALSE, TRUE, hidden, error)
         && kvsql_checked_rewrite (&writer, (const KvsqlValue *const *)hidden->tuples->pdata,
                                   (const gint64 *)(gconstpointer)hidden->timestamps->data,
                                   hidden->tuples->len, error);
}

/* Where other daemons write, a difference counts only if it is still there after a while, or if an
 * anchor says that no write was on its way. A tuple that is written all the time is not judged. */
static gboolean
compare_with_retry (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, GError **error)
{
  g_autoptr (KvsqlTupleChunk) suspects = kvsql_tuple_chunk_new ();
  guint attempt = 1;

  if (!compare_now (self, chunk, FALSE, FALSE, suspects, error))
    return FALSE;
  for (; suspects->tuples->len > 0 && attempt < ATTEMPTS; attempt++)
    {
      g_autoptr (KvsqlTupleChunk) before = g_steal_pointer (&suspects);
      g_autoptr (KvsqlTupleChunk) now = kvsql_tuple_chunk_new ();
      gboolean judges = has_anchors (self) || attempt == ATTEMPTS - 1;

      if (!has_anchors (self))
        g_usleep (PAUSE_US);
      suspects = kvsql_tuple_chunk_new ();
      if (!read_again (self, before, now, error)
          || !compare_now (self, now, judges, FALSE, suspects, error)
          || (judges && self->repairs && !repair_hidden (self, now, error)))
        return FALSE;
    }
  return TRUE;
}

/* ---- blind writes */

/* The index of each tuple, by its key. */
static GHashTable *
index_keys (const KvsqlComparison *self, const KvsqlTupleChunk *chunk)
{
  GHashTable *indices
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);

  for (guint i = 0; i < chunk->tuples->len; i++)
    {
      KvsqlBuffer key = { 0 };

      kvsql_tuple_append_key (self->entry->relation, chunk->tuples->pdata[i], &key);
      g_hash_table_insert (indices, g_bytes_new_take (key.data, key.size), GUINT_TO_POINTER (i));
    }
  return indices;
}

static gboolean
is_same_finding (const Finding *a, const Finding *b)
{
  return a->n_missing == b->n_missing && a->n_wrong == b->n_wrong && a->newest == b->newest
         && g_strcmp0 (a->what, b->what) == 0;
}

/* Findings of @after that are not as in @before are of tuples that were written in between. */
static void
keep_same (const KvsqlComparison *self, const KvsqlTupleChunk *before, const Findings *found_before,
           const KvsqlTupleChunk *after, Findings *inout)
{
  g_autoptr (GHashTable) indices = index_keys (self, before);

  for (guint i = 0; i < inout->n; i++)
    {
      KvsqlBuffer key = { 0 };
      g_autoptr (GBytes) bytes = NULL;
      gpointer at;

      kvsql_tuple_append_key (self->entry->relation, after->tuples->pdata[i], &key);
      bytes = g_bytes_new_take (key.data, key.size);
      inout->findings[i].is_changed
          = !g_hash_table_lookup_extended (indices, bytes, NULL, &at)
            || g_array_index (before->timestamps, gint64, GPOINTER_TO_UINT (at))
                   != g_array_index (after->timestamps, gint64, i)
            || !is_same_finding (&found_before->findings[GPOINTER_TO_UINT (at)],
                                 &inout->findings[i]);
    }
}

/* A blind write may have left what differs, and may be on its way still. It was in the log before
 * its first cell was written. So all that is in the log is finished, and what differs in the same
 * way then is of no write. */
static gboolean
confirm (const KvsqlComparison *self, const KvsqlTupleChunk *before, KvsqlTupleChunk *after,
         Findings *found, GError **error)
{
  g_auto (Findings) found_before = { 0 };

  if (!find_differences (self, before, FALSE, &found_before, error))
    return FALSE;
  if (found_before.repairs->len == 0)
    return TRUE;
  if (!kvsql_blind_finish_all (self->storage, self->entry, self->call, error)
      || !read_again (self, before, after, error)
      || !find_differences (self, after, FALSE, found, error))
    return FALSE;
  keep_same (self, before, &found_before, after, found);
  return TRUE;
}

static gboolean
is_blind (const KvsqlComparison *self)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);

  return kvsql_entry_is_blind (self->entry, &store->capabilities);
}

/* Those that differ, and were not written meanwhile. Their timestamps are those of their cells. */
static KvsqlTupleChunk *
list_confirmed (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, const Findings *found,
                gint64 *out_newest)
{
  KvsqlTupleChunk *confirmed = kvsql_tuple_chunk_new ();

  *out_newest = 0;
  for (guint i = 0; i < found->n; i++)
    {
      const Finding *finding = &found->findings[i];
      gint64 timestamp = g_array_index (chunk->timestamps, gint64, i);

      if (finding->what == NULL || finding->is_changed)
        continue;
      kvsql_tuple_chunk_add (confirmed, self->entry->relation, chunk->tuples->pdata[i], timestamp);
      *out_newest = MAX (*out_newest, MAX (timestamp, finding->newest));
    }
  return confirmed;
}

/* After the repairs of @chunk: what a delete or a newer cell hides is written to all schemas. */
static gboolean
rewrite_hidden (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, const Findings *found,
                GError **error)
{
  g_autoptr (KvsqlTupleChunk) repaired = NULL, after = kvsql_tuple_chunk_new (), hidden = NULL;
  g_auto (Findings) found_after = { 0 };
  gint64 newest;

  repaired = list_confirmed (self, chunk, found, &newest);
  if (!confirm (self, repaired, after, &found_after, error))
    return FALSE;
  hidden = list_confirmed (self, after, &found_after, &newest);
  return kvsql_blind_rewrite (self->storage, self->entry,
                              (const KvsqlValue *const *)hidden->tuples->pdata, hidden->tuples->len,
                              newest, self->call, error);
}

/* As compare_with_retry(). */
static gboolean
compare_blind (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, GError **error)
{
  g_autoptr (KvsqlTupleChunk) suspects = kvsql_tuple_chunk_new ();

  for (guint i = 0; i < chunk->tuples->len; i++)
    kvsql_tuple_chunk_add (suspects, self->entry->relation, chunk->tuples->pdata[i],
                           g_array_index (chunk->timestamps, gint64, i));
  for (guint attempt = 0; suspects->tuples->len > 0 && attempt < ATTEMPTS; attempt++)
    {
      g_autoptr (KvsqlTupleChunk) before = g_steal_pointer (&suspects);
      g_autoptr (KvsqlTupleChunk) after = kvsql_tuple_chunk_new ();
      g_auto (Findings) found = { 0 };

      suspects = kvsql_tuple_chunk_new ();
      if (!confirm (self, before, after, &found, error)
          || !judge (self, after, &found, TRUE, FALSE, suspects, error)
          || (self->repairs && !rewrite_hidden (self, after, &found, error)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
compare_locked (const KvsqlComparison *self, KvsqlTupleChunk *chunk, guint first, guint n,
                GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_autoptr (KvsqlTupleChunk) current = kvsql_tuple_chunk_new ();
  gboolean untouched[PORTION_TUPLES];

  if (!kvsql_tuple_chunk_refresh (chunk, first, n, self->storage, self->entry, self->call,
                                  untouched, current, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (untouched[i])
      kvsql_tuple_chunk_add (current, self->entry->relation, chunk->tuples->pdata[first + i],
                             g_array_index (chunk->timestamps, gint64, first + i));
  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return compare_now (self, current, TRUE, FALSE, NULL, error);
  return (is_blind (self) ? compare_blind : compare_with_retry) (self, current, error);
}

gboolean
kvsql_compare_tuples (const KvsqlComparison *self, KvsqlTupleChunk *chunk, GError **error)
{
  for (guint first = 0, n; first < chunk->tuples->len; first += n)
    {
      KvsqlKeyLocks locks;
      gboolean ok;

      n = MIN (PORTION_TUPLES, chunk->tuples->len - first);
      if (!kvsql_call_check (self->call, error)
          || !kvsql_lock_tuples (self->storage, self->entry->relation,
                                 (const KvsqlValue *const *)chunk->tuples->pdata + first, n,
                                 self->call, &locks, error))
        return FALSE;
      ok = compare_locked (self, chunk, first, n, error);
      kvsql_storage_unlock_unchanged (self->storage, &locks);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}
