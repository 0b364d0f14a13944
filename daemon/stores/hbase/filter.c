/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.c: converts each term to one or two SingleColumnValueFilters for each of its ranges.
 *
 * These drop rows without the column and compare only its newest version (the two "true"). If only
 * this one column is read, a ValueFilter has the same effect and is cheaper: it skips a cell, while
 * the other one searches for the next row. The text form is used, not serialized filters, because
 * every HBase with Thrift2 reads it.
 */
#include "config.h"

#include "daemon/stores/hbase/filter.h"

static void
append_text (KvsqlBuffer *out, const gchar *text)
{
  kvsql_buffer_append (out, text, strlen (text));
}

/* The parser accepts any byte between quotes. */
static void
append_quoted (KvsqlBuffer *out, const gchar *prefix, KvsqlSlice bytes)
{
  append_text (out, "'");
  append_text (out, prefix);
  for (gsize i = 0; i < bytes.size; i++)
    {
      if (bytes.data[i] == '\'')
        kvsql_buffer_append_byte (out, '\'');
      kvsql_buffer_append_byte (out, bytes.data[i]);
    }
  append_text (out, "'");
}

static void
append_comparison (KvsqlBuffer *out, const KvsqlFilterTerm *term, const gchar *operation,
                   KvsqlSlice value)
{
  append_text (out, term == NULL ? "ValueFilter (" : "SingleColumnValueFilter (");
  if (term != NULL)
    {
      append_quoted (out, "", term->family);
      append_text (out, ", ");
      append_quoted (out, "", term->qualifier);
      append_text (out, ", ");
    }
  append_text (out, operation);
  append_text (out, ", ");
  append_quoted (out, "binary:", value);
  append_text (out, term == NULL ? ")" : ", true, true)");
}

static void
append_range (KvsqlBuffer *out, const KvsqlFilterTerm *term, const KvsqlRowRange *range)
{
  gboolean has_start = range->start.size > 0, has_stop = range->stop.size > 0;

  if (kvsql_row_range_is_point (range))
    {
      append_comparison (out, term, "=", range->start);
      return;
    }
  append_text (out, "(");
  if (has_start || !has_stop)
    append_comparison (out, term, ">=", range->start);
  if (has_start && has_stop)
    append_text (out, " AND ");
  if (has_stop)
    append_comparison (out, term, "<", range->stop);
  append_text (out, ")");
}

static void
append_term (KvsqlBuffer *out, const KvsqlFilterTerm *term, gboolean is_only_column)
{
  append_text (out, "(");
  for (guint i = 0; i < term->n_ranges; i++)
    {
      append_text (out, i > 0 ? " OR " : "");
      append_range (out, is_only_column ? NULL : term, &term->ranges[i]);
    }
  append_text (out, ")");
}

/* Then every term refers to it. */
static gboolean
reads_one_column (const KvsqlScanSpec *spec)
{
  const KvsqlFilter *filter = spec->filter;

  if (spec->n_columns != 1 || spec->columns[0].whole_family)
    return FALSE;
  for (guint c = 0; c < filter->n_clauses; c++)
    for (guint t = 0; t < filter->clauses[c].n_terms; t++)
      if (!kvsql_slice_equal (filter->clauses[c].terms[t].qualifier, spec->columns[0].qualifier))
        return FALSE;
  return TRUE;
}

void
kvsqld_hbase_filter_append (const KvsqlScanSpec *spec, KvsqlBuffer *out)
{
  const KvsqlFilter *filter = spec->filter;
  gboolean is_only_column;

  if (filter == NULL)
    {
      append_text (out, spec->keys_only ? "KeyOnlyFilter ()" : "");
      return;
    }
  is_only_column = reads_one_column (spec);
  for (guint c = 0; c < filter->n_clauses; c++)
    {
      append_text (out, c > 0 ? " OR (" : "(");
      for (guint t = 0; t < filter->clauses[c].n_terms; t++)
        {
          append_text (out, t > 0 ? " AND " : "");
          append_term (out, &filter->clauses[c].terms[t], is_only_column);
        }
      append_text (out, ")");
    }
}
