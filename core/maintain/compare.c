/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compare.c: compares the expected cells of tuples in a schema with the stored cells.
 */
#include "config.h"

#include "core/maintain/compare.h"

#include "core/base/hash.h"
#include "core/scan/read-by-keys.h"
#include "core/write/apply.h"

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
  gchar *what; /* the first difference */
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

/* Compares the cells of a tuple. The repairs are added to @mending. */
static void
compare_tuple (const KvsqlMutation *cells, guint n_cells, KvsqlMutationList *stored,
               KvsqlMutationList *repairs_list, Finding *out)
{
  *out = (Finding){ 0 };
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
        fix.timestamp = is_put ? MAX (fix.timestamp, there->timestamp) : there->timestamp;
      g_array_append_val (repairs_list->mutations, fix);
    }
}

/* ---- some tuples at a time */

/* Adds the expected cells of a tuple, and notes where they end. */
static gboolean
expect (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, guint i, gboolean is_again,
        KvsqlMutationList *list, GArray *ends, GError **error)
{
  gint64 timestamp = g_array_index (chunk->timestamps, gint64, i);
  g_auto (KvsqlKeyLocks) locks = { 0 };

  /* cells that a delete in the store hides have to be put again */
  if (is_again && self->repairs)
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

/* Compares all tuples of @chunk. Tuples that differ are added to @out_suspects (nullable), or else
 * reported. */
static gboolean
compare_now (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, gboolean is_again,
             KvsqlTupleChunk *out_suspects, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) repairs_list = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) stored = NULL;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = 0;

  for (guint i = 0; i < chunk->tuples->len; i++)
    if (!expect (self, chunk, i, is_again, list, ends, error))
      return FALSE;
  stored = kvsql_stored_cells (self, list, error);
  if (stored == NULL)
    return FALSE;
  for (guint i = 0; i < chunk->tuples->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      Finding finding;

      compare_tuple (&g_array_index (list->mutations, KvsqlMutation, at), end - at, stored,
                     repairs_list, &finding);
      at = end;
      if (finding.what != NULL && out_suspects != NULL)
        kvsql_tuple_chunk_add (out_suspects, self->entry->relation, chunk->tuples->pdata[i],
                               g_array_index (chunk->timestamps, gint64, i));
      else if (finding.what != NULL && self->func != NULL)
        self->func (finding.n_missing == finding.n_puts && finding.n_wrong == 0
                        ? KVSQL_DIFFERENCE_MISSING
                        : KVSQL_DIFFERENCE_DIFFERENT,
                    chunk->tuples->pdata[i], finding.what, self->data);
      g_free (finding.what);
    }
  return out_suspects != NULL || !self->repairs
         || kvsql_mutation_list_apply (repairs_list, self->storage, self->call, error);
}

static void
set_tuple_again (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  gpointer *both = data;

  kvsql_tuple_chunk_add (both[0], both[1], tuple, timestamp);
}

/* Where other daemons write, a difference counts only if it is still there after a while. */
static gboolean
compare_with_retry (const KvsqlComparison *self, const KvsqlTupleChunk *chunk, GError **error)
{
  g_autoptr (KvsqlTupleChunk) suspects = kvsql_tuple_chunk_new ();
  guint attempt = 1;

  if (!compare_now (self, chunk, FALSE, suspects, error))
    return FALSE;
  for (; suspects->tuples->len > 0; attempt++)
    {
      g_autoptr (KvsqlTupleChunk) before = g_steal_pointer (&suspects);
      g_autoptr (KvsqlTupleChunk) now = kvsql_tuple_chunk_new ();
      gpointer both[] = { now, self->entry->relation };
      gboolean is_last = attempt == ATTEMPTS - 1;

      g_usleep (PAUSE_US);
      suspects = kvsql_tuple_chunk_new ();
      if (!kvsql_read_primary_again (kvsql_storage_get_store (self->storage), self->entry,
                                     (const KvsqlValue *const *)before->tuples->pdata,
                                     before->tuples->len, self->call, set_tuple_again, both, error)
          || !compare_now (self, now, FALSE, is_last ? NULL : suspects, error)
          /* a delete may hide what was put */
          || (is_last && self->repairs
              && !compare_now (&(KvsqlComparison){ .storage = self->storage,
                                                   .entry = self->entry,
                                                   .schema = self->schema,
                                                   .call = self->call,
                                                   .repairs = TRUE },
                               now, TRUE, NULL, error)))
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
  return (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0
             ? compare_now (self, current, FALSE, NULL, error)
             : compare_with_retry (self, current, error);
}

gboolean
kvsql_compare_tuples (const KvsqlComparison *self, KvsqlTupleChunk *chunk, GError **error)
{
  for (guint first = 0, n; first < chunk->tuples->len; first += n)
    {
      KvsqlKeyLocks locks;
      gboolean ok;

      n = MIN (PORTION_TUPLES, chunk->tuples->len - first);
      if (!kvsql_call_check (self->call, error))
        return FALSE;
      kvsql_lock_tuples (self->storage, self->entry->relation,
                         (const KvsqlValue *const *)chunk->tuples->pdata + first, n, &locks);
      ok = compare_locked (self, chunk, first, n, error);
      kvsql_storage_unlock_unchanged (self->storage, &locks);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}
