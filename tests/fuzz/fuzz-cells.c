/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-cells.c: arbitrary cells as those of a schema, as in a table that other programs write. A
 * tuple that is decoded can be encoded, and round-trips to the same cell keys. Otherwise two cells
 * would be one tuple.
 *
 * The first byte chooses a schema. Cells of five fields follow, each field after a byte with its
 * length.
 */
#include "config.h"

#include "core/base/arena.h"
#include "core/catalog/compile-schema.h"
#include "core/layout/sequence.h"
#include "core/scan/assembler.h"
#include "core/sql/parser.h"

#define MAX_CELLS 32

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* ---- schemas */

typedef struct
{
  const gchar *relation;
  const gchar *schema;
} Definition;

static const Definition definitions[] = {
  { "DEFINE RELATION r { a STRING KEY, b STRING KEY, c STRING, d INT }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW suffix('-'){a}:b, FAMILY 'f', QUALIFIER '', "
    "VALUE suffix('-'){c}:d }" },
  { "DEFINE RELATION r { a STRING KEY, b STRING KEY, c STRING, d INT }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW size{b}:a, FAMILY 'f', QUALIFIER "
    "attr_name['a', 'b'], VALUE attr_value['a', 'b'] }" },
  { "DEFINE RELATION r { a STRING KEY, b STRING KEY, c STRING KEY, d STRING KEY, e STRING }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW "
    "suffix('-'){a}:regexp('[0-9]{4}-[01][0-9]-[0-3][0-9]'){b}:'-':suffix('--'){c}:d, FAMILY 'f', "
    "QUALIFIER '', VALUE e }" },
  { "DEFINE RELATION r { a INT KEY, b BIGINT KEY, c DOUBLE KEY, d BOOLEAN KEY, e DATE KEY, "
    "f TIMESTAMP KEY, g FLOAT }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a:b:c:d:e:f, FAMILY 'f', QUALIFIER '', "
    "VALUE g }" },
  { "DEFINE RELATION r { a INT KEY, b BIGINT KEY, c DOUBLE KEY, d BOOLEAN KEY, e DATE KEY, "
    "f TIMESTAMP KEY, g DECIMAL }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW "
    "text{a}:'|':text(20){b}:'|':text{c}:'|':text{d}:'|':text{e}:'|':text{f}, FAMILY 'f', "
    "QUALIFIER '', VALUE text{g} }" },
  { "DEFINE RELATION r { a STRING KEY, b BYTES KEY, c BYTES KEY, d BYTES }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW fixed(3, ' '){a}:fixed(2){b}:size(2){c}, "
    "FAMILY 'f', QUALIFIER 'q', VALUE prefix(x'00ff'){d} }" },
  { "DEFINE RELATION r { a STRING KEY, b INT KEY, c DECIMAL, d BYTES }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW suffix('::'){a}, FAMILY 'f', QUALIFIER "
    "size{text{b}}, VALUE size(3){c}:d }" },
  { "DEFINE RELATION r { a STRING KEY, b TIMESTAMP KEY, c INT KEY, d INT }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW hash(crc32, 2){a}:salt(7, java){c}:"
    "suffix('-'){a}:bucket(1000){b}:offset(10){c}, FAMILY 'f', QUALIFIER "
    "size{text{bucket(10){c}}}:offset(1000){b}, VALUE text{d} }" },
  { "DEFINE RELATION r { a DATE KEY, b TIMESTAMP KEY, c TIMESTAMP KEY, d STRING }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW format('dd.MM.yyyy'){a}:"
    "format('HHmm', '+05:30'){b}:b:format('yyyyMMdd', 'Europe/Berlin'){c}, FAMILY 'f', QUALIFIER "
    "format('HHmmss', 'Europe/Berlin'){c}, VALUE d }" },
  { "DEFINE RELATION r { a INT KEY, b INT KEY, c STRING, d INT, e DOUBLE }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, CELLS { 'f':text{b}:':c' = c, "
    "'g':text{b}:':de' = null('-'){text{d}}:'|':null(''){text{e}}, '0':text{b} = 'x' } }" },
  { "DEFINE RELATION r { a STRING KEY, b STRING KEY, c INT KEY, d INT }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', QUALIFIER '', VALUE "
    "suffix('|'){text{d}}:each(','){b:'=':text{c}} } WITH (role = read)" },
  { "DEFINE RELATION r { a BIGINT KEY, b STRING KEY, c BYTES, d DECIMAL }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW bucket(1000){a}, FAMILY 'f', QUALIFIER '', "
    "VALUE each(2){offset(1000){unsigned(2){a}}:size{b}:ordered{c}}:fixed(2){text{d}} } "
    "WITH (role = read)" },
  { "DEFINE RELATION r { a STRING KEY, b INT KEY, c BOOLEAN, d STRING }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', QUALIFIER '', VALUE "
    "each{b:c:suffix('--'){d}} } WITH (role = read)" },
  { "DEFINE RELATION r { a STRING KEY, b LIST<STRING>, c LIST<DECIMAL>, d LIST<INT> }",
    "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', QUALIFIER attr_name['a'], "
    "VALUE phoenix{attr_value['a']} }" },
};

