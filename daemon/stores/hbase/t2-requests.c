/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * t2-requests.c: the part of HBase's Thrift2 IDL that the store needs. The field ids below are
 * those of hbase.thrift (2.x); an omitted field has HBase's default.
 */
#include "config.h"

#include "daemon/stores/hbase/t2-requests.h"

#define METHOD(variable, name, returns, effect)                                                    \
  const KvsqldT2Method kvsqld_t2_##variable                                                        \
      = { name, KVSQLD_T2_RETURNS_##returns, KVSQLD_T2_##effect }

METHOD (get_server_type, "getThriftServerType", NUMBER, READS);
METHOD (get, "get", ROW, READS);
METHOD (get_multiple, "getMultiple", ROWS, READS);
METHOD (open_scanner, "openScanner", NUMBER, READS);
METHOD (get_scanner_rows, "getScannerRows", ROWS, READS);
METHOD (get_scanner_results, "getScannerResults", ROWS, READS);
METHOD (close_scanner, "closeScanner", NOTHING, READS);
METHOD (put, "put", NOTHING, SETS);
METHOD (put_multiple, "putMultiple", NOTHING, SETS);
METHOD (delete_single, "deleteSingle", NOTHING, SETS);
METHOD (delete_multiple, "deleteMultiple", COUNT, SETS);
METHOD (mutate_row, "mutateRow", NOTHING, SETS);
METHOD (check_and_mutate, "checkAndMutate", BOOLEAN, CHECKS);
METHOD (increment, "increment", ROW, CHANGES);
METHOD (get_table_names, "getTableNamesByPattern", TABLE_NAMES, READS);
METHOD (get_table_descriptor, "getTableDescriptor", FAMILIES, READS);
METHOD (get_regions, "getAllRegionLocations", REGIONS, READS);
METHOD (create_table, "createTable", NOTHING, CHANGES);
METHOD (add_column_family, "addColumnFamily", NOTHING, CHANGES);
METHOD (disable_table, "disableTable", NOTHING, CHANGES);
METHOD (delete_table, "deleteTable", NOTHING, CHANGES);
METHOD (create_namespace, "createNamespace", NOTHING, CHANGES);

enum
{
  TCOMPARE_OP_EQUAL = 2,
};

static void
begin (KvsqldT2Writer *writer, const KvsqldT2Method *method)
{
  static gint last_sequence;

  /* Numbers are unique in the process, so that no reply matches two calls. */
  kvsqld_t2_writer_begin (writer, KVSQLD_T2_CALL, method->name,
                          (guint32)g_atomic_int_add (&last_sequence, 1) & G_MAXINT32);
}

static void
begin_on_table (KvsqldT2Writer *writer, const KvsqldT2Method *method, KvsqlSlice table)
{
  begin (writer, method);
  kvsqld_t2_writer_binary_field (writer, 1, table);
}

void
kvsqld_t2_write_plain (KvsqldT2Writer *writer, const KvsqldT2Method *method)
{
  begin (writer, method);
  kvsqld_t2_writer_end (writer);
}

/* ---- reading */

/* list<TColumn>; omitted if every cell is wanted. */
static void
write_columns_field (KvsqldT2Writer *writer, gint id, const KvsqlColumn *columns, guint n_columns)
{
  if (n_columns == 0)
    return;
  kvsqld_t2_writer_list_field (writer, id, KVSQLD_T2_STRUCT, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      kvsqld_t2_writer_binary_field (writer, 1, columns[i].family);
      if (!columns[i].whole_family)
        kvsqld_t2_writer_binary_field (writer, 2, columns[i].qualifier);
      kvsqld_t2_writer_struct_end (writer);
    }
}

/* TTimeRange, whose fields are both required. */
static void
write_times_field (KvsqldT2Writer *writer, gint id, const KvsqlTimeRange *times)
{
  if (times == NULL || (times->min == 0 && times->max == 0))
    return;
  kvsqld_t2_writer_struct_field (writer, id);
  kvsqld_t2_writer_i64_field (writer, 1, times->min);
  kvsqld_t2_writer_i64_field (writer, 2, times->max > 0 ? times->max : G_MAXINT64);
  kvsqld_t2_writer_struct_end (writer);
}

/* The fields of TGet. */
static void
write_get (KvsqldT2Writer *writer, KvsqlSlice key, const KvsqlColumn *columns, guint n_columns,
           const KvsqlTimeRange *times, KvsqlSlice filter)
{
  kvsqld_t2_writer_binary_field (writer, 1, key);
  write_columns_field (writer, 2, columns, n_columns);
  write_times_field (writer, 4, times);
  if (filter.size > 0)
    kvsqld_t2_writer_binary_field (writer, 6, filter);
}

void
kvsqld_t2_write_get (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice key,
                     const KvsqlColumn *columns, guint n_columns, const KvsqlTimeRange *times,
                     KvsqlSlice filter)
{
  begin_on_table (writer, &kvsqld_t2_get, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  write_get (writer, key, columns, n_columns, times, filter);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_get_history (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice key,
                             const KvsqlColumn *families, guint n_families, gint64 since)
{
  const KvsqlTimeRange times = { .min = since };

  begin_on_table (writer, &kvsqld_t2_get, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  write_get (writer, key, families, n_families, &times, KVSQL_SLICE_EMPTY);
  kvsqld_t2_writer_i32_field (writer, 5, G_MAXINT32);
  /* Scan.setRaw (): a get is a scan of one row. */
  kvsqld_t2_writer_entry_field (writer, 7, KVSQL_SLICE_LITERAL ("_raw_"),
                                KVSQL_SLICE_LITERAL ("\xff"));
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_get_multiple (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlSlice *keys,
                              guint n_keys, const KvsqlColumn *columns, guint n_columns,
                              const KvsqlTimeRange *times, KvsqlSlice filter)
{
  begin_on_table (writer, &kvsqld_t2_get_multiple, table);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_keys);
  for (guint i = 0; i < n_keys; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      write_get (writer, keys[i], columns, n_columns, times, filter);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_end (writer);
}

static void
write_scan_field (KvsqldT2Writer *writer, gint id, const KvsqldT2Scan *scan)
{
  kvsqld_t2_writer_struct_field (writer, id);
  if (scan->start.size > 0)
    kvsqld_t2_writer_binary_field (writer, 1, scan->start);
  if (scan->stop.size > 0)
    kvsqld_t2_writer_binary_field (writer, 2, scan->stop);
  write_columns_field (writer, 3, scan->columns, scan->n_columns);
  /* Without both, the region server collects 2 MiB for a scan that needs ten rows. */
  if (scan->limit > 0)
    kvsqld_t2_writer_i32_field (writer, 4, (gint32)scan->limit);
  write_times_field (writer, 6, &scan->times);
  if (scan->filter.size > 0)
    kvsqld_t2_writer_binary_field (writer, 7, scan->filter);
  if (scan->is_reversed)
    kvsqld_t2_writer_bool_field (writer, 11, TRUE);
  if (scan->limit > 0)
    kvsqld_t2_writer_i32_field (writer, 15, (gint32)scan->limit);
  if (scan->range_filter.size > 0)
    kvsqld_t2_writer_binary_field (writer, 18, scan->range_filter);
  kvsqld_t2_writer_struct_end (writer);
}

void
kvsqld_t2_write_open_scanner (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqldT2Scan *scan)
{
  begin_on_table (writer, &kvsqld_t2_open_scanner, table);
  write_scan_field (writer, 2, scan);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_get_scanner_rows (KvsqldT2Writer *writer, gint32 scanner, guint n_rows)
{
  begin (writer, &kvsqld_t2_get_scanner_rows);
  kvsqld_t2_writer_i32_field (writer, 1, scanner);
  kvsqld_t2_writer_i32_field (writer, 2, (gint32)n_rows);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_close_scanner (KvsqldT2Writer *writer, gint32 scanner)
{
  begin (writer, &kvsqld_t2_close_scanner);
  kvsqld_t2_writer_i32_field (writer, 1, scanner);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_get_scanner_results (KvsqldT2Writer *writer, KvsqlSlice table,
                                     const KvsqldT2Scan *scan)
{
  begin_on_table (writer, &kvsqld_t2_get_scanner_results, table);
  write_scan_field (writer, 2, scan);
  kvsqld_t2_writer_i32_field (writer, 3, (gint32)scan->limit);
  kvsqld_t2_writer_end (writer);
}

/* ---- writing */

static guint
count_kind (const KvsqlRowMutation *row, KvsqlMutationKind kind)
{
  guint n = 0;

  for (guint i = 0; i < row->n_cells; i++)
    n += row->cells[i].kind == kind;
  return n;
}

/* The fields of TPut: the row's puts. The first cell's timestamp applies to all cells without
 * one. */
static void
write_put (KvsqldT2Writer *writer, const KvsqlRowMutation *row, guint n_puts)
{
  gboolean is_first = TRUE;
  gint64 timestamp = 0;

  kvsqld_t2_writer_binary_field (writer, 1, row->row);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_puts);
  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCellMutation *put = &row->cells[i];

      if (put->kind != KVSQL_MUTATION_PUT)
        continue;
      if (is_first)
        timestamp = put->timestamp;
      is_first = FALSE;
      kvsqld_t2_writer_struct_begin (writer);
      kvsqld_t2_writer_binary_field (writer, 1, put->family);
      kvsqld_t2_writer_binary_field (writer, 2, put->qualifier);
      kvsqld_t2_writer_binary_field (writer, 3, put->value);
      if (put->timestamp != timestamp)
        kvsqld_t2_writer_i64_field (writer, 4, put->timestamp);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_i64_field (writer, 3, timestamp);
}

/* The fields of TDelete: all versions of the cells up to their timestamps (its default type). */
static void
write_cell_deletes (KvsqldT2Writer *writer, const KvsqlRowMutation *row, guint n_deletes)
{
  kvsqld_t2_writer_binary_field (writer, 1, row->row);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_deletes);
  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCellMutation *delete = &row->cells[i];

      if (delete->kind != KVSQL_MUTATION_DELETE)
        continue;
      kvsqld_t2_writer_struct_begin (writer);
      kvsqld_t2_writer_binary_field (writer, 1, delete->family);
      kvsqld_t2_writer_binary_field (writer, 2, delete->qualifier);
      kvsqld_t2_writer_i64_field (writer, 3, delete->timestamp);
      kvsqld_t2_writer_struct_end (writer);
    }
}

/* The fields of TDelete for the whole row: no columns, one timestamp, the largest of the
 * mutations. */
static void
write_row_delete (KvsqldT2Writer *writer, const KvsqlRowMutation *row)
{
  gint64 timestamp = 0;

  for (guint i = 0; i < row->n_cells; i++)
    if (row->cells[i].kind == KVSQL_MUTATION_DELETE_ROW)
      timestamp = MAX (timestamp, row->cells[i].timestamp);
  kvsqld_t2_writer_binary_field (writer, 1, row->row);
  kvsqld_t2_writer_i64_field (writer, 3, timestamp);
}

void
kvsqld_t2_write_put (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlRowMutation *row)
{
  begin_on_table (writer, &kvsqld_t2_put, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  write_put (writer, row, row->n_cells);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_put_multiple (KvsqldT2Writer *writer, KvsqlSlice table,
                              const KvsqlRowMutation *const *rows, guint n_rows)
{
  begin_on_table (writer, &kvsqld_t2_put_multiple, table);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_rows);
  for (guint i = 0; i < n_rows; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      write_put (writer, rows[i], rows[i]->n_cells);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_end (writer);
}

/* Deletes of cells, or of the row. */
static void
write_delete (KvsqldT2Writer *writer, const KvsqlRowMutation *row)
{
  if (row->cells[0].kind == KVSQL_MUTATION_DELETE_ROW)
    write_row_delete (writer, row);
  else
    write_cell_deletes (writer, row, row->n_cells);
}

void
kvsqld_t2_write_delete (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlRowMutation *row)
{
  begin_on_table (writer, &kvsqld_t2_delete_single, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  write_delete (writer, row);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_delete_multiple (KvsqldT2Writer *writer, KvsqlSlice table,
                                 const KvsqlRowMutation *const *rows, guint n_rows)
{
  begin_on_table (writer, &kvsqld_t2_delete_multiple, table);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, n_rows);
  for (guint i = 0; i < n_rows; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      write_delete (writer, rows[i]);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_end (writer);
}

/* One TMutation: a union whose field @id contains a struct, which the caller fills. */
static void
mutation_begin (KvsqldT2Writer *writer, gint id)
{
  kvsqld_t2_writer_struct_begin (writer);
  kvsqld_t2_writer_struct_field (writer, id);
}

static void
mutation_end (KvsqldT2Writer *writer)
{
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_struct_end (writer);
}

/* TRowMutations. All timestamps are explicit, so the order of its parts has no meaning. */
static void
write_row_mutations_field (KvsqldT2Writer *writer, gint id, const KvsqlRowMutation *row)
{
  enum
  {
    PUT = 1,
    DELETE = 2,
  };
  guint n_puts = count_kind (row, KVSQL_MUTATION_PUT);
  guint n_deletes = count_kind (row, KVSQL_MUTATION_DELETE);
  guint n_row_deletes = count_kind (row, KVSQL_MUTATION_DELETE_ROW);

  kvsqld_t2_writer_struct_field (writer, id);
  kvsqld_t2_writer_binary_field (writer, 1, row->row);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT,
                               (n_puts > 0) + (n_deletes > 0) + (n_row_deletes > 0));
  if (n_row_deletes > 0)
    {
      mutation_begin (writer, DELETE);
      write_row_delete (writer, row);
      mutation_end (writer);
    }
  if (n_deletes > 0)
    {
      mutation_begin (writer, DELETE);
      write_cell_deletes (writer, row, n_deletes);
      mutation_end (writer);
    }
  if (n_puts > 0)
    {
      mutation_begin (writer, PUT);
      write_put (writer, row, n_puts);
      mutation_end (writer);
    }
  kvsqld_t2_writer_struct_end (writer);
}

void
kvsqld_t2_write_mutate_row (KvsqldT2Writer *writer, KvsqlSlice table, const KvsqlRowMutation *row)
{
  begin_on_table (writer, &kvsqld_t2_mutate_row, table);
  write_row_mutations_field (writer, 2, row);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_check_and_mutate (KvsqldT2Writer *writer, const KvsqlCheck *check, KvsqlSlice table,
                                  KvsqlSlice expected, const KvsqlRowMutation *row)
{
  begin_on_table (writer, &kvsqld_t2_check_and_mutate, table);
  kvsqld_t2_writer_binary_field (writer, 2, check->row);
  kvsqld_t2_writer_binary_field (writer, 3, check->family);
  kvsqld_t2_writer_binary_field (writer, 4, check->qualifier);
  kvsqld_t2_writer_i32_field (writer, 5, TCOMPARE_OP_EQUAL);
  /* Never omitted: the server would fail with a missing value. */
  kvsqld_t2_writer_binary_field (writer, 6, expected);
  write_row_mutations_field (writer, 7, row);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_increment (KvsqldT2Writer *writer, KvsqlSlice table, KvsqlSlice row,
                           KvsqlSlice family, KvsqlSlice qualifier, gint64 amount)
{
  begin_on_table (writer, &kvsqld_t2_increment, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  kvsqld_t2_writer_binary_field (writer, 1, row);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, 1);
  kvsqld_t2_writer_struct_begin (writer);
  kvsqld_t2_writer_binary_field (writer, 1, family);
  kvsqld_t2_writer_binary_field (writer, 2, qualifier);
  kvsqld_t2_writer_i64_field (writer, 3, amount);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

/* ---- tables */

void
kvsqld_t2_write_get_table_names (KvsqldT2Writer *writer)
{
  begin (writer, &kvsqld_t2_get_table_names);
  /* The pattern (1) is omitted, which means all; an empty one means none. */
  kvsqld_t2_writer_bool_field (writer, 2, FALSE);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_get_regions (KvsqldT2Writer *writer, KvsqlSlice table)
{
  begin (writer, &kvsqld_t2_get_regions);
  kvsqld_t2_writer_binary_field (writer, 1, table);
  kvsqld_t2_writer_end (writer);
}

static void
write_table_name_field (KvsqldT2Writer *writer, gint id, const KvsqldT2Name *table)
{
  kvsqld_t2_writer_struct_field (writer, id);
  if (table->namespace_name.size > 0)
    kvsqld_t2_writer_binary_field (writer, 1, table->namespace_name);
  kvsqld_t2_writer_binary_field (writer, 2, table->name);
  kvsqld_t2_writer_struct_end (writer);
}

void
kvsqld_t2_write_table_call (KvsqldT2Writer *writer, const KvsqldT2Method *method,
                            const KvsqldT2Name *table)
{
  begin (writer, method);
  write_table_name_field (writer, 1, table);
  kvsqld_t2_writer_end (writer);
}

/* A map of texts. */
static void
write_delete_grace_field (KvsqldT2Writer *writer, gint id, gint64 grace_ms)
{
  g_autofree gchar *text = g_strdup_printf ("%" G_GINT64_FORMAT, grace_ms);

  kvsqld_t2_writer_entry_field (writer, id,
                                KVSQL_SLICE_LITERAL ("hbase.hstore.time.to.purge.deletes"),
                                kvsql_slice_from_text (text));
}

/* The fields of TColumnFamilyDescriptor. Framed servers corrupt its attributes, which are a map of
 * bytes, so only typed fields and its configuration are used. */
static void
write_family (KvsqldT2Writer *writer, KvsqlSlice name, const KvsqldT2Family *family)
{
  const struct
  {
    gint id;
    gint number;
  } fields[] = {
    { 5, family->bloom },     { 6, family->compression },  { 8, family->block_encoding },
    { 10, family->versions }, { 13, family->ttl_seconds },
  };

  kvsqld_t2_writer_binary_field (writer, 1, name);
  if (family->delete_grace_ms >= 0)
    write_delete_grace_field (writer, 3, family->delete_grace_ms);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (fields[i].number >= 0)
      kvsqld_t2_writer_i32_field (writer, fields[i].id, fields[i].number);
}

static void
write_splits_field (KvsqldT2Writer *writer, gint id, const KvsqlTableSpec *spec)
{
  if (spec->n_splits == 0 || writer->transport.is_framed)
    return;
  kvsqld_t2_writer_list_field (writer, id, KVSQLD_T2_STRING, spec->n_splits);
  for (guint i = 0; i < spec->n_splits; i++)
    kvsqld_t2_writer_binary (writer, spec->splits[i]);
}

void
kvsqld_t2_write_create_table (KvsqldT2Writer *writer, const KvsqldT2Name *table,
                              const KvsqlTableSpec *spec, const KvsqldT2Family *family)
{
  begin (writer, &kvsqld_t2_create_table);
  kvsqld_t2_writer_struct_field (writer, 1);
  write_table_name_field (writer, 1, table);
  kvsqld_t2_writer_list_field (writer, 2, KVSQLD_T2_STRUCT, spec->n_families);
  for (guint i = 0; i < spec->n_families; i++)
    {
      kvsqld_t2_writer_struct_begin (writer);
      write_family (writer, spec->families[i], family);
      kvsqld_t2_writer_struct_end (writer);
    }
  kvsqld_t2_writer_struct_end (writer);
  write_splits_field (writer, 2, spec);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_add_column_family (KvsqldT2Writer *writer, const KvsqldT2Name *table,
                                   KvsqlSlice name, const KvsqldT2Family *family)
{
  begin (writer, &kvsqld_t2_add_column_family);
  write_table_name_field (writer, 1, table);
  kvsqld_t2_writer_struct_field (writer, 2);
  write_family (writer, name, family);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}

void
kvsqld_t2_write_create_namespace (KvsqldT2Writer *writer, KvsqlSlice name)
{
  begin (writer, &kvsqld_t2_create_namespace);
  kvsqld_t2_writer_struct_field (writer, 1);
  kvsqld_t2_writer_binary_field (writer, 1, name);
  kvsqld_t2_writer_struct_end (writer);
  kvsqld_t2_writer_end (writer);
}
