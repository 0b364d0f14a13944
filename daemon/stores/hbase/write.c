/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: mutations and counters.
 *
 * HBase applies the mutations of a row completely or not at all. Rows with puts are combined to
 * large requests, rows with deletes too; a row with both needs a request of its own. Every
 * timestamp is explicit, so the order of requests has no meaning to HBase, and they may run in
 * parallel.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"

#define MAX_CHUNK_ROWS 1000
#define MIN_CHUNK_ROWS 250
#define CHUNK_BYTES ((gsize)1 << 20)
/* Upper bounds of the bytes in a message that a mutation takes in addition to its own, and a row in
 * addition to its mutations. */
#define MUTATION_OVERHEAD 64
#define ROW_OVERHEAD 96
#define KEY_VALUE_OVERHEAD 20

typedef enum
{
  ROW_PUTS,
  ROW_DELETES, /* deletes of cells only, or of the row only */
  ROW_MIXED,
} RowKind;

typedef struct
{
  const KvsqlRowMutation *mutation;
  RowKind kind;
  gsize bytes;
} Row;

/* ---- rows */

/* HBase limits the size of a whole cell with its cell key; store.c has checked the rest. */
static gboolean
check_cells (const KvsqlRowMutation *row, GError **error)
{
  for (guint i = 0; i < row->n_cells; i++)
    {
      gsize size = KEY_VALUE_OVERHEAD + row->row.size + row->cells[i].family.size
                   + row->cells[i].qualifier.size + row->cells[i].value.size;

      if (size >= KVSQLD_HBASE_MAX_KEY_VALUE)
        return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                                "a cell of %" G_GSIZE_FORMAT
                                " bytes is too long: HBase accepts less than 10 MiB",
                                size);
    }
  return TRUE;
}