static KvsqlSchema *
compile (const Definition *definition)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlRelation) relation = NULL;
  KvsqlAstStatement *statement;
  KvsqlSchema *schema;

  statement = kvsql_parser_parse (kvsql_slice_from_text (definition->relation), arena, &error);
  g_assert_no_error (error);
  relation = kvsql_relation_new (&statement->define_relation, &error);
  g_assert_no_error (error);
  statement = kvsql_parser_parse (kvsql_slice_from_text (definition->schema), arena, &error);
  g_assert_no_error (error);
  schema = kvsql_schema_new (&statement->define_schema, relation, &error);
  if (error != NULL)
    g_error ("%s\n%s\n%s", definition->schema, error->message, kvsql_error_get_detail (error));
  return schema;
}

static const KvsqlSchema *
get_schema (guint number)
{
  static KvsqlSchema
      *schemas[G_N_ELEMENTS (definitions)]; /* cached, as compiling them takes most of the time */

  number %= G_N_ELEMENTS (definitions);
  if (schemas[number] == NULL)
    schemas[number] = compile (&definitions[number]);
  return schemas[number];
}

/* ---- one cell, one layout */

static KvsqlBatch *
new_batch (const KvsqlSchema *schema)
{
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];

  for (guint i = 0; i < schema->relation->n_attributes; i++)
    types[i] = schema->relation->attributes[i].type;
  return kvsql_batch_new (types, schema->relation->n_attributes, 1);
}

/* Attributes that are not in the cell are NULL. */
static gboolean
decode (const KvsqlSchema *schema, const KvsqlCellLayout *layout,
        const KvsqlSlice fields[KVSQL_N_FIELDS], KvsqlBatch *batch, KvsqlArena *arena)
{
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
  KvsqlDecoder decoder = { .batch = batch, .arena = arena, .slots = slots };

  kvsql_batch_reset (batch);
  for (guint i = 0; i < batch->n_columns; i++)
    if (!kvsql_attribute_set_has (&layout->attributes, i))
      kvsql_vector_set_null (&batch->columns[i], 0);
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    if (layout->fields[i] != NULL
        && !kvsql_sequence_decode (layout->fields[i], fields[i], &decoder))
      return FALSE;
  return layout->derived == NULL
         || kvsql_derived_finish (layout->derived, schema->relation, &decoder);
}

/* It is not an error if a decoded value cannot be encoded because it contains its separator. */
static gboolean
encode (const KvsqlSchema *schema, const KvsqlCellLayout *layout, const KvsqlValue *tuple,
        KvsqlBuffer fields[KVSQL_N_FIELDS])
{
  const KvsqlEncoder encoder = { schema->relation, schema->name, tuple };

  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    if (layout->fields[i] != NULL
        && !kvsql_sequence_encode (layout->fields[i], &encoder, &fields[i], NULL))
      return FALSE;
  return TRUE;
}

static void
check_round_trip (const KvsqlSchema *schema, const KvsqlCellLayout *layout,
                  const KvsqlSlice fields[KVSQL_N_FIELDS])
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) batch = new_batch (schema), again = new_batch (schema);
  KvsqlBuffer written[KVSQL_N_FIELDS] = { 0 };
  KvsqlSlice copy[KVSQL_N_FIELDS];
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];

  if (!decode (schema, layout, fields, batch, arena))
    return;
  for (guint i = 0; i < batch->n_columns; i++)
    tuple[i] = kvsql_vector_get (&batch->columns[i], 0);
  if (encode (schema, layout, tuple, written))
    {
      for (guint i = 0; i < KVSQL_N_FIELDS; i++)
        {
          copy[i] = kvsql_buffer_slice (&written[i]);
          g_assert_true (i == KVSQL_FIELD_VALUE || kvsql_slice_equal (copy[i], fields[i]));
        }
      g_assert_true (decode (schema, layout, copy, again, arena));
      for (guint i = 0; i < again->n_columns; i++)
        {
          KvsqlValue value = kvsql_vector_get (&again->columns[i], 0);

          g_assert_true (kvsql_value_equal (&tuple[i], &value));
        }
    }
  for (guint i = 0; i < KVSQL_N_FIELDS; i++)
    kvsql_buffer_clear (&written[i]);
}

