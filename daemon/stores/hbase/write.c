/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: mutations, conditional mutations and counters.
 *
 * Mutations are sorted by table and row, so that each row's become one unit, which HBase
 * applies whole or not at all. Rows of puts go together in big requests, rows of deletes too; a row
 * with both needs a request of its own. Every timestamp is written, so order means nothing to
 * HBase.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

#define MAX_CHUNK_ROWS 1000
#define CHUNK_BYTES ((gsize)1 << 20)
/* What a mutation takes in a message beside its own bytes, at most, and a row beside its mutations.
 */
#define MUTATION_OVERHEAD 64
#define ROW_OVERHEAD 96
#define KEY_VALUE_OVERHEAD 20

typedef enum
{
  ROW_PUTS,
  ROW_DELETES, /* of cells only, or of the row only */
  ROW_MIXED,
  N_ROW_KINDS,
} RowKind;

typedef struct
{
  KvsqldT2RowMutations mutations;
  KvsqlSlice table;
  RowKind kind;
  gsize bytes;
} Row;

/* HBase's limit is on a whole cell with its address; store.c has checked the rest. */
static gboolean
check_cells (const KvsqlMutation *mutations, guint n_mutations, GError **error)
{
  for (guint i = 0; i < n_mutations; i++)
    {
      gsize size = KEY_VALUE_OVERHEAD + mutations[i].row.size + mutations[i].family.size
                   + mutations[i].qualifier.size + mutations[i].value.size;

      if (size >= KVSQLD_HBASE_MAX_KEY_VALUE)
        return kvsql_error_set (
            error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
            "a cell of %" G_GSIZE_FORMAT " bytes is too long: HBase takes less than 10 MiB", size);
    }
  return TRUE;
}

/* ---- rows */

/* By table and row; those of one row stay in their order, which is that of the caller's array. */
static gint
compare_mutations (gconstpointer a, gconstpointer b)
{
  const KvsqlMutation *first = *(const KvsqlMutation *const *)a;
  const KvsqlMutation *second = *(const KvsqlMutation *const *)b;
  gint order = kvsql_slice_compare (first->table, second->table);

  if (order == 0)
    order = kvsql_slice_compare (first->row, second->row);
  return order != 0 ? order : (first > second) - (first < second);
}

static const KvsqlMutation **
sort_mutations (const KvsqlMutation *mutations, guint n)
{
  const KvsqlMutation **sorted = g_new (const KvsqlMutation *, n);

  for (guint i = 0; i < n; i++)
    sorted[i] = &mutations[i];
  qsort (sorted, n, sizeof *sorted, compare_mutations);
  return sorted;
}

/* The row that begins at @mutations: how many there are, of what kind, how many bytes. */
static Row
describe_row (const KvsqlMutation *const *mutations, guint n)
{
  Row row = {
    .mutations = { mutations[0]->row, mutations, 0 },
    .table = mutations[0]->table,
    .bytes = ROW_OVERHEAD + mutations[0]->row.size,
  };
  guint seen = 0; /* kinds, a bit each */

  for (guint i = 0; i < n && kvsql_slice_equal (mutations[i]->table, row.table)
                    && kvsql_slice_equal (mutations[i]->row, row.mutations.row);
       i++)
    {
      const KvsqlMutation *mutation = mutations[i];

      row.mutations.n_mutations++;
      seen |= 1u << mutation->kind;
      row.bytes += MUTATION_OVERHEAD + mutation->family.size + mutation->qualifier.size
                   + mutation->value.size;
    }
  if (seen == 1u << KVSQL_MUTATION_PUT)
    row.kind = ROW_PUTS;
  else
    row.kind = seen == 1u << KVSQL_MUTATION_DELETE || seen == 1u << KVSQL_MUTATION_DELETE_ROW
                   ? ROW_DELETES
                   : ROW_MIXED;
  return row;
}

/* ---- sending */

static gsize
request_limit (const KvsqldHbaseStore *self)
{
  return self->transport.is_framed ? KVSQLD_HBASE_MAX_FRAMED_REQUEST : KVSQLD_HBASE_MAX_REQUEST;
}

static gboolean
check_row_bytes (const KvsqldHbaseStore *self, const Row *row, GError **error)
{
  if (row->bytes <= request_limit (self))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "a row's changes of %" G_GSIZE_FORMAT
                   " bytes do not fit into one request of %" G_GSIZE_FORMAT " bytes",
                   row->bytes, request_limit (self));
  if (self->transport.is_framed)
    return kvsql_error_hint (error, "A Thrift server without framing takes larger ones.");
  return FALSE;
}

/* deleteMultiple answers with the deletes that were not done. */
static gboolean
check_nothing_left (const KvsqldT2Method *method, const KvsqldT2Reply *reply, KvsqlSlice table,
                    GError **error)
{
  g_autofree gchar *name = NULL;

  if (method != &kvsqld_t2_delete_multiple || reply->number == 0)
    return TRUE;
  name = kvsql_readable (table);
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                          "HBase did not do %d of the deletes in table \"%s\"", reply->number,
                          name);
}

