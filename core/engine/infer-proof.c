/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer-proof.c: see infer-proof.h.
 */
#include "config.h"

#include "core/engine/infer-proof.h"

#include "core/base/interrupt.h"
#include "core/catalog/catalog.h"
#include "core/scan/undecodable-cells.h"

/* A byte that is not explained is worth more than one that is described as it is. */
#define BITS_PER_UNREAD_BYTE 16
/* Cells of a row that are shown. */
#define MAX_SHOWN_CELLS 6

typedef struct
{
  KvsqlInferProof *out;
  GPtrArray *readers; /* (element-type KvsqlUndecodableCells): of each schema */
  KvsqlSlice table;
  const KvsqlRows *rows;
} Prover;

static gboolean
is_left_out (const Prover *self, const KvsqlCell *cell)
{
  const GArray *columns = self->out->definition->left_out;

  for (guint i = 0; i < columns->len; i++)
    {
      const KvsqlColumn *column = &g_array_index (columns, KvsqlColumn, i);

      if (kvsql_slice_equal (column->family, cell->family)
          && (column->whole_family || kvsql_slice_equal (column->qualifier, cell->qualifier)))
        return TRUE;
    }
  return FALSE;
}

static KvsqlUndecodableCells *
find_reader (const Prover *self, const KvsqlRow *row, const KvsqlCell *cell)
{
  for (guint i = 0; i < self->readers->len; i++)
    if (kvsql_undecodable_cells_find_owner (self->readers->pdata[i], self->table, row->key, cell)
        == KVSQL_CELL_OWN)
      return self->readers->pdata[i];
  return NULL;
}

/* That of the schema which has the column, if there is one. */
static gchar *
describe (const Prover *self, const KvsqlRow *row, const KvsqlCell *cell)
{
  guint best = 0;

  for (guint i = 0; i < self->readers->len; i++)
    if (kvsql_undecodable_cells_find_owner (self->readers->pdata[i], self->table, row->key, cell)
        == KVSQL_CELL_UNDECODABLE)
      best = i;
  return kvsql_undecodable_cells_describe (self->readers->pdata[best], self->table, row->key, cell);
}

static void
add_undecodable (Prover *self, const KvsqlRow *row, const KvsqlCell *cell)
{
  GPtrArray *undecodable = self->out->undecodable;

  if (undecodable->len < KVSQL_INFER_MAX_UNDECODABLE)
    g_ptr_array_add (undecodable, describe (self, row, cell));
}

static void
show_cell (Prover *self, KvsqlUndecodableCells *reader, const KvsqlRow *row, const KvsqlCell *cell)
{
  g_autofree gchar *bytes = kvsql_undecodable_cells_print_cell (self->table, row->key, cell);
  g_autofree gchar *values
      = kvsql_undecodable_cells_print_attributes (reader, self->table, row->key, cell);

  g_ptr_array_add (self->out->shown, g_strdup_printf ("%s: %s", bytes, values));
}

/* Bytes of the row; FALSE in *out_fits: a cell of it is not read. */
static gsize
prove_row (Prover *self, const KvsqlRow *row, gboolean is_shown, gboolean *out_fits)
{
  gsize size = row->key.size;

  *out_fits = TRUE;
  for (guint i = 0; i < row->n_cells && kvsql_interrupt_tick (); i++)
    {
      const KvsqlCell *cell = &self->rows->cells[row->first_cell + i];
      KvsqlUndecodableCells *reader = find_reader (self, row, cell);

      size += cell->qualifier.size + cell->value.size;
      if (reader != NULL && is_shown && i < MAX_SHOWN_CELLS)
        show_cell (self, reader, row, cell);
      if (reader != NULL || is_left_out (self, cell))
        continue;
      if (*out_fits)
        add_undecodable (self, row, cell);
      *out_fits = FALSE;
    }
  return size;
}

static void
prove_rows (Prover *self, guint step)
{
  KvsqlInferProof *out = self->out;
  guint n_shown = 0;

  out->bits = out->definition->bits * (self->rows->n_rows / step + 1);
  for (guint i = 0; i < self->rows->n_rows && kvsql_interrupt_tick (); i += step)
    {
      gboolean fits;
      gsize size = prove_row (self, &self->rows->rows[i], n_shown < KVSQL_INFER_MAX_SHOWN, &fits);

      n_shown += out->shown->len > 0;
      out->n_fit += fits;
      if (!fits)
        out->bits += BITS_PER_UNREAD_BYTE * (gdouble)size;
    }
}

static void
reader_free (gpointer data)
{
  kvsql_undecodable_cells_free (data);
}

KvsqlInferProof *
kvsql_infer_proof_new (const KvsqlInferredDefinition *definition, KvsqlSlice table,
                       const KvsqlInferSample *sample, guint step)
{
  KvsqlInferProof *self = g_new0 (KvsqlInferProof, 1);
  g_autoptr (KvsqlCatalog) catalog = kvsql_catalog_new (0);
  g_autoptr (GPtrArray) readers = g_ptr_array_new_with_free_func (reader_free);
  Prover prover = { self, readers, table, &sample->rows };

  self->definition = definition;
  self->undecodable = g_ptr_array_new_with_free_func (g_free);
  self->shown = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < definition->relations->len; i++)
    {
      const KvsqlInferredRelation *relation = definition->relations->pdata[i];

      kvsql_catalog_add_definition (catalog, NULL, relation->relation);
      kvsql_catalog_add_definition (catalog, NULL, relation->schema);
    }
  if (catalog->load_errors->len > 0)
    {
      self->error = g_strdup (catalog->load_errors->pdata[0]);
      return self;
    }
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      for (guint s = 0; s < entry->n_schemas; s++)
        g_ptr_array_add (readers, kvsql_undecodable_cells_new (entry->schemas[s]));
    }
  prove_rows (&prover, step);
  return self;
}

void
kvsql_infer_proof_free (KvsqlInferProof *self)
{
  if (self == NULL)
    return;
  g_free (self->error);
  g_ptr_array_unref (self->undecodable);
  g_ptr_array_unref (self->shown);
  g_free (self);
}