/* ---- many cells */

/* Each tuple of a cell can be encoded and decoded again as an element, and no two have the same
 * key. */
static void
check_elements (const KvsqlSchema *schema, const KvsqlBatch *batch)
{
  const KvsqlCellLayout *layout = &schema->cells[0];
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlBatch) again = new_batch (schema);
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlBuffer fields[KVSQL_N_FIELDS] = { 0 };
      KvsqlSlice copy[KVSQL_N_FIELDS];

      for (guint a = 0; a < batch->n_columns; a++)
        tuple[a] = kvsql_vector_get (&batch->columns[a], row);
      if (encode (schema, layout, tuple, fields))
        {
          for (guint i = 0; i < KVSQL_N_FIELDS; i++)
            copy[i] = kvsql_buffer_slice (&fields[i]);
          g_assert_true (decode (schema, layout, copy, again, arena));
          for (guint a = 0; a < again->n_columns; a++)
            {
              KvsqlValue value = kvsql_vector_get (&again->columns[a], 0);

              g_assert_true (kvsql_value_equal (&tuple[a], &value));
            }
        }
      for (guint i = 0; i < KVSQL_N_FIELDS; i++)
        kvsql_buffer_clear (&fields[i]);
    }
}

/* A cell belongs to the row of the cell before it if the keys are equal; else it begins a row. */
static void
assemble (const KvsqlSchema *schema, KvsqlSlice (*cells)[KVSQL_N_FIELDS], guint n_cells)
{
  KvsqlRow rows[MAX_CELLS];
  KvsqlCell row_cells[MAX_CELLS];
  KvsqlRows all = { .rows = rows, .cells = row_cells, .n_cells = n_cells };
  g_autoptr (KvsqlAssembler) assembler
      = kvsql_assembler_new (schema, &schema->relation->all, 64 * 1024);
  g_autoptr (GError) error = NULL;
  gboolean is_done = FALSE;
  guint n_tuples = 0;

  for (guint i = 0; i < n_cells; i++)
    {
      row_cells[i] = (KvsqlCell){ .family = cells[i][KVSQL_FIELD_FAMILY],
                                  .qualifier = cells[i][KVSQL_FIELD_QUALIFIER],
                                  .value = cells[i][KVSQL_FIELD_VALUE] };
      if (all.n_rows == 0
          || !kvsql_slice_equal (rows[all.n_rows - 1].key, cells[i][KVSQL_FIELD_ROW]))
        rows[all.n_rows++] = (KvsqlRow){ .key = cells[i][KVSQL_FIELD_ROW], .first_cell = i };
      rows[all.n_rows - 1].n_cells++;
    }
  if (!kvsql_assembler_accepts_table (assembler, KVSQL_SLICE_LITERAL ("t")))
    return;
  kvsql_assembler_set_rows (assembler, KVSQL_SLICE_LITERAL ("t"), &all);
  while (!is_done)
    {
      kvsql_assembler_reset_batch (assembler);
      g_assert_true (kvsql_assembler_run (assembler, &is_done, &error));
      n_tuples += kvsql_assembler_get_batch (assembler)->n_rows;
      if (schema->cells[0].each != NULL)
        check_elements (schema, kvsql_assembler_get_batch (assembler));
    }
  g_assert_true (n_tuples <= n_cells || schema->cells[0].each != NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const KvsqlSchema *schema;
  KvsqlSlice cells[MAX_CELLS][KVSQL_N_FIELDS];
  guint n_cells = 0, field = 0;

  if (size == 0)
    return 0;
  schema = get_schema (data[0]);
  data++, size--;
  while (size > 0 && n_cells < MAX_CELLS)
    {
      gsize length = MIN (data[0], size - 1);

      cells[n_cells][field] = kvsql_slice (data + 1, length);
      data += 1 + length;
      size -= 1 + length;
      field = (field + 1) % KVSQL_N_FIELDS;
      n_cells += field == 0;
    }
  for (guint i = 0; i < n_cells; i++)
    for (guint layout = 0; layout < schema->n_cells; layout++)
      check_round_trip (schema, &schema->cells[layout], cells[i]);
  if (n_cells > 0)
    assemble (schema, cells, n_cells);
  return 0;
}