/* Rows of one table and kind, in one request. */
static gboolean
send_chunk (KvsqldHbaseStore *self, RowKind kind, KvsqlSlice table, GPtrArray *rows,
            const KvsqlCall *call, GError **error)
{
  static const KvsqldT2Method *const methods[N_ROW_KINDS] = {
    [ROW_PUTS] = &kvsqld_t2_put_multiple,
    [ROW_DELETES] = &kvsqld_t2_delete_multiple,
    [ROW_MIXED] = &kvsqld_t2_mutate_row,
  };
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, table, &owned);
  const KvsqldT2RowMutations *const *mutations = (const KvsqldT2RowMutations *const *)rows->pdata;

  kvsqld_t2_writer_init (&request, self->transport);
  if (kind == ROW_PUTS)
    kvsqld_t2_write_put_multiple (&request, full_name, mutations, rows->len);
  else if (kind == ROW_DELETES)
    kvsqld_t2_write_delete_multiple (&request, full_name, mutations, rows->len);
  else
    kvsqld_t2_write_mutate_row (&request, full_name, mutations[0]);
  return kvsqld_hbase_request (self, methods[kind], &request, full_name, call, &reply, error)
         && check_nothing_left (methods[kind], &reply, full_name, error);
}

/* Collects the next chunk of rows of @kind from @rows on; TRUE if there is one. */
static gboolean
next_chunk (const Row *rows, guint n_rows, RowKind kind, guint *next, GPtrArray *chunk)
{
  const Row *first = NULL;
  gsize bytes = 0;

  g_ptr_array_set_size (chunk, 0);
  for (; *next < n_rows; (*next)++)
    {
      const Row *row = &rows[*next];

      if (row->kind != kind)
        continue;
      if (first != NULL
          && (kind == ROW_MIXED || chunk->len == MAX_CHUNK_ROWS || bytes + row->bytes > CHUNK_BYTES
              || !kvsql_slice_equal (row->table, first->table)))
        break;
      if (first == NULL)
        first = row;
      bytes += row->bytes;
      g_ptr_array_add (chunk, (gpointer)&row->mutations);
    }
  return chunk->len > 0;
}

/* "Nothing was done" is no longer true once an earlier request was acknowledged. */
static void
admit_partial_write (GError **error)
{
  GError *partial = NULL;

  if (error == NULL
      || (!g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
          && !g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)))
    return;
  kvsql_error_set (&partial, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "only a part of the write was done: %s", (*error)->message);
  g_error_free (*error);
  *error = partial;
}

/* Puts before deletes: what stops halfway has then lost nothing. */
static gboolean
send_rows (KvsqldHbaseStore *self, const Row *rows, guint n_rows, const KvsqlCall *call,
           GError **error)
{
  static const RowKind order[] = { ROW_PUTS, ROW_MIXED, ROW_DELETES };
  g_autoptr (GPtrArray) chunk = g_ptr_array_new ();
  gboolean is_begun = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint next = 0; next_chunk (rows, n_rows, order[i], &next, chunk);)
      {
        KvsqlSlice table = ((const Row *)g_ptr_array_index (chunk, 0))->table;

        if (!send_chunk (self, order[i], table, chunk, call, error))
          {
            if (is_begun)
              admit_partial_write (error);
            return FALSE;
          }
        is_begun = TRUE;
      }
  return TRUE;
}

gboolean
kvsqld_hbase_apply (KvsqlStore *store, const KvsqlMutation *mutations, guint n_mutations,
                    const KvsqlCall *call, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_autofree const KvsqlMutation **sorted = NULL;
  g_autofree Row *rows = NULL;
  guint n_rows = 0;

  if (!check_cells (mutations, n_mutations, error))
    return FALSE;
  sorted = sort_mutations (mutations, n_mutations);
  rows = g_new (Row, n_mutations);
  for (guint done = 0; done < n_mutations; n_rows++)
    {
      rows[n_rows] = describe_row (sorted + done, n_mutations - done);
      if (!check_row_bytes (self, &rows[n_rows], error))
        return FALSE;
      done += rows[n_rows].mutations.n_mutations;
    }
  return send_rows (self, rows, n_rows, call, error);
}

/* ---- with a condition */

gboolean
kvsqld_hbase_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                              const KvsqlMutation *mutations, guint n_mutations,
                              const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree const KvsqlMutation **sorted = NULL;
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, check->table, &owned);
  /* To HBase's comparison an empty cell is as good as none. */
  KvsqlSlice expected = check->kind == KVSQL_CHECK_ABSENT ? KVSQL_SLICE_EMPTY : check->value;
  Row row;

  if (!check_cells (mutations, n_mutations, error))
    return FALSE;
  sorted = sort_mutations (mutations, n_mutations);
  row = describe_row (sorted, n_mutations);
  if (!check_row_bytes (self, &row, error))
    return FALSE;

  kvsqld_t2_writer_init (&request, self->transport);
  kvsqld_t2_write_check_and_mutate (&request, check, full_name, expected, &row.mutations);
  if (!kvsqld_hbase_request (self, &kvsqld_t2_check_and_mutate, &request, full_name, call, &reply,
                             error))
    return FALSE;
  *out_applied = reply.boolean;
  return TRUE;
}

/* ---- counters */

gboolean
kvsqld_hbase_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                        KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call,
                        gint64 *out_value, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, table, &owned);

  kvsqld_t2_writer_init (&request, self->transport);
  kvsqld_t2_write_increment (&request, full_name, row, family, qualifier, amount);
  if (!kvsqld_hbase_request (self, &kvsqld_t2_increment, &request, full_name, call, &reply, error))
    return FALSE;
  if (reply.rows.n_cells != 1 || reply.rows.cells[0].value.size != sizeof (gint64))
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                            "HBase did not tell the counter's new value");
  *out_value = (gint64)kvsql_get_be64 (reply.rows.cells[0].value.data);
  return TRUE;
}