static Row
describe_row (const KvsqlRowMutation *mutation)
{
  Row row = { .mutation = mutation, .bytes = ROW_OVERHEAD + mutation->row.size };
  guint seen = 0; /* kinds, a bit each */

  for (guint i = 0; i < mutation->n_cells; i++)
    {
      const KvsqlCellMutation *cell = &mutation->cells[i];

      seen |= 1u << cell->kind;
      row.bytes += MUTATION_OVERHEAD + cell->family.size + cell->qualifier.size + cell->value.size;
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
request_limit (KvsqldHbaseStore *self)
{
  return kvsqld_hbase_is_framed (self) ? KVSQLD_HBASE_MAX_FRAMED_REQUEST : KVSQLD_HBASE_MAX_REQUEST;
}

static gboolean
check_row (KvsqldHbaseStore *self, const Row *row, GError **error)
{
  if (!check_cells (row->mutation, error))
    return FALSE;
  if (row->bytes <= request_limit (self))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "a row's changes of %" G_GSIZE_FORMAT
                   " bytes do not fit into one request of %" G_GSIZE_FORMAT " bytes",
                   row->bytes, request_limit (self));
  if (kvsqld_hbase_is_framed (self))
    return kvsql_error_hint (error, "A Thrift server without framing accepts larger ones.");
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

/* Rows of one table that are sent in one request. */
typedef struct
{
  KvsqlSlice table;
  guint first; /* in the stage's rows */
  guint n;
} Chunk;

/* Requests whose order has no meaning. */
typedef struct
{
  KvsqldHbaseStore *store;
  const KvsqlCall *call;
  RowKind kind;
  const KvsqlRowMutation **rows; /* the rows of the stage's kind */
  GArray *chunks;
} Stage;

/* Writes the request that suits the number of rows. */
static const KvsqldT2Method *
write_request (KvsqldT2Writer *request, KvsqlSlice table, RowKind kind,
               const KvsqlRowMutation *const *rows, guint n)
{
  if (kind == ROW_MIXED)
    {
      kvsqld_t2_write_mutate_row (request, table, rows[0]);
      return &kvsqld_t2_mutate_row;
    }
  if (kind == ROW_PUTS && n == 1)
    {
      kvsqld_t2_write_put (request, table, rows[0]);
      return &kvsqld_t2_put;
    }
  if (kind == ROW_PUTS)
    {
      kvsqld_t2_write_put_multiple (request, table, rows, n);
      return &kvsqld_t2_put_multiple;
    }
  if (n == 1)
    {
      kvsqld_t2_write_delete (request, table, rows[0]);
      return &kvsqld_t2_delete_single;
    }
  kvsqld_t2_write_delete_multiple (request, table, rows, n);
  return &kvsqld_t2_delete_multiple;
}

static gboolean
send_chunk (gpointer data, guint index, GError **error)
{
  const Stage *stage = data;
  KvsqldHbaseStore *self = stage->store;
  const Chunk *chunk = &g_array_index (stage->chunks, Chunk, index);
  const KvsqldT2Method *method;
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, chunk->table, &owned);

  if (!kvsqld_hbase_begin (self, &request, stage->call, error))
    return FALSE;
  method = write_request (&request, full_name, stage->kind, stage->rows + chunk->first, chunk->n);
  return kvsqld_hbase_request (self, method, &request, full_name, stage->call, &reply, error)
         && check_nothing_left (method, &reply, full_name, error);
}

/* A number of rows that is worth two requests is sent as two, which HBase executes in parallel; not
 * while other writes are running, because two requests cost HBase more than one. */
static guint
choose_chunk_rows (const Stage *self, guint n)
{
  if (self->kind == ROW_MIXED)
    return 1;
  return n < 2 * MIN_CHUNK_ROWS || g_atomic_int_get (&self->store->n_writing) > 1
             ? MAX_CHUNK_ROWS
             : MIN (MAX_CHUNK_ROWS, (n + 1) / 2);
}

/* Divides the @n rows of the stage's kind into chunks. */
static void
make_chunks (Stage *self, const Row *rows, guint n_rows, guint n)
{
  guint most_rows = choose_chunk_rows (self, n), n_taken = 0;
  Chunk *last = NULL;
  gsize bytes = 0;

  for (guint i = 0; n_taken < n && i < n_rows; i++)
    {
      const Row *row = &rows[i];

      if (row->kind != self->kind)
        continue;
      if (last == NULL || last->n == most_rows || bytes + row->bytes > CHUNK_BYTES
          || !kvsql_slice_equal (row->mutation->table, last->table))
        {
          Chunk chunk = { .table = row->mutation->table, .first = n_taken };

          g_array_append_val (self->chunks, chunk);
          last = &g_array_index (self->chunks, Chunk, self->chunks->len - 1);
          bytes = 0;
        }
      bytes += row->bytes;
      last->n++;
      self->rows[n_taken++] = row->mutation;
    }
}

/* Sends all rows of a kind. *out_n_done: number of successful requests. */
static gboolean
send_stage (KvsqldHbaseStore *store, RowKind kind, const Row *rows, guint n_rows,
            const KvsqlCall *call, guint *out_n_done, GError **error)
{
  g_autofree const KvsqlRowMutation **of_kind = NULL;
  g_autoptr (GArray) chunks = NULL;
  Stage stage = { .store = store, .call = call, .kind = kind };
  guint n = 0;

  *out_n_done = 0;
  for (guint i = 0; i < n_rows; i++)
    n += rows[i].kind == kind;
  if (n == 0)
    return TRUE;
  stage.rows = of_kind = g_new (const KvsqlRowMutation *, n);
  stage.chunks = chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  make_chunks (&stage, rows, n_rows, n);
  return kvsqld_hbase_dispatcher_run (store->dispatcher, chunks->len, send_chunk, &stage,
                                      out_n_done, error);
}

/* The error "nothing was done" is false once an earlier request was acknowledged. */
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

/* Puts before deletes: a write that stops halfway has then lost nothing. */
static gboolean
send_rows (KvsqldHbaseStore *self, const Row *rows, guint n_rows, const KvsqlCall *call,
           GError **error)
{
  static const RowKind order[] = { ROW_PUTS, ROW_MIXED, ROW_DELETES };
  guint n_done = 0;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      guint n_more;
      gboolean ok = send_stage (self, order[i], rows, n_rows, call, &n_more, error);

      n_done += n_more;
      if (!ok)
        {
          if (n_done > 0)
            admit_partial_write (error);
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
kvsqld_hbase_apply (KvsqlStore *store, const KvsqlRowMutation *mutations, guint n_rows,
                    const KvsqlCall *call, GError **error)
{
  KvsqldHbaseStore *self = (KvsqldHbaseStore *)store;
  g_autofree Row *rows = g_new (Row, n_rows);
  gboolean ok;

  if (!kvsqld_hbase_learn_transport (self, call, error))
    return FALSE;
  for (guint i = 0; i < n_rows; i++)
    {
      rows[i] = describe_row (&mutations[i]);
      if (!check_row (self, &rows[i], error))
        return FALSE;
    }
  g_atomic_int_inc (&self->n_writing);
  ok = send_rows (self, rows, n_rows, call, error);
  g_atomic_int_add (&self->n_writing, -1);
  return ok;
}

gboolean
kvsqld_hbase_check_row (KvsqlStore *store, const KvsqlRowMutation *mutation, GError **error)
{
  const Row row = describe_row (mutation);

  return check_row ((KvsqldHbaseStore *)store, &row, error);
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

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_increment (&request, full_name, row, family, qualifier, amount);
  if (!kvsqld_hbase_request (self, &kvsqld_t2_increment, &request, full_name, call, &reply, error))
    return FALSE;
  if (reply.rows.n_cells != 1 || reply.rows.cells[0].value.size != sizeof (gint64))
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                            "HBase did not return the counter's new value");
  *out_value = (gint64)kvsql_get_be64 (reply.rows.cells[0].value.data);
  return TRUE;
}
