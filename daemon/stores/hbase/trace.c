/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trace.c: looks for one request's cells among all versions that HBase still has of a row.
 *
 * A request is applied completely or not at all, so one of its cells is sufficient. An applied put
 * exists until something newer covers it and a flush or a compaction then drops it. So a put that
 * is neither there nor covered was not applied. Delete markers stay until a major compaction,
 * whatever is written later. Where HBase keeps n versions, a put is dropped only if there are n
 * newer ones.
 *
 * A covered put was not applied either if the version that was compared is still there and is
 * young: a flush that dropped the put would have dropped that older version as well, unless another
 * flush had written it to disk between the two writes.
 */
#include "config.h"

#include "daemon/stores/hbase/trace.h"

#define YOUNG_MS 2000

typedef struct
{
  const KvsqlCell *cell;
  guint8 type; /* KvsqldT2CellType; 0: unknown */
} Version;

static gboolean
is_of_family (const Version *version)
{
  return version->type == KVSQLD_T2_CELL_DELETE_FAMILY
         || version->type == KVSQLD_T2_CELL_DELETE_FAMILY_VERSION;
}

static gboolean
is_in_column (const KvsqlCellMutation *mutation, const Version *version)
{
  return kvsql_slice_equal (mutation->family, version->cell->family)
         && kvsql_slice_equal (mutation->qualifier, version->cell->qualifier);
}

/* A writer other than kvsqld may use the same timestamp, so the value is compared, too. */
static gboolean
is_from (const KvsqlCellMutation *mutation, const Version *version)
{
  if (mutation->timestamp != version->cell->timestamp)
    return FALSE;
  switch (mutation->kind)
    {
    case KVSQL_MUTATION_PUT:
      return (version->type == KVSQLD_T2_CELL_PUT || version->type == 0)
             && is_in_column (mutation, version)
             && kvsql_slice_equal (mutation->value, version->cell->value);
    case KVSQL_MUTATION_DELETE:
      return version->type == KVSQLD_T2_CELL_DELETE_COLUMN && is_in_column (mutation, version);
    case KVSQL_MUTATION_DELETE_ROW:
    default:
      return version->type == KVSQLD_T2_CELL_DELETE_FAMILY;
    }
}

/* Whether an applied put may have been dropped: it is deleted, or there are as many newer versions
 * as HBase keeps. Versions with the same timestamp count once. */
static gboolean
is_covered (const KvsqlCellMutation *put, const KvsqlCheck *check, const KvsqldT2Reply *history)
{
  guint n_newer = 0;
  gint64 previous = 0;

  for (guint i = 0; i < history->rows.n_cells; i++)
    {
      const Version version = { &history->rows.cells[i], history->types->data[i] };
      gint64 timestamp = version.cell->timestamp;

      if (timestamp < check->mark || !kvsql_slice_equal (put->family, version.cell->family))
        continue;
      if (is_of_family (&version))
        return TRUE;
      if (!is_in_column (put, &version))
        continue;
      if (version.type != KVSQLD_T2_CELL_PUT || timestamp == check->mark)
        return TRUE;
      n_newer += timestamp != previous;
      previous = timestamp;
    }
  return n_newer >= MAX (check->n_versions, 1);
}

/* Whether the compared version is there, and young enough to be in @history. */
static gboolean
has_compared (const KvsqlCheck *check, const KvsqldT2Reply *history)
{
  for (guint i = 0; check->kind == KVSQL_CHECK_EQUAL && i < history->rows.n_cells; i++)
    {
      const KvsqlCell *cell = &history->rows.cells[i];

      if (history->types->data[i] == KVSQLD_T2_CELL_PUT && cell->timestamp < check->mark
          && kvsql_slice_equal (cell->family, check->family)
          && kvsql_slice_equal (cell->qualifier, check->qualifier)
          && kvsql_slice_equal (cell->value, check->value))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_found (const KvsqlCellMutation *mutation, const KvsqldT2Reply *history)
{
  for (guint i = 0; i < history->rows.n_cells; i++)
    {
      const Version version = { &history->rows.cells[i], history->types->data[i] };

      if (is_from (mutation, &version))
        return TRUE;
    }
  return FALSE;
}

/* FALSE: the server does not send which cells are delete markers. */
static gboolean
has_types (const KvsqldT2Reply *history)
{
  for (guint i = 0; i < history->rows.n_cells; i++)
    if (history->types->data[i] == 0)
      return FALSE;
  return TRUE;
}

gint64
kvsqld_hbase_trace_since (const KvsqlCheck *check)
{
  return MAX (check->mark - YOUNG_MS, 0);
}

KvsqldTrace
kvsqld_hbase_trace (const KvsqlCheck *check, const KvsqlRowMutation *row,
                    const KvsqldT2Reply *history)
{
  gboolean has_puts = FALSE, is_all_covered = TRUE;

  for (guint i = 0; i < row->n_cells; i++)
    {
      const KvsqlCellMutation *mutation = &row->cells[i];

      if (is_found (mutation, history))
        return KVSQLD_TRACE_FOUND;
      if (mutation->kind != KVSQL_MUTATION_PUT)
        continue;
      has_puts = TRUE;
      is_all_covered &= is_covered (mutation, check, history);
    }
  if (has_puts)
    return is_all_covered && !has_compared (check, history) ? KVSQLD_TRACE_COVERED
                                                            : KVSQLD_TRACE_NONE;
  return has_types (history) ? KVSQLD_TRACE_NONE : KVSQLD_TRACE_COVERED;
}
