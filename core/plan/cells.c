/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cells.c: chooses the cells that a query needs.
 */
#include "config.h"

#include "core/plan/cells.h"

static gboolean
holds_any (const KvsqlCellLayout *cell, const KvsqlAttributeSet *needed)
{
  /* all other attributes are also in the other cells */
  return kvsql_attribute_set_is_empty (&cell->own)
             ? !cell->is_marker
             : kvsql_attribute_set_intersects (needed, &cell->own);
}

guint
kvsql_schema_choose_cells (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                           gboolean *out_is_read)
{
  gboolean has_certain = FALSE;
  gint witness = -1;
  guint n = 0;

  for (guint c = 0; c < schema->n_cells; c++)
    {
      const KvsqlCellLayout *cell = &schema->cells[c];

      out_is_read[c] = holds_any (cell, needed);
      n += out_is_read[c];
      has_certain = has_certain || (out_is_read[c] && kvsql_cell_is_certain (cell));
      if (kvsql_cell_is_certain (cell) && (witness < 0 || cell->is_marker))
        witness = c;
    }
  if (has_certain)
    return n;
  if (witness >= 0)
    {
      out_is_read[witness] = TRUE;
      return n + 1;
    }
  for (guint c = 0; c < schema->n_cells; c++)
    out_is_read[c] = TRUE;
  return schema->n_cells;
}

guint
kvsql_schema_choose_columns (const KvsqlSchema *schema, const KvsqlAttributeSet *needed,
                             KvsqlArena *arena, KvsqlColumn **out_columns)
{
  gboolean *is_read = kvsql_arena_array (arena, gboolean, schema->n_cells);
  guint n_read = kvsql_schema_choose_cells (schema, needed, is_read), n = 0;

  if (n_read == schema->n_cells)
    return 0;
  *out_columns = kvsql_arena_array (arena, KvsqlColumn, n_read);
  for (guint c = 0; c < schema->n_cells; c++)
    if (is_read[c])
      {
        KvsqlColumn *column = &(*out_columns)[n++];
        if (!kvsql_cell_get_column (&schema->cells[c], &column->family, &column->qualifier))
          return 0;
      }
  return n;
}
