/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filter.c: evaluation, copy and text of filters.
 */
#include "config.h"

#include "core/store/filter.h"

/* ---- evaluating */

static gboolean
is_in_ranges (const KvsqlFilterTerm *term, KvsqlSlice value)
{
  for (guint i = 0; i < term->n_ranges; i++)
    {
      const KvsqlRowRange *range = &term->ranges[i];

      if (range->stop.size > 0 && kvsql_slice_compare (value, range->stop) >= 0)
        continue;
      return kvsql_slice_compare (value, range->start) >= 0;
    }
  return FALSE;
}

static gboolean
admits_term (const KvsqlFilterTerm *term, const KvsqlCell *cells, guint n_cells)
{
  for (guint i = 0; i < n_cells; i++)
    if (kvsql_slice_equal (cells[i].qualifier, term->qualifier)
        && kvsql_slice_equal (cells[i].family, term->family))
      return is_in_ranges (term, cells[i].value);
  return FALSE;
}

static gboolean
admits_clause (const KvsqlFilterClause *clause, const KvsqlCell *cells, guint n_cells)
{
  for (guint i = 0; i < clause->n_terms; i++)
    if (!admits_term (&clause->terms[i], cells, n_cells))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_filter_admits (const KvsqlFilter *self, const KvsqlCell *cells, guint n_cells)
{
  for (guint i = 0; i < self->n_clauses; i++)
    if (admits_clause (&self->clauses[i], cells, n_cells))
      return TRUE;
  return FALSE;
}

gboolean
kvsql_filter_names_family (const KvsqlFilter *self, KvsqlSlice family)
{
  for (guint c = 0; c < self->n_clauses; c++)
    for (guint t = 0; t < self->clauses[c].n_terms; t++)
      if (kvsql_slice_equal (self->clauses[c].terms[t].family, family))
        return TRUE;
  return FALSE;
}

/* ---- copying */

static KvsqlFilterTerm
dup_term (const KvsqlFilterTerm *term, KvsqlArena *arena)
{
  KvsqlRowRange *ranges = kvsql_arena_array (arena, KvsqlRowRange, term->n_ranges);

  for (guint i = 0; i < term->n_ranges; i++)
    ranges[i] = (KvsqlRowRange){ kvsql_slice_dup (arena, term->ranges[i].start),
                                 kvsql_slice_dup (arena, term->ranges[i].stop) };
  return (KvsqlFilterTerm){ kvsql_slice_dup (arena, term->family),
                            kvsql_slice_dup (arena, term->qualifier), ranges, term->n_ranges };
}

const KvsqlFilter *
kvsql_filter_dup (const KvsqlFilter *self, KvsqlArena *arena)
{
  KvsqlFilter *copy;
  KvsqlFilterClause *clauses;

  if (self == NULL)
    return NULL;
  clauses = kvsql_arena_array (arena, KvsqlFilterClause, self->n_clauses);
  for (guint c = 0; c < self->n_clauses; c++)
    {
      const KvsqlFilterClause *clause = &self->clauses[c];
      KvsqlFilterTerm *terms = kvsql_arena_array (arena, KvsqlFilterTerm, clause->n_terms);

      for (guint t = 0; t < clause->n_terms; t++)
        terms[t] = dup_term (&clause->terms[t], arena);
      clauses[c] = (KvsqlFilterClause){ terms, clause->n_terms };
    }
  copy = kvsql_arena_new0 (arena, KvsqlFilter);
  *copy = (KvsqlFilter){ clauses, self->n_clauses };
  return copy;
}

/* ---- showing */

static void
append_bytes (KvsqlSlice bytes, GString *out)
{
  g_string_append_c (out, '"');
  kvsql_append_readable (out, bytes);
  g_string_append_c (out, '"');
}

static void
append_range (const KvsqlFilterTerm *term, const KvsqlRowRange *range, GString *out)
{
  kvsql_append_readable (out, term->family);
  g_string_append_c (out, ':');
  kvsql_append_readable (out, term->qualifier);
  if (kvsql_row_range_is_point (range))
    {
      g_string_append (out, " = ");
      append_bytes (range->start, out);
      return;
    }
  if (range->start.size == 0 && range->stop.size == 0)
    g_string_append (out, " exists");
  if (range->start.size > 0)
    {
      g_string_append (out, " from ");
      append_bytes (range->start, out);
    }
  if (range->stop.size > 0)
    {
      g_string_append (out, " up to, not including, ");
      append_bytes (range->stop, out);
    }
}

static void
append_term (const KvsqlFilterTerm *term, gboolean is_alone, GString *out)
{
  if (!is_alone && term->n_ranges > 1)
    g_string_append_c (out, '(');
  for (guint i = 0; i < term->n_ranges; i++)
    {
      if (i > 0)
        g_string_append (out, " OR ");
      append_range (term, &term->ranges[i], out);
    }
  if (!is_alone && term->n_ranges > 1)
    g_string_append_c (out, ')');
}

void
kvsql_filter_append_text (const KvsqlFilter *self, GString *out)
{
  for (guint c = 0; c < self->n_clauses; c++)
    {
      const KvsqlFilterClause *clause = &self->clauses[c];
      gboolean has_brackets = self->n_clauses > 1 && clause->n_terms > 1;

      if (c > 0)
        g_string_append (out, " OR ");
      if (has_brackets)
        g_string_append_c (out, '(');
      for (guint t = 0; t < clause->n_terms; t++)
        {
          if (t > 0)
            g_string_append (out, " AND ");
          append_term (&clause->terms[t], clause->n_terms == 1, out);
        }
      if (has_brackets)
        g_string_append_c (out, ')');
    }
}
