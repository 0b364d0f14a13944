/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * misfits.c: whose cell is it, and if nobody's, why not ours?
 */
#include "config.h"

#include "core/exec/misfits.h"
#include "core/base/memory.h"

#define MAX_SHOWN 60

struct _KvsqlMisfits
{
  const KvsqlSchema *schema;
  KvsqlArena *arena;
  guint64 count;
  gchar *samples[KVSQL_MAX_SAMPLES];
  guint n_samples;
};

/* How far reading a cell came, and where it ended. */
typedef enum
{
  AT_COLUMN,
  AT_ROW,
  AT_TABLE,
  AT_VALUE,
  AT_DERIVED,
  AT_END,
} Progress;

static const gchar *const reasons[] = {
  "the schema has no such column",
  "the row key does not fit ROW",
  "the name of the table does not fit TABLE",
  "the value does not fit VALUE",
  "what is derived does not follow from the rest",
};

KvsqlMisfits *
kvsql_misfits_new (const KvsqlSchema *schema)
{
  KvsqlMisfits *self = kvsql_new0 (KvsqlMisfits);

  self->schema = schema;
  self->arena = kvsql_arena_new ();
  return self;
}

void
kvsql_misfits_free (KvsqlMisfits *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_samples; i++)
    g_free (self->samples[i]);
  kvsql_arena_free (self->arena);
  g_free (self);
}

guint64
kvsql_misfits_get_count (const KvsqlMisfits *self)
{
  return self->count;
}

const gchar *const *
kvsql_misfits_get_samples (const KvsqlMisfits *self, guint *out_n)
{
  *out_n = self->n_samples;
  return (const gchar *const *)self->samples;
}

/* ---- reading a cell under a layout */

static Progress
read_fields (const KvsqlCellLayout *layout, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
             KvsqlDecoder *decoder)
{
  KvsqlSequence *const *fields = layout->fields;

  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_FAMILY], cell->family, decoder)
      || !kvsql_sequence_decode (fields[KVSQL_FIELD_QUALIFIER], cell->qualifier, decoder))
    return AT_COLUMN;
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_ROW], row, decoder))
    return AT_ROW;
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_TABLE], table, decoder))
    return AT_TABLE;
  if (!kvsql_sequence_decode (fields[KVSQL_FIELD_VALUE], cell->value, decoder))
    return AT_VALUE;
  if (layout->derived != NULL && !kvsql_derived_finish (layout->derived, layout->relation, decoder))
    return AT_DERIVED;
  return AT_END;
}

/* The furthest that any layout of the schema comes. */
static Progress
read_cell (KvsqlMisfits *self, const KvsqlSchema *schema, KvsqlSlice table, KvsqlSlice row,
           const KvsqlCell *cell)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
  g_autoptr (KvsqlBatch) batch = NULL;
  KvsqlDecoder decoder = { .arena = self->arena, .slots = slots };
  Progress furthest = AT_COLUMN;

  for (guint c = 0; c < schema->n_cells; c++)
    for (guint a = 0; a < schema->cells[c].relation->n_attributes; a++)
      types[a] = schema->cells[c].relation->attributes[a].type;
  decoder.batch = batch = kvsql_batch_new (types, schema->n_columns, 1);
  for (guint c = 0; c < schema->n_cells && furthest < AT_END; c++)
    furthest = MAX (furthest, read_fields (&schema->cells[c], table, row, cell, &decoder));
  kvsql_arena_reset (self->arena);
  return furthest;
}

static gboolean
is_of_another (KvsqlMisfits *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell)
{
  for (guint i = 0; i < self->schema->neighbours->len; i++)
    if (read_cell (self, self->schema->neighbours->pdata[i], table, row, cell) == AT_END)
      return TRUE;
  return FALSE;
}

/* ---- telling people */

static void
append_shown (GString *out, const gchar *what, KvsqlSlice bytes)
{
  g_string_append_printf (out, "%s \"", what);
  kvsql_append_readable (out, kvsql_slice (bytes.data, MIN (bytes.size, MAX_SHOWN)));
  g_string_append (out, bytes.size > MAX_SHOWN ? "…\"" : "\"");
}

static gchar *
describe (KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell, Progress progress)
{
  GString *text = g_string_new (NULL);

  append_shown (text, "table", table);
  append_shown (text, ", row", row);
  g_string_append (text, ", column \"");
  kvsql_append_readable (text, kvsql_slice (cell->family.data, MIN (cell->family.size, MAX_SHOWN)));
  g_string_append_c (text, ':');
  kvsql_append_readable (text,
                         kvsql_slice (cell->qualifier.data, MIN (cell->qualifier.size, MAX_SHOWN)));
  g_string_append_printf (text, "\": %s", reasons[progress]);
  return g_string_free (text, FALSE);
}

static gboolean
fail (const KvsqlMisfits *self, const gchar *sample, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "a cell fits no layout of schema \"%s\"", self->schema->name);
  kvsql_error_detail (error, "It is in %s.", sample);
  return kvsql_error_hint (error, "The schema says unparsable = fail. With skip, such cells are "
                                  "counted and passed over.");
}

gboolean
kvsql_misfits_add (KvsqlMisfits *self, KvsqlSlice table, KvsqlSlice row, const KvsqlCell *cell,
                   GError **error)
{
  Progress progress;

  if (is_of_another (self, table, row, cell))
    return TRUE;
  self->count++;
  if (self->n_samples == KVSQL_MAX_SAMPLES && !self->schema->options.fails_unparsable)
    return TRUE;
  progress = read_cell (self, self->schema, table, row, cell);
  if (progress == AT_END) /* fits by itself, but not with the rest of its row */
    progress = AT_VALUE;
  if (self->schema->options.fails_unparsable)
    {
      g_autofree gchar *sample = describe (table, row, cell, progress);
      return fail (self, sample, error);
    }
  self->samples[self->n_samples++] = describe (table, row, cell, progress);
  return TRUE;
}
