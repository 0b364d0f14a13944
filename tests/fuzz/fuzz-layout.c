/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fuzz-layout.c: arbitrary layouts, and arbitrary bytes as a row.
 *
 * The input is the layout of ROW, a zero byte, and a row. A layout that the definition check
 * accepts has to decode or reject the row in a short time, and the automaton has to accept every
 * row that is decoded.
 */
#include "config.h"

#include "core/catalog/compile-schema.h"
#include "core/catalog/schema.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/layout/automata/proof.h"
#include "core/sql/parser.h"

#define MAX_LAYOUT 120
#define MAX_ROW 2000

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static const gchar relation_text[]
    = "DEFINE RELATION r { k STRING KEY, b BYTES, i INT, l BIGINT, f FLOAT, d DOUBLE, n DECIMAL, "
      "t DATE, z TIMESTAMP, o BOOLEAN, s STRING }";

static KvsqlRelation *
get_relation (void)
{
  static KvsqlRelation *relation;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (relation == NULL)
    {
      KvsqlAstStatement *statement
          = kvsql_parser_parse (kvsql_slice_from_text (relation_text), arena, NULL);
      relation = kvsql_relation_new (&statement->define_relation, NULL);
    }
  return relation;
}

static KvsqlSchema *
get_schema (const guint8 *layout, gsize size, KvsqlArena *arena)
{
  g_autofree gchar *text
      = g_strdup_printf ("DEFINE SCHEMA o FOR r { TABLE 't', ROW %.*s, FAMILY 'f' }", (gint)size,
                         (const gchar *)layout);
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (text), arena, NULL);

  if (statement == NULL || statement->kind != KVSQL_STATEMENT_DEFINE_SCHEMA)
    return NULL;
  return kvsql_schema_new (&statement->define_schema, get_relation (), NULL);
}

static void
check_accepted (const KvsqlSequence *sequence, KvsqlSlice row, KvsqlArena *arena)
{
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  gboolean is_accepted;

  if (kvsql_proof_accepts (nfa, kvsql_sequence_automaton (sequence, nfa), &row, 1, &is_accepted,
                           NULL)
      && !is_accepted)
    g_error ("a row is decoded that the automaton refuses");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  const guint8 *zero = size > 0 ? memchr (data, 0, size) : NULL;
  gsize layout_size = zero == NULL ? size : (gsize)(zero - data);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlSchema) schema = NULL;
  g_autoptr (KvsqlBatch) batch = NULL;
  KvsqlDecoder decoder = { .arena = arena };
  KvsqlType types[KVSQL_MAX_ATTRIBUTES];
  KvsqlSlice row;

  if (layout_size > MAX_LAYOUT || size - layout_size > MAX_ROW)
    return 0;
  schema = get_schema (data, layout_size, arena);
  if (schema == NULL)
    return 0;
  for (guint a = 0; a < schema->relation->n_attributes; a++)
    types[a] = schema->relation->attributes[a].type;
  batch = kvsql_batch_new (types, schema->relation->n_attributes, 1);
  decoder.batch = batch;
  row = zero == NULL ? KVSQL_SLICE_EMPTY : kvsql_slice (zero + 1, size - layout_size - 1);
  if (kvsql_sequence_decode (schema->cells[0].fields[KVSQL_FIELD_ROW], row, &decoder))
    check_accepted (schema->cells[0].fields[KVSQL_FIELD_ROW], row, arena);
  return 0;
}
